//! Patches and the trees over them: the structure behind contacts by `bvh` (`contacts/bvh/`), shared by whatever asks for
//! what is near.
//!
//! Once per topology, `order.rs` sorts triangles by recursive median splits of their centres, and `cut.rs` cuts the order
//! into patches of 64 triangles that lie close together, each with the list of its distinct vertices. The order *is* the tree
//! (`tree.rs`): a node over `n` patches has the first half of them on its left, so there are no pointers.
//!
//! | file | what it has |
//! |---|---|
//! | `order.rs`, `cut.rs` | triangles to ordered patches, once per topology |
//! | `boxes.rs` | the bounding volumes of nodes: floats rounded outward, by corners or by centre and half extents |
//! | `refit.rs` | the boxes of all nodes from the present positions: each listed vertex read once, nothing per triangle |
//! | `tree.rs`, `traverse.rs` | subtrees; two trees, or one against itself, to pairs of leaves: what is compared is up to the volumes, what is done with it to the visitor |
//! | `volumes.rs` | **the trait of volumes that a traversal compares**, and axis-aligned boxes in one frame |
//! | `relative.rs` | boxes of two posed bodies compared in each other's frame, so a rigid body's boxes never change; **the slack that world rounding needs, with its bound** |
//! | `block_boxes.rs` | for bodies that keep their shape: boxes of blocks of 8 triangles, eight boxes against eight at a time |
//! | `block_mask.rs` | pairs of patches, and which of their blocks meet |
//! | `frame_input.rs` | what one frame reads; which volumes compare two bodies |
//! | `active.rs`, `pool.rs` | patches made ready for testing: coordinates side by side as floats, triangle boxes as bytes; kept while they may be needed again |
//! | `transform.rs` | patches of rigid bodies stay in the body's frame and are mapped into the frame of what they meet; **the error bound of that** |
//! | `stars/` | neighbours within a body, certified a vertex star at a time (`stars/certify.rs`); **the certificate and its proof** (`stars/mod.rs`); pairs of stars that fail (`stars/neighbours.rs`), and where a vertex has very many triangles (`stars/arcs.rs`) |
//! | `voxel_filter.rs` | bodies seen for the first time: which of their triangles can matter at all |
//! | `body_cache.rs`, `placement.rs` | what is kept of one body between frames; its box and the scale of its coordinates |
//! | `rebuild.rs` | patches that deformation has stretched are cut anew in the background, a little each frame |
//! | `inspect.rs` | which boxes the traversals visit, to look at |
//!
//! A new bounding volume is another implementation of `Volumes`, and three things are asked of it: a refit from a patch's
//! vertices and from two children (`refit.rs`), an overlap test whose rounding is bounded in the safe direction
//! (`Volumes::meet`), and its slack in the frame of another body (`relative.rs`). A new query is another `PairVisitor`.
//!
//! Neighbours within a body never enter the filters: see `stars/`.

pub(crate) mod active;
pub(crate) mod block_boxes;
pub(crate) mod block_mask;
pub(crate) mod body_cache;
pub(crate) mod boxes;
pub(crate) mod cut;
pub(crate) mod frame_input;
pub(crate) mod inspect;
pub(crate) mod order;
pub(crate) mod placement;
pub(crate) mod pool;
pub(crate) mod rebuild;
pub(crate) mod refit;
pub(crate) mod relative;
pub(crate) mod stars;
#[cfg(test)]
pub(crate) mod test_scenes;
pub(crate) mod transform;
pub(crate) mod traverse;
pub(crate) mod tree;
pub(crate) mod volumes;
pub(crate) mod voxel_filter;

pub use inspect::{VisitedBox, Visits};

/// Triangles per patch: as many as a `u64` has bits. 32 needs more tree and longer vertex lists, 128 more box tests.
pub(crate) const PATCH: usize = 64;
/// Triangles tested at once against one plane.
pub(crate) const BLOCK: usize = 8;
