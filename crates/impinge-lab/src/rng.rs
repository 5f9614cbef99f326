//! Random numbers that are the same on every machine: a counter, mixed (`SplitMix64`).

use crate::vector::{Point, dot, scale};

/// A small seeded generator.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer in `0..end` (0 when `end` is 0).
    pub fn below(&mut self, end: usize) -> usize {
        // A 128-bit product maps the bits onto the range; its bias is at most end / 2^64.
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// A number in `low..high`, a multiple of `(high - low) / 2^53`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 * f64::EPSILON / 2.0)
    }

    /// A point in the cube `low..high`.
    pub fn in_cube(&mut self, low: f64, high: f64) -> Point {
        [self.between(low, high), self.between(low, high), self.between(low, high)]
    }

    /// A direction, uniform on the sphere.
    pub fn direction(&mut self) -> Point {
        loop {
            let p = self.in_cube(-1.0, 1.0);
            let square = dot(p, p);
            // Inside the ball for uniformity; away from its centre so that the division is accurate.
            if (0.01..=1.0).contains(&square) {
                return scale(p, 1.0 / square.sqrt());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_range_and_repeat() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        for _ in 0..1000 {
            let x = a.between(-2.0, 3.0);
            assert!((-2.0..3.0).contains(&x));
            assert_eq!(x, b.between(-2.0, 3.0));
            assert!(a.below(10) < 10);
            b.below(10);
        }
        assert_eq!(a.below(0), 0);
    }
}
