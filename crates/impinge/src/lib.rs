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

pub mod broad_phase;
pub mod image_space;
pub mod narrow_phase;
pub mod object_space;
pub mod particles;

mod body_pairs;
mod bounds;
mod candidates;
mod collide;
mod mesh;
mod pose;
mod report;
mod scene;
mod threads;
pub mod tolerance;
mod topology;
mod vector;

pub use body_pairs::BodyPair;
pub use bounds::Bounds;
pub use candidates::Candidates;
pub use collide::{Collider, Method, Options, Query};
pub use mesh::{Coordinate, Mesh, MeshError, Point, Positions};
pub use narrow_phase::ContactShape;
pub use pose::{Pose, PoseError};
pub use report::{Contact, Containment, Element, ImageStages, PairContacts, Report, Response, Stages};
pub use scene::{Body, BodyId, Scene, SceneError, Version};
pub use topology::{Components, Open, Topology};
