//! All fifteen signs of two triangles.
//!
//! **A closer bound**, for the few pairs that the one of [`super::bounds`] leaves in doubt. `N_b N_c` is
//!  often several times `|b x c|`. With `A = a + x`, `B = b + y`, `C = c + z`, of which `x, y, z` are below
//!  `d` in each component,
//!
//! `det(A, B, C) - det(a, b, c) = x . (b x c) + y . (c x a) + z . (a x b) + (terms in two of x, y, z) +
//! det(x, y, z)`:
//!
//! the first three are at most `d (|b x c| + |c x a| + |a x b|)`; each of the three in two of them is at most
//! `2 d^2` of a norm; the last is at most `6 d^3`, less than `d^2` of the sum of the norms `N`. So all but
//! the first are below `3 d^2 (N_a + N_b + N_c)` with room: they are at most `2 d^2 (N_a + N_b + N_c - 9 d) +
//! 6 d^3`. The computed products each have an error of five roundings of their terms, their norms and the sum
//! of a dozen more: below `32 r` of `N_b N_c + N_c N_a + N_a N_b`.

use super::bounds::{Vector, bound, cross, dot, error, minus, norm, sign};
use super::triangle_filter::Record;
use crate::util::tolerance::{DETERMINANT_FILTER, FLOAT_ROUNDOFF, LOST_BELOW, MAX_QUARTIC_DIFFERENCE};
use std::cmp::Ordering;

/// What floats prove about two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They share no point.
    Apart,
    /// They share a point.
    Touch,
    /// Unknown: left to exact arithmetic.
    Doubtful,
}

/// The verdict for two triangles without a common vertex of one body.
///
/// An edge pierces a triangle exactly if its ends are on different sides of the plane and its line turns the
/// same way about all three sides. Triangles in different planes share a point exactly if an edge of one
/// shares a point with the other; in one plane, every determinant here is zero, and nothing is certain.
pub fn decide(a: &Record, b: &Record) -> Verdict {
    let d = error(a, b);
    let verdict = by_signs(a, b, |[u, v, w]| {
        let bound = bound(d, norm(u) + 3.0 * d, norm(v) + 3.0 * d, norm(w) + 3.0 * d);
        sign(dot(u, cross(v, w)), bound)
    });
    if verdict != Verdict::Doubtful {
        verdict
    } else if has_gap(a, b, d) || has_gap(b, a, d) {
        Verdict::Apart
    } else {
        by_signs(a, b, |three| closely(three, d))
    }
}

/// The sign of a determinant by the closer bound; 0 if unknown.
fn closely([a, b, c]: [Vector; 3], d: f32) -> i32 {
    let products = [cross(b, c), cross(c, a), cross(a, b)];
    let [na, nb, nc] = [a, b, c].map(|x| norm(x) + 3.0 * d);
    let rounding = DETERMINANT_FILTER * 2.0 * FLOAT_ROUNDOFF;
    let first = norm(products[0]) + norm(products[1]) + norm(products[2]);
    let off = d * (first + 2.0 * rounding * (nb * nc + nc * na + na * nb))
        + 3.0 * d * d * (na + nb + nc)
        + rounding * (na * nb * nc)
        + LOST_BELOW;
    sign(dot(a, products[0]), off)
}

/// The verdict of the fifteen determinants.
fn by_signs(a: &Record, b: &Record, sign: impl Fn([Vector; 3]) -> i32) -> Verdict {
    let sides = |[p, q, r]: [Vector; 3], corners: [Vector; 3]| {
        corners.map(|corner| sign([minus(corner, p), minus(q, p), minus(r, p)]))
    };
    let (below_a, below_b) = (sides(b.corners, a.corners), sides(a.corners, b.corners));
    let one_sided = |s: [i32; 3]| s == [1; 3] || s == [-1; 3];
    if one_sided(below_a) || one_sided(below_b) {
        return Verdict::Apart;
    }
    // The orientation of the line of edge i of a about edge j of b.
    let mut turns = [[0; 3]; 3];
    for (i, row) in turns.iter_mut().enumerate() {
        let (p, u) = (a.corners[i], minus(a.corners[(i + 1) % 3], a.corners[i]));
        for (j, turn) in row.iter_mut().enumerate() {
            let (q, v) = (b.corners[j], minus(b.corners[(j + 1) % 3], b.corners[j]));
            *turn = sign([u, minus(q, p), v]);
        }
    }
    let column = |j: usize| [turns[0][j], turns[1][j], turns[2][j]];
    let edges_a = (0..3).map(|i| pierces([below_a[i], below_a[(i + 1) % 3]], turns[i]));
    let edges_b = (0..3).map(|j| pierces([below_b[j], below_b[(j + 1) % 3]], column(j)));
    let mut verdict = Verdict::Apart;
    for answer in edges_a.chain(edges_b) {
        match answer {
            Ordering::Greater => return Verdict::Touch,
            Ordering::Equal => verdict = Verdict::Doubtful,
            Ordering::Less => {}
        }
    }
    verdict
}

/// Whether a plane through an edge of `a`, perpendicular to `a`, has all of `a` on one side and all of `b`
/// strictly on the other: this separates coplanar triangles. Any vector may be its normal: the plane is
/// defined by the floats of `n`. A product of `n` and a difference of corners has an error below `|n| (d + 16
/// r |difference|)`, as in `neighbours.rs`. It is a product of four differences.
fn has_gap(a: &Record, b: &Record, d: f32) -> bool {
    let [p, q, r] = a.corners;
    let up = cross(minus(q, p), minus(r, p));
    let differences = [a.corners, b.corners].map(|corners| corners.map(|corner| minus(corner, p)));
    let far = differences.iter().flatten().fold(0.0f32, |far, x| far.max(norm(*x)));
    far < MAX_QUARTIC_DIFFERENCE
        && (0..3).any(|i| {
            let n = cross(minus(a.corners[(i + 1) % 3], a.corners[i]), up);
            let [of_a, of_b] = differences.map(|three| three.map(|x| dot(n, x)));
            let most = of_a[0].max(of_a[1]).max(of_a[2]);
            let least = of_b[0].min(of_b[1]).min(of_b[2]);
            least - most > 2.0 * norm(n) * (d + DETERMINANT_FILTER * 2.0 * FLOAT_ROUNDOFF * far) + LOST_BELOW
        })
}

/// Whether an edge pierces a triangle: yes (`Greater`), no (`Less`) or unknown. `ends` are the sides of the
/// plane that its ends are on, `turns` the orientations of its line about the sides.
fn pierces(ends: [i32; 2], turns: [i32; 3]) -> Ordering {
    let product = ends[0] * ends[1];
    let (least, most) = (turns[0].min(turns[1]).min(turns[2]), turns[0].max(turns[1]).max(turns[2]));
    if product > 0 || (least < 0 && most > 0) {
        Ordering::Less
    } else if product < 0 && least == most && least != 0 {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}
