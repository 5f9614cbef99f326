//! From two triangles in contact to what the signs of their corners tell: how the one lies about the other, up to where only
//! neighbours could say more. No number is constructed.

use crate::exact::coplanar::{flatten, flattening_axis};
use crate::exact::predicates::{Sign, orient2d, orient3d};
use crate::exact::triangle_pair::sides;
use crate::scene::Point;

/// How two triangles in contact lie about each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// In two planes, and they share no more than a point, or what they share is on the border of one.
    Beside,
    /// In two planes, and they share a segment that runs through the inside of both.
    Through,
    /// In one plane; 1 when their corners turn the same way, else -1.
    Flush(Sign),
    /// The first, the second, or each is no more than a segment.
    Flat([bool; 2]),
}

/// A contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meeting {
    pub(super) kind: Kind,
    /// Of the first triangle's corners about the plane of the second, then of the second's about the first. All are zero where
    /// the two are flush, or one is flat.
    pub(super) sides: [[Sign; 3]; 2],
}

/// Whether there are corners on either side.
pub(super) fn are_mixed(sides: [Sign; 3]) -> bool {
    sides.contains(&1) && sides.contains(&-1)
}

impl Meeting {
    /// Of two triangles that share a point.
    pub(super) fn of(a: &[Point; 3], b: &[Point; 3]) -> Self {
        let b_sides = if are_level(a, b) { [0; 3] } else { sides(a, b) };
        if b_sides == [0; 3] {
            let [a_flat, b_flat] = [a, b].map(|t| flattening_axis(*t));
            let kind = match (a_flat, b_flat) {
                // One plane, so what does not collapse the one does not collapse the other.
                (Some(axis), Some(_)) => Kind::Flush(turn(a, axis) * turn(b, axis)),
                _ => Kind::Flat([a_flat.is_none(), b_flat.is_none()]),
            };
            return Self { kind, sides: [[0; 3]; 2] };
        }
        let a_sides = sides(b, a);
        if a_sides == [0; 3] {
            // Were the second not flat, its plane would hold the first, which is not flat, and so would the first's hold it.
            return Self { kind: Kind::Flat([false, true]), sides: [[0; 3]; 2] };
        }
        let through = are_mixed(a_sides) && are_mixed(b_sides) && share_a_segment([a, b], [a_sides, b_sides]);
        Self { kind: if through { Kind::Through } else { Kind::Beside }, sides: [a_sides, b_sides] }
    }
}

/// Whether all corners have one coordinate in common: flush, without any determinant.
fn are_level(a: &[Point; 3], b: &[Point; 3]) -> bool {
    (0..3).any(|axis| a[1..].iter().chain(b).all(|p| p[axis] == a[0][axis]))
}

fn turn(t: &[Point; 3], axis: usize) -> Sign {
    let [a, b, c] = t.map(|p| flatten(p, axis));
    orient2d(a, b, c)
}

/// Whether two triangles, each with corners on both sides of the other's plane, share more than a point.
///
/// The line of the two planes runs through both, in a segment each. An end of a segment is where an edge from the corner that is
/// alone on its side meets the line; which of two such ends, one of each triangle, comes first is the sign of the four corners
/// about each other, up to one factor for all four pairs of ends. (It vanishes only where the ends meet, and between, edges can
/// be moved into each other.) The segments share more than an end when neither lies wholly before the other.
fn share_a_segment(triangles: [&[Point; 3]; 2], sides: [[Sign; 3]; 2]) -> bool {
    let [(p, a_ends), (q, b_ends)] = [0, 1].map(|k| {
        let (t, s) = (triangles[k], sides[k]);
        // Signs are mixed: one corner is on a side where the others are not.
        let alone = (0..3).find(|&i| s[i] != 0 && (1..3).all(|j| s[i] * s[(i + j) % 3] <= 0)).unwrap_or(0);
        (t[alone], [t[(alone + 1) % 3], t[(alone + 2) % 3]])
    });
    let [mut before, mut after] = [false; 2];
    for end in a_ends {
        for other in b_ends {
            let sign = orient3d(p, end, q, other);
            before |= sign < 0;
            after |= sign > 0;
        }
    }
    before && after
}

/// Whether two flush triangles share an area: neither has a side that the other lies beyond.
pub(super) fn share_an_area(a: &[Point; 3], b: &[Point; 3]) -> bool {
    let Some(axis) = flattening_axis(*a) else { return false };
    let is_beyond_a_side = |t: &[Point; 3], other: &[Point; 3]| {
        let own = turn(t, axis);
        (0..3).any(|i| {
            let (from, to) = (flatten(t[i], axis), flatten(t[(i + 1) % 3], axis));
            other.iter().all(|&p| own * orient2d(from, to, flatten(p, axis)) <= 0)
        })
    };
    !is_beyond_a_side(a, b) && !is_beyond_a_side(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: [Point; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn kind(other: [Point; 3]) -> Kind {
        let [one, two] = [Meeting::of(&FLOOR, &other), Meeting::of(&other, &FLOOR)];
        let swapped = |kind| if let Kind::Flat([a, b]) = kind { Kind::Flat([b, a]) } else { kind };
        assert_eq!((one.kind, one.sides[0]), (swapped(two.kind), two.sides[1]));
        one.kind
    }

    #[test]
    fn only_a_segment_inside_both_is_through() {
        assert_eq!(kind([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]]), Kind::Through);
        assert_eq!(kind([[1.0, 1.0, 0.0], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]]), Kind::Beside);
        assert_eq!(kind([[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [2.0, 1.0, 1.0]]), Kind::Beside);
        // Edge on edge, and one step further in.
        let crossing = |y: f64| [[1.0, y, -1.0], [1.0, y, 1.0], [1.0, -5.0, 0.0]];
        assert_eq!(kind(crossing(0.0)), Kind::Beside);
        assert_eq!(kind(crossing(f64::from_bits(1))), Kind::Through);
        // Corners in the other's plane.
        assert_eq!(kind([[1.0, 1.0, 0.0], [3.0, 3.0, -1.0], [-1.0, -1.0, 2.0]]), Kind::Through);
        assert_eq!(kind([[2.0, 2.0, 0.0], [3.0, 3.0, -1.0], [3.0, 3.0, 1.0]]), Kind::Beside);
    }

    #[test]
    fn flush_triangles_share_an_area_or_a_border() {
        let [a, b, c] = FLOOR;
        assert_eq!(kind(FLOOR), Kind::Flush(1));
        assert_eq!(kind([a, c, b]), Kind::Flush(-1));
        assert!(share_an_area(&FLOOR, &[a, c, b]));
        assert!(!share_an_area(&FLOOR, &[b, c, [4.0, 4.0, 0.0]]));
        assert!(share_an_area(&FLOOR, &[b, c, [4.0, 4.0, 0.0].map(|x: f64| x / 2.1)]));
        assert_eq!(kind([a, b, b]), Kind::Flat([false, true]));
        assert_eq!(kind([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]]), Kind::Flat([false, true]));
    }
}
