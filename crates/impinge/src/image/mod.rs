//! From body pairs to triangles that may collide, by looking at the scene along parallel rays: Georgii, Krüger and
//! Westermann, "Interactive collision detection for deformable and GPU objects" (2007). Section numbers in these files
//! are theirs.
//!
//! 1. [`View`]: a direction, and an image tight around the regions where boxes of bodies overlap; several where groups of
//!    bodies are far apart.
//! 2. [`gather`]: every vertex in image coordinates.
//! 3. [`depth_peel`]: which rays meet surfaces in an order that solids apart from each other cannot have (4).
//! 4. [`ray_mipmap`]: boxes of such rays, in bundles of growing width (5).
//! 5. [`separate`]: for every triangle, the part of its rectangle that such rays may pass (6).
//! 6. [`pack`]: the few triangles with such a part, side by side (3).
//! 7. [`sweep`]: pairs of them whose rectangles and depths overlap, and the exact test (7).
//!
//! **Sampled**: what lies between rays is not seen. A report that comes from here says so
//! ([`crate::Report::complete`] is `false`).
//!
//! Every stage is a plain function over slices and the definition of its twin of the same name on the GPU (in the crate
//! `impinge-gpu`), which gives the same result for the same input, bit for bit; but for sampling, where rasterisers
//! move vertices to a grid of their own.

pub mod flow;
pub mod gather;
pub mod groups;
pub mod options;
pub mod raster;
pub mod view;

pub use self::flow::{External, Flow, Look};
pub use self::options::{Direction, Looking, Projection};
pub use self::view::View;

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
