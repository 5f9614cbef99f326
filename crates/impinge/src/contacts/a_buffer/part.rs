//! The part of the image, and of its depth, where a body may meet another: the paper's region of interest ("Framework").

use crate::image::flow::Look;
use crate::image::view::View;
use crate::scene::Bounds;
use crate::scene::Scene;
use crate::util::tolerance::DEPTH_ERROR;

/// Where surfaces of one body are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    /// From which pixel to before which, across.
    pub columns: [u32; 2],
    /// The same, down.
    pub rows: [u32; 2],
    /// From which depth to which.
    pub depths: [f32; 2],
    /// Whether the body may collide with itself.
    pub with_itself: bool,
}

impl Part {
    /// One for every member of a look: what its box has in common with those of others, or all of it when it may collide with
    /// itself; nothing for one that is not looked at.
    pub fn of_all(scene: &Scene, look: &Look, near: f32) -> Vec<Self> {
        let part = |(member, common): (&super::Member, &Bounds)| {
            let with_itself = scene.body(member.id).is_some_and(crate::Body::self_collision);
            if member.active { Self::of(&look.view, common, near, with_itself) } else { Self::default() }
        };
        look.members.iter().zip(&look.common).map(part).collect()
    }

    /// A box as a view shows it, and around it one pixel and what counts as near: surfaces that meet at its border are seen
    /// by a ray beside it.
    pub fn of(view: &View, bounds: &Bounds, near: f32, with_itself: bool) -> Self {
        if bounds.is_empty() {
            return Self::default();
        }
        let image = Bounds::of(bounds.corners().map(|corner| view.project(corner)));
        let pixels = |axis: usize, pixels: u32| {
            let within = |at: f64| at.clamp(0.0, f64::from(pixels)) as u32;
            [within(image.min[axis].floor() - 1.0), within(image.max[axis].ceil() + 1.0)]
        };
        let beyond = f64::from(near) + 2.0 * DEPTH_ERROR;
        Self {
            columns: pixels(0, view.width),
            rows: pixels(1, view.height),
            depths: [image.min[2] - beyond, image.max[2] + beyond].map(|depth| depth as f32),
            with_itself,
        }
    }
}
