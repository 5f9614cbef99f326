//! The first frame of a body: which of its triangles can touch another body? Only those that meet the intersection of
//! its box with another body's box, and of these only those in a voxel of a coarse grid which a second body occupies,
//! too. Usually a few percent are left, and only those are put into patches.
//!
//! Complete: two triangles that share a point share the voxel that holds it, since voxels are a monotone function of
//! each coordinate and a triangle's voxels span those of its corners; that voxel is then marked by both bodies.

use super::boxes::NodeBox;
use crate::simd::{Kernel, Lanes, Machine};
use crate::util::threads;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::Relaxed};

/// Binary logarithm of the cells along each axis.
const CELL_BITS: u32 = 6;
const CELLS: usize = 1 << CELL_BITS;
/// Vertices or triangles per task.
const TASK_ITEMS: usize = 16384;
/// Mark of a cell that several bodies occupy.
const SEVERAL: u16 = u16::MAX;
/// Bodies that marks can distinguish.
pub(crate) const MAX_BODIES: usize = SEVERAL as usize - 1;

/// A body without patches: its positions, which are world positions, and its intersections with boxes of others.
pub(crate) struct NewBody<'a> {
    pub(crate) positions: &'a [[f32; 3]],
    pub(crate) corners: &'a [[u32; 3]],
    pub(crate) regions: Regions,
    /// It meets bodies that are not filtered, so all its triangles in the regions are left.
    pub(crate) keeps_all: bool,
}

/// At most [`MAX_REGIONS`] boxes; beyond, boxes are merged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Regions(Vec<NodeBox>);

/// One byte for each in the code of a vertex.
const MAX_REGIONS: usize = 5;

impl Regions {
    pub(crate) fn add(&mut self, region: NodeBox) {
        if self.0.len() < MAX_REGIONS {
            self.0.push(region);
            return;
        }
        // Merged with the box that grows least.
        let size = |b: &NodeBox| (0..3).map(|axis| b.max[axis] - b.min[axis]).sum::<f32>();
        let growth = |b: &NodeBox| size(&b.union(&region)) - size(b);
        if let Some(best) = self.0.iter_mut().min_by(|a, b| growth(a).total_cmp(&growth(b))) {
            *best = best.union(&region);
        }
    }
}

/// The triangles of every body that are in a cell which another body occupies, too. At most [`MAX_BODIES`] bodies.
pub(crate) fn voxel_filter(bodies: &[NewBody<'_>], machine: Machine) -> Vec<Vec<u32>> {
    let regions = bodies.iter().flat_map(|body| &body.regions.0);
    let all = regions.fold(NodeBox::EMPTY, |all, region| all.union(region));
    let grid = Grid::new(&all);
    let codes = for_each(bodies.len(), |i| bodies[i].codes(&grid, machine));
    let marks = Marks::new();
    for_each(bodies.len(), |i| {
        bodies[i].for_each_task(|_, corners| marks.mark_all(corners, &codes[i], i as u16 + 1))
    });
    for_each(bodies.len(), |i| {
        let marks = (!bodies[i].keeps_all).then_some(&marks);
        bodies[i]
            .for_each_task(|first, corners| surviving(first, corners, &codes[i], marks, i as u16 + 1))
            .concat()
    })
}

/// One result per index, in parallel.
fn for_each<T: Send>(count: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if threads::many() {
        (0..count).into_par_iter().map(&task).collect()
    } else {
        (0..count).map(&task).collect()
    }
}

/// The code of a vertex: its cell in the low bits; above, a byte for each region, with a bit for each side of the
/// region that the vertex is beyond.
const CODE_SHIFT: u32 = 3 * CELL_BITS;

/// The cell of all three corners, if they share one.
#[inline(always)]
fn single_cell([a, b, c]: [u64; 3]) -> Option<usize> {
    const CELL: u64 = (1 << CODE_SHIFT) - 1;
    ((a ^ b | a ^ c) & CELL == 0).then_some((a & CELL) as usize)
}

/// Whether a triangle may meet a region: `false` where for each region all corners are beyond one side.
#[inline(always)]
fn is_near([a, b, c]: [u64; 3]) -> bool {
    const LOW: u64 = 0x01_01_01_01_01;
    // Is one of the five bytes zero? Only then does it borrow, or a byte below it that is zero itself.
    let codes = (a & b & c) >> CODE_SHIFT;
    codes.wrapping_sub(LOW) & !codes & LOW << 7 != 0
}

impl NewBody<'_> {
    fn codes(&self, grid: &Grid, machine: Machine) -> Vec<u64> {
        let mut codes = vec![0; self.positions.len()];
        let task = |(positions, codes): (&[[f32; 3]], &mut [u64])| {
            machine.run(VertexCodes { positions, regions: &self.regions, grid, into: codes });
        };
        if threads::many() && codes.len() > TASK_ITEMS {
            self.positions.par_chunks(TASK_ITEMS).zip(codes.par_chunks_mut(TASK_ITEMS)).for_each(task);
        } else {
            task((self.positions, &mut codes));
        }
        codes
    }

    /// All triangles in tasks, with the index of the first.
    fn for_each_task<T: Send>(&self, task: impl Fn(usize, &[[u32; 3]]) -> T + Sync) -> Vec<T> {
        let tasks = self.corners.len().div_ceil(TASK_ITEMS);
        for_each(tasks, |i| {
            task(i * TASK_ITEMS, &self.corners[i * TASK_ITEMS..self.corners.len().min((i + 1) * TASK_ITEMS)])
        })
    }
}

