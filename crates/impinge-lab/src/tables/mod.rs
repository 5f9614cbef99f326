//! The papers' tables, run again, and one of our own in the same form.

mod crowd;
mod fit;
mod georgii_1;
mod knott;
mod knott_recall;
mod measure;
mod sampling;

pub use georgii_1::georgii_1;
pub use knott::knott;
pub use sampling::sampling;
