//! What moves particles: the CPU, or a GPU, with the same calls.

use crate::error::Error;
use crate::method_options::Place;
use impinge::particles::{ImpactMap, Simulation, Step, Texel, Whereabouts};
use impinge_gpu::{Context, GpuSimulation};
use impinge_io::{MapRequest, ParticleScene};

pub(crate) enum Engine {
    Cpu {
        simulation: Box<Simulation>,
        /// With the colliders they are of.
        maps: Vec<(u32, ImpactMap)>,
    },
    Gpu {
        simulation: Box<GpuSimulation>,
        adapter: String,
    },
}

/// The map of a request, before anything was hit.
pub(crate) fn empty_map(scene: &ParticleScene, request: &MapRequest) -> Result<ImpactMap, Error> {
    let collider = &scene.colliders[request.collider as usize];
    let map = ImpactMap::new(collider, request.collider, request.size, request.blend);
    map.map_err(|error| Error::scene(&scene.name, error))
}

/// A map, wherever it was drawn.
pub(crate) struct Drawn {
    /// Which of the scene's requests it answers.
    pub(crate) request: usize,
    pub(crate) texels: Vec<Texel>,
}

impl Engine {
    pub(crate) fn new(scene: &ParticleScene, place: &Place) -> Result<Self, Error> {
        let (particles, colliders) = (scene.particles.clone(), scene.colliders.clone());
        match place {
            Place::Gpu(adapter) | Place::Fastest(adapter) => {
                let context = Context::on(adapter.as_deref())?;
                let mut simulation = GpuSimulation::new(&context, particles, colliders, scene.options)?;
                for map in &scene.maps {
                    simulation.add_map(map.collider, map.size, map.blend)?;
                }
                Ok(Self::Gpu { simulation: Box::new(simulation), adapter: context.adapter })
            }
            Place::Cpu => {
                let simulation = Simulation::new(particles, colliders, scene.options);
                let simulation = simulation.map_err(|error| Error::scene(&scene.name, error))?;
                let map = |request: &MapRequest| Ok((request.collider, empty_map(scene, request)?));
                let maps = scene.maps.iter().map(map).collect::<Result<_, Error>>()?;
                Ok(Self::Cpu { simulation: Box::new(simulation), maps })
            }
        }
    }

    /// The GPU it runs on; none on the CPU.
    pub(crate) fn adapter(&self) -> Option<&str> {
        match self {
            Self::Cpu { .. } => None,
            Self::Gpu { adapter, .. } => Some(adapter),
        }
    }

    pub(crate) fn advance(&mut self, to: f64) -> Result<&Step, Error> {
        match self {
            Self::Gpu { simulation, .. } => Ok(simulation.advance(to)?),
            Self::Cpu { simulation, maps } => {
                simulation.advance(to).map_err(|error| Error::scene("particles", error))?;
                let (step, colliders) = (simulation.step(), simulation.colliders());
                for (collider, map) in maps {
                    map.add(&colliders[*collider as usize], &step.impacts);
                }
                Ok(simulation.step())
            }
        }
    }

    /// What all maps of the scene show.
    pub(crate) fn maps(&mut self, scene: &ParticleScene) -> Result<Vec<Drawn>, Error> {
        let drawn = |request: usize| {
            let texels = match self {
                Self::Cpu { maps, .. } => maps[request].1.texels().to_vec(),
                Self::Gpu { simulation, .. } => simulation.map(request)?,
            };
            Ok(Drawn { request, texels })
        };
        (0..scene.maps.len()).map(drawn).collect()
    }

    /// Where a particle is, on the CPU.
    pub(crate) fn whereabouts(&self, particle: usize) -> Option<Whereabouts> {
        match self {
            Self::Cpu { simulation, .. } => simulation.whereabouts(particle),
            Self::Gpu { .. } => None,
        }
    }
}
