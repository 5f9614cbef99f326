//! An indexed triangle mesh, validated once: every coordinate finite, every index in range.
//!
//! Coordinates are kept as they came, `f32` or `f64`; every reader sees them as `f64`, which loses nothing.

use super::Topology;
use crate::simd::{Kernel, Lanes, Machine};
use crate::util::threads;
use rayon::prelude::*;

/// A point in space. A plain array, so that no vector library's version is forced on anybody.
pub type Point = [f64; 3];

/// The vertex positions of a mesh, as wide as the caller gave them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Positions {
    /// Single precision; each coordinate is also an exact `f64`.
    F32(Vec<[f32; 3]>),
    /// Double precision.
    F64(Vec<[f64; 3]>),
}

impl Positions {
    /// Number of vertices.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::F32(p) => p.len(),
            Self::F64(p) => p.len(),
        }
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Position of one vertex.
    #[inline]
    pub fn get(&self, vertex: usize) -> Point {
        match self {
            Self::F32(p) => p[vertex].map(f64::from),
            Self::F64(p) => p[vertex],
        }
    }

    /// All positions, in order.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.len()).map(|vertex| self.get(vertex))
    }

    /// Largest absolute coordinate (0 when empty), or the first coordinate that is not finite.
    pub(crate) fn magnitude(&self) -> Result<f64, MeshError> {
        match self {
            Self::F32(p) => magnitude(p),
            Self::F64(p) => magnitude(p),
        }
    }
}

impl From<Vec<[f32; 3]>> for Positions {
    fn from(positions: Vec<[f32; 3]>) -> Self {
        Self::F32(positions)
    }
}

impl From<Vec<[f64; 3]>> for Positions {
    fn from(positions: Vec<[f64; 3]>) -> Self {
        Self::F64(positions)
    }
}

/// `f32` or `f64`: what a coordinate may be given as.
pub trait Coordinate: Copy + Into<f64> + private::Sealed {
    /// Overwrites `stored` with `given`, reusing its memory when the width is the same.
    #[doc(hidden)]
    fn store(given: &[[Self; 3]], stored: &mut Positions);
    /// Largest absolute value; infinite or NaN when one of them is.
    #[doc(hidden)]
    fn largest(values: &[Self]) -> f64;
}

mod private {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Coordinate for f32 {
    fn store(given: &[[f32; 3]], stored: &mut Positions) {
        match stored {
            Positions::F32(p) => overwrite(p, given),
            Positions::F64(_) => *stored = Positions::F32(given.to_vec()),
        }
    }

    fn largest(values: &[f32]) -> f64 {
        let machine = Machine::detect();
        largest_of(values, |some| machine.run(Largest(some)))
    }
}

impl Coordinate for f64 {
    fn store(given: &[[f64; 3]], stored: &mut Positions) {
        match stored {
            Positions::F64(p) => overwrite(p, given),
            Positions::F32(_) => *stored = Positions::F64(given.to_vec()),
        }
    }

    fn largest(values: &[f64]) -> f64 {
        let machine = Machine::detect();
        largest_of(values, |some| machine.run(Largest(some)))
    }
}

/// Numbers per task, where threads share them: only a caller that runs in a pool has company.
const TASK: usize = 1 << 16;

fn overwrite<T: Copy + Send + Sync>(stored: &mut Vec<[T; 3]>, given: &[[T; 3]]) {
    if threads::many() && given.len() > TASK && stored.len() == given.len() {
        let tasks = stored.par_chunks_mut(TASK / 2).zip(given.par_chunks(TASK / 2));
        tasks.for_each(|(stored, given)| stored.copy_from_slice(given));
    } else {
        stored.clear();
        stored.extend_from_slice(given);
    }
}

/// The largest of the largest; all are positive, and not a number is the largest of all, as bits are.
fn largest_of<T: Sync>(values: &[T], largest: impl Fn(&[T]) -> f64 + Sync) -> f64 {
    if threads::many() && values.len() > TASK {
        let bits = values.par_chunks(TASK).map(|some| largest(some).to_bits()).max();
        f64::from_bits(bits.unwrap_or(0))
    } else {
        largest(values)
    }
}

/// The largest absolute value, compiled for this machine's lanes.
struct Largest<'a, T>(&'a [T]);

impl Kernel for Largest<'_, f32> {
    type Output = f64;
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> f64 {
        // Without their signs, floats sort like their bits, infinity and then NaN last. No branch, so it vectorises.
        let mut most = 0;
        for x in self.0 {
            most = most.max(x.to_bits() & (u32::MAX >> 1));
        }
        f64::from(f32::from_bits(most))
    }
}

