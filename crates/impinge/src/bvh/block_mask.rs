//! Pairs of patches whose boxes meet, and which of their blocks of 8 triangles do.

/// Two patches of two bodies (or of one) whose boxes meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchPair {
    /// Index into the body pairs.
    pub(crate) pair_index: u32,
    pub(crate) patches: [u32; 2],
    pub(crate) blocks: BlockMask,
}

/// Which of eight boxes and eight others may meet: bit `j` of byte `i` for box `i` of `a` and box `j` of `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockMask(pub(super) u64);

impl BlockMask {
    pub(crate) const NONE: Self = Self(0);
    /// Nothing was compared: any of them may.
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// How many pairs: the more, the likelier do triangles in them meet.
    #[inline(always)]
    pub(crate) fn pairs(self) -> u32 {
        self.0.count_ones()
    }

    /// The pairs, in order.
    #[inline(always)]
    pub(super) fn each(self) -> BlockPairs {
        BlockPairs(self.0)
    }

    /// The box of `a` that meets most of `b`, and then the rest; all at once where nothing is known.
    #[inline(always)]
    pub(crate) fn fullest_first(self) -> [Self; 2] {
        if self == Self::ALL {
            return [self, Self::NONE];
        }
        let (mut fullest, mut most) = (0, 0);
        for (i, byte) in self.0.to_le_bytes().into_iter().enumerate() {
            if byte.count_ones() > most {
                (fullest, most) = (i, byte.count_ones());
            }
        }
        let one = 0xff << (8 * fullest);
        [Self(self.0 & one), Self(self.0 & !one)]
    }

    /// The boxes of `a` and those of `b` that are in any pair, a bit each.
    #[inline(always)]
    pub(crate) fn sides(self) -> [u8; 2] {
        let (mut of_a, mut of_b) = (0, 0);
        for (i, byte) in self.0.to_le_bytes().into_iter().enumerate() {
            of_a |= u8::from(byte != 0) << i;
            of_b |= byte;
        }
        [of_a, of_b]
    }

    /// Only the first `a` and `b` boxes, each 1 to 8.
    #[inline(always)]
    pub(super) fn within(self, [a, b]: [u32; 2]) -> Self {
        let columns = 0x0101_0101_0101_0101 * u64::from(u8::MAX >> ((8 - b) & 7));
        Self(self.0 & columns & u64::MAX >> (8 * ((8 - a) & 7)))
    }
}

/// The pairs of a [`BlockMask`], in order.
pub(super) struct BlockPairs(u64);

impl Iterator for BlockPairs {
    type Item = [usize; 2];
    #[inline(always)]
    fn next(&mut self) -> Option<[usize; 2]> {
        let at = self.0.trailing_zeros() as usize;
        let pair = (self.0 != 0).then_some([at / 8, at % 8]);
        self.0 &= self.0.wrapping_sub(1);
        pair
    }
}

/// The 64 lanes of a patch that are in some of its eight blocks.
#[inline(always)]
pub(crate) fn lanes_of(blocks: u8) -> u64 {
    // Bit `i` of a byte `i` of its own, then the whole byte.
    let spread = (u64::from(blocks) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let bytes = (spread + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
    bytes * 0xff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_of_blocks_are_whole_bytes() {
        for blocks in 0..=u8::MAX {
            let expected =
                (0..64).filter(|lane| blocks >> (lane / 8) & 1 == 1).fold(0, |all, lane| all | 1u64 << lane);
            assert_eq!(lanes_of(blocks), expected);
        }
    }

    #[test]
    fn a_mask_is_cut_split_and_listed() {
        let mask = BlockMask(0x8000_0000_0000_0103);
        assert_eq!(mask.each().collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 0], [7, 7]]);
        assert_eq!(mask.within([7, 8]), BlockMask(0x0103));
        assert_eq!(mask.within([8, 1]), BlockMask(0x0101));
        assert_eq!(BlockMask::ALL.within([8, 8]), BlockMask::ALL);
        assert_eq!(mask.sides(), [0b1000_0011, 0b1000_0011]);
        assert_eq!(mask.fullest_first(), [BlockMask(3), BlockMask(0x8000_0000_0000_0100)]);
    }
}
