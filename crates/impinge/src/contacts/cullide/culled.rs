//! The result of culling, and its statistics.

use crate::scene::{BodyId, Element};
use std::time::Duration;

/// The result of [`crate::Method::Cullide`]: everything that may collide, or be nearer than the given
/// distance.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Culled {
    /// The potentially colliding set: bodies that no view separated from all others, sorted.
    pub bodies: Vec<BodyId>,
    /// Pairs of bodies with parts that may collide, sorted.
    pub body_pairs: Vec<[BodyId; 2]>,
    /// Parts of bodies that may collide.
    pub sub_bodies: usize,
    /// Pairs of parts, of two bodies, whose boxes overlap or are within the distance.
    pub sub_body_pairs: usize,
    /// Pairs of triangles in these whose boxes do.
    pub triangle_pairs: usize,
    /// The pairs of triangles, sorted like contacts, if requested.
    pub triangles: Vec<[Element; 2]>,
    /// What was drawn, and how long it took.
    pub stages: CullideStages,
}

/// Statistics of culling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CullideStages {
    /// Largest size of an image, in pixels across and down.
    pub resolution: [u32; 2],
    /// Pairs of bodies whose boxes overlap or are within the distance.
    pub box_pairs: usize,
    /// Pairs of those boxes between bodies of the potentially colliding set, before their parts are culled.
    pub first_pairs: usize,
    /// Images drawn.
    pub looks: usize,
    /// Renderings of all items of an image.
    pub passes: usize,
    /// Visibility queries: bodies and parts, in every pass.
    pub queries: usize,
    /// Bytes read back from a GPU.
    pub bytes_read_back: usize,
    /// Drawing and queries; on a GPU, with read-back.
    pub draw: Duration,
    /// Boxes of triangles and the exact test.
    pub exact: Duration,
}
