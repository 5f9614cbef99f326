//! Points and poses from other crates and back, each behind the feature of its name. A number is never rounded on the
//! way: single precision becomes double, and what goes back is double. A pose that is not finite is refused as
//! `Pose::from_rows` refuses it; lists of points become `Positions`, which `Mesh::new` checks.

#[cfg(any(feature = "glam", feature = "mint", feature = "nalgebra"))]
mod columns;
#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "mint")]
mod mint;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "serde")]
pub(super) mod serde;
