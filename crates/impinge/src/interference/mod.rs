//! From body pairs to bodies that interfere, by casting rays at edges: Knott, "`CInDeR`: collision and interference
//! detection in real-time using graphics hardware" (2003), chapter 4. Section numbers in these files are of that thesis.
//!
//! Two solids interfere if and only if an edge of one of them is somewhere inside the other (theorem 4.1). Whether a
//! point is inside is told by a ray to it: it enters solids more often than it leaves them (theorem 4.2).
//!
//! 1. [`edges`]: every edge once, moved outward a little (4.3.3).
//! 2. [`count`]: an image of edges, and for every pixel of it the front faces before the edge, less the back faces
//!    (4.4).
//! 3. [`judge`]: for the few pixels where that is not zero, in which bodies the edge is (4.5.1).
//! 4. [`findings`]: bodies, pairs, edges, points (4.5.5).
//!
//! The thesis counts all bodies together and then each again to tell them apart, and reports one of them a pixel. Here
//! the surfaces of an edge's own body do not count, so that it need not stand off from them; everything that the rays to the
//! marked pixels meet is listed in one more pass, and a pixel in several bodies reports all of them; and a ray that
//! enters a body and never leaves it (or the reverse) shows that the body is not closed, and does not count. Edges inside
//! their own body are looked for in a pass of their own. The thesis' algorithms 1 to 5 are here too ([`Identify`]).
//!
//! **Sampled**: what no pixel shows is missed. No pair is false if its bodies are closed: two that are reported come as near
//! to each other as [`Interference::reach`] (see [`edges::Metric`]).

mod caster;
pub mod count;
pub mod edges;
pub mod findings;
pub mod judge;
mod options;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use caster::{Cast, Layer, RayCaster};
pub use findings::{CastStages, Findings, Interference, InterferencePoint, InterferingEdge, Penetration};
pub use options::{Identify, RayCastOptions};
