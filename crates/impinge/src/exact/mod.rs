//! Whether two triangles touch, exactly, and the points they share. **A wrong contact that `brute_force` reports too is fixed
//! here.**
//!
//! | file | what it decides |
//! |---|---|
//! | `predicates.rs` | signs of determinants for every finite double: a float filter with Shewchuk's bound, `robust` within the range where its error terms cannot leave `f64`, big integers beyond |
//! | `triangle_pair.rs` | two triangles whose planes cross |
//! | `batch.rs` | the same for eight pairs at a time, where coordinates have few enough bits |
//! | `coplanar.rs` | everything coplanar or degenerate: points, segments, triangles in one plane |
//! | `neighbours.rs` | triangles of one body that share vertices: whether they meet beyond what they share |
//! | `shape.rs` | the shared points: plain `f64`, decides nothing, and says so |
//!
//! Closed bodies inside one another are `crate::solid`'s. The oracle of all of this is rational arithmetic that shares no
//! code with it: `impinge-lab/src/oracle/`, run by `cargo xtask oracle`.

pub(crate) mod batch;
mod contact;
pub(crate) mod coplanar;
mod neighbours;
pub(crate) mod predicates;
mod response;
pub(crate) mod shape;
pub(crate) mod triangle_pair;
mod world_triangle;

pub use contact::{Contact, PairContacts};
pub use neighbours::neighbours_touch;
pub use response::Response;
pub(crate) use response::responses;
pub(crate) use shape::shapes;
pub use shape::{ContactShape, contact_shape};
pub use triangle_pair::triangles_touch;
pub use world_triangle::WorldTriangle;
