//! Where triangle meshes collide: exactly, every frame, with nothing prepared ahead.
//!
//! ```
//! use impinge::{Collider, Mesh, Scene};
//!
//! let triangle = |z: f32| Mesh::new(vec![[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, -z]], vec![[0, 1, 2]]);
//! let mut scene = Scene::new();
//! let a = scene.add("a", triangle(0.5)?);
//! let b = scene.add("b", triangle(-0.5)?);
//!
//! let mut collider = Collider::default(); // keeps between frames whatever it can reuse
//! let report = collider.collide(&scene);
//! assert_eq!(report.contacts.len(), 1);
//! assert_eq!((report.pairs[0].a, report.pairs[0].b), (a, b));
//! # Ok::<(), impinge::MeshError>(())
//! ```
//!
//! The flow is in [`Collider::collide`]: one line per stage, one folder per stage, one root file per thing that
//! crosses from one stage to the next.
//!
//! **The contract.** A *contact* is a pair of triangles whose closed point sets share at least one point, decided
//! without rounding error for the world coordinates (see [`Pose::apply`]). Triangles of one body that share a
//! vertex or an edge are in contact only where they meet beyond what they share; two triangles over the same
//! three vertices meet beyond their edges when they have an interior. A closed body inside another is a
//! [`Containment`]. Lists are sorted and the same for every method that is complete, every number of threads,
//! every machine.

mod broad_phase;
mod bvh;
pub mod contacts;
pub mod exact;
mod image;
pub mod interference;
pub mod overlap_cells;
pub mod particles;
mod scene;
mod simd;
mod solid;
mod util;

#[doc(hidden)]
pub mod stages;

pub use broad_phase::BodyPair;
pub use bvh::{VisitedBox, Visits};
pub use contacts::{
    Candidates, Collider, ImageStages, Method, Options, PairContacts, Query, Report, Response, Stages,
};
pub use exact::{Contact, ContactShape};
pub use image::{Direction, Projection};
pub use scene::{
    Body, BodyId, Bounds, Components, Coordinate, Element, Mesh, MeshError, Open, Point, Pose, PoseError,
    Positions, Scene, SceneError, Topology, Version,
};
pub use solid::Containment;
