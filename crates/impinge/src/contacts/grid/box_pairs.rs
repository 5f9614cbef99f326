//! From triangles to pairs whose boxes share a point, each once: a grid of cells that hold whole boxes, not samples.
//!
//! A triangle is in every cell from that of its low corner to that of its high corner. The cells of a pair whose boxes share
//! a point overlap along every axis, because [`Lattice::cell`] grows with its argument; so the cell whose coordinates are the
//! larger of their two low cells' is one that both are in, and the pair is found there and nowhere else. A triangle in very many
//! cells is in none of them, and held against every other.

use super::neighbours::{meet_nowhere_else, shared};
use super::options::ConservativeOptions;
use super::region::Region;
use super::signs::is_beside;
use super::triangle_filter::{Lattice, MOST_ALONG, Record, each_cell, volume};
use crate::util::tolerance::VAST_ERROR;

/// Most cells, for each triangle; and least.
const CELLS_EACH: usize = 4;
/// No box counts as larger where cells are chosen: a region is hardly larger. Shaders have the same.
const MOST_EXTENT: f32 = 4.0;
/// At least so many cells may be there.
const FEWEST_CELLS: usize = 64;
/// Most cells of all: 16 MB of counts.
pub const MOST_CELLS: usize = 1 << 22;

/// Cells for some triangles.
pub fn cells(region: &Region, records: &[Record], options: &ConservativeOptions) -> Lattice {
    let mut mean = [0.0f64; 3];
    for record in records {
        mean =
            std::array::from_fn(|k| mean[k] + f64::from((record.high[k] - record.low[k]).min(MOST_EXTENT)));
    }
    let size = |k: usize| region.high[k] - region.low[k];
    let edge: [f32; 3] = std::array::from_fn(|k| {
        let mean = mean[k] / records.len().max(1) as f64;
        (options.cell() * mean as f32).max(size(k) / MOST_ALONG as f32)
    });
    let most = (CELLS_EACH * records.len()).clamp(FEWEST_CELLS, MOST_CELLS);
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

/// What is done with a pair whose boxes share a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glance {
    /// Nothing: proven to share no point, or none that counts.
    Apart,
    /// Neighbours that may touch beyond what they share, or a triangle of a vast body: exact arithmetic must tell.
    Doubtful,
    /// Neither is beside the plane of the other for certain: all signs are looked at.
    Test,
}

/// Whether two triangles are to be looked at: boxes that share a point, of two bodies, or of one that looks at itself.
pub fn is_candidate(a: &Record, b: &Record) -> bool {
    a.overlaps(b) && (a.body != b.body || a.self_collision)
}

/// The first look at a candidate.
pub fn glance(a: &Record, b: &Record) -> Glance {
    if a.error.max(b.error) >= VAST_ERROR {
        return Glance::Doubtful;
    }
    if a.body == b.body && shared(a, b) != [false; 3] {
        return if meet_nowhere_else(a, b) { Glance::Apart } else { Glance::Doubtful };
    }
    let none = [false; 3];
    if is_beside(a, b, none) || is_beside(b, a, none) { Glance::Apart } else { Glance::Test }
}

/// Calls `visit` for every two triangles whose boxes share a point, once.
pub fn each_pair(
    records: &[Record],
    lattice: &Lattice,
    options: &ConservativeOptions,
    mut visit: impl FnMut(usize, usize),
) {
    let spans: Vec<[[u32; 3]; 2]> = records.iter().map(|record| lattice.span(record)).collect();
    let is_large = |span: &[[u32; 3]; 2]| volume(*span) > options.most_cells;
    // Count, running sum, scatter.
    let mut ends = vec![0usize; lattice.count() + 1];
    for span in spans.iter().filter(|span| !is_large(span)) {
        each_cell(*span, |cell| ends[lattice.index(cell) + 1] += 1);
    }
    for cell in 1..ends.len() {
        ends[cell] += ends[cell - 1];
    }
    let starts = ends.clone();
    let mut list = vec![0u32; ends.last().copied().unwrap_or(0)];
    for (index, span) in spans.iter().enumerate().filter(|(_, span)| !is_large(span)) {
        each_cell(*span, |cell| {
            let end = &mut ends[lattice.index(cell)];
            list[*end] = index as u32;
            *end += 1;
        });
    }
    for cell in 0..lattice.count() {
        let here = &list[starts[cell]..starts[cell + 1]];
        for (k, &i) in here.iter().enumerate() {
            for &j in &here[k + 1..] {
                let (i, j) = (i as usize, j as usize);
                let owner = std::array::from_fn(|axis| spans[i][0][axis].max(spans[j][0][axis]));
                if lattice.index(owner) == cell && records[i].overlaps(&records[j]) {
                    visit(i, j);
                }
            }
        }
    }
    for large in (0..records.len()).filter(|&large| is_large(&spans[large])) {
        for other in 0..records.len() {
            // Two large ones once.
            let first = other != large && (!is_large(&spans[other]) || large < other);
            if first && records[large].overlaps(&records[other]) {
                visit(large, other);
            }
        }
    }
}
