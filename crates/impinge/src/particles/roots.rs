//! When polynomials of degree four and less are zero: `h(t) = f(g(t))` (Knott 2003, 3.3).
//!
//! Quadratics (3.6, 3.9) by the formula that subtracts nothing, so that both roots are right to a few last places. Cubics
//! and quartics, of particles of second order against quadrics, by the roots of their derivatives: between two of these a
//! polynomial is monotone, so a change of sign is one root, found by Newton steps that may not leave the bracket. Nothing
//! depends on a starting guess, and no change of sign is missed.
//!
//! A root that is double (the particle grazes) has no change of sign. It counts where the polynomial at its extremum is
//! within [`GRAZING`] of the sum of its terms: within the error of computing it, no one can tell it from a touch.

use crate::util::tolerance::GRAZING;

/// A polynomial with the sizes of what its coefficients were summed from, for the error of its values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polynomial {
    /// From the constant up.
    pub(crate) terms: [f64; 5],
    /// For each, the sum of the absolute values it was made from.
    pub(crate) sizes: [f64; 5],
}

/// At most four, sorted; a double root stands there twice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Roots {
    count: usize,
    at: [f64; 4],
}

impl Roots {
    #[inline]
    fn add(&mut self, root: f64) {
        if self.count < 4 {
            self.at[self.count] = root;
            self.count += 1;
        }
    }

    /// Both, of a polynomial as time goes back from `middle` and as it goes on; by rounding no later than `until`.
    pub(crate) fn joined(back: &Self, middle: f64, on: &Self, until: f64) -> Self {
        let mut all = Self::default();
        back.as_slice().iter().rev().for_each(|root| all.add((middle - root).min(until)));
        on.as_slice().iter().for_each(|root| all.add((middle + root).min(until)));
        all
    }

    /// Those in `after < t <= until` when time began earlier by `middle`.
    pub(crate) fn later(&self, middle: f64, after: f64, until: f64) -> Self {
        let mut all = Self::default();
        let later = self.as_slice().iter().map(|root| middle + root);
        later.filter(|&t| t > after && t <= until).for_each(|t| all.add(t));
        all
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.at[..self.count]
    }
}

impl Polynomial {
    /// Of degree two, whose coefficients are sums of these sizes.
    pub(crate) fn quadratic(terms: [f64; 3], sizes: [f64; 3]) -> Self {
        let wide = |[a, b, c]: [f64; 3]| [a, b, c, 0.0, 0.0];
        Self { terms: wide(terms), sizes: wide(sizes) }
    }

    /// How wrong its value at `t` may be.
    #[inline]
    fn error(&self, t: f64) -> f64 {
        GRAZING * evaluate(&self.sizes, t.abs())
    }

    /// All roots in `after < t <= until`, in order. Whatever an interval is cut into, each root is in one part: for degree
    /// two because it is the same number for all of them; for four because signs at the cuts are.
    #[inline]
    pub(crate) fn roots(&self, after: f64, until: f64) -> Roots {
        let [c0, c1, c2, c3, c4] = self.terms;
        if c3 == 0.0 && c4 == 0.0 {
            return self.quadratic_roots(after, until);
        }
        if c0 == 0.0 {
            // A root at 0, which is not asked for: without it the others are those of a lower degree.
            let [_, s1, s2, s3, s4] = self.sizes;
            let lower = Self { terms: [c1, c2, c3, c4, 0.0], sizes: [s1, s2, s3, s4, 0.0] };
            return lower.roots(after, until);
        }
        self.quartic_roots(after, until)
    }

    fn quadratic_roots(&self, after: f64, until: f64) -> Roots {
        let [c, b, a, ..] = self.terms;
        let mut roots = Roots::default();
        let mut add = |root: f64| {
            // With no end in sight, infinity is no root.
            if root > after && root <= until && root.is_finite() {
                roots.add(root);
            }
        };
        let discriminant = difference_of_products(b, b, 4.0 * a, c);
        if discriminant > 0.0 {
            let q = -0.5 * (b + discriminant.sqrt().copysign(b));
            let (one, other) = (q / a, c / q);
            add(one.min(other));
            add(one.max(other));
        } else if a != 0.0 {
            let extremum = -b / (2.0 * a);
            // The value there is -discriminant / 4a.
            if (discriminant / (4.0 * a)).abs() <= self.error(extremum) {
                add(extremum);
                add(extremum);
            }
        }
        roots
    }

    /// Whether the constant is larger than all that the others can take from it until then: no root, and the usual case.
    #[inline]
    pub(crate) fn keeps_its_sign(&self, until: f64) -> bool {
        let c = &self.terms;
        let rest = c[1].abs() + until * (c[2].abs() + until * (c[3].abs() + until * c[4].abs()));
        c[0].abs() > 2.0 * until * rest
    }

    /// A time that no root is later than, of cubics and quartics (Fujiwara's bound, and as much again for roundings).
    pub(crate) fn reach(&self) -> f64 {
        let c = &self.terms;
        let degree = if c[4] == 0.0 { 3 } else { 4 };
        let part = |k: usize| (c[degree - k] / c[degree]).abs();
        let fourth = if degree == 4 { part(4).sqrt().sqrt() } else { 0.0 };
        4.0 * part(1).max(part(2).sqrt()).max(part(3).cbrt()).max(fourth)
    }

