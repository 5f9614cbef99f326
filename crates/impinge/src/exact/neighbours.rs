//! Two triangles of one body. Where they share vertices (by index), they are in contact only if they meet beyond
//! what they share: the shared vertex, or the segments between shared vertices. Two triangles over the same three
//! vertices therefore touch exactly when they have an interior.

use super::coplanar::{
    Hull, collinear, flatten, flattening_axis, less, segment_holds, segment_touches_triangle, segments_touch,
    triangle_holds,
};
use super::predicates::{orient2d, orient3d};
use super::triangle_pair::triangles_touch;
use crate::scene::Point;

/// Whether two triangles of one body, given by their corners and the vertex indices of these, are in contact.
///
/// ```
/// use impinge::exact::neighbours_touch;
/// let [u, v, a] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let unfolded = [0.0, -4.0, 0.0];
/// let folded = [1.0, 1.0, 0.0];
/// assert!(!neighbours_touch([[u, v, a], [v, u, unfolded]], [[0, 1, 2], [1, 0, 3]]));
/// assert!(neighbours_touch([[u, v, a], [v, u, folded]], [[0, 1, 2], [1, 0, 3]]));
/// ```
pub fn neighbours_touch([a, b]: [[Point; 3]; 2], [a_index, b_index]: [[u32; 3]; 2]) -> bool {
    let mut shared = [0; 3];
    let mut count = 0;
    for i in 0..3 {
        if b_index.contains(&a_index[i]) && !a_index[..i].contains(&a_index[i]) {
            shared[count] = i;
            count += 1;
        }
    }
    match count {
        0 => triangles_touch(&a, &b),
        1 => share_vertex(a, a_index, b, b_index, shared[0]),
        2 => share_edge(a, a_index, b, b_index, [shared[0], shared[1]]),
        _ => !collinear(a[0], a[1], a[2]),
    }
}

/// A triangle seen from its corner `v`: a wedge, or the one or two segments from `v` that a flat one consists of.
enum Fan {
    Wedge([Point; 3]),
    Spokes([Option<Point>; 2]),
}

impl Fan {
    fn new(t: [Point; 3], index: [u32; 3], v: Point, shared: u32) -> Self {
        if let Hull::Triangle(t) = Hull::new(t) {
            // The corner at `v` first; the shared index stands once in a triangle with an interior.
            let at = index.iter().position(|&i| i == shared).unwrap_or(0);
            return Self::Wedge([t[at], t[(at + 1) % 3], t[(at + 2) % 3]]);
        }
        // On a line through `v`, the farthest corner on either side.
        let mut spokes = [None; 2];
        for p in t {
            let side = usize::from(less(p, v));
            let farther = |far: Point| if side == 0 { less(far, p) } else { less(p, far) };
            if p != v && spokes[side].is_none_or(farther) {
                spokes[side] = Some(p);
            }
        }
        Self::Spokes(spokes)
    }
}

/// One shared vertex `v`. Both sets are star-shaped about `v`: if they meet in another point, follow the ray from
/// `v` through it to the first of the two far sides; that far side meets the other set.
fn share_vertex(a: [Point; 3], a_index: [u32; 3], b: [Point; 3], b_index: [u32; 3], shared: usize) -> bool {
    let v = a[shared];
    // Almost always one triangle lies strictly on one side of the other's plane, but for `v` itself.
    let at = b_index.iter().position(|&i| i == a_index[shared]).unwrap_or(0);
    let (p, q) = (a[(shared + 1) % 3], a[(shared + 2) % 3]);
    let (r, s) = (b[(at + 1) % 3], b[(at + 2) % 3]);
    let (r_side, s_side) = (orient3d(v, p, q, r), orient3d(v, p, q, s));
    if r_side * s_side > 0 {
        return false;
    }
    let (p_side, q_side) = (orient3d(v, r, s, p), orient3d(v, r, s, q));
    if p_side * q_side > 0 {
        return false;
    }
    if r_side * s_side < 0 && p_side * q_side < 0 {
        // Both far edges cross the other plane. Of the three signs that tell whether `pq` passes through `v r s`, two are
        // those of `r` and (turned round) `s`, which agree; likewise for `rs` through `v p q`; both share the third.
        let far = orient3d(p, q, r, s);
        return far == 0 || far == r_side || far == p_side;
    }
    let fan_a = Fan::new(a, a_index, v, a_index[shared]);
    let fan_b = Fan::new(b, b_index, v, a_index[shared]);
    match (fan_a, fan_b) {
        (Fan::Wedge(a), Fan::Wedge(b)) => {
            segment_touches_triangle([a[1], a[2]], b) || segment_touches_triangle([b[1], b[2]], a)
        }
        (Fan::Wedge(t), Fan::Spokes(spokes)) | (Fan::Spokes(spokes), Fan::Wedge(t)) => spokes
            .into_iter()
            .flatten()
            .any(|end| triangle_holds(t, end) || segments_touch([v, end], [t[1], t[2]])),
        (Fan::Spokes(s), Fan::Spokes(r)) => {
            s.into_iter().flatten().any(|p| r.into_iter().flatten().any(|q| spokes_overlap(v, p, q)))
        }
    }
}

/// Whether `[v, p]` and `[v, q]` share more than `v`; neither is a single point.
fn spokes_overlap(v: Point, p: Point, q: Point) -> bool {
    segment_holds([v, p], q) || segment_holds([v, q], p)
}

