//! All particles through time, a step at a time.

use super::block::{BLOCK, Block};
use super::collider::Collider;
use super::error::ParticleError;
use super::flight::{Scratch, World};
use super::impact::{Counts, Impact, Options, Status, Step};
use super::index::{Index, MAX_COLLIDERS};
use super::particle::Particles;
use super::sweep::{Boxes, Sweep};
use crate::scene::Point;
use crate::simd::Machine;
use crate::util::threads;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
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
    blocks: Vec<Block>,
    /// One for each task.
    scratches: Vec<Scratch>,
    machine: Machine,
    pool: Option<(usize, ThreadPool)>,
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
        if colliders.len() > MAX_COLLIDERS {
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
        let blocks = (0..particles.len()).step_by(BLOCK).map(|first| Block::new(&particles, first)).collect();
        let index = Index::new(&colliders, options.index);
        let step = Step { from: f64::NEG_INFINITY, to: f64::NEG_INFINITY, ..Step::default() };
        let (machine, time) = (Machine::detect(), f64::NEG_INFINITY);
        let (scratches, pool) = (Vec::new(), None);
        Ok(Self { particles, colliders, options, index, blocks, scratches, machine, pool, time, step })
    }

    /// Takes all particles to a time, and reports every impact since the last step, both later by
    /// [`Options::latency`]. The first step begins with the first birth.
    pub fn advance(&mut self, to: f64) -> Result<&Step, ParticleError> {
        if !(to.is_finite() && to >= self.time) {
            return Err(ParticleError::Time { from: self.time, to });
        }
        let span = [self.time + self.options.latency, to + self.options.latency];
        self.time = to;
        match self.options.threads {
            1 => threads::alone(|| self.run(span)),
            _ if self.blocks.len() < SMALL => threads::alone(|| self.run(span)),
            // The process-wide pool, when it has the right size.
            threads if threads == 0 || threads == rayon::current_num_threads() => {
                rayon::join(|| self.run(span), || ());
            }
            threads => self.run_in_pool(span, threads),
        }
        Ok(&self.step)
    }

    fn run_in_pool(&mut self, span: [f64; 2], threads: usize) {
        if self.pool.as_ref().map(|(threads, _)| *threads) != Some(threads) {
            self.pool =
                ThreadPoolBuilder::new().num_threads(threads).build().ok().map(|pool| (threads, pool));
        }
        match self.pool.take() {
            Some((threads, pool)) => {
                pool.install(|| self.run(span));
                self.pool = Some((threads, pool));
            }
            // No more threads to be had: one gives the same answer.
            None => self.run(span),
        }
    }

    fn run(&mut self, span: [f64; 2]) {
        let begin = Instant::now();
        let world = World {
            particles: &self.particles,
            colliders: &self.colliders,
            index: &self.index,
            options: &self.options,
            span,
        };
        let machine = self.machine;
        let tasks = self.blocks.len().div_ceil(TASK);
        self.scratches.resize_with(tasks, Scratch::default);
        let task = |number: usize, blocks: &mut [Block], scratch: &mut Scratch| {
            scratch.clear();
            for (k, block) in blocks.iter_mut().enumerate() {
                advance_block(&world, machine, block, (number * TASK + k) * BLOCK, scratch);
            }
        };
        if threads::many() {
            let shares = self.blocks.par_chunks_mut(TASK).zip(self.scratches.par_iter_mut()).enumerate();
            shares.for_each(|(number, (blocks, scratch))| task(number, blocks, scratch));
        } else {
            let shares = self.blocks.chunks_mut(TASK).zip(&mut self.scratches).enumerate();
            shares.for_each(|(number, (blocks, scratch))| task(number, blocks, scratch));
        }
        self.step.flight = begin.elapsed();
        let sorting = Instant::now();
        self.gather(span);
        self.step.sort = sorting.elapsed();
    }

    /// What all tasks found, in order.
    fn gather(&mut self, [from, to]: [f64; 2]) {
        let step = &mut self.step;
        step.impacts.clear();
        step.exhausted.clear();
        step.counts = Counts::default();
        for scratch in &self.scratches {
            step.impacts.extend_from_slice(&scratch.impacts);
            step.exhausted.extend_from_slice(&scratch.exhausted);
            step.counts.add(&scratch.counts);
        }
        if threads::many() && step.impacts.len() > MIN_PARALLEL_IMPACTS {
            step.impacts.par_sort_unstable_by(order);
        } else {
            step.impacts.sort_unstable_by(order);
        }
        (step.from, step.to) = (from, to);
        step.counts.particles = self.particles.len();
        step.counts.colliders = self.colliders.len();
        step.counts.impacts = step.impacts.len();
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
        if particle >= self.particles.len() {
            return None;
        }
        let flight = self.blocks[particle / BLOCK].get(particle % BLOCK);
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

/// Blocks that are done before other threads would have woken up.
const SMALL: usize = 64;

/// Blocks of a task: a few milliseconds of work, and enough tasks that threads end together.
const TASK: usize = 64;

/// Impacts that several threads sort faster than one.
const MIN_PARALLEL_IMPACTS: usize = 10_000;

/// Takes a block through a step: lanes say which of its particles may meet what, and those are flown one by one.
fn advance_block(world: &World, machine: Machine, block: &mut Block, first: usize, scratch: &mut Scratch) {
    machine.run(Sweep { block, span: world.span, boxes: &mut scratch.boxes });
    let Boxes { awake, moving, .. } = scratch.boxes;
    scratch.counts.moved += moving.count_ones() as usize;
    if awake | moving == 0 {
        return;
    }
    let alone = world.index.sift(&scratch.boxes, &mut scratch.near, &mut scratch.entries);
    let met = scratch.entries.iter().fold(0, |met, (_, these)| met | these);
    let mut left = awake | if alone { moving } else { met };
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let mut flight = block.get(lane);
        if !alone {
            let entries = scratch.entries.iter().filter(|(_, these)| these >> lane & 1 == 1);
            scratch.candidates.clear();
            scratch.candidates.extend(entries.map(|(number, _)| number));
        } else if flight.status.moves() {
            world.candidates(&flight.path, flight.window(world.span), &mut scratch.candidates);
        }
        if awake >> lane & 1 == 0 && scratch.candidates.is_empty() {
            continue;
        }
        flight.fly(world, (first + lane) as u32, moving >> lane & 1 == 1, scratch);
        block.put(lane, &flight);
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
