//! What a step reports: a record for every hit, compact and in order (the thesis' alternative to the impact map, 3.5.2).

use crate::scene::Point;
use std::time::Duration;

/// One particle hit one collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// When, in the time of the simulation.
    pub time: f64,
    /// Index of the particle.
    pub particle: u32,
    /// Its generation, from 0.
    pub generation: u32,
    /// Which hit of this generation, from 0.
    pub bounce: u32,
    /// Index of the collider.
    pub collider: u32,
    /// Which part of it: a triangle of a mesh, a face of a box (-x, +x, -y, +y, -z, +z), otherwise 0.
    pub element: u32,
    /// Where.
    pub position: Point,
    /// Of length 1, out of the surface on the side that the particle came from.
    pub normal: Point,
    /// How fast it came.
    pub velocity: Point,
    /// The length of that velocity.
    pub speed: f64,
}

impl Impact {
    /// The speed along the normal, with which it struck; not negative.
    #[must_use]
    pub fn strength(&self) -> f64 {
        (0..3).map(|k| -self.normal[k] * self.velocity[k]).sum::<f64>().max(0.0)
    }
}

/// What became of a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Status {
    /// Not born yet.
    #[default]
    Unborn,
    /// On its path.
    Flying,
    /// Hopping along a surface without friction, no lower than [`Options::hop`] makes it.
    Sliding,
    /// Stopped by a collider that things stick to.
    Stuck,
    /// Come to rest on a surface.
    Resting,
    /// Eliminated by a collider.
    Gone,
    /// Out of events in a step, [`Options::most_events`]; it stays at its last one for the rest of its generation.
    Exhausted,
    /// Past its last generation.
    Ended,
}

impl Status {
    /// Whether it moves.
    #[must_use]
    pub fn moves(self) -> bool {
        matches!(self, Self::Flying | Self::Sliding)
    }
}

/// How to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Impacts are found this much ahead of the time that a step goes to (3.5.1): what it takes until they can be acted
    /// upon. In the unit of time; not negative. To draw particles where they are now, run a second simulation without it:
    /// the thesis, too, draws once for the eye and once for the impacts.
    pub latency: f64,
    /// Shortest hop of a particle that loses speed at every bounce, in the unit of time. Bounces that would follow each
    /// other faster have piled up: with friction the particle rests, without it slides, in hops of this length.
    pub hop: f64,
    /// Most impacts and rebirths of one particle in one step. One that has more is [`Status::Exhausted`] and listed in
    /// [`Step::exhausted`].
    pub most_events: u32,
    /// Threads; 0 for as many as the machine has.
    pub threads: usize,
    /// Whether colliders stand in a tree; `None` when that is faster.
    pub index: Option<bool>,
}

impl Default for Options {
    fn default() -> Self {
        Self { latency: 0.0, hop: 1e-3, most_events: 1 << 16, threads: 0, index: None }
    }
}

/// Numbers of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Particles there are.
    pub particles: usize,
    /// Colliders there are.
    pub colliders: usize,
    /// Particles that moved.
    pub moved: usize,
    /// Pairs of particle and collider that boxes left to be solved.
    pub solved: usize,
    /// Impacts listed.
    pub impacts: usize,
    /// Touches of particles that slide, which are not listed.
    pub touches: usize,
    /// Generations that began.
    pub births: usize,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.moved += other.moved;
        self.solved += other.solved;
        self.impacts += other.impacts;
        self.touches += other.touches;
        self.births += other.births;
    }
}

/// What one step found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Impacts later than this are listed; minus infinity in the first step.
    pub from: f64,
    /// To this time, and at it.
    pub to: f64,
    /// By time, then particle, then generation, then bounce.
    pub impacts: Vec<Impact>,
    /// Particles that ran out of events, sorted. Not empty means that impacts of these may be missing.
    pub exhausted: Vec<u32>,
    /// Numbers.
    pub counts: Counts,
    /// Time to move particles and find their impacts.
    pub flight: Duration,
    /// Time to gather and sort impacts.
    pub sort: Duration,
}
