//! Particles on a GPU, one thread each, dispatched until every particle is through the step. The definition is
//! `impinge::particles`; what is found is the same but for the rounding of floats.
//!
//! Paths stay on the GPU from step to step. What comes back is 32 bytes of counters a dispatch and 64 bytes an impact (Knott
//! 2003, section 3.5.2). The earliest hit so far, the next collider and the next node of a mesh are part of a particle's
//! state, so a thread can stop anywhere: after 2,048 iterations (software Vulkan adds up the iterations of all lanes, and
//! ends loops that turn too often), or before an impact for which the list has no room. The next dispatch goes on: nothing is
//! dropped and nothing is done twice.
//!
//! `h` is not summed from its terms where its sign matters: the place comes first, then the function there, so a particle
//! from afar loses nothing to cancellation. The surface that a path starts on is remembered, and its root at 0 divided out:
//! floats have no room for an offset with a certain sign. Where another surface is met at nearly the same time, at an edge or
//! a corner, the path goes on from 2^-20 of its coordinates before the hit, where that surface is still ahead; the CPU
//! answers with all of them in one event, the GPU with one impact after the other. A latest-wins texel is claimed by atomic
//! maxima of time, particle and bounce, one after the other, and speeds are added as whole numbers: maps do not depend on the
//! order of threads. There is no tree over colliders: boxes are asked one by one.
//!
//! `tests/particles/judge.rs` has the bound and its reasons, and decides by geometry of its own which differences are floats'
//! right.

mod clock;
mod map;
mod solids;
mod tree;

use crate::device::{Context, Growable, Kernel, Recorder, Stage, read, read_first, uniform};
use crate::error::GpuError;
use crate::layout::particles::{FlightCounters, FlightEntry, LegEntry, ParticleEntry, RecordEntry};
use crate::shaders;
use clock::Clock;
use impinge::particles::{
    Blend, Collider, Counts, Impact, Options, ParticleError, Particles, Simulation, Spread, Status, Step,
    Texel, Whereabouts,
};
use map::Map;
use std::time::Instant;
use wgpu::{Buffer, BufferUsages};

/// Loop iterations of a thread per dispatch on software devices: software Vulkan silently ends loops after
/// 65,535 iterations of all lanes together. Sixteen lanes that never iterate at the same time come to half of
/// that, and between two checks of the count a thread takes less than the rest.
const MAX_TURNS_ON_CPU: u32 = 2_048;

/// The same on a GPU: short enough for a responsive display.
const MAX_TURNS: u32 = 16_384;

/// Initial capacity in impacts.
const FIRST_CAPACITY: u32 = 1 << 16;

/// Dispatches of one step, at most: by then every particle has had its maximum of events many times over.
const MAX_DISPATCHES: usize = 1 << 20;

/// `impinge::particles::Simulation` on a GPU.
///
/// Places and velocities are floats: an impact is where the CPU's is within 64 roundings (2^-18) of the
/// largest number on the way there, and when the CPU's is within that divided by the speed towards the
/// surface. Paths that graze, meet a border or tie with another surface within that may be decided
/// differently (`tests/particles/judge.rs` has the reasons). Times are integer ticks, 2^-44 of the first
/// step.
#[derive(Debug)]
pub struct GpuSimulation {
    context: Context,
    recorder: Recorder,
    prepare: Kernel,
    fly: Kernel,
    flight: Buffer,
    given: Growable,
    legs: Growable,
    solids: Growable,
    numbers: Growable,
    records: Growable,
    counters: Growable,
    particles: Particles,
    colliders: Vec<Collider>,
    options: Options,
    capacity: u32,
    clock: Option<Clock>,
    time: f64,
    step: Step,
    maps: Vec<Map>,
    turns: u32,
    /// Dispatches of the last step.
    dispatches: usize,
}

