//! Exact signs of determinants, for every finite `f64`.
//!
//! Three steps: a float filter with a proven bound (Shewchuk 1997, stage A); the adaptive predicates of `robust`
//! where no product can leave the range of `f64`; big integers for the rest.

use crate::scene::Point;
use crate::util::tolerance::{
    MAX_ADAPTIVE_COORDINATE, MIN_ADAPTIVE_COORDINATE, ORIENT2D_FILTER, ORIENT3D_FILTER, UNDERFLOW_FILTER,
};
use num_bigint::{BigInt, Sign as BigSign};
use robust::{Coord, Coord3D};

/// -1, 0 or 1.
pub(crate) type Sign = i8;

#[inline]
fn sign(value: f64) -> Sign {
    Sign::from(value > 0.0) - Sign::from(value < 0.0)
}

/// Sign of `det[a - d; b - d; c - d]`: positive when `a`, `b`, `c` appear counter-clockwise to somebody who looks
/// at their plane from the side that `d` is *not* on. Zero when the four points lie in one plane.
#[inline]
pub(crate) fn orient3d(a: Point, b: Point, c: Point, d: Point) -> Sign {
    let [adx, ady, adz] = [a[0] - d[0], a[1] - d[1], a[2] - d[2]];
    let [bdx, bdy, bdz] = [b[0] - d[0], b[1] - d[1], b[2] - d[2]];
    let [cdx, cdy, cdz] = [c[0] - d[0], c[1] - d[1], c[2] - d[2]];
    let (bdxcdy, cdxbdy) = (bdx * cdy, cdx * bdy);
    let (cdxady, adxcdy) = (cdx * ady, adx * cdy);
    let (adxbdy, bdxady) = (adx * bdy, bdx * ady);
    let det = adz * (bdxcdy - cdxbdy) + bdz * (cdxady - adxcdy) + cdz * (adxbdy - bdxady);
    let permanent = (bdxcdy.abs() + cdxbdy.abs()) * adz.abs()
        + (cdxady.abs() + adxcdy.abs()) * bdz.abs()
        + (adxbdy.abs() + bdxady.abs()) * cdz.abs();
    // Without underflow |error| <= ORIENT3D_FILTER * permanent. Each of the six products below a z may lose
    // 2^-1075 to underflow, times that z, and each of the three terms 2^-1075 once more: below the second term.
    // Overflow makes the bound infinite or NaN, which certifies nothing.
    let bound = ORIENT3D_FILTER * permanent + UNDERFLOW_FILTER * (adz.abs() + bdz.abs() + cdz.abs() + 1.0);
    if det > bound || -det > bound {
        return sign(det);
    }
    orient3d_exact(a, b, c, d)
}

#[cold]
fn orient3d_exact(a: Point, b: Point, c: Point, d: Point) -> Sign {
    if a == d || b == d || c == d || a == b || b == c || a == c {
        return 0;
    }
    if [a, b, c, d].as_flattened().iter().all(|&x| in_adaptive_range(x)) {
        let coord = |[x, y, z]: Point| Coord3D { x, y, z };
        return sign(robust::orient3d(coord(a), coord(b), coord(c), coord(d)));
    }
    let [a, b, c, d] = [a, b, c, d].map(|p| p.map(integer));
    let row = |p: &[BigInt; 3]| [&p[0] - &d[0], &p[1] - &d[1], &p[2] - &d[2]];
    let [a, b, c] = [row(&a), row(&b), row(&c)];
    let minor = |i: usize, j: usize| &b[i] * &c[j] - &b[j] * &c[i];
    big_sign(&(&a[0] * minor(1, 2) + &a[1] * minor(2, 0) + &a[2] * minor(0, 1)))
}

/// Sign of `det[a - c; b - c]`: positive when `a`, `b`, `c` turn counter-clockwise, zero when they are collinear.
#[inline]
pub(crate) fn orient2d(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    let left = (a[0] - c[0]) * (b[1] - c[1]);
    let right = (a[1] - c[1]) * (b[0] - c[0]);
    let det = left - right;
    // As above; both products may lose 2^-1075.
    let bound = ORIENT2D_FILTER * (left.abs() + right.abs()) + UNDERFLOW_FILTER;
    if det > bound || -det > bound {
        return sign(det);
    }
    orient2d_exact(a, b, c)
}

