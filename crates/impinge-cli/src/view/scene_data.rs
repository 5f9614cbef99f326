//! What stays the same in all frames: bodies, their triangles, and where they are at first.

use super::container::Container;
use super::space::{Space, middle};
use crate::error::Error;
use crate::picture::Up;
use crate::printer::BodyFacts;
use impinge::{Point, Scene, Version};
use serde::Serialize;
use std::ops::Range;

/// A scene as the page was told of it: what frames are described against.
pub(crate) struct Told {
    pub(crate) facts: Vec<BodyFacts>,
    pub(crate) space: Space,
    pub(crate) bodies: Vec<ToldBody>,
}

/// What the page knows of a body.
pub(crate) struct ToldBody {
    /// The middle of its box, in its own coordinates, when it was told.
    pub(crate) middle: Point,
    /// Positions of another version are told again.
    pub(crate) positions: Version,
}

#[derive(Serialize)]
struct SceneHead<'a> {
    name: &'a str,
    program: &'static str,
    up: &'static str,
    /// Frames that can be asked for: the first, and one after the last.
    first: usize,
    end: usize,
    /// World coordinates are page coordinates times the scale, plus the centre.
    centre: Point,
    scale: f64,
    bodies: &'a [BodyFacts],
}

impl Told {
    pub(crate) fn new(scene: &Scene) -> Self {
        let bodies = scene
            .bodies()
            .map(|(_, body)| ToldBody { middle: middle(body), positions: body.positions_version() });
        Self { facts: BodyFacts::of(scene), space: Space::around(scene), bodies: bodies.collect() }
    }

    /// The scene for the page; it must stand as it did when it was told.
    pub(crate) fn encode(
        &self,
        name: &str,
        scene: &Scene,
        frames: &Range<usize>,
        up: Up,
    ) -> Result<Vec<u8>, Error> {
        let mut container = Container::default();
        let triangles =
            scene.bodies().flat_map(|(_, body)| body.mesh().triangles().iter().flatten().copied());
        container.integers("triangles", triangles);
        let positions = scene.bodies().zip(&self.bodies).flat_map(|((_, body), told)| {
            body.mesh().positions().iter().flat_map(|p| self.space.local(told.middle, p))
        });
        container.floats("positions", positions);
        Ok(container.finish(&SceneHead {
            name,
            program: concat!("impinge ", env!("CARGO_PKG_VERSION")),
            up: match up {
                Up::Y => "y",
                Up::Z => "z",
            },
            first: frames.start,
            end: frames.end,
            centre: self.space.centre(),
            scale: self.space.scale(),
            bodies: &self.facts,
        })?)
    }
}
