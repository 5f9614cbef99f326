//! Triangles constant along one axis, as machine parts have them, and triangles with a corner in common, as parts that lie flush on
//! each other have them: decided before the float filters, which could only say that all their signs are in doubt.
//!
//! Two triangles constant along one axis are apart where the constants differ. Else they lie in one plane, and are separated
//! exactly if all corners of one lie strictly beyond a side of the other. Floats say so, or that no side separates, where
//! their error bound proves it; exact arithmetic in two dimensions ([`crate::exact::batch`]) decides the rest.
//!
//! **Bound.** Coordinates are exact, and `r` bounds every difference of two. A computed difference is off by at most
//! `u r`, so each of the two products of a sign by at most `(2u + u^2) r^2`, and by one more rounding, at most
//! `u (1 + u)^2 r^2`; their difference is rounded once, at most `2u (1 + u)^3 r^2`. All together are below `9u r^2`;
//! [`PLANAR_FILTER`] is larger, and the underflow of the float filters is added.
//!
//! Only for patches whose coordinates are exact to the last bit: equal coordinates are then equal in the world.

use super::filters::{FilterPair, Frame, corners};
use super::queues::{BlockPair, LanePair, ReservedQueue};
use crate::bvh::active::ActivePatch;
use crate::exact::batch::{Flat, Triangles, Verdicts, decide, decide_flat};
use crate::simd::{BIT_PLACES, Lanes};

/// Whether any two triangles of the patches are constant along one axis.
#[inline(always)]
pub(crate) fn may_be_flat(a: &ActivePatch, b: &ActivePatch) -> bool {
    let mut flat = 0;
    for axis in 0..3 {
        flat |= u8::from(a.flat[axis] & a.present != 0 && b.flat[axis] & b.present != 0);
    }
    a.lossless && b.lossless && flat != 0
}

/// A triangle of `a`, and how it is compared.
struct Seen {
    /// Index in the batch and lane, as [`BlockPair`] has them.
    number: u32,
    corners: [[f32; 3]; 3],
    /// The axis along which it is constant.
    axis: Option<usize>,
    exact: bool,
}

impl Seen {
    const NONE: Self = Self { number: u32::MAX, corners: [[0.0; 3]; 3], axis: None, exact: false };

    #[inline(always)]
    fn new(pair: &FilterPair<'_>, entry: BlockPair) -> Self {
        let mut axis = None;
        for constant in (0..3).rev() {
            if pair.a.flat[constant] >> entry.a() & 1 == 1 {
                axis = Some(constant);
            }
        }
        Self {
            number: entry.0 >> 11,
            corners: corners(pair.a, entry.a()),
            axis,
            exact: pair.a.lossless && pair.b.lossless,
        }
    }
}