    /// Extrema in `0..end`, where the polynomial crosses from falling to rising or back.
    pub(crate) fn extrema(&self, end: f64) -> Points {
        let first = derivative(&self.terms);
        let second = derivative(&first);
        let third = derivative(&second);
        let inflections = monotone_roots(&second, monotone_roots(&third, Points::default(), end), end);
        monotone_roots(&first, inflections, end)
    }

    /// The same as time goes back.
    pub(crate) fn backwards(&self) -> Self {
        let [c0, c1, c2, c3, c4] = self.terms;
        Self { terms: [c0, -c1, c2, -c3, c4], sizes: self.sizes }
    }

    fn quartic_roots(&self, after: f64, until: f64) -> Roots {
        let mut roots = Roots::default();
        if self.keeps_its_sign(until) {
            return roots;
        }
        let c = &self.terms;
        // Nothing is behind the last root, and powers of large numbers overflow.
        let until = until.min(self.reach());
        if until <= after || !evaluate(c, until).is_finite() {
            return roots;
        }
        let first = derivative(c);
        // The same interval for every step of a flight that needs about as long: the same extrema to the last bit.
        let extrema = self.extrema(power_of_two_above(until));
        let mut from = (after, evaluate(c, after));
        let mut crossed_before = false;
        let mut inner = false;
        for k in 0..=extrema.count {
            let last = k == extrema.count || extrema.at[k] >= until;
            let to = if last { until } else { extrema.at[k] };
            if to <= after {
                continue;
            }
            let value = evaluate(c, to);
            let crosses = (from.1 < 0.0) != (value < 0.0);
            if inner && !crosses && !crossed_before && from.1.abs() <= self.error(from.0) {
                roots.add(from.0);
                roots.add(from.0);
            }
            if crosses {
                roots.add(bracketed(c, &first, from.0, to, from.1));
            }
            (from, crossed_before, inner) = ((to, value), crosses, true);
            if last {
                break;
            }
        }
        roots
    }
}

/// Points that cut an interval: at most three of them, in order.
#[derive(Clone, Copy, Default)]
pub(crate) struct Points {
    count: usize,
    at: [f64; 3],
}

impl Points {
    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.at[..self.count]
    }
}

fn derivative(terms: &[f64; 5]) -> [f64; 5] {
    [terms[1], 2.0 * terms[2], 3.0 * terms[3], 4.0 * terms[4], 0.0]
}

/// Roots in `0..end` of a polynomial that is monotone between the cuts. Only changes of sign: extrema that do not cross
/// zero do not end a monotone piece of the integral.
fn monotone_roots(terms: &[f64; 5], cuts: Points, end: f64) -> Points {
    let slope = derivative(terms);
    let mut roots = Points::default();
    let mut from = (0.0, terms[0]);
    for k in 0..=cuts.count {
        let to = if k < cuts.count { cuts.at[k] } else { end };
        let value = evaluate(terms, to);
        if (from.1 < 0.0) != (value < 0.0) && roots.count < 3 {
            roots.at[roots.count] = bracketed(terms, &slope, from.0, to, from.1);
            roots.count += 1;
        }
        from = (to, value);
    }
    roots
}

/// Steps after which a bracket is as narrow as doubles are: half of them may be bisections of 2^2048.
const MAX_STEPS: usize = 200;

/// The root between two points of different sign. Newton's steps where they stay inside and shrink, halves otherwise.
fn bracketed(terms: &[f64; 5], slope: &[f64; 5], mut low: f64, mut high: f64, at_low: f64) -> f64 {
    let negative = at_low < 0.0;
    let mut t = 0.5 * (low + high);
    let mut last = high - low;
    for _ in 0..MAX_STEPS {
        let value = evaluate(terms, t);
        if value == 0.0 {
            return t;
        }
        if (value < 0.0) == negative {
            low = t;
        } else {
            high = t;
        }
        let step = value / evaluate(slope, t);
        let newton = t - step;
        let next = if newton > low && newton < high && step.abs() < 0.5 * last {
            newton
        } else {
            0.5 * (low + high)
        };
        last = (next - t).abs();
        if next == t || next <= low || next >= high {
            break;
        }
        t = next;
    }
    t
}

#[inline]
fn evaluate(terms: &[f64; 5], t: f64) -> f64 {
    (((terms[4] * t + terms[3]) * t + terms[2]) * t + terms[1]) * t + terms[0]
}

/// The least power of two that is not below a positive number.
fn power_of_two_above(t: f64) -> f64 {
    let bits = t.to_bits();
    let floor = f64::from_bits(bits & 0x7ff0_0000_0000_0000);
    if floor == t || floor == 0.0 { t } else { floor * 2.0 }
}

/// `a b - c d`, with the digits that cancel restored where they matter (Kahan).
#[inline]
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (p, q) = (a * b, c * d);
    let difference = p - q;
    if difference.abs() * 4.0 >= p.abs() + q.abs() {
        return difference;
    }
    let (lost_p, lost_q) = (a.mul_add(b, -p), c.mul_add(d, -q));
    difference + (lost_p - lost_q)
}

#[cfg(test)]
mod tests;
