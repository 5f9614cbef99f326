//! From pairs of patches to pairs of triangles: byte boxes, the plane of either triangle, the edges; exact arithmetic
//! takes what floats leave in doubt. Each stage is a loop over a queue that writes its result unconditionally and
//! advances by the number of survivors, so no branch depends on the data.
//!
//! **What floats decide.** Let `u = 2^-24`. Coordinates of a pair of triangles are taken relative to the
//! first corner of `a`; `extent_a`, `extent_b` bound the extents of the triangles, `r` bounds every coordinate
//! difference between the two, and `eta` bounds the error of every computed difference:
//!
//! * Patches whose boxes are apart are skipped. Triangle boxes that meet as bytes are then less than a step apart in
//!   b's frame and, by the clip against b's patch box, in a's: `r = extent_a + extent_b + step_a + step_b`, plus the
//!   widening of the boxes.
//! * A difference of two stored coordinates is off by its own rounding, at most `u r`, and by their errors:
//!   `eta = u r + 2 delta`, `delta` the sum of both patches' errors and of moving `a` into b's frame.
//!
//! *Plane of a:* `det(e1, e2, w)`, with `|e1|, |e2| <= extent_a` and `|w| <= r` in the maximum norm. A determinant of
//! three such vectors is at most 6 times the product of the norms. Changing one vector at a time by `eta` changes it
//! by at most `3 * 6 eta (extent_a + eta) (r + eta)`. Evaluating it takes at most 5 roundings on every path (multiply,
//! subtract, multiply, add, add; FMA saves some): `5u * 6 extent_a^2 r`, and `u r <= eta`. Together below
//! `PLANE_FILTER * eta * (extent_a + eta) * (r + eta)`.
//!
//! *Edges:* `det(d, q - p, f) = d . (q x f) + f . (p x d)`, `d` and `f` edges, `p` and `q` their first corners. The points
//! are off by `eta`, so each of `d`, `q - p`, `f` by `2 eta`: `3 * 6 * 2 eta (r + 2 eta)^2`. Evaluation, edges
//! included, takes at most 11 roundings on every path of a permanent below `12 r^3`: `132 u r^3`. Together below
//! `EDGE_FILTER * eta * (r + 2 eta)^2`.
//!
//! The heights of `a` over the plane of `b` among the edge tests are taken from corners already relative to `a`: every
//! vector is off by at most `3 eta`, which makes 85 instead of 49, and stays below the bound of the edges.
//!
//! Underflow costs less than `TINY (1 + r)^2`: a few dozen roundings of 2^-150, each times at most two of the lengths.
//! Coordinates are scaled to at most 1, so nothing overflows.

use super::edges::cross_edges;
use super::flat::{decide_doubts, decide_planar, may_be_flat, take_flat};
use super::queues::{BlockPair, LanePair, ReservedQueue};
use crate::bvh::PATCH;
use crate::bvh::active::ActivePatch;
use crate::simd::wide3 as wide;
use crate::simd::wide3::Wide3;
use crate::simd::{BIT_PLACES, Kernel, Lanes};
use crate::util::tolerance::{EDGE_FILTER, FLOAT_ROUNDOFF, PLANAR_FILTER, PLANE_FILTER, TINY};

/// Two active patches whose boxes meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilterPair<'a> {
    pub(crate) a: &'a ActivePatch,
    pub(crate) b: &'a ActivePatch,
    /// Both are patches of one body.
    pub(crate) within: bool,
    /// The lanes of either to compare.
    pub(crate) lanes: [u64; 2],
    /// Triangle pairs that the stars decide.
    pub(crate) neighbour_mask: NeighbourMask<'a>,
    /// Bound on the error of corners beyond the errors of the patches.
    pub(crate) slack: f32,
}

