//! Every cell that a triangle touches, and whether it crosses the middle of a pixel. The twin of `cover.wgsl`.
//!
//! A triangle touches a box exactly when nothing separates them on one of thirteen axes: the box's three, the triangle's
//! normal, and the normals of its sides as seen along each axis. Of these, two (the box's across and down) and three (the sides
//! as seen along the depth) say whether it touches a pixel's column; each of the others leaves an interval of depths, and
//! the triangle touches the slices that all of them leave.
//!
//! Quotients are products with reciprocals, because that is how many devices divide.
//!
//! **Errors.** Everything is computed in floats of one rounding each, fused or not. Coordinates are floats that stand for
//! points up to `wide` away ([`Grid::widening`](super::Grid::widening)): columns are widened by that, and so is the interval
//! of depths. A difference of two coordinates is off by one roundoff of itself, a product of differences by three, and each
//! sum below has at most six such terms: [`ROUNDING`] times the sum of their magnitudes is more than all of it. So every
//! cell that the true triangle touches is covered, whatever order a device adds in.
//!
//! Sums are written so that compilers that may reorder them (shaders') see no reason to: without parentheses, and middles of
//! pixels as halves of odd numbers. Then both sides agree to the last bit, which is only needed to compare them.

use crate::image::crossed::crossed;
use crate::util::tolerance::{FLOAT_ROUNDOFF, MAX_SLOPE, MIN_DIVISOR};

/// Error of a sum of a few products of differences, relative to the magnitudes of its terms: 32 roundoffs.
pub const ROUNDING: f32 = 32.0 * FLOAT_ROUNDOFF;

/// A triangle, ready to be asked about columns of cells.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    corners: [[f32; 3]; 3],
    wide: [f32; 3],
    /// Each side as seen along the depth, down the image, and across it.
    sides: [[Side; 3]; 3],
    normal: [f32; 3],
    /// Errors of the normal.
    off: [f32; 3],
    /// Least and greatest coordinates.
    low: [f32; 3],
    high: [f32; 3],
}

/// A side of a triangle as seen along an axis: `(i, j)` are the two others.
#[derive(Clone, Copy, Debug)]
struct Side {
    from: [f32; 2],
    along: [f32; 2],
    /// Where the triangle lies, across the side.
    low: f32,
    high: f32,
}

impl Side {
    fn new(a: [f32; 3], b: [f32; 3], c: [f32; 3], [i, j]: [usize; 2]) -> Self {
        let along = [b[i] - a[i], b[j] - a[j]];
        let other = [c[i] - a[i], c[j] - a[j]];
        let (p, q) = (along[0] * other[1], along[1] * other[0]);
        let (height, error) = (p - q, ROUNDING * (p.abs() + q.abs()));
        Self { from: [a[i], a[j]], along, low: height.min(0.0) - error, high: height.max(0.0) + error }
    }

    /// Whether a rectangle around a place, as large as `half` on every side, is beside the triangle, on this side or beyond it.
    fn misses(&self, at: [f32; 2], half: [f32; 2]) -> bool {
        let (p, q) = (self.along[0] * (at[1] - self.from[1]), self.along[1] * (at[0] - self.from[0]));
        let radius = self.along[0].abs() * half[1] + self.along[1].abs() * half[0];
        let reach = radius + ROUNDING * (p.abs() + q.abs() + radius);
        let height = p - q;
        height - reach > self.high || height + reach < self.low
    }

    /// Keeps the second coordinates that the triangle can have where the first is within `half` of `at`.
    fn narrow(&self, at: f32, half: f32, range: &mut [f32; 2]) {
        let middle = self.along[1] * (at - self.from[0]);
        let radius = self.along[1].abs() * half;
        let error = ROUNDING * (middle.abs() + radius + self.low.abs() + self.high.abs());
        let (least, most) = (self.low - radius + middle - error, self.high + radius + middle + error);
        let step = self.along[0];
        let (least, most) = if step < 0.0 { (most, least) } else { (least, most) };
        if step.abs() < MIN_DIVISOR {
            return;
        }
        let inverse = 1.0 / step;
        if least.abs() < MAX_SLOPE * step.abs() {
            let by = least * inverse;
            range[0] = range[0].max(self.from[1] + by - ROUNDING * (self.from[1].abs() + by.abs()));
        }
        if most.abs() < MAX_SLOPE * step.abs() {
            let by = most * inverse;
            range[1] = range[1].min(self.from[1] + by + ROUNDING * (self.from[1].abs() + by.abs()));
        }
    }
}

