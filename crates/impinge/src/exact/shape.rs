//! The points that two triangles in contact share: a point, a segment, or (coplanar) a convex polygon.
//!
//! Which edges and corners take part is decided by exact signs; the points themselves are plain `f64`.

use super::coplanar::{Hull, flatten, flattening_axis, line_meets_triangle};
use super::predicates::orient2d;
use super::triangle_pair::sides;
use crate::scene::Point;
use crate::scene::vector::cross;
use crate::util::threads;
use rayon::prelude::*;

/// Where two triangles meet. Coordinates and normals are rounded `f64` constructions; the fact that they meet is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactShape {
    points: [Point; 6],
    len: usize,
    /// Unit normal of the first triangle, zero when it is degenerate.
    pub normal_a: Point,
    /// Unit normal of the second triangle, zero when it is degenerate.
    pub normal_b: Point,
}

impl ContactShape {
    /// One point, the two ends of a segment, or the corners of a convex polygon in order.
    pub fn points(&self) -> &[Point] {
        &self.points[..self.len]
    }

    /// The longest extent: of a segment its ends, of a point the point twice, of a polygon its farthest corners.
    pub fn segment(&self) -> [Point; 2] {
        farthest(self.points())
    }
}

/// Its points, without the room for more.
#[cfg(feature = "serde")]
impl serde::Serialize for ContactShape {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut shape = serializer.serialize_struct("ContactShape", 3)?;
        shape.serialize_field("points", self.points())?;
        shape.serialize_field("normal_a", &self.normal_a)?;
        shape.serialize_field("normal_b", &self.normal_b)?;
        shape.end()
    }
}

/// The shared points of two triangles that touch. Of triangles that do not touch, nothing sensible.
pub fn contact_shape(a: &[Point; 3], b: &[Point; 3]) -> ContactShape {
    let mut shape =
        ContactShape { points: [[0.0; 3]; 6], len: 0, normal_a: unit_normal(a), normal_b: unit_normal(b) };
    let (a_sides, b_sides) = (sides(b, a), sides(a, b));
    if a_sides == [0; 3] || b_sides == [0; 3] {
        flat_shape(a, b, &mut shape);
        return shape;
    }
    // The planes cross: the ends of the common segment are where edges pass through the other triangle.
    let mut ends = [[0.0; 3]; 6];
    let mut count = 0;
    for (t, sides, other) in [(a, a_sides, b), (b, b_sides, a)] {
        for i in 0..3 {
            let j = (i + 1) % 3;
            if sides[i] != sides[j] && line_meets_triangle([t[i], t[j]], *other) {
                ends[count] = match (sides[i], sides[j]) {
                    (0, _) => t[i],
                    (_, 0) => t[j],
                    _ => crossing([t[i], t[j]], other),
                };
                count += 1;
            }
        }
    }
    shape.keep(&farthest(&ends[..count]));
    shape
}

impl ContactShape {
    fn keep(&mut self, points: &[Point]) {
        for &p in points {
            if self.len < self.points.len() && !self.points().contains(&p) {
                self.points[self.len] = p;
                self.len += 1;
            }
        }
    }
}

/// Coplanar or degenerate: corners of each inside the other, and crossings of edges.
fn flat_shape(a: &[Point; 3], b: &[Point; 3], shape: &mut ContactShape) {
    let (hull_a, hull_b) = (Hull::new(*a), Hull::new(*b));
    let mut found = Vec::with_capacity(15);
    for (points, hull) in [(a, hull_b), (b, hull_a)] {
        found.extend(points.iter().copied().filter(|&p| Hull::Point(p).touches(hull)));
    }
    for i in 0..3 {
        for j in 0..3 {
            let (s, r) = ([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]);
            found.extend(proper_crossing(s, r));
        }
    }
    for (hull, other) in [(hull_a, b), (hull_b, a)] {
        // A segment that pierces a triangle of another plane.
        if let (Hull::Segment(s), Hull::Triangle(t)) = (hull, Hull::new(*other)) {
            let [p, q] = sides_of_segment(s, &t);
            if p * q < 0 && line_meets_triangle(s, t) {
                found.push(crossing(s, &t));
            }
        }
    }
    let axis = flattening_axis(*a).or_else(|| flattening_axis(*b));
    match axis {
        Some(axis) if found.len() > 2 => order_around(&mut found, axis, shape),
        _ => shape.keep(&farthest(&found)),
    }
}

fn sides_of_segment(s: [Point; 2], t: &[Point; 3]) -> [i8; 2] {
    s.map(|p| super::predicates::orient3d(t[0], t[1], t[2], p))
}

/// Corners of the convex hull of points in one plane, counter-clockwise when flattened (monotone chain).
fn order_around(points: &mut Vec<Point>, axis: usize, shape: &mut ContactShape) {
    // Zeros of either sign are one number here.
    let key = |p: &Point| flatten(*p, axis).map(|x| x + 0.0);
    points.sort_by(|p, q| key(p)[0].total_cmp(&key(q)[0]).then(key(p)[1].total_cmp(&key(q)[1])));
    points.dedup_by(|p, q| key(p) == key(q));
    let mut hull: Vec<Point> = Vec::with_capacity(points.len() + 1);
    let forth = points.iter().copied();
    let back = points.iter().rev().skip(1).copied();
    let mut turn = 0;
    for (index, p) in forth.chain(back).enumerate() {
        if index == points.len() {
            turn = hull.len() - 1;
        }
        while hull.len() >= turn + 2
            && orient2d(key(&hull[hull.len() - 2]), key(&hull[hull.len() - 1]), key(&p)) <= 0
        {
            hull.pop();
        }
        hull.push(p);
    }
    if hull.len() > 1 {
        hull.pop(); // the first point again
    }
    shape.keep(&hull);
}

