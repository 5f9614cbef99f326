//! Every pair of triangles whose boxes overlap, once, by a grid of cells that hold whole boxes, not samples.
//!
//! A triangle is in every cell from that of its low corner to that of its high corner. The cell ranges of two
//! overlapping boxes overlap along every axis, because [`Lattice::cell`] is monotone; so the cell whose
//! coordinates are the larger of their two low cells' contains both, and the pair is reported there and
//! nowhere else. A triangle in very many cells is in none of them, and tested against every other.

use super::options::GridOptions;
use super::triangle_filter::{Lattice, Record, each_cell, volume};

/// Whether two triangles are a candidate: overlapping boxes, of two bodies or of one with self-collision.
pub fn is_candidate(a: &Record, b: &Record) -> bool {
    a.overlaps(b) && (a.body != b.body || a.self_collision)
}

/// Calls `visit` once for every two triangles whose boxes overlap.
pub fn each_pair(
    records: &[Record],
    lattice: &Lattice,
    options: &GridOptions,
    mut visit: impl FnMut(usize, usize),
) {
    let spans: Vec<[[u32; 3]; 2]> = records.iter().map(|record| lattice.span(record)).collect();
    let is_large = |span: &[[u32; 3]; 2]| volume(*span) > options.most_cells;
    // Count, prefix sum, scatter.
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
            // Pairs of two large triangles once.
            let first = other != large && (!is_large(&spans[other]) || large < other);
            if first && records[large].overlaps(&records[other]) {
                visit(large, other);
            }
        }
    }
}
