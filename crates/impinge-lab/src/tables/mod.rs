//! The papers' tables, run again, and one of our own in the same form.

mod a_buffer;
mod breaking;
mod conservative;
mod crowd;
mod dinerstein_1;
mod dinerstein_4;
mod far;
mod fit;
mod georgii_1;
mod knott;
mod knott_recall;
mod measure;
mod particles;
mod placements;
mod sampling;

pub use a_buffer::a_buffer;
pub use conservative::conservative;
pub use dinerstein_1::dinerstein_1;
pub use dinerstein_4::dinerstein_4;
pub use far::far;
pub use georgii_1::georgii_1;
pub use knott::knott;
pub use particles::particles;
pub use sampling::sampling;
