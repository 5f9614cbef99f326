//! Surfaces of second order (Knott 2003, 3.8) in their own frame.

use super::affine::dot;
use super::error::ColliderFault;
use super::particle::Path;
use super::roots::{Polynomial, Roots};
use super::shape::Clip;
use crate::scene::{Bounds, Point};
use crate::util::tolerance::MIN_EIGENVALUE;

/// `x.Ax + 2 b.x + c = 0` where all clips hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quadric {
    a: [Point; 3],
    b: Point,
    c: f64,
    clips: Vec<Clip>,
}

impl Quadric {
    pub(crate) fn new(matrix: [[f64; 4]; 4], clips: Vec<Clip>) -> Result<Self, ColliderFault> {
        if let Some(&value) = matrix.iter().flatten().find(|x| !x.is_finite()) {
            return Err(ColliderFault::NotFinite { what: "an entry of the matrix", value });
        }
        for row in 0..4 {
            for column in 0..row {
                let (value, mirrored) = (matrix[row][column], matrix[column][row]);
                if value != mirrored {
                    return Err(ColliderFault::NotSymmetric { row, column, value, mirrored });
                }
            }
        }
        if matrix.iter().enumerate().all(|(row, entries)| {
            entries.iter().enumerate().all(|(column, &x)| x == 0.0 || row == 3 && column == 3)
        }) {
            return Err(ColliderFault::Degenerate { why: "its quadratic and linear parts are zero" });
        }
        let values = eigenvalues(balanced(matrix));
        let largest = values.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let slack = MIN_EIGENVALUE * largest;
        if !(values.iter().any(|&v| v > slack) && values.iter().any(|&v| v < -slack)) {
            return Err(ColliderFault::Degenerate { why: "its function has the same sign everywhere" });
        }
        clips.iter().try_for_each(Clip::check)?;
        let [x, y, z, w] = matrix;
        let row = |r: [f64; 4]| [r[0], r[1], r[2]];
        Ok(Self { a: [row(x), row(y), row(z)], b: row(w), c: w[3], clips })
    }

    #[inline]
    fn times(&self, p: Point) -> Point {
        self.a.map(|row| dot(row, p))
    }

    /// `f(p)`: in this order, always.
    #[inline]
    pub(crate) fn value(&self, p: Point) -> f64 {
        let q = self.times(p);
        dot(p, q) + 2.0 * dot(self.b, p) + self.c
    }

    #[inline]
    pub(crate) fn gradient(&self, p: Point) -> Point {
        let q = self.times(p);
        std::array::from_fn(|k| 2.0 * (q[k] + self.b[k]))
    }

    /// The second derivative of `f` along a vector, twice.
    #[inline]
    pub(crate) fn bend(&self, v: Point) -> f64 {
        2.0 * dot(v, self.times(v))
    }

    /// Whether a place that may be so wrong is within all clips.
    #[inline]
    pub(crate) fn keeps(&self, p: Point, error: impl Fn() -> f64) -> bool {
        self.clips.iter().all(|clip| clip.holds(p) || clip.nearly_holds(p, error()))
    }

    /// `h(t) = f(g(t))` of a path in this frame: of degree two for the first order (3.9), of degree four for the second.
    #[inline]
    pub(crate) fn along(&self, path: &Path) -> Polynomial {
        let (x, v) = (path.position, path.velocity);
        let (ax, av) = (self.times(x), self.times(v));
        let normal: Point = std::array::from_fn(|k| ax[k] + self.b[k]);
        let c0 = dot(x, ax) + 2.0 * dot(self.b, x) + self.c;
        let c1 = 2.0 * dot(v, normal);
        let c2 = dot(v, av);
        let size = |p: Point, q: Point| (p[0] * q[0]).abs() + (p[1] * q[1]).abs() + (p[2] * q[2]).abs();
        let thick: Point = std::array::from_fn(|k| size(self.a[k], x) + self.b[k].abs());
        let flat: Point = std::array::from_fn(|k| size(self.a[k], v));
        let s0 = size(x, thick) + size(self.b, x) + self.c.abs();
        let s1 = 2.0 * size(v, thick);
        let s2 = size(v, flat);
        if path.acceleration == [0.0; 3] {
            return Polynomial::quadratic([c0, c1, c2], [s0, s1, s2]);
        }
        let w = path.acceleration.map(|a| 0.5 * a);
        let aw = self.times(w);
        let steep: Point = std::array::from_fn(|k| size(self.a[k], w));
        Polynomial {
            terms: [c0, c1, c2 + 2.0 * dot(w, normal), 2.0 * dot(v, aw), dot(w, aw)],
            sizes: [s0, s1, s2 + 2.0 * size(w, thick), 2.0 * size(v, steep), size(w, steep)],
        }
    }

