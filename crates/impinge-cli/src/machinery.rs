//! What runs the methods: a collider on the CPU, or one on a GPU, with the same call.

use crate::error::Error;
use crate::method_options::Place;
use crate::names;
use impinge::{Collider, Method, Options, Report, Scene};
use impinge_gpu::{Context, GpuCollider, GpuError};
use std::io::Write;

/// Makes colliders. Whatever outlives them is found once.
pub(crate) enum Workshop {
    Cpu,
    Gpu {
        context: Context,
        /// Whether nobody asked for a GPU: then whatever goes wrong there is the CPU's to answer.
        chosen: bool,
    },
}

impl Workshop {
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
                note(Method::Conservative, &error);
                Self::Cpu
            }
        }
    }

    pub(crate) fn collider(&self, options: &Options) -> Result<Machinery, Error> {
        let here = || Machinery::Cpu { collider: Box::new(Collider::new(options.clone())), told: false };
        let Self::Gpu { context, chosen } = self else { return Ok(here()) };
        match GpuCollider::new(context.clone()) {
            Ok(mut collider) => {
                collider.options = options.clone();
                Ok(Machinery::Gpu { collider: Box::new(collider), chosen: *chosen, instead: None })
            }
            Err(error) if *chosen => {
                note(Method::Conservative, &error);
                Ok(here())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// A collider, wherever it runs.
pub(crate) enum Machinery {
    Cpu {
        collider: Box<Collider>,
        /// Whether it was told that another method answers.
        told: bool,
    },
    Gpu {
        collider: Box<GpuCollider>,
        chosen: bool,
        /// What answers where the GPU cannot, once that has happened.
        instead: Option<Box<Collider>>,
    },
}

impl Machinery {
    /// From the next call on.
    pub(crate) fn set_options(&mut self, options: Options) {
        match self {
            Self::Cpu { collider, .. } => collider.options = options,
            Self::Gpu { collider, .. } => collider.options = options,
        }
    }

    /// Where a complete method cannot take the scene, `bvh` answers on the CPU: its contacts are the same. That is said once.
    pub(crate) fn collide(&mut self, scene: &Scene) -> Result<&Report, Error> {
        match self {
            Self::Cpu { collider, told } => {
                let asked = collider.options.method;
                let report = collider.collide(scene);
                if asked != Method::Auto && report.method != asked && !*told {
                    *told = true;
                    note(asked, &"it cannot take this scene");
                }
                Ok(report)
            }
            Self::Gpu { collider, chosen, instead } => {
                let options = collider.options.clone();
                match collider.collide(scene) {
                    Ok(report) => Ok(report),
                    Err(error) if *chosen || bvh_takes(options.method, &error) => {
                        let instead = instead.get_or_insert_with(|| {
                            note(Method::Conservative, &error);
                            Box::default()
                        });
                        instead.options = Options { method: Method::Bvh, ..options };
                        Ok(instead.collide(scene))
                    }
                    Err(error) => Err(error.into()),
                }
            }
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
    method == Method::Conservative && too_much
}

/// Says that another method answers than the one that was to.
fn note(method: Method, reason: &impl std::fmt::Display) {
    let reason = reason.to_string();
    // What would have to be done about it comes behind a semicolon, and nothing has to be.
    let reason = reason.split(';').next().unwrap_or_default();
    // Nothing is left to be done if this line cannot be written.
    let _ = writeln!(
        std::io::stderr(),
        "impinge: note: bvh on the CPU answers, not {}: {reason}",
        names::method(method)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::Mesh;

    #[test]
    fn bvh_takes_over_where_the_scene_is_the_reason() {
        let crowded = GpuError::TooCrowded { triangles: 7 };
        for error in [GpuError::BeyondFloats, GpuError::TooMany, crowded] {
            assert!(bvh_takes(Method::Conservative, &error), "{error}");
            assert!(!bvh_takes(Method::DepthPeel, &error), "its answer would be another");
        }
        assert!(!bvh_takes(Method::Conservative, &GpuError::Lost { reason: String::new() }));
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
        let chosen = Workshop::Gpu { context: context.clone(), chosen: true };
        let mut collider = chosen.collider(&Options::default()).unwrap();
        let contacts = collider.collide(&scene).unwrap().contacts.clone();
        assert_eq!(collider.collide(&scene).unwrap().method, Method::Conservative);

        context.device.destroy();
        let report = collider.collide(&scene).unwrap();
        assert_eq!((report.method, report.contacts.len()), (Method::Bvh, 1));
        assert_eq!(report.contacts, contacts);
        assert!(matches!(chosen.collider(&Options::default()), Ok(Machinery::Cpu { .. })));
        let asked_for = Workshop::Gpu { context, chosen: false };
        assert!(matches!(asked_for.collider(&Options::default()), Err(Error::Gpu(GpuError::Lost { .. }))));
    }
}
