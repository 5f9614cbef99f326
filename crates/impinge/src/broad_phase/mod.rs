//! From bodies to pairs of bodies whose boxes overlap.

mod body_pair;
mod sweep_and_prune;

pub use body_pair::BodyPair;
pub use sweep_and_prune::SweepAndPrune;