    /// All hits of a path in this frame in `after < t <= until`, as if there were no clips.
    #[inline]
    pub(crate) fn roots(&self, path: &Path, after: f64, until: f64) -> Roots {
        let whole = self.along(path);
        let [.., c3, c4] = whole.terms;
        if c3 != 0.0 || c4 != 0.0 {
            if whole.keeps_its_sign(until) {
                return Roots::default();
            }
            let Some((middle, near)) = self.nearby_bent(path, &whole) else {
                return whole.roots(after, until);
            };
            let back = near.backwards().roots((middle - until).max(0.0), middle - after);
            let on = near.roots((after - middle).max(0.0), until - middle);
            return Roots::joined(&back, middle, &on, until);
        }
        let Some((middle, near)) = self.nearby(path, &whole) else { return whole.roots(after, until) };
        near.roots(f64::NEG_INFINITY, f64::INFINITY).later(middle, after, until)
    }

    /// The same for a path of second order: from a little before it is nearest, so that it is not an end of either part.
    fn nearby_bent(&self, path: &Path, whole: &Polynomial) -> Option<(f64, Polynomial)> {
        let [size, ..] = whole.sizes;
        let end = whole.reach();
        // Near enough as it is, or about the surface.
        if NEAR * size < self.c.abs() || whole.terms[0].abs() <= 0.5 * size || !end.is_finite() {
            return None;
        }
        let mut best: Option<(f64, Polynomial)> = None;
        for extremum in whole.extrema(end).as_slice() {
            let middle = extremum * (1.0 - BEFORE);
            let (position, velocity) = (path.position_after(middle), path.velocity_after(middle));
            let near = self.along(&Path { position, velocity, ..*path });
            let least = best.as_ref().map_or(NEAR * size, |(_, best)| best.sizes[0]);
            if near.sizes[0] < least && near.terms[0] != 0.0 {
                best = Some((middle, near));
            }
        }
        best
    }

    /// A path of first order that comes from far away squares its distance, and a surface that is small beside it drowns in
    /// the roundings. Seen from where the function is least, which the path alone decides, it does not: the time there, and
    /// the polynomial since then.
    #[inline]
    fn nearby(&self, path: &Path, whole: &Polynomial) -> Option<(f64, Polynomial)> {
        let [c, b, a, ..] = whole.terms;
        let middle = -b / (2.0 * a);
        // One that starts about the surface keeps the sign that it starts with.
        let far = c.abs() > 0.5 * whole.sizes[0] && middle > 0.0 && middle.is_finite();
        if !far || path.acceleration != [0.0; 3] {
            return None;
        }
        let near = self.along(&Path { position: path.position_after(middle), ..*path });
        (near.sizes[0] < NEAR * whole.sizes[0]).then_some((middle, near))
    }

