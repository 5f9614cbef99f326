//! Roots against interval arithmetic: bisection that discards only intervals in which the polynomial, rounded outward,
//! cannot be zero, and accepts only those where it is monotone and changes its sign for certain.

use super::*;

#[derive(Clone, Copy, Debug)]
struct Interval(f64, f64);

impl Interval {
    fn add(self, other: Self) -> Self {
        Self((self.0 + other.0).next_down(), (self.1 + other.1).next_up())
    }

    fn times(self, other: Self) -> Self {
        let all = [self.0 * other.0, self.0 * other.1, self.1 * other.0, self.1 * other.1];
        let min = all.iter().copied().fold(f64::INFINITY, f64::min);
        let max = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self(min.next_down(), max.next_up())
    }

    fn has_zero(self) -> bool {
        self.0 <= 0.0 && self.1 >= 0.0
    }
}

fn horner(terms: &[f64], t: Interval) -> Interval {
    terms.iter().rev().fold(Interval(0.0, 0.0), |sum, &c| sum.times(t).add(Interval(c, c)))
}

/// What is certain about the roots in an interval.
#[derive(Default, Debug)]
struct Certain {
    /// Exactly one root in each.
    roots: Vec<Interval>,
    /// Perhaps some in each: so narrow that doubles cannot tell.
    doubtful: Vec<Interval>,
}

fn isolate(terms: &[f64], slope: &[f64], t: Interval, certain: &mut Certain) {
    if !horner(terms, t).has_zero() {
        return;
    }
    let [low, high] = [t.0, t.1].map(|end| horner(terms, Interval(end, end)));
    if !horner(slope, t).has_zero() && !low.has_zero() && !high.has_zero() {
        if (low.0 > 0.0) != (high.0 > 0.0) {
            certain.roots.push(t);
        }
        return;
    }
    let middle = 0.5 * (t.0 + t.1);
    if t.1 - t.0 < 1e-7 * t.1.max(1e-3) || middle <= t.0 || middle >= t.1 {
        certain.doubtful.push(t);
        return;
    }
    isolate(terms, slope, Interval(t.0, middle), certain);
    isolate(terms, slope, Interval(middle, t.1), certain);
}

fn polynomial(terms: [f64; 5]) -> Polynomial {
    Polynomial { terms, sizes: terms.map(f64::abs) }
}

/// Every certain root is found once, and every root found is in an interval that may have one.
fn check(terms: [f64; 5], until: f64) -> usize {
    let slope: Vec<f64> = (1..5).map(|k| k as f64 * terms[k]).collect();
    let mut certain = Certain::default();
    isolate(&terms, &slope, Interval(0.0, until), &mut certain);
    let found = polynomial(terms).roots(0.0, until);
    let found = found.as_slice();
    assert!(found.windows(2).all(|w| w[0] <= w[1]), "not sorted: {found:?}");
    let near = |t: Interval, root: f64| root >= t.0 - 1e-6 * t.1 && root <= t.1 + 1e-6 * t.1;
    for &t in &certain.roots {
        let inside = found.iter().filter(|&&root| root >= t.0 && root <= t.1).count();
        assert_eq!(inside, 1, "{terms:?} to {until}: one root in {t:?}, found {found:?}");
    }
    for &root in found {
        let known = certain.roots.iter().chain(&certain.doubtful).any(|&t| near(t, root));
        assert!(known, "{terms:?} to {until}: no root at {root}; {certain:?}");
    }
    certain.roots.len()
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / (1u64 << 53) as f64
    }

    fn signed(&mut self) -> f64 {
        2.0 * self.next() - 1.0
    }
}

/// `(t - a)(t - b)(t^2 + c t + d)` times a factor.
fn product(a: f64, b: f64, c: f64, d: f64, factor: f64) -> [f64; 5] {
    let (s, p) = (-(a + b), a * b);
    [p * d, p * c + s * d, p + s * c + d, s + c, 1.0].map(|x| x * factor)
}

