//! A path against triangles, so that nothing slips through where two of them share an edge.
//!
//! Seen along its acceleration, a parabola is a straight line; so is a path without acceleration, seen from anywhere. The
//! plane through that line and the direction of sight, the *curtain*, cuts a triangle in a segment, from one of its edges
//! to another. Which edges depends on which side of the curtain each vertex is; when the path passes an edge, and how
//! high above it, on the edge alone. Triangles that share a vertex or an edge compute the same numbers for it, so the path
//! that is above the edge for one is above it for the other: where a path goes from above a closed surface to below, one
//! of its triangles sees the change of sign.
//!
//! Within a triangle the height above it is a quadratic in time whose second derivative is that of the path, so heights
//! at both ends say all.

use super::affine::dot;
use super::particle::Path;
use crate::scene::Point;
use crate::scene::vector::{cross, unit};
use crate::util::tolerance::GRAZING;

/// A path, and a frame to see it as a straight line.
pub(crate) struct Curtain<'a> {
    path: &'a Path,
    /// Two directions across, and the one of sight.
    axes: [Point; 3],
    /// Velocity across; for a path that only goes along the direction of sight, any direction.
    across: [f64; 2],
    /// Whether that is so.
    still: bool,
    /// Velocity, and half of the acceleration, along the direction of sight.
    rise: f64,
    bend: f64,
}

/// Where the path passes an edge: when, and how high above it.
#[derive(Clone, Copy)]
struct End {
    t: f64,
    height: f64,
    /// Whether it is on an edge, or cut by the time.
    edge: bool,
}

impl<'a> Curtain<'a> {
    /// `None` for a particle that does not move, or too fast for doubles.
    pub(crate) fn new(path: &'a Path) -> Option<Self> {
        let (v, a) = (path.velocity, path.acceleration);
        let beside = |d: Point| {
            let least = (0..3).fold(0, |least, k| if d[k].abs() < d[least].abs() { k } else { least });
            let mut axis = [0.0; 3];
            axis[least] = 1.0;
            unit(cross(d, axis))
        };
        let axes = if let Some(sight) = unit(a) {
            let x = beside(sight)?;
            [x, cross(sight, x), sight]
        } else {
            let x = unit(v)?;
            let sight = beside(x)?;
            [x, cross(sight, x), sight]
        };
        let mut across = [dot(axes[0], v), dot(axes[1], v)];
        let still = across == [0.0; 2];
        if still {
            across = [1.0, 0.0];
        }
        let curtain = Self { path, axes, across, still, rise: dot(axes[2], v), bend: 0.5 * dot(axes[2], a) };
        (across[0] * across[0] + across[1] * across[1]).is_finite().then_some(curtain)
    }