    /// A box around the surface; `None` when it may go on for ever.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        let mut bounds = self.ellipsoid_bounds();
        for clip in &self.clips {
            if let Clip::Box { min, max } = clip {
                bounds = bounds.common(&Bounds { min: *min, max: *max });
            }
        }
        if let Some([x, y, z]) = self.turned_bounds([bounds.min[2], bounds.max[2]]) {
            let turned = Bounds { min: [x[0], y[0], z[0]], max: [x[1], y[1], z[1]] };
            bounds = bounds.common(&turned);
        }
        bounds.min.iter().chain(&bounds.max).all(|c| c.is_finite()).then_some(bounds)
    }

    /// Of a surface about the z axis between two heights, `p x^2 + q y^2 = rest(z)`: as wide as the largest rest makes it.
    fn turned_bounds(&self, [mut low, mut high]: [f64; 2]) -> Option<[[f64; 2]; 3]> {
        let [[p, xy, xz], [_, q, yz], [_, _, r]] = self.a;
        if [xy, xz, yz, self.b[0], self.b[1]] != [0.0; 5] || p * q <= 0.0 {
            return None;
        }
        // In units of p: at least zero where there is a surface.
        let rest = |z: f64| -(r * z * z + 2.0 * self.b[2] * z + self.c) / p;
        if r == 0.0 && self.b[2] != 0.0 {
            // A paraboloid ends where its rest does.
            let tip = -self.c / (2.0 * self.b[2]);
            if self.b[2] / p > 0.0 {
                high = high.min(tip);
            } else {
                low = low.max(tip);
            }
        }
        let waist = (-self.b[2] / r).clamp(low, high);
        let widest = [low, high, waist].into_iter().map(rest).fold(0.0, f64::max);
        let (x, y) = (widest.sqrt(), (widest * (p / q)).sqrt());
        Some([[-x, x], [-y, y], [low, high]])
    }

    /// Of an ellipsoid: its centre solves `A x = -b`, and it reaches `sqrt(k A^-1_ii)` from there. Everything else gets
    /// a box without end.
    fn ellipsoid_bounds(&self) -> Bounds {
        let endless = Bounds { min: [f64::NEG_INFINITY; 3], max: [f64::INFINITY; 3] };
        let a = &self.a;
        let minor = |r: usize, c: usize| {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1]
        };
        let determinant: f64 = (0..3).map(|c| a[0][c] * minor(0, c)).sum();
        // Definite: leading minors of the sign of the matrix. Nearly flat ones are left without a box.
        let sign = a[0][0].signum();
        let scale = (a[0][0] * a[1][1] * a[2][2]).abs();
        if !(minor(2, 2) > 0.0 && sign * determinant > MIN_EIGENVALUE * scale) {
            return endless;
        }
        let inverse: [Point; 3] = std::array::from_fn(|r| std::array::from_fn(|c| minor(c, r) / determinant));
        let centre = inverse.map(|row| -dot(row, self.b));
        let k = -dot(self.b, centre) - self.c;
        let reach: Point =
            std::array::from_fn(|i| (k * inverse[i][i]).max(0.0).sqrt() * (1.0 + BOX_ROUNDING));
        Bounds {
            min: std::array::from_fn(|i| centre[i] - reach[i]),
            max: std::array::from_fn(|i| centre[i] + reach[i]),
        }
    }
}

/// What solving for the box of an ellipsoid may lose, as a part of its size: the matrix may be as flat as
/// [`MIN_EIGENVALUE`], and that many digits are then left. 2^-8.
const BOX_ROUNDING: f64 = 1.0 / 256.0;

/// Part of its terms at the start that a function has left where a path is nearest, for the way there to be worth it: a
/// distance of 16 sizes. 2^-8.
const NEAR: f64 = 1.0 / 256.0;

/// How long before the nearest place of a path it is looked at from, as a part of the time it takes there. 2^-20.
const BEFORE: f64 = 1.0 / (1u64 << 20) as f64;

/// Rounds of scaling, and of rotations, after which more change nothing that matters for signs.
const ROUNDS: usize = 16;