impl Triangle {
    /// From corners in cells, each off by `wide` at most.
    pub fn new(corners: [[f32; 3]; 3], wide: [f32; 3]) -> Self {
        let [a, b, c] = corners;
        let sides = [[0, 1], [0, 2], [1, 2]]
            .map(|axes| [Side::new(a, b, c, axes), Side::new(b, c, a, axes), Side::new(c, a, b, axes)]);
        let u: [f32; 3] = std::array::from_fn(|k| b[k] - a[k]);
        let v: [f32; 3] = std::array::from_fn(|k| c[k] - a[k]);
        let term = |i: usize, j: usize| (u[i] * v[j], u[j] * v[i]);
        let terms = [term(1, 2), term(2, 0), term(0, 1)];
        Self {
            corners,
            wide,
            sides,
            normal: terms.map(|(p, q)| p - q),
            off: terms.map(|(p, q)| ROUNDING * (p.abs() + q.abs())),
            low: std::array::from_fn(|k| a[k].min(b[k]).min(c[k])),
            high: std::array::from_fn(|k| a[k].max(b[k]).max(c[k])),
        }
    }

    /// The first and the last cell that it may touch along an axis, of so many; `None` when there is none.
    pub fn span(&self, axis: usize, cells: u32) -> Option<[u32; 2]> {
        let (low, high) = (self.low[axis] - self.wide[axis], self.high[axis] + self.wide[axis]);
        let last = cells as f32 - 1.0;
        // Negated, so that it is false for what is not a number.
        if !(low <= cells as f32 && high >= 0.0) {
            return None;
        }
        Some([low.floor().clamp(0.0, last) as u32, high.floor().clamp(0.0, last) as u32])
    }

    /// What the plane leaves of a range of depths, over a rectangle around a place.
    fn narrow_by_plane(&self, at: [f32; 2], half: [f32; 2], range: &mut [f32; 2]) {
        let [x, y, z] = self.normal;
        if z.abs() <= 2.0 * self.off[2] || z.abs() < MIN_DIVISOR {
            return;
        }
        let from = self.corners[0];
        let by = [at[0] - from[0], at[1] - from[1]];
        let (p, q) = (x * by[0], y * by[1]);
        let radius = x.abs() * half[0] + y.abs() * half[1];
        let error = ROUNDING * (p.abs() + q.abs() + radius)
            + self.off[0] * (by[0].abs() + half[0])
            + self.off[1] * (by[1].abs() + half[1]);
        let middle = -(p + q);
        let (least, most) = (middle - radius - error, middle + radius + error);
        let (least, most) = if z < 0.0 { (most, least) } else { (least, most) };
        // The true height of the normal is that of the float, give or take half of it.
        let inverse = 1.0 / z;
        let unsure = 2.0 * self.off[2] * inverse.abs() + ROUNDING;
        if least.abs() < MAX_SLOPE * z.abs() {
            let by = least * inverse;
            range[0] = range[0].max(from[2] + by - unsure * by.abs() - ROUNDING * from[2].abs());
        }
        if most.abs() < MAX_SLOPE * z.abs() {
            let by = most * inverse;
            range[1] = range[1].min(from[2] + by + unsure * by.abs() + ROUNDING * from[2].abs());
        }
    }

    /// From which slice to which it touches a column of cells, as numbers between -1 and the number of slices, both of which
    /// stand for everything beyond; `None` when it does not.
    pub fn slices(&self, x: u32, y: u32, slices: u32) -> Option<[i32; 2]> {
        self.slices_around(x, y, [0.5 + self.wide[0], 0.5 + self.wide[1]], slices)
    }

