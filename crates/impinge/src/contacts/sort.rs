//! Contacts as they are found, and their order: by body pair, then triangle of `a`, then triangle of `b`. All three are packed
//! into one integer where they fit, so a contact takes eight bytes until it is written into the report.
//!
//! Keys are dealt into buckets of a few keys each, and those are ordered by rank. How many keys there are, and between which
//! bounds, is counted in coarse cells first: contacts crowd in a few places, and a bucket holds few only where its cell is cut
//! between its own smallest and largest key. Every thread deals its own list; buckets are then ordered, and contacts written,
//! by any thread.

use crate::simd::{BIT_PLACES, Kernel, Lanes, Machine};
use crate::util::threads;
use rayon::prelude::*;

/// Below this many keys the standard sort alone is faster.
const MIN_DEALT_KEYS: usize = 2048;
/// Two to the power of this many keys are wanted in a bucket, and in a cell.
const BUCKET_KEYS_LOG2: u32 = 3;
const CELL_KEYS_LOG2: u32 = 6;
const MAX_CELLS_LOG2: u32 = 12;
/// Keys that are ordered by one thread.
const TASK_KEYS: usize = 8192;
/// Larger buckets are ordered by the standard sort; up to so many without taking memory.
const MAX_RANKED_KEYS: usize = 32;
const MAX_STACKED_KEYS: usize = 512;
/// Keys that room is made for at first, and then for an eighth more each time.
const MIN_CAPACITY_KEYS: usize = 1024;
/// Keys written at once by [`Unsorted::push_block`].
const BLOCK_KEYS: usize = 8;

/// A contact: index of the body pair, triangle of `a`, triangle of `b`.
pub(crate) type ContactIndices = (u32, u32, u32);

/// How contacts become keys that sort like them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Packing {
    triangle_bits: u32,
}

impl Packing {
    /// For so many body pairs, of bodies of up to so many triangles; `None` where they do not fit.
    pub(crate) fn new(pairs: usize, triangles: usize) -> Option<Self> {
        let triangle_bits = bits(triangles);
        let bits = bits(pairs) + 2 * triangle_bits;
        (bits <= u64::BITS).then_some(Self { triangle_bits })
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

/// Keys between two coarse bounds, and into which buckets they are dealt.
#[derive(Clone, Copy, Debug)]
struct Cell {
    min: u64,
    max: u64,
    count: u32,
    /// The first of its buckets, and how many low bits of a key's distance from `min` a bucket spans.
    first: u32,
    shift: u32,
}

impl Cell {
    const EMPTY: Self = Self { min: u64::MAX, max: 0, count: 0, first: 0, shift: 0 };

    fn add(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.count += other.count;
    }
}

/// The cells of all keys: equal parts of what lies between the smallest and the largest.
#[derive(Debug, Default)]
struct Cells {
    min: u64,
    shift: u32,
    list: Vec<Cell>,
    buckets: usize,
}

/// Contacts in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unsorted {
    packing: Option<Packing>,
    /// The first `count` are keys, the rest is room.
    keys: Vec<u64>,
    count: usize,
    /// Instead of keys, where there is no packing.
    wide: Vec<ContactIndices>,
    /// Made when it is needed: a list passes through many hands, and those of yes/no queries hold one contact.
    dealt: Option<Box<Dealt>>,
}

/// A list's keys by bucket.
#[derive(Clone, Debug, Default)]
struct Dealt {
    /// Keys of each cell of this list alone.
    cells: Vec<Cell>,
    keys: Vec<u64>,
    /// Where each bucket ends.
    ends: Vec<u32>,
}

impl Unsorted {
    /// Empties the list.
    pub(crate) fn begin(&mut self, packing: Option<Packing>) {
        self.packing = packing;
        self.count = 0;
        self.wide.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, contact: ContactIndices) {
        if let Some(packing) = self.packing {
            self.make_room(1);
            self.keys[self.count] = packing.pack(contact);
            self.count += 1;
        } else {
            self.wide.push(contact);
        }
    }

