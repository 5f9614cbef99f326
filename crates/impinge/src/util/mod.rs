//! Shared by every question: threads, clocks, error bounds. Knows nobody.

pub(crate) mod clock;
pub(crate) mod threads;
pub mod tolerance;
