//! Boxes of whole cells. Every square is cut along the diagonal of growing coordinates, so that boxes of one
//! lattice that touch have the same triangles where they touch.

use super::{MAX_TRIANGLES, Shape};
use crate::vector::Point;
use std::collections::HashMap;

/// Cells along each edge of a box of about so many triangles; `4 * (xy + yz + zx)` of them, 12 at least.
pub fn box_cells(triangles: usize) -> [usize; 3] {
    let triangles = triangles.min(MAX_TRIANGLES);
    let s = ((triangles as f64 / 12.0).sqrt() as usize).max(1);
    let count = |[x, y, z]: [usize; 3]| 4 * (x * y + y * z + z * x);
    let choices = [[s, s, s], [s, s, s + 1], [s, s + 1, s + 1], [s + 1, s + 1, s + 1]];
    choices.into_iter().min_by_key(|&cells| count(cells).abs_diff(triangles)).unwrap_or([1, 1, 1])
}

/// The surface of the lattice box from `low` to `low + cells`, whole numbers all.
pub fn lattice_box(low: [i64; 3], cells: [usize; 3]) -> Shape {
    let mut shape = Shape::default();
    let mut index: HashMap<[i64; 3], u32> = HashMap::new();
    let cells = cells.map(|c| c.max(1) as i64);
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for high in [false, true] {
            for i in 0..cells[u] {
                for j in 0..cells[v] {
                    let mut vertex = |du: i64, dv: i64| {
                        let mut p = low;
                        p[axis] += if high { cells[axis] } else { 0 };
                        p[u] += i + du;
                        p[v] += j + dv;
                        *index.entry(p).or_insert_with(|| {
                            shape.positions.push(p.map(|c| c as f64));
                            shape.positions.len() as u32 - 1
                        })
                    };
                    let [a, b, c, d] = [vertex(0, 0), vertex(1, 0), vertex(1, 1), vertex(0, 1)];
                    // u, v, axis is a right-handed frame, so a-b-c turns about +axis.
                    shape.triangles.extend(if high {
                        [[a, b, c], [a, c, d]]
                    } else {
                        [[a, c, b], [a, d, c]]
                    });
                }
            }
        }
    }
    shape
}

/// A box of the given half sizes about the origin, at about so many triangles.
pub fn subdivided_box(triangles: usize, half: Point) -> Shape {
    let cells = box_cells(triangles);
    lattice_box([0; 3], cells).map(|p| [0, 1, 2].map(|k| half[k] * (2.0 * p[k] / cells[k] as f64 - 1.0)))
}
