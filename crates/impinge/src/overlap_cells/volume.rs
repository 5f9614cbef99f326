//! Where is looked: a box in space along any three axes, and its cells (figure 1).

use crate::image::view::{frame_around, power_of_two};
use crate::scene::{Bounds, Point};
use crate::util::tolerance::{FAR_AWAY, MAX_REACH_CELLS, SCREEN_SLACK, UNIT_ROUNDOFF};

/// A box along three axes at right angles to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Volume {
    /// Across, down, along the depth; each of length 1.
    pub axes: [Point; 3],
    /// Where it begins along each axis.
    pub low: [f64; 3],
    /// Where it ends.
    pub high: [f64; 3],
}

/// A product of coordinates that never overflows where the result does not.
pub(crate) fn along(axis: Point, p: Point) -> f64 {
    // Quartered first: three terms of the largest coordinates add up.
    4.0 * (axis[0] * (p[0] / 4.0) + axis[1] * (p[1] / 4.0) + axis[2] * (p[2] / 4.0))
}

impl Volume {
    /// Axes for depth along a direction.
    pub(crate) fn axes(direction: Point) -> [Point; 3] {
        let d = crate::scene::vector::unit(direction).unwrap_or([0.0, 0.0, 1.0]);
        let [u, v] = frame_around(d);
        [u, v, d]
    }

    /// The smallest around some points.
    pub(crate) fn around(axes: [Point; 3], points: impl Iterator<Item = Point>) -> Self {
        let nothing = Self { axes, low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };
        points.fold(nothing, |mut volume, p| {
            for k in 0..3 {
                let at = along(axes[k], p);
                volume.low[k] = volume.low[k].min(at);
                volume.high[k] = volume.high[k].max(at);
            }
            volume
        })
    }

    /// What two boxes along the same axes have in common.
    pub(crate) fn common(&self, other: &Self) -> Self {
        Self {
            axes: self.axes,
            low: std::array::from_fn(|k| self.low[k].max(other.low[k])),
            high: std::array::from_fn(|k| self.high[k].min(other.high[k])),
        }
    }

    /// Whether it holds no point.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|k| self.low[k] > self.high[k])
    }

    /// How far it reaches along each axis.
    pub fn size(&self) -> [f64; 3] {
        std::array::from_fn(|k| (self.high[k] - self.low[k]).max(0.0))
    }

    /// The point at some coordinates along the axes. A plain `f64` construction.
    pub fn point(&self, at: [f64; 3]) -> Point {
        std::array::from_fn(|i| (0..3).map(|k| self.axes[k][i] * at[k]).sum())
    }

    /// Its corners.
    pub fn corners(&self) -> [Point; 8] {
        std::array::from_fn(|c| {
            self.point(std::array::from_fn(|k| if c >> k & 1 == 0 { self.low[k] } else { self.high[k] }))
        })
    }

    /// The smallest box along the axes of the world that holds it.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.corners())
    }

    /// Grown on every side, along each axis.
    pub(crate) fn grown(&self, by: [f64; 3]) -> Self {
        Self {
            axes: self.axes,
            low: std::array::from_fn(|k| self.low[k] - by[k]),
            high: std::array::from_fn(|k| self.high[k] + by[k]),
        }
    }
}

/// A volume cut into pixels and slices: `cell = rows * (world / unit)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Cells across, down, deep.
    pub cells: [u32; 3],
    /// What they fill.
    pub volume: Volume,
    /// A power of two near the size of the bodies, so that no product overflows.
    pub unit: f64,
    /// Affine rows: cells across, cells down, cells deep.
    pub rows: [[f64; 4]; 3],
}

impl Grid {
    /// Cells of a volume, or of one a little larger where that is very small compared to `whole`, which holds the bodies, or to
    /// `magnitude`, the largest number on the way to their world coordinates.
    pub(crate) fn new(volume: &Volume, whole: &Volume, magnitude: f64, cells: [u32; 3]) -> Self {
        let unit = power_of_two(magnitude);
        let mut wide = *volume;
        let rows = std::array::from_fn(|k| {
            let (low, high) = (volume.low[k] / unit, volume.high[k] / unit);
            // Of the coordinates too, so that doubles can tell cells apart far from the origin.
            let least = (whole.size()[k] / unit).max(magnitude / unit / FAR_AWAY) * f64::from(cells[k])
                / MAX_REACH_CELLS;
            let size = (high - low).max(least);
            // Everything in one point of the world: any cell will do.
            let size = if size > 0.0 { size } else { 1.0 };
            let middle = f64::midpoint(low, high);
            let scale = f64::from(cells[k]) / size;
            (wide.low[k], wide.high[k]) = ((middle - size / 2.0) * unit, (middle + size / 2.0) * unit);
            let axis = volume.axes[k];
            [axis[0] * scale, axis[1] * scale, axis[2] * scale, f64::from(cells[k]) / 2.0 - middle * scale]
        });
        Self { cells, volume: wide, unit, rows }
    }