/// Two shared vertices `u`, `v`.
fn share_edge(
    a: [Point; 3],
    a_index: [u32; 3],
    b: [Point; 3],
    b_index: [u32; 3],
    shared: [usize; 2],
) -> bool {
    let (u, v) = (a[shared[0]], a[shared[1]]);
    let shared = shared.map(|corner| a_index[corner]);
    let apex = |t: [Point; 3], index: [u32; 3]| (0..3).find(|&i| !shared.contains(&index[i])).map(|i| t[i]);
    // A triangle with a repeated index is the shared edge and nothing more.
    let (Some(p), Some(q)) = (apex(a, a_index), apex(b, b_index)) else { return false };
    if orient3d(u, v, p, q) != 0 {
        return false; // two planes that meet in the line of the edge
    }
    if u == v {
        return p != u && q != u && spokes_overlap(u, p, q);
    }
    match (flattening_axis([u, v, p]), flattening_axis([u, v, q])) {
        (Some(axis), Some(_)) => {
            let side = |apex| orient2d(flatten(u, axis), flatten(v, axis), flatten(apex, axis));
            side(p) == side(q)
        }
        // All on one line: both must reach beyond the same end of the edge.
        (None, None) => {
            let (low, high) = if less(v, u) { (v, u) } else { (u, v) };
            less(p, low) && less(q, low) || less(high, p) && less(high, q)
        }
        // The one with an interior meets the line of the edge in the edge alone.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: Point = [0.0, 0.0, 0.0];
    const X: Point = [4.0, 0.0, 0.0];
    const Y: Point = [0.0, 4.0, 0.0];

    fn touch(a: [Point; 3], b: [Point; 3], a_index: [u32; 3], b_index: [u32; 3]) -> bool {
        let answer = neighbours_touch([a, b], [a_index, b_index]);
        assert_eq!(neighbours_touch([b, a], [b_index, a_index]), answer);
        answer
    }

    #[test]
    fn triangles_that_share_a_vertex_and_cross_elsewhere_touch() {
        let crossing = [V, [1.0, 1.0, -1.0], [1.0, 1.0, 1.0]];
        assert!(touch([V, X, Y], crossing, [0, 1, 2], [0, 3, 4]));
        let beside = [V, [-1.0, 1.0, -1.0], [-1.0, 1.0, 1.0]];
        assert!(!touch([V, X, Y], beside, [0, 1, 2], [0, 3, 4]));
    }

    #[test]
    fn coplanar_triangles_that_share_a_vertex_touch_when_they_overlap() {
        assert!(touch([V, X, Y], [V, [1.0, 0.5, 0.0], [0.5, 1.0, 0.0]], [0, 1, 2], [0, 3, 4]));
        assert!(touch([V, X, Y], [V, [9.0, 0.0, 0.0], [9.0, -1.0, 0.0]], [0, 1, 2], [0, 3, 4]));
        assert!(!touch([V, X, Y], [V, [-1.0, 0.0, 0.0], [-1.0, 3.0, 0.0]], [0, 1, 2], [0, 3, 4]));
    }

    #[test]
    fn triangles_that_share_an_edge_touch_only_when_folded_flat() {
        let p = |z: f64| [X, V, [1.0, 1.0, z]];
        assert!(touch([V, X, Y], p(0.0), [0, 1, 2], [1, 0, 3]));
        assert!(!touch([V, X, Y], p(f64::MIN_POSITIVE), [0, 1, 2], [1, 0, 3]));
        assert!(!touch([V, X, Y], [X, V, [1.0, -1.0, 0.0]], [0, 1, 2], [1, 0, 3]));
    }

    #[test]
    fn triangles_over_the_same_three_vertices_touch_when_they_have_an_interior() {
        assert!(touch([V, X, Y], [V, Y, X], [0, 1, 2], [0, 2, 1]));
        let flat = [V, X, [9.0, 0.0, 0.0]];
        assert!(!touch(flat, [flat[1], flat[0], flat[2]], [0, 1, 2], [1, 0, 2]));
    }

    #[test]
    fn flat_neighbours_touch_where_they_reach_beyond_what_they_share() {
        let spoke = |p: Point| [V, p, p];
        assert!(touch(spoke(X), spoke([1.0, 0.0, 0.0]), [0, 1, 2], [0, 3, 4]));
        assert!(!touch(spoke(X), spoke([-1.0, 0.0, 0.0]), [0, 1, 2], [0, 3, 4]));
        assert!(touch([V, X, Y], spoke([1.0, 1.0, 0.0]), [0, 1, 2], [0, 3, 4]));
        assert!(!touch([V, X, Y], spoke([1.0, 1.0, 1.0]), [0, 1, 2], [0, 3, 4]));
        // Repeated indices: the first is the shared edge alone.
        assert!(!touch([V, X, X], [V, X, Y], [0, 1, 1], [0, 1, 2]));
        assert!(!touch([V, V, V], [V, X, Y], [0, 0, 0], [0, 1, 2]));
        // One line, both beyond the same end of the shared edge.
        let reach = |x: f64| [V, [1.0, 0.0, 0.0], [x, 0.0, 0.0]];
        assert!(touch(reach(3.0), reach(2.0), [0, 1, 2], [0, 1, 3]));
        assert!(!touch(reach(3.0), reach(-2.0), [0, 1, 2], [0, 1, 3]));
        assert!(!touch(reach(3.0), reach(0.5), [0, 1, 2], [0, 1, 3]));
    }
}
