//! The triangles that can be in a contact: those whose box intersects the region of overlap of their body,
//! and of those the ones in a voxel touched by several bodies. All triangles of a body with self-collision.
//!
//! A box contains its triangle, whatever the errors of the floats of its corners: with `e` the error of the
//! body, `m` the smallest float of the three and `u = 2^-24`, it begins at `m - (1.5 e + 8 u |m|)`. Whichever
//! way a device rounds, the sum in brackets has an error below `6u` of itself, and the difference below `2u`
//! of `|m|` and of the sum: what is left of it is at least `(1 - 8u) (1.5 e + 8 u |m|) - 2 u |m|`, and that
//! is more than `e`.

use super::region::{BodyInRegion, Region};
use crate::util::tolerance::{BOX_ERRORS, BOX_ROUNDOFFS, FLOAT_ROUNDOFF};

/// A triangle in region coordinates with its box. Six vec4 on the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// Smallest coordinates, rounded outward.
    pub low: [f32; 3],
    /// Largest coordinates, rounded outward.
    pub high: [f32; 3],
    /// Corners, in region coordinates.
    pub corners: [[f32; 3]; 3],
    /// Their vertices, numbered across all bodies.
    pub vertices: [u32; 3],
    /// The triangle, numbered across all bodies.
    pub triangle: u32,
    /// Index of its body.
    pub body: u32,
    /// Whether self-collision of the body is on.
    pub self_collision: bool,
    /// The error of a coordinate of a corner.
    pub error: f32,
}

impl Record {
    /// A triangle of a body, with its box.
    pub fn new(
        corners: [[f32; 3]; 3],
        vertices: [u32; 3],
        triangle: u32,
        (body, in_region): (u32, &BodyInRegion),
    ) -> Self {
        let [p, q, r] = corners;
        let wide = |x: f32| BOX_ERRORS * in_region.error + BOX_ROUNDOFFS * FLOAT_ROUNDOFF * x.abs();
        let (least, most) = (|k: usize| p[k].min(q[k]).min(r[k]), |k: usize| p[k].max(q[k]).max(r[k]));
        Self {
            low: std::array::from_fn(|k| least(k) - wide(least(k))),
            high: std::array::from_fn(|k| most(k) + wide(most(k))),
            corners,
            vertices,
            triangle,
            body,
            self_collision: in_region.self_collision,
            error: in_region.error,
        }
    }

    /// Whether its body may meet others here.
    pub fn meets_others(&self, in_region: &BodyInRegion) -> bool {
        (0..3).all(|k| self.low[k] <= in_region.high[k] && in_region.low[k] <= self.high[k])
    }

    /// Whether the boxes of two overlap.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }
}

/// A lattice of cells over a box. The cell of a coordinate is a monotone function of it, rounding included,
/// so that overlapping boxes share the cell of a common point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Where cells begin.
    pub low: [f32; 3],
    /// Cells per unit of the region.
    pub per_unit: [f32; 3],
    /// Cells along each axis, from 1 to 1024.
    pub cells: [u32; 3],
}

/// Cells of a lattice along an axis, at most: three numbers of ten bits fit in a word.
pub const MAX_CELLS_PER_AXIS: u32 = 1024;

impl Lattice {
    /// Cells with about these edges over the region.
    pub fn new(region: &Region, edge: [f32; 3]) -> Self {
        let size: [f32; 3] = std::array::from_fn(|k| (region.high[k] - region.low[k]).max(1e-30));
        let cells = std::array::from_fn(|k| {
            (size[k] / edge[k].max(1e-30)).clamp(1.0, MAX_CELLS_PER_AXIS as f32) as u32
        });
        Self { low: region.low, per_unit: std::array::from_fn(|k| cells[k] as f32 / size[k]), cells }
    }

    /// The cell of a coordinate; those outside are in the outermost cells. The cast takes what is below 0 to
    /// 0.
    #[inline]
    pub fn cell(&self, axis: usize, x: f32) -> u32 {
        (((x - self.low[axis]) * self.per_unit[axis]) as u32).min(self.cells[axis] - 1)
    }

    /// The first and the last cell of a box.
    pub fn span(&self, record: &Record) -> [[u32; 3]; 2] {
        [record.low, record.high].map(|corner| std::array::from_fn(|k| self.cell(k, corner[k])))
    }

    /// The index of a cell.
    #[inline]
    pub fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        ((z * self.cells[1] + y) * self.cells[0] + x) as usize
    }

    /// The number of cells.
    pub fn count(&self) -> usize {
        self.cells.iter().map(|n| *n as usize).product()
    }
}

/// Calls `visit` for every cell from one to another, both included.
pub fn each_cell([low, high]: [[u32; 3]; 2], mut visit: impl FnMut([u32; 3])) {
    for z in low[2]..=high[2] {
        for y in low[1]..=high[1] {
            for x in low[0]..=high[0] {
                visit([x, y, z]);
            }
        }
    }
}

/// The number of cells from one to another.
pub fn volume([low, high]: [[u32; 3]; 2]) -> u32 {
    (0..3).map(|k| high[k] - low[k] + 1).product()
}

/// Voxels for a number of triangles: 65,536 for large scenes, where from half to four times as many take
/// about the same time; a few per triangle of a small one, whose triangles would else be in very many of
/// them.
pub fn max_voxels(triangles: usize) -> usize {
    (8 * triangles).clamp(64, 65_536)
}

/// At most `most` voxels over a region, nearly cubes.
pub fn voxels(region: &Region, most: f32) -> Lattice {
    let size: [f32; 3] = std::array::from_fn(|k| region.high[k] - region.low[k]);
    let largest = size.iter().fold(0.0f32, |most, s| most.max(*s));
    // A flat region has fewer: no axis counts as less than a sixteenth of the longest.
    let volume = size.iter().fold(1.0f32, |volume, s| volume * (s / largest).max(1.0 / 16.0));
    Lattice::new(region, [largest * (volume / most).cbrt(); 3])
}

/// A voxel touched by several bodies.
pub const SEVERAL: u32 = u32::MAX;

/// The body that touches every voxel: 0 for none, 1 + its index, or [`SEVERAL`]. `others` says for every
/// record whether its body may meet others there; those that may not do not count.
pub fn touched(records: &[Record], others: &[bool], lattice: &Lattice) -> Vec<u32> {
    let mut touched = vec![0u32; lattice.count()];
    for (record, _) in records.iter().zip(others).filter(|(_, others)| **others) {
        each_cell(lattice.span(record), |cell| {
            let there = &mut touched[lattice.index(cell)];
            *there = if *there == 0 || *there == record.body + 1 { record.body + 1 } else { SEVERAL };
        });
    }
    touched
}

/// Drops triangles of bodies without self-collision where no other body touches one of their voxels. `others`
/// says for every record whether its body may meet others there.
pub fn voxel_filter(records: &mut Vec<Record>, others: &[bool], lattice: &Lattice) {
    let touched = touched(records, others, lattice);
    let mut at = 0;
    records.retain(|record| {
        let mut several = false;
        if others[at] {
            each_cell(lattice.span(record), |cell| several |= touched[lattice.index(cell)] == SEVERAL);
        }
        at += 1;
        several || record.self_collision
    });
}
