//! The device and what every stage runs on: growable buffers, images, kernels, render passes, the commands of a frame.

mod buffers;
mod context;
mod images;
mod kernel;
mod queries;
mod recorder;
mod render;

pub(crate) use buffers::{Growable, uniform, write_uniform};
pub use context::{ADAPTER_VARIABLE, Context, adapter, adapters};
pub(crate) use images::{CachedImage, check_size};
pub(crate) use kernel::{Kernel, bind, module};
pub(crate) use queries::{QUERIES_PER_SET, Queries};
pub use recorder::StageTimes;
pub(crate) use recorder::{Recorder, Stage, read, read_first};
pub(crate) use render::{RenderRecipe, begin_pass, depth_stencil, render_pipeline};
