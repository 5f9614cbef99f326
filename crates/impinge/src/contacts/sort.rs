//! Contacts as they are found, and their order: by body pair, then triangle of `a`, then triangle of `b`. All three are packed
//! into one integer where they fit, so a contact takes eight bytes until it is written into the report, and is sorted in place.

use crate::util::threads;
use rayon::prelude::*;

/// Below this many keys the standard sort alone is faster.
const MIN_RADIX_KEYS: usize = 2048;
/// Two to the power of this many keys are wanted in a part, and there are at most two to the power of that many parts.
const BUCKET_KEYS_LOG2: u32 = 4;
const MAX_BUCKETS_LOG2: u32 = 16;
/// So many keys are sorted by one thread.
const TASK_KEYS: usize = 8192;
/// Lists that are merged; more of them are put together before.
pub(crate) const MAX_LISTS: usize = 4;
/// Room is made for so many at first, and then for an eighth more each time.
const MIN_CAPACITY_KEYS: usize = 1024;

/// A contact: index of the body pair, triangle of `a`, triangle of `b`.
pub(crate) type ContactIndices = (u32, u32, u32);

/// How contacts become keys that sort like them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Packing {
    triangle_bits: u32,
    bits: u32,
}

impl Packing {
    /// For so many body pairs, of bodies of up to so many triangles; `None` where they do not fit.
    pub(crate) fn new(pairs: usize, triangles: usize) -> Option<Self> {
        let triangle_bits = bits(triangles);
        let bits = bits(pairs) + 2 * triangle_bits;
        (bits <= u64::BITS).then_some(Self { triangle_bits, bits })
    }

    #[inline]
    fn pack(self, (pair, a, b): ContactIndices) -> u64 {
        // A shift by all 64 bits leaves no room for pairs, and there is one pair.
        u64::from(pair).checked_shl(2 * self.triangle_bits).unwrap_or(0)
            | u64::from(a) << self.triangle_bits
            | u64::from(b)
    }

    #[inline]
    fn unpack(self, key: u64) -> ContactIndices {
        let mask = (1u64 << self.triangle_bits) - 1;
        let pair = key.checked_shr(2 * self.triangle_bits).unwrap_or(0);
        (pair as u32, (key >> self.triangle_bits & mask) as u32, (key & mask) as u32)
    }
}

/// How many bits a number below `count` takes.
fn bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// Keys that begin alike: where the next of them goes, and where they end.
#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    next: u32,
    end: u32,
}

/// Contacts in any order.
#[derive(Debug, Default)]
pub(crate) struct Unsorted {
    packing: Option<Packing>,
    keys: Vec<u64>,
    /// Only room.
    buckets: Vec<Bucket>,
    /// Instead of keys, where there is no packing.
    wide: Vec<ContactIndices>,
}

