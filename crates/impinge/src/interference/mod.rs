//! Which bodies interfere: edges inside solids, by rays cast at edges. Knott, "`CInDeR`: collision and interference detection
//! in real-time using graphics hardware" (2003), chapter 4. Section numbers in these files are of that thesis.
//!
//! Two solids interfere if and only if an edge of one of them is somewhere inside the other (theorem 4.1). Whether a point is
//! inside is told by a ray to it: it enters solids more often than it leaves them (theorem 4.2).
//!
//! | stage | CPU | GPU (`impinge-gpu/shaders/`) |
//! |---|---|---|
//! | which bodies, which views, every edge once | `caster.rs`, `crate::image` | the same code |
//! | vertices to the image | `image/gather.rs` | `image/gather.wgsl` |
//! | edges to lines, moved outward a little (4.3.3): the clearance and the reach, with their reasons | `edges.rs` | `interference/edges.wgsl` |
//! | an image of edges; for every pixel, front faces before the edge less back faces (4.4) | `count.rs` | `interference/count.wgsl`, `interference/marked.wgsl` |
//! | in which bodies the edge of a marked pixel is (4.5.1) | `judge.rs` | the same code |
//! | bodies, pairs, edges, points (4.5.5) | `findings.rs` | the same code |
//!
//! The thesis counts all bodies together and then each again to tell them apart, and reports one of them a pixel. Here the
//! surfaces of an edge's own body do not count, so that it need not stand off from them; everything that the rays to the
//! marked pixels meet is listed in one more pass, and a pixel in several bodies reports all of them; and a ray that enters a
//! body and never leaves it (or the reverse) shows that the body is not closed, and does not count. Edges inside their own
//! body are looked for in a pass of their own. The thesis' algorithms 1 to 5 are here too ([`Identify`]).
//!
//! A pixel keeps the edge drawn last, as in the thesis; a further layer shows the edges drawn before that. Edges are numbered
//! in the order they are drawn, and layers go down these numbers. The order is scattered: drawn body after body, every layer
//! of a dense mesh would show the same few triangles of the last body, and pairs of the others would be missed.
//!
//! **Sampled**: what no pixel shows is missed. No pair is false if its bodies are closed: two that are reported come as near
//! to each other as [`Interference::reach`] (see `edges.rs`).
//!
//! `impinge-gpu/tests/ray_cast.rs` compares CPU and GPU pixel by pixel. What was tried and dropped:
//! `docs/decisions/interference.md`.

mod caster;
#[doc(hidden)]
pub mod count;
#[doc(hidden)]
pub mod edges;
#[doc(hidden)]
pub mod findings;
#[doc(hidden)]
pub mod judge;
pub mod marked;
mod options;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

#[doc(hidden)]
pub use caster::{Cast, CastBackend, Casting, Layer};
pub use caster::{InterferenceError, RayCaster};
#[doc(hidden)]
pub use findings::Findings;
pub use findings::{CastStages, Interference, InterferencePoint, InterferingEdge, Penetration};
pub use options::{Identify, RayCastOptions};
