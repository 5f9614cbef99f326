//! Particles whose motion is a closed formula of time (Knott 2003, sections 3.2.1 and 3.2.4).

use super::error::ParticleError;
use super::rebirth::Rebirth;
use crate::scene::Point;

/// One particle as it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// When it is born.
    pub start: f64,
    /// Where.
    pub position: Point,
    /// How fast.
    pub velocity: Point,
    /// Constant; zero makes a particle of first order (3.7), anything else one of second order (3.4).
    pub acceleration: Point,
    /// How long a generation lives; then the next is born. Infinite for a particle that never ends.
    pub life: f64,
}

impl Default for Particle {
    fn default() -> Self {
        Self {
            start: 0.0,
            position: [0.0; 3],
            velocity: [0.0; 3],
            acceleration: [0.0; 3],
            life: f64::INFINITY,
        }
    }
}

/// A path without impacts: `position + velocity t + acceleration t^2 / 2`, with `t` since `start` (3.4, 3.7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// When it begins.
    pub start: f64,
    /// Where it begins.
    pub position: Point,
    /// The velocity there.
    pub velocity: Point,
    /// The same all along.
    pub acceleration: Point,
}

impl Path {
    /// Where the path is `elapsed` after its start.
    #[inline]
    #[must_use]
    pub fn position_after(&self, elapsed: f64) -> Point {
        std::array::from_fn(|k| {
            self.position[k] + elapsed * (self.velocity[k] + 0.5 * elapsed * self.acceleration[k])
        })
    }

    /// How fast it goes there.
    #[inline]
    #[must_use]
    pub fn velocity_after(&self, elapsed: f64) -> Point {
        std::array::from_fn(|k| self.velocity[k] + elapsed * self.acceleration[k])
    }
}

/// Any number of particles, checked once, side by side in memory.
///
/// ```
/// use impinge::particles::{Particle, Particles};
///
/// let stone = Particle { velocity: [3.0, 0.0, 4.0], acceleration: [0.0, 0.0, -2.0], ..Particle::default() };
/// let particles = Particles::new([stone])?;
/// assert_eq!(particles.state(0, 2.0).unwrap().position, [6.0, 0.0, 4.0]);
///
/// let lost = Particle { velocity: [0.0, f64::NAN, 0.0], ..stone };
/// let error = Particles::new([stone, lost]).unwrap_err();
/// assert_eq!(error.to_string(), "particle 1 has velocity y = NaN; it must be finite");
/// # Ok::<(), impinge::particles::ParticleError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    start: Vec<f64>,
    position: Vec<Point>,
    velocity: Vec<Point>,
    acceleration: Vec<Point>,
    life: Vec<f64>,
    rebirth: Rebirth,
}

/// Where a particle is when nothing is in its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Which generation it is in, from 0.
    pub generation: u32,
    /// Where it is.
    pub position: Point,
    /// How fast it goes.
    pub velocity: Point,
}

impl Particles {
    /// Checks every number.
    pub fn new(particles: impl IntoIterator<Item = Particle>) -> Result<Self, ParticleError> {
        let mut all = Self::default();
        for particle in particles {
            all.push(particle)?;
        }
        Ok(all)
    }

    /// The same particles, whose later generations start elsewhere.
    pub fn with_rebirth(mut self, rebirth: Rebirth) -> Result<Self, ParticleError> {
        rebirth.check()?;
        self.rebirth = rebirth;
        Ok(self)
    }

    /// Adds one.
    pub fn push(&mut self, given: Particle) -> Result<(), ParticleError> {
        let particle = self.len();
        if particle >= u32::MAX as usize {
            return Err(ParticleError::TooMany { count: particle + 1 });
        }
        let names = [
            ["position x", "position y", "position z"],
            ["velocity x", "velocity y", "velocity z"],
            ["acceleration x", "acceleration y", "acceleration z"],
        ];
        if !given.start.is_finite() {
            return Err(ParticleError::NotFinite { particle, what: "start", value: given.start });
        }
        for (names, vector) in names.iter().zip([given.position, given.velocity, given.acceleration]) {
            if let Some(axis) = vector.iter().position(|c| !c.is_finite()) {
                return Err(ParticleError::NotFinite { particle, what: names[axis], value: vector[axis] });
            }
        }
        if given.life.is_nan() || given.life <= 0.0 {
            return Err(ParticleError::Life { particle, life: given.life });
        }
        self.start.push(given.start);
        self.position.push(given.position);
        self.velocity.push(given.velocity);
        self.acceleration.push(given.acceleration);
        self.life.push(given.life);
        Ok(())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// One, as it was given; `None` when there are not so many.
    pub fn get(&self, particle: usize) -> Option<Particle> {
        (particle < self.len()).then(|| Particle {
            start: self.start[particle],
            position: self.position[particle],
            velocity: self.velocity[particle],
            acceleration: self.acceleration[particle],
            life: self.life[particle],
        })
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = Particle> + '_ {
        (0..self.len()).filter_map(|particle| self.get(particle))
    }

    /// How later generations differ.
    pub fn rebirth(&self) -> &Rebirth {
        &self.rebirth
    }

    /// The path that a generation of a particle starts on; `None` when there is no such particle or generation.
    pub fn path(&self, particle: usize, generation: u32) -> Option<Path> {
        let given = self.get(particle)?;
        if self.rebirth.generations.is_some_and(|most| generation >= most)
            || (generation > 0 && given.life.is_infinite())
        {
            return None;
        }
        let [aside, faster] = self.rebirth.offsets(particle as u32, generation);
        // An infinite life has the one generation.
        let before = if generation == 0 { 0.0 } else { f64::from(generation) * given.life };
        Some(Path {
            start: given.start + before,
            position: std::array::from_fn(|k| given.position[k] + aside[k]),
            velocity: std::array::from_fn(|k| given.velocity[k] + faster[k]),
            acceleration: given.acceleration,
        })
    }

    /// When a generation of a particle ends.
    pub fn end(&self, particle: usize, generation: u32) -> Option<f64> {
        let given = self.get(particle)?;
        Some(given.start + (f64::from(generation) + 1.0) * given.life)
    }

    /// Where a particle is at a time when nothing is in its way: a closed formula. `None` before its birth, after its
    /// last generation, and when there is no such particle.
    pub fn state(&self, particle: usize, time: f64) -> Option<State> {
        let given = self.get(particle)?;
        let age = time - given.start;
        if age.is_nan() || age < 0.0 {
            return None;
        }
        let generations = if given.life.is_infinite() { 0.0 } else { (age / given.life).floor() };
        if generations >= f64::from(u32::MAX) {
            return None;
        }
        let generation = generations as u32;
        let path = self.path(particle, generation)?;
        let elapsed = (time - path.start).max(0.0);
        Some(State {
            generation,
            position: path.position_after(elapsed),
            velocity: path.velocity_after(elapsed),
        })
    }
}
