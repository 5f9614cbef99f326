//! The cells of the grid: a few mean extents of the triangles wide.

use super::options::GridOptions;
use super::region::Region;
use super::triangle_filter::{Lattice, MAX_CELLS_PER_AXIS, Record};

/// Cells per triangle, at most.
const MAX_CELLS_PER_TRIANGLE: usize = 4;
/// Extents count as at most this: a region is hardly larger. Shaders have the same.
const MAX_EXTENT: f32 = 4.0;
/// Cells allowed for any number of triangles.
const MIN_CELLS: usize = 64;
/// Cells in total, at most: 16 MB of counts.
pub const MAX_CELLS: usize = 1 << 22;

/// Cells for some triangles.
pub fn cells(region: &Region, records: &[Record], options: &GridOptions) -> Lattice {
    let mut mean = [0.0f64; 3];
    for record in records {
        mean = std::array::from_fn(|k| mean[k] + f64::from((record.high[k] - record.low[k]).min(MAX_EXTENT)));
    }
    let size = |k: usize| region.high[k] - region.low[k];
    let edge: [f32; 3] = std::array::from_fn(|k| {
        let mean = mean[k] / records.len().max(1) as f64;
        (options.cell() * mean as f32).max(size(k) / MAX_CELLS_PER_AXIS as f32)
    });
    let most = (MAX_CELLS_PER_TRIANGLE * records.len()).clamp(MIN_CELLS, MAX_CELLS);
    let mut wider = 1.0;
    loop {
        let lattice = Lattice::new(region, edge.map(|e| e * wider));
        if lattice.count() <= most {
            return lattice;
        }
        // A quarter more along three axes: half as many cells.
        wider *= 1.25;
    }
}
