//! Patches: the culler behind `Method::Bvh`.
//!
//! Triangles are grouped, once per topology, into patches of 64 that lie close together; each patch knows its distinct
//! vertices, and a binary tree stands over the patches. A frame then
//! 1. takes the box of every patch that moved (each vertex read once or twice, nothing per triangle),
//! 2. walks the trees to pairs of patches whose boxes meet,
//! 3. makes those patches active: coordinates side by side, triangle boxes as bytes,
//! 4. filters triangle pairs by boxes, planes and edges in floats with proven bounds ([`filters`]),
//! 5. decides the rest exactly.
//!
//! Neighbours within a body are kept apart: see [`stars`].

pub(crate) mod active;
pub(crate) mod block_boxes;
pub(crate) mod body_cache;
pub(crate) mod cut;
pub(crate) mod inspect;
pub(crate) mod order;
pub(crate) mod placement;
pub(crate) mod pool;
pub(crate) mod rebuild;
pub(crate) mod relative;
pub(crate) mod stars;
pub(crate) mod transform;
pub(crate) mod tree;
pub(crate) mod voxel_filter;

pub use inspect::{VisitedBox, Visits};

/// Triangles per patch: as many as a `u64` has bits. 32 needs more tree and longer vertex lists, 128 more box tests.
pub(crate) const PATCH: usize = 64;
/// Triangles tested at once against one plane.
pub(crate) const BLOCK: usize = 8;
