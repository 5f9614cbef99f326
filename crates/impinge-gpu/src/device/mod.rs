//! The device and what every stage runs on: growable buffers, images, kernels, the commands of a frame.

mod buffers;
mod context;
mod images;
mod kernel;
mod recorder;

pub(crate) use buffers::{Growable, uniform};
pub use context::{ADAPTER_VARIABLE, Context, adapter, adapters};
pub(crate) use images::{CachedImage, check_size};
pub(crate) use kernel::{Kernel, bind, module};
pub use recorder::StageTimes;
pub(crate) use recorder::{Recorder, Stage, read, writes};
