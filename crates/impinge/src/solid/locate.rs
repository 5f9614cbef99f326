//! Where a point is relative to a closed surface, from exact signs: crossings of the ray towards +z are counted.
//!
//! A ray may pass through an edge or a vertex. Once the point is known not to be on the surface, moving it by less
//! than any distance that matters changes nothing; it is moved by an infinitesimal along x and a smaller one along
//! y, after which no side of a triangle is in its way, unless the side is parallel to the ray: then its triangle is
//! too, and no ray crosses that one.

use super::surface::Surface;
use crate::exact::coplanar::flatten;
use crate::exact::predicates::{Sign, orient2d, orient3d};
use crate::scene::Point;
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the solid, not on the surface.
    Inside,
    On,
    Outside,
}

/// A point of which only signs are known.
pub(crate) trait Probe {
    /// Lower and upper bounds of its coordinates.
    fn bounds(&self) -> [Point; 2];
    /// One coordinate, compared.
    fn compare(&self, axis: usize, value: f64) -> Ordering;
    /// `orient2d(a, b, self)`, flattened along the axis.
    fn orient2d(&self, axis: usize, a: Point, b: Point) -> Sign;
    /// `orient3d(a, b, c, self)`.
    fn orient3d(&self, corners: [Point; 3]) -> Sign;
}

impl Probe for Point {
    #[inline]
    fn bounds(&self) -> [Point; 2] {
        [*self, *self]
    }

    fn compare(&self, axis: usize, value: f64) -> Ordering {
        self[axis].partial_cmp(&value).unwrap_or(Ordering::Equal) // coordinates are finite
    }

    fn orient2d(&self, axis: usize, a: Point, b: Point) -> Sign {
        orient2d(flatten(a, axis), flatten(b, axis), flatten(*self, axis))
    }

    fn orient3d(&self, [a, b, c]: [Point; 3]) -> Sign {
        orient3d(a, b, c, *self)
    }
}

/// The axis of the ray.
const RAY: usize = 2;

/// `triangles` are those of the surface, each at most once; those that share neither x nor y with the probe, or lie
/// below it, may be missing.
pub(crate) fn locate<P: Probe>(probe: &P, surface: &Surface, triangles: impl Iterator<Item = u32>) -> Place {
    let [low, high] = probe.bounds();
    let (mut winding, mut crossings) = (0i64, 0u64);
    for triangle in triangles {
        let corners @ [a, b, c] = surface.corners(triangle);
        let min = |axis: usize| a[axis].min(b[axis]).min(c[axis]);
        let max = |axis: usize| a[axis].max(b[axis]).max(c[axis]);
        if min(0) > high[0] || max(0) < low[0] || min(1) > high[1] || max(1) < low[1] || max(2) < low[2] {
            continue;
        }
        let sides = sides(probe, RAY, corners);
        if are_mixed(sides) {
            continue;
        }
        let height = probe.orient3d(corners);
        if height == 0 && is_on(probe, corners) {
            return Place::On;
        }
        let turn = beside(sides[0], a, b);
        if turn != 0 && turn == beside(sides[1], b, c) && turn == beside(sides[2], c, a) && height == turn {
            winding += i64::from(turn);
            crossings += 1;
        }
    }
    let inside = if surface.is_oriented() { winding != 0 } else { crossings % 2 == 1 };
    if inside { Place::Inside } else { Place::Outside }
}

fn sides<P: Probe>(probe: &P, axis: usize, [a, b, c]: [Point; 3]) -> [Sign; 3] {
    [probe.orient2d(axis, a, b), probe.orient2d(axis, b, c), probe.orient2d(axis, c, a)]
}

fn are_mixed(sides: [Sign; 3]) -> bool {
    sides.contains(&1) && sides.contains(&-1)
}

/// On which side of the edge the probe is once it is moved; zero only when the edge is parallel to the ray.
fn beside(side: Sign, from: Point, to: Point) -> Sign {
    let sign = |a: f64, b: f64| Sign::from(a > b) - Sign::from(a < b);
    // The derivatives of orient2d(from, to, p) along x and y.
    let along = [side, sign(from[1], to[1]), sign(to[0], from[0])];
    along.into_iter().find(|&s| s != 0).unwrap_or(0)
}

/// Whether a probe in the plane of a closed triangle is on it. Flattened along each axis in turn, no two sides
/// disagree, and where the triangle collapses to a segment or a point, its box decides.
fn is_on<P: Probe>(probe: &P, corners: [Point; 3]) -> bool {
    let in_box = |axis: usize| {
        let [a, b, c] = corners.map(|p| p[axis]);
        probe.compare(axis, a.min(b).min(c)).is_ge() && probe.compare(axis, a.max(b).max(c)).is_le()
    };
    (0..3).all(in_box) && (0..3).all(|axis| !are_mixed(sides(probe, axis, corners)))
}