/// Pairs of neighbours, and in one patch each pair once, left out of the filters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NeighbourMask<'a> {
    None,
    /// A patch against itself: pairs that share a vertex, and the half of the pairs with the lower lane second. Vertex
    /// numbers of each lane's corners, and the lanes that use each vertex.
    SamePatch {
        corners: &'a [[u8; PATCH]; 3],
        uses: &'a [u64],
    },
    /// Two patches: the numbers of shared vertices in either, and the lanes that use each vertex.
    AcrossPatches {
        shared: &'a [[u8; 2]],
        hubs: [&'a [(u32, u8)]; 2],
        uses: [&'a [u64]; 2],
    },
}

/// Error bounds and relative position of a pair of patches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    /// From a's origin to b's: `x_b = x_a + shift[0] + shift[1]`, the large part first.
    pub(crate) shift: [[f32; 3]; 2],
    /// Widening of boxes that are compared.
    widen: f32,
    pub(crate) plane_a: f32,
    plane_b: f32,
    pub(crate) edge: f32,
    pub(crate) planar: f32,
}

/// Patch pairs that go through the stages together.
pub(crate) const BATCH_PAIRS: usize = 64;

/// The queues between the stages, and the results.
#[derive(Debug, Default)]
pub(crate) struct Filters {
    frames: Vec<Frame>,
    /// As [`BlockPair`]s.
    blocks: ReservedQueue<u32>,
    pairs: ReservedQueue<LanePair>,
    /// As [`BlockPair`]s: triangles that certainly touch those of a block.
    pub(crate) block_hits: ReservedQueue<u32>,
    planar: ReservedQueue<LanePair>,
    /// Triangle pairs that certainly touch.
    pub(crate) hits: Vec<LanePair>,
    /// Triangle pairs that need exact arithmetic.
    pub(crate) doubts: Vec<LanePair>,
    /// Triangle pairs whose boxes met.
    pub(crate) candidates: usize,
    /// Triangle pairs that exact arithmetic decided here.
    pub(crate) exact: usize,
    /// Surfaces lay on each other in the last batch.
    is_flush: bool,
}

/// Runs all float stages over a batch and appends to `hits` and `doubts`.
pub(crate) struct Filter<'a> {
    pub(crate) pairs: &'a [FilterPair<'a>],
    pub(crate) filters: &'a mut Filters,
}

impl Kernel for Filter<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Filter { pairs, filters } = self;
        filters.frames.clear();
        filters.frames.extend(pairs.iter().map(frame));
        filters.blocks.clear_for(0);
        for (index, pair) in pairs.iter().enumerate() {
            meet_boxes(lanes, pair, &filters.frames[index], index as u32, &mut filters.blocks);
        }
        let lanes_of = |&block: &u32| BlockPair(block).lanes().count_ones() as usize;
        let candidates = filters.blocks.as_slice().iter().map(lanes_of).sum::<usize>();
        filters.candidates += candidates;
        filters.block_hits.len = 0;
        if filters.is_flush || pairs.iter().any(|pair| may_be_flat(pair.a, pair.b)) {
            let Filters { frames, blocks, block_hits, planar, hits, doubts, .. } = &mut *filters;
            take_flat(lanes, pairs, frames, blocks, block_hits, planar);
            decide_planar(lanes, pairs, planar.as_slice(), hits, doubts);
        }
        straddle_plane_a(lanes, pairs, &filters.frames, &mut filters.blocks);
        straddle_plane_b(lanes, pairs, &filters.frames, filters.blocks.as_slice(), &mut filters.pairs);
        let Filters { frames, pairs: queue, hits, doubts, .. } = &mut *filters;
        cross_edges(lanes, pairs, frames, queue.as_slice(), hits, doubts);
        let in_doubt = doubts.len();
        decide_doubts(lanes, pairs, hits, doubts);
        filters.exact += in_doubt - doubts.len();
        // Corners in common are looked for where they were found, or where much was in doubt.
        let shared = filters.block_hits.len;
        filters.is_flush = MIN_FLUSH_SHARE * (in_doubt + shared) > candidates;
    }
}

/// Batches with at least one in this many candidates in doubt, or with a corner in common, hold surfaces that lie on each other.
const MIN_FLUSH_SHARE: usize = 8;