/// Where two segments of one plane cross inside both, if they do.
fn proper_crossing(s: [Point; 2], r: [Point; 2]) -> Option<Point> {
    let axis = flattening_axis([s[0], s[1], r[0]]).or_else(|| flattening_axis([s[0], s[1], r[1]]))?;
    if super::predicates::orient3d(s[0], s[1], r[0], r[1]) != 0 {
        return None;
    }
    let [a, b, c, d] = [s[0], s[1], r[0], r[1]].map(|p| flatten(p, axis));
    if orient2d(a, b, c) * orient2d(a, b, d) >= 0 || orient2d(c, d, a) * orient2d(c, d, b) >= 0 {
        return None;
    }
    let cross =
        |o: [f64; 2], p: [f64; 2], q: [f64; 2]| (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
    let (from, to) = (cross(c, d, a), cross(c, d, b));
    Some(between(s, from / (from - to)))
}

/// Where an edge whose ends are on different sides of a triangle's plane passes through that plane.
fn crossing(edge: [Point; 2], t: &[Point; 3]) -> Point {
    let normal = cross(subtract(t[1], t[0]), subtract(t[2], t[0]));
    let height = |p| dot(normal, subtract(p, t[0]));
    let (from, to) = (height(edge[0]), height(edge[1]));
    between(edge, from / (from - to))
}

/// The point at parameter `t`, kept on the segment whatever rounding did to `t`.
fn between([a, b]: [Point; 2], t: f64) -> Point {
    let t = if t.is_nan() { 0.5 } else { t.clamp(0.0, 1.0) };
    [0, 1, 2].map(|i| a[i] * (1.0 - t) + b[i] * t)
}

fn farthest(points: &[Point]) -> [Point; 2] {
    let Some(&first) = points.first() else { return [[0.0; 3]; 2] };
    let mut best = (0.0, [first; 2]);
    for (i, &p) in points.iter().enumerate() {
        for &q in &points[i + 1..] {
            // Halved first, and measured without squares that could overflow or vanish.
            let d = subtract(p.map(|c| c / 2.0), q.map(|c| c / 2.0));
            let distance = d[0].hypot(d[1]).hypot(d[2]);
            if distance > best.0 {
                best = (distance, [p, q]);
            }
        }
    }
    best.1
}

/// Towards where the triangle is seen turning left; zero for one without area.
pub(crate) fn unit_normal(t: &[Point; 3]) -> Point {
    // Halved, so that no difference overflows.
    let [a, b, c] = t.map(|p| p.map(|x| x / 2.0));
    let (u, v) = (subtract(b, a), subtract(c, a));
    // Scaled first, so that neither tiny nor huge triangles lose their normal to under- or overflow.
    let scale = |e: Point| {
        let largest = e[0].abs().max(e[1].abs()).max(e[2].abs());
        if largest > 0.0 && largest.is_finite() { e.map(|c| c / largest) } else { [0.0; 3] }
    };
    let n = cross(scale(u), scale(v));
    let length = dot(n, n).sqrt();
    if length > 0.0 { n.map(|c| c / length) } else { [0.0; 3] }
}

fn subtract(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(u: Point, v: Point) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

/// The shapes of some contacts, given by the corners of their triangles.
pub(crate) fn shapes(pairs: &[[[Point; 3]; 2]], shapes: &mut Vec<ContactShape>) {
    let shape = |[a, b]: &[[Point; 3]; 2]| contact_shape(a, b);
    if threads::many() {
        pairs.par_iter().map(shape).collect_into_vec(shapes);
    } else {
        shapes.extend(pairs.iter().map(shape));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: [Point; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    #[test]
    fn crossing_triangles_share_a_segment() {
        let wall = [[1.0, -1.0, -1.0], [1.0, -1.0, 1.0], [1.0, 9.0, 0.0]];
        let shape = contact_shape(&FLOOR, &wall);
        let mut ends = shape.segment();
        ends.sort_by(|p, q| p[1].total_cmp(&q[1]));
        assert_eq!(ends, [[1.0, 0.0, 0.0], [1.0, 3.0, 0.0]]);
        assert_eq!((shape.normal_a, shape.normal_b), ([0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]));
    }

    #[test]
    fn a_corner_on_a_face_shares_that_corner() {
        let shape = contact_shape(&FLOOR, &[[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 3.0, 1.0]]);
        assert_eq!(shape.points(), [[1.0, 1.0, 0.0]]);
        assert_eq!(shape.segment(), [[1.0, 1.0, 0.0]; 2]);
    }

    #[test]
    fn coplanar_triangles_share_a_polygon() {
        let star = [[-1.0, 1.0, 0.0], [3.0, 1.0, 0.0], [1.0, -3.0, 0.0]];
        let shape = contact_shape(&FLOOR, &star);
        assert_eq!(shape.points().len(), 4);
        let expected = [[0.0, 0.0, 0.0], [2.5, 0.0, 0.0], [3.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        assert!(expected.iter().all(|p| shape.points().contains(p)), "{:?}", shape.points());
        assert_eq!(contact_shape(&FLOOR, &FLOOR).points().len(), 3);
    }

    #[test]
    fn a_flat_triangle_that_pierces_shares_a_point() {
        let needle = [[1.0, 1.0, -1.0], [1.0, 1.0, 3.0], [1.0, 1.0, 1.0]];
        assert_eq!(contact_shape(&FLOOR, &needle).points(), [[1.0, 1.0, 0.0]]);
        assert_eq!(contact_shape(&needle, &FLOOR).normal_a, [0.0; 3]);
    }
}
