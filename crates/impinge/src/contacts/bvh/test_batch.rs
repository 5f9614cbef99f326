//! From patch pairs to contacts, a batch at a time.

use super::filters::{BATCH_PAIRS, Filter, FilterPair, Filters, NeighbourMask};
use super::queues::{BlockPair, LanePair};
use crate::broad_phase::BodyPair;
use crate::bvh::block_mask::{BlockMask, PatchPair, lanes_of};
use crate::bvh::body_cache::BodyCache;
use crate::bvh::frame_input::FrameInput;
use crate::bvh::pool::Pool;
use crate::bvh::stars::certify::Certificates;
use crate::bvh::stars::neighbours::Queue;
use crate::bvh::transform::TransformedPatches;
use crate::contacts::ThreadSink;
use crate::exact::WorldTriangle;
use crate::exact::batch::{Decide, Pairs8, Verdicts};
use std::time::{Duration, Instant};

/// Yes/no queries: patch pairs with fewer pairs of blocks have a contact in 1 of 30 cases, those with more in 1 of 2
/// (spot and cow in random poses).
const MIN_LIKELY_BLOCK_PAIRS: u32 = 6;

/// Scratch memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) filters: Filters,
    /// Takes contacts.
    pub(crate) sink: ThreadSink,
    pub(crate) pool: Pool,
    /// Patch pairs of the next batch.
    pending: Vec<PatchPair>,
    /// Yes/no queries: patch pairs to test after those likelier to have a contact.
    unlikely: Vec<PatchPair>,
    /// Time spent in filters and exact tests.
    pub(crate) testing: Duration,
    pub(crate) measure: bool,
    pub(crate) neighbours: Queue,
    pub(crate) certificates: Certificates,
    pub(crate) transformed: TransformedPatches,
}

impl Scratch {
    /// Appends a patch pair, and tests a full batch.
    #[inline]
    pub(crate) fn push(&mut self, input: FrameInput<'_>, body_pairs: &[BodyPair], patch_pair: PatchPair) {
        self.pending.push(patch_pair);
        if self.pending.len() == BATCH_PAIRS {
            self.flush(input, body_pairs);
        }
    }

    /// Yes/no queries: tests a patch pair, and returns whether to go on. Pairs of few blocks are left for
    /// [`Self::test_unlikely`].
    #[inline]
    pub(crate) fn push_likely(
        &mut self,
        input: FrameInput<'_>,
        body_pairs: &[BodyPair],
        patch_pair: PatchPair,
    ) -> bool {
        if patch_pair.blocks.pairs() < MIN_LIKELY_BLOCK_PAIRS {
            self.unlikely.push(patch_pair);
            return true;
        }
        for blocks in
            patch_pair.blocks.fullest_first().into_iter().filter(|&blocks| blocks != BlockMask::NONE)
        {
            self.pending.push(PatchPair { blocks, ..patch_pair });
            self.flush(input, body_pairs);
            if !self.sink.is_empty() {
                return false;
            }
        }
        true
    }

    /// Tests what [`Self::push_likely`] has left, until there is a contact.
    pub(crate) fn test_unlikely(&mut self, input: FrameInput<'_>, body_pairs: &[BodyPair]) {
        while self.sink.is_empty()
            && let Some(patch_pair) = self.unlikely.pop()
        {
            self.pending.push(patch_pair);
            self.flush(input, body_pairs);
        }
        self.unlikely.clear();
    }

    /// Tests the pending patch pairs.
    pub(crate) fn flush(&mut self, input: FrameInput<'_>, body_pairs: &[BodyPair]) {
        if self.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        if self.measure {
            let start = Instant::now();
            test_batch(input, &pending, body_pairs, self);
            self.testing += start.elapsed();
        } else {
            test_batch(input, &pending, body_pairs, self);
        }
        self.pending = pending;
        self.pending.clear();
    }
}

