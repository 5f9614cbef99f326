//! The items that pass between the filters, packed into one integer each, and their queues.

/// Two triangles: index in the batch, lane in each patch and, of two in one plane, the axis along which they are seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LanePair(pub(crate) u32);

impl LanePair {
    #[inline(always)]
    pub(crate) fn pair(self) -> usize {
        (self.0 & 0xffff) as usize
    }

    #[inline(always)]
    pub(crate) fn a(self) -> usize {
        (self.0 >> 16 & 63) as usize
    }

    #[inline(always)]
    pub(crate) fn b(self) -> usize {
        (self.0 >> 24 & 63) as usize
    }

    #[inline(always)]
    pub(crate) fn axis(self) -> usize {
        (self.0 >> 30) as usize
    }
}

/// One triangle of `a` against a block of 8 of `b`: index in the batch, lane, block, and a bit for each of the 8.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockPair(pub(crate) u32);

impl BlockPair {
    #[inline(always)]
    pub(crate) fn pair(self) -> usize {
        (self.0 >> 17) as usize
    }

    #[inline(always)]
    pub(crate) fn a(self) -> usize {
        (self.0 >> 11 & 63) as usize
    }

    #[inline(always)]
    pub(crate) fn block(self) -> usize {
        (self.0 >> 8 & 7) as usize
    }

    #[inline(always)]
    pub(crate) fn lanes(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    pub(crate) fn only(self, lanes: u8) -> Self {
        Self(self.0 & !0xff | u32::from(lanes))
    }
}

/// A queue with space reserved beforehand, so that a push is a store and an addition.
#[derive(Debug, Default)]
pub(crate) struct ReservedQueue<T> {
    pub(crate) items: Vec<T>,
    pub(crate) len: usize,
}

impl<T: Copy + Default> ReservedQueue<T> {
    /// Empties the queue and reserves space.
    #[inline(always)]
    pub(crate) fn clear_for(&mut self, count: usize) {
        self.len = 0;
        self.reserve(count);
    }

    #[inline(always)]
    pub(crate) fn reserve(&mut self, more: usize) {
        if self.items.len() < self.len + more {
            self.items.resize((self.len + more).next_power_of_two(), T::default());
        }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items[..self.len]
    }
}
