//! The cells into which other triangles cut a triangle: at least one germ in each, found exactly.
//!
//! The others meet the triangle's plane in segments. Together with the triangle's own sides these cut each other
//! into intervals, and every cell has such intervals on its border: just beside the middle of each interval every
//! cell is found, without following any border around.

use super::germ::{Germ, Rational, Scale, Vector, cross, dot, minus, normal, sign};
use crate::exact::coplanar::Hull;
use crate::scene::Point;
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// The plane of the triangle, and the two axes it can be seen along without collapsing.
struct Plane {
    origin: Vector,
    normal: Vector,
    axes: [usize; 2],
}

/// A segment in the plane; its ends differ.
struct Segment {
    ends: [Rational; 2],
    /// Its line as `line . (x, y, 1) = 0` along the plane's axes.
    line: Vector,
    /// Doubles around it, along the plane's axes.
    low: [f64; 2],
    high: [f64; 2],
}

/// Calls `visit` with a germ in each cell (in some, several) and a vector across the plane of the triangle, until
/// it breaks. A triangle that is a segment is cut into intervals; one that is a point has no cell.
pub(crate) fn for_each_cell(
    corners: [Point; 3],
    cutters: &[[Point; 3]],
    scale: Scale,
    mut visit: impl FnMut(Germ, &Vector) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let corners = match Hull::new(corners) {
        Hull::Point(_) => return ControlFlow::Continue(()),
        Hull::Segment(ends) => return for_each_interval(ends, cutters, scale, visit),
        Hull::Triangle(corners) => corners.map(|p| scale.vector(p)),
    };
    let Some(plane) = Plane::new(&corners[0], normal(&corners)) else { return ControlFlow::Continue(()) };
    let side =
        |[i, j]: [usize; 2]| plane.segment([corners[i].clone().into(), corners[j].clone().into()], scale);
    let [Some(ab), Some(bc), Some(ca)] = [[0, 1], [1, 2], [2, 0]].map(side) else {
        return ControlFlow::Continue(()); // not reached: a triangle with a normal has three sides
    };
    let sides = [ab, bc, ca];
    let cuts = without_copies(plane.cuts(cutters, scale), &plane);
    // Whoever goes back from a point of a cell, against this direction, leaves the cell through an interval that is
    // not parallel to it. An uncut triangle is one cell, which the last side has on its border.
    let toward = minus(&corners[1], &corners[0]);
    let border = cuts.iter().chain(if cuts.is_empty() { &sides[2..] } else { &sides });
    for segment in border.filter(|segment| sign(&plane.slope(&segment.line, &toward)) != 0) {
        for interval in plane.cut_points(segment, cuts.iter().chain(&sides)).windows(2) {
            let middle = Rational::middle(&interval[0], &interval[1]);
            let is_in = sides.iter().all(|side| {
                let at = sign(&plane.value(&side.line, &middle));
                plane.facing() == if at == 0 { sign(&plane.slope(&side.line, &toward)) } else { at }
            });
            if is_in {
                visit(Germ::new(middle, vec![toward.clone()], scale), &plane.normal)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The same for a segment, in any plane through it.
fn for_each_interval(
    ends: [Point; 2],
    cutters: &[[Point; 3]],
    scale: Scale,
    mut visit: impl FnMut(Germ, &Vector) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let [low, high] = ends.map(|p| scale.vector(p));
    let along = minus(&high, &low);
    let unit = |axis: usize| [0, 1, 2].map(|i| BigInt::from(i32::from(i == axis)));
    let plane = (0..3).find_map(|axis| Plane::new(&low, cross(&along, &unit(axis))));
    let Some(plane) = plane else { return ControlFlow::Continue(()) };
    let Some(segment) = plane.segment([low.into(), high.into()], scale) else {
        return ControlFlow::Continue(());
    };
    let segments = plane.cuts(cutters, scale);
    for interval in plane.cut_points(&segment, segments.iter()).windows(2) {
        let middle = Rational::middle(&interval[0], &interval[1]);
        visit(Germ::new(middle, Vec::new(), scale), &plane.normal)?;
    }
    ControlFlow::Continue(())
}

impl Plane {
    /// `None` when there is no normal.
    fn new(origin: &Vector, normal: Vector) -> Option<Self> {
        let along = (0..3).find(|&axis| sign(&normal[axis]) != 0)?;
        Some(Self { origin: origin.clone(), normal, axes: [(along + 1) % 3, (along + 2) % 3] })
    }

    /// Sign of the lines of a triangle's sides in its interior: 1 when the normal makes it turn counter-clockwise
    /// along the axes, -1 when clockwise.
    fn facing(&self) -> i8 {
        sign(&self.normal[(self.axes[1] + 1) % 3])
    }

    /// Line function at a point, times its denominator.
    fn value(&self, line: &Vector, p: &Rational) -> BigInt {
        let [i, j] = self.axes;
        &line[0] * &p.numerator[i] + &line[1] * &p.numerator[j] + &line[2] * &p.denominator
    }

    /// Change of the line function along a vector.
    fn slope(&self, line: &Vector, v: &Vector) -> BigInt {
        &line[0] * &v[self.axes[0]] + &line[1] * &v[self.axes[1]]
    }

    /// `None` when the ends coincide.
    fn segment(&self, ends: [Rational; 2], scale: Scale) -> Option<Segment> {
        let [i, j] = self.axes;
        let flat = |p: &Rational| [p.numerator[i].clone(), p.numerator[j].clone(), p.denominator.clone()];
        let line = cross(&flat(&ends[0]), &flat(&ends[1]));
        if sign(&line[0]) == 0 && sign(&line[1]) == 0 {
            return None;
        }
        let [p, q] = [ends[0].bounds(scale), ends[1].bounds(scale)];
        let low = [p[0][i].min(q[0][i]), p[0][j].min(q[0][j])];
        let high = [p[1][i].max(q[1][i]), p[1][j].max(q[1][j])];
        Some(Segment { ends, line, low, high })
    }

    /// Where the triangles meet the plane in more than a point.
    fn cuts(&self, cutters: &[[Point; 3]], scale: Scale) -> Vec<Segment> {
        let mut segments = Vec::new();
        for corners in cutters {
            let corners = corners.map(|p| scale.vector(p));
            let height = [0, 1, 2].map(|i| dot(&self.normal, &minus(&corners[i], &self.origin)));
            let side = [0, 1, 2].map(|i| sign(&height[i]));
            let corner = |i: usize| Rational::from(corners[i].clone());
            if side == [0; 3] {
                segments.extend((0..3).filter_map(|i| self.segment([corner(i), corner((i + 1) % 3)], scale)));
                continue;
            }
            // At most two points: corners in the plane, then edges that cross it.
            let in_plane = (0..3).filter(|&i| side[i] == 0).map(corner);
            let crossing = (0..3).map(|i| (i, (i + 1) % 3)).filter(|&(i, j)| side[i] * side[j] < 0);
            let crossing =
                crossing.map(|(i, j)| Rational::between(&corner(i), &height[i], &corner(j), &height[j]));
            let points: Vec<Rational> = in_plane.chain(crossing).collect();
            if let Ok(ends) = <[Rational; 2]>::try_from(points) {
                segments.extend(self.segment(ends, scale));
            }
        }
        segments
    }

    /// The ends of a segment and the points where others may cut it, in order along it, each once.
    fn cut_points<'a>(&self, segment: &Segment, others: impl Iterator<Item = &'a Segment>) -> Vec<Rational> {
        // The axis along which the ends of the segment differ.
        let axis = self.axes[usize::from(sign(&segment.line[1]) == 0)];
        let mut points = segment.ends.to_vec();
        let is_beyond = |p: &Rational| {
            let [a, b] = [p.compare(&segment.ends[0], axis), p.compare(&segment.ends[1], axis)];
            a == b && a != Ordering::Equal
        };
        for other in others.filter(|other| segment.overlaps(other)) {
            let values = [0, 1].map(|i| self.value(&other.line, &segment.ends[i]));
            match values.each_ref().map(sign) {
                [0, 0] => points.extend(other.ends.iter().filter(|p| !is_beyond(p)).cloned()),
                [p, q] if p * q > 0 => {}
                _ => {
                    points.push(Rational::between(
                        &segment.ends[0],
                        &values[0],
                        &segment.ends[1],
                        &values[1],
                    ));
                }
            }
        }
        points.sort_by(|p, q| p.compare(q, axis));
        points.dedup_by(|p, q| p.compare(q, axis).is_eq());
        points
    }
}

impl Segment {
    fn overlaps(&self, other: &Self) -> bool {
        (0..2).all(|i| self.low[i] <= other.high[i] && other.low[i] <= self.high[i])
    }
}

/// Neighbours among the cutting triangles bring the same segment: one of each is enough.
fn without_copies(mut segments: Vec<Segment>, plane: &Plane) -> Vec<Segment> {
    let key = |s: &Segment| [s.low[0], s.low[1], s.high[0], s.high[1]];
    let order = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne());
    segments.sort_by(|a, b| order(&key(a), &key(b)).unwrap_or(Ordering::Equal));
    let same = |p: &Rational, q: &Rational| plane.axes.iter().all(|&axis| p.compare(q, axis).is_eq());
    segments.dedup_by(|a, b| {
        let [p, q] = &a.ends;
        let [r, s] = &b.ends;
        key(a) == key(b) && (same(p, r) && same(q, s) || same(p, s) && same(q, r))
    });
    segments
}
