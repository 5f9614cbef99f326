//! What floats may say about two triangles whose coordinates are off by a known amount.
//!
//! **The bound.** Let `|a|` be the sum of the components of a vector without their signs. For true vectors `A, B, C`, whose
//! computed floats `a, b, c` are off by at most `d` in each component,
//!
//! `det(A, B, C) - det(a, b, c) = det(A - a, B, C) + det(a, B - b, C) + det(a, b, C - c)`,
//!
//! and `|det(x, y, z)| <= max|x_k| |y| |z|`, for any order of the three. With `N = |a| + 3d`, which bounds `|A|` too, and so on:
//!
//! `|difference| <= d (N_b N_c + N_a N_c + N_a N_b)`.
//!
//! Every component of `a` is a difference of two floats, one rounding; `a . (b x c)` has five roundings on every path from a
//! component to the sum (multiply, subtract, multiply, add, add; fused ones save some). With `r = 2^-23`, the error of an
//! operation whichever way a device rounds, these eight are below `9 r` of the sum of the six products without their signs,
//! and that is at most `N_a N_b N_c`. [`DETERMINANT_FILTER`] is 16: it covers the rounding of norms and of the bound itself.
//! What is lost below the range of floats is less than [`LOST_BELOW`], and no product of three differences overflows, while
//! coordinates are below 2^39: where they are not, the method is not used ([`crate::util::tolerance::LARGEST_COORDINATE`]). Products of four
//! are looked at below [`LARGEST_OF_FOUR`] alone: what overflowed may seem a proof of anything.

//!
//! **A closer bound**, for the few pairs that this leaves in doubt. `N_b N_c` is often several times `|b x c|`. With `A = a + x`,
//! `B = b + y`, `C = c + z`, of which `x, y, z` are below `d` in each component,
//!
//! `det(A, B, C) - det(a, b, c) = x . (b x c) + y . (c x a) + z . (a x b) + (terms in two of x, y, z) + det(x, y, z)`:
//!
//! the first three are at most `d (|b x c| + |c x a| + |a x b|)`; each of the three in two of them is at most `2 d^2` of a norm;
//! the last is at most `6 d^3`, less than `d^2` of the sum of the norms `N`. So all but the first are below `3 d^2 (N_a + N_b +
//! N_c)` with room: they are at most `2 d^2 (N_a + N_b + N_c - 9 d) + 6 d^3`. The products computed are each off by five roundings
//! of their terms, their norms and the sum by a dozen more: below `32 r` of `N_b N_c + N_c N_a + N_a N_b`.

use super::triangle_filter::Record;
use crate::util::tolerance::{DETERMINANT_FILTER, FLOAT_ROUNDOFF, LARGEST_OF_FOUR, LOST_BELOW};
use std::cmp::Ordering;

pub(crate) type Vector = [f32; 3];

/// What floats know about two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They share no point.
    Apart,
    /// They share a point.
    Touch,
    /// Exact arithmetic must tell.
    Doubtful,
}

#[inline]
pub(crate) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline]
pub(crate) fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub(crate) fn norm(a: Vector) -> f32 {
    a[0].abs() + a[1].abs() + a[2].abs()
}

/// What a determinant is off, from the norms `N` of its vectors.
#[inline]
pub(crate) fn bound(d: f32, a: f32, b: f32, c: f32) -> f32 {
    d * (b * c + a * c + a * b) + DETERMINANT_FILTER * 2.0 * FLOAT_ROUNDOFF * (a * b * c) + LOST_BELOW
}

/// The sign of a number that is off by less than a bound; 0 where that is not known.
#[inline]
fn sign(value: f32, bound: f32) -> i32 {
    i32::from(value > bound) - i32::from(value < -bound)
}

/// What the differences between coordinates of two triangles are off, beyond their own rounding.
#[inline]
pub(crate) fn error(a: &Record, b: &Record) -> f32 {
    2.0 * a.error.max(b.error)
}

/// On which side of the plane of `a` the corners of `b` are.
fn sides(a: &Record, b: &Record, d: f32) -> [i32; 3] {
    let [p, q, r] = a.corners;
    let (u, v) = (minus(q, p), minus(r, p));
    let normal = cross(u, v);
    let (nu, nv) = (norm(u) + 3.0 * d, norm(v) + 3.0 * d);
    b.corners.map(|corner| {
        let w = minus(corner, p);
        sign(dot(normal, w), bound(d, nu, nv, norm(w) + 3.0 * d))
    })
}

/// Whether the corners of `b` are all on one side of the plane of `a`, for certain; but for those that `a` has too, which are in
/// the plane, and count for neither side.
pub fn is_beside(a: &Record, b: &Record, in_a: [bool; 3]) -> bool {
    let sides = sides(a, b, error(a, b));
    let all = |side: i32| (0..3).all(|k| in_a[k] || sides[k] == side);
    all(1) || all(-1)
}

/// Two triangles that share no vertex of one body.
///
/// An edge pierces a triangle exactly if its ends are on different sides of the plane and its line turns the same way round
/// all three sides. Triangles in different planes share a point exactly if an edge of one shares a point with the other; in
/// one plane, every determinant here is zero, and nothing is certain.
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

/// The sign of a determinant by the closer bound; 0 where that is not known.
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

/// What the signs of fifteen determinants tell.
fn by_signs(a: &Record, b: &Record, sign: impl Fn([Vector; 3]) -> i32) -> Verdict {
    let sides = |[p, q, r]: [Vector; 3], corners: [Vector; 3]| {
        corners.map(|corner| sign([minus(corner, p), minus(q, p), minus(r, p)]))
    };
    let (below_a, below_b) = (sides(b.corners, a.corners), sides(a.corners, b.corners));
    let one_sided = |s: [i32; 3]| s == [1; 3] || s == [-1; 3];
    if one_sided(below_a) || one_sided(below_b) {
        return Verdict::Apart;
    }
    // How the line of edge i of a turns round edge j of b.
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

/// Whether a plane through an edge of `a`, upright on `a`, has all of `a` on one side and all of `b` strictly on the other: what
/// tells triangles of one plane apart. Any vector may be its normal `n`, as the floats of it say. A product of `n` and a
/// difference of corners is off by less than `|n| (d + 16 r |difference|)`, as in `neighbours.rs`. It is a product of four
/// differences.
fn has_gap(a: &Record, b: &Record, d: f32) -> bool {
    let [p, q, r] = a.corners;
    let up = cross(minus(q, p), minus(r, p));
    let differences = [a.corners, b.corners].map(|corners| corners.map(|corner| minus(corner, p)));
    let far = differences.iter().flatten().fold(0.0f32, |far, x| far.max(norm(*x)));
    far < LARGEST_OF_FOUR
        && (0..3).any(|i| {
            let n = cross(minus(a.corners[(i + 1) % 3], a.corners[i]), up);
            let [of_a, of_b] = differences.map(|three| three.map(|x| dot(n, x)));
            let most = of_a[0].max(of_a[1]).max(of_a[2]);
            let least = of_b[0].min(of_b[1]).min(of_b[2]);
            least - most > 2.0 * norm(n) * (d + DETERMINANT_FILTER * 2.0 * FLOAT_ROUNDOFF * far) + LOST_BELOW
        })
}

/// Whether an edge pierces a triangle: for certain (`Greater`), certainly not (`Less`), or not known. `ends` tells on which side
/// of the plane its ends are, `turns` which way its line turns round the sides.
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
