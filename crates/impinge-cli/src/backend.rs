//! What runs the methods: a collider on the CPU, or one on a GPU, with the same call.

use crate::error::Error;
use crate::method_options::Place;
use crate::question::{Findings, Question};
use impinge::interference::{Interference, RayCaster};
use impinge::overlap_cells::{Overlaps, Slicer};
use impinge::{Collider, Method, Options, Scene};
use impinge_gpu::{Context, GpuCollider, GpuError};
use std::io::Write;

/// Makes colliders. Whatever outlives them is found once.
pub(crate) enum Backend {
    Cpu,
    Gpu {
        context: Context,
        /// Whether nobody asked for a GPU: then whatever goes wrong there is the CPU's to answer.
        chosen: bool,
    },
}

impl Backend {
    pub(crate) fn open(place: &Place, scene: &Scene) -> Result<Self, Error> {
        match place {
            Place::Cpu => Ok(Self::Cpu),
            Place::Gpu(adapter) => Ok(Self::Gpu { context: Context::on(adapter.as_deref())?, chosen: false }),
            Place::Fastest(adapter) => Ok(Self::fastest(adapter.as_deref(), scene)),
        }
    }

    /// By the rule of the library.
    fn fastest(adapter: Option<&str>, scene: &Scene) -> Self {
        let triangles = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
        if impinge_gpu::auto(triangles, || impinge_gpu::adapter(adapter)) == Method::Bvh {
            return Self::Cpu;
        }
        match Context::on(adapter) {
            Ok(context) => Self::Gpu { context, chosen: true },
            Err(error) => {
                note("grid", &error);
                Self::Cpu
            }
        }
    }

