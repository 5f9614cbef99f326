//! The first look at bodies nobody has seen before: which of their triangles can matter at all? Only those that meet
//! the common box of their body and others, and of these only those that touch a cell of a coarse grid which a
//! second body touches too. What is left is usually a few percent, and only that is put into patches.
//!
//! Complete: two triangles that share a point share the cell that holds it, since cells are a monotone function of each
//! coordinate, so that a triangle's cells lie between those of its corners; that cell is then marked by both bodies.

use super::tree::NodeBox;
use crate::simd::{Kernel, Lanes, Machine};
use crate::util::threads;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::Relaxed};

/// Cells along each axis: two to this.
const BITS: u32 = 6;
const CELLS: usize = 1 << BITS;
/// Vertices or triangles per task.
const TASK: usize = 16384;
/// A cell that more than one body touches.
const SEVERAL: u16 = u16::MAX;
/// Most bodies that marks can tell apart.
pub(crate) const MOST_SIDES: usize = SEVERAL as usize - 1;

/// One body's side: its positions, which are world positions, and the boxes it has in common with others.
pub(crate) struct Side<'a> {
    pub(crate) positions: &'a [[f32; 3]],
    pub(crate) corners: &'a [[u32; 3]],
    pub(crate) regions: Regions,
    /// Meets bodies that are no side here, and so keeps everything in its regions.
    pub(crate) not_alone: bool,
}

/// Boxes, a few at most: where there are more, some are joined.
#[derive(Clone, Debug, Default)]
pub(crate) struct Regions(Vec<NodeBox>);

/// As many as there are bytes for in the place of a vertex.
const REGIONS: usize = 5;

impl Regions {
    pub(crate) fn add(&mut self, region: NodeBox) {
        if self.0.len() < REGIONS {
            self.0.push(region);
            return;
        }
        // It joins the one that grows least by it.
        let size = |b: &NodeBox| (0..3).map(|axis| b.max[axis] - b.min[axis]).sum::<f32>();
        let growth = |b: &NodeBox| size(&b.union(&region)) - size(b);
        if let Some(best) = self.0.iter_mut().min_by(|a, b| growth(a).total_cmp(&growth(b))) {
            *best = best.union(&region);
        }
    }
}

/// The triangles of every side that touch a cell which another side touches too. At most [`MOST_SIDES`] sides.
pub(crate) fn survivors(sides: &[Side<'_>], machine: Machine) -> Vec<Vec<u32>> {
    let regions = sides.iter().flat_map(|side| &side.regions.0);
    let all = regions.fold(NodeBox::EMPTY, |all, region| all.union(region));
    let grid = Grid::new(&all);
    let places = for_each(sides.len(), |i| sides[i].places(&grid, machine));
    let marks = Marks::new();
    for_each(sides.len(), |i| {
        sides[i].for_each_task(|_, corners| marks.mark_all(corners, &places[i], i as u16 + 1))
    });
    for_each(sides.len(), |i| {
        let marks = (!sides[i].not_alone).then_some(&marks);
        sides[i]
            .for_each_task(|first, corners| kept(first, corners, &places[i], marks, i as u16 + 1))
            .concat()
    })
}

/// One result each, side by side.
fn for_each<T: Send>(count: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if threads::many() {
        (0..count).into_par_iter().map(&task).collect()
    } else {
        (0..count).map(&task).collect()
    }
}

/// Where a vertex is: its cell in the lowest bits, and above that a byte for each region, with a bit for each side of the
/// region that the vertex lies beyond.
const CODE: u32 = 3 * BITS;

/// The cell of all three corners, if it is one.
#[inline(always)]
fn only_cell([a, b, c]: [u64; 3]) -> Option<usize> {
    const CELL: u64 = (1 << CODE) - 1;
    ((a ^ b | a ^ c) & CELL == 0).then_some((a & CELL) as usize)
}

/// Whether a triangle may meet a region: unless for each of them all its corners lie beyond one side.
#[inline(always)]
fn is_near([a, b, c]: [u64; 3]) -> bool {
    const LOW: u64 = 0x01_01_01_01_01;
    // Is one of the five bytes zero? Only then does it borrow, or a byte below it that is zero itself.
    let codes = (a & b & c) >> CODE;
    codes.wrapping_sub(LOW) & !codes & LOW << 7 != 0
}

impl Side<'_> {
    fn places(&self, grid: &Grid, machine: Machine) -> Vec<u64> {
        let mut places = vec![0; self.positions.len()];
        let task = |(positions, places): (&[[f32; 3]], &mut [u64])| {
            machine.run(Places { positions, regions: &self.regions, grid, into: places });
        };
        if threads::many() && places.len() > TASK {
            self.positions.par_chunks(TASK).zip(places.par_chunks_mut(TASK)).for_each(task);
        } else {
            task((self.positions, &mut places));
        }
        places
    }

    /// All triangles, some at a time, with the number of the first.
    fn for_each_task<T: Send>(&self, task: impl Fn(usize, &[[u32; 3]]) -> T + Sync) -> Vec<T> {
        let tasks = self.corners.len().div_ceil(TASK);
        for_each(tasks, |i| task(i * TASK, &self.corners[i * TASK..self.corners.len().min((i + 1) * TASK)]))
    }
}