    /// Appends contacts of triangle `a` with those of `others` whose bit is set.
    #[inline]
    pub(crate) fn push_block(&mut self, pair: u32, a: u32, others: &[u32; BLOCK_KEYS], bits: u8) {
        if let Some(packing) = self.packing {
            self.make_room(BLOCK_KEYS);
            let base = packing.pack((pair, a, 0));
            // All eight are written, those that count first; the next block overwrites the rest.
            if let Some(room) = self.keys[self.count..].first_chunk_mut::<BLOCK_KEYS>() {
                for (key, &place) in room.iter_mut().zip(&BIT_PLACES[bits as usize]) {
                    *key = base | u64::from(others[place as usize & 7]);
                }
            }
            self.count += bits.count_ones() as usize;
        } else {
            let set = (0..BLOCK_KEYS).filter(|place| bits >> place & 1 == 1);
            self.wide.extend(set.map(|place| (pair, a, others[place])));
        }
    }

    #[inline]
    fn make_room(&mut self, more: usize) {
        if self.keys.len() < self.count + more {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let room = self.count + BLOCK_KEYS + MIN_CAPACITY_KEYS.max(self.count / 8);
        self.keys.reserve_exact(room - self.keys.len());
        self.keys.resize(room, 0);
    }

    pub(crate) fn len(&self) -> usize {
        self.count + self.wide.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn keys(&self) -> &[u64] {
        &self.keys[..self.count]
    }

    /// Takes over what another list with the same packing holds.
    pub(crate) fn append(&mut self, other: &Self) {
        self.keys.truncate(self.count);
        self.keys.extend_from_slice(other.keys());
        self.count = self.keys.len();
        self.wide.extend_from_slice(&other.wide);
    }

    /// Counts the keys of every cell.
    fn count_cells(&mut self, all: &Cells) {
        let cells = &mut self.dealt.get_or_insert_default().cells;
        cells.clear();
        // Chance decides what a thread finds: room is made so that little more does not take memory again.
        cells.reserve_exact(2 << MAX_CELLS_LOG2);
        cells.resize(all.list.len(), Cell::EMPTY);
        for &key in &self.keys[..self.count] {
            let cell = &mut cells[all.of(key)];
            cell.min = cell.min.min(key);
            cell.max = cell.max.max(key);
            cell.count += 1;
        }
    }

    /// Deals keys into buckets.
    fn deal(&mut self, all: &Cells) {
        let Dealt { keys: dealt, ends, .. } = &mut **self.dealt.get_or_insert_default();
        ends.clear();
        if ends.capacity() < all.buckets {
            ends.reserve_exact(all.buckets + all.buckets / 2);
        }
        ends.resize(all.buckets, 0);
        if dealt.len() < self.count {
            // As much room as the keys have.
            dealt.resize(self.keys.len(), 0);
        }
        let keys = &self.keys[..self.count];
        for &key in keys {
            ends[all.bucket(key)] += 1;
        }
        let mut next = 0;
        for end in &mut *ends {
            let count = std::mem::replace(end, next);
            next += count;
        }
        for &key in keys {
            // Where the next key of the bucket goes; in the end, where the bucket ends.
            let at = &mut ends[all.bucket(key)];
            dealt[*at as usize] = key;
            *at += 1;
        }
    }
}

impl Dealt {
    /// Where a bucket begins.
    #[inline]
    fn start(&self, bucket: usize) -> usize {
        if bucket == 0 { 0 } else { self.ends[bucket - 1] as usize }
    }

    /// The keys of a bucket.
    #[inline]
    fn bucket(&self, bucket: usize) -> &[u64] {
        &self.keys[self.start(bucket)..self.ends[bucket] as usize]
    }
}

impl Cells {
    #[inline]
    fn of(&self, key: u64) -> usize {
        ((key - self.min) >> self.shift) as usize
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        let cell = &self.list[self.of(key)];
        cell.first as usize + ((key - cell.min) >> cell.shift) as usize
    }

    /// Cells for `count` keys between two.
    fn span(&mut self, min: u64, max: u64, count: usize) {
        let wanted = count.ilog2().saturating_sub(CELL_KEYS_LOG2).clamp(1, MAX_CELLS_LOG2);
        self.min = min;
        self.shift = (u64::BITS - (max - min).leading_zeros()).saturating_sub(wanted);
        self.list.clear();
        self.list.resize(((max - min) >> self.shift) as usize + 1, Cell::EMPTY);
    }

    /// Cuts every cell into buckets.
    fn cut(&mut self) {
        let mut first = 0;
        for cell in self.list.iter_mut().filter(|cell| cell.count > 0) {
            let wanted = (cell.count.ilog2() + 1).saturating_sub(BUCKET_KEYS_LOG2);
            let range = cell.max - cell.min;
            cell.shift = (u64::BITS - range.leading_zeros()).saturating_sub(wanted);
            cell.first = first;
            first += (range >> cell.shift) as u32 + 1;
        }
        self.buckets = first as usize;
    }
}

/// Puts lists in order. Kept for its memory.
#[derive(Debug)]
pub(crate) struct Sorter {
    cells: Cells,
    machine: Machine,
}

impl Default for Sorter {
    fn default() -> Self {
        Self { cells: Cells::default(), machine: Machine::detect() }
    }
}

impl Sorter {
    /// Writes what lists with the same packing hold over `sorted`, in order and each once; `writer` makes what turns a contact
    /// into an item of a list, for one thread.
    pub(crate) fn sort<T, W>(
        &mut self,
        lists: &mut [Unsorted],
        sorted: &mut Vec<T>,
        blank: T,
        writer: &(impl Fn() -> W + Sync),
    ) where
        T: Copy + Send,
        W: FnMut(ContactIndices) -> T,
    {
        let count: usize = lists.iter().map(Unsorted::len).sum();
        let Some(packing) = lists.first().and_then(|list| list.packing) else {
            sort_wide(lists, sorted, &mut writer());
            return;
        };
        if count < MIN_DEALT_KEYS {
            sort_few(lists, sorted, packing, &mut writer());
            return;
        }
        // What is there is overwritten.
        sorted.reserve_exact(count.saturating_sub(sorted.len()));
        sorted.resize(count, blank);
        let both = |a: [u64; 2], b: [u64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        let range =
            |list: &Unsorted| list.keys().iter().fold([u64::MAX, 0], |range, &key| both(range, [key, key]));
        let [min, max] = lists.iter().map(range).fold([u64::MAX, 0], both);
        self.cells.span(min, max, count);
        let cells = &mut self.cells;
        for_each(lists, |list| list.count_cells(cells));
        for dealt in dealt(lists) {
            cells.list.iter_mut().zip(&dealt.cells).for_each(|(all, cell)| all.add(cell));
        }
        cells.cut();
        for_each(lists, |list| list.deal(cells));
        let order = Order { lists, packing, machine: self.machine, writer };
        let written = order.write(0..self.cells.buckets, sorted);
        sorted.truncate(written);
    }
}

/// What was dealt of each list.
fn dealt(lists: &[Unsorted]) -> impl Iterator<Item = &Dealt> {
    lists.iter().filter_map(|list| list.dealt.as_deref())
}

/// For each list, side by side where there are threads.
fn for_each(lists: &mut [Unsorted], work: impl Fn(&mut Unsorted) + Send + Sync) {
    if threads::many() {
        lists.par_iter_mut().for_each(work);
    } else {
        lists.iter_mut().for_each(work);
    }
}

/// Too many bits for keys.
fn sort_wide<T>(lists: &mut [Unsorted], sorted: &mut Vec<T>, write: &mut impl FnMut(ContactIndices) -> T) {
    sorted.clear();
    if let Some((first, rest)) = lists.split_first_mut() {
        for list in rest {
            first.wide.extend_from_slice(&list.wide);
        }
        first.wide.sort_unstable();
        first.wide.dedup();
        sorted.extend(first.wide.iter().map(|&contact| write(contact)));
    }
}

fn sort_few<T>(
    lists: &mut [Unsorted],
    sorted: &mut Vec<T>,
    packing: Packing,
    write: &mut impl FnMut(ContactIndices) -> T,
) {
    sorted.clear();
    if let Some((first, rest)) = lists.split_first_mut() {
        for list in rest {
            first.append(list);
        }
        first.keys.truncate(first.count);
        first.keys.sort_unstable();
        first.keys.dedup();
        first.count = first.keys.len();
        sorted.reserve_exact(first.count);
        sorted.extend(first.keys.iter().map(|&key| write(packing.unpack(key))));
    }
}

/// Lists whose keys are dealt, on their way into one.
struct Order<'a, F> {
    lists: &'a [Unsorted],
    packing: Packing,
    machine: Machine,
    writer: &'a F,
}

impl<T: Copy + Send, W: FnMut(ContactIndices) -> T, F: Fn() -> W + Sync> Order<'_, F> {
    /// Keys before a bucket.
    fn before(&self, bucket: usize) -> usize {
        dealt(self.lists).map(|dealt| dealt.start(bucket)).sum()
    }

    /// Writes buckets to the front of `out`, which has room for all of their keys; how many are left of those, each once.
    fn write(&self, buckets: std::ops::Range<usize>, out: &mut [T]) -> usize {
        if out.len() > TASK_KEYS && buckets.len() > 1 && threads::many() {
            let middle = buckets.start + buckets.len() / 2;
            let room = self.before(middle) - self.before(buckets.start);
            let (left, right) = out.split_at_mut(room);
            let (left, right) = threads::join(
                || self.write(buckets.start..middle, left),
                || self.write(middle..buckets.end, right),
            );
            if left < room {
                out.copy_within(room..room + right, left);
            }
            return left + right;
        }
        self.machine.run(WriteBuckets { order: self, buckets, out })
    }
}

struct WriteBuckets<'a, T, F> {
    order: &'a Order<'a, F>,
    buckets: std::ops::Range<usize>,
    out: &'a mut [T],
}

impl<T: Copy + Send, W: FnMut(ContactIndices) -> T, F: Fn() -> W + Sync> Kernel for WriteBuckets<'_, T, F> {
    type Output = usize;
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> usize {
        let Self { order: &Order { lists, packing, writer, .. }, buckets, out } = self;
        let mut write = writer();
        let (mut stacked, mut heaped) = ([0; MAX_STACKED_KEYS], Vec::new());
        let mut written = 0;
        for bucket in buckets {
            let mut keys = [u64::MAX; MAX_RANKED_KEYS];
            let mut count = 0;
            for dealt in dealt(lists) {
                let dealt = dealt.bucket(bucket);
                if let Some(room) = keys.get_mut(count..count + dealt.len()) {
                    room.copy_from_slice(dealt);
                }
                count += dealt.len();
            }
            let mut ranked = [0; MAX_RANKED_KEYS];
            let good = match count {
                0..=8 => rank::<8>(&keys, count, &mut ranked),
                9..=16 => rank::<16>(&keys, count, &mut ranked),
                17..=MAX_RANKED_KEYS => rank::<MAX_RANKED_KEYS>(&keys, count, &mut ranked),
                _ => false,
            };
            let keys = if good {
                &ranked[..count]
            } else {
                // Many, or some of them several times.
                let room = if count <= MAX_STACKED_KEYS {
                    &mut stacked[..count]
                } else {
                    heaped.resize(count, 0);
                    &mut heaped[..count]
                };
                let all = dealt(lists).flat_map(|dealt| dealt.bucket(bucket));
                room.iter_mut().zip(all).for_each(|(room, key)| *room = *key);
                room.sort_unstable();
                let mut last = 0;
                for at in 1..count {
                    if room[at] != room[last] {
                        last += 1;
                        room[last] = room[at];
                    }
                }
                &room[..=last]
            };
            for (out, &key) in out[written..].iter_mut().zip(keys) {
                *out = write(packing.unpack(key));
            }
            written += keys.len();
        }
        written
    }
}

/// Puts `count` of the first `N` keys, after which only largest ones may stand, in order; `false` where two are equal.
#[inline(always)]
fn rank<const N: usize>(
    keys: &[u64; MAX_RANKED_KEYS],
    count: usize,
    ranked: &mut [u64; MAX_RANKED_KEYS],
) -> bool {
    let mut sum = 0;
    for i in 0..count {
        let mut rank = 0u64;
        for j in 0..N {
            rank += u64::from(keys[j] < keys[i]);
        }
        ranked[rank as usize & (MAX_RANKED_KEYS - 1)] = keys[i];
        sum += rank as usize;
    }
    // Equal keys share the lower rank.
    2 * sum == count * count.wrapping_sub(1)
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
            (5000, 2, 3),
            (50_000, 2, 2000),
            (50_000, 40, 300),
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
            expected.dedup();
            for machine in Machine::all() {
                let mut sorter = Sorter { machine, ..Sorter::default() };
                let mut out = vec![(9, 9, 9); 7];
                sorter.sort(&mut lists.clone(), &mut out, (0, 0, 0), &|| |contact| contact);
                assert_eq!(out, expected);
            }
            lists[0].begin(None);
            assert!(lists[0].is_empty());
        }
    }
}
