//! Scenes with known answers, made from nothing but a number of triangles and a seed, and the runner that puts every
//! method of the library through them.
//!
//! ```
//! let mut motion = impinge_lab::find("pile").unwrap().build(400, 0);
//! motion.set_frame(2)?;
//! let mut collider = impinge::Collider::default();
//! let report = collider.collide(&motion.scene)?;
//! assert!(motion.known().contacts.unwrap().allows(report.contacts.len()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answers;
pub mod families;
pub mod hail;
pub mod known;
pub mod oracle;
pub mod particles;
pub mod rng;
pub mod runner;
pub mod shapes;
pub mod soak;
pub mod tables;
pub mod vector;

mod motion;
mod scenes;
mod tentacles;

pub use known::KnownAnswer;
pub use motion::{Actor, DeformedBy, KnownBy, Motion, PosedBy, Track};
pub use scenes::{LabScene, all, find};
pub use tentacles::Tentacles;