    /// The one slice that holds all points of the triangle that may be seen in the middle of a pixel which it covers; `None`
    /// when these are in several.
    pub fn slice_in_middle(&self, x: u32, y: u32, slices: u32) -> Option<i32> {
        let [low, high] = self.slices_around(x, y, [self.wide[0], self.wide[1]], slices)?;
        (low == high).then_some(low)
    }

    /// From which slice to which it touches what is around the middle of a pixel.
    fn slices_around(&self, x: u32, y: u32, half: [f32; 2], slices: u32) -> Option<[i32; 2]> {
        let at = [x, y].map(|cell| (2 * cell + 1) as f32 * 0.5);
        let [flat, from_above, from_beside] = &self.sides;
        if flat.iter().any(|side| side.misses(at, half)) {
            return None;
        }
        let mut range = [self.low[2], self.high[2]];
        self.narrow_by_plane(at, half, &mut range);
        for side in from_above {
            side.narrow(at[0], half[0], &mut range);
        }
        for side in from_beside {
            side.narrow(at[1], half[1], &mut range);
        }
        let (low, high) = (range[0] - self.wide[2], range[1] + self.wide[2]);
        if low > high {
            return None;
        }
        let slice = |depth: f32| depth.floor().clamp(-1.0, slices as f32) as i32;
        Some([slice(low), slice(high)])
    }

