//! The contract of a method: from the bodies of a frame to pairs of triangles that may touch.

use super::report::MethodStats;
use super::sink::CandidateSink;
use crate::broad_phase::{Frame, FrameBodies};
use crate::scene::Scene;

/// Whether the pairs that a culler gave are all that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// Every pair that touches was given.
    Complete,
    /// What lies between samples is missing.
    Sampled,
    /// The scene is beyond what the method can hold: nothing was given, and another method must answer.
    Beyond,
}

impl Completeness {
    /// Of a method that misses nothing, or of one that samples.
    pub fn of(complete: bool) -> Self {
        if complete { Self::Complete } else { Self::Sampled }
    }
}

/// A method of finding contacts. [`super::Driver::run`] calls these in order, and does all the rest.
pub trait Culler {
    /// Why it may fail.
    type Error;

    /// Follows the scene to this frame, and writes the boxes of its bodies.
    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), Self::Error>;

    /// How far apart boxes of bodies may be and still be looked at.
    fn reach(&self) -> f64 {
        0.0
    }

    /// Prepares what the pairs of bodies need; counted as update.
    fn prepare(&mut self, _frame: &Frame<'_>, _sink: &CandidateSink) {}

    /// Gives every pair of triangles that may touch to the sink: certain ones, and doubtful ones for the exact test. It may drop
    /// a pair only if that pair is proven not to touch; else it says [`Completeness::Sampled`].
    fn candidates(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut CandidateSink,
    ) -> Result<Completeness, Self::Error>;

    /// What the method counted on the way.
    fn stats(&mut self) -> MethodStats {
        MethodStats::None
    }
}
