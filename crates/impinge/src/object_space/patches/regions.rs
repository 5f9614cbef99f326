//! The first look at bodies nobody has seen before: which of their triangles can matter at all? Only those that meet
//! the common box of their body and another one, and of these only those that touch a cell of a coarse grid which a
//! second body touches too. What is left is usually a few percent, and only that is put into patches.
//!
//! Complete: two triangles that share a point share the cell that holds it, since every pass takes cells by the same
//! monotone function of the coordinate; that cell is then marked by both bodies.

use super::tree::{NodeBox, four};
use crate::object_space::lanes::{Kernel, Lanes, Machine};
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
pub(crate) fn survivors(sides: &[Side<'_>], not_alone: &[bool], machine: Machine) -> Vec<Vec<u32>> {
    let mut all = NodeBox::EMPTY;
    for region in sides.iter().flat_map(|side| &side.regions) {
        all = all.union(region);
    }
    let cells = Grid::new(&all);
    let near = |side: &Side<'_>| side.near(&cells, machine);
    let near: Vec<Vec<Near>> =
        if threads::many() { sides.par_iter().map(near).collect() } else { sides.iter().map(near).collect() };
    if sides.len() >= usize::from(SEVERAL) {
        return near.into_iter().map(|near| near.into_iter().map(|n| n.triangle).collect()).collect();
    }
    let mut marks = Marks::new();
    for (side, near) in near.iter().enumerate() {
        for n in near {
            marks.mark(n, side as u16 + 1);
        }
    }
    let kept = |((side, near), &not_alone): ((usize, &Vec<Near>), &bool)| -> Vec<u32> {
        let meets = |n: &&Near| not_alone || marks.is_shared(n, side as u16 + 1);
        near.iter().filter(meets).map(|n| n.triangle).collect()
    };
    if threads::many() {
        near.par_iter().enumerate().zip(not_alone).map(kept).collect()
    } else {
        near.iter().enumerate().zip(not_alone).map(kept).collect()
    }
}

/// Which side touches which cell: 0 for none, `SEVERAL` for more than one. Triangles over too many cells mark a coarser
/// grid instead, of cells eight times as long, and are always kept.
struct Marks {
    fine: Vec<u16>,
    coarse: Vec<u16>,
}

/// Cells beyond which a triangle is large.
const LARGE: usize = 1024;
/// How many cells one coarse cell is long.
const COARSE: usize = 8;

impl Marks {
    fn new() -> Self {
        let coarse = CELLS / COARSE;
        Self { fine: vec![0; CELLS * CELLS * CELLS], coarse: vec![0; coarse * coarse * coarse] }
    }

    #[inline(always)]
    fn mark(&mut self, n: &Near, side: u16) {
        let mark = |cell: &mut u16| *cell = if *cell == 0 || *cell == side { side } else { SEVERAL };
        if n.is_large() {
            n.rows(COARSE, |row| self.coarse[row].iter_mut().for_each(mark));
        } else {
            n.rows(1, |row| self.fine[row].iter_mut().for_each(mark));
        }
    }

    /// Whether another side touches a cell of this triangle.
    #[inline(always)]
    fn is_shared(&self, n: &Near, side: u16) -> bool {
        let mut shared = n.is_large();
        if !shared {
            n.rows(1, |row| shared |= self.fine[row].contains(&SEVERAL));
        }
        if !shared {
            n.rows(COARSE, |row| shared |= self.coarse[row].iter().any(|&mark| mark != 0 && mark != side));
        }
        shared
    }
}

impl Near {
    fn is_large(&self) -> bool {
        self.cells.iter().map(|[first, last]| (last - first) as usize + 1).product::<usize>() > LARGE
    }

    /// Ranges of neighbouring cells, each `step` cells long, in a grid of such cells.
    #[inline(always)]
    fn rows(&self, step: usize, mut visit: impl FnMut(std::ops::Range<usize>)) {
        let size = CELLS / step;
        let [x, y, z] = self.cells.map(|[first, last]| [first as usize / step, last as usize / step]);
        for i in z[0]..=z[1] {
            for j in y[0]..=y[1] {
                let row = (i * size + j) * size;
                visit(row + x[0]..row + x[1] + 1);
            }
        }
    }
}

impl Side<'_> {
    /// Triangles whose box meets one of the regions.
    fn near(&self, grid: &Grid, machine: Machine) -> Vec<Near> {
        let Some(all) = self.regions.iter().copied().reduce(|a, b| a.union(&b)) else { return Vec::new() };
        // A bit for each side of the common box that a vertex lies beyond; a triangle whose corners all lie beyond one
        // side is out. Most triangles end here, having read three bytes.
        let mut codes = vec![0u8; self.positions.len()];
        let vertices = |(task, codes): (usize, &mut [u8])| {
            machine.run(Beyond {
                positions: self.positions,
                error: self.error,
                all: &all,
                first: task * TASK,
                codes,
            });
        };
        if threads::many() && codes.len() > TASK {
            codes.par_chunks_mut(TASK).enumerate().for_each(vertices);
        } else {
            codes.chunks_mut(TASK).enumerate().for_each(vertices);
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

/// Which sides of the common box the vertices lie beyond.
struct Beyond<'a> {
    positions: &'a [[f32; 3]],
    error: f32,
    all: &'a NodeBox,
    first: usize,
    codes: &'a mut [u8],
}

impl Kernel for Beyond<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        // Widened by what the positions are off, and once more for the rounding of that; never beyond in the fourth lane.
        let (mut low, mut high) = ([f32::NEG_INFINITY; 4], [f32::INFINITY; 4]);
        for axis in 0..3 {
            low[axis] = (self.all.min[axis] - self.error).next_down();
            high[axis] = (self.all.max[axis] + self.error).next_up();
        }
        let (low, high) = (lanes.load4(&low), lanes.load4(&high));
        let flat = self.positions.as_flattened();
        for (offset, code) in self.codes.iter_mut().enumerate() {
            let p = lanes.load4(&four(flat, (self.first + offset) as u32));
            *code = lanes.beyond4(p, low, high);
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
