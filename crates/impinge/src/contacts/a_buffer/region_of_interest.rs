//! The part of the image, and of its depth, where a body may meet another: the paper's region of interest
//! ("Framework").

use crate::image::ViewTask;
use crate::image::view::View;
use crate::scene::{Bounds, Scene};
use crate::util::tolerance::DEPTH_ERROR;

/// Where fragments of one body are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionOfInterest {
    /// A half-open range of pixels, across.
    pub columns: [u32; 2],
    /// The same, down.
    pub rows: [u32; 2],
    /// The range of depths.
    pub depths: [f32; 2],
    /// Whether self-collision is on.
    pub with_itself: bool,
}

impl RegionOfInterest {
    /// One per member of a task: the intersection of its box with those of others, or all of it with
    /// self-collision; empty for an inactive member.
    pub fn of_all(scene: &Scene, look: &ViewTask, near: f32) -> Vec<Self> {
        let region = |(member, common): (&super::Member, &Bounds)| {
            let with_itself = scene.body(member.id).is_some_and(crate::Body::self_collision);
            if member.active { Self::of(&look.view, common, near, with_itself) } else { Self::default() }
        };
        look.members.iter().zip(&look.common).map(region).collect()
    }

    /// The projection of a box, grown by one pixel and by `near`: surfaces that meet at its border are
    /// sampled by a ray beside it.
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
