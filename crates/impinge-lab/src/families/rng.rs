//! What the families draw beyond bits and ranges: choices, orders, small integers.

use crate::rng::Rng;

impl Rng {
    /// An integer in `low..=high`.
    pub(super) fn within(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1).max(1) as usize) as i32
    }

    /// True once in `n` times.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the choices, which must not be empty.
    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A number in `0.0..1.0`.
    pub(super) fn unit(&mut self) -> f64 {
        self.between(0.0, 1.0)
    }

    /// A number in `-1.0..1.0`.
    pub(super) fn signed(&mut self) -> f64 {
        self.between(-1.0, 1.0)
    }

    /// The items in random order.
    pub(crate) fn shuffled<T: Copy, const N: usize>(&mut self, mut items: [T; N]) -> [T; N] {
        for i in (1..N).rev() {
            items.swap(i, self.below(i + 1));
        }
        items
    }
}