fn frame(pair: &FilterPair<'_>) -> Frame {
    let (a, b) = (pair.a, pair.b);
    let shift = [0, 1, 2].map(|i| a.origin[i] - b.origin[i]);
    let apart = shift[0].abs().max(shift[1].abs()).max(shift[2].abs()) as f32;
    // Moving a corner of `a` into b's frame: two roundings of at most b's reach and the gap, and the remainder of the
    // shift after two floats.
    let exact = a.exact && b.exact;
    // Differences of exact floats do not round.
    let off = a.error + b.error + 2.0 * pair.slack;
    let widen = if exact { 0.0 } else { off + 4.0 * FLOAT_ROUNDOFF * (apart + a.reach + b.reach) };
    let spread = a.extent + b.extent + a.step + b.step + 4.0 * (off + widen);
    let moved = if exact {
        0.0
    } else {
        2.0 * FLOAT_ROUNDOFF * (b.reach + spread) + FLOAT_ROUNDOFF * FLOAT_ROUNDOFF * 4.0 * (apart + a.reach)
    };
    let delta = off + moved;
    let r = (spread + 4.0 * moved) * (1.0 + 16.0 * FLOAT_ROUNDOFF);
    let eta = FLOAT_ROUNDOFF * r + 2.0 * delta;
    let underflow = TINY * (1.0 + r) * (1.0 + r);
    let large = [shift[0] as f32, shift[1] as f32, shift[2] as f32];
    let small = [0, 1, 2].map(|i| (shift[i] - f64::from(large[i])) as f32);
    Frame {
        shift: [large, small],
        widen,
        plane_a: PLANE_FILTER * eta * (a.extent + eta) * (r + eta) + underflow,
        plane_b: PLANE_FILTER * eta * (b.extent + eta) * (r + eta) + underflow,
        edge: EDGE_FILTER * eta * (r + 2.0 * eta) * (r + 2.0 * eta) + underflow,
        planar: PLANAR_FILTER * FLOAT_ROUNDOFF * r * r + underflow,
    }
}

