//! From bodies to pairs of bodies whose boxes overlap.

mod sweep_and_prune;

pub use sweep_and_prune::SweepAndPrune;
