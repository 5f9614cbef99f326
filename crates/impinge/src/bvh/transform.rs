//! Active patches of rigid bodies stay in the body's frame, whatever the pose; for a patch pair, the patch of `a` is
//! mapped into the frame of `b`.
//!
//! **Error.** Contacts are decided in world coordinates: a vertex `q` of `a` stands for its rounded image `W(q)`, and
//! the filters must see it near `B^-1 W(q)`, `B` the pose of `b`, in b's units. [`Inverse::slack`] bounds how far
//! `back (A q)` is from that, `back` the computed inverse, with all roundings of the pose, of the product `back A` and of the
//! origin below; four times as much is allowed for, here for `a` and for the patch of `b`, whose stored corners stand
//! for `B^-1 W(p)`, too. Corners are mapped in doubles, relative to the centre of the patch's box, and rounded to
//! floats once: with `n` the largest row sum of the map, `n error_a`, a roundoff of the image, and a few roundoffs of
//! doubles.

use super::active::ActivePatch;
use super::block_mask::{PatchPair, lanes_of};
use super::frame_input::FrameInput;
use super::pool::Pool;
use super::relative::{Inverse, Placed, Rows};
use crate::broad_phase::BodyPair;
use crate::scene::Pose;
use crate::simd::{Kernel, Lanes};
use crate::util::tolerance::{FLOAT_ROUNDOFF, TINY, UNIT_ROUNDOFF};

/// From the frame of one body, in its units, into that of another, in its units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    rows: Rows,
    /// Largest row sum of absolute values.
    norm: f32,
    /// Bound on the error of the origin's image.
    origin_error: f32,
    /// Bound on the error of corners of either body relative to their rounded world positions.
    pub(crate) slack: f32,
}

/// Maps with a larger norm are not used: products of three coordinates could overflow.
const MAX_MAP_NORM: f64 = (1u64 << 36) as f64;
/// Largest unit, 2^500: beyond, coordinates are so small that the roundings of a pose underflow. Up to it, what
/// underflow takes from a pose, at most 2^-1072, stays far below `TINY` in these units.
pub(crate) const MAX_UNIT: f64 = f64::from_bits((1023 + 500) << 52);

impl Map {
    /// `None` where floats overflow.
    pub(crate) fn new(a: Placed<'_>, b: Placed<'_>, [unit_a, unit_b]: [f64; 2]) -> Option<Self> {
        // Units are powers of two, and so is their ratio.
        let ratio = unit_b / unit_a;
        if !ratio.is_normal() || unit_a > MAX_UNIT || unit_b > MAX_UNIT {
            return None;
        }
        let (back, m) = (b.inverse.rows(), a.pose.rows());
        let mut rows = [[0.0; 4]; 3];
        let (mut norm, mut shift) = (0.0f64, 0.0f64);
        for r in 0..3 {
            let entry = |c: usize| back[r][0] * m[0][c] + back[r][1] * m[1][c] + back[r][2] * m[2][c];
            for c in 0..3 {
                rows[r][c] = entry(c) * ratio;
            }
            rows[r][3] = (entry(3) + back[r][3]) * unit_b;
            norm = norm.max(rows[r][0].abs() + rows[r][1].abs() + rows[r][2].abs());
            shift = shift.max(rows[r][3].abs());
        }
        let slack = 4.0 * b.inverse.slack(a.world_bound + b.world_bound) * unit_b;
        let usable = norm < MAX_MAP_NORM && shift < MAX_MAP_NORM && slack < MAX_MAP_NORM;
        usable.then_some(Self {
            rows,
            norm: norm as f32 * (1.0 + 4.0 * FLOAT_ROUNDOFF),
            origin_error: (8.0 * UNIT_ROUNDOFF * (2.0 * norm + shift)) as f32 + TINY,
            slack: slack as f32 * (1.0 + 4.0 * FLOAT_ROUNDOFF) + TINY,
        })
    }
}

/// Patches of the last body pair, mapped into the frame of its second body.
#[derive(Debug, Default)]
pub(crate) struct TransformedPatches {
    patches: Vec<ActivePatch>,
    /// How many of them are in use.
    filled: usize,
    /// For every patch pair of a batch: index into `patches`, or `NONE`, and the slack.
    entries: Vec<(u32, f32)>,
    /// The last body pair, and its map.
    last: Option<(u32, Option<Map>)>,
    /// For every patch of the first body of that pair, its index into `patches` or `NONE`; and the patches that have
    /// one.
    slots: Vec<u32>,
    used: Vec<u32>,
    blocks_only: bool,
}

const NONE: u32 = u32::MAX;
/// Patches kept from one batch to the next; this many fit in L2.
const MAX_CACHED_PATCHES: usize = 128;

impl TransformedPatches {
    /// Poses may have changed. With `blocks_only`, for one patch pair at a time, only blocks that meet are mapped, and
    /// no patch is kept.
    pub(crate) fn begin_frame(&mut self, blocks_only: bool) {
        self.filled = 0;
        self.blocks_only = blocks_only;
        self.forget_pair();
    }

    fn forget_pair(&mut self) {
        self.last = None;
        self.used.drain(..).for_each(|patch| self.slots[patch as usize] = NONE);
    }

