//! The last float stage: all fifteen signs of a triangle pair, eight pairs at a time. The bounds and their proof are in
//! [`super::filters`].

use super::filters::{FilterPair, Frame, corners, minus, moved};
use super::queues::LanePair;
use crate::simd::Lanes;
use crate::simd::wide3 as wide;
use crate::simd::wide3::Wide3;

/// Classifies eight pairs at a time by all fifteen signs: certain contact, certain miss, or doubt.
#[inline(always)]
pub(crate) fn cross_edges<L: Lanes>(
    lanes: L,
    pairs: &[FilterPair<'_>],
    frames: &[Frame],
    queue: &[LanePair],
    hits: &mut Vec<LanePair>,
    doubts: &mut Vec<LanePair>,
) {
    for group in queue.chunks(8) {
        // Relative to the first corner of `a`: corners 1 and 2 of `a`, all of `b`; then the two bounds.
        let mut relative = [[[0.0f32; 8]; 3]; 5];
        let mut bounds = [[f32::MAX; 8]; 2];
        for (lane, entry) in group.iter().enumerate() {
            let (pair, frame) = (&pairs[entry.pair()], &frames[entry.pair()]);
            let [p, q, r] = corners(pair.a, entry.a());
            let origin = moved(p, &frame.shift);
            let b = corners(pair.b, entry.b());
            let points =
                [minus(q, p), minus(r, p), minus(b[0], origin), minus(b[1], origin), minus(b[2], origin)];
            for (point, row) in points.iter().zip(&mut relative) {
                for axis in 0..3 {
                    row[axis][lane] = point[axis];
                }
            }
            bounds[0][lane] = frame.plane_a;
            bounds[1][lane] = frame.edge;
        }
        let p = [wide::load(lanes, &relative[0]), wide::load(lanes, &relative[1])];
        let q = [
            wide::load(lanes, &relative[2]),
            wide::load(lanes, &relative[3]),
            wide::load(lanes, &relative[4]),
        ];
        let verdict = verdict(lanes, p, q, lanes.load(&bounds[0]), lanes.load(&bounds[1]));
        for (lane, entry) in group.iter().enumerate() {
            if verdict.hit >> lane & 1 == 1 {
                hits.push(*entry);
            } else if verdict.miss >> lane & 1 == 0 {
                doubts.push(*entry);
            }
        }
    }
}

/// Lanes above the bound, and lanes below its negative.
#[inline(always)]
fn signs<L: Lanes>(lanes: L, value: L::F, bound: L::F) -> (u8, u8) {
    let below = lanes.sub(lanes.splat(0.0), bound);
    (lanes.bits(lanes.gt(value, bound)), lanes.bits(lanes.gt(below, value)))
}

/// Lanes whose answer is certain.
struct Verdict {
    hit: u8,
    miss: u8,
}

#[inline(always)]
fn verdict<L: Lanes>(
    lanes: L,
    [p1, p2]: [Wide3<L>; 2],
    q: [Wide3<L>; 3],
    plane_a: L::F,
    edge: L::F,
) -> Verdict {
    let zero = [lanes.splat(0.0); 3];
    let d = [p1, wide::minus(lanes, p2, p1), wide::minus(lanes, zero, p2)];
    let f = [wide::minus(lanes, q[1], q[0]), wide::minus(lanes, q[2], q[1]), wide::minus(lanes, q[0], q[2])];
    // Of the moments p x d only that of the edge opposite the origin is nonzero; it is the normal of `a`.
    let normal_a = wide::cross(lanes, p1, p2);
    let normal_b = wide::cross(lanes, f[0], f[1]);
    let side_b = [
        signs(lanes, wide::dot(lanes, normal_a, q[0]), plane_a),
        signs(lanes, wide::dot(lanes, normal_a, q[1]), plane_a),
        signs(lanes, wide::dot(lanes, normal_a, q[2]), plane_a),
    ];
    let side_a = [
        signs(lanes, wide::dot(lanes, normal_b, wide::minus(lanes, zero, q[0])), edge),
        signs(lanes, wide::dot(lanes, normal_b, wide::minus(lanes, p1, q[0])), edge),
        signs(lanes, wide::dot(lanes, normal_b, wide::minus(lanes, p2, q[0])), edge),
    ];
    let mut edges = [[(0u8, 0u8); 3]; 3];
    for j in 0..3 {
        let moment = wide::cross(lanes, q[j], f[j]);
        edges[0][j] = signs(lanes, wide::dot(lanes, d[0], moment), edge);
        let opposite = lanes.add(wide::dot(lanes, d[1], moment), wide::dot(lanes, f[j], normal_a));
        edges[1][j] = signs(lanes, opposite, edge);
        edges[2][j] = signs(lanes, wide::dot(lanes, d[2], moment), edge);
    }
    let (mut hit, mut miss) = (0u8, !0u8);
    // An edge pierces where its ends are on opposite sides and it passes all three edges on one side; it cannot where
    // its ends are on one side, or it passes two edges on different sides.
    let mut pierce = |from: (u8, u8), to: (u8, u8), s: [(u8, u8); 3]| {
        let opposite = from.0 & to.1 | from.1 & to.0;
        let same = from.0 & to.0 | from.1 & to.1;
        let (all_over, all_under) = (s[0].0 & s[1].0 & s[2].0, s[0].1 & s[1].1 & s[2].1);
        let (any_over, any_under) = (s[0].0 | s[1].0 | s[2].0, s[0].1 | s[1].1 | s[2].1);
        hit |= opposite & (all_over | all_under);
        miss &= same | any_over & any_under;
    };
    for i in 0..3 {
        let j = (i + 1) % 3;
        pierce(side_a[i], side_a[j], edges[i]);
        pierce(side_b[i], side_b[j], [edges[0][i], edges[1][i], edges[2][i]]);
    }
    Verdict { hit, miss: miss & !hit }
}
