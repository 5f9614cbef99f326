//! Float predicates over two triangles whose coordinates have a known error.
//!
//! **The bound.** Let `|a|` be the sum of the absolute values of the components of a vector. For true vectors
//!  `A, B, C`, whose computed floats `a, b, c` have errors of at most `d` in each component,
//!
//! `det(A, B, C) - det(a, b, c) = det(A - a, B, C) + det(a, B - b, C) + det(a, b, C - c)`,
//!
//! and `|det(x, y, z)| <= max|x_k| |y| |z|`, for any order of the three. With `N = |a| + 3d`, which bounds
//! `|A|` too, and so on:
//!
//! `|difference| <= d (N_b N_c + N_a N_c + N_a N_b)`.
//!
//! Every component of `a` is a difference of two floats, one rounding; `a . (b x c)` has five roundings on
//! every path from a component to the sum (multiply, subtract, multiply, add, add; fused operations save
//! some). With `r = 2^-23`, the error of an operation whichever way a device rounds, these eight are below `9
//! r` of the sum of the absolute values of the six products, and that is at most `N_a N_b N_c`.
//! [`DETERMINANT_FILTER`] is 16: it covers the rounding of norms and of the bound itself. Underflow loses
//! less than [`LOST_BELOW`], and no product of three differences overflows while coordinates are below 2^39:
//! where they are not, the method is not used ([`crate::util::tolerance::MAX_PLACED_COORDINATE`]). Products
//! of four differences are only used below [`crate::util::tolerance::MAX_QUARTIC_DIFFERENCE`]: an overflow
//! would prove nothing.

use super::triangle_filter::Record;
use crate::util::tolerance::{DETERMINANT_FILTER, FLOAT_ROUNDOFF, LOST_BELOW};

pub(crate) type Vector = [f32; 3];

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

/// The error of a determinant, from the norms `N` of its vectors.
#[inline]
pub(crate) fn bound(d: f32, a: f32, b: f32, c: f32) -> f32 {
    d * (b * c + a * c + a * b) + DETERMINANT_FILTER * 2.0 * FLOAT_ROUNDOFF * (a * b * c) + LOST_BELOW
}

/// The sign of a number whose error is below a bound; 0 if unknown.
#[inline]
pub(crate) fn sign(value: f32, bound: f32) -> i32 {
    i32::from(value > bound) - i32::from(value < -bound)
}

/// The error of differences between coordinates of two triangles, beyond their own rounding.
#[inline]
pub(crate) fn error(a: &Record, b: &Record) -> f32 {
    2.0 * a.error.max(b.error)
}

/// The sides of the plane of `a` that the corners of `b` are on.
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

/// Whether the corners of `b` are certainly all on one side of the plane of `a`. Corners in `in_a` are
/// corners of `a` too: they are in the plane, and ignored.
pub(crate) fn is_beside(a: &Record, b: &Record, in_a: [bool; 3]) -> bool {
    let sides = sides(a, b, error(a, b));
    let all = |side: i32| (0..3).all(|k| in_a[k] || sides[k] == side);
    all(1) || all(-1)
}