    /// Every time `after < t <= until` at which the path meets the triangle.
    pub(crate) fn hits(&self, corners: &[Point; 3], [after, until]: [f64; 2], mut found: impl FnMut(f64)) {
        let origin = self.path.position;
        let from = corners.map(|p| {
            let d: Point = std::array::from_fn(|k| p[k] - origin[k]);
            self.axes.map(|axis| dot(axis, d))
        });
        // A vertex on the curtain counts as on one side of it, for all of its triangles.
        let sides = from.map(|q| self.across[0] * q[1] - self.across[1] * q[0]);
        let left = sides.map(|side| side >= 0.0);
        if left == [true; 3] || left == [false; 3] {
            return;
        }
        let mut ends = [after, until].map(|t| End { t, height: 0.0, edge: false });
        let mut edges = ends;
        let mut count = 0;
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            if left[i] != left[j] && count < 2 {
                // The same arithmetic whichever triangle asks.
                let (i, j) = if precedes(&corners[i], &corners[j]) { (i, j) } else { (j, i) };
                edges[count] = self.pass(&from[i], &from[j], sides[i], sides[j]);
                count += 1;
            }
        }
        if edges[0].t > edges[1].t {
            edges.swap(0, 1);
        }
        if self.still {
            // Above one point for all time, and that is in one triangle of a surface.
            if edges[0].t > 0.0 || edges[1].t <= 0.0 {
                return;
            }
        } else {
            if edges[0].t > until || edges[1].t < after {
                return;
            }
            if edges[0].t > after {
                ends[0] = edges[0];
            }
            if edges[1].t < until {
                ends[1] = edges[1];
            }
        }
        for end in &mut ends {
            if !end.edge {
                end.height = self.height(corners, end.t);
            }
        }
        // A change of sign is there even if rounding puts it on the border; a path that starts on the triangle is not.
        let starts = ends[0].t == 0.0 && ends[0].height == 0.0;
        self.between(ends, |t, certain| {
            if t <= until && (t > after || certain && !starts) {
                found(t);
            }
        });
    }

    /// Where the path passes an edge whose ends are on either side of the curtain.
    fn pass(&self, p: &Point, q: &Point, side_p: f64, side_q: f64) -> End {
        let part = side_p / (side_p - side_q);
        let at: Point = std::array::from_fn(|k| p[k] + part * (q[k] - p[k]));
        let [x, y] = self.across;
        let t = (at[0] * x + at[1] * y) / (x * x + y * y);
        End { t, height: t * (self.rise + t * self.bend) - at[2], edge: true }
    }

    /// How high the path is above the triangle's plane, along the direction of sight.
    fn height(&self, corners: &[Point; 3], t: f64) -> f64 {
        let [a, b, c] = corners;
        let normal = cross(std::array::from_fn(|k| b[k] - a[k]), std::array::from_fn(|k| c[k] - a[k]));
        let p = self.path.position_after(t);
        dot(normal, std::array::from_fn(|k| p[k] - a[k])) / dot(normal, self.axes[2])
    }

    /// Times at which the height is zero between two ends, and whether a change of sign proves it.
    fn between(&self, [from, to]: [End; 2], mut found: impl FnMut(f64, bool)) {
        let span = to.t - from.t;
        let (h0, h1) = (from.height, to.height);
        // height(u) = h0 (1 - u) + h1 u - dip u (1 - u) for u in 0..1.
        let dip = self.bend * span * span;
        let size = h0.abs() + h1.abs() + dip.abs() + (self.rise * to.t).abs() + self.bend.abs() * to.t * to.t;
        let slack = GRAZING * size;
        let slope = h1 - h0 - dip;
        // Not past the ends by rounding: who asks for one step or the next would both refuse it.
        let at = |u: f64| (from.t + span * u).max(from.t).min(to.t);
        let crosses = (h0 < 0.0) != (h1 < 0.0);
        // The root of smaller size is where nothing cancels; the other by the product of both.
        let discriminant = slope * slope - 4.0 * dip * h0;
        let q = -0.5 * (slope + discriminant.max(0.0).sqrt().copysign(slope));
        let (one, other) = (h0 / q, q / dip);
        if crosses {
            let inside = |u: f64| (0.0..=1.0).contains(&u);
            // By rounding neither may be inside; then the nearer end is as good.
            let u = if inside(one) {
                one
            } else if inside(other) {
                other
            } else if h0.abs() <= h1.abs() {
                0.0
            } else {
                1.0
            };
            found(at(u), true);
            return;
        }
        let lowest = -slope / (2.0 * dip);
        if dip > 0.0 && h0 >= 0.0 && lowest > 0.0 && lowest < 1.0 {
            let deepest = h0 - slope * slope / (4.0 * dip);
            if deepest < -slack {
                found(at(one.min(other)), false);
                found(at(one.max(other)), false);
                return;
            }
            if deepest <= slack {
                found(at(lowest), false);
                return;
            }
        }
        // Touches an edge and turns back, or goes on above the next triangle; or touches just when the time is over.
        if from.edge && h0.abs() <= slack {
            found(from.t, false);
        }
        if h1.abs() <= slack {
            found(to.t, false);
        }
    }
}

/// An order of points that does not depend on their numbers: meshes may have vertices twice.
fn precedes(a: &Point, b: &Point) -> bool {
    a.partial_cmp(b).is_none_or(std::cmp::Ordering::is_lt)
}
