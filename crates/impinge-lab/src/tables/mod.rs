//! The papers' tables, run again, and one of our own in the same form.

mod georgii_1;
mod measure;
mod sampling;

pub use georgii_1::georgii_1;
pub use sampling::sampling;
