//! The backends: the library's engines on the CPU, or a collider on a GPU, behind one call.

use crate::error::Error;
use crate::method_options::Place;
use crate::question::{Findings, Question};
use impinge::interference::{Interference, RayCaster};
use impinge::overlap_cells::{Overlaps, Slicer};
use impinge::{Collider, Method, Options, Scene};
use impinge_gpu::{Context, GpuCollider, GpuError};
use std::io::Write;

/// Where engines run. The GPU context is created once and outlives them.
pub(crate) enum Backend {
    Cpu,
    Gpu {
        context: Context,
        /// Whether `auto` chose the GPU: then any GPU error falls back to the CPU.
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

    /// The CPU or a GPU, by the library's rule for `auto`.
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
        let mut engine = Engine { question, cpu: Box::default(), gpu: None, told: false };
        if let Self::Gpu { context, chosen } = self {
            match GpuCollider::new(context.clone()) {
                Ok(collider) => engine.gpu = Some(Box::new(Gpu::new(collider, *chosen))),
                Err(error) if *chosen => note("grid", &error),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(engine)
    }
}

/// A question, and the engines that answer it.
pub(crate) struct Engine {
    question: Question,
    cpu: Box<CpuEngines>,
    gpu: Option<Box<Gpu>>,
    /// Whether the fallback to another method was reported.
    told: bool,
}

/// The CPU engines, with the state they keep between frames.
#[derive(Default)]
struct CpuEngines {
    collider: Collider,
    caster: RayCaster,
    slicer: Slicer,
}

struct Gpu {
    collider: GpuCollider,
    /// As `Backend::Gpu::chosen`.
    chosen: bool,
    /// The last answers to the other questions: the GPU collider keeps only its report.
    interference: Interference,
    overlaps: Overlaps,
}

impl Gpu {
    fn new(collider: GpuCollider, chosen: bool) -> Self {
        Self { collider, chosen, interference: Interference::default(), overlaps: Overlaps::default() }
    }
}

impl Engine {
    /// Replaces the question from the next call on.
    pub(crate) fn ask(&mut self, other: Question) {
        self.question = other;
    }

    /// Where a complete method cannot process the scene, `bvh` on the CPU answers instead, with the same contacts; this is
    /// reported once.
    pub(crate) fn answer(&mut self, scene: &Scene) -> Result<Findings<'_>, Error> {
        let Self { question, cpu, gpu, told } = self;
        match (&*question, gpu) {
            (Question::Contacts(options), None) => {
                cpu.collider.options.clone_from(options);
                let report = cpu.collider.collide(scene)?;
                let is_other = options.method != Method::Auto && report.method != options.method;
                if is_other && !std::mem::replace(told, true) {
                    note(options.method.name(), &"it cannot take this scene");
                }
                Ok(report.into())
            }
            (Question::Interference(options), None) => {
                cpu.caster.options = *options;
                Ok(cpu.caster.find(scene)?.into())
            }
            (Question::Overlap(options), None) => {
                cpu.slicer.options = *options;
                Ok(cpu.slicer.find(scene).into())
            }
            (Question::Contacts(options), Some(gpu)) => {
                gpu.collider.options.clone_from(options);
                match gpu.collider.collide(scene) {
                    Ok(report) => Ok(report.into()),
                    Err(error) if gpu.chosen || bvh_takes(options.method, &error) => {
                        if !std::mem::replace(told, true) {
                            note("grid", &error);
                        }
                        cpu.collider.options = Options { method: Method::Bvh, ..options.clone() };
                        Ok(cpu.collider.collide(scene)?.into())
                    }
                    Err(error) => Err(error.into()),
                }
            }
            (Question::Interference(options), Some(gpu)) => {
                gpu.interference = gpu.collider.interference(scene, options)?;
                Ok((&gpu.interference).into())
            }
            (Question::Overlap(options), Some(gpu)) => {
                gpu.overlaps = gpu.collider.overlaps(scene, options)?;
                Ok((&gpu.overlaps).into())
            }
        }
    }
}

/// Whether a GPU limit is the cause of the error, so that `bvh` can answer instead of `grid`.
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

/// Reports on standard error that `bvh` answers instead of the requested method.
fn note(method: &str, reason: &impl std::fmt::Display) {
    let reason = reason.to_string();
    // Advice follows a semicolon; after a fallback none is needed.
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
        assert!(matches!(chosen.ask(Question::Contacts(Options::default())), Ok(Engine { gpu: None, .. })));
        let asked_for = Backend::Gpu { context, chosen: false };
        assert!(matches!(
            asked_for.ask(Question::Contacts(Options::default())),
            Err(Error::Gpu(GpuError::Lost { .. }))
        ));
    }
}
