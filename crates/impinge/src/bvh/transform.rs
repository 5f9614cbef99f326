//! Rigid bodies keep their active patches in their own frames, however they move; when two of them meet, the patch of
//! the one is turned into the frame of the other.
//!
//! **Error.** The truth is in the world: a vertex `q` of `a` stands for its rounded image `W(q)`, and what the filters see
//! must be near `B^-1 W(q)`, `B` the pose of `b`, in b's units. [`Inverse::slack`] bounds how far `back (A q)` is from
//! that, `back` the computed inverse, with all roundings of the pose, of the product `back A` and of the origin below; four
//! times as much is allowed for, here for `a` and for the patch of `b`, whose stored corners stand for `B^-1 W(p)`, too.
//! Corners are mapped in doubles, relative to the middle of the patch's box, and rounded to floats once: with `n` the
//! largest row sum of the map, `n error_a`, a roundoff of the image, and a few roundoffs of doubles.

use super::active::ActivePatch;
use super::block_boxes::lanes_of;
use super::pool::{Pool, Source};
use super::relative::{Inverse, Placed, Rows};
use crate::broad_phase::BodyPair;
use crate::contacts::bvh::test_batch::Meeting;
use crate::scene::Pose;
use crate::simd::{Kernel, Lanes};
use crate::util::tolerance::{FLOAT_ROUNDOFF, TINY, UNIT_ROUNDOFF};

/// From the frame of one body, in its units, into that of another, in its units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    rows: Rows,
    /// Largest sum of the absolute values of a row.
    norm: f32,
    /// Bound on the error of the origin's image.
    origin_error: f32,
    /// What the corners of either body may be off because the truth is in the world.
    pub(crate) slack: f32,
}

/// Maps that enlarge more are not used: beyond, products of three coordinates could leave the floats.
const LARGEST: f64 = (1u64 << 36) as f64;
/// Units beyond this belong to coordinates so small that the roundings of a pose underflow: 2^500. Below, what underflow
/// takes from a pose, at most 2^-1072, is at most far below `TINY` in these units.
pub(crate) const LARGEST_UNIT: f64 = f64::from_bits((1023 + 500) << 52);

impl Map {
    /// `None` where floats do not reach.
    pub(crate) fn new(a: Placed<'_>, b: Placed<'_>, [unit_a, unit_b]: [f64; 2]) -> Option<Self> {
        // Units are powers of two, and so is their ratio; beyond these, roundings of the poses may underflow.
        let ratio = unit_b / unit_a;
        if !ratio.is_normal() || unit_a > LARGEST_UNIT || unit_b > LARGEST_UNIT {
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
        let slack = 4.0 * b.inverse.slack(a.world + b.world) * unit_b;
        let usable = norm < LARGEST && shift < LARGEST && slack < LARGEST;
        usable.then_some(Self {
            rows,
            norm: norm as f32 * (1.0 + 4.0 * FLOAT_ROUNDOFF),
            origin_error: (8.0 * UNIT_ROUNDOFF * (2.0 * norm + shift)) as f32 + TINY,
            slack: slack as f32 * (1.0 + 4.0 * FLOAT_ROUNDOFF) + TINY,
        })
    }
}

/// Turned patches of the last body pairs.
#[derive(Debug, Default)]
pub(crate) struct Turned {
    patches: Vec<ActivePatch>,
    /// How many of them hold something.
    filled: usize,
    /// For every meeting of a batch: which patch, or `NONE`, and the slack.
    entries: Vec<(u32, f32)>,
    /// The last body pair, and its map.
    last: Option<(u32, Option<Map>)>,
    /// For every patch of the first body of that pair, where it is among `patches`; and those that are somewhere.
    places: Vec<u32>,
    used: Vec<u32>,
    in_parts: bool,
}

const NONE: u32 = u32::MAX;
/// Patches that are kept from one batch to the next: they fit a cache.
const MOST: usize = 128;

impl Turned {
    /// A new frame: bodies may have moved. For one meeting at a time, only blocks that meet are turned, and no patch is kept.
    pub(crate) fn forget(&mut self, in_parts: bool) {
        self.filled = 0;
        self.in_parts = in_parts;
        self.forget_pair();
    }

    fn forget_pair(&mut self) {
        self.last = None;
        self.used.drain(..).for_each(|patch| self.places[patch as usize] = NONE);
    }