impl GpuSimulation {
    /// Before the first birth. Errors in the options are those of the CPU.
    pub fn new(
        context: &Context,
        particles: Particles,
        colliders: Vec<Collider>,
        options: Options,
    ) -> Result<Self, GpuError> {
        // The CPU validates the options; without particles, because particles cannot be invalid.
        Simulation::new(Particles::default(), Vec::new(), options)?;
        within_floats(&particles)?;
        let solid = solids::solids(&colliders)?;
        let on_cpu = context.device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        context.checked(|| {
            let storage = |what| Growable::new(what, BufferUsages::COPY_SRC);
            let mut simulation = Self {
                context: context.clone(),
                recorder: Recorder::new(context),
                prepare: Kernel::new(context, shaders::FLIGHT, "prepare", 64),
                fly: Kernel::new(context, shaders::FLIGHT, "fly", 64),
                flight: uniform(context, "a step", size_of::<FlightEntry>() as u64),
                given: storage("particles"),
                legs: storage("paths of particles"),
                solids: storage("colliders"),
                numbers: storage("bounds and triangles of colliders"),
                records: storage("impacts"),
                counters: storage("counters"),
                particles,
                colliders,
                options,
                capacity: FIRST_CAPACITY,
                clock: None,
                time: f64::NEG_INFINITY,
                step: Step { from: f64::NEG_INFINITY, to: f64::NEG_INFINITY, ..Step::default() },
                maps: Vec::new(),
                turns: if on_cpu { MAX_TURNS_ON_CPU } else { MAX_TURNS },
                dispatches: 0,
            };
            let count = simulation.particles.len() as u64;
            simulation.given.reserve(context, count * size_of::<ParticleEntry>() as u64)?;
            simulation.legs.reserve(context, count * size_of::<LegEntry>() as u64)?;
            simulation.solids.reserve(context, size_of_val(&solid.entries[..]).max(160) as u64)?;
            simulation.numbers.fill(context, &solid.numbers)?;
            simulation.counters.reserve(context, size_of::<FlightCounters>() as u64)?;
            let queue = &context.queue;
            queue.write_buffer(simulation.solids.get(), 0, bytemuck::cast_slice(&solid.entries));
            Ok(simulation)
        })
    }

    /// Sets a small initial capacity of impacts: for tests of lists that are too short.
    #[doc(hidden)]
    pub fn start_small(&mut self, capacity: u32) {
        self.capacity = capacity.max(1);
    }

    /// Takes all particles to a time, and reports every impact since the last step, both later by the latency
    /// (section 3.5.1). The first step begins with the first birth.
    pub fn advance(&mut self, to: f64) -> Result<&Step, GpuError> {
        if !(to.is_finite() && to >= self.time) {
            return Err(ParticleError::Time { from: self.time, to }.into());
        }
        let begin = Instant::now();
        let context = self.context.clone();
        let mut impacts = std::mem::take(&mut self.step.impacts);
        let mut exhausted = std::mem::take(&mut self.step.exhausted);
        impacts.clear();
        exhausted.clear();
        let found = context.checked(|| self.fly_on(to, &mut impacts, &mut exhausted))?;
        let flight = begin.elapsed();
        let sorting = Instant::now();
        impacts.sort_unstable_by(|a, b| {
            let key = |i: &Impact| (i.particle, i.generation, i.bounce);
            a.time.total_cmp(&b.time).then(key(a).cmp(&key(b)))
        });
        exhausted.sort_unstable();
        let counts = Counts {
            particles: self.particles.len(),
            colliders: self.colliders.len(),
            impacts: impacts.len(),
            ..found
        };
        let latency = self.options.latency;
        self.step = Step {
            from: self.time + latency,
            to: to + latency,
            impacts,
            exhausted,
            counts,
            flight,
            sort: sorting.elapsed(),
        };
        self.time = to;
        Ok(&self.step)
    }

    /// All dispatches of a step.
    fn fly_on(
        &mut self,
        to: f64,
        impacts: &mut Vec<Impact>,
        exhausted: &mut Vec<u32>,
    ) -> Result<Counts, GpuError> {
        self.recorder.begin();
        let horizon = to + self.options.latency;
        let clock = self.clock_for(horizon)?;
        let mut entry = self.entry(clock, horizon);
        let particles = self.particles.len() as u32;
        let mut counts = Counts::default();
        self.dispatches = 0;
        loop {
            self.records
                .reserve(&self.context, u64::from(self.capacity) * size_of::<RecordEntry>() as u64)?;
            entry.capacity = self.capacity;
            entry.goes_on = u32::from(self.dispatches > 0);
            self.context.queue.write_buffer(&self.flight, 0, bytemuck::bytes_of(&entry));
            self.recorder.encoder().clear_buffer(self.counters.get(), 0, None);
            self.recorder.stage(Stage::Sample)?;
            let bindings = [
                (0, &self.flight),
                (1, self.given.get()),
                (2, self.legs.get()),
                (3, self.solids.get()),
                (4, self.numbers.get()),
                (5, self.records.get()),
                (6, self.counters.get()),
            ];
            self.fly.run(&mut self.recorder, &bindings, particles);
            for map in &self.maps {
                map.draw(&mut self.recorder, self.records.get(), self.counters.get(), self.capacity);
            }
            self.recorder.stage(Stage::Pack)?;
            let counters: FlightCounters = read_first(&mut self.recorder, self.counters.get())?;
            self.dispatches += 1;
            if counters.cut != 0 || self.dispatches >= MAX_DISPATCHES {
                return Err(GpuError::CutShort);
            }
            counts.births += counters.births as usize;
            counts.touches += counters.touches as usize;
            counts.moved += counters.moved as usize;
            counts.solved += counters.solved[0] as usize | (counters.solved[1] as usize) << 32;
            let listed = counters.records.min(self.capacity);
            self.read(clock, listed, impacts, exhausted)?;
            if counters.records > self.capacity {
                // At least as many as did not fit.
                self.capacity = self.longer(counters.records);
            }
            if counters.unfinished == 0 {
                return Ok(counts);
            }
        }
    }