    pub(crate) fn ask(&self, question: Question) -> Result<Engine, Error> {
        let Self::Gpu { context, chosen } = self else { return Ok(Engine::here(question)) };
        match GpuCollider::new(context.clone()) {
            Ok(collider) => {
                let collider = Box::new(collider);
                Ok(Engine::Gpu { question, collider, chosen: *chosen, instead: None, found: None })
            }
            Err(error) if *chosen => {
                note("grid", &error);
                Ok(Engine::here(question))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Every question on the CPU, with what each keeps between frames.
#[derive(Default)]
pub(crate) struct CpuEngines {
    collider: Collider,
    caster: RayCaster,
    slicer: Slicer,
}

/// A question, and whatever answers it, wherever that runs.
pub(crate) enum Engine {
    Cpu {
        question: Question,
        engines: Box<CpuEngines>,
        /// Whether it was told that another method answers.
        told: bool,
    },
    Gpu {
        question: Question,
        collider: Box<GpuCollider>,
        chosen: bool,
        /// What answers where the GPU cannot, once that has happened.
        instead: Option<Box<Collider>>,
        /// The last answer to a question that is not about contacts.
        found: Option<Box<GpuFound>>,
    },
}

/// An answer that the caller of a GPU keeps.
pub(crate) enum GpuFound {
    Interference(Interference),
    Overlap(Overlaps),
}

impl Engine {
    fn here(question: Question) -> Self {
        Self::Cpu { question, engines: Box::default(), told: false }
    }

    /// From the next call on.
    pub(crate) fn ask(&mut self, other: Question) {
        let (Self::Cpu { question, .. } | Self::Gpu { question, .. }) = self;
        *question = other;
    }

    /// Where a complete method cannot take the scene, `bvh` answers on the CPU: its contacts are the same. That is said once.
    pub(crate) fn answer(&mut self, scene: &Scene) -> Result<Findings<'_>, Error> {
        match self {
            Self::Cpu { question: Question::Contacts(options), engines, told } => {
                engines.collider.options.clone_from(options);
                let report = engines.collider.collide(scene)?;
                if options.method != Method::Auto && report.method != options.method && !*told {
                    *told = true;
                    note(options.method.name(), &"it cannot take this scene");
                }
                Ok(report.into())
            }
            Self::Cpu { question: Question::Interference(options), engines, .. } => {
                engines.caster.options = *options;
                Ok(engines.caster.find(scene)?.into())
            }
            Self::Cpu { question: Question::Overlap(options), engines, .. } => {
                engines.slicer.options = *options;
                Ok(engines.slicer.find(scene).into())
            }
            Self::Gpu { question: Question::Contacts(options), collider, chosen, instead, .. } => {
                collider.options.clone_from(options);
                match collider.collide(scene) {
                    Ok(report) => Ok(report.into()),
                    Err(error) if *chosen || bvh_takes(options.method, &error) => {
                        let instead = instead.get_or_insert_with(|| {
                            note("grid", &error);
                            Box::default()
                        });
                        instead.options = Options { method: Method::Bvh, ..options.clone() };
                        Ok(instead.collide(scene)?.into())
                    }
                    Err(error) => Err(error.into()),
                }
            }
            Self::Gpu { question: Question::Interference(options), collider, found, .. } => {
                let answer = GpuFound::Interference(collider.interference(scene, options)?);
                let found = found.insert(Box::new(answer));
                Ok(found.findings())
            }
            Self::Gpu { question: Question::Overlap(options), collider, found, .. } => {
                let found = found.insert(Box::new(GpuFound::Overlap(collider.overlaps(scene, options)?)));
                Ok(found.findings())
            }
        }
    }
}

impl GpuFound {
    fn findings(&self) -> Findings<'_> {
        match self {
            Self::Interference(found) => found.into(),
            Self::Overlap(overlaps) => overlaps.into(),
        }
    }
}

/// Whether the scene is the reason, and only on a GPU.
fn bvh_takes(method: Method, error: &GpuError) -> bool {
    let too_much = matches!(
        error,
        GpuError::BeyondFloats
            | GpuError::TooCrowded { .. }
            | GpuError::TooLarge { .. }
            | GpuError::TooMany
            | GpuError::OutOfMemory { .. }
    );
    matches!(method, Method::Grid(_)) && too_much
}

/// Says that another method answers than the one that was to.
fn note(method: &str, reason: &impl std::fmt::Display) {
    let reason = reason.to_string();
    // What would have to be done about it comes behind a semicolon, and nothing has to be.
    let reason = reason.split(';').next().unwrap_or_default();
    // Nothing is left to be done if this line cannot be written.
    let _ = writeln!(std::io::stderr(), "impinge: note: bvh on the CPU answers, not {method}: {reason}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::Mesh;
    use impinge::contacts::{GridOptions, PeelOptions};

    #[test]
    fn bvh_takes_over_where_the_scene_is_the_reason() {
        let crowded = GpuError::TooCrowded { triangles: 7 };
        for error in [GpuError::BeyondFloats, GpuError::TooMany, crowded] {
            assert!(bvh_takes(Method::Grid(GridOptions::default()), &error), "{error}");
            assert!(
                !bvh_takes(Method::DepthPeel(PeelOptions::default()), &error),
                "its answer would be another"
            );
        }
        assert!(!bvh_takes(Method::Grid(GridOptions::default()), &GpuError::Lost { reason: String::new() }));
    }

    #[test]
    fn a_gpu_that_nobody_asked_for_is_no_reason_to_fail() {
        if std::env::var_os("IMPINGE_NO_GPU").is_some_and(|value| !value.is_empty()) {
            return;
        }
        let triangle =
            |z: f32| Mesh::new(vec![[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, -z]], vec![[0, 1, 2]]);
        let mut scene = Scene::new();
        scene.add("a", triangle(0.5).unwrap());
        scene.add("b", triangle(-0.5).unwrap());
        let context = Context::on(None).unwrap();
        let chosen = Backend::Gpu { context: context.clone(), chosen: true };
        let mut collider = chosen.ask(Question::Contacts(Options::default())).unwrap();
        let contacts = collider.answer(&scene).unwrap().contacts.to_vec();
        assert_eq!(collider.answer(&scene).unwrap().method, "grid");

        context.device.destroy();
        let report = collider.answer(&scene).unwrap();
        assert_eq!((report.method, report.contacts.len()), ("bvh", 1));
        assert_eq!(report.contacts, contacts);
        assert!(matches!(chosen.ask(Question::Contacts(Options::default())), Ok(Engine::Cpu { .. })));
        let asked_for = Backend::Gpu { context, chosen: false };
        assert!(matches!(
            asked_for.ask(Question::Contacts(Options::default())),
            Err(Error::Gpu(GpuError::Lost { .. }))
        ));
    }
}
