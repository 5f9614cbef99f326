//! Particles that hit things: chapter 3 of Knott's thesis (*`CInDeR`: Collision and Interference Detection in Real Time
//! using Graphics Hardware*, 2003).
//!
//! A particle's position is a closed formula of time (3.2.1): constant velocity, or constant acceleration. A collider is
//! a surface `f(p) = 0` within bounds (3.2.2): planes, quadrics, boxes, meshes. The first root of `h(t) = f(g(t))` is
//! when they meet (3.2.3), at any speed, however thin the collider is: nothing is sampled. What happens then is up to the
//! collider ([`Response`], 3.3), and every impact is reported ([`Impact`], 3.5.2), or drawn on a map of the collider's
//! surface ([`ImpactMap`], 3.4).
//!
//! Places and times are doubles, right to a few roundings; [`crate::util::tolerance`] names what that means.

mod affine;
mod block;
mod collider;
mod curtain;
mod error;
mod flight;
mod hit;
mod impact;
mod impact_map;
mod index;
mod particle;
mod quadric;
mod rebirth;
mod response;
mod roots;
mod shape;
mod simulation;
mod surface;
mod sweep;

pub use affine::FromWorld;
pub use collider::{Collider, Sheets};
pub use error::{ColliderFault, ParticleError};
pub use hit::Hit;
pub use impact::{Counts, Impact, Options, Status, Step};
pub use impact_map::{Blend, ImpactMap, Layout, Resolution, Texel};
pub use particle::{Particle, Particles, Path, State};
pub use rebirth::{Rebirth, Spread, fraction, hash};
pub use response::Response;
pub use shape::{Clip, Constraint, Form, Region, Shape};
pub use simulation::{Simulation, Whereabouts};