/// Takes triangles with a corner in common out of `blocks`, into `hits`, and those constant along one axis: into `hits`,
/// into `planar` where floats are in doubt, or nowhere.
#[inline(always)]
pub(crate) fn take_flat<L: Lanes>(
    lanes: L,
    pairs: &[FilterPair<'_>],
    frames: &[Frame],
    blocks: &mut ReservedQueue<u32>,
    hits: &mut ReservedQueue<u32>,
    planar: &mut ReservedQueue<LanePair>,
) {
    let mut kept = 0;
    hits.clear_for(blocks.len);
    planar.clear_for(8 * blocks.len + 8);
    let mut seen = Seen::NONE;
    for at in 0..blocks.len {
        let entry = BlockPair(blocks.items[at]);
        let pair = &pairs[entry.pair()];
        if seen.number != entry.0 >> 11 {
            seen = Seen::new(pair, entry);
        }
        if !seen.exact {
            blocks.items[kept] = entry.0;
            kept += 1;
            continue;
        }
        let (block, b) = (entry.block(), pair.b);
        let mut hit = 0;
        let mut other = entry.lanes();
        if let Some(axis) = seen.axis {
            let flat = other & (b.flat[axis] >> (8 * block)) as u8;
            other &= !flat;
            let height = lanes.load(&b.corners[0][axis].as_chunks::<8>().0[block]);
            let level = flat & lanes.eq(height, lanes.splat(seen.corners[0][axis]));
            if level != 0 {
                let axes = [(axis + 1) % 3, (axis + 2) % 3];
                let shared = if pair.within {
                    0 // or they would be neighbours
                } else {
                    level & share_corner(lanes, &seen.corners, b, block, axes)
                };
                let open = level & !shared;
                hit = shared;
                if open != 0 {
                    let (touch, apart) =
                        filter_planar(lanes, &seen.corners, b, block, axes, frames[entry.pair()].planar);
                    hit |= touch & open;
                    let rest = open & !(touch | apart);
                    if rest != 0 {
                        push(planar, entry, axis, rest);
                    }
                }
            }
        }
        if other != 0 && !pair.within {
            let shared = other & share_corner_in_space(lanes, &seen.corners, b, block);
            hit |= shared;
            other &= !shared;
        }
        hits.items[hits.len] = entry.only(hit).0;
        hits.len += usize::from(hit != 0);
        blocks.items[kept] = entry.only(other).0;
        kept += usize::from(other != 0);
    }
    blocks.len = kept;
}

/// Lists pairs one by one. All eight are written, those that count first; the next call overwrites the rest.
#[inline(always)]
fn push(planar: &mut ReservedQueue<LanePair>, entry: BlockPair, axis: usize, rest: u8) {
    let base = entry.pair() as u32
        | (entry.a() as u32) << 16
        | (8 * entry.block() as u32) << 24
        | (axis as u32) << 30;
    let places = &BIT_PLACES[rest as usize];
    for (item, &place) in planar.items[planar.len..planar.len + 8].iter_mut().zip(places) {
        *item = LanePair(base + (u32::from(place) << 24));
    }
    planar.len += rest.count_ones() as usize;
}

/// Lanes of a block with a corner that has the same two coordinates as one of the triangle.
#[inline(always)]
fn share_corner<L: Lanes>(
    lanes: L,
    triangle: &[[f32; 3]; 3],
    b: &ActivePatch,
    block: usize,
    [u, v]: [usize; 2],
) -> u8 {
    let mut shared = 0;
    for corner in 0..3 {
        let x = lanes.load(&b.corners[corner][u].as_chunks::<8>().0[block & 7]);
        let y = lanes.load(&b.corners[corner][v].as_chunks::<8>().0[block & 7]);
        for p in triangle {
            shared |= lanes.eq(x, lanes.splat(p[u])) & lanes.eq(y, lanes.splat(p[v]));
        }
    }
    shared
}

/// Lanes of a block with a corner of the triangle.
#[inline(always)]
fn share_corner_in_space<L: Lanes>(lanes: L, triangle: &[[f32; 3]; 3], b: &ActivePatch, block: usize) -> u8 {
    let mut shared = 0;
    for corner in 0..3 {
        let x = lanes.load(&b.corners[corner][0].as_chunks::<8>().0[block & 7]);
        let y = lanes.load(&b.corners[corner][1].as_chunks::<8>().0[block & 7]);
        let z = lanes.load(&b.corners[corner][2].as_chunks::<8>().0[block & 7]);
        for p in triangle {
            shared |= lanes.eq(x, lanes.splat(p[0]))
                & lanes.eq(y, lanes.splat(p[1]))
                & lanes.eq(z, lanes.splat(p[2]));
        }
    }
    shared
}

/// Lanes of a block that certainly touch a triangle in their plane, and lanes that certainly do not.
#[inline(always)]
fn filter_planar<L: Lanes>(
    lanes: L,
    triangle: &[[f32; 3]; 3],
    b: &ActivePatch,
    block: usize,
    [u, v]: [usize; 2],
    bound: f32,
) -> (u8, u8) {
    let flat = |p: [f32; 3]| [p[u], p[v]];
    let mut a = triangle.map(flat);
    let area = (a[1][0] - a[0][0]) * (a[2][1] - a[0][1]) - (a[1][1] - a[0][1]) * (a[2][0] - a[0][0]);
    if area < 0.0 {
        a.swap(1, 2);
    }
    let (over, under) = (lanes.splat(bound), lanes.splat(-bound));
    let mut q = [[lanes.splat(0.0); 2]; 3];
    for corner in 0..3 {
        q[corner] = [
            lanes.load(&b.corners[corner][u].as_chunks::<8>().0[block & 7]),
            lanes.load(&b.corners[corner][v].as_chunks::<8>().0[block & 7]),
        ];
    }
    // From each corner of `a` to each of `b`.
    let mut way = [[[lanes.splat(0.0); 2]; 3]; 3];
    for i in 0..3 {
        let from = [lanes.splat(a[i][0]), lanes.splat(a[i][1])];
        for k in 0..3 {
            way[i][k] = [lanes.sub(q[k][0], from[0]), lanes.sub(q[k][1], from[1])];
        }
    }
    let certain = if area.abs() > bound { !0 } else { 0 };
    let (mut touch, mut apart) = (certain, 0);
    for i in 0..3 {
        let to = a[(i + 1) % 3];
        let edge = [lanes.splat(to[0] - a[i][0]), lanes.splat(to[1] - a[i][1])];
        let sides =
            [turn(lanes, edge, way[i][0]), turn(lanes, edge, way[i][1]), turn(lanes, edge, way[i][2])];
        let largest = lanes.max(lanes.max(sides[0], sides[1]), sides[2]);
        apart |= lanes.bits(lanes.gt(under, largest));
        touch &= lanes.bits(lanes.gt(largest, over));
    }
    apart &= certain;
    let first = [lanes.sub(q[1][0], q[0][0]), lanes.sub(q[1][1], q[0][1])];
    let last = [lanes.sub(q[0][0], q[2][0]), lanes.sub(q[0][1], q[2][1])];
    let edges = [first, [lanes.sub(q[2][0], q[1][0]), lanes.sub(q[2][1], q[1][1])], last];
    let turned = turn(lanes, last, first);
    let (left, right) = (lanes.bits(lanes.gt(turned, over)), lanes.bits(lanes.gt(under, turned)));
    for k in 0..3 {
        // Ways lead from `a` to `b`: these are negatives.
        let sides = [
            turn(lanes, way[0][k], edges[k]),
            turn(lanes, way[1][k], edges[k]),
            turn(lanes, way[2][k], edges[k]),
        ];
        let largest = lanes.max(lanes.max(sides[0], sides[1]), sides[2]);
        let smallest = lanes.min(lanes.min(sides[0], sides[1]), sides[2]);
        let beyond =
            lanes.bits(lanes.gt(under, largest)) & left | lanes.bits(lanes.gt(smallest, over)) & right;
        let reaches =
            lanes.bits(lanes.gt(largest, over)) & left | lanes.bits(lanes.gt(under, smallest)) & right;
        apart |= beyond;
        touch &= reaches;
    }
    (touch, apart)
}

/// How one vector turns to another.
#[inline(always)]
fn turn<L: Lanes>(lanes: L, from: [L::F; 2], to: [L::F; 2]) -> L::F {
    lanes.mul_sub(from[0], to[1], lanes.mul(from[1], to[0]))
}

/// Decides pairs of triangles in one plane; what has too many bits goes to `doubts`.
#[inline(always)]
pub(crate) fn decide_planar<L: Lanes>(
    lanes: L,
    pairs: &[FilterPair<'_>],
    planar: &[LanePair],
    hits: &mut Vec<LanePair>,
    doubts: &mut Vec<LanePair>,
) {
    for eight in planar.chunks(8) {
        // By triangle, corner, axis, lane.
        let mut seen = [[[[0.0f32; 8]; 2]; 3]; 2];
        for (lane, entry) in eight.iter().enumerate() {
            let pair = &pairs[entry.pair()];
            let axes = [(entry.axis() + 1) % 3, (entry.axis() + 2) % 3];
            for (seen, (patch, at)) in seen.iter_mut().zip([(pair.a, entry.a()), (pair.b, entry.b())]) {
                for corner in 0..3 {
                    for axis in 0..2 {
                        seen[corner][axis][lane] = patch.corners[corner][axes[axis]][at];
                    }
                }
            }
        }
        let (a, b) = (widen(lanes, &seen[0]), widen(lanes, &seen[1]));
        let live = (1u16 << eight.len()).wrapping_sub(1) as u8;
        let Verdicts { touch, apart } = decide_flat(lanes, &a, &b, live);
        for (lane, entry) in eight.iter().enumerate() {
            if touch >> lane & 1 == 1 {
                hits.push(*entry);
            } else if apart >> lane & 1 == 0 {
                doubts.push(*entry);
            }
        }
    }
}

#[inline(always)]
fn widen<L: Lanes>(lanes: L, t: &[[[f32; 8]; 2]; 3]) -> Flat<L> {
    [
        [lanes.widen(lanes.load(&t[0][0])), lanes.widen(lanes.load(&t[0][1]))],
        [lanes.widen(lanes.load(&t[1][0])), lanes.widen(lanes.load(&t[1][1]))],
        [lanes.widen(lanes.load(&t[2][0])), lanes.widen(lanes.load(&t[2][1]))],
    ]
}

/// Decides doubtful pairs of patches with exact coordinates without rounding error; what has too many bits is left.
#[inline(always)]
pub(crate) fn decide_doubts<L: Lanes>(
    lanes: L,
    pairs: &[FilterPair<'_>],
    hits: &mut Vec<LanePair>,
    doubts: &mut Vec<LanePair>,
) {
    let mut left = 0;
    let mut next = 0;
    while next < doubts.len() {
        let eight = next..doubts.len().min(next + 8);
        next = eight.end;
        // By triangle, corner, axis, lane.
        let mut at = [[[[0.0f32; 8]; 3]; 3]; 2];
        let mut live = 0u8;
        for (lane, entry) in doubts[eight.clone()].iter().enumerate() {
            let pair = &pairs[entry.pair()];
            live |= u8::from(pair.a.lossless && pair.b.lossless) << lane;
            for (at, triangle) in at.iter_mut().zip([corners(pair.a, entry.a()), corners(pair.b, entry.b())])
            {
                for corner in 0..3 {
                    for axis in 0..3 {
                        at[corner][axis][lane] = triangle[corner][axis];
                    }
                }
            }
        }
        let mut verdicts = Verdicts::default();
        if live != 0 {
            let (a, b) = (widen3(lanes, &at[0]), widen3(lanes, &at[1]));
            verdicts = decide(lanes, &a, &b, live);
        }
        for lane in 0..eight.len() {
            let entry = doubts[eight.start + lane];
            if verdicts.touch >> lane & 1 == 1 {
                hits.push(entry);
            } else if verdicts.apart >> lane & 1 == 0 {
                doubts[left] = entry;
                left += 1;
            }
        }
    }
    doubts.truncate(left);
}

#[inline(always)]
fn widen3<L: Lanes>(lanes: L, t: &[[[f32; 8]; 3]; 3]) -> Triangles<L> {
    let mut wide = [[lanes.splat_wide(0.0); 3]; 3];
    for corner in 0..3 {
        for axis in 0..3 {
            wide[corner][axis] = lanes.widen(lanes.load(&t[corner][axis]));
        }
    }
    wide
}
