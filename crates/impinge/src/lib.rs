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
//! let report = collider.collide(&scene)?;
//! assert_eq!(report.contacts.len(), 1);
//! assert_eq!((report.pairs[0].a, report.pairs[0].b), (a, b));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every question has a folder with its call, options, report and methods: which triangles touch ([`contacts`]), which edges are
//! inside which solids ([`interference`]), which cells two bodies share ([`overlap_cells`]), what particles hit ([`particles`]).
//!
//! **The contract.** A *contact* is a pair of triangles whose closed point sets share at least one point, decided
//! without rounding error for the world coordinates (see [`Pose::apply`]). Triangles of one body that share a
//! vertex or an edge are in contact only where they meet beyond what they share; two triangles over the same
//! three vertices meet beyond their edges when they have an interior. A closed body inside another is a
//! [`Containment`]. Lists are sorted and the same for every method that is complete, every number of threads,
//! every machine.
//!
//! **Features**, none of them on by default. Points are arrays, which `glam`, `mint` and `nalgebra` convert by themselves.
//!
//! | feature | what it adds |
//! |---|---|
//! | `glam` | [`Pose`] from `DAffine3`, `Affine3A`, `DMat4`, `Mat4`, and to the double ones; [`Positions`] from lists of `DVec3`, `Vec3`, `Vec3A` |
//! | `mint` | [`Pose`] from and to 3 x 4 and 4 x 4 matrices by rows or columns; [`Positions`] from lists of `Point3`, `Vector3` |
//! | `nalgebra` | [`Pose`] from `Isometry3`, `Similarity3`, `Affine3`, `Matrix4`, `Matrix3x4`, and to the last three; [`Positions`] from lists of `Point3`, `Vector3` |
//! | `serde` | [`Mesh`], [`Positions`], [`Pose`], [`BodyId`], [`Element`], [`Contact`] and [`Containment`] to store and read, checked where a mesh or a pose is read; [`Report`], [`interference::Interference`] and [`overlap_cells::Overlaps`] with all they hold to store |

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
pub use contacts::{Collider, ContactError, Method, MethodStats, Options, Report};
pub use exact::{Contact, ContactShape, PairContacts, Response, WorldTriangle};
pub use image::{Direction, Projection};
pub use scene::{
    Body, BodyId, Bounds, Components, Coordinate, Element, ExternalBody, Mesh, MeshError, Open, Point, Pose,
    PoseError, Positions, Scene, SceneError, Topology, Version,
};
pub use solid::Containment;
pub use util::query::Query;
pub use util::stages::Stages;
