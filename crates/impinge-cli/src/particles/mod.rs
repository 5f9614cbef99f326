//! `impinge particles`: a scene of particles, step by step, into a printer, a picture of its impact maps, and a sound.

mod engine;
mod printer;
mod splats;

use crate::error::Error;
use crate::options::{Format, ParticlesOptions};
use crate::outcome::Outcome;
use crate::progress::Progress;
use impinge::particles::{Impact, ImpactMap};
use impinge_io::ParticleScene;
use impinge_lab::hail::{self, Material};
use std::io::Write;
use std::path::Path;

pub(crate) use engine::{Engine, empty_map};
pub(crate) use printer::Printer;
pub(crate) use splats::{colour, write_maps};

/// Runs a scene, prints what was hit, and writes what was asked for.
pub(crate) fn run(options: &ParticlesOptions, out: &mut impl Write) -> Result<Outcome, Error> {
    let reading = Progress::new("reading", 1);
    let mut scene = impinge_io::load_particles(&options.file)?;
    drop(reading);
    scene.options.threads = options.threads;
    if let Some(latency) = options.latency {
        scene.options.latency = latency;
    }
    if options.png.is_some() && scene.maps.is_empty() {
        let error = "no collider has a map; give one `map = [256, 256]`, or leave --png out";
        return Err(Error::scene(&options.file.display().to_string(), error));
    }
    let materials = materials(&scene, options.wav.is_some().then_some(&options.file))?;
    let mut engine = Engine::new(&scene, &options.place)?;
    let mut printer = Printer::begin(&scene, &engine, options.format, out)?;
    let progress = Progress::new("simulating", scene.steps as usize);
    let mut heard = Vec::new();
    for number in 1..=scene.steps {
        let step = engine.advance(f64::from(number) * scene.duration)?;
        if options.wav.is_some() {
            heard.extend(hail::strikes(&step.impacts, &materials));
        }
        printer.step(step)?;
        progress.step();
    }
    drop(progress);
    let maps = engine.maps(&scene)?;
    printer.finish(&maps)?;
    if let Some(path) = &options.png {
        write_maps(path, &scene, &maps)?;
    }
    if let Some(path) = &options.wav {
        let end = f64::from(scene.steps) * scene.duration + scene.options.latency;
        write_sound(path, &heard, end)?;
    }
    Ok(Outcome::Clear)
}

/// What colliders are made of. When it is to be heard, every name must be known.
fn materials(
    scene: &ParticleScene,
    heard: Option<&std::path::PathBuf>,
) -> Result<Vec<Option<Material>>, Error> {
    let known = || Material::ALL.map(Material::name).join(", ");
    let of = |(index, name): (usize, &Option<String>)| {
        let Some(name) = name else { return Ok(None) };
        match (Material::named(name), heard) {
            (None, Some(file)) => {
                let collider = scene.colliders[index].name();
                let error =
                    format!("collider '{collider}': there is no material '{name}'; there are {}", known());
                Err(Error::scene(&file.display().to_string(), error))
            }
            (material, _) => Ok(material),
        }
    };
    scene.materials.iter().enumerate().map(of).collect()
}

/// A second longer than the impacts, so that the last one rings out.
const RINGS_OUT: f64 = 1.0;

/// Writes a WAV file of all strikes, and says how many there are.
pub(crate) fn write_sound(path: &Path, strikes: &[hail::Strike], end: f64) -> Result<usize, Error> {
    let named = |error: &dyn std::fmt::Display| Error::scene(&path.display().to_string(), error);
    let sound = hail::synthesise(strikes, end + RINGS_OUT).map_err(|error| named(&error))?;
    let (samples, _) = sound.to_pcm();
    let bytes =
        hail::wav_bytes(&samples, hail::SAMPLE_RATE).ok_or_else(|| named(&"is too long for a WAV file"))?;
    impinge_io::write_file(path, |out| out.write_all(&bytes))?;
    Ok(strikes.len())
}

/// Everything that a scene came to, for those who want it all at once.
pub(crate) struct Whole {
    pub(crate) impacts: Vec<Impact>,
    pub(crate) maps: Vec<ImpactMap>,
}

/// Runs a scene on the CPU and keeps everything; `each` sees every step.
pub(crate) fn whole(
    scene: &ParticleScene,
    mut each: impl FnMut(&Engine) -> Result<(), Error>,
) -> Result<Whole, Error> {
    let mut engine = Engine::new(scene, &crate::method_options::Place::Cpu)?;
    let progress = Progress::new("simulating", scene.steps as usize);
    let mut impacts = Vec::new();
    for number in 1..=scene.steps {
        impacts.extend_from_slice(&engine.advance(f64::from(number) * scene.duration)?.impacts);
        each(&engine)?;
        progress.step();
    }
    let mut maps = Vec::new();
    for request in &scene.maps {
        let collider = &scene.colliders[request.collider as usize];
        let mut map = empty_map(scene, request)?;
        map.add(collider, &impacts);
        maps.push(map);
    }
    Ok(Whole { impacts, maps })
}

impl Format {
    /// Impacts listed a step.
    pub(crate) fn most_listed(self) -> usize {
        match self {
            Self::Text { rows } => rows,
            Self::Json { limit } => limit.unwrap_or(usize::MAX),
        }
    }
}
