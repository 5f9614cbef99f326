//! Which rays a triangle covers, and at what depth: the definition that every rasteriser follows, but for the grid to which
//! it moves vertices.

use super::ScreenVertex;
use std::ops::Range;

fn at(v: &ScreenVertex) -> [f64; 2] {
    [f64::from(v.x), f64::from(v.y)]
}

/// Twice the area of a triangle, positive when it turns right (y down): with rays away from the eye, a back face.
pub fn turn(t: &[ScreenVertex; 3]) -> f64 {
    cross(at(&t[0]), at(&t[1]), at(&t[2]))
}

fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

/// Calls `emit` for every ray in some columns and rows that meets a triangle, with its column, its row, and the depth. A
/// ray on an edge that two triangles share meets one of them, so a closed surface is entered as often as it is left; a
/// triangle seen from the side is met by none.
pub fn cover(
    mut t: [ScreenVertex; 3],
    columns: &Range<u32>,
    rows: &Range<u32>,
    mut emit: impl FnMut(u32, u32, f32),
) {
    let twice_area = turn(&t);
    if twice_area == 0.0 || twice_area.is_nan() {
        return;
    }
    if twice_area < 0.0 {
        t.swap(1, 2);
    }
    let p = t.map(|v| at(&v));
    let span = |axis: usize, pixels: &Range<u32>| {
        let low = p.iter().fold(f64::INFINITY, |low, p| low.min(p[axis]));
        let high = p.iter().fold(f64::NEG_INFINITY, |high, p| high.max(p[axis]));
        // Rays pass through the middles of pixels. The casts saturate.
        ((low - 0.5).ceil() as u32).max(pixels.start)..(((high - 0.5).floor() + 1.0) as u32).min(pixels.end)
    };
    let inside = |a: [f64; 2], b: [f64; 2], q: [f64; 2]| {
        let side = cross(a, b, q);
        // Edges on the left and on the top belong to the triangle, others to its neighbour.
        let owns = b[1] < a[1] || (b[1] == a[1] && b[0] > a[0]);
        (side > 0.0 || (side == 0.0 && owns)).then_some(side)
    };
    let depths = t.map(|v| f64::from(v.depth));
    for y in span(1, rows) {
        for x in span(0, columns) {
            let q = [f64::from(x) + 0.5, f64::from(y) + 0.5];
            let weights = (inside(p[1], p[2], q), inside(p[2], p[0], q), inside(p[0], p[1], q));
            let (Some(a), Some(b), Some(c)) = weights else { continue };
            emit(x, y, ((a * depths[0] + b * depths[1] + c * depths[2]) / (a + b + c)) as f32);
        }
    }
}
