//! What the method says about every pair of bodies whose boxes overlap.

use super::volume::Volume;
use crate::exact::{Contact, ContactShape, PairContacts};
use crate::scene::{BodyId, Bounds, Point};
use crate::solid::Containment;
use crate::util::hash::hash;
use crate::util::stages::Stages;
use std::time::Duration;

/// Whether the surfaces of two bodies meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PairOverlap {
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

/// What [`super::Slicer`] finds: whether surfaces meet, pair by pair; and which bodies lie inside others.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Overlaps {
    /// Every pair whose boxes overlap, sorted.
    pub pairs: Vec<PairOverlap>,
    /// Whether every answer is a proven yes or no, and so nothing is missing below.
    pub complete: bool,
    /// Contacts in the collision volumes, sorted; empty unless triangles were asked for.
    pub contacts: Vec<Contact>,
    /// The pairs of bodies that have contacts, in the same order.
    pub contact_pairs: Vec<PairContacts>,
    /// The points shared by each contact, parallel to `contacts`; empty unless asked for.
    pub shapes: Vec<ContactShape>,
    /// Bodies inside other bodies, sorted by outer body, then inner.
    pub containments: Vec<Containment>,
    /// Bodies that look at themselves ([`crate::Scene::set_self_collision`]): the question is about two bodies, so nothing
    /// is said about these with themselves.
    pub not_looked_at: Vec<BodyId>,
    /// What was drawn, and how long it took.
    pub stages: SliceStages,
    /// Time and count of the stages that all questions share.
    pub timing: Stages,
    /// The GPU that did a part of the work.
    pub adapter: Option<String>,
}

impl Overlaps {
    /// Whether the surfaces of any two bodies meet, or may meet for all that is known, or a body lies inside another.
    pub fn collides(&self) -> bool {
        let meet = self.pairs.iter().any(|pair| pair.answer != Answer::No);
        meet || !self.contacts.is_empty() || !self.containments.is_empty()
    }

    /// Whether every answer is a proven yes or no.
    pub fn is_certain(&self) -> bool {
        let certain = |pair: &PairOverlap| pair.certain && matches!(pair.answer, Answer::No | Answer::Yes);
        self.not_looked_at.is_empty() && self.pairs.iter().all(certain)
    }

    /// A number that two answers share exactly when they list the same contacts, containments, and pairs that meet or may meet
    /// (FNV-1a; for comparing runs, threads and machines).
    pub fn hash(&self) -> u64 {
        let contacts = self.contacts.iter().flat_map(Contact::numbers);
        let containments = self.containments.iter().flat_map(Containment::numbers);
        let meeting = self.pairs.iter().filter(|pair| pair.answer != Answer::No);
        let meeting = meeting.flat_map(|pair| [u32::MAX - 2, pair.a.index() as u32, pair.b.index() as u32]);
        hash(contacts.chain(containments).chain(meeting))
    }
}

/// What was drawn, all pairs together, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
