//! Which triangles touch.

pub(crate) mod a_buffer;
mod brute_force;
pub(crate) mod bvh;
mod candidates;
mod collider;
pub(crate) mod cullide;
pub(crate) mod depth_peel;
pub(crate) mod grid;
mod report;
mod response;

pub use a_buffer::{ABufferOptions, Keeping};
pub use candidates::Candidates;
pub use collider::{Collider, Method, Options, Query};
pub use cullide::{Culled, CullideOptions, CullideStages};
pub use depth_peel::{AtLimit, PeelOptions, Sides};
pub use grid::{ConservativeOptions, Sifted};
pub use report::{ImageStages, PairContacts, Report, Response, Stages};
