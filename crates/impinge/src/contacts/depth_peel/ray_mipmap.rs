//! Boxes of ray bundles of growing width (5).
//!
//! A texel of level `l` bounds the collision rays among 2^l by 2^l. Boxes are whole pixels in 16 bits per
//! coordinate: exact for every possible image, where the paper's half floats were not. Level 0 is the rays
//! themselves.

use super::rays::Rays;

/// A box of pixels, both ends inclusive; `x | y << 16`. Empty if the smallest exceeds the largest.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RayBox {
    /// Smallest column and row.
    pub min: u32,
    /// Largest column and row.
    pub max: u32,
}

impl RayBox {
    /// Contains no ray; neutral in unions.
    pub const EMPTY: Self = Self { min: u32::MAX, max: 0 };

    /// The box of one ray.
    #[inline]
    pub fn of(x: u32, y: u32) -> Self {
        Self { min: x | y << 16, max: x | y << 16 }
    }

    /// The smallest box that holds both.
    #[must_use]
    #[inline]
    pub fn union(self, other: Self) -> Self {
        let (low, high) = (|v: u32| v & 0xffff, |v: u32| v >> 16);
        Self {
            min: low(self.min).min(low(other.min)) | high(self.min).min(high(other.min)) << 16,
            max: low(self.max).max(low(other.max)) | high(self.max).max(high(other.max)) << 16,
        }
    }

    /// Whether it contains no ray.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.min & 0xffff > self.max & 0xffff
    }
}

/// The place of a level in the list of all boxes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Its first box.
    pub first: u32,
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// Not used.
    pub padding: u32,
}

/// The levels above the rays of an image of any size, the last of a single texel. Sides are halved and
/// rounded up.
pub fn levels(width: u32, height: u32) -> Vec<Level> {
    let mut levels = Vec::new();
    let (mut first, mut width, mut height) = (0, width, height);
    while width > 1 || height > 1 {
        (width, height) = (width.div_ceil(2), height.div_ceil(2));
        levels.push(Level { first, width, height, padding: 0 });
        first += width * height;
    }
    levels
}

/// The rays and the boxes of every level.
#[derive(Clone, Debug)]
pub struct RayMipmap<'a> {
    /// Level 0.
    pub rays: &'a Rays,
    /// Level 1 and on.
    pub levels: Vec<Level>,
    /// Boxes of those levels, row by row.
    pub boxes: Vec<RayBox>,
}

impl<'a> RayMipmap<'a> {
    /// Every level from the one below it.
    pub fn new(rays: &'a Rays) -> Self {
        let levels = levels(rays.width, rays.height);
        let mut mipmap = Self { rays, boxes: Vec::new(), levels };
        for k in 0..mipmap.levels.len() {
            let Level { width, height, .. } = mipmap.levels[k];
            for y in 0..height {
                for x in 0..width {
                    let below = [(0, 0), (1, 0), (0, 1), (1, 1)];
                    let texel = |(i, j)| mipmap.get(k as u32, 2 * x + i, 2 * y + j);
                    let union = below.into_iter().map(texel).fold(RayBox::EMPTY, RayBox::union);
                    mipmap.boxes.push(union);
                }
            }
        }
        mipmap
    }

    /// The box of one texel; empty beyond the image.
    #[inline]
    pub fn get(&self, level: u32, x: u32, y: u32) -> RayBox {
        if level == 0 {
            let inside = x < self.rays.width && y < self.rays.height;
            return if inside && self.rays.is_on(x, y) { RayBox::of(x, y) } else { RayBox::EMPTY };
        }
        match self.levels.get(level as usize - 1) {
            Some(l) if x < l.width && y < l.height => self.boxes[(l.first + y * l.width + x) as usize],
            _ => RayBox::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_texel_bounds_the_rays_below_it_at_any_resolution() {
        for (width, height) in [(1, 1), (8, 8), (13, 5), (33, 70), (64, 1)] {
            let mut rays = Rays::new(width, height);
            let mut state = 1u32;
            for y in 0..height {
                for x in 0..width {
                    state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                    if state >> 29 == 0 {
                        rays.set(x, y);
                    }
                }
            }
            let mipmap = RayMipmap::new(&rays);
            for level in 0..=mipmap.levels.len() as u32 {
                for y in 0..height.div_ceil(1 << level) {
                    for x in 0..width.div_ceil(1 << level) {
                        let on = |i: u32, j: u32| i < width && j < height && rays.is_on(i, j);
                        let square = |k: u32| k << level..(k + 1) << level;
                        let all = square(y).flat_map(|j| square(x).map(move |i| (i, j)));
                        let expected =
                            all.filter(|&(i, j)| on(i, j)).fold(None, |b: Option<[u32; 4]>, (i, j)| {
                                let [a, b, c, d] = b.unwrap_or([i, j, i, j]);
                                Some([a.min(i), b.min(j), c.max(i), d.max(j)])
                            });
                        let found = mipmap.get(level, x, y);
                        let ends = [found.min & 0xffff, found.min >> 16, found.max & 0xffff, found.max >> 16];
                        let found = (!found.is_empty()).then_some(ends);
                        assert_eq!(found, expected, "level {level} at {x} {y}");
                    }
                }
            }
        }
    }
}