    /// Records of a dispatch, as impacts.
    fn read(
        &mut self,
        clock: Clock,
        count: u32,
        impacts: &mut Vec<Impact>,
        exhausted: &mut Vec<u32>,
    ) -> Result<(), GpuError> {
        if count == 0 {
            return Ok(());
        }
        let bytes = u64::from(count) * size_of::<RecordEntry>() as u64;
        for record in read::<RecordEntry>(&mut self.recorder, self.records.get(), bytes)? {
            if record.collider == RecordEntry::EXHAUSTION {
                exhausted.push(record.particle);
            } else {
                impacts.push(impact(clock, &record));
            }
        }
        Ok(())
    }

    /// A larger capacity, as far as the device allows.
    fn longer(&self, wanted: u32) -> u32 {
        let most = (self.context.max_binding() / size_of::<RecordEntry>() as u64).min(1 << 30) as u32;
        wanted.saturating_mul(2).min(most).max(self.capacity)
    }

    /// The clock, set by the first step together with all particles.
    fn clock_for(&mut self, horizon: f64) -> Result<Clock, GpuError> {
        if let Some(clock) = self.clock {
            return if clock.holds(horizon) { Ok(clock) } else { Err(GpuError::TooLate { time: horizon }) };
        }
        let lives = self.particles.iter().map(|particle| particle.life);
        let shortest = lives.fold(f64::INFINITY, f64::min);
        let scale = horizon.abs().max(1024.0 * self.options.hop);
        let clock = Clock::new(if shortest.is_finite() { scale.max(shortest) } else { scale });
        if !clock.holds(horizon) {
            return Err(GpuError::TooLate { time: horizon });
        }
        let entries: Vec<ParticleEntry> = self.particles.iter().map(|p| given(clock, &p)).collect();
        self.context.queue.write_buffer(self.given.get(), 0, bytemuck::cast_slice(&entries));
        let entry = self.entry(clock, horizon);
        self.records.reserve(&self.context, u64::from(self.capacity) * size_of::<RecordEntry>() as u64)?;
        self.context.queue.write_buffer(&self.flight, 0, bytemuck::bytes_of(&entry));
        let bindings = [(0, &self.flight), (1, self.given.get()), (2, self.legs.get())];
        self.prepare.run(&mut self.recorder, &bindings, entries.len() as u32);
        // The next step overwrites the uniform: what was recorded is submitted first.
        self.recorder.read(&[(self.legs.get(), 0)], |_| ())?;
        self.clock = Some(clock);
        Ok(clock)
    }

    fn entry(&self, clock: Clock, horizon: f64) -> FlightEntry {
        let rebirth = self.particles.rebirth();
        let spread = |spread: &Spread| match *spread {
            Spread::None => [0.0; 4],
            Spread::Box([x, y, z]) => [x as f32, y as f32, z as f32, 1.0],
            Spread::Ball(radius) => [radius as f32, 0.0, 0.0, 2.0],
        };
        let tick = clock.units_per_tick();
        FlightEntry {
            horizon: clock.ticks(horizon),
            from_time: clock.ticks(self.time + self.options.latency),
            ticks_per_unit: (1.0 / tick) as f32,
            units_per_tick: tick as f32,
            particles: self.particles.len() as u32,
            colliders: self.colliders.len() as u32,
            most_events: self.options.most_events,
            hop: self.options.hop as f32,
            position_spread: spread(&rebirth.position),
            velocity_spread: spread(&rebirth.velocity),
            seed: rebirth.seed,
            generations: rebirth.generations.unwrap_or(u32::MAX),
            turns: self.turns,
            ..FlightEntry::default()
        }
    }

