//! Triangles of one body that share a vertex or an edge: most candidates within a body with self-collision.
//! Float filters prove of nearly all of them that they share nothing else; the others go to exact arithmetic.
//!
//! *Any.* If the corners of one that are not shared are strictly on one side of the plane of the other, so is
//!  all of it but what is shared.
//!
//! *One shared vertex.* Seen from it, the triangles are two wedges. If a plane through it has one wedge
//!  strictly on either side, they share nothing else. Any vector `n` may be its normal: the plane is defined
//!  by the floats of `n`, exactly. `n . E` has an error of at most `|n| d` from the error of the edge `E`,
//!  and four roundings of the terms (one of the difference, one of the product, two of the sums): below `|n|
//!  (d + 16 r |e|)`, with room.
//!
//! *One shared edge*, `p` to `q`, and the other corners `s` and `t`. If the triangles share more, they are in
//!  one plane and on the same side of the edge: `h`, the product of the normals `(q - p) x (s - p)` and `(q -
//!  p) x (t - p)`, is not below 0. It is a sum of products of four vectors, each with an error of `d` in each
//!  component: with `max|(x x y)_k| <= max|x_k| |y|` and `|x x y| <= |x| |y|`, its error is at most `d (2 N_u
//!  N_s N_t + N_u^2 (N_s + N_t))`, plus eleven roundings of the terms on every path: below `16 r N_u^2 N_s
//!  N_t`.

use super::bounds::{Vector, cross, dot, error, is_beside, minus, norm};
use super::triangle_filter::Record;
use crate::util::tolerance::{DETERMINANT_FILTER, FLOAT_ROUNDOFF, LOST_BELOW, MAX_QUARTIC_DIFFERENCE};

/// Which vertices of `b` are vertices of `a` too.
pub fn shared(a: &Record, b: &Record) -> [bool; 3] {
    b.vertices.map(|vertex| a.vertices.contains(&vertex))
}

/// Whether two triangles of one body that share vertices certainly share nothing else. Always `false` for
/// those that share all three, or name a vertex twice.
pub fn meet_nowhere_else(a: &Record, b: &Record) -> bool {
    let (in_a, in_b) = (shared(a, b), shared(b, a));
    let count = |shared: [bool; 3]| shared.iter().filter(|shared| **shared).count();
    if count(in_a) != count(in_b) || count(in_a) == 3 {
        return false;
    }
    if is_beside(a, b, in_a) || is_beside(b, a, in_b) {
        return true;
    }
    let d = error(a, b);
    let others = |corners: &[Vector; 3], at: usize| [corners[(at + 1) % 3], corners[(at + 2) % 3]];
    let at = |list: [bool; 3], which: bool| list.iter().position(|shared| *shared == which).unwrap_or(0);
    if count(in_a) == 1 {
        let (i, j) = (at(in_b, true), at(in_a, true));
        let v = a.corners[i];
        let [e, f] = [others(&a.corners, i), others(&b.corners, j)].map(|edges| edges.map(|c| minus(c, v)));
        wedges_apart(e, f, d)
    } else {
        // The corners that are not shared.
        let (i, j) = (at(in_b, false), at(in_a, false));
        let [p, q] = others(&a.corners, i);
        unfolded(minus(q, p), minus(a.corners[i], p), minus(b.corners[j], p), d)
    }
}

/// Whether two wedges are strictly on either side of a plane: the one through the middle of the smaller gap
/// between them, as perpendicular to both as possible.
fn wedges_apart(e: [Vector; 2], f: [Vector; 2], d: f32) -> bool {
    let unit = |x: Vector| {
        let length = dot(x, x).sqrt();
        x.map(|c| c / length)
    };
    let (ue, uf) = (e.map(unit), f.map(unit));
    let mut nearest = (f32::NEG_INFINITY, [0, 0]);
    for i in 0..2 {
        for j in 0..2 {
            let cosine = dot(ue[i], uf[j]);
            if cosine > nearest.0 {
                nearest = (cosine, [i, j]);
            }
        }
    }
    let [i, j] = nearest.1;
    // From one edge of the gap to the other; the component along the wedges' own normals is removed.
    let (normal_e, normal_f) = (cross(ue[0], ue[1]), cross(uf[0], uf[1]));
    let same = if dot(normal_e, normal_f) < 0.0 { -1.0 } else { 1.0 };
    let up: Vector = std::array::from_fn(|k| normal_e[k] + same * normal_f[k]);
    let middle: Vector = std::array::from_fn(|k| ue[i][k] + uf[j][k]);
    let across = cross(up, middle);
    let n = if dot(across, ue[i]) < dot(across, uf[j]) { across.map(|c| -c) } else { across };
    let size = norm(n);
    let clear = |edge: Vector, side: f32| {
        side * dot(n, edge) > size * (d + DETERMINANT_FILTER * 2.0 * FLOAT_ROUNDOFF * norm(edge)) + LOST_BELOW
    };
    clear(e[0], 1.0) && clear(e[1], 1.0) && clear(f[0], -1.0) && clear(f[1], -1.0)
}

/// Whether two triangles on an edge `u`, with other corners `s` and `t`, certainly have a dihedral angle
/// above a right angle.
fn unfolded(u: Vector, s: Vector, t: Vector, d: f32) -> bool {
    let h = dot(cross(u, s), cross(u, t));
    let [nu, ns, nt] = [u, s, t].map(|x| norm(x) + 3.0 * d);
    let off = d * (2.0 * nu * ns * nt + nu * nu * (ns + nt));
    nu.max(ns).max(nt) < MAX_QUARTIC_DIFFERENCE
        && h < -(off + DETERMINANT_FILTER * 2.0 * FLOAT_ROUNDOFF * (nu * nu * ns * nt) + LOST_BELOW)
}