/// Which side touches which cell: 0 for none, `SEVERAL` for more than one. Triangles over too many cells mark a coarser
/// grid instead, of cells eight times as long, and are always kept.
struct Marks {
    fine: Vec<AtomicU16>,
    coarse: Vec<AtomicU16>,
    any_coarse: AtomicBool,
}

/// Cells beyond which a triangle is large.
const LARGE: usize = 1024;
/// How many cells one coarse cell is long.
const COARSE: usize = 8;

impl Marks {
    fn new() -> Self {
        let blank = |size: usize| (0..size * size * size).map(|_| AtomicU16::new(0)).collect();
        Self { fine: blank(CELLS), coarse: blank(CELLS / COARSE), any_coarse: AtomicBool::new(false) }
    }

    fn mark_all(&self, corners: &[[u32; 3]], places: &[u64], side: u16) {
        let mark = |cell: &AtomicU16| {
            // Whoever comes second, however close, finds the first one's mark.
            if cell.load(Relaxed) != side
                && cell.compare_exchange(0, side, Relaxed, Relaxed).is_err_and(|before| before != side)
            {
                cell.store(SEVERAL, Relaxed);
            }
        };
        for corners in corners {
            let places = corners.map(|vertex| places[vertex as usize]);
            if is_near(places) {
                if let Some(cell) = only_cell(places) {
                    mark(&self.fine[cell]);
                    continue;
                }
                let cells = Cells::of(places);
                if cells.are_many() {
                    self.any_coarse.store(true, Relaxed);
                    cells.rows(COARSE, |row| self.coarse[row].iter().for_each(mark));
                } else {
                    cells.rows(1, |row| self.fine[row].iter().for_each(mark));
                }
            }
        }
    }

    /// Whether another side touches one of the cells of a triangle.
    #[inline(always)]
    fn are_shared(&self, places: [u64; 3], side: u16) -> bool {
        if let (Some(cell), false) = (only_cell(places), self.any_coarse.load(Relaxed)) {
            return self.fine[cell].load(Relaxed) == SEVERAL;
        }
        let cells = Cells::of(places);
        let mut shared = cells.are_many();
        if !shared {
            cells.rows(1, |row| shared |= self.fine[row].iter().any(|mark| mark.load(Relaxed) == SEVERAL));
        }
        if !shared && self.any_coarse.load(Relaxed) {
            cells.rows(COARSE, |row| {
                shared |= self.coarse[row].iter().any(|mark| ![0, side].contains(&mark.load(Relaxed)));
            });
        }
        shared
    }
}

/// Triangles in the regions, and of these only those in shared cells if there are marks.
fn kept(first: usize, corners: &[[u32; 3]], places: &[u64], marks: Option<&Marks>, side: u16) -> Vec<u32> {
    let mut kept = Vec::new();
    for (offset, corners) in corners.iter().enumerate() {
        let places = corners.map(|vertex| places[vertex as usize]);
        if is_near(places) && marks.is_none_or(|marks| marks.are_shared(places, side)) {
            kept.push((first + offset) as u32);
        }
    }
    kept
}

/// The first and the last cell along each axis.
struct Cells([[usize; 2]; 3]);

impl Cells {
    #[inline(always)]
    fn of([a, b, c]: [u64; 3]) -> Self {
        Self([0, 1, 2].map(|axis| {
            let [a, b, c] = [a, b, c].map(|place| (place >> (axis * BITS)) as usize % CELLS);
            [a.min(b).min(c), a.max(b).max(c)]
        }))
    }

    #[inline(always)]
    fn are_many(&self) -> bool {
        self.0.iter().map(|[first, last]| last - first + 1).product::<usize>() > LARGE
    }

    /// Ranges of neighbouring cells, each `step` cells long, in a grid of such cells.
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

/// Fills in the places of vertices.
struct Places<'a> {
    positions: &'a [[f32; 3]],
    regions: &'a Regions,
    grid: &'a Grid,
    into: &'a mut [u64],
}

impl Kernel for Places<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        // Below the least, or its negative below that of the greatest; everything is beyond regions that are not there.
        let count = self.regions.0.len().min(REGIONS);
        let absent = (1 << (8 * REGIONS)) - (1 << (8 * count));
        let mut limits = [[0.0; 8]; REGIONS];
        for (limits, NodeBox { min, max }) in limits.iter_mut().zip(&self.regions.0) {
            *limits = [min[0], min[1], min[2], 0.0, -max[0], -max[1], -max[2], 0.0];
        }
        for (&[x, y, z], place) in self.positions.iter().zip(self.into) {
            let p = lanes.load(&[x, y, z, 0.0, -x, -y, -z, 0.0]);
            let mut codes = absent;
            for (region, limits) in limits[..count].iter().enumerate() {
                codes |= u64::from(lanes.bits(lanes.gt(lanes.load(limits), p))) << (8 * region);
            }
            let cell =
                self.grid.cell(0, x) | self.grid.cell(1, y) << BITS | self.grid.cell(2, z) << (2 * BITS);
            *place = codes << CODE | u64::from(cell);
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
    fn cell(&self, axis: usize, x: f32) -> u32 {
        let cell = (x - self.origin[axis]) * self.scale[axis];
        // Clamped before it is cut, which the machine has an instruction for.
        (if cell > 0.0 { if cell < (CELLS - 1) as f32 { cell } else { (CELLS - 1) as f32 } } else { 0.0 })
            as i32 as u32
    }
}