    /// Whether it covers the middle of a pixel; `None` where one of its sides is so near that errors decide.
    pub fn covers_middle(&self, x: u32, y: u32) -> Option<bool> {
        let column = (2 * x + 1) as f32 * 0.5;
        let Some([left, right]) = crossed(&self.corners, y) else { return Some(false) };
        let near = |at: f32| (at - column).abs() <= self.wide[0];
        (!near(left) && !near(right)).then_some(left <= column && column < right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of a triangle, from corner to corner.
    fn points(corners: [[f32; 3]; 3], steps: u32) -> impl Iterator<Item = [f64; 3]> {
        let n = f64::from(steps);
        (0..=steps).flat_map(move |i| (0..=steps - i).map(move |j| (i, j))).map(move |(i, j)| {
            let (i, j) = (f64::from(i) / n, f64::from(j) / n);
            std::array::from_fn(|k| {
                let [a, b, c] = corners.map(|corner| f64::from(corner[k]));
                a * i + b * j + c * (1.0 - i - j)
            })
        })
    }

    /// Whether a triangle and a box share a point, by cutting the triangle with the box's six planes.
    fn cut(corners: [[f32; 3]; 3], low: [f64; 3], high: [f64; 3]) -> bool {
        let mut polygon: Vec<[f64; 3]> = corners.map(|corner| corner.map(f64::from)).to_vec();
        for k in 0..3 {
            for (sign, border) in [(1.0, high[k]), (-1.0, -low[k])] {
                let inside = |p: &[f64; 3]| border - sign * p[k];
                let mut kept = Vec::new();
                for i in 0..polygon.len() {
                    let (p, q) = (polygon[i], polygon[(i + 1) % polygon.len()]);
                    let (s, t) = (inside(&p), inside(&q));
                    if s >= 0.0 {
                        kept.push(p);
                    }
                    if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
                        kept.push(std::array::from_fn(|a| p[a] + (q[a] - p[a]) * (s / (s - t))));
                    }
                }
                polygon = kept;
            }
        }
        !polygon.is_empty()
    }

    fn random(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*seed >> 40) as f32) / (1u32 << 24) as f32
    }

    fn triangles() -> Vec<[[f32; 3]; 3]> {
        let mut seed = 7;
        let mut all = Vec::new();
        for n in 0..3000u32 {
            let spread = [0.3, 3.0, 30.0, 3000.0][n as usize % 4];
            let middle: [f32; 3] = std::array::from_fn(|_| random(&mut seed) * 16.0);
            let mut t: [[f32; 3]; 3] = std::array::from_fn(|_| {
                std::array::from_fn(|k| middle[k] + (random(&mut seed) - 0.5) * spread)
            });
            match n % 11 {
                // Seen from the side, along an axis, needles, points, whole numbers.
                0 => t.iter_mut().for_each(|p| p[0] = middle[0]),
                1 => t.iter_mut().for_each(|p| p[2] = middle[2].round()),
                2 => t[2] = t[1],
                3 => t = [t[0]; 3],
                4 => t.iter_mut().for_each(|p| *p = p.map(f32::round)),
                5 => t[2] = std::array::from_fn(|k| f32::midpoint(t[0][k], t[1][k])),
                _ => {}
            }
            all.push(t);
        }
        all
    }

    #[test]
    fn touched_cells_are_those_that_the_triangle_meets() {
        const CELLS: u32 = 16;
        let (mut exact, mut covered) = (0, 0);
        for corners in triangles() {
            let reach = corners.iter().flatten().fold(16.0, |most: f32, c| most.max(c.abs()));
            let wide = super::super::Grid::widening([reach; 3]);
            let triangle = Triangle::new(corners, wide);
            let inside =
                |span: Option<[u32; 2]>, cell: u32| span.is_some_and(|[a, b]| a <= cell && cell <= b);
            for y in 0..CELLS {
                for x in 0..CELLS {
                    let spans = inside(triangle.span(0, CELLS), x) && inside(triangle.span(1, CELLS), y);
                    let slices = triangle.slices(x, y, CELLS).filter(|_| spans);
                    for z in 0..CELLS {
                        let is = slices.is_some_and(|[a, b]| a <= z as i32 && z as i32 <= b);
                        let cell = [x, y, z].map(f64::from);
                        let meets = cut(corners, cell, cell.map(|c| c + 1.0));
                        assert!(is || !meets, "{corners:?} at {cell:?}");
                        // Nothing that is farther than the widening and the errors of floats.
                        let far = f64::from(wide[0]) * 4.0 + 1e-3;
                        assert!(
                            !is || cut(corners, cell.map(|c| c - far), cell.map(|c| c + 1.0 + far)),
                            "{corners:?} touches {cell:?}"
                        );
                        exact += u32::from(meets);
                        covered += u32::from(is);
                    }
                }
            }
        }
        assert!(exact > 10_000 && covered < exact + exact / 10, "{covered} cells for {exact}");
    }

    #[test]
    fn the_points_of_a_triangle_are_in_cells_that_it_touches() {
        for corners in triangles() {
            let reach = corners.iter().flatten().fold(16.0, |most: f32, c| most.max(c.abs()));
            let triangle = Triangle::new(corners, super::super::Grid::widening([reach; 3]));
            for p in points(corners, 40).filter(|p| p.iter().all(|c| (0.0..16.0).contains(c))) {
                let [x, y, z] = p.map(|c| c as u32);
                let slices = triangle.slices(x, y, 16);
                assert!(slices.is_some_and(|[a, b]| a <= z as i32 && z as i32 <= b), "{corners:?} {p:?}");
            }
        }
    }

    #[test]
    fn a_closed_surface_covers_every_middle_an_even_number_of_times() {
        let (mut seed, mut asked) = (3, 0);
        for spread in [2.0, 20.0, 2000.0] {
            for _ in 0..300 {
                let p: [[f32; 3]; 4] = std::array::from_fn(|_| {
                    std::array::from_fn(|_| 8.0 + (random(&mut seed) - 0.5) * spread)
                });
                let rounded = p.map(|p| p.map(|c| c.round() + 0.5));
                for p in [p, rounded] {
                    let faces = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
                    let faces = faces.map(|face| Triangle::new(face.map(|k: usize| p[k]), [0.0; 3]));
                    for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (x, y))) {
                        let times =
                            faces.iter().filter(|face| face.covers_middle(x, y) == Some(true)).count();
                        let sure = faces.iter().all(|face| face.covers_middle(x, y).is_some());
                        assert!(!sure || times % 2 == 0, "{p:?} at {x}, {y}: {times}");
                        asked += usize::from(sure);
                    }
                }
            }
        }
        assert!(asked > 300_000, "{asked}");
    }
}
