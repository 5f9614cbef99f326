//! Shapes made of nothing but numbers, each at about the number of triangles asked for.
//!
//! A closed shape is closed by construction (vertices are shared, never repeated) and its triangles turn
//! counter-clockwise seen from outside.

mod lattice;
mod limbs;
mod sheet;
mod solid;
mod sphere;
mod tube;

pub use lattice::{box_cells, lattice_box, subdivided_box};
pub use limbs::{Creature, creature, jet};
pub use sheet::{bowl, cloth, pipe, strip, terrain};
pub use solid::{hollow_shell, prism, tetrahedron};
pub use sphere::{bumpy_sphere, icosphere, sphere, uv_sphere};
pub use tube::{torus, torus_knot};

use crate::vector::{Point, add, cross, dot, norm, scale, sub};
use impinge::Mesh;

/// The most triangles any shape is made with: what `u32` indices and an ordinary machine hold with room to spare.
pub const MAX_TRIANGLES: usize = 1 << 26;

/// Vertices and triangles, before they become a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Vertex positions.
    pub positions: Vec<Point>,
    /// Vertex indices of every triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// Every vertex moved by a function.
    #[must_use]
    pub fn map(mut self, f: impl FnMut(Point) -> Point) -> Self {
        self.positions = self.positions.into_iter().map(f).collect();
        self
    }

    /// Larger or smaller.
    #[must_use]
    pub fn scaled(self, s: f64) -> Self {
        self.map(|p| scale(p, s))
    }

    /// Somewhere else.
    #[must_use]
    pub fn moved(self, t: Point) -> Self {
        self.map(|p| add(p, t))
    }

    /// Inside out.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        for triangle in &mut self.triangles {
            triangle.swap(1, 2);
        }
        self
    }

    /// Both shapes as one, sharing no vertex.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        let base = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|vertex| vertex + base)));
        self
    }

    /// The corners of one triangle.
    pub fn corners(&self, triangle: usize) -> [Point; 3] {
        self.triangles[triangle].map(|vertex| self.positions[vertex as usize])
    }

    /// Volume enclosed; negative when the shape is inside out.
    pub fn signed_volume(&self) -> f64 {
        let six = |t: usize| {
            let [a, b, c] = self.corners(t);
            dot(a, cross(b, c))
        };
        (0..self.triangles.len()).map(six).sum::<f64>() / 6.0
    }

    /// In double precision.
    ///
    /// # Panics
    /// When a coordinate is not finite or an index out of range, which no shape of this crate has.
    pub fn mesh(&self) -> Mesh {
        Mesh::new(self.positions.clone(), self.triangles.clone()).expect("shapes are valid")
    }

    /// Rounded to single precision, as most meshes come.
    ///
    /// # Panics
    /// As [`Shape::mesh`].
    pub fn mesh_f32(&self) -> Mesh {
        Mesh::new(rounded(&self.positions), self.triangles.clone()).expect("shapes are valid")
    }
}

/// Positions in single precision.
pub fn rounded(positions: &[Point]) -> Vec<[f32; 3]> {
    positions.iter().map(|p| p.map(|c| c as f32)).collect()
}

/// Radii of two balls about the origin: one that no triangle enters, and one that holds every vertex.
pub fn radii(mesh: &Mesh) -> (f64, f64) {
    let mut inner = f64::INFINITY;
    for triangle in 0..mesh.triangles().len() {
        let [a, b, c] = mesh.corners(triangle);
        let normal = cross(sub(b, a), sub(c, a));
        // The plane is nowhere further than the triangle. A triangle without area has no plane: no ball then.
        let length = norm(normal);
        inner = inner.min(if length > 0.0 { dot(a, normal).abs() / length } else { 0.0 });
    }
    let outer = mesh.positions().iter().map(norm).fold(0.0, f64::max);
    (if inner.is_finite() { inner } else { 0.0 }, outer)
}

/// Cells along and across a grid of `2 * along * across` triangles, `aspect` times as many along as across.
fn grid_cells(triangles: usize, aspect: f64, least: usize) -> [usize; 2] {
    let cells = triangles.min(MAX_TRIANGLES) as f64 / 2.0;
    let across = ((cells / aspect).sqrt().round() as usize).max(least);
    let along = ((cells / across as f64).round() as usize).max(least);
    [along, across]
}
