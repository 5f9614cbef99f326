//! Two triangles: do their closed point sets share a point? Exact for every finite input.
//!
//! When the planes cross, the sets meet in a piece of the common line, and an end point of that piece lies on an
//! edge of one triangle that crosses the plane of the other (an edge inside the plane ends in a vertex whose other
//! edge crosses it). So six tests "does this edge pass through that triangle" decide, each by signs alone
//! (Guigue and Devillers 2003 order the same signs differently). Coplanar and degenerate pairs go to [`super::coplanar`].

use super::coplanar::{Hull, flat_convex_touch, line_meets_triangle};
use super::predicates::{Sign, orient3d};
use crate::scene::Bounds;
use crate::scene::Point;

/// Whether two closed triangles, each possibly degenerate, share at least one point.
///
/// ```
/// use impinge::exact::triangles_touch;
/// let floor = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
/// let tip_on_it = [[0.5, 0.5, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
/// let above = tip_on_it.map(|[x, y, z]: [f64; 3]| [x, y, z + f64::MIN_POSITIVE]);
/// assert!(triangles_touch(&floor, &tip_on_it));
/// assert!(!triangles_touch(&floor, &above));
/// ```
pub fn triangles_touch(a: &[Point; 3], b: &[Point; 3]) -> bool {
    if !Bounds::of(*a).overlaps(&Bounds::of(*b)) {
        return false;
    }
    let b_sides = sides(a, b);
    if one_sided(b_sides) {
        return false;
    }
    let a_sides = sides(b, a);
    if one_sided(a_sides) {
        return false;
    }
    // A degenerate triangle has no plane: all signs about it are zero.
    if b_sides == [0; 3] || a_sides == [0; 3] {
        return flat_touch(*a, *b);
    }
    crosses(a, a_sides, b) || crosses(b, b_sides, a)
}

/// On which side of the plane of `t` the corners of `other` are.
#[inline]
pub(crate) fn sides(t: &[Point; 3], other: &[Point; 3]) -> [Sign; 3] {
    other.map(|p| orient3d(t[0], t[1], t[2], p))
}

#[inline]
fn one_sided(s: [Sign; 3]) -> bool {
    s[0] != 0 && s[0] == s[1] && s[0] == s[2]
}

/// Whether an edge of `t` that crosses or ends on the plane of `other` does so inside `other`.
#[inline]
fn crosses(t: &[Point; 3], sides: [Sign; 3], other: &[Point; 3]) -> bool {
    (0..3).any(|i| {
        let j = (i + 1) % 3;
        sides[i] != sides[j] && line_meets_triangle([t[i], t[j]], *other)
    })
}

#[cold]
fn flat_touch(a: [Point; 3], b: [Point; 3]) -> bool {
    match (Hull::new(a), Hull::new(b)) {
        (Hull::Triangle(a), Hull::Triangle(b)) => flat_convex_touch(a, &a, &b),
        (a, b) => a.touches(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: [Point; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn touch(a: [Point; 3], b: [Point; 3]) -> bool {
        let answer = triangles_touch(&a, &b);
        for turn in 0..3 {
            let turned = [a[turn], a[(turn + 1) % 3], a[(turn + 2) % 3]];
            let mirrored = [turned[0], turned[2], turned[1]];
            assert_eq!(triangles_touch(&turned, &b), answer);
            assert_eq!(triangles_touch(&b, &mirrored), answer);
        }
        answer
    }

    #[test]
    fn crossing_triangles_touch() {
        assert!(touch(FLOOR, [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]]));
        assert!(!touch(FLOOR, [[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [9.0, 9.0, 1.0]]));
    }

    #[test]
    fn a_corner_on_a_face_an_edge_or_a_corner_touches() {
        for p in [[1.0, 1.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [4.0, 0.0, 0.0]] {
            assert!(touch(FLOOR, [p, [1.0, 1.0, 1.0], [2.0, 3.0, 1.0]]));
            let lifted = [p[0], p[1], f64::MIN_POSITIVE];
            assert!(!touch(FLOOR, [lifted, [1.0, 1.0, 1.0], [2.0, 3.0, 1.0]]));
        }
    }

    #[test]
    fn an_edge_lying_in_the_other_plane_touches_where_it_meets_the_triangle() {
        assert!(touch(FLOOR, [[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [1.0, 1.0, 5.0]]));
        assert!(touch(FLOOR, [[-1.0, -1.0, 0.0], [9.0, 9.0, 0.0], [1.0, 1.0, 5.0]]));
        assert!(!touch(FLOOR, [[3.0, 2.0, 0.0], [9.0, 1.0, 0.0], [9.0, 9.0, 5.0]]));
    }

    #[test]
    fn coplanar_triangles_touch_when_they_overlap_even_at_a_point() {
        assert!(touch(FLOOR, FLOOR));
        assert!(touch(FLOOR, [[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0]]));
        assert!(touch(FLOOR, [[2.0, 2.0, 0.0], [5.0, 2.0, 0.0], [5.0, 5.0, 0.0]]));
        assert!(!touch(FLOOR, [[2.0, 2.0f64.next_up(), 0.0], [5.0, 2.5, 0.0], [5.0, 5.0, 0.0]]));
    }

    #[test]
    fn degenerate_triangles_are_segments_and_points() {
        let through = [[1.0, 1.0, -1.0], [1.0, 1.0, 3.0], [1.0, 1.0, 1.0]];
        let point_in = [[1.0, 1.0, 0.0]; 3];
        let in_plane = [[-1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [3.0, 1.0, 0.0]];
        for flat in [through, point_in, in_plane] {
            assert!(touch(FLOOR, flat));
            assert!(touch(flat, flat));
        }
        assert!(touch(through, point_in) && touch(through, in_plane) && touch(in_plane, point_in));
        let above = through.map(|[x, y, z]| [x, y, z + 1.5]);
        assert!(!touch(FLOOR, above) && !touch(point_in, above) && !touch(in_plane, above));
        let further = in_plane.map(|[x, y, z]| [x + 10.5, y, z]);
        assert!(!touch(in_plane, further) && touch(in_plane, in_plane.map(|[x, y, z]| [x + 10.0, y, z])));
    }
}
