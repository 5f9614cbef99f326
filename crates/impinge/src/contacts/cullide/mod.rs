//! Contacts by visibility culling: CULLIDE (Govindaraju, Redon, Lin, Manocha 2003) and FAR (Govindaraju, Lin, Manocha: "Fast
//! and reliable collision culling using graphics hardware"), both as the SIGGRAPH course has them. Section numbers in these
//! files are of the latter.
//!
//! A body that hides nothing of the others and of which nothing is hidden, in any one view along an axis, touches none of
//! them (3.1). Bodies are culled first, then runs of their triangles; what is left is tested exactly.
//!
//! | stage | CPU | GPU (`impinge-gpu/shaders/`) |
//! |---|---|---|
//! | boxes of bodies and parts, pairs, which views | `culler.rs`, `image.rs` | the same code |
//! | vertices to the image | `image/gather.rs` | `image/gather.wgsl` |
//! | triangles to boxes around them (3.3, 3.4) | `offsets.rs` | `cullide/offsets.wgsl` |
//! | two passes: query, then draw (3.1, 4) | `canvas.rs`, on `image/raster.rs` | `cullide/canvas.wgsl`, `impinge-gpu/src/contacts/cullide/`: occlusion queries, depth test |
//! | what both passes saw in full is culled (4) | `culler.rs` | the same code |
//! | pairs of parts and of triangles, exact test | `pairs.rs` | the same code |
//!
//! **Nothing is missed between bodies**: boxes are so large that no pixel and no rounding hides a contact. The proof, with
//! every error of a rasteriser in it, is at the top of `offsets.rs`. It takes for granted that a device places corners on a
//! grid of 256 points a pixel or more; Direct3D and Metal demand that, Vulkan's drivers on desktops do it. The report is
//! complete where the options say `reliable`; a body is never tested against itself.
//!
//! Views are tight around the regions where boxes still overlap, and get tighter as parts go: the same pixels then show more.
//! With a distance, boxes are larger by half of it, and what is left may be nearer than that. The culler asks anything that
//! can answer queries: the CPU's canvas, or the backend of `impinge-gpu`, which reads 8 bytes back for each. Bodies that live
//! on the GPU are refused: the exact test needs their triangles.
//!
//! # Depth comparison
//!
//! The course prints `GL_EQUAL` for both renderings, where it cannot be meant: a cleared buffer would never change. Its text
//! says `GL_GEQUAL` for the query and FAR's listing `GL_LESS_EQUAL` for the fill. So it is here: "is any of it as deep as, or
//! deeper than, what was drawn before" is what must be answered no; and the buffer must hold the nearest of all that was
//! drawn, or something before it would not be noticed. Equal depths count as hidden: surfaces that touch collide.
//!
//! `impinge-gpu/tests/cullide.rs` compares contacts with the truth and what is kept with the CPU; `impinge-lab table far`
//! prints what is left (`docs/papers.md`). What was tried and dropped: `docs/decisions/cullide.md`.

mod canvas;
mod culled;
mod culler;
mod image;
pub mod offsets;
mod options;
pub mod pairs;

pub use canvas::{Canvas, Order, Visibility};
pub use culled::{Culled, CullideStages};
pub(crate) use culler::CullideCuller;
pub use culler::{Culling, Item};
pub use image::Image;
pub use options::CullideOptions;

#[cfg(test)]
mod tests;
