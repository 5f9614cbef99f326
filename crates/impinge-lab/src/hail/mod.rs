//! Hail on roofs, a table and a can (Knott 2003, section 3.6.2): the scene, and what is heard of it.

mod scene;
mod sound;
mod wav;

pub use scene::{HailOptions, Prop, description, props, strikes};
pub use sound::{LONGEST, Material, Mode, PEAK, SAMPLE_RATE, Sound, SoundError, Strike, synthesise};
pub use wav::wav_bytes;
