//! The image-space methods of `impinge` on any GPU, through `wgpu`: only what every WebGPU device has.
//!
//! [`GpuCollider`] finds collisions with collision rays (Georgii, Krüger, Westermann 2007), bodies that interfere by casting
//! rays at edges (Knott 2003), cells of space that bodies share (Dinerstein, Egbert 2002), surfaces near each other among all
//! that rays meet (Jang, Han 2008), what hides what (Govindaraju, Lin, Manocha: CULLIDE and FAR), or, missing nothing, a grid of
//! whole boxes. It takes scenes like `impinge::Collider` does, and bodies whose triangles exist on the GPU alone ([`GpuBody`]).
//!
//! One WGSL file a stage, with the stem of the CPU's stage that defines it: see `impinge::stages`.

mod a_buffer;
mod auto;
mod bodies;
mod buffers;
mod collide;
mod conservative;
mod cullide;
mod depth_peel;
mod depth_slices;
mod device;
mod error;
mod images;
mod intake;
mod kernel;
mod layout;
mod particles;
mod ray_cast;
mod recorder;
mod shaders;
mod stages;

pub use a_buffer::KeptInspection;
pub use auto::{AUTO_TRIANGLES, auto};
pub use bodies::GpuBody;
pub use collide::{GpuCollider, GpuTriangle};
pub use depth_slices::SliceInspection;
pub use device::{ADAPTER_VARIABLE, Context, adapter, adapters};
pub use error::GpuError;
pub use particles::GpuSimulation;
pub use ray_cast::CastInspection;
pub use recorder::StageTimes;
pub use stages::Inspection;
pub use wgpu;
