//! All particles through time, a step at a time.

use super::collider::Collider;
use super::error::ParticleError;
use super::flight::{Flight, Scratch, World};
use super::impact::{Counts, Impact, Options, Status, Step};
use super::index::Index;
use super::particle::Particles;
use crate::mesh::Point;
use std::time::Instant;

/// Particles, what they may hit, and how far they are.
///
/// ```
/// use impinge::particles::{Collider, Options, Particle, Particles, Response, Simulation};
///
/// let ball = Particle { position: [0.0, 0.0, 5.0], acceleration: [0.0, 0.0, -10.0], ..Particle::default() };
/// let floor = Collider::plane("floor", [0.0; 3], [0.0, 0.0, 1.0])?
///     .with_response(Response::Bounce { restitution: 0.5, friction: 0.0 })?;
/// let mut simulation = Simulation::new(Particles::new([ball])?, vec![floor], Options::default())?;
///
/// let step = simulation.advance(2.6)?;
/// let times: Vec<f64> = step.impacts.iter().map(|impact| impact.time).collect();
/// assert!((times[0] - 1.0).abs() < 1e-12 && (times[1] - 2.0).abs() < 1e-12 && (times[2] - 2.5).abs() < 1e-12);
/// assert!((step.impacts[1].speed - 5.0).abs() < 1e-9); // half of the 10 that it fell with
/// # Ok::<(), impinge::particles::ParticleError>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    particles: Particles,
    colliders: Vec<Collider>,
    options: Options,
    index: Index,
    flights: Vec<Flight>,
    scratch: Scratch,
    time: f64,
    step: Step,
}

/// Where a particle of a simulation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whereabouts {
    /// What became of it.
    pub status: Status,
    /// Its generation.
    pub generation: u32,
    /// How often this generation hit something.
    pub bounces: u32,
    /// Where it is.
    pub position: Point,
    /// How fast it goes.
    pub velocity: Point,
}

impl Simulation {
    /// Before the first birth.
    pub fn new(
        particles: Particles,
        colliders: Vec<Collider>,
        options: Options,
    ) -> Result<Self, ParticleError> {
        if colliders.len() > u32::MAX as usize {
            return Err(ParticleError::TooManyColliders { count: colliders.len() });
        }
        for (option, value, least) in
            [("latency", options.latency, 0.0), ("hop", options.hop, f64::MIN_POSITIVE)]
        {
            if !(value >= least && value.is_finite()) {
                let expected =
                    if least == 0.0 { "it must be finite and not negative" } else { "it must be above 0" };
                return Err(ParticleError::Option { option, value, expected });
            }
        }
        let flights = (0..particles.len()).map(|k| Flight::unborn(&particles, k)).collect();
        let index = Index::new(&colliders);
        let step = Step { from: f64::NEG_INFINITY, to: f64::NEG_INFINITY, ..Step::default() };
        let (scratch, time) = (Scratch::default(), f64::NEG_INFINITY);
        Ok(Self { particles, colliders, options, index, flights, scratch, time, step })
    }

    /// Takes all particles to a time, and reports every impact since the last step, both later by
    /// [`Options::latency`]. The first step begins with the first birth.
    pub fn advance(&mut self, to: f64) -> Result<&Step, ParticleError> {
        if !(to.is_finite() && to >= self.time) {
            return Err(ParticleError::Time { from: self.time, to });
        }
        let begin = Instant::now();
        let span = [self.time + self.options.latency, to + self.options.latency];
        let world = World {
            particles: &self.particles,
            colliders: &self.colliders,
            index: &self.index,
            options: &self.options,
            span,
        };
        let scratch = &mut self.scratch;
        scratch.impacts.clear();
        scratch.exhausted.clear();
        scratch.counts = Counts::default();
        for (particle, flight) in self.flights.iter_mut().enumerate() {
            flight.fly(&world, particle as u32, false, scratch);
        }
        self.step.flight = begin.elapsed();
        let sorting = Instant::now();
        self.step.impacts.clone_from(&scratch.impacts);
        self.step.impacts.sort_unstable_by(order);
        self.step.exhausted.clone_from(&scratch.exhausted);
        (self.step.from, self.step.to) = (span[0], span[1]);
        self.step.counts = Counts::default();
        self.step.counts.add(&scratch.counts);
        self.step.counts.particles = self.flights.len();
        self.step.counts.colliders = self.colliders.len();
        self.step.counts.impacts = self.step.impacts.len();
        self.time = to;
        self.step.sort = sorting.elapsed();
        Ok(&self.step)
    }

    /// The last step.
    pub fn step(&self) -> &Step {
        &self.step
    }

    /// The time that the last step went to; minus infinity before the first.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The particles as they were given.
    pub fn particles(&self) -> &Particles {
        &self.particles
    }

    /// The colliders, by the indices of impacts.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Where a particle is at the end of the last step, [`Options::latency`] ahead of its time; `None` when there is no
    /// such particle.
    pub fn whereabouts(&self, particle: usize) -> Option<Whereabouts> {
        let flight = self.flights.get(particle)?;
        let elapsed = if flight.status.moves() { (self.step.to - flight.path.start).max(0.0) } else { 0.0 };
        let velocity =
            if flight.status.moves() { flight.path.velocity_after(elapsed) } else { flight.path.velocity };
        Some(Whereabouts {
            status: flight.status,
            generation: flight.generation,
            bounces: flight.bounces,
            position: flight.path.position_after(elapsed),
            velocity,
        })
    }
}

/// By time, then particle, then generation, then bounce.
fn order(a: &Impact, b: &Impact) -> std::cmp::Ordering {
    a.time.total_cmp(&b.time).then((a.particle, a.generation, a.bounce).cmp(&(
        b.particle,
        b.generation,
        b.bounce,
    )))
}