    /// Makes ready what the meetings need.
    pub(crate) fn turn_all(
        &mut self,
        from: Source<'_>,
        pool: &Pool,
        batch: &[Meeting],
        active: &[[u32; 2]],
        body_pairs: &[BodyPair],
    ) {
        self.entries.clear();
        if self.filled >= MOST {
            self.filled = 0;
            self.used.drain(..).for_each(|patch| self.places[patch as usize] = NONE);
        }
        for (meeting, active) in batch.iter().zip(active) {
            let pair = body_pairs[meeting.bodies as usize];
            let [a, b] = [pair.a, pair.b].map(|slot| &from.bodies[slot as usize]);
            if a.is_in_world() && b.is_in_world() {
                self.entries.push((NONE, 0.0));
                continue;
            }
            if pair.a == pair.b {
                self.entries.push((NONE, a.patch_slack()));
                continue;
            }
            if self.last.as_ref().is_none_or(|(of, _)| *of != meeting.bodies) {
                self.forget_pair();
                self.last = Some((meeting.bodies, map(from, pair)));
            }
            // Where floats do not reach, everything is in doubt.
            let Some((_, Some(map))) = &self.last else {
                self.entries.push((NONE, f32::INFINITY));
                continue;
            };
            if self.in_parts {
                self.patches.resize(self.patches.len().max(1), ActivePatch::BLANK);
                let (a, into) = (pool.get(active[0]), &mut self.patches[0]);
                from.machine.run(TurnPart { map, a, into, part: meeting.blocks.sides()[0] });
                self.entries.push((0, map.slack));
                continue;
            }
            let patch = meeting.patches[0] as usize;
            if self.places.len() <= patch {
                self.places.resize(a.patches.len().max(patch + 1), NONE);
            }
            if self.places[patch] == NONE {
                if self.patches.len() <= self.filled {
                    self.patches.resize(self.filled + 1, ActivePatch::BLANK);
                }
                let (a, into) = (pool.get(active[0]), &mut self.patches[self.filled]);
                from.machine.run(Turn { map, a, into });
                self.places[patch] = self.filled as u32;
                self.used.push(patch as u32);
                self.filled += 1;
            }
            self.entries.push((self.places[patch], map.slack));
        }
    }

    /// The turned patch of a meeting, if there is one; and what the corners of both are off.
    pub(crate) fn get(&self, index: usize) -> (Option<&ActivePatch>, f32) {
        let (place, slack) = self.entries[index];
        (self.patches.get(place as usize), slack)
    }
}

fn map(from: Source<'_>, pair: BodyPair) -> Option<Map> {
    let (a, b) = (&from.bodies[pair.a as usize], &from.bodies[pair.b as usize]);
    let ((_, body_a), (_, body_b)) = (from.scene.at(pair.a as usize)?, from.scene.at(pair.b as usize)?);
    let identity = (Pose::IDENTITY, Inverse::IDENTITY);
    let units = [a.patch_unit(from.unit), b.patch_unit(from.unit)];
    Map::new(a.placed(body_a, &identity), b.placed(body_b, &identity), units)
}

/// Turns a patch into another frame.
struct Turn<'a> {
    map: &'a Map,
    a: &'a ActivePatch,
    /// Overwritten.
    into: &'a mut ActivePatch,
}

impl Kernel for Turn<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        turn::<L, true>(lanes, self.map, self.a, self.into, u8::MAX);
    }
}

/// Turns only some blocks of a patch; the others are not there afterwards.
struct TurnPart<'a> {
    map: &'a Map,
    a: &'a ActivePatch,
    /// Overwritten.
    into: &'a mut ActivePatch,
    part: u8,
}

impl Kernel for TurnPart<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        turn::<L, false>(lanes, self.map, self.a, self.into, self.part);
    }
}

#[inline(always)]
fn turn<L: Lanes, const WHOLE: bool>(lanes: L, map: &Map, a: &ActivePatch, into: &mut ActivePatch, part: u8) {
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
            if !WHOLE && part >> block & 1 == 0 {
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
                let turned = lanes.store(lanes.narrow(sums[row]));
                into.corners[corner][row].as_chunks_mut::<8>().0[block] = turned;
            }
        }
    }
    into.present = if WHOLE { a.present } else { a.present & lanes_of(part) };
    let off = map.norm * a.error * (1.0 + 4.0 * FLOAT_ROUNDOFF) + map.origin_error;
    into.finish::<L, WHOLE>(lanes, false, off, part);
}