impl Unsorted {
    /// Empties the list.
    pub(crate) fn begin(&mut self, packing: Option<Packing>) {
        self.packing = packing;
        self.keys.clear();
        self.wide.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, contact: ContactIndices) {
        if let Some(packing) = self.packing {
            if self.keys.len() == self.keys.capacity() {
                self.keys.reserve_exact(MIN_CAPACITY_KEYS.max(self.keys.len() / 8));
            }
            self.keys.push(packing.pack(contact));
        } else {
            self.wide.push(contact);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len() + self.wide.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes over what another list with the same packing holds.
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.keys.reserve_exact(other.keys.len());
        self.keys.append(&mut other.keys);
        self.wide.append(&mut other.wide);
    }

    fn sort(&mut self) {
        if let Some(packing) = self.packing {
            sort_keys(&mut self.keys, packing.bits, &mut self.buckets);
        }
        self.wide.sort_unstable();
    }
}

/// Sorts lists with the same packing, side by side, and hands out what they hold in order.
pub(crate) fn sort_all(lists: &mut [Unsorted], mut visit: impl FnMut(ContactIndices)) {
    if threads::many() {
        lists.par_iter_mut().for_each(Unsorted::sort);
    } else {
        lists.iter_mut().for_each(Unsorted::sort);
    }
    let Some(first) = lists.first() else { return };
    let mut rest: [&[u64]; MAX_LISTS] = [&[]; MAX_LISTS];
    let mut wide: [&[ContactIndices]; MAX_LISTS] = [&[]; MAX_LISTS];
    for ((keys, contacts), list) in rest.iter_mut().zip(&mut wide).zip(&*lists) {
        (*keys, *contacts) = (&list.keys, &list.wide);
    }
    if let Some(packing) = first.packing {
        merge(&mut rest[..lists.len().min(MAX_LISTS)], |key| visit(packing.unpack(key)));
    } else {
        merge(&mut wide[..lists.len().min(MAX_LISTS)], visit);
    }
}

/// Always the least of the first of some sorted lists.
fn merge<T: Copy + Ord>(lists: &mut [&[T]], mut visit: impl FnMut(T)) {
    while lists.iter().filter(|list| !list.is_empty()).count() > 1 {
        let mut smallest: Option<(T, usize)> = None;
        for (at, list) in lists.iter().enumerate() {
            if let Some(&item) = list.first()
                && smallest.is_none_or(|(other, _)| item < other)
            {
                smallest = Some((item, at));
            }
        }
        let Some((item, at)) = smallest else { return };
        lists[at] = &lists[at][1..];
        visit(item);
    }
    lists.iter().flat_map(|list| list.iter()).for_each(|&item| visit(item));
}

/// Sorts keys of so many bits: dealt out in place by their highest bits, into so many parts that each holds a few, and those by
/// the standard sort, which inserts them one by one.
fn sort_keys(keys: &mut [u64], bits: u32, buckets: &mut Vec<Bucket>) {
    if keys.len() < MIN_RADIX_KEYS {
        keys.sort_unstable();
        return;
    }
    let digit_bits = (keys.len().ilog2() - BUCKET_KEYS_LOG2).min(MAX_BUCKETS_LOG2).min(bits);
    let shift = bits - digit_bits;
    buckets.clear();
    buckets.resize(1 << digit_bits, Bucket::default());
    for &key in keys.iter() {
        buckets[(key >> shift) as usize].end += 1;
    }
    let mut next = 0;
    for bucket in &mut *buckets {
        let count = bucket.end;
        *bucket = Bucket { next, end: next + count };
        next += count;
    }
    // Whatever stands in a part that is not its own changes places with what stands next in its own.
    for at in 0..buckets.len() {
        while buckets[at].next < buckets[at].end {
            let mut key = keys[buckets[at].next as usize];
            while (key >> shift) as usize != at {
                let to = &mut buckets[(key >> shift) as usize].next;
                std::mem::swap(&mut keys[*to as usize], &mut key);
                *to += 1;
            }
            keys[buckets[at].next as usize] = key;
            buckets[at].next += 1;
        }
    }
    sort_buckets(keys, buckets, 0);
}

/// Sorts each part; `first` is where the first of them begins.
fn sort_buckets(keys: &mut [u64], buckets: &[Bucket], first: u32) {
    if keys.len() > TASK_KEYS && buckets.len() > 1 && threads::many() {
        let (left, right) = buckets.split_at(buckets.len() / 2);
        let middle = left.last().map_or(first, |bucket| bucket.end);
        let (left_keys, right_keys) = keys.split_at_mut((middle - first) as usize);
        threads::join(|| sort_buckets(left_keys, left, first), || sort_buckets(right_keys, right, middle));
        return;
    }
    let mut start = first;
    for bucket in buckets {
        keys[(start - first) as usize..(bucket.end - first) as usize].sort_unstable();
        start = bucket.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_many_and_huge_keys_come_out_in_order() {
        let mut state = 3u64;
        for (count, pairs, triangles) in [
            (10, 3, 100),
            (5000, 1, 90_000),
            (5000, 300, 1 << 20),
            (5000, 1 << 20, u32::MAX as usize),
            (5000, 1, u32::MAX as usize + 1),
            (5000, 1, 1),
        ] {
            let mut unsorted = Unsorted::default();
            let mut other = Unsorted::default();
            unsorted.begin(Packing::new(pairs, triangles));
            other.begin(Packing::new(pairs, triangles));
            let mut expected: Vec<ContactIndices> = Vec::new();
            for i in 0..count {
                let mut below = |limit: usize| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    ((state >> 20) % limit as u64) as u32
                };
                expected.push((below(pairs), below(triangles), below(triangles)));
                let list = if i % 3 == 0 { &mut other } else { &mut unsorted };
                list.push(expected[i]);
            }
            expected.sort_unstable();
            let mut lists = [unsorted, other];
            for merged in [true, false] {
                let mut out = Vec::new();
                sort_all(&mut lists, |contact| out.push(contact));
                assert_eq!(out, expected);
                let [unsorted, other] = &mut lists;
                if merged {
                    unsorted.append(other);
                }
                assert_eq!((unsorted.len(), other.len()), (count, 0));
            }
            lists[0].begin(None);
            assert!(lists[0].is_empty());
        }
    }
}