/// Which body occupies each cell: 0 for none, `SEVERAL` for more than one. Triangles over too many cells mark a grid of
/// cells eight times as long instead, and always pass.
struct Marks {
    fine: Vec<AtomicU16>,
    coarse: Vec<AtomicU16>,
    any_coarse: AtomicBool,
}

/// Cells beyond which a triangle marks the coarse grid.
const MAX_FINE_CELLS: usize = 1024;
/// Edge of a coarse cell, in cells.
const COARSE_CELLS: usize = 8;

impl Marks {
    fn new() -> Self {
        let blank = |size: usize| (0..size * size * size).map(|_| AtomicU16::new(0)).collect();
        Self { fine: blank(CELLS), coarse: blank(CELLS / COARSE_CELLS), any_coarse: AtomicBool::new(false) }
    }

    fn mark_all(&self, corners: &[[u32; 3]], codes: &[u64], body: u16) {
        let mark = |cell: &AtomicU16| {
            // The second body to come always finds the first one's mark.
            if cell.load(Relaxed) != body
                && cell.compare_exchange(0, body, Relaxed, Relaxed).is_err_and(|before| before != body)
            {
                cell.store(SEVERAL, Relaxed);
            }
        };
        for corners in corners {
            let codes = corners.map(|vertex| codes[vertex as usize]);
            if is_near(codes) {
                if let Some(cell) = single_cell(codes) {
                    mark(&self.fine[cell]);
                    continue;
                }
                let cells = Cells::of(codes);
                if cells.are_many() {
                    self.any_coarse.store(true, Relaxed);
                    cells.rows(COARSE_CELLS, |row| self.coarse[row].iter().for_each(mark));
                } else {
                    cells.rows(1, |row| self.fine[row].iter().for_each(mark));
                }
            }
        }
    }

    /// Whether another body occupies one of the cells of a triangle.
    #[inline(always)]
    fn are_shared(&self, codes: [u64; 3], body: u16) -> bool {
        if let (Some(cell), false) = (single_cell(codes), self.any_coarse.load(Relaxed)) {
            return self.fine[cell].load(Relaxed) == SEVERAL;
        }
        let cells = Cells::of(codes);
        let mut shared = cells.are_many();
        if !shared {
            cells.rows(1, |row| shared |= self.fine[row].iter().any(|mark| mark.load(Relaxed) == SEVERAL));
        }
        if !shared && self.any_coarse.load(Relaxed) {
            cells.rows(COARSE_CELLS, |row| {
                shared |= self.coarse[row].iter().any(|mark| ![0, body].contains(&mark.load(Relaxed)));
            });
        }
        shared
    }
}

