//! The methods of `impinge` on any GPU, through `wgpu`, with nothing but what every WebGPU device has.
//!
//! [`GpuCollider`] finds contacts: all of them, with a grid of whole boxes; or sampled, with collision rays
//! (Georgii, Krüger, Westermann 2007), an A-buffer (Jang, Han 2008) or occlusion queries (Govindaraju, Lin,
//! Manocha: CULLIDE and FAR). It finds bodies that interfere by casting rays at edges (Knott 2003), and cells
//! of space that bodies share (Dinerstein, Egbert 2002). It takes the scenes of `impinge::Collider`, and
//! bodies whose geometry is in the caller's GPU buffers ([`GpuBody`]). [`GpuSimulation`] moves particles.
//!
//! One WGSL file per stage, with the stem of the CPU file that defines it: see `impinge::stages`.

mod auto;
mod bodies;
mod collider;
mod contacts;
mod device;
mod error;
mod image;
mod interference;
mod layout;
mod overlap_cells;
mod particles;
mod shaders;
#[cfg(test)]
mod tests;

pub use auto::{AUTO_TRIANGLES, auto};
pub use bodies::GpuBody;
pub use collider::{GpuCollider, GpuTriangle};
pub use contacts::a_buffer::KeptInspection;
pub use contacts::depth_peel::Inspection;
pub use device::{ADAPTER_VARIABLE, Context, StageTimes, adapter, adapters};
pub use error::GpuError;
pub use interference::CastInspection;
pub use overlap_cells::SliceInspection;
pub use particles::GpuSimulation;
pub use wgpu;
