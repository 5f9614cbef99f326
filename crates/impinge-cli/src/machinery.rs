//! What runs the methods: a collider on the CPU, or one on a GPU, with the same call.

use crate::error::Error;
use crate::method_options::Place;
use impinge::{Collider, Options, Report, Scene};
use impinge_gpu::{Context, GpuCollider};

/// Makes colliders. Whatever outlives them is found once.
pub(crate) enum Workshop {
    Cpu,
    Gpu(Context),
}

impl Workshop {
    pub(crate) fn open(place: &Place) -> Result<Self, Error> {
        Ok(match place {
            Place::Cpu => Self::Cpu,
            Place::Gpu(adapter) => Self::Gpu(Context::on(adapter.as_deref())?),
        })
    }

    pub(crate) fn collider(&self, options: &Options) -> Result<Machinery, Error> {
        Ok(match self {
            Self::Cpu => Machinery::Cpu(Box::new(Collider::new(options.clone()))),
            Self::Gpu(context) => {
                let mut collider = GpuCollider::new(context.clone())?;
                collider.options = options.clone();
                Machinery::Gpu(Box::new(collider))
            }
        })
    }
}

/// A collider, wherever it runs.
pub(crate) enum Machinery {
    Cpu(Box<Collider>),
    Gpu(Box<GpuCollider>),
}

impl Machinery {
    /// From the next call on.
    pub(crate) fn set_options(&mut self, options: Options) {
        match self {
            Self::Cpu(collider) => collider.options = options,
            Self::Gpu(collider) => collider.options = options,
        }
    }

    pub(crate) fn collide(&mut self, scene: &Scene) -> Result<&Report, Error> {
        match self {
            Self::Cpu(collider) => Ok(collider.collide(scene)),
            Self::Gpu(collider) => Ok(collider.collide(scene)?),
        }
    }
}
