//! What culling hands to the narrow phase.

use crate::broad_phase::BodyPair;

/// Triangle pairs of one body pair that may touch. Within one body, the lower triangle comes first.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// The bodies.
    pub bodies: BodyPair,
    /// Triangle of `bodies.a`, triangle of `bodies.b`; not sorted, no pair twice.
    pub unsorted_triangles: Vec<[u32; 2]>,
}
