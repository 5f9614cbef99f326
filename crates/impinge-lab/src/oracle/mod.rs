//! Do two triangles share a point? Answered by integer arithmetic that never rounds, in the plainest way known.
//!
//! Every finite `f64` is an integer times a power of two, so one common power turns all corners into integers.
//! [`triangles_touch`] and [`neighbours_touch`] then cut one triangle down to the part inside the other
//! (`convex.rs`) and look whether anything is left. [`naive`] decides the same questions as linear programs and
//! exists to check the first answer; [`compare`] runs the library against it. Nothing here shares code or
//! thought with the library's narrow phase.

pub mod compare;
mod convex;
pub mod naive;
pub mod relation;

use convex::{HalfSpace, Homogeneous};
use num_bigint::BigInt;

/// The corners of a triangle, which may lie on one line or in one place.
pub type Triangle = [[f64; 3]; 3];

/// Whether the convex hulls of the corners of `a` and of `b` have at least one point in common.
///
/// ```
/// let a = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let above = a.map(|[x, y, _]| [x, y, f64::MIN_POSITIVE]);
/// assert!(impinge_lab::oracle::triangles_touch(&a, &a));
/// assert!(!impinge_lab::oracle::triangles_touch(&a, &above));
/// ```
pub fn triangles_touch(a: &Triangle, b: &Triangle) -> bool {
    boxes_touch(a, b) && {
        let [a, b] = integers(&[*a, *b]);
        !intersection(&a, &b).is_empty()
    }
}

/// Whether two triangles of one body meet anywhere but in what they share.
///
/// What they share is the union S of the segments between any two vertices that both name (by index, wherever
/// those vertices are), or one point when they name one vertex in common. They are in contact when their
/// intersection has a point outside S. Every index must be in range.
///
/// ```
/// use impinge_lab::oracle::neighbours_touch;
/// let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// assert!(!neighbours_touch(&square, [0, 1, 2], [0, 2, 3])); // two halves, one diagonal
/// assert!(neighbours_touch(&square, [0, 1, 2], [0, 1, 3])); // they overlap beside their common edge
/// ```
pub fn neighbours_touch(positions: &[[f64; 3]], a: [u32; 3], b: [u32; 3]) -> bool {
    let corners = |triangle: [u32; 3]| triangle.map(|vertex| positions[vertex as usize]);
    if !boxes_touch(&corners(a), &corners(b)) {
        return false;
    }
    let shared = shared_vertices(a, b);
    let [whole_a, whole_b] = integers(&[corners(a), corners(b)]);
    // The integers of vertex `v`, which is a corner of `a` whenever it is shared.
    let place = |v: u32| a.iter().position(|&corner| corner == v).map(|corner| whole_a[corner].clone());
    let shared: Vec<[BigInt; 3]> = shared.into_iter().filter_map(place).collect();
    match shared.as_slice() {
        [] => !intersection(&whole_a, &whole_b).is_empty(),
        // S is convex here. The intersection is the hull of the points left by cutting, so it lies within S
        // exactly when each of those points does.
        [p] | [p, _] => {
            let q = shared.get(1).unwrap_or(p);
            let s = convex::half_spaces(&[p.clone(), q.clone(), q.clone()]);
            intersection(&whole_a, &whole_b).iter().any(|x| !s.iter().all(|h| h.holds(x)))
        }
        // The triangles are one triangle and S its three sides: something is left exactly when there is an
        // interior. On a line, the sides cover everything.
        _ => convex::normal(&whole_a).iter().any(|n| *n != BigInt::ZERO),
    }
}

/// The distinct vertices that both triangles name.
fn shared_vertices(a: [u32; 3], b: [u32; 3]) -> Vec<u32> {
    let mut shared: Vec<u32> = a.into_iter().filter(|vertex| b.contains(vertex)).collect();
    shared.sort_unstable();
    shared.dedup();
    shared
}

/// Points whose convex hull is the intersection of the two triangles; none when they are apart.
fn intersection(a: &[[BigInt; 3]; 3], b: &[[BigInt; 3]; 3]) -> Vec<Homogeneous> {
    convex::half_spaces(b).iter().fold(a.each_ref().map(convex::homogeneous).to_vec(), HalfSpace::cut)
}

/// Whether the closed boxes around the triangles overlap. Comparing doubles is exact, and where the boxes are
/// apart so is what they hold: most of the pairs that a caller can think of are answered here.
pub fn boxes_touch(a: &Triangle, b: &Triangle) -> bool {
    let range = |t: &Triangle, axis: usize| {
        let [p, q, r] = t.map(|corner| corner[axis]);
        (p.min(q).min(r), p.max(q).max(r))
    };
    (0..3).all(|axis| {
        let ((a_low, a_high), (b_low, b_high)) = (range(a, axis), range(b, axis));
        a_low <= b_high && b_low <= a_high
    })
}

/// All coordinates multiplied by the same power of two, the smallest that makes every one of them an integer.
/// Scaling space moves no point across another, so it changes no answer.
fn integers<const N: usize>(triangles: &[Triangle; N]) -> [[[BigInt; 3]; 3]; N] {
    let coordinates = || triangles.iter().flatten().flatten();
    let lowest = coordinates().filter(|&&x| x != 0.0).map(|&x| decode(x).1).min().unwrap_or(0);
    triangles.map(|triangle| {
        triangle.map(|corner| {
            corner.map(|x| {
                let (integer, exponent) = decode(x);
                // Zero has the exponent 0, whatever the others have; shifting it by anything gives zero.
                BigInt::from(integer) << exponent.saturating_sub(lowest).max(0)
            })
        })
    })
}

/// The integer `m` (odd, or zero) and the exponent `e` with `x = m * 2^e`, for a finite `x`.
fn decode(x: f64) -> (i64, i32) {
    debug_assert!(x.is_finite());
    if x == 0.0 {
        return (0, 0);
    }
    let bits = x.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    // Subnormal numbers have no hidden bit and the exponent of the smallest normal ones.
    let (integer, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    let zeros = integer.trailing_zeros();
    let integer = integer >> zeros;
    (if x < 0.0 { -integer } else { integer }, exponent + zeros as i32)
}
