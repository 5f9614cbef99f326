//! What the methods that look along rays share: which bodies, from where, and how a triangle covers pixels.
//!
//! 1. `view.rs`: a direction, and an image tight around the regions where boxes of bodies overlap; several where groups of
//!    bodies are far apart (`groups.rs`).
//! 2. `gather.rs`: every vertex in image coordinates (`shaders/image/gather.wgsl` of `impinge-gpu`).
//! 3. `raster.rs`: which pixels a triangle covers, and how deep.
//!
//! Used by [`crate::contacts`] (`depth_peel`, `a_buffer`, `cullide`) and [`crate::interference`]. What lies between rays is
//! not seen: each of them says whether it is **sampled**.

pub(crate) mod crossed;
pub mod gather;
pub mod groups;
pub mod options;
pub mod raster;
pub mod view;
mod views;

pub use self::options::{Direction, Looking, Projection};
pub use self::view::View;
pub use self::views::{ViewPlanner, ViewTask, plan_views};

/// A vertex as rays see it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScreenVertex {
    /// Pixels from the left.
    pub x: f32,
    /// Pixels from the top.
    pub y: f32,
    /// From 0, where rays start, to 1.
    pub depth: f32,
    /// Index of its body among [`gather::Member`]s.
    pub body: u32,
}