/// Rows and columns scaled alike so that each has a largest entry about 1: eigenvalues keep their signs, and no unit of
/// length makes some of them look like zero.
fn balanced(mut m: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    for _ in 0..ROUNDS {
        let scale = m.map(|row| {
            let most = row.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            if most > 0.0 { 1.0 / most.sqrt() } else { 1.0 }
        });
        m = std::array::from_fn(|r| std::array::from_fn(|c| m[r][c] * scale[r] * scale[c]));
    }
    m
}

/// Of a symmetric matrix, by Jacobi's rotations.
fn eigenvalues(mut m: [[f64; 4]; 4]) -> [f64; 4] {
    for _ in 0..ROUNDS {
        for p in 0..4 {
            for q in p + 1..4 {
                if m[p][q] == 0.0 {
                    continue;
                }
                let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
                let t = 1.0f64.copysign(theta) / (theta.abs() + theta.hypot(1.0));
                let cos = 1.0 / t.hypot(1.0);
                let sin = t * cos;
                for k in 0..4 {
                    let (x, y) = (m[k][p], m[k][q]);
                    (m[k][p], m[k][q]) = (cos * x - sin * y, sin * x + cos * y);
                }
                for k in 0..4 {
                    let (x, y) = (m[p][k], m[q][k]);
                    (m[p][k], m[q][k]) = (cos * x - sin * y, sin * x + cos * y);
                }
            }
        }
    }
    std::array::from_fn(|k| m[k][k])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places on the surface, found by marching in from all sides, are in the box, and the box is not much larger.
    fn check(quadric: &Quadric, expected: [[f64; 2]; 3]) {
        let bounds = quadric.bounds().expect("bounded");
        for k in 0..3 {
            let size = expected[k][1] - expected[k][0];
            assert!(bounds.min[k] <= expected[k][0] + 1e-9 && bounds.min[k] > expected[k][0] - 0.02 * size);
            assert!(bounds.max[k] >= expected[k][1] - 1e-9 && bounds.max[k] < expected[k][1] + 0.02 * size);
        }
    }

    fn upright([x, y, z, linear, constant]: [f64; 5], z_range: [f64; 2]) -> Quadric {
        let matrix =
            [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, linear], [0.0, 0.0, linear, constant]];
        let wide = f64::INFINITY;
        let clip = Clip::Box { min: [-wide, -wide, z_range[0]], max: [wide, wide, z_range[1]] };
        Quadric::new(matrix, vec![clip]).unwrap()
    }

    #[test]
    fn boxes_come_from_the_matrix() {
        // A cylinder, a bowl cut at 4 and one upside down, a waist, an ellipsoid off its origin, all of them negated too.
        for sign in [1.0, -1.0] {
            let of = |entries: [f64; 5], z| upright(entries.map(|c| sign * c), z);
            check(&of([1.0, 0.25, 0.0, 0.0, -1.0], [-3.0, 2.0]), [[-1.0, 1.0], [-2.0, 2.0], [-3.0, 2.0]]);
            check(
                &of([1.0, 1.0, 0.0, -0.5, 0.0], [f64::NEG_INFINITY, 4.0]),
                [[-2.0, 2.0], [-2.0, 2.0], [0.0, 4.0]],
            );
            check(
                &of([1.0, 1.0, 0.0, 0.5, 0.0], [-4.0, f64::INFINITY]),
                [[-2.0, 2.0], [-2.0, 2.0], [-4.0, 0.0]],
            );
            let wide = 5f64.sqrt();
            check(&of([1.0, 1.0, -1.0, 0.0, -1.0], [-1.0, 2.0]), [[-wide, wide], [-wide, wide], [-1.0, 2.0]]);
            check(
                &of([1.0, 1.0, 0.25, -0.75, 1.25], [f64::NEG_INFINITY, f64::INFINITY]),
                [[-1.0, 1.0], [-1.0, 1.0], [1.0, 5.0]],
            );
        }
        let endless = upright([1.0, 1.0, -1.0, 0.0, -1.0], [f64::NEG_INFINITY, 1.0]);
        assert_eq!(endless.bounds(), None);
    }
}
