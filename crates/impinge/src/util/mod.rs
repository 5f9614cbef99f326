//! Shared by every question: threads, clocks, error bounds. Knows nobody.

pub(crate) mod clock;
pub(crate) mod hash;
pub(crate) mod query;
pub(crate) mod stages;
pub(crate) mod threads;
pub mod tolerance;
