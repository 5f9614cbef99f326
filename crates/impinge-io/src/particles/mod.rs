//! A TOML file -> particles, what they may hit, and the steps of a simulation.

mod colliders;
mod description;

pub use description::{
    ClipDescription, ColliderDescription, EmitterDescription, ParticleDescription, ParticlesDescription,
    RebirthDescription, RegionDescription, SpreadDescription, StepsDescription,
};

use crate::error::{IoError, ParticlesError, ReadError};
use crate::file::{self, file_stem};
use crate::mesh_file::load_one_body;
use crate::scene::{MAX_SCENE_BYTES, from_toml};
use impinge::Mesh;
use impinge::particles::{Blend, Collider, Options, Particle, Particles, Rebirth, Spread, fraction, hash};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

/// Most particles of a file: each takes some two hundred bytes in a simulation, and a line of a file can ask for all.
pub const MAX_PARTICLES: usize = 1 << 22;

/// Most steps of a file.
pub const MAX_STEPS: u32 = 1_000_000;

/// Channels of the hash that an emitter makes its particles from; generations have the ones before.
const POSITION: u32 = 16;
const VELOCITY: u32 = 17;
const START: u32 = 18;

/// A scene of particles as a file describes it.
#[derive(Clone, Debug)]
pub struct ParticleScene {
    /// Its name.
    pub name: String,
    /// Those of emitters first, in the order of the file.
    pub particles: Particles,
    /// In the order of the file.
    pub colliders: Vec<Collider>,
    /// What each collider is made of, for whoever wants to hear it.
    pub materials: Vec<Option<String>>,
    /// Impact maps to be drawn.
    pub maps: Vec<MapRequest>,
    /// How to simulate.
    pub options: Options,
    /// How many steps.
    pub steps: u32,
    /// How long each is.
    pub duration: f64,
}

/// An impact map that a file asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapRequest {
    /// Index of the collider.
    pub collider: u32,
    /// Texels across and down.
    pub size: [u32; 2],
    /// What texels keep.
    pub blend: Blend,
}

/// Reads the text of a scene of particles; no other file is opened.
///
/// ```
/// let text = b"[steps]\nduration = 1.0\n[[particle]]\nposition = [0, 0, 5]\nvelocity = [0, 0, -2]\n";
/// let scene = impinge_io::parse_particles(text)?;
/// assert_eq!((scene.particles.len(), scene.particles[0].velocity), (1, [0.0, 0.0, -2.0]));
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
pub fn parse_particles(text: &[u8]) -> Result<ParticlesDescription, ReadError> {
    from_toml(text)
}

/// Reads a scene of particles and every mesh that it names.
pub fn load_particles(path: &Path) -> Result<ParticleScene, IoError> {
    let text = file::read(path, MAX_SCENE_BYTES)?;
    let description =
        parse_particles(&text).map_err(|error| IoError::Read { path: path.into(), error: error.into() })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let scene = build_particles(&description, &file_stem(path), &mut |name| {
        load_one_body(&folder.join(name)).map_err(|error| ParticlesError::Mesh(error.into()))
    });
    scene.map_err(|error| match error {
        ParticlesError::Mesh(error) => *error,
        error => IoError::Particles { path: path.into(), error: error.into() },
    })
}

/// Writes a scene of particles that [`load_particles`] reads again.
pub fn write_particles(path: &Path, description: &ParticlesDescription) -> Result<(), IoError> {
    let text = toml::to_string(description)
        .map_err(|error| IoError::Request(format!("{}: {error}", path.display())))?;
    file::write_file(path, |out| out.write_all(text.as_bytes()))
}

