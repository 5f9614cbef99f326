//! What methods count that look along rays.

use super::depth_peel::peel::Rule;
use std::time::Duration;

/// What a method saw that looks at the scene along rays, and the time of its stages, all views
/// together. Where a GPU did the work, times are what the CPU waited for, unless it says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RayStats {
    /// Rays across and down.
    pub resolution: [u32; 2],
    /// Views looked from.
    pub views: usize,
    /// Most surfaces any ray meets: the depth complexity.
    pub deepest: u32,
    /// Layers peeled, at most.
    pub layers: u32,
    /// Whether some ray had more layers than were peeled: a limit of the caller was reached.
    pub limited: bool,
    /// Surfaces that all rays together meet where bodies may collide, for a method that keeps them all.
    pub fragments: usize,
    /// Collision rays; for [`super::Method::ABuffer`], rays that meet two surfaces near each other.
    pub rays: usize,
    /// Triangles that collision rays may pass; from a GPU, only these are read back.
    pub read_back: usize,
    /// Bytes of triangles and counters read back from a GPU.
    pub bytes_read_back: usize,
    /// Triangles that took part in an exact test.
    pub involved: usize,
    /// Exact tests.
    pub tests: usize,
    /// Vertices to image coordinates.
    pub project: Duration,
    /// From triangles to collision rays.
    pub sample: Duration,
    /// From collision rays to boxes of ray bundles.
    pub merge: Duration,
    /// From boxes to rectangles of triangles.
    pub separate: Duration,
    /// From the sparse list to the dense one; from a GPU, with the time to read it back.
    pub pack: Duration,
}

impl RayStats {
    /// Adds what one view saw.
    pub fn saw(&mut self, rule: &Rule, deepest: u32, rays: usize) {
        self.deepest = self.deepest.max(deepest);
        self.layers = self.layers.max(rule.layers().min(deepest));
        self.limited |= rule.layers() < deepest;
        self.rays += rays;
    }
}
