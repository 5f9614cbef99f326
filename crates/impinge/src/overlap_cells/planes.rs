//! The bits: for every pixel a number whose bits are slices, for each of two bodies; and what the two share (3, step 4). The
//! twin of `planes.wgsl`.

/// A set of slices: bit `k` is slice `k`.
pub type Bits = u128;

/// The slices from one to another, both included, of so many. `-1` and their number stand for everything beyond.
pub fn between([low, high]: [i32; 2], slices: u32) -> Bits {
    if high < 0 || low >= slices as i32 {
        return 0;
    }
    let below = |slice: i32| if slice >= 128 { Bits::MAX } else { (1 << slice) - 1 };
    below(high.min(slices as i32 - 1) + 1) & !below(low.max(0))
}

/// What one body has drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plane {
    /// Cells that its surface touches, or may touch.
    pub touched: Vec<Bits>,
    /// Of cells that it does not touch, those that are inside it, if it is closed; empty unless an answer is to be proven.
    pub inside: Vec<Bits>,
    /// Cells that its surface touches for certain; empty unless an answer is to be proven.
    pub sure: Vec<Bits>,
    /// Cells of which nobody knows whether they are inside; empty unless an answer is to be proven.
    pub unknown: Vec<Bits>,
}

/// What two bodies have drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Planes {
    /// Pixels across, pixels down, slices.
    pub cells: [u32; 3],
    /// Pixel after pixel, row after row.
    pub planes: [Plane; 2],
}

/// What is known about where a body's surface is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Some of it is inside the other body, for certain.
    pub inside: bool,
    /// Some of it is outside the other body, for certain.
    pub outside: bool,
}

/// What two bodies share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Cells that both touch.
    pub cells: u64,
    /// The first such cell along each axis.
    pub low: [u32; 3],
    /// The last.
    pub high: [u32; 3],
    /// Where each of them is, if that was to be proven.
    pub seen: [Seen; 2],
}

impl Planes {
    /// Empty ones, keeping the memory.
    pub(crate) fn clear(&mut self, cells: [u32; 3], proven: bool) {
        self.cells = cells;
        let pixels = cells[0] as usize * cells[1] as usize;
        for plane in &mut self.planes {
            let Plane { touched, inside, sure, unknown } = plane;
            for (bits, wanted) in [(touched, true), (inside, proven), (sure, proven), (unknown, proven)] {
                bits.clear();
                bits.resize(if wanted { pixels } else { 0 }, 0);
            }
        }
    }

    /// Whether, where, and how many.
    pub fn shared(&self) -> Shared {
        let mut shared = Shared { low: [u32::MAX; 3], ..Shared::default() };
        let [a, b] = &self.planes;
        let width = self.cells[0] as usize;
        for (pixel, (p, q)) in a.touched.iter().zip(&b.touched).enumerate() {
            let both = p & q;
            if both != 0 {
                shared.cells += u64::from(both.count_ones());
                let first = [(pixel % width) as u32, (pixel / width) as u32, both.trailing_zeros()];
                let last = [first[0], first[1], both.ilog2()];
                shared.low = std::array::from_fn(|k| shared.low[k].min(first[k]));
                shared.high = std::array::from_fn(|k| shared.high[k].max(last[k]));
            }
        }
        for (seen, (own, other)) in shared.seen.iter_mut().zip([(a, b), (b, a)]) {
            for (pixel, sure) in own.sure.iter().enumerate() {
                let known = sure & !other.touched[pixel] & !other.unknown[pixel];
                seen.inside |= known & other.inside[pixel] != 0;
                seen.outside |= known & !other.inside[pixel] != 0;
            }
        }
        if shared.cells == 0 { Shared { seen: shared.seen, ..Shared::default() } } else { shared }
    }

    /// The first shared cells, row after row, pixel after pixel.
    pub fn shared_cells(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let [a, b] = &self.planes;
        let width = self.cells[0] as usize;
        let pixels = a.touched.iter().zip(&b.touched).enumerate();
        pixels.flat_map(move |(pixel, (p, q))| {
            let slices = (0..128).filter(move |slice| (p & q) >> slice & 1 == 1);
            slices.map(move |slice| [(pixel % width) as u32, (pixel / width) as u32, slice])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_between_two() {
        assert_eq!(between([0, 0], 16), 1);
        assert_eq!(between([-1, 2], 16), 0b111);
        assert_eq!(between([3, 16], 5), 0b11000);
        assert_eq!(between([-1, 128], 128), Bits::MAX);
        assert_eq!(between([127, 127], 128), 1 << 127);
        assert_eq!(between([-1, -1], 16) | between([16, 16], 16), 0);
    }

    #[test]
    fn shared_cells_are_counted_and_boxed() {
        let mut planes = Planes::default();
        planes.clear([4, 3, 100], true);
        planes.planes[0].touched[5] = between([10, 80], 100);
        planes.planes[1].touched[5] = between([70, 90], 100);
        planes.planes[0].touched[11] = 1;
        planes.planes[1].touched[11] = 1;
        planes.planes[1].sure[0] = 1;
        planes.planes[0].inside[0] = 1;
        let seen = [Seen::default(), Seen { inside: true, outside: false }];
        assert_eq!(planes.shared(), Shared { cells: 12, low: [1, 1, 0], high: [3, 2, 80], seen });
        assert_eq!(planes.shared_cells().count(), 12);
        assert_eq!(planes.shared_cells().last(), Some([3, 2, 0]));
    }
}
