//! Pairs of neighbours from stars that were not certified, eight at a time: most of them are apart after all.
//!
//! Both triangles have the vertex `v`; `p, q` and `r, s` are their other corners. If `r` and `s` lie strictly on one
//! side of the plane of `v p q`, the triangles share just `v`; likewise the other way round. If they share an edge
//! `v p = v r`, it is enough that `s` is off the plane of `v p q`. Each is the sign of a determinant of three vectors from
//! `v`, all off by at most `u m`, `m` the longest: 3 * 6 u m^3 for that, 5 * 6 u m^3 for the evaluation.

use super::arcs::Arcs;
use crate::bvh::placement::Placement;
use crate::simd::wide3 as wide;
use crate::simd::{Kernel, Lanes, Machine};
use crate::util::tolerance::{FLOAT_ROUNDOFF, NEIGHBOUR_FILTER, TINY};

/// Two triangles that share a vertex.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Neighbours {
    pub(crate) triangles: [u32; 2],
    /// `v`, then `p, q`, then `r, s`.
    vertices: [u32; 5],
    share_edge: bool,
}

/// Pairs until there are enough for a batch.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: Vec<Neighbours>,
    /// Scratch space.
    pub(crate) arcs: Arcs,
}

impl Queue {
    /// Appends a pair that shares `vertex`, and perhaps more.
    pub(crate) fn push(&mut self, triangles: [u32; 2], corners: [[u32; 3]; 2], vertex: u32) {
        let others = |t: [u32; 3]| {
            let at = t.iter().position(|&v| v == vertex).unwrap_or(0);
            [t[(at + 1) % 3], t[(at + 2) % 3]]
        };
        let ([p, q], [r, s]) = (others(corners[0]), others(corners[1]));
        let shared = u8::from(p == r || p == s) + u8::from(q == r || q == s);
        self.waiting.push(Neighbours { triangles, vertices: [vertex, p, q, r, s], share_edge: shared == 1 });
    }

    pub(crate) fn is_full(&self) -> bool {
        self.waiting.len() >= 512
    }

    /// Visits the pairs that floats cannot separate, and empties the queue.
    pub(crate) fn flush(&mut self, at: Placement<'_>, machine: Machine, mut visit: impl FnMut([u32; 2])) {
        for eight in self.waiting.chunks(8) {
            let apart = machine.run(Apart { at, pairs: eight });
            for (lane, pair) in eight.iter().enumerate() {
                if apart >> lane & 1 == 0 {
                    visit(pair.triangles);
                }
            }
        }
        self.waiting.clear();
    }
}

/// Bit `i` is set where pair `i` certainly shares nothing more.
struct Apart<'a> {
    at: Placement<'a>,
    pairs: &'a [Neighbours],
}

impl Kernel for Apart<'_> {
    type Output = u8;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> u8 {
        let mut spokes = [[[0.0f32; 8]; 3]; 4];
        let mut share_edge = 0u8;
        for (lane, pair) in self.pairs.iter().enumerate() {
            share_edge |= u8::from(pair.share_edge) << lane;
            if let Some((p, unit)) = self.at.exact() {
                let v = p[pair.vertices[0] as usize];
                for i in 0..4 {
                    let at = p[pair.vertices[i + 1] as usize];
                    for axis in 0..3 {
                        spokes[i][axis][lane] = at[axis] * unit - v[axis] * unit;
                    }
                }
                continue;
            }
            let Placement { body, unit, .. } = self.at;
            let v = body.world_position(pair.vertices[0] as usize);
            for i in 0..4 {
                let at = body.world_position(pair.vertices[i + 1] as usize);
                for axis in 0..3 {
                    spokes[i][axis][lane] = (at[axis] * unit - v[axis] * unit) as f32;
                }
            }
        }
        let (p, q) = (wide::load(lanes, &spokes[0]), wide::load(lanes, &spokes[1]));
        let (r, s) = (wide::load(lanes, &spokes[2]), wide::load(lanes, &spokes[3]));
        let size = lanes.max(
            lanes.max(wide::size(lanes, p), wide::size(lanes, q)),
            lanes.max(wide::size(lanes, r), wide::size(lanes, s)),
        );
        let cube = lanes.mul(lanes.mul(size, size), size);
        let bound =
            lanes.mul_add(lanes.splat(NEIGHBOUR_FILTER * FLOAT_ROUNDOFF), cube, lanes.splat(4.0 * TINY));
        let below = lanes.sub(lanes.splat(0.0), bound);
        let (normal_a, normal_b) = (wide::cross(lanes, p, q), wide::cross(lanes, r, s));
        let heights = [
            wide::dot(lanes, normal_a, r),
            wide::dot(lanes, normal_a, s),
            wide::dot(lanes, normal_b, p),
            wide::dot(lanes, normal_b, q),
        ];
        let mut over = [0u8; 4];
        let mut under = [0u8; 4];
        for i in 0..4 {
            over[i] = lanes.bits(lanes.gt(heights[i], bound));
            under[i] = lanes.bits(lanes.gt(below, heights[i]));
        }
        let one_sided = over[0] & over[1] | under[0] & under[1] | over[2] & over[3] | under[2] & under[3];
        let any = over[0] | over[1] | under[0] | under[1];
        one_sided & !share_edge | any & share_edge
    }
}
