//! The stages of the methods, for the other crates of this workspace. Nothing here is promised to stay.

pub use crate::broad_phase::{BroadPhase, Frame, FrameBodies, Survey, SweepAndPrune};
pub use crate::contacts::{CandidateSink, Completeness, Culler, Driver, ThreadSink};
pub use crate::exact::batch::decide_everywhere;
pub use crate::image::*;
pub use crate::scene::BodyBoxes;
pub use crate::solid::thickness::{ClosedSurface, thickness};
pub use crate::util::clock::Clock;
pub use crate::util::tolerance;

/// Stages of [`crate::Method::ABuffer`].
pub mod a_buffer {
    pub use crate::contacts::a_buffer::*;
}

/// Stages of [`crate::Method::Cullide`].
pub mod cullide {
    pub use crate::contacts::cullide::*;
}

/// Stages of [`crate::Method::DepthPeel`].
pub mod depth_peel {
    pub use crate::contacts::depth_peel::*;
}

/// Stages of [`crate::Method::Grid`].
pub mod grid {
    pub use crate::contacts::grid::*;
}

/// Stages of [`crate::interference`].
pub mod interference {
    pub use crate::interference::*;
}

/// Stages of [`crate::overlap_cells`].
pub mod overlap_cells {
    pub use crate::overlap_cells::*;
}
