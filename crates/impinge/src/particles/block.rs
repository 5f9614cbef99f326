//! Particles in blocks of 64, each of their numbers side by side: what lanes read, and what threads share out.

use super::flight::Flight;
use super::impact::Status;
use super::particle::{Particles, Path};

/// Particles of a block: as many as a `u64` has bits.
pub(crate) const BLOCK: usize = 64;

/// Sixty-four flights; see [`Flight`].
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) start: [f64; BLOCK],
    pub(crate) position: [[f64; BLOCK]; 3],
    pub(crate) velocity: [[f64; BLOCK]; 3],
    pub(crate) acceleration: [[f64; BLOCK]; 3],
    pub(crate) end: [f64; BLOCK],
    /// When it needs a look whatever it meets: at its birth, or at its end.
    pub(crate) wake: [f64; BLOCK],
    generation: [u32; BLOCK],
    bounces: [u32; BLOCK],
    status: [Status; BLOCK],
    /// Whether it is on its way.
    pub(crate) moves: [bool; BLOCK],
}

impl Block {
    /// Before any birth; places behind the last particle hold nothing.
    pub(crate) fn new(particles: &Particles, first: usize) -> Self {
        let mut block = Self {
            start: [0.0; BLOCK],
            position: [[0.0; BLOCK]; 3],
            velocity: [[0.0; BLOCK]; 3],
            acceleration: [[0.0; BLOCK]; 3],
            end: [f64::INFINITY; BLOCK],
            wake: [f64::INFINITY; BLOCK],
            generation: [0; BLOCK],
            bounces: [0; BLOCK],
            status: [Status::Ended; BLOCK],
            moves: [false; BLOCK],
        };
        for lane in 0..BLOCK.min(particles.len() - first) {
            block.put(lane, &Flight::unborn(particles, first + lane));
        }
        block
    }

    /// One of them.
    #[inline]
    pub(crate) fn get(&self, lane: usize) -> Flight {
        let vector = |of: &[[f64; BLOCK]; 3]| [of[0][lane], of[1][lane], of[2][lane]];
        Flight {
            path: Path {
                start: self.start[lane],
                position: vector(&self.position),
                velocity: vector(&self.velocity),
                acceleration: vector(&self.acceleration),
            },
            end: self.end[lane],
            generation: self.generation[lane],
            bounces: self.bounces[lane],
            status: self.status[lane],
        }
    }

    /// Writes one of them back.
    #[inline]
    pub(crate) fn put(&mut self, lane: usize, flight: &Flight) {
        for k in 0..3 {
            self.position[k][lane] = flight.path.position[k];
            self.velocity[k][lane] = flight.path.velocity[k];
            self.acceleration[k][lane] = flight.path.acceleration[k];
        }
        self.start[lane] = flight.path.start;
        self.end[lane] = flight.end;
        self.generation[lane] = flight.generation;
        self.bounces[lane] = flight.bounces;
        self.status[lane] = flight.status;
        self.moves[lane] = flight.status.moves();
        self.wake[lane] = match flight.status {
            Status::Unborn => flight.path.start,
            Status::Ended => f64::INFINITY,
            _ => flight.end,
        };
    }
}