    /// The last step.
    pub fn step(&self) -> &Step {
        &self.step
    }

    /// The time of the last step; minus infinity before the first.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Dispatches of the last step: more than one where loops were long or impacts were many.
    pub fn dispatches(&self) -> usize {
        self.dispatches
    }

    /// The colliders, by the indices of impacts.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// Where all particles are at the end of the last step, [`Options::latency`] ahead of its time. Reads all
    /// of them back: for pictures and tests.
    pub fn whereabouts(&mut self) -> Result<Vec<Whereabouts>, GpuError> {
        let Some(clock) = self.clock else { return Ok(Vec::new()) };
        let bytes = (self.particles.len() * size_of::<LegEntry>()) as u64;
        let context = self.context.clone();
        let legs: Vec<LegEntry> = context.checked(|| {
            self.recorder.begin();
            read(&mut self.recorder, self.legs.get(), bytes)
        })?;
        let to = self.step.to;
        Ok(legs
            .iter()
            .zip(self.particles.iter())
            .map(|(leg, given)| {
                let status = status(leg.status);
                let elapsed = if status.moves() {
                    (to - clock.time([leg.start_low, leg.start_high])).max(0.0)
                } else {
                    0.0
                };
                let path = impinge::particles::Path {
                    start: 0.0,
                    position: leg.position.map(f64::from),
                    velocity: leg.velocity.map(f64::from),
                    acceleration: given.acceleration,
                };
                Whereabouts {
                    status,
                    generation: leg.generation,
                    bounces: leg.bounce,
                    position: path.position_after(elapsed),
                    velocity: if status.moves() { path.velocity_after(elapsed) } else { path.velocity },
                }
            })
            .collect())
    }

    /// From now on draws impacts into a map of a collider's surface, on the GPU (sections 3.4.2 and 3.4.3).
    /// Returns the index of the map.
    pub fn add_map(&mut self, collider: u32, size: [u32; 2], blend: Blend) -> Result<usize, GpuError> {
        let map = Map::new(&self.context, &self.colliders, collider, size, blend, &self.particles)?;
        self.maps.push(map);
        Ok(self.maps.len() - 1)
    }

    /// The texels of a map, row after row. Empty if there is no such map.
    pub fn map(&mut self, map: usize) -> Result<Vec<Texel>, GpuError> {
        let (Some(map), Some(clock)) = (self.maps.get(map), self.clock) else { return Ok(Vec::new()) };
        let context = self.context.clone();
        context.checked(|| map.read(&mut self.recorder, clock))
    }
}

fn impact(clock: Clock, record: &RecordEntry) -> Impact {
    let velocity = record.velocity.map(f64::from);
    Impact {
        time: clock.time([record.time_low, record.time_high]),
        particle: record.particle,
        generation: record.generation,
        bounce: record.bounce,
        collider: record.collider,
        element: record.element,
        position: record.position.map(f64::from),
        normal: record.normal.map(f64::from),
        velocity,
        speed: velocity.iter().map(|c| c * c).sum::<f64>().sqrt(),
    }
}

fn given(clock: Clock, particle: &impinge::particles::Particle) -> ParticleEntry {
    let is_endless = !clock.holds(particle.start + particle.life);
    let [start_low, start_high] = clock.ticks(particle.start);
    let [life_low, life_high] = if is_endless { [0; 2] } else { clock.ticks(particle.life) };
    let float = |v: [f64; 3]| v.map(|c| c as f32);
    ParticleEntry {
        position: float(particle.position),
        start_low,
        velocity: float(particle.velocity),
        start_high,
        acceleration: float(particle.acceleration),
        life_low,
        life_high,
        is_endless: u32::from(is_endless),
        ..ParticleEntry::default()
    }
}

fn within_floats(particles: &Particles) -> Result<(), GpuError> {
    let numbers = |p: &impinge::particles::Particle| {
        p.position.into_iter().chain(p.velocity).chain(p.acceleration).fold(0.0, |m: f64, c| m.max(c.abs()))
    };
    match particles.iter().position(|particle| numbers(&particle) > solids::MAX_COORDINATE) {
        Some(particle) => Err(GpuError::ParticleBeyondFloats { particle }),
        None => Ok(()),
    }
}

fn status(word: u32) -> Status {
    use Status::{Ended, Exhausted, Flying, Gone, Resting, Sliding, Stuck, Unborn};
    let all = [Unborn, Flying, Sliding, Stuck, Resting, Gone, Exhausted, Ended];
    all.get(word as usize).copied().unwrap_or_default()
}
