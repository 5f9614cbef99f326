//! The cell where a triangle crosses each pixel centre: what the paper draws.

use super::planes::{Plane, between};
use crate::image::crossed::crossed;
use crate::util::tolerance::{MAX_SLOPE, MIN_DIVISOR};

/// Sets the cell where a triangle crosses each pixel centre, or all cells of its depth interval in that
/// pixel. The twin of `sample.wgsl`.
pub fn sample(plane: &mut Plane, cells: [u32; 3], corners: [[f32; 3]; 3], interval: bool) {
    let [a, b, c] = corners;
    let low = |k: usize| a[k].min(b[k]).min(c[k]);
    let high = |k: usize| a[k].max(b[k]).max(c[k]);
    let end = cells[2] as f32;
    let rows = middles(low(1), high(1), cells[1]);
    let columns = middles(low(0), high(0), cells[0]);
    // Most small triangles cover no centre at all.
    if rows.is_empty() || columns.is_empty() || !(low(2) <= end && high(2) >= 0.0) {
        return;
    }
    let Some(slope) = Slope::of(corners) else { return };
    let half = if interval { slope.half } else { 0.0 };
    for y in rows {
        let Some([left, right]) = crossed(&corners, y) else { continue };
        let is_covered = |x: &u32| {
            let column = (2 * x + 1) as f32 * 0.5;
            left <= column && column < right
        };
        let first = (left.floor() as u32).max(columns.start);
        let before =
            columns.clone().skip((first - columns.start) as usize).take_while(|x| (*x as f32) < right);
        for x in before.filter(is_covered) {
            let depth = slope.depth(x, y);
            let (near, far) = ((depth - half).max(low(2)), (depth + half).min(high(2)));
            if near <= end && far >= 0.0 {
                // A depth at the end of the volume belongs to the last slice.
                let slice = |depth: f32| depth.floor().clamp(0.0, end - 1.0) as i32;
                plane.touched[y as usize * cells[0] as usize + x as usize] |=
                    between([slice(near), slice(far)], cells[2]);
            }
        }
    }
}

/// Cells whose centres are in `low <= x < high`.
fn middles(low: f32, high: f32, cells: u32) -> std::ops::Range<u32> {
    // Between 0 and the number of cells, subtracting a half is exact, or rounds to a number with the same
    // ceiling.
    let first = |at: f32| (at - 0.5).ceil().clamp(0.0, cells as f32) as u32;
    first(low)..first(high)
}

/// The plane of a triangle as a depth over every pixel.
#[derive(Clone, Copy, Debug)]
struct Slope {
    from: [f32; 3],
    across: f32,
    down: f32,
    /// Half of how much the depth changes over a pixel.
    half: f32,
}

impl Slope {
    /// `None` for a triangle seen edge-on.
    fn of([a, b, c]: [[f32; 3]; 3]) -> Option<Self> {
        let u: [f32; 3] = std::array::from_fn(|k| b[k] - a[k]);
        let v: [f32; 3] = std::array::from_fn(|k| c[k] - a[k]);
        let (x, y, z) = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
        let steep = (x.abs() + y.abs()) * 0.5;
        if z.abs() <= MIN_DIVISOR || z.is_nan() {
            return None;
        }
        let inverse = 1.0 / z;
        let half = if steep < MAX_SLOPE * z.abs() { steep * inverse.abs() } else { MAX_SLOPE };
        Some(Self { from: a, across: x * inverse, down: y * inverse, half })
    }

    fn depth(&self, x: u32, y: u32) -> f32 {
        let [column, row] = [x, y].map(|cell| (2 * cell + 1) as f32 * 0.5);
        self.from[2] - self.across * (column - self.from[0]) - self.down * (row - self.from[1])
    }
}
