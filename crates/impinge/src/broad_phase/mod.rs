//! From bodies to pairs of bodies whose boxes overlap.

mod body_pair;
mod frame;
mod sweep_and_prune;

pub use body_pair::BodyPair;
pub use frame::{BroadPhase, Frame, FrameBodies, Survey};
pub use sweep_and_prune::SweepAndPrune;
