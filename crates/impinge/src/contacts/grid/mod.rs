//! Contacts by a grid of whole boxes: complete, on any GPU. Floats say only what they can prove; exact arithmetic decides the
//! few pairs in doubt. What FAR (Govindaraju, Lin, Manocha 2004) guarantees at the price of enlarged images, and what Jang
//! and Han (2008) gather in one pass, without an image: resolution only affects speed. Every stage is a plain function over
//! slices and the definition of its shader in `impinge-gpu/shaders/grid/`. The grid there may have other cells, and floats
//! may round in another way: neither changes a contact.
//!
//! | stage | CPU | GPU (`shaders/grid/`) |
//! |---|---|---|
//! | where contacts can be, bodies of one size class at a time | `culler.rs`, `places.rs`, `region.rs` | the same code |
//! | vertices to the region, in coordinates near 1 | `region.rs` | `region.wgsl` |
//! | vertex stars certified | `stars.rs` | `stars.wgsl` |
//! | boxes of triangles, the overlap of body boxes, voxels that several bodies touch | `triangle_filter.rs` | `triangle_filter.wgsl` |
//! | cells: size chosen, counted, given room, filled | `cells.rs` | `cells.wgsl` |
//! | pairs whose boxes overlap, each once | `box_pairs.rs` | `box_pairs.wgsl` |
//! | neighbours, and triangles on one side of a plane | `plane_filter.rs`, `neighbours.rs` | `plane_filter.wgsl` |
//! | all fifteen signs | `signs.rs` | `signs.wgsl` |
//! | exact test of pairs in doubt, few | `culler.rs`, `crate::exact` | the same code |
//! | exact test of pairs in doubt, many | | `place_exactly.wgsl`, `exact_signs.wgsl` |
//!
//! # Nothing is missed
//!
//! Let two triangles share a point `x` of the world, and, within one body, not only what neighbours share.
//!
//! * Their bodies' boxes hold `x`, so the pair of bodies is in the broad phase's list, in one run, and `x` is in the overlap
//!   box that either body has in that run, which is rounded outward. A body with self-collision keeps all its triangles.
//! * The box of a triangle's record holds the true triangle (`triangle_filter.rs`), so it holds `x`: it meets the overlap
//!   box, and is kept. Both records touch the voxel of `x`, because the cell of a coordinate grows with the coordinate: that
//!   voxel knows of both bodies, and the filter keeps both.
//! * Both boxes hold `x`, so the pair is found, once (`box_pairs.rs`).
//! * It is dropped only if floats prove that the triangles share no point (`signs.rs`) or none that counts (`stars.rs`,
//!   `neighbours.rs`), which they do not; and it is a contact for certain, or in doubt.
//!
//! Nothing is reported that is not there: floats prove that an edge pierces a triangle, or exact arithmetic says so. What
//! placed vertices are off is bounded in `region.rs`; what determinants are off in `signs.rs` and `neighbours.rs`.
//!
//! # How cells and large triangles work
//!
//! A cell's list holds, beside each triangle, where its box is within the cell, nine bits a coordinate: one subtraction
//! compares three of them, and the same bits tell whether the pair is this cell's. It holds slabs along six diagonals too
//! (`x + y`, `x - y` and so on: half of the candidates of folded cloth go), and names the triangle's record, whose vertices
//! tell where they are certified: most pairs whose boxes meet within a body share a vertex, and where all triangles around it
//! lie side by side they share nothing else. Rings of bodies that keep their triangles are made once, when a body is seen for
//! the second time.
//!
//! A triangle in more than 128 cells is in none: blocks of 64 triangles that its box and its plane reach are tested against
//! it. It marks only voxels that its plane reaches, so two triangles across a scene do not keep everything.
//!
//! A body 2^36 times larger than its overlap with others is *vast* (`region.rs`): floats say nothing about where it is, and
//! still everything about the others.
//!
//! Tests: `impinge-gpu/tests/conservative.rs` compares contacts with `brute_force` at cells from far too fine to far too
//! coarse; `cargo xtask soak` does so on random scenes, and `--filter` holds what floats claim against exact arithmetic on
//! families of near-degenerate pairs. What was tried and dropped: `docs/decisions/grid.md`, `docs/decisions/exact-signs.md`.

pub mod bounds;
pub mod box_pairs;
pub mod cells;
mod culler;
pub mod neighbours;
mod options;
mod places;
pub mod plane_filter;
pub mod region;
pub mod signs;
pub mod stars;
pub mod triangle_filter;

pub(crate) use culler::GridCuller;
pub use culler::{Found, GridStats, Plan, Run, give, nears, plan, records};
pub use options::GridOptions;
pub use region::{BodyInRegion, Near, Region};