#[cold]
fn orient2d_exact(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    if a == b || b == c || a == c {
        return 0;
    }
    if [a, b, c].as_flattened().iter().all(|&x| in_adaptive_range(x)) {
        let coord = |[x, y]: [f64; 2]| Coord { x, y };
        return sign(robust::orient2d(coord(a), coord(b), coord(c)));
    }
    let [a, b, c] = [a, b, c].map(|p| p.map(integer));
    big_sign(&((&a[0] - &c[0]) * (&b[1] - &c[1]) - (&a[1] - &c[1]) * (&b[0] - &c[0])))
}

/// Within this range every product of the adaptive predicates, down to the last bit of its error terms, is a
/// normal or subnormal double: see the two tolerances.
#[inline]
fn in_adaptive_range(x: f64) -> bool {
    x == 0.0 || (MIN_ADAPTIVE_COORDINATE..=MAX_ADAPTIVE_COORDINATE).contains(&x.abs())
}

/// `x * 2^1074`, which is an integer for every finite double.
fn integer(x: f64) -> BigInt {
    let bits = x.to_bits();
    let exponent = (bits >> 52) & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    let magnitude = if exponent == 0 {
        BigInt::from(fraction)
    } else {
        BigInt::from(fraction | 1 << 52) << (exponent - 1)
    };
    if x < 0.0 { -magnitude } else { magnitude }
}

fn big_sign(value: &BigInt) -> Sign {
    match value.sign() {
        BigSign::Minus => -1,
        BigSign::NoSign => 0,
        BigSign::Plus => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: [Point; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    #[test]
    fn the_unit_axes_are_positive_about_the_origin() {
        assert_eq!(orient3d(UNIT[0], UNIT[1], UNIT[2], [0.0; 3]), 1);
        assert_eq!(orient3d(UNIT[1], UNIT[0], UNIT[2], [0.0; 3]), -1);
        assert_eq!(orient2d([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]), 1);
    }

    #[test]
    fn signs_hold_at_every_scale_and_one_ulp_apart() {
        // x + y + z = s holds exactly for these three; d is on the plane, or one step to either side of it.
        for exponent in [-1074, -1060, -900, -400, -301, -299, -100, 0, 100, 299, 301, 400, 900, 1020] {
            let s = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
            let [a, b, c] = UNIT.map(|p| p.map(|x| x * s));
            let third = [s / 2.0, s / 4.0, s / 4.0];
            if third[1] * 4.0 != s {
                continue; // not representable below the smallest subnormal
            }
            assert_eq!(orient3d(a, b, c, third), 0, "2^{exponent}");
            assert_eq!(orient3d(a, b, c, [third[0].next_up(), third[1], third[2]]), -1, "2^{exponent}");
            assert_eq!(orient3d(a, b, c, [third[0], third[1].next_down(), third[2]]), 1, "2^{exponent}");
            let (p, q) = ([s, 0.0], [0.0, s]);
            assert_eq!(orient2d(p, q, [s / 2.0, s / 2.0]), 0, "2^{exponent}");
            assert_eq!(orient2d(p, q, [s / 2.0, (s / 2.0).next_down()]), 1, "2^{exponent}");
            assert_eq!(orient2d(p, q, [s / 2.0, (s / 2.0).next_up()]), -1, "2^{exponent}");
        }
    }

    #[test]
    fn integers_and_the_adaptive_predicates_agree() {
        let mut state = 1u64;
        let mut coordinate = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % 5) as f64 * 0.1
        };
        for _ in 0..20_000 {
            let [a, b, c, d] = [0; 4].map(|_| [coordinate(), coordinate(), coordinate()]);
            // The same points moved out of the adaptive range by a power of two have the same sign.
            let [e, f, g, h] = [a, b, c, d].map(|p| p.map(|x| x * 2f64.powi(-600)));
            assert_eq!(orient3d(a, b, c, d), orient3d(e, f, g, h));
        }
    }
}
