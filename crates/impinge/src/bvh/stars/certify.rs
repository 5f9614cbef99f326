//! The certificate of a vertex star: statement and proof are in [`super`].

use super::NONE;
use crate::bvh::placement::Placement;
use crate::simd::wide3 as wide;
use crate::simd::{Kernel, Lanes};
use crate::util::tolerance::{FLOAT_ROUNDOFF, STAR_FILTER, TINY};

/// The certificate, eight vertices at a time.
pub(crate) struct Certify<'a> {
    pub(crate) at: Placement<'a>,
    pub(crate) middles: &'a [[u32; 8]],
    /// `len` rows for each eight.
    pub(crate) rings: &'a [[u32; 8]],
    pub(crate) len: usize,
    pub(crate) closed: bool,
    pub(crate) certificates: &'a mut Certificates,
}

/// Scratch space, and the result.
#[derive(Debug, Default)]
pub(crate) struct Certificates {
    /// Vertices that are not certified are appended.
    pub(crate) failed: Vec<u32>,
    /// Vectors from the centre to the ring, one row per ring vertex.
    spokes: Vec<[[f32; 8]; 3]>,
}

impl Kernel for Certify<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { at, middles, rings, len, closed, certificates } = self;
        let Certificates { failed, spokes } = certificates;
        // Rows of a longer ring are kept.
        if spokes.len() < len {
            spokes.resize(len, [[0.0; 8]; 3]);
        }
        let spokes = &mut spokes[..len];
        for (middles, ring) in middles.iter().zip(rings.chunks_exact(len)) {
            read(at, middles, ring, spokes);
            let mut doubtful = !certify(lanes, spokes, closed);
            while doubtful != 0 {
                let lane = doubtful.trailing_zeros() as usize;
                doubtful &= doubtful - 1;
                if middles[lane] != NONE {
                    failed.push(middles[lane]);
                }
            }
        }
    }
}

/// Vectors from the centres to the rings. Each is rounded once, or once to f64 and once to f32; scaled first, so that
/// nothing overflows.
#[inline(always)]
fn read(at: Placement<'_>, middles: &[u32; 8], ring: &[[u32; 8]], spokes: &mut [[[f32; 8]; 3]]) {
    if let Some((p, unit)) = at.exact() {
        let mut middle = [[0.0f32; 3]; 8];
        for lane in 0..8 {
            if let Some(at) = p.get(middles[lane] as usize) {
                middle[lane] = *at;
            }
        }
        for (row, vertices) in spokes.iter_mut().zip(ring) {
            for lane in 0..8 {
                let at = p[vertices[lane] as usize];
                for axis in 0..3 {
                    row[axis][lane] = at[axis] * unit - middle[lane][axis] * unit;
                }
            }
        }
        return;
    }
    let Placement { body, unit, .. } = at;
    for lane in 0..8 {
        if middles[lane] == NONE {
            continue;
        }
        let middle = body.world_position(middles[lane] as usize);
        for (row, vertices) in spokes.iter_mut().zip(ring) {
            let at = body.world_position(vertices[lane] as usize);
            for axis in 0..3 {
                row[axis][lane] = (at[axis] * unit - middle[axis] * unit) as f32;
            }
        }
    }
}

/// Bit `i` is set when star `i` is certified.
#[inline(always)]
fn certify<L: Lanes>(lanes: L, spokes: &[[[f32; 8]; 3]], closed: bool) -> u8 {
    let len = spokes.len();
    let steps = if closed { len } else { len - 1 };
    let zero = lanes.splat(0.0);
    let first = wide::load(lanes, &spokes[0]);
    let mut normal = [zero; 3];
    let mut size = wide::size(lanes, first);
    let mut e = first;
    for i in 0..steps {
        let next = wide::load(lanes, &spokes[(i + 1) % len]);
        normal = wide::add(lanes, normal, wide::cross(lanes, e, next));
        size = lanes.max(size, wide::size(lanes, next));
        e = next;
    }
    // Error of det(n, e, e'): 2 perturbations of u m, 6 |n| m^2 each; 5 roundings of a permanent of 6 |n| m^2.
    let thickness = wide::size(lanes, normal);
    let bound =
        lanes.mul(lanes.mul(lanes.splat(STAR_FILTER * FLOAT_ROUNDOFF), thickness), lanes.mul(size, size));
    // Underflow: as many times 2^-150 as above, times at most |n| or m once.
    let bound =
        lanes.mul_add(lanes.splat(TINY), lanes.add(lanes.add(thickness, size), lanes.splat(1.0)), bound);
    let below = lanes.sub(zero, bound);

    let mut certified = !0u8;
    // Lanes in which all spokes so far are certainly on the left of the first one.
    let mut left = !0u8;
    e = first;
    for i in 0..steps {
        let next = wide::load(lanes, &spokes[(i + 1) % len]);
        certified &= lanes.bits(lanes.gt(wide::dot(lanes, normal, wide::cross(lanes, e, next)), bound));
        e = next;
        if i == 0 || (closed && i + 1 == steps) {
            continue; // the first step starts on the left, the last of a closed ring comes back to the start
        }
        let side = wide::dot(lanes, normal, wide::cross(lanes, first, next));
        let on_left = lanes.bits(lanes.gt(side, bound));
        let on_right = lanes.bits(lanes.gt(below, side));
        let unknown = !(on_left | on_right);
        // Left only after left; one doubtful spoke after left; right after anything.
        certified &= on_right | (on_left & left) | (unknown & left);
        left &= on_left;
    }
    certified
}
