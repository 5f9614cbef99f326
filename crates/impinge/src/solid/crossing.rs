//! Whether two open surfaces pass through each other, from the signs of their contacts.
//!
//! They do where a segment runs through the inside of a triangle of either ([`Kind::Through`]). They also do along edges:
//! 1. where an edge of one lies in the inside of a triangle of the other, and the triangles at that edge are on both its sides;
//! 2. where an edge of one lies on an edge of the other, and around it, triangles of both follow each other in turn.

use super::meeting::{Kind, Meeting};
use super::surface::Surface;
use crate::exact::coplanar::{flatten, flattening_axis, segment_holds};
use crate::exact::predicates::{Sign, orient2d, orient3d};
use crate::scene::Point;

/// Where an edge of one body lies in the inside of a triangle of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct InFace {
    /// Which body's edge it is.
    role: usize,
    triangle: u32,
    edge: [u32; 2],
    /// Where a triangle at the edge is.
    side: Sign,
}

/// Where an edge of the first body lies on one of the second, and two triangles there, by their third vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OnEdge {
    edges: [[u32; 2]; 2],
    apexes: [u32; 2],
}

/// `pairs` are all triangles in contact, `meetings` what they are.
pub(super) fn cross(
    surfaces: [&Surface; 2],
    pairs: impl Iterator<Item = [u32; 2]>,
    meetings: &[Meeting],
) -> bool {
    let (mut in_faces, mut on_edges) = (Vec::new(), Vec::new());
    for (pair, meeting) in pairs.zip(meetings) {
        match meeting.kind {
            Kind::Through => return true,
            Kind::Flat(_) => continue,
            Kind::Beside | Kind::Flush(_) => {}
        }
        let corners = [0, 1].map(|k| surfaces[k].corners(pair[k]));
        let vertices = [0, 1].map(|k| surfaces[k].triangles()[pair[k] as usize]);
        let lies_in = |k: usize, i: usize| meeting.sides[k][i] == 0 && meeting.sides[k][(i + 1) % 3] == 0;
        let ends = |k: usize, i: usize| [corners[k][i], corners[k][(i + 1) % 3]];
        let key = |k: usize, i: usize| {
            let [a, b] = [vertices[k][i], vertices[k][(i + 1) % 3]];
            [a.min(b), a.max(b)]
        };
        if meeting.kind == Kind::Beside {
            for (role, i) in [0, 1].into_iter().flat_map(|role| (0..3).map(move |i| (role, i))) {
                if lies_in(role, i) && runs_inside(ends(role, i), corners[1 - role]) {
                    let side = meeting.sides[role][(i + 2) % 3];
                    in_faces.push(InFace { role, triangle: pair[1 - role], edge: key(role, i), side });
                }
            }
        }
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            if lies_in(0, i) && lies_in(1, j) && share_a_piece(ends(0, i), ends(1, j)) {
                let apexes = [vertices[0][(i + 2) % 3], vertices[1][(j + 2) % 3]];
                on_edges.push(OnEdge { edges: [key(0, i), key(1, j)], apexes });
            }
        }
    }
    in_faces.sort_unstable();
    on_edges.sort_unstable();
    let same = |p: &InFace, q: &InFace| (p.role, p.triangle, p.edge) == (q.role, q.triangle, q.edge);
    let on_both_sides = |run: &[InFace]| run.iter().any(|at| at.side != run[0].side);
    in_faces.chunk_by(same).any(on_both_sides)
        || on_edges.chunk_by(|p, q| p.edges == q.edges).any(|run| take_turns(surfaces, run))
}

/// Whether a segment in the plane of a triangle runs through its inside.
fn runs_inside([p, q]: [Point; 2], t: [Point; 3]) -> bool {
    let Some(axis) = flattening_axis(t) else { return false };
    let [p, q] = [p, q].map(|p| flatten(p, axis));
    let t = t.map(|p| flatten(p, axis));
    let turn = orient2d(t[0], t[1], t[2]);
    // Two convex sets have no inner point in common exactly when a line along a side of one parts them.
    let is_beyond = |i: usize| {
        let side = |p| orient2d(t[i], t[(i + 1) % 3], p) * turn;
        side(p) <= 0 && side(q) <= 0
    };
    let sides = t.map(|corner| orient2d(p, q, corner));
    sides.contains(&1) && sides.contains(&-1) && !(0..3).any(is_beyond)
}

/// Whether two segments share more than a point.
fn share_a_piece(s: [Point; 2], r: [Point; 2]) -> bool {
    let on_one_line = r.iter().all(|&p| flattening_axis([s[0], s[1], p]).is_none());
    let mut shared: Vec<Point> = s.into_iter().filter(|&p| segment_holds(r, p)).collect();
    shared.extend(r.into_iter().filter(|&p| segment_holds(s, p)));
    on_one_line && s[0] != s[1] && r[0] != r[1] && shared.iter().any(|p| *p != shared[0])
}

/// How far around an edge, counter-clockwise, from one triangle to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    None,
    LessThanHalf,
    Half,
    MoreThanHalf,
}

fn turn([u, v]: [Point; 2], from: Point, to: Point) -> Turn {
    match orient3d(u, v, from, to) {
        1 => Turn::LessThanHalf,
        -1 => Turn::MoreThanHalf,
        _ => {
            // A triangle that is not flat.
            let Some(axis) = flattening_axis([u, v, from]) else { return Turn::None };
            let side = |p| orient2d(flatten(u, axis), flatten(v, axis), flatten(p, axis));
            if side(from) == side(to) { Turn::None } else { Turn::Half }
        }
    }
}

/// Whether `q` comes between `p` and `r`, counter-clockwise; `None` where it is one of them.
fn is_between(edge: [Point; 2], p: Point, q: Point, r: Point) -> Option<bool> {
    let [to_q, to_r] = [q, r].map(|end| turn(edge, p, end));
    if to_q == Turn::None || turn(edge, r, q) == Turn::None {
        return None;
    }
    Some(if to_q == to_r { turn(edge, q, r) == Turn::LessThanHalf } else { to_q < to_r })
}

/// Whether around an edge two triangles of the second body lie on different sides of two of the first.
fn take_turns(surfaces: [&Surface; 2], run: &[OnEdge]) -> bool {
    let at = |k: usize, vertex: u32| surfaces[k].world()[vertex as usize];
    let edge = run[0].edges[0].map(|vertex| at(0, vertex));
    let apexes = [0, 1].map(|k| {
        let mut vertices: Vec<u32> = run.iter().map(|on| on.apexes[k]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices.into_iter().map(|vertex| at(k, vertex)).collect::<Vec<Point>>()
    });
    let [first, second] = &apexes;
    first.iter().enumerate().any(|(i, &p)| {
        first[i + 1..].iter().filter(|&&r| turn(edge, p, r) != Turn::None).any(|&r| {
            let mut places = second.iter().filter_map(|&q| is_between(edge, p, q, r));
            let one = places.next();
            places.any(|other| Some(other) != one)
        })
    })
}