/// Triangles that meet a region; given marks, of these only those in shared cells.
fn surviving(
    first: usize,
    corners: &[[u32; 3]],
    codes: &[u64],
    marks: Option<&Marks>,
    body: u16,
) -> Vec<u32> {
    let mut surviving = Vec::new();
    for (offset, corners) in corners.iter().enumerate() {
        let codes = corners.map(|vertex| codes[vertex as usize]);
        if is_near(codes) && marks.is_none_or(|marks| marks.are_shared(codes, body)) {
            surviving.push((first + offset) as u32);
        }
    }
    surviving
}

/// The first and the last cell along each axis.
struct Cells([[usize; 2]; 3]);

impl Cells {
    #[inline(always)]
    fn of([a, b, c]: [u64; 3]) -> Self {
        Self([0, 1, 2].map(|axis| {
            let [a, b, c] = [a, b, c].map(|code| (code >> (axis * CELL_BITS)) as usize % CELLS);
            [a.min(b).min(c), a.max(b).max(c)]
        }))
    }

    #[inline(always)]
    fn are_many(&self) -> bool {
        self.0.iter().map(|[first, last]| last - first + 1).product::<usize>() > MAX_FINE_CELLS
    }

    /// Index ranges of rows, in the grid of cells `step` times as long.
    #[inline(always)]
    fn rows(&self, step: usize, mut visit: impl FnMut(std::ops::Range<usize>)) {
        let size = CELLS / step;
        let [x, y, z] = self.0.map(|[first, last]| [first / step, last / step]);
        for i in z[0]..=z[1] {
            for j in y[0]..=y[1] {
                let row = (i * size + j) * size;
                visit(row + x[0]..row + x[1] + 1);
            }
        }
    }
}

/// Computes the codes of vertices.
struct VertexCodes<'a> {
    positions: &'a [[f32; 3]],
    regions: &'a Regions,
    grid: &'a Grid,
    into: &'a mut [u64],
}

impl Kernel for VertexCodes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        // Bits for below the minimum and for above the maximum, both by one comparison. Every vertex is beyond a region
        // that is absent.
        let count = self.regions.0.len().min(MAX_REGIONS);
        let absent = (1 << (8 * MAX_REGIONS)) - (1 << (8 * count));
        let mut limits = [[0.0; 8]; MAX_REGIONS];
        for (limits, NodeBox { min, max }) in limits.iter_mut().zip(&self.regions.0) {
            *limits = [min[0], min[1], min[2], 0.0, -max[0], -max[1], -max[2], 0.0];
        }
        for (&[x, y, z], code) in self.positions.iter().zip(self.into) {
            let p = lanes.load(&[x, y, z, 0.0, -x, -y, -z, 0.0]);
            let mut codes = absent;
            for (region, limits) in limits[..count].iter().enumerate() {
                codes |= u64::from(lanes.bits(lanes.gt(lanes.load(limits), p))) << (8 * region);
            }
            let cell = self.grid.cell(0, x)
                | self.grid.cell(1, y) << CELL_BITS
                | self.grid.cell(2, z) << (2 * CELL_BITS);
            *code = codes << CODE_SHIFT | u64::from(cell);
        }
    }
}

/// Coordinates to cells.
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

    /// Monotone in `x`, which is all that completeness needs.
    #[inline(always)]
    fn cell(&self, axis: usize, x: f32) -> u32 {
        let cell = (x - self.origin[axis]) * self.scale[axis];
        // Clamped before it is truncated, for which there is one instruction.
        (if cell > 0.0 { if cell < (CELLS - 1) as f32 { cell } else { (CELLS - 1) as f32 } } else { 0.0 })
            as i32 as u32
    }
}
