//! Contacts by keeping every surface that rays meet: Jang, Han, "Deformable model collision detection using A-buffer" (2008).
//! The headings of that page are cited in these files.
//!
//! | stage | CPU | GPU (`impinge-gpu/shaders/`) |
//! |---|---|---|
//! | which bodies, which views, what part of each body ("Framework") | `crate::image`, `region_of_interest.rs` | the same code |
//! | vertices to the image | `image/gather.rs` | `image/gather.wgsl` |
//! | triangles to surfaces of rays, each with depth and triangle, in one pass ("Surface accumulation") | `fragments.rs` | `a_buffer/fragments.wgsl` |
//! | two surfaces of a ray nearer than epsilon are a pair ("PCS generation"), every pair once ("Stream reduction") | `pairs.rs` | `a_buffer/pairs.wgsl` |
//! | corners of what lives on the GPU | | `external/details.wgsl` (`detail_listed`) |
//! | exact test of every pair | `culler.rs` | the same code |
//!
//! Nothing is prepared and nothing is kept of the triangles from frame to frame: bodies may deform, break, or be others in
//! every frame ("Features"). Bodies with self-collision are kept whole; there, triangles that share a vertex are near each
//! other everywhere, so they are no pairs, and where neighbours fold through each other is not found.
//!
//! **Sampled**, twice over: a triangle that no ray meets is in no pair, which is the lot of most that are smaller than a
//! pixel and of all that are seen edge-on; and two that cross so steeply that they are farther apart than epsilon at every
//! ray are missed too. [`ABufferOptions::epsilon`] says how the two trade. [`crate::Report::complete`] is `false`; the
//! contacts that are reported are exact.
//!
//! `fragments.rs` and `fragments.wgsl` compute the same sums in the same order: `impinge-gpu/tests/a_buffer.rs` compares
//! every surface of every ray and every pair, bit for bit. `impinge-lab table a-buffer` measures it (`docs/papers.md`). What
//! was tried and dropped: `docs/decisions/a-buffer.md`.

mod culler;
pub mod fragments;
mod options;
pub mod pairs;
mod region_of_interest;
#[cfg(test)]
mod tests;

use crate::image::gather::Member;
pub(crate) use culler::ABufferCuller;
pub use culler::test_pairs;
pub use fragments::{Fragment, Fragments, Sheet};
pub use options::{ABufferOptions, Keeping};
pub use pairs::Pairs;
pub use region_of_interest::RegionOfInterest;