    /// Where a point is, in cells.
    #[inline]
    pub fn project(&self, p: Point) -> Point {
        let p = p.map(|c| c / self.unit);
        self.rows.map(|[a, b, c, t]| p[0] * a + p[1] * b + p[2] * c + t)
    }

    /// The world point at a place in cells. A plain `f64` construction.
    pub fn unproject(&self, at: Point) -> Point {
        let size = self.volume.size();
        self.volume
            .point(std::array::from_fn(|k| self.volume.low[k] + at[k] / f64::from(self.cells[k]) * size[k]))
    }

    /// The part of the volume from one cell to another, both included.
    pub(crate) fn part(&self, low: [u32; 3], high: [u32; 3]) -> Volume {
        let size = self.volume.size();
        let at =
            |k: usize, cell: u32| self.volume.low[k] + f64::from(cell) / f64::from(self.cells[k]) * size[k];
        Volume {
            axes: self.volume.axes,
            low: std::array::from_fn(|k| at(k, low[k])),
            high: std::array::from_fn(|k| at(k, high[k] + 1)),
        }
    }

    /// World length of the diagonal of a cell.
    pub(crate) fn diagonal(&self) -> f64 {
        let size = self.volume.size();
        let square = |k: usize| (size[k] / self.unit / f64::from(self.cells[k])).powi(2);
        (0..3).map(square).sum::<f64>().sqrt() * self.unit
    }

    /// By how many cells a surface is widened, so that the errors of its vertices, and of everything computed from them in
    /// floats, do not matter: see [`super::cover`]. `reach` is the most cells that the terms of a coordinate add up to in
    /// floats.
    pub fn widening(reach: [f32; 3]) -> [f32; 3] {
        // What is no number is as large as can be: then nothing is told apart.
        reach.map(|cells| if cells.is_finite() { 2.0 * SCREEN_SLACK * cells.max(1.0) } else { f32::MAX })
    }

    /// The errors of doubles, as if they were those of floats of so many cells: world coordinates are rounded, and so is every
    /// step from there to cells. `magnitude` is the largest number on the way.
    pub fn rounding(&self, magnitude: f64) -> [f32; 3] {
        std::array::from_fn(|k| {
            let scale = f64::from(self.cells[k]) / (self.volume.size()[k] / self.unit);
            (16.0 * UNIT_ROUNDOFF / f64::from(SCREEN_SLACK) * (magnitude / self.unit) * scale) as f32
        })
    }

    /// The most cells that any coordinate of what is in a volume has, with [`Self::rounding`].
    pub(crate) fn reach(&self, whole: &Volume, magnitude: f64) -> [f32; 3] {
        let rounding = self.rounding(magnitude);
        std::array::from_fn(|k| {
            let scale = f64::from(self.cells[k]) / (self.volume.size()[k] / self.unit);
            let from = self.volume.low[k] / self.unit;
            let far = (from - whole.low[k] / self.unit).abs().max((whole.high[k] / self.unit - from).abs());
            (far * scale + f64::from(self.cells[k])) as f32 + rounding[k]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_cell_lies_there() {
        for direction in [[0.0, 0.0, 1.0], [1.0, 2.0, -0.5], [0.0, -1.0, 0.0]] {
            let axes = Volume::axes(direction);
            let volume = Volume { axes, low: [1.0, 2.0, 3.0], high: [2.0, 4.0, 3.5] };
            let grid = Grid::new(&volume, &volume.grown([5.0; 3]), 9.0, [32, 64, 16]);
            for at in [[0.0, 0.0, 0.0], [32.0, 64.0, 16.0], [7.5, 3.25, 15.0]] {
                let there = grid.project(grid.unproject(at));
                assert!((0..3).all(|k| (there[k] - at[k]).abs() < 1e-9), "{at:?} {there:?}");
            }
            let part = grid.part([0, 0, 0], [31, 63, 15]);
            assert!((0..3).all(|k| (part.low[k] - volume.low[k]).abs() < 1e-12));
            assert!((0..3).all(|k| (part.high[k] - volume.high[k]).abs() < 1e-12));
        }
    }

    #[test]
    fn flat_huge_and_tiny_volumes_have_cells() {
        for size in [1e-300, 1e-3, 1.0, 1e30, 1e300] {
            let axes = Volume::axes([0.0, 0.0, 1.0]);
            let whole = Volume { axes, low: [-size; 3], high: [size; 3] };
            let flat = Volume { axes, low: [-size, -size, size], high: [size; 3] };
            let grid = Grid::new(&flat, &whole, size, [32, 32, 16]);
            let p = grid.project([size / 2.0, 0.0, size]);
            assert!((p[0] - 24.0).abs() < 1e-6 && (p[2] - 8.0).abs() < 1e-3, "{size}: {p:?}");
            assert!(grid.reach(&whole, size).iter().all(|cells| *cells < 2.1 * MAX_REACH_CELLS as f32));
        }
    }
}
