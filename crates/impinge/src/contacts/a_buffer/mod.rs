//! From body pairs to triangles that may collide, by keeping everything that rays meet: Jang, Han, "Deformable model collision
//! detection using A-buffer" (2008). The headings of that page are cited in these files.
//!
//! 1. [`Part`]: where boxes of bodies overlap, the region of interest ("Framework").
//! 2. [`fragments`]: every surface that a ray meets there, with its depth and its triangle, in one pass ("Surface
//!    accumulation").
//! 3. [`pairs`]: two surfaces of a ray that are nearer than epsilon are a pair of triangles that may collide ("PCS
//!    generation"); every pair once ("Stream reduction").
//! 4. [`exact`]: the exact test of every pair.
//!
//! Nothing is prepared and nothing is kept of the triangles from frame to frame: bodies may deform, break, or be others in
//! every frame ("Features"). Bodies that may collide with themselves are kept whole; there, triangles that share a vertex are
//! near each other everywhere, so they are no pairs, and where neighbours fold through each other is not found.
//!
//! **Sampled**: a triangle that no ray meets is in no pair, which is the lot of most that are smaller than a pixel and of all
//! that are seen from the side; and two that cross so steeply that they are farther apart than epsilon at every ray are
//! missed too. [`ABufferOptions::epsilon`] says how the two trade. [`crate::Report::complete`] is `false`; the contacts that
//! are reported are exact.

pub mod exact;
pub mod fragments;
mod options;
pub mod pairs;
mod part;
mod run;
#[cfg(test)]
mod tests;

use crate::image::gather::Member;
pub use exact::Piece;
pub use fragments::{Fragment, Fragments, Sheet};
pub use options::{ABufferOptions, Keeping};
pub use pairs::Pairs;
pub use part::Part;
pub(crate) use run::run;