/// Byte boxes: each triangle of `a` against all 64 of `b`.
#[inline(always)]
fn meet_boxes<L: Lanes>(
    lanes: L,
    pair: &FilterPair<'_>,
    frame: &Frame,
    index: u32,
    blocks: &mut ReservedQueue<u32>,
) {
    let (a, b) = (pair.a, pair.b);
    let shift = frame.shift[0];
    let widen = frame.widen;
    for axis in 0..3 {
        let (a_min, a_max) = (a.min[axis] + shift[axis] - widen, a.max[axis] + shift[axis] + widen);
        if a_min > b.max[axis] || a_max < b.min[axis] {
            return;
        }
    }
    // Each patch's box in the other's byte frame.
    let (mut low, mut high) = ([[0u8; 3]; 2], [[0u8; 3]; 2]);
    for axis in 0..3 {
        low[0][axis] = byte(a, axis, b.min[axis] - shift[axis] - widen);
        high[0][axis] = byte(a, axis, b.max[axis] - shift[axis] + widen);
        low[1][axis] = byte(b, axis, a.min[axis] + shift[axis] - widen);
        high[1][axis] = byte(b, axis, a.max[axis] + shift[axis] + widen);
    }
    let in_a = lanes.meets(low[0], high[0], &a.boxes) & a.present & pair.lanes[0];
    let in_b = lanes.meets(low[1], high[1], &b.boxes) & b.present & pair.lanes[1];
    if in_a == 0 || in_b == 0 {
        return;
    }
    let mut neighbour_mask = [0u64; PATCH];
    match pair.neighbour_mask {
        NeighbourMask::None => {}
        NeighbourMask::SamePatch { corners, uses } => {
            let [p, q, r] = corners;
            for lane in 0..PATCH {
                let neighbours = uses[p[lane] as usize] | uses[q[lane] as usize] | uses[r[lane] as usize];
                neighbour_mask[lane] = neighbours | u64::MAX >> (PATCH - 1 - lane);
            }
        }
        NeighbourMask::AcrossPatches { shared, hubs, uses } => {
            for [number_a, number_b] in shared {
                exclude(uses[0][*number_a as usize], uses[1][*number_b as usize], &mut neighbour_mask);
            }
            for (vertex, number_a) in hubs[0] {
                if let Ok(at) = hubs[1].binary_search_by_key(vertex, |(vertex, _)| *vertex) {
                    exclude(
                        uses[0][*number_a as usize],
                        uses[1][hubs[1][at].1 as usize],
                        &mut neighbour_mask,
                    );
                }
            }
        }
    }
    // The boxes of `a` in b's byte frame, for blocks with a lane to compare.
    let mut low = [[0u8; PATCH]; 3];
    let mut high = [[0u8; PATCH]; 3];
    for block in 0..8 {
        if (in_a >> (8 * block)) as u8 == 0 {
            continue;
        }
        for axis in 0..3 {
            let p = lanes.load(&a.corners[0][axis].as_chunks::<8>().0[block]);
            let q = lanes.load(&a.corners[1][axis].as_chunks::<8>().0[block]);
            let r = lanes.load(&a.corners[2][axis].as_chunks::<8>().0[block]);
            let l = lanes.min(lanes.min(p, q), r);
            let h = lanes.max(lanes.max(p, q), r);
            let (base, scale) = (lanes.splat(b.base[axis]), lanes.splat(b.scale[axis]));
            low[axis].as_chunks_mut::<8>().0[block] =
                lanes.quantise(lanes.add(l, lanes.splat(shift[axis] - widen)), base, scale);
            high[axis].as_chunks_mut::<8>().0[block] =
                lanes.quantise(lanes.add(h, lanes.splat(shift[axis] + widen)), base, scale);
        }
    }
    blocks.reserve(8 * PATCH + 8);
    let mut here = in_a;
    while here != 0 {
        let lane = here.trailing_zeros() as usize & 63;
        here &= here - 1;
        let (from, to) =
            ([low[0][lane], low[1][lane], low[2][lane]], [high[0][lane], high[1][lane], high[2][lane]]);
        let met = lanes.meets(from, to, &b.boxes) & in_b & !neighbour_mask[lane];
        if let Some(room) = blocks.items[blocks.len..].first_chunk_mut::<8>() {
            blocks.len += lanes.list_bytes(met, index << 17 | (lane as u32) << 11, room);
        }
    }
}

/// Excludes the lanes of one mask against those of the other.
#[inline(always)]
fn exclude(mut lanes_a: u64, lanes_b: u64, neighbour_mask: &mut [u64; PATCH]) {
    while lanes_a != 0 {
        neighbour_mask[lanes_a.trailing_zeros() as usize & 63] |= lanes_b;
        lanes_a &= lanes_a - 1;
    }
}

#[inline(always)]
fn byte(patch: &ActivePatch, axis: usize, x: f32) -> u8 {
    ((x - patch.base[axis]) * patch.scale[axis]) as u8
}

/// The corners of one triangle, in its patch's frame.
#[inline(always)]
pub(crate) fn corners(patch: &ActivePatch, lane: usize) -> [[f32; 3]; 3] {
    let (lane, c) = (lane & 63, &patch.corners);
    [
        [c[0][0][lane], c[0][1][lane], c[0][2][lane]],
        [c[1][0][lane], c[1][1][lane], c[1][2][lane]],
        [c[2][0][lane], c[2][1][lane], c[2][2][lane]],
    ]
}

/// The same point in b's frame.
#[inline(always)]
pub(crate) fn moved(p: [f32; 3], [large, small]: &[[f32; 3]; 2]) -> [f32; 3] {
    [p[0] + large[0] + small[0], p[1] + large[1] + small[1], p[2] + large[2] + small[2]]
}