/// What a description means; meshes are asked for by the names it has for them.
pub fn build_particles(
    description: &ParticlesDescription,
    name: &str,
    load: &mut dyn FnMut(&str) -> Result<Mesh, ParticlesError>,
) -> Result<ParticleScene, ParticlesError> {
    let words = |what: String| Err(ParticlesError::Words(what));
    let steps = &description.steps;
    let count = steps.count.unwrap_or(1);
    if !(1..=MAX_STEPS).contains(&count) {
        return words(format!("steps: count is {count}; it must be between 1 and {MAX_STEPS}"));
    }
    if !(steps.duration.is_finite() && steps.duration > 0.0) {
        return words(format!("steps: duration is {}; it must be above 0", steps.duration));
    }
    let ordinary = Options::default();
    let options = Options {
        latency: steps.latency.unwrap_or(ordinary.latency),
        hop: steps.hop.unwrap_or(ordinary.hop),
        most_events: steps.most_events.unwrap_or(ordinary.most_events),
        ..ordinary
    };
    // A simulation of nothing: the library's own look at the options.
    impinge::particles::Simulation::new(Particles::default(), Vec::new(), options)?;
    let particles = particles(description)?;
    let mut names = HashSet::new();
    let mut colliders = Vec::with_capacity(description.colliders.len());
    let mut maps = Vec::new();
    for (index, given) in description.colliders.iter().enumerate() {
        if given.name.trim().is_empty() || given.name.contains(char::is_control) {
            return words(format!("collider {index}: the name is empty or has control characters"));
        }
        if !names.insert(&given.name) {
            return words(format!(
                "collider {index}: the name '{}' is taken by another collider",
                given.name
            ));
        }
        let collider = colliders::collider(given, load)?;
        let blend = colliders::blend(given)?;
        if let Some(size) = given.map {
            if size.iter().any(|&side| !(1..=MAX_MAP_SIDE).contains(&side)) {
                let what = format!("map is {} x {}; a side has 1 to {MAX_MAP_SIDE} texels", size[0], size[1]);
                return Err(ParticlesError::Collider { name: given.name.clone(), what });
            }
            maps.push(MapRequest { collider: index as u32, size, blend });
        }
        colliders.push(collider);
    }
    Ok(ParticleScene {
        name: description.name.clone().unwrap_or_else(|| name.to_owned()),
        particles,
        colliders,
        materials: description.colliders.iter().map(|given| given.material.clone()).collect(),
        maps,
        options,
        steps: count,
        duration: steps.duration,
    })
}

/// Most texels of a side of a map that a file asks for.
pub const MAX_MAP_SIDE: u32 = 4096;

fn particles(description: &ParticlesDescription) -> Result<Particles, ParticlesError> {
    let emitted: usize = description.emitters.iter().map(|emitter| emitter.count as usize).sum();
    let all = emitted + description.particles.len();
    if all > MAX_PARTICLES {
        return Err(ParticlesError::Words(format!("{all} particles; a file may have {MAX_PARTICLES}")));
    }
    let mut particles = Particles::default();
    for (index, emitter) in description.emitters.iter().enumerate() {
        let name = emitter.name.as_ref().map_or_else(|| index.to_string(), |name| format!("'{name}'"));
        let name: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
        let whose = Some(format!("emitter {name}: "));
        let refused = |error| ParticlesError::Particle { whose: whose.clone(), error };
        let [position, velocity] = [emitter.position_spread, emitter.velocity_spread].map(spread);
        // The library looks at spreads when it takes a rebirth.
        let probe = Rebirth { position: position?, velocity: velocity?, ..Rebirth::default() };
        Particles::default().with_rebirth(probe).map_err(refused)?;
        if !(emitter.start_spread.is_finite() && emitter.start_spread >= 0.0) {
            let value = emitter.start_spread;
            let what = format!("emitter {name}: start_spread is {value}; it must be finite and not negative");
            return Err(ParticlesError::Words(what));
        }
        for number in 0..emitter.count {
            let fractions = |channel| {
                let [a, b, c, _] = hash([emitter.seed, index as u32, number, channel]);
                [a, b, c].map(fraction)
            };
            let aside = probe.position.at(fractions(POSITION));
            let faster = probe.velocity.at(fractions(VELOCITY));
            let late = fractions(START)[0] * emitter.start_spread;
            let particle = Particle {
                start: emitter.start + late,
                position: std::array::from_fn(|k| emitter.position[k] + aside[k]),
                velocity: std::array::from_fn(|k| emitter.velocity[k] + faster[k]),
                acceleration: emitter.acceleration,
                life: emitter.life.unwrap_or(f64::INFINITY),
            };
            particles.push(particle).map_err(refused)?;
        }
    }
    for given in &description.particles {
        particles.push(Particle {
            start: given.start,
            position: given.position,
            velocity: given.velocity,
            acceleration: given.acceleration,
            life: given.life.unwrap_or(f64::INFINITY),
        })?;
    }
    let Some(given) = &description.rebirth else { return Ok(particles) };
    let rebirth = Rebirth {
        seed: given.seed,
        position: spread(given.position)?,
        velocity: spread(given.velocity)?,
        generations: given.generations,
    };
    Ok(particles.with_rebirth(rebirth)?)
}

fn spread(given: Option<SpreadDescription>) -> Result<Spread, ParticlesError> {
    match given {
        None => Ok(Spread::None),
        Some(SpreadDescription { half_size: Some(half), ball: None }) => Ok(Spread::Box(half)),
        Some(SpreadDescription { half_size: None, ball: Some(radius) }) => Ok(Spread::Ball(radius)),
        Some(_) => Err(ParticlesError::Words("a spread is one of box and ball".into())),
    }
}
