//! Exact tests between points, segments and triangles that lie in one plane or are degenerate: everything that
//! the transversal test of [`super::triangle_pair`] leaves.

use super::predicates::{Sign, orient2d, orient3d};
use crate::scene::Point;

/// The convex hull of three points, by dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hull {
    Point(Point),
    /// End points, the lexicographically smaller first.
    Segment([Point; 2]),
    Triangle([Point; 3]),
}

impl Hull {
    pub(crate) fn new(t: [Point; 3]) -> Self {
        if (0..3).any(|axis| orient2d(flatten(t[0], axis), flatten(t[1], axis), flatten(t[2], axis)) != 0) {
            return Self::Triangle(t);
        }
        // On a line, lexicographic order is order along the line.
        let smaller = |a, b| if less(b, a) { b } else { a };
        let larger = |a, b| if less(a, b) { b } else { a };
        let [low, high] = [smaller(smaller(t[0], t[1]), t[2]), larger(larger(t[0], t[1]), t[2])];
        if low == high { Self::Point(low) } else { Self::Segment([low, high]) }
    }

    /// Whether the two closed sets share a point.
    pub(crate) fn touches(self, other: Self) -> bool {
        use Hull::{Point, Segment, Triangle};
        match (self, other) {
            (Point(p), Point(q)) => p == q,
            (Point(p), Segment(s)) | (Segment(s), Point(p)) => segment_holds(s, p),
            (Point(p), Triangle(t)) | (Triangle(t), Point(p)) => triangle_holds(t, p),
            (Segment(s), Segment(r)) => segments_touch(s, r),
            (Segment(s), Triangle(t)) | (Triangle(t), Segment(s)) => segment_touches_triangle(s, t),
            (Triangle(t), Triangle(r)) => super::triangle_pair::triangles_touch(&t, &r),
        }
    }
}

/// Lexicographic order of coordinates.
#[inline]
pub(crate) fn less(a: Point, b: Point) -> bool {
    a[0] < b[0] || a[0] == b[0] && (a[1] < b[1] || a[1] == b[1] && a[2] < b[2])
}

/// Drops one coordinate.
#[inline]
pub(crate) fn flatten(p: Point, axis: usize) -> [f64; 2] {
    [p[(axis + 1) % 3], p[(axis + 2) % 3]]
}

/// The axis along which a triangle may be flattened without collapsing; `None` when it is degenerate.
pub(crate) fn flattening_axis([a, b, c]: [Point; 3]) -> Option<usize> {
    (0..3).find(|&axis| orient2d(flatten(a, axis), flatten(b, axis), flatten(c, axis)) != 0)
}

pub(crate) fn collinear(a: Point, b: Point, c: Point) -> bool {
    flattening_axis([a, b, c]).is_none()
}

/// Whether `p` lies on the closed segment; its end points may coincide.
pub(crate) fn segment_holds([a, b]: [Point; 2], p: Point) -> bool {
    let (low, high) = if less(b, a) { (b, a) } else { (a, b) };
    !less(p, low) && !less(high, p) && collinear(a, b, p)
}

/// Whether `p` lies in the closed triangle, which is not degenerate.
pub(crate) fn triangle_holds(t: [Point; 3], p: Point) -> bool {
    orient3d(t[0], t[1], t[2], p) == 0 && flat_convex_touch(t, &t, &[p])
}

/// Whether two closed segments share a point; neither is a single point.
pub(crate) fn segments_touch(s: [Point; 2], r: [Point; 2]) -> bool {
    if orient3d(s[0], s[1], r[0], r[1]) != 0 {
        return false;
    }
    // Any three of the four that are not collinear span the common plane.
    for spanning in [[s[0], s[1], r[0]], [s[0], s[1], r[1]]] {
        if flattening_axis(spanning).is_some() {
            return flat_convex_touch(spanning, &s, &r);
        }
    }
    let order = |[a, b]: [Point; 2]| if less(b, a) { [b, a] } else { [a, b] };
    let ([s0, s1], [r0, r1]) = (order(s), order(r));
    !less(s1, r0) && !less(r1, s0)
}

/// Whether a closed segment (not a single point) and a closed triangle (not degenerate) share a point.
pub(crate) fn segment_touches_triangle([p, q]: [Point; 2], t: [Point; 3]) -> bool {
    let (side_p, side_q) = (orient3d(t[0], t[1], t[2], p), orient3d(t[0], t[1], t[2], q));
    if side_p == 0 && side_q == 0 {
        return flat_convex_touch(t, &t, &[p, q]);
    }
    side_p != side_q && line_meets_triangle([p, q], t)
}

/// Whether the line through `p` and `q`, which is not parallel to the triangle's plane, meets the closed triangle.
#[inline]
pub(crate) fn line_meets_triangle([p, q]: [Point; 2], t: [Point; 3]) -> bool {
    // Each sign tells on which side of an edge the line passes; only consistent signs pass inside.
    let first = orient3d(p, q, t[0], t[1]);
    let second = orient3d(p, q, t[1], t[2]);
    if first * second < 0 {
        return false;
    }
    let third = orient3d(p, q, t[2], t[0]);
    first * third >= 0 && second * third >= 0
}

/// Whether two convex sets in the plane of `spanning` (a triangle that is not degenerate) share a point. Each is
/// the hull of one, two or three points; not both may lie on one line.
///
/// Separating axes: the Minkowski difference of the two has an interior, and each of its sides is parallel to a
/// side of one of them; so two disjoint sets have all of one strictly beyond a side of the other.
pub(crate) fn flat_convex_touch(spanning: [Point; 3], a: &[Point], b: &[Point]) -> bool {
    let Some(axis) = flattening_axis(spanning) else { return false };
    !has_separating_side(axis, a, b) && !has_separating_side(axis, b, a)
}

fn has_separating_side(axis: usize, polygon: &[Point], other: &[Point]) -> bool {
    if polygon.len() < 2 {
        return false;
    }
    (0..polygon.len()).any(|i| {
        let (from, to) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        let side = |p: Point| -> Sign { orient2d(flatten(from, axis), flatten(to, axis), flatten(p, axis)) };
        let own = polygon.iter().map(|&p| side(p)).find(|&s| s != 0).unwrap_or(0);
        let beyond = side(other[0]);
        beyond != 0 && beyond != own && other[1..].iter().all(|&p| side(p) == beyond)
    })
}
