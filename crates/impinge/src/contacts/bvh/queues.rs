//! What passes between the stages of the filters, packed into one integer each, and the queues it passes in.

/// Two triangles, by their patches' place in the batch and by lanes.
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
}

/// One triangle of `a` against some of a block of 8 of `b`: place in the batch, lane, block, and a bit for each of the 8.
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

/// A queue whose room is made beforehand, so that pushing is a store and an addition.
#[derive(Debug, Default)]
pub(crate) struct Room<T> {
    pub(crate) items: Vec<T>,
    pub(crate) len: usize,
}

impl<T: Copy + Default> Room<T> {
    /// Empties the queue and makes room for so many.
    #[inline(always)]
    pub(crate) fn clear_for(&mut self, count: usize) {
        self.len = 0;
        self.make_room(count);
    }

    #[inline(always)]
    pub(crate) fn make_room(&mut self, more: usize) {
        if self.items.len() < self.len + more {
            self.items.resize((self.len + more).next_power_of_two(), T::default());
        }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items[..self.len]
    }
}
