//! Culling in object space: from body pairs to the triangle pairs that may touch.

pub mod brute_force;
pub(crate) mod lanes;
pub(crate) mod patches;

pub(crate) use patches::{Engine, rings};
pub use patches::{VisitedBox, Visits};
