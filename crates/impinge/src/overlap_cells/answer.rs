//! What the method says about every pair of bodies whose boxes overlap.

use super::volume::Volume;
use crate::scene::BodyId;
use crate::scene::Bounds;
use crate::scene::Point;
use std::time::Duration;

/// Whether the surfaces of two bodies meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// They do not.
    No,
    /// They do.
    Yes,
    /// Nobody knows; if they do, then only in this volume.
    Maybe {
        /// It holds every point that they share.
        volume: Volume,
    },
}

/// What an answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecidedBy {
    /// The boxes of the bodies.
    Boxes,
    /// Cells; a maybe too.
    Slices,
    /// The exact test of all triangles in the collision volume.
    NarrowPhase,
}

/// What is known about two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct SlicedPair {
    /// The first body.
    pub a: BodyId,
    /// The second body.
    pub b: BodyId,
    /// Whether their surfaces meet.
    pub answer: Answer,
    /// What that rests on.
    pub by: DecidedBy,
    /// Whether a yes or a no is proven, or a maybe's volume is; else it is only as good as samples are.
    pub certain: bool,
    /// The box of the cells that both took, the last time that they took any: the collision volume (3.1.1). If the answer is
    /// proven, every point that they share is in it.
    pub volume: Option<Volume>,
    /// The part of it that is in the upright boxes of both bodies, as a box along the axes of the world.
    pub bounds: Option<Bounds>,
    /// How many such cells there were.
    pub cells: u64,
    /// World points in the middles of these cells (3.2), row after row, as many as were asked for; none where cells say no. The cells of a very thin
    /// volume are larger than it.
    pub points: Vec<Point>,
    /// Which way depth went; of length 1.
    pub facing: Point,
    /// How often the two were drawn.
    pub renderings: u32,
}

/// What [`crate::Method::DepthSlices`] finds. It says whether surfaces meet; of bodies inside others
/// [`crate::Report::containments`] tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sliced {
    /// Every pair whose boxes overlap, sorted.
    pub pairs: Vec<SlicedPair>,
    /// Bodies that look at themselves ([`crate::Scene::set_self_collision`]): the method knows of two bodies only, so nothing
    /// is said about these with themselves.
    pub not_looked_at: Vec<BodyId>,
    /// What was drawn, and how long it took.
    pub stages: SliceStages,
}

impl Sliced {
    /// Whether the surfaces of any two bodies meet, or may meet for all that is known.
    pub fn collides(&self) -> bool {
        self.pairs.iter().any(|pair| pair.answer != Answer::No)
    }

    /// Whether every answer is a proven yes or no.
    pub fn is_certain(&self) -> bool {
        let certain = |pair: &SlicedPair| pair.certain && matches!(pair.answer, Answer::No | Answer::Yes);
        self.not_looked_at.is_empty() && self.pairs.iter().all(certain)
    }
}

/// What was drawn, all pairs together, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceStages {
    /// Pixels across, pixels down, slices; the first time.
    pub cells: [u32; 3],
    /// Pairs that were drawn: boxes did not decide them.
    pub drawn: usize,
    /// How often pairs were drawn.
    pub renderings: usize,
    /// Bytes read back from a GPU.
    pub bytes_read_back: usize,
    /// Triangles that were in collision volumes and handed to the exact test.
    pub handed_over: usize,
    /// Drawing and finding what is shared. From a GPU, with reading it back.
    pub draw: Duration,
    /// The exact test.
    pub exact: Duration,
}

/// When two bodies meet on their ways.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Crossing {
    /// At no step; and, if that was asked for, nowhere between steps.
    #[default]
    Never,
    /// At this step, and at none before; between steps, if that was asked for, perhaps a little earlier, but after the step
    /// before it.
    At {
        /// The first step.
        step: usize,
        /// Yes, or maybe.
        answer: Answer,
    },
    /// Maybe between this step and the next, and nowhere before.
    Between {
        /// The step before.
        step: usize,
    },
}

/// What is known about two paths (3.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paths {
    /// When the bodies meet first.
    pub crossing: Crossing,
    /// Whether everything before that is proven to be apart, and a yes to be one; else it is only as good as samples are.
    pub certain: bool,
    /// What was drawn, and how long it took.
    pub stages: SliceStages,
}

impl Default for Paths {
    fn default() -> Self {
        Self { crossing: Crossing::Never, certain: true, stages: SliceStages::default() }
    }
}
