//! One bit per ray: the paper's sampler-ray texture (4.1).

/// Rays that are "on", one bit each, rows padded to whole words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rays {
    /// Rays across.
    pub width: u32,
    /// Rays down.
    pub height: u32,
    /// Row by row; bit `x % 32` of word `x / 32`.
    pub words: Vec<u32>,
}

impl Rays {
    /// All off.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, words: vec![0; (width.div_ceil(32) * height) as usize] }
    }

    /// Words in a row.
    pub fn words_across(&self) -> u32 {
        self.width.div_ceil(32)
    }

    /// Whether a ray is on.
    #[inline]
    pub fn is_on(&self, x: u32, y: u32) -> bool {
        self.words[(y * self.words_across() + x / 32) as usize] >> (x % 32) & 1 == 1
    }

    /// Turns a ray on.
    #[inline]
    pub fn set(&mut self, x: u32, y: u32) {
        let at = (y * self.words_across() + x / 32) as usize;
        self.words[at] |= 1 << (x % 32);
    }

    /// The number of rays that are on.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Every ray within `margin` pixels, across and down, of one that is on.
    #[must_use]
    pub fn widened(&self, margin: u32) -> Self {
        let across = self.words_across() as i64;
        let mut wide = Self::new(self.width, self.height);
        // Bits beyond the image, in the last word of a row, stay off.
        let last = match self.width % 32 {
            0 => u32::MAX,
            bits => (1 << bits) - 1,
        };
        let word = |x: i64, y: i64| {
            let inside = (0..across).contains(&x) && (0..self.height as i64).contains(&y);
            if inside { self.words[(y * across + x) as usize] } else { 0 }
        };
        for y in 0..self.height as i64 {
            for x in 0..across {
                let mut bits = 0;
                for row in y - margin as i64..=y + margin as i64 {
                    let (left, middle, right) = (word(x - 1, row), word(x, row), word(x + 1, row));
                    bits |= middle;
                    for k in 1..=margin {
                        bits |= middle << k | middle >> k | left >> (32 - k) | right << (32 - k);
                    }
                }
                let mask = if x + 1 == across { last } else { u32::MAX };
                wide.words[(y * across + x) as usize] = bits & mask;
            }
        }
        wide
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_is_what_neighbours_say() {
        let mut rays = Rays::new(70, 9);
        for (x, y) in [(0, 0), (31, 3), (32, 7), (69, 8), (50, 4)] {
            rays.set(x, y);
        }
        for margin in 0..=4 {
            let wide = rays.widened(margin);
            for y in 0..9u32 {
                for x in 0..70u32 {
                    let near = |i: u32, j: u32| x.abs_diff(i) <= margin && y.abs_diff(j) <= margin;
                    let expected = (0..9).any(|j| (0..70).any(|i| rays.is_on(i, j) && near(i, j)));
                    assert_eq!(wide.is_on(x, y), expected, "{x} {y} margin {margin}");
                }
            }
            let beyond = wide.words.iter().skip(2).step_by(3).all(|word| word >> 6 == 0);
            assert!(beyond, "nothing is on beyond the image");
        }
    }
}
