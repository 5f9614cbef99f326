//! The first look at bodies nobody has seen before: which of their triangles can matter at all? Only those that meet
//! the common box of their body and another one, and of these only those that touch a cell of a coarse grid which a
//! second body touches too. What is left is usually a few percent, and only that is put into patches.
//!
//! Complete: two triangles that share a point share the cell that holds it, since every pass takes cells by the same
//! monotone function of the coordinate; that cell is then marked by both bodies.

use super::tree::NodeBox;
use crate::threads;
use rayon::prelude::*;

/// Cells along each axis.
const CELLS: usize = 64;
/// Triangles per task.
const TASK: usize = 16384;
/// A cell that more than one body touches.
const SEVERAL: u16 = u16::MAX;

/// A triangle that meets a region, and the cells it may touch: first and last along each axis.
#[derive(Clone, Copy, Debug)]
struct Near {
    triangle: u32,
    cells: [[u8; 2]; 3],
}

/// One body's side: its world positions as floats, and the boxes it has in common with others.
pub(crate) struct Side<'a> {
    pub(crate) positions: &'a [[f32; 3]],
    /// How far the positions may be off.
    pub(crate) error: f32,
    pub(crate) corners: &'a [[u32; 3]],
    pub(crate) regions: Vec<NodeBox>,
}

/// The triangles of every side that touch a cell which another side touches too. A side that is not alone (it also
/// meets bodies that are no side here) keeps everything in its regions.
pub(crate) fn survivors(sides: &[Side<'_>], not_alone: &[bool]) -> Vec<Vec<u32>> {
    let mut all = NodeBox::EMPTY;
    for region in sides.iter().flat_map(|side| &side.regions) {
        all = all.union(region);
    }
    let cells = Grid::new(&all);
    let near: Vec<Vec<Near>> = sides.iter().map(|side| side.near(&cells)).collect();
    if sides.len() >= usize::from(SEVERAL) {
        return near.into_iter().map(|near| near.into_iter().map(|n| n.triangle).collect()).collect();
    }
    let mut grid = vec![0u16; CELLS * CELLS * CELLS];
    for (side, near) in near.iter().enumerate() {
        let mark = side as u16 + 1;
        for n in near {
            n.rows(|row| {
                for cell in &mut grid[row] {
                    *cell = if *cell == 0 || *cell == mark { mark } else { SEVERAL };
                }
            });
        }
    }
    let kept = |(near, &not_alone): (&Vec<Near>, &bool)| -> Vec<u32> {
        let meets = |n: &&Near| {
            let mut found = not_alone;
            n.rows(|row| found |= grid[row].contains(&SEVERAL));
            found
        };
        near.iter().filter(meets).map(|n| n.triangle).collect()
    };
    if threads::many() {
        near.par_iter().zip(not_alone).map(kept).collect()
    } else {
        near.iter().zip(not_alone).map(kept).collect()
    }
}

impl Near {
    /// Ranges of neighbouring cells in the grid.
    #[inline(always)]
    fn rows(&self, mut visit: impl FnMut(std::ops::Range<usize>)) {
        let [x, y, z] = self.cells.map(|[first, last]| [first as usize, last as usize]);
        for i in z[0]..=z[1] {
            for j in y[0]..=y[1] {
                let row = (i * CELLS + j) * CELLS;
                visit(row + x[0]..row + x[1] + 1);
            }
        }
    }
}

impl Side<'_> {
    /// Triangles whose box meets one of the regions.
    fn near(&self, grid: &Grid) -> Vec<Near> {
        let Some(all) = self.regions.iter().copied().reduce(|a, b| a.union(&b)) else { return Vec::new() };
        // A bit for each side of the common box that a vertex lies beyond; a triangle whose corners all lie beyond one
        // side is out. Most triangles end here, having read three bytes.
        let beyond = |p: &[f32; 3]| {
            let mut code = 0;
            for axis in 0..3 {
                code |= u8::from(p[axis] + self.error < all.min[axis]) << (2 * axis);
                code |= u8::from(p[axis] - self.error > all.max[axis]) << (2 * axis + 1);
            }
            code
        };
        let mut codes: Vec<u8> = Vec::new();
        if threads::many() && self.positions.len() > TASK {
            self.positions.par_iter().with_min_len(TASK).map(beyond).collect_into_vec(&mut codes);
        } else {
            codes.extend(self.positions.iter().map(beyond));
        }
        let task = |first: usize, corners: &[[u32; 3]]| {
            let mut near = Vec::new();
            for (offset, &[a, b, c]) in corners.iter().enumerate() {
                if codes[a as usize] & codes[b as usize] & codes[c as usize] == 0 {
                    self.look_at([a, b, c], first + offset, grid, &mut near);
                }
            }
            near
        };
        if threads::many() && self.corners.len() > TASK {
            let pieces: Vec<Vec<Near>> = self
                .corners
                .par_chunks(TASK)
                .enumerate()
                .map(|(i, corners)| task(i * TASK, corners))
                .collect();
            pieces.concat()
        } else {
            task(0, self.corners)
        }
    }

    #[inline(always)]
    fn look_at(&self, [a, b, c]: [u32; 3], triangle: usize, grid: &Grid, near: &mut Vec<Near>) {
        let (a, b, c) =
            (&self.positions[a as usize], &self.positions[b as usize], &self.positions[c as usize]);
        let mut bounds = NodeBox { min: [0.0; 4], max: [0.0; 4] };
        for axis in 0..3 {
            let (low, high) = if a[axis] < b[axis] { (a[axis], b[axis]) } else { (b[axis], a[axis]) };
            bounds.min[axis] = (if c[axis] < low { c[axis] } else { low }) - self.error;
            bounds.max[axis] = (if c[axis] > high { c[axis] } else { high }) + self.error;
        }
        let mut meets = false;
        for region in &self.regions {
            meets |= region.overlaps(&bounds);
        }
        if meets {
            let mut cells = [[0u8; 2]; 3];
            for axis in 0..3 {
                cells[axis] = [grid.cell(axis, bounds.min[axis]), grid.cell(axis, bounds.max[axis])];
            }
            near.push(Near { triangle: triangle as u32, cells });
        }
    }
}

/// Where the cells are.
struct Grid {
    origin: [f32; 3],
    scale: [f32; 3],
}

impl Grid {
    fn new(all: &NodeBox) -> Self {
        let mut grid = Self { origin: [all.min[0], all.min[1], all.min[2]], scale: [0.0; 3] };
        for axis in 0..3 {
            let scale = CELLS as f32 / (all.max[axis] - all.min[axis]);
            // A flat or an infinite box is one cell.
            grid.scale[axis] = if scale.is_finite() { scale } else { 0.0 };
        }
        grid
    }

    /// Monotone in `x`, and that is all that completeness needs.
    #[inline(always)]
    fn cell(&self, axis: usize, x: f32) -> u8 {
        (((x - self.origin[axis]) * self.scale[axis]) as u8).min(CELLS as u8 - 1)
    }
}
