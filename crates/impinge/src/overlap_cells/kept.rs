//! What is known of a body while it stays as it is.

use super::facing::Facets;
use crate::scene::{Body, Bounds, Point, Version};

/// What is kept of a body while its versions stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    placed: Option<(Version, Version)>,
    /// In the world.
    pub(crate) bounds: Bounds,
    shape: Option<(Version, Version)>,
    /// In its own coordinates.
    pub(crate) local: Bounds,
    pub(crate) facets: Facets,
    /// Of the vertices; empty until somebody asks.
    pub(crate) normals: Vec<Point>,
    topology: Option<Version>,
    /// Whether every edge has an even number of triangles.
    pub(crate) closed: bool,
    /// Whether all triangles hang together through edges.
    pub(crate) one_piece: bool,
    /// Whether every vertex is one of a triangle: then its boxes are those of its surface.
    pub(crate) all_used: bool,
}

impl Kept {
    /// Of a body that somebody else holds, who says where it is and whether it is closed.
    pub(crate) fn elsewhere(bounds: Bounds, local: Bounds, closed: bool) -> Self {
        Self { bounds, local, closed, ..Self::default() }
    }

    /// Takes in what changed.
    pub(crate) fn follow(&mut self, body: &Body) {
        let placed = Some((body.positions_version(), body.pose_version()));
        if self.placed != placed {
            self.placed = placed;
            self.bounds =
                Bounds::of((0..body.mesh().positions().len()).map(|vertex| body.world_position(vertex)));
        }
        let shape = Some((body.positions_version(), body.topology_version()));
        if self.shape != shape {
            self.shape = shape;
            self.local = Bounds::of(body.mesh().positions().iter());
            self.facets = Facets::of(body.mesh());
            self.normals.clear();
        }
        let topology = Some(body.topology_version());
        if self.topology != topology {
            self.topology = topology;
            let edges = body.mesh().topology();
            self.closed = edges.is_closed();
            // Every triangle must hang together with the others; those without edges do not.
            let pieces = edges.components();
            self.one_piece = pieces.count == 1 && pieces.labels.iter().all(|label| *label == 0);
            let mut used = vec![false; body.mesh().positions().len()];
            body.mesh().triangles().iter().flatten().for_each(|vertex| used[*vertex as usize] = true);
            self.all_used = used.into_iter().all(|used| used);
        }
    }
}