/// Filters and exact tests for one batch of meetings.
fn test_batch(input: FrameInput<'_>, batch: &[PatchPair], body_pairs: &[BodyPair], scratch: &mut Scratch) {
    let Scratch { filters, sink, transformed, pool, .. } = scratch;
    filters.hits.clear();
    filters.doubts.clear();
    // Patches are read just before use, and are still in the cache then.
    pool.next_batch();
    let mut active = [[0u32; 2]; BATCH_PAIRS];
    for (active, patch_pair) in active.iter_mut().zip(batch) {
        let pair = body_pairs[patch_pair.pair_index as usize];
        *active = [pool.slot(pair.a, patch_pair.patches[0]), pool.slot(pair.b, patch_pair.patches[1])];
        pool.read(active[0], input);
        pool.read(active[1], input);
    }
    let pool = &*pool;
    transformed.transform_batch(input, pool, batch, &active, body_pairs);
    let transformed = &*transformed;
    let ready = |index: usize| {
        let patch_pair = &batch[index];
        let pair = body_pairs[patch_pair.pair_index as usize];
        let [a, b] = active[index].map(|slot| pool.get(slot));
        let neighbour_mask = neighbour_mask(input.bodies, pair, patch_pair.patches);
        let (transformed, slack) = transformed.get(index);
        let lanes = patch_pair.blocks.sides().map(lanes_of);
        let a = transformed.unwrap_or(a);
        FilterPair { a, b, within: pair.a == pair.b, lanes, neighbour_mask, slack }
    };
    match batch {
        [] => return,
        [_] => input.machine.run(Filter { pairs: &[ready(0)], filters }),
        _ => {
            let mut pairs = [ready(0); BATCH_PAIRS];
            for index in 1..batch.len().min(BATCH_PAIRS) {
                pairs[index] = ready(index);
            }
            input.machine.run(Filter { pairs: &pairs[..batch.len().min(BATCH_PAIRS)], filters });
        }
    }
    let named = |lanes: LanePair| {
        let patch_pair = &batch[lanes.pair()];
        let pair = body_pairs[patch_pair.pair_index as usize];
        let triangle = |slot: u32, patch: u32, lane: usize| {
            input.bodies[slot as usize].patches.triangles_of(patch as usize)[lane]
        };
        let i = triangle(pair.a, patch_pair.patches[0], lanes.a());
        let j = triangle(pair.b, patch_pair.patches[1], lanes.b());
        let ordered = if pair.a == pair.b && i > j { [j, i] } else { [i, j] };
        (pair, patch_pair.pair_index, ordered)
    };
    for &hits in filters.block_hits.as_slice() {
        let hits = BlockPair(hits);
        let patch_pair = &batch[hits.pair()];
        let pair = body_pairs[patch_pair.pair_index as usize];
        let triangles =
            |slot: u32, patch: u32| input.bodies[slot as usize].patches.triangles_of(patch as usize);
        let i = triangles(pair.a, patch_pair.patches[0])[hits.a()];
        let others = &triangles(pair.b, patch_pair.patches[1])[8 * hits.block()..];
        sink.certain_block(patch_pair.pair_index, pair.a == pair.b, i, others, hits.lanes());
    }
    for &hit in &filters.hits {
        let (_, index, [i, j]) = named(hit);
        sink.certain(index, i, j);
    }
    for eight in filters.doubts.chunks(8) {
        let mut pairs = Pairs8::default();
        for (lane, &doubt) in eight.iter().enumerate() {
            let (pair, _, [i, j]) = named(doubt);
            if let Some(((_, a), (_, b))) =
                input.scene.at(pair.a as usize).zip(input.scene.at(pair.b as usize))
            {
                pairs.set(lane, a.world_corners(i as usize), b.world_corners(j as usize));
            }
        }
        let live = (1u16 << eight.len()).wrapping_sub(1) as u8;
        let Verdicts { touch, apart } = input.machine.run(Decide { pairs: &pairs, live });
        sink.exact += (touch | apart).count_ones() as usize;
        for (lane, &doubt) in eight.iter().enumerate() {
            if apart >> lane & 1 == 1 {
                continue;
            }
            let (pair, index, [i, j]) = named(doubt);
            if touch >> lane & 1 == 1 {
                sink.certain(index, i, j);
            } else if let Some((a, b)) = input.scene.at(pair.a as usize).zip(input.scene.at(pair.b as usize))
            {
                let (a, b) = (WorldTriangle::of_body(a.0, a.1, i), WorldTriangle::of_body(b.0, b.1, j));
                sink.doubtful(index, &a, &b);
            }
        }
    }
}

fn neighbour_mask(bodies: &[BodyCache], pair: BodyPair, [p, q]: [u32; 2]) -> NeighbourMask<'_> {
    let BodyCache { stars, patches, .. } = &bodies[pair.a as usize];
    match stars {
        Some(stars) if pair.a == pair.b && p == q => NeighbourMask::SamePatch {
            corners: &patches.corners[p as usize],
            uses: stars.uses_of(patches, p),
        },
        Some(stars) if pair.a == pair.b => {
            let (shared, hubs) =
                (stars.shared.of_pair(p, q), [p, q].map(|patch| stars.shared.hubs_of(patch)));
            if shared.is_empty() && hubs.iter().any(|hubs| hubs.is_empty()) {
                NeighbourMask::None
            } else {
                let uses = [stars.uses_of(patches, p), stars.uses_of(patches, q)];
                NeighbourMask::AcrossPatches { shared, hubs, uses }
            }
        }
        _ => NeighbourMask::None,
    }
}

pub(crate) fn test_neighbours(
    input: FrameInput<'_>,
    index: usize,
    slot: u32,
    part: [usize; 2],
    scratch: &mut Scratch,
) {
    let cache = &input.bodies[slot as usize];
    if let (Some(stars), Some((id, body))) = (&cache.stars, input.scene.at(slot as usize)) {
        let start = Instant::now();
        let at = cache.world_placement(body);
        let Scratch { sink, neighbours, certificates, .. } = scratch;
        stars.uncertified(at, input.machine, part, (certificates, neighbours), |[i, j]| {
            let [a, b] = [i, j].map(|triangle| WorldTriangle::of_body(id, body, triangle));
            sink.doubtful(index as u32, &a, &b);
        });
        scratch.testing += start.elapsed();
    }
}
