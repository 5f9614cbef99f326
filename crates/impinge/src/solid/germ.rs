//! Points that no `f64` can name: where planes meet, and "just beside" that. Integers of any length, no rounding.
//!
//! A [`Germ`] is `p + e u + e^2 v`: a rational point, then infinitely little along one vector, then infinitely less
//! along another. It lies in exactly one cell of whatever is cut at `p`, so that cells can be sampled without
//! knowing how large they are. A sign is that of the first term that is not zero.

use super::locate::Probe;
use crate::exact::predicates::Sign;
use crate::scene::Point;
use num_bigint::{BigInt, Sign as BigSign};
use std::cmp::Ordering;

pub(crate) type Vector = [BigInt; 3];

pub(crate) fn sign(value: &BigInt) -> Sign {
    match value.sign() {
        BigSign::Minus => -1,
        BigSign::NoSign => 0,
        BigSign::Plus => 1,
    }
}

pub(crate) fn minus(a: &Vector, b: &Vector) -> Vector {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

pub(crate) fn cross(a: &Vector, b: &Vector) -> Vector {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

pub(crate) fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

/// `(b - a) x (c - a)`.
pub(crate) fn normal([a, b, c]: &[Vector; 3]) -> Vector {
    cross(&minus(b, a), &minus(c, a))
}

/// Coordinates in units of a power of two that makes all of them integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    exponent: i32,
}

/// `x = fraction * 2^exponent`, the fraction without sign.
fn decode(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
}

impl Scale {
    /// The largest unit that serves all these points.
    pub(crate) fn of<'a>(points: impl Iterator<Item = &'a Point>) -> Self {
        let exponents = points.flatten().filter(|&&x| x != 0.0).map(|&x| {
            let (fraction, exponent) = decode(x);
            exponent + fraction.trailing_zeros() as i32
        });
        Self { exponent: exponents.min().unwrap_or(0) }
    }

    /// What serves the points of both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self { exponent: self.exponent.min(other.exponent) }
    }

    fn integer(self, x: f64) -> BigInt {
        let (fraction, exponent) = decode(x);
        let magnitude = match exponent - self.exponent {
            shift if shift >= 0 => BigInt::from(fraction) << shift,
            // The fraction ends in that many zeros, or is zero.
            shift => BigInt::from(fraction.checked_shr(shift.unsigned_abs()).unwrap_or(0)),
        };
        if x < 0.0 { -magnitude } else { magnitude }
    }

    pub(crate) fn vector(self, p: Point) -> Vector {
        p.map(|x| self.integer(x))
    }
}

/// The point `numerator / denominator`; the denominator is positive.
#[derive(Clone, Debug)]
pub(crate) struct Rational {
    pub(crate) numerator: Vector,
    pub(crate) denominator: BigInt,
}

impl Rational {
    /// `(p * a - q * b) / (p's denominator * a - q's denominator * b)`: the point on the line through `p` and `q`
    /// where a function that is `b` at `p` and `a` at `q` (each times the denominator) vanishes. `a`, `b` differ in
    /// sign, or one is zero.
    pub(crate) fn between(p: &Self, b: &BigInt, q: &Self, a: &BigInt) -> Self {
        let mix = |p: &BigInt, q: &BigInt| p * a - q * b;
        let denominator = mix(&p.denominator, &q.denominator);
        let numerator = [0, 1, 2].map(|axis| mix(&p.numerator[axis], &q.numerator[axis]));
        if denominator.sign() == BigSign::Minus {
            return Self { numerator: numerator.map(|x| -x), denominator: -denominator };
        }
        Self { numerator, denominator }
    }

    pub(crate) fn middle(p: &Self, q: &Self) -> Self {
        let sum = |axis: usize| &p.numerator[axis] * &q.denominator + &q.numerator[axis] * &p.denominator;
        Self { numerator: [sum(0), sum(1), sum(2)], denominator: (&p.denominator * &q.denominator) << 1 }
    }

    /// Order of one coordinate.
    pub(crate) fn compare(&self, other: &Self, axis: usize) -> Ordering {
        (&self.numerator[axis] * &other.denominator).cmp(&(&other.numerator[axis] * &self.denominator))
    }

    /// Doubles below and above each coordinate.
    pub(crate) fn bounds(&self, scale: Scale) -> [Point; 2] {
        let bounds =
            [0, 1, 2].map(|axis| quotient_bounds(&self.numerator[axis], &self.denominator, scale.exponent));
        [bounds.map(|b| b[0]), bounds.map(|b| b[1])]
    }
}

impl From<Vector> for Rational {
    fn from(numerator: Vector) -> Self {
        Self { numerator, denominator: BigInt::from(1) }
    }
}