impl Kernel for Largest<'_, f64> {
    type Output = f64;
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> f64 {
        let mut most = 0;
        for x in self.0 {
            most = most.max(x.to_bits() & (u64::MAX >> 1));
        }
        f64::from_bits(most)
    }
}

/// Largest absolute coordinate, or the first one that is not finite. The place of a bad coordinate is looked for only
/// when there is one.
pub(crate) fn magnitude<T: Coordinate>(positions: &[[T; 3]]) -> Result<f64, MeshError> {
    let largest = T::largest(positions.as_flattened());
    if largest.is_finite() {
        return Ok(largest);
    }
    for (vertex, p) in positions.iter().enumerate() {
        for axis in 0..3 {
            let value: f64 = p[axis].into();
            if !value.is_finite() {
                return Err(MeshError::NotFinite { vertex, axis, value });
            }
        }
    }
    Ok(f64::MAX) // not reached: a maximum that is not finite has such a coordinate behind it
}

/// Vertices or triangles of one mesh: a `u32` can number three corners of each.
const MOST_ELEMENTS: usize = 1 << 30;

/// What is wrong with a mesh, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has {} = {value}; coordinates must be finite", ["x", "y", "z"][*axis])]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
        /// 0, 1, 2 for x, y, z.
        axis: usize,
        /// The coordinate.
        value: f64,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} refers to vertex {index}, but there are {vertices} vertices")]
    IndexOutOfRange {
        /// Index of the triangle.
        triangle: usize,
        /// The index it holds.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// More vertices or triangles than are supported in one mesh.
    #[error("{count} {what}; at most {MOST_ELEMENTS} are supported in one mesh")]
    TooMany {
        /// "vertices" or "triangles".
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// New positions for a mesh with another number of vertices.
    #[error("{given} positions given for {expected} vertices")]
    WrongLength {
        /// How many were given.
        given: usize,
        /// How many the mesh has.
        expected: usize,
    },
}

/// Triangles over shared vertices.
///
/// Degenerate triangles (a segment, a point, even a repeated index) are kept: they can collide.
///
/// ```
/// let tetrahedron = impinge::Mesh::new(
///     vec![[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
///     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
/// )?;
/// assert!(tetrahedron.topology().is_closed());
/// assert_eq!(tetrahedron.corners(3), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
/// # Ok::<(), impinge::MeshError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "super::interop::serde::Unchecked"))]
pub struct Mesh {
    positions: Positions,
    triangles: Vec<[u32; 3]>,
    #[cfg_attr(feature = "serde", serde(skip))]
    magnitude: f64,
}

impl Mesh {
    /// Checks every coordinate and every index.
    pub fn new(positions: impl Into<Positions>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        let positions = positions.into();
        for (what, count) in [("vertices", positions.len()), ("triangles", triangles.len())] {
            if count > MOST_ELEMENTS {
                return Err(MeshError::TooMany { what, count });
            }
        }
        let magnitude = positions.magnitude()?;
        let vertices = positions.len();
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertices) {
                return Err(MeshError::IndexOutOfRange { triangle, index, vertices });
            }
        }
        Ok(Self { positions, triangles, magnitude })
    }

    /// Vertex positions.
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// Vertex indices of every triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corner positions of one triangle.
    #[inline]
    pub fn corners(&self, triangle: usize) -> [Point; 3] {
        self.triangles[triangle].map(|vertex| self.positions.get(vertex as usize))
    }

    /// Largest absolute coordinate of any vertex.
    pub fn magnitude(&self) -> f64 {
        self.magnitude
    }

    /// Edges, adjacency, boundary, orientation: computed now, from scratch.
    pub fn topology(&self) -> Topology {
        Topology::new(self)
    }

    /// Moves every vertex. The mesh is unchanged when this fails.
    pub fn set_positions<T: Coordinate>(&mut self, positions: &[[T; 3]]) -> Result<(), MeshError> {
        let magnitude = self.check_positions(positions)?;
        self.store_positions(positions, magnitude);
        Ok(())
    }

    /// The magnitude of positions that this mesh can take.
    pub(crate) fn check_positions<T: Coordinate>(&self, positions: &[[T; 3]]) -> Result<f64, MeshError> {
        if positions.len() != self.positions.len() {
            return Err(MeshError::WrongLength { given: positions.len(), expected: self.positions.len() });
        }
        magnitude(positions)
    }

    /// Stores what [`Self::check_positions`] has checked.
    pub(crate) fn store_positions<T: Coordinate>(&mut self, positions: &[[T; 3]], magnitude: f64) {
        T::store(positions, &mut self.positions);
        self.magnitude = magnitude;
    }
}
