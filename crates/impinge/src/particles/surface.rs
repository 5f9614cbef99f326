//! The triangles of a mesh in the world, in a tree of boxes. The order of the triangles is the library's own
//! (`bvh`), which is made to be a tree: a node over `n` triangles has the first of them on its left.

use super::affine::dot;
use super::curtain::Curtain;
use super::error::ColliderFault;
use super::particle::Path;
use crate::bvh::order::{centres, left_count, order};
use crate::scene::vector::cross;
use crate::scene::{Bounds, Mesh, Point, Pose};
use crate::simd::Machine;

/// Triangles of a leaf, at most: what the order keeps together.
const LEAF: usize = 8;

/// A mesh to be hit.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    corners: Vec<[Point; 3]>,
    /// Triangles in the order of the tree.
    order: Vec<u32>,
    /// In preorder.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// Triangles below it, as a part of the order; none unless it is a leaf.
    first: u32,
    count: u32,
    /// The node after all that are below it.
    next: u32,
}

impl Surface {
    pub(crate) fn new(mesh: &Mesh, pose: &Pose) -> Result<Self, ColliderFault> {
        if mesh.triangles().is_empty() {
            return Err(ColliderFault::EmptyMesh);
        }
        let mut keys = Vec::new();
        centres(mesh, None, &mut keys);
        order(&mut keys, Machine::detect());
        let order: Vec<u32> = keys.iter().map(|key| key.triangle).collect();
        let corners: Vec<[Point; 3]> =
            (0..mesh.triangles().len()).map(|t| mesh.corners(t).map(|p| pose.apply(p))).collect();
        if let Some(value) = corners.iter().flatten().flatten().find(|c| !c.is_finite()) {
            return Err(ColliderFault::NotFinite { what: "a vertex in the world", value: *value });
        }
        let mut surface = Self { corners, order, nodes: Vec::new() };
        surface.build(0, surface.order.len());
        Ok(surface)
    }

    fn build(&mut self, first: usize, count: usize) -> Bounds {
        let place = self.nodes.len();
        let leaf = count <= LEAF;
        let (listed, next) = (if leaf { count as u32 } else { 0 }, 0);
        self.nodes.push(Node { bounds: Bounds::EMPTY, first: first as u32, count: listed, next });
        let bounds = if leaf {
            let triangles = &self.order[first..first + count];
            Bounds::of(triangles.iter().flat_map(|&t| self.corners[t as usize]))
        } else {
            let left = left_count(count).min(count - 1);
            let bounds = self.build(first, left);
            bounds.union(self.build(first + left, count - left))
        };
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[place];
        (node.bounds, node.next) = (bounds, next);
        bounds
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.nodes[0].bounds
    }

    /// Across a triangle, of any length; zero when it has none.
    #[inline]
    pub(crate) fn normal(&self, triangle: u32) -> Point {
        let [a, b, c] = self.corners[triangle as usize];
        cross(std::array::from_fn(|k| b[k] - a[k]), std::array::from_fn(|k| c[k] - a[k]))
    }

    /// On which side of a triangle's plane a point is.
    #[inline]
    pub(crate) fn side(&self, triangle: u32, p: Point) -> f64 {
        let [a, ..] = self.corners[triangle as usize];
        dot(self.normal(triangle), std::array::from_fn(|k| p[k] - a[k]))
    }

    /// Every hit of a path whose box is `swept`, in `after < t <= until`; in no order.
    pub(crate) fn hits(
        &self,
        path: &Path,
        [after, until]: [f64; 2],
        swept: &Bounds,
        found: &mut impl FnMut(f64, u32),
    ) {
        let Some(curtain) = Curtain::new(path) else { return };
        let mut place = 0;
        while let Some(node) = self.nodes.get(place) {
            if !node.bounds.overlaps(swept) {
                place = node.next as usize;
                continue;
            }
            for &triangle in &self.order[node.first as usize..(node.first + node.count) as usize] {
                let corners = &self.corners[triangle as usize];
                curtain.hits(corners, [after, until], |t| found(t, triangle));
            }
            place += 1;
        }
    }
}