    /// Maps the patches that a batch needs.
    pub(crate) fn transform_batch(
        &mut self,
        input: FrameInput<'_>,
        pool: &Pool,
        batch: &[PatchPair],
        active: &[[u32; 2]],
        body_pairs: &[BodyPair],
    ) {
        self.entries.clear();
        if self.filled >= MAX_CACHED_PATCHES {
            self.filled = 0;
            self.used.drain(..).for_each(|patch| self.slots[patch as usize] = NONE);
        }
        for (patch_pair, active) in batch.iter().zip(active) {
            let pair = body_pairs[patch_pair.pair_index as usize];
            let [a, b] = [pair.a, pair.b].map(|slot| &input.bodies[slot as usize]);
            if a.is_in_world() && b.is_in_world() {
                self.entries.push((NONE, 0.0));
                continue;
            }
            if pair.a == pair.b {
                self.entries.push((NONE, a.patch_slack()));
                continue;
            }
            if self.last.as_ref().is_none_or(|(of, _)| *of != patch_pair.pair_index) {
                self.forget_pair();
                self.last = Some((patch_pair.pair_index, map(input, pair)));
            }
            // Without a map every triangle pair is in doubt.
            let Some((_, Some(map))) = &self.last else {
                self.entries.push((NONE, f32::INFINITY));
                continue;
            };
            if self.blocks_only {
                self.patches.resize(self.patches.len().max(1), ActivePatch::BLANK);
                let (a, into) = (pool.get(active[0]), &mut self.patches[0]);
                input.machine.run(TransformBlocks { map, a, into, blocks: patch_pair.blocks.sides()[0] });
                self.entries.push((0, map.slack));
                continue;
            }
            let patch = patch_pair.patches[0] as usize;
            if self.slots.len() <= patch {
                self.slots.resize(a.patches.len().max(patch + 1), NONE);
            }
            if self.slots[patch] == NONE {
                if self.patches.len() <= self.filled {
                    self.patches.resize(self.filled + 1, ActivePatch::BLANK);
                }
                let (a, into) = (pool.get(active[0]), &mut self.patches[self.filled]);
                input.machine.run(TransformPatch { map, a, into });
                self.slots[patch] = self.filled as u32;
                self.used.push(patch as u32);
                self.filled += 1;
            }
            self.entries.push((self.slots[patch], map.slack));
        }
    }

    /// The mapped patch of a patch pair, if there is one; and the slack of both.
    pub(crate) fn get(&self, index: usize) -> (Option<&ActivePatch>, f32) {
        let (slot, slack) = self.entries[index];
        (self.patches.get(slot as usize), slack)
    }
}

fn map(input: FrameInput<'_>, pair: BodyPair) -> Option<Map> {
    let (a, b) = (&input.bodies[pair.a as usize], &input.bodies[pair.b as usize]);
    let ((_, body_a), (_, body_b)) = (input.scene.at(pair.a as usize)?, input.scene.at(pair.b as usize)?);
    let identity = (Pose::IDENTITY, Inverse::IDENTITY);
    let units = [a.patch_unit(input.unit), b.patch_unit(input.unit)];
    Map::new(a.placed(body_a, &identity), b.placed(body_b, &identity), units)
}

/// Maps a patch into another frame.
struct TransformPatch<'a> {
    map: &'a Map,
    a: &'a ActivePatch,
    /// Overwritten.
    into: &'a mut ActivePatch,
}

impl Kernel for TransformPatch<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        transform::<L, true>(lanes, self.map, self.a, self.into, u8::MAX);
    }
}

/// Maps some blocks of a patch; lanes of the others are absent afterwards.
struct TransformBlocks<'a> {
    map: &'a Map,
    a: &'a ActivePatch,
    /// Overwritten.
    into: &'a mut ActivePatch,
    blocks: u8,
}

impl Kernel for TransformBlocks<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        transform::<L, false>(lanes, self.map, self.a, self.into, self.blocks);
    }
}

#[inline(always)]
fn transform<L: Lanes, const WHOLE: bool>(
    lanes: L,
    map: &Map,
    a: &ActivePatch,
    into: &mut ActivePatch,
    blocks: u8,
) {
    let base = [0, 1, 2].map(|i| f64::from(0.5 * a.min[i] + 0.5 * a.max[i]));
    let mut rows = [[lanes.splat_wide(0.0); 4]; 3];
    for row in 0..3 {
        let [x, y, z, shift] = map.rows[row];
        let image = x * base[0] + y * base[1] + z * base[2];
        into.origin[row] = x * a.origin[0] + y * a.origin[1] + z * a.origin[2] + shift + image;
        rows[row] = [lanes.splat_wide(x), lanes.splat_wide(y), lanes.splat_wide(z), lanes.splat_wide(-image)];
    }
    for corner in 0..3 {
        for block in 0..8 {
            if !WHOLE && blocks >> block & 1 == 0 {
                continue;
            }
            let mut sums = [rows[0][3], rows[1][3], rows[2][3]];
            for axis in 0..3 {
                let at = lanes.widen(lanes.load(&a.corners[corner][axis].as_chunks::<8>().0[block]));
                for row in 0..3 {
                    sums[row] = lanes.mul_add_wide(rows[row][axis], at, sums[row]);
                }
            }
            for row in 0..3 {
                let transformed = lanes.store(lanes.narrow(sums[row]));
                into.corners[corner][row].as_chunks_mut::<8>().0[block] = transformed;
            }
        }
    }
    into.present = if WHOLE { a.present } else { a.present & lanes_of(blocks) };
    into.lossless = false;
    let off = map.norm * a.error * (1.0 + 4.0 * FLOAT_ROUNDOFF) + map.origin_error;
    into.finish::<L, WHOLE>(lanes, false, off, blocks);
}
