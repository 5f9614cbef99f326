//! Contacts by collision rays: Georgii, Krüger and Westermann, "Interactive collision detection for deformable and GPU
//! objects" (2007). Section numbers in these files are theirs.
//!
//! Parallel rays meet the surfaces of disjoint solids in an order of alternating facings; a ray that does not is a collision
//! ray. Only triangles that collision rays may pass are tested exactly.
//!
//! | stage | CPU | GPU (`impinge-gpu/shaders/`) |
//! |---|---|---|
//! | which bodies, which views | `crate::image` | the same code |
//! | bodies of the caller's own buffers | | `external/upload.wgsl`, `impinge-gpu/src/bodies/` |
//! | vertices to the image | `image/gather.rs` | `image/gather.wgsl` |
//! | triangles to collision rays (4) | `peel.rs`, `rays.rs` | `depth_peel/peel.wgsl`, `depth_peel/rays.wgsl` |
//! | boxes of ray bundles of growing width (5) | `ray_mipmap.rs` | `depth_peel/ray_mipmap.wgsl` |
//! | for every triangle, the part of its rectangle that such rays may pass (6) | `separate.rs` | `depth_peel/separate.wgsl` |
//! | sparse to dense, and back to the CPU (3) | `pack.rs` | `depth_peel/pack.wgsl`, `external/details.wgsl` |
//! | sweep and prune of rectangles and depths, exact test (7) | `sweep.rs` | the same code |
//!
//! **Sampled**: what lies between rays is not seen, and [`crate::Report::complete`] is `false`.
//!
//! Every stage is a plain function over slices and the definition of its shader, which gives the same result for the same
//! input, bit for bit, except for sampling, where rasterisers snap vertices to a grid of their own.
//! `impinge-gpu/tests/twins.rs` compares every stage on every scene of the lab. Layers are peeled by blending or by atomics:
//! `impinge-gpu/src/contacts/depth_peel/mod.rs`.
//!
//! What was tried and dropped: `docs/decisions/depth-peel.md`.

mod culler;
mod options;
pub mod pack;
pub mod peel;
pub mod ray_mipmap;
mod rays;
pub mod separate;
pub mod sweep;

pub(crate) use culler::PeelCuller;
pub use options::{AtLimit, PeelOptions, Sides};
pub use rays::Rays;
pub use sweep::PackedPiece;
