//! Which triangles touch.
//!
//! [`Collider`] is the call, [`Options`] the choices, [`Report`] the answer. A method is a folder with a `Culler` in it, an arm of
//! [`Method`], and a line in `collider.rs`; `driver.rs` takes every frame through whichever it is.

pub(crate) mod a_buffer;
mod brute_force;
pub(crate) mod bvh;
mod collider;
mod culler;
pub(crate) mod cullide;
pub(crate) mod depth_peel;
mod driver;
mod error;
pub(crate) mod grid;
mod method;
mod ray_stats;
mod report;
mod sink;
mod sort;

pub use crate::solid::{PairRelation, Relation};
pub use a_buffer::{ABufferOptions, Keeping};
pub use collider::Collider;
#[doc(hidden)]
pub use culler::{Completeness, Culler};
pub use cullide::{Culled, CullideOptions, CullideStages};
pub use depth_peel::{AtLimit, PeelOptions, Sides};
#[doc(hidden)]
pub use driver::Driver;
pub use error::ContactError;
pub use grid::{GridOptions, GridStats};
pub use method::{Method, Options};
pub use ray_stats::RayStats;
pub use report::{MethodStats, Report};
#[doc(hidden)]
pub use sink::{CandidateSink, ThreadSink};
