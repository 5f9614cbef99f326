//! The papers' tables, run again.

mod georgii_1;

pub use georgii_1::georgii_1;
