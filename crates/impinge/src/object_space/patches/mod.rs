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

mod active;
mod arcs;
mod certify;
mod cut;
mod decide;
mod edges;
mod engine;
mod filters;
mod finer;
mod inspect;
mod kept;
mod neighbours;
pub(crate) mod order;
mod place;
mod pool;
mod queues;
mod regions;
mod relative;
mod renew;
pub(crate) mod rings;
mod sort;
mod stars;
mod tree;
mod turn;
mod wide;

pub(crate) use engine::Engine;
pub use inspect::{VisitedBox, Visits};

/// Triangles per patch: as many as a `u64` has bits. 32 needs more tree and longer vertex lists, 128 more box tests.
const PATCH: usize = 64;
/// Triangles tested at once against one plane.
const BLOCK: usize = 8;
