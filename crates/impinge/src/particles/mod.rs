//! Particles that hit things: chapter 3 of Knott's thesis (*`CInDeR`: Collision and Interference Detection in Real Time using
//! Graphics Hardware*, 2003).
//!
//! A particle's position is a closed formula of time (3.2.1): constant velocity, or constant acceleration. A collider is a
//! surface `f(p) = 0` within bounds (3.2.2): planes, quadrics, boxes, meshes. The first root of `h(t) = f(g(t))` is when they
//! meet (3.2.3), at any speed, however thin the collider is: nothing is sampled. What happens then is up to the collider
//! ([`Response`], 3.3), and every impact is reported ([`Impact`], 3.5.2), or drawn on a map of the collider's surface
//! ([`ImpactMap`], 3.4). Meshes, poses, lanes and the order of triangles are shared with contacts; nothing else is.
//!
//! | stage | CPU | GPU (`impinge-gpu`) |
//! |---|---|---|
//! | times: doubles; on a GPU whole ticks of 64 bits | | `particles/clock.rs`, `shaders/particles/shared/ticks.wgsl` |
//! | particles, generations, the hash of rebirth | `particle.rs`, `rebirth.rs` | `shaders/particles/rebirth.wgsl` (the same bits) |
//! | colliders: surfaces, bounds, poses, what is refused | `shape.rs`, `collider.rs`, `quadric.rs`, `affine.rs` | `particles/solids.rs`, `particles/tree.rs` |
//! | blocks of 64 particles; boxes around their paths in lanes | `block.rs`, `sweep.rs` | one thread a particle |
//! | boxes of colliders: one after the other, or a tree of eight a node | `index.rs` | one after the other |
//! | when a path meets a surface; a mesh | `hit.rs`, `roots.rs`; `surface.rs`, `curtain.rs` | `roots.wgsl`, `hit.wgsl`, `curtain.wgsl` |
//! | events of one particle in order, responses | `flight.rs`, `response.rs` | `flight.wgsl` |
//! | steps, threads, sorting | `simulation.rs` | `particles/mod.rs` |
//! | records and maps | `impact.rs`, `impact_map.rs` | `impact_map.wgsl`, `particles/map.rs` |
//!
//! **Boxes decide nothing.** A step makes a float box around every path, rounded outward, and drops what no box or plane
//! comes near; the rest is solved in doubles, one by one, as if there were no boxes. So impacts are those of the plain loop
//! (`impinge-lab/src/particles.rs`) bit for bit, for any lanes, threads and tree.
//!
//! **Roots** of quadratics by the formula that subtracts nothing; of quartics between the roots of their derivatives, where a
//! change of sign is one root (`roots.rs`; the tests compare with interval arithmetic). A flight keeps its start until it
//! bounces: steps ask for parts of one polynomial, and a root belongs to one part because its number, or the sign at the cut,
//! is the same for both. A mesh is seen along the acceleration, where a parabola is a straight line: which edges it passes
//! depends on vertices, and how high above an edge on the edge alone, so triangles that share them agree and nothing slips
//! through (`curtain.rs`). A box counts crossings of its six planes and never computes anew whether it is inside.
//!
//! **After a bounce** a path starts a little off the surface (`CONTACT_OFFSET`, 2^-43 of the largest coordinate), on the side
//! whose computed sign is checked, and its speed pays for the height: energy is kept to 1e-12 over a thousand bounces.
//! Surfaces that are met within that distance are one event. Nothing about the last hit is remembered. Bounces that pile up
//! are summed (`flight.rs` says how): rest with friction, hops of [`Options::hop`] without. The sign that a flight begins
//! with is computed by the very operations that the search for its next hit begins with.
//!
//! Places and times are doubles, right to a few roundings; [`crate::util::tolerance`] names what that means. The GPU's
//! floats, and what they may decide otherwise: `impinge-gpu/src/particles/mod.rs`. What was tried and dropped:
//! `docs/decisions/particles.md`.

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