/// Doubles not above and not below `numerator / denominator * 2^exponent`.
fn quotient_bounds(numerator: &BigInt, denominator: &BigInt, exponent: i32) -> [f64; 2] {
    if numerator.sign() == BigSign::NoSign {
        return [0.0, 0.0];
    }
    // Shifted so that the quotient has 62 or 63 bits; it is within [q, q + 1].
    let shift = 62 + denominator.bits() as i64 - numerator.bits() as i64;
    let magnitude = numerator.magnitude();
    let quotient = if shift >= 0 {
        (magnitude << shift) / denominator.magnitude()
    } else {
        magnitude / (denominator.magnitude() << -shift)
    };
    let q = quotient.iter_u64_digits().next().unwrap_or(0);
    let exponent = i64::from(exponent) - shift;
    // Multiplying in two steps keeps both factors in range; each step and the conversion may round, by less
    // than one step of next_down or next_up: powers of two are exact unless the result is subnormal.
    let half = (exponent / 2) as i32;
    let scaled = |x: f64| x * 2f64.powi(half) * 2f64.powi((exponent - i64::from(half)) as i32);
    let (low, high) =
        (scaled((q as f64).next_down()).next_down(), scaled(((q + 1) as f64).next_up()).next_up());
    if numerator.sign() == BigSign::Minus { [-high, -low] } else { [low, high] }
}

/// A rational point and what is just beside it.
#[derive(Clone, Debug)]
pub(crate) struct Germ {
    at: Rational,
    /// First the vector of the larger infinitesimal.
    toward: Vec<Vector>,
    scale: Scale,
    bounds: [Point; 2],
}

impl Germ {
    pub(crate) fn new(at: Rational, toward: Vec<Vector>, scale: Scale) -> Self {
        let bounds = at.bounds(scale);
        Self { at, toward, scale, bounds }
    }

    /// Still less along one more vector.
    pub(crate) fn then(&self, vector: Vector) -> Self {
        let mut germ = self.clone();
        germ.toward.push(vector);
        germ
    }

    /// Sign of a linear function: given at `at` less `origin`, times the denominator, or else at the vectors.
    fn sign(&self, origin: &Vector, function: impl Fn(&Vector) -> BigInt) -> Sign {
        let offset = [0, 1, 2].map(|axis| &self.at.numerator[axis] - &origin[axis] * &self.at.denominator);
        let signs = std::iter::once(&offset).chain(&self.toward).map(|vector| sign(&function(vector)));
        signs.into_iter().find(|&s| s != 0).unwrap_or(0)
    }
}

impl Probe for Germ {
    fn bounds(&self) -> [Point; 2] {
        self.bounds
    }

    fn compare(&self, axis: usize, value: f64) -> Ordering {
        let origin = self.scale.vector([value; 3]);
        self.sign(&origin, |v| v[axis].clone()).cmp(&0)
    }

    fn orient2d(&self, axis: usize, a: Point, b: Point) -> Sign {
        let [a, b] = [a, b].map(|p| self.scale.vector(p));
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let edge = [&b[i] - &a[i], &b[j] - &a[j]];
        self.sign(&a, |v| &edge[0] * &v[j] - &edge[1] * &v[i])
    }

    fn orient3d(&self, corners: [Point; 3]) -> Sign {
        let corners = corners.map(|p| self.scale.vector(p));
        let normal = normal(&corners);
        -self.sign(&corners[0], |v| dot(&normal, v))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_around_a_fraction_are_around_it_and_close() {
        for exponent in [-1074, -1000, -80, 0, 80, 900] {
            let unit = 2f64.powi(exponent / 2) * 2f64.powi(exponent / 2);
            for (numerator, denominator) in
                [(1, 3), (-1, 3), (7, 1), (0, 5), (-1i64 << 60, 11), (2, 1i64 << 50)]
            {
                // Small enough a scale for every double to be an integer.
                let scale = Scale { exponent: -1074 };
                let numerator = BigInt::from(numerator) * scale.integer(unit);
                let at = Rational {
                    numerator: [0; 3].map(|_| numerator.clone()),
                    denominator: denominator.into(),
                };
                let germ = Germ::new(at, Vec::new(), scale);
                let [low, high] = germ.bounds().map(|p| p[0]);
                assert!(germ.compare(0, low).is_ge() && germ.compare(0, high).is_le());
                assert!(
                    high - low <= 8.0 * (f64::EPSILON * high.abs()).max(f64::from_bits(1)),
                    "{low} {high}"
                );
            }
        }
    }

    #[test]
    fn a_germ_is_beside_its_point_by_its_first_vector_that_matters() {
        let scale = Scale { exponent: 0 };
        let triangle = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let at = |toward: &[Point]| {
            Germ::new(
                scale.vector([1.0, 0.0, 0.0]).into(),
                toward.iter().map(|&v| scale.vector(v)).collect(),
                scale,
            )
        };
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(at(&[]).orient3d(triangle), 0);
        assert_eq!(at(&[x, y]).orient3d(triangle), 0);
        assert_eq!(at(&[x, z]).orient3d(triangle), -1);
        assert_eq!(at(&[z.map(|c| -c), z]).orient3d(triangle), 1);
        assert_eq!(at(&[x]).orient2d(2, triangle[0], triangle[1]), 0);
        assert_eq!(at(&[x, y]).orient2d(2, triangle[0], triangle[1]), 1);
        assert_eq!(at(&[y, x]).compare(0, 1.0), Ordering::Greater);
    }
}