#[test]
fn every_root_of_random_polynomials_is_found() {
    let mut random = Random(1);
    let mut roots = 0;
    for _ in 0..3000 {
        let mut terms = std::array::from_fn(|_| random.signed());
        // Now and then of a lower degree, or of very different sizes.
        for k in [4, 3, 1] {
            let draw = random.next();
            if draw < 0.2 {
                terms[k] = 0.0;
            } else if draw < 0.4 {
                terms[k] *= 10f64.powf(12.0 * random.signed());
            }
        }
        roots += check(terms, [0.5, 1.0, 3.0, 20.0][(4.0 * random.next()) as usize]);
    }
    assert!(roots > 1000, "{roots} roots");
}

#[test]
fn roots_close_to_each_other_are_told_apart_or_both_there() {
    let mut random = Random(2);
    let mut apart = 0;
    for k in 0..3000 {
        let a = 0.1 + random.next();
        let b = a + 10f64.powf(-10.0 * random.next());
        let other = random.signed();
        let terms = match k % 3 {
            0 => product(a, b, random.signed(), 1.0 + random.next(), 3.0),
            1 => product(a, b, -(other + 0.3), other * 0.3, 0.2),
            _ => [a * b, -(a + b), 1.0, 0.0, 0.0].map(|x| x * random.signed()),
        };
        apart += check(terms, 2.0);
    }
    assert!(apart > 3000, "{apart} roots");
}

#[test]
fn a_double_root_is_found_twice() {
    for terms in [
        [1.0, -2.0, 1.0, 0.0, 0.0],
        product(1.0, 1.0, 0.0, 4.0, 1.0),
        product(1.0, 1.0, 1.0, 2.0, -0.37),
        // (t^2 - t - 1/7)^2, which no double makes exactly zero.
        [1.0 / 49.0, 2.0 / 7.0, 1.0 - 2.0 / 7.0, -2.0, 1.0],
    ] {
        let found = polynomial(terms).roots(0.0, 2.0);
        let found = found.as_slice();
        assert!(found.len() >= 2 && (found[1] - found[0]).abs() < 1e-6, "{terms:?}: {found:?}");
    }
    // A hair away it does not touch.
    assert!(polynomial([1.0 + 1e-12, -2.0, 1.0, 0.0, 0.0]).roots(0.0, 2.0).as_slice().is_empty());
    assert!(polynomial([1.0 + 1e-12, -2.0, 2.0, -2.0, 1.0]).roots(0.0, 2.0).as_slice().is_empty());
}

#[test]
fn quadratics_keep_small_roots_beside_large_ones() {
    // (t - 1e-9)(t - 1e9): subtracting nearly equal numbers would leave nothing of the first.
    let found = polynomial([1.0, -(1e9 + 1e-9), 1.0, 0.0, 0.0]).roots(0.0, 1e10);
    let [small, large] = found.as_slice() else { panic!("{found:?}") };
    assert!((small - 1e-9).abs() < 1e-24 && (large - 1e9).abs() < 1e-6);
}

#[test]
fn nothing_is_a_root_of_what_is_not_a_number() {
    for terms in [[f64::NAN; 5], [1.0, f64::INFINITY, 0.0, 0.0, 1.0], [f64::MAX; 5], [0.0; 5]] {
        let found = polynomial(terms).roots(0.0, 1e300);
        assert!(found.as_slice().iter().all(|t| t.is_finite()), "{terms:?}: {found:?}");
    }
}

#[test]
fn whatever_an_interval_is_cut_into_every_root_is_in_one_part() {
    let mut random = Random(3);
    let mut cuts = 0;
    for k in 0..2000 {
        let mut terms: [f64; 5] = std::array::from_fn(|_| random.signed());
        if k % 2 == 0 {
            // A root at 1, where the power of two changes.
            terms[0] = -(terms[1] + terms[2] + terms[3] + terms[4]);
        }
        let whole = polynomial(terms).roots(0.0, 3.0);
        // At a root, beside it, and at a power of two.
        for &root in whole.as_slice().iter().chain([&1.0]) {
            for cut in [root, root.next_down(), root.next_up(), 1.0] {
                let before = polynomial(terms).roots(0.0, cut);
                let behind = polynomial(terms).roots(cut, 3.0);
                let parts = before.as_slice().iter().chain(behind.as_slice());
                assert_eq!(parts.clone().count(), whole.as_slice().len(), "{terms:?} at {cut}: {whole:?}");
                assert!(parts.zip(whole.as_slice()).all(|(a, b)| (a - b).abs() < 1e-9));
                cuts += 1;
            }
        }
    }
    assert!(cuts > 10_000);
}
