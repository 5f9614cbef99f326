//! Time and numbers of the stages that all questions share.

use std::time::Duration;

/// Time and numbers of every stage of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stages {
    /// Finding what changed and bringing boxes and hierarchies up to date; where one contact is enough with the broad phase.
    pub update: Duration,
    /// Sweep and prune over body boxes.
    pub broad_phase: Duration,
    /// Culling: from body pairs to patches of triangles whose boxes meet. Takes turns with the narrow phase, and the time
    /// is divided as the threads measured it; where one contact is enough all of it counts as narrow phase.
    pub culling: Duration,
    /// Float filters, exact triangle tests and sorting.
    pub narrow_phase: Duration,
    /// Containment of closed bodies.
    pub containment: Duration,
    /// Contact points and normals, when asked for.
    pub shapes: Duration,
    /// The whole call.
    pub total: Duration,
    /// Bodies in the scene.
    pub bodies: usize,
    /// Triangles in the scene.
    pub triangles: usize,
    /// Pairs of bodies whose boxes overlap, and bodies that look at themselves.
    pub body_pairs: usize,
    /// Triangle pairs whose boxes met (neighbours within a body apart, which are certified together).
    pub candidates: usize,
    /// Pairs that floats could not decide and exact arithmetic did, neighbours included.
    pub exact: usize,
    /// Contacts found.
    pub contacts: usize,
}