#[inline(always)]
pub(crate) fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn cross(u: [f32; 3], v: [f32; 3]) -> [f32; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

#[inline(always)]
fn wide_corner<L: Lanes>(lanes: L, patch: &ActivePatch, corner: usize, block: usize) -> Wide3<L> {
    let (block, axes) = (block & 7, &patch.corners[corner]);
    [
        lanes.load(&axes[0].as_chunks::<8>().0[block]),
        lanes.load(&axes[1].as_chunks::<8>().0[block]),
        lanes.load(&axes[2].as_chunks::<8>().0[block]),
    ]
}

/// Lanes in which all three values are beyond the bound on one side.
#[inline(always)]
fn one_sided<L: Lanes>(lanes: L, heights: [L::F; 3], bound: f32) -> u8 {
    let (above, below) = (lanes.splat(bound), lanes.splat(-bound));
    let smallest = lanes.min(lanes.min(heights[0], heights[1]), heights[2]);
    let largest = lanes.max(lanes.max(heights[0], heights[1]), heights[2]);
    lanes.bits(lanes.or(lanes.gt(smallest, above), lanes.gt(below, largest)))
}

/// Drops triangles of `b` that lie strictly on one side of the plane of `a`. In place.
#[inline(always)]
fn straddle_plane_a<L: Lanes>(
    lanes: L,
    pairs: &[FilterPair<'_>],
    frames: &[Frame],
    blocks: &mut ReservedQueue<u32>,
) {
    let mut kept = 0;
    for at in 0..blocks.len {
        let entry = BlockPair(blocks.items[at]);
        let (pair, frame) = (&pairs[entry.pair()], &frames[entry.pair()]);
        let [p, q, r] = corners(pair.a, entry.a());
        let normal = wide::splat(lanes, cross(minus(q, p), minus(r, p)));
        let origin = wide::splat(lanes, moved(p, &frame.shift));
        let mut heights = [lanes.splat(0.0); 3];
        for corner in 0..3 {
            let at = wide_corner(lanes, pair.b, corner, entry.block());
            heights[corner] = wide::dot(lanes, normal, wide::minus(lanes, at, origin));
        }
        let left = entry.lanes() & !one_sided(lanes, heights, frame.plane_a);
        blocks.items[kept] = entry.only(left).0;
        kept += usize::from(left != 0);
    }
    blocks.len = kept;
}

/// Drops triangles of `b` for which `a` lies strictly on one side of their plane; lists the rest pair by pair.
#[inline(always)]
fn straddle_plane_b<L: Lanes>(
    lanes: L,
    pairs: &[FilterPair<'_>],
    frames: &[Frame],
    blocks: &[u32],
    left: &mut ReservedQueue<LanePair>,
) {
    left.clear_for(8 * blocks.len() + 8);
    for &entry in blocks {
        let entry = BlockPair(entry);
        let (pair, frame) = (&pairs[entry.pair()], &frames[entry.pair()]);
        let p = wide_corner(lanes, pair.b, 0, entry.block());
        let q = wide_corner(lanes, pair.b, 1, entry.block());
        let r = wide_corner(lanes, pair.b, 2, entry.block());
        let normal = wide::cross(lanes, wide::minus(lanes, q, p), wide::minus(lanes, r, p));
        let a = corners(pair.a, entry.a());
        let mut heights = [lanes.splat(0.0); 3];
        for corner in 0..3 {
            let at = wide::splat(lanes, moved(a[corner], &frame.shift));
            heights[corner] = wide::dot(lanes, normal, wide::minus(lanes, at, p));
        }
        let bits = entry.lanes() & !one_sided(lanes, heights, frame.plane_b);
        // All eight are written, survivors first; the next entry overwrites the rest.
        let base = entry.pair() as u32 | (entry.a() as u32) << 16 | (8 * entry.block() as u32) << 24;
        let places = &BIT_PLACES[bits as usize];
        for (item, &place) in left.items[left.len..left.len + 8].iter_mut().zip(places) {
            *item = LanePair(base + (u32::from(place) << 24));
        }
        left.len += bits.count_ones() as usize;
    }
}
