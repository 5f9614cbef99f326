//! Orders triangles so that every run of 8 and of 64 is compact: recursive median splits of their centres along the
//! widest axis, at whole patches, then at whole blocks inside a patch. The order in the file is not relied on.

use super::{BLOCK, PATCH};
use crate::scene::{Mesh, Positions};
use crate::simd::{Kernel, Lanes, Machine};
use crate::util::threads;
use rayon::prelude::*;

/// A triangle and (three times) its centre, as integers that sort like the floats.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Centre {
    pub(crate) keys: [i32; 3],
    pub(crate) triangle: u32,
}

/// Fewer triangles are not worth a task of their own.
const TASK_TRIANGLES: usize = 8192;

/// The centre of one triangle. Its precision affects speed only.
#[inline]
pub(crate) fn centre(positions: &Positions, corners: [u32; 3], triangle: u32) -> Centre {
    let sum: [f32; 3] = match positions {
        Positions::F32(p) => {
            let [a, b, c] = corners.map(|v| p[v as usize]);
            [a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]]
        }
        Positions::F64(p) => {
            let [a, b, c] = corners.map(|v| p[v as usize]);
            [0, 1, 2].map(|i| (a[i] + b[i] + c[i]) as f32)
        }
    };
    Centre { keys: sum.map(sortable), triangle }
}

/// All triangles of a mesh, or those listed.
pub(crate) fn centres(mesh: &Mesh, listed: Option<&[u32]>, into: &mut Vec<Centre>) {
    let corners = mesh.triangles();
    let make = |t: u32| centre(mesh.positions(), corners[t as usize], t);
    let count = listed.map_or(corners.len(), <[u32]>::len);
    let nth = |i: usize| make(listed.map_or(i as u32, |list| list[i]));
    if threads::many() && count > TASK_TRIANGLES {
        (0..count).into_par_iter().with_min_len(TASK_TRIANGLES).map(nth).collect_into_vec(into);
    } else {
        into.clear();
        into.extend((0..count).map(nth));
    }
}

/// Order-preserving map from floats (NaN aside) to integers.
#[inline]
fn sortable(x: f32) -> i32 {
    let bits = x.to_bits() as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

#[inline]
fn float(key: i32) -> f32 {
    f32::from_bits((key ^ ((key >> 31) as u32 >> 1) as i32) as u32)
}

/// Size of the left half: whole patches, or whole blocks inside one patch.
#[inline]
pub(crate) fn left_count(count: usize) -> usize {
    let unit = if count > PATCH { PATCH } else { BLOCK };
    count.div_ceil(unit).div_ceil(2) * unit
}

/// Orders the centres. Ties are broken by the selection, which is deterministic.
pub(crate) fn order(centres: &mut [Centre], machine: Machine) {
    if centres.len() <= TASK_TRIANGLES || !threads::many() {
        machine.run(Order(centres));
        return;
    }
    let (first, second) = machine.run(Halve(centres));
    threads::join(|| order(first, machine), || order(second, machine));
}

/// Only the first split; returns the size of the left half.
pub(crate) fn halve(centres: &mut [Centre], machine: Machine) -> usize {
    machine.run(Halve(centres)).0.len()
}

struct Order<'a>(&'a mut [Centre]);

impl Kernel for Order<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        if self.0.len() <= PATCH {
            lanes.run(OrderPatch(self.0));
            return;
        }
        let (first, second) = lanes.run(Halve(self.0));
        lanes.run(Order(first));
        lanes.run(Order(second));
    }
}

/// The two halves along the widest axis.
struct Halve<'a>(&'a mut [Centre]);

impl<'a> Kernel for Halve<'a> {
    type Output = (&'a mut [Centre], &'a mut [Centre]);
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Self::Output {
        let (axis, ..) = widest_axis(self.0);
        let left = left_count(self.0.len());
        self.0.select_nth_unstable_by_key(left, |c| c.keys[axis]);
        self.0.split_at_mut(left)
    }
}

/// Orders the blocks of one patch: at this size ranking by counting is faster than selection.
struct OrderPatch<'a>(&'a mut [Centre]);

impl Kernel for OrderPatch<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let mut parts = [(0, self.0.len()); PATCH / BLOCK];
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let (first, count) = parts[waiting];
            if count > BLOCK {
                let part = &mut self.0[first..first + count];
                match count.div_ceil(2 * BLOCK) {
                    1 => sort_widest::<{ 2 * BLOCK }>(part),
                    2 => sort_widest::<{ 4 * BLOCK }>(part),
                    _ => sort_widest::<PATCH>(part),
                }
                let left = left_count(count);
                parts[waiting] = (first, left);
                parts[waiting + 1] = (first + left, count - left);
                waiting += 2;
            }
        }
    }
}

/// Sorts up to `N` triangles along their widest axis.
#[inline(always)]
fn sort_widest<const N: usize>(centres: &mut [Centre]) {
    let (axis, low, high) = widest_axis(centres);
    // Differences, truncated to 24 bits, above the lane: distinct and positive.
    let cut = 8u32.saturating_sub(high.abs_diff(low).leading_zeros());
    let mut keys = [i32::MAX; N];
    for (lane, (key, c)) in keys.iter_mut().zip(&*centres).enumerate() {
        *key = ((c.keys[axis].abs_diff(low) >> cut) << 6) as i32 | lane as i32;
    }
    let mut ranks = [0i32; N];
    for &key in &keys[..centres.len().min(N)] {
        for lane in 0..N {
            ranks[lane] += i32::from(key < keys[lane]);
        }
    }
    let mut sorted = [Centre::default(); N];
    for (c, rank) in centres.iter().zip(ranks) {
        sorted[rank as usize % N] = *c;
    }
    centres.copy_from_slice(&sorted[..centres.len()]);
}

/// The axis of the largest extent of the centres, and the least and greatest key on it.
#[inline(always)]
fn widest_axis(centres: &[Centre]) -> (usize, i32, i32) {
    let mut low = [i32::MAX; 4];
    let mut high = [i32::MIN; 4];
    for &Centre { keys: [x, y, z], .. } in centres {
        for (axis, key) in [x, y, z, 0].into_iter().enumerate() {
            low[axis] = low[axis].min(key);
            high[axis] = high[axis].max(key);
        }
    }
    let extent = |axis: usize| float(high[axis]) - float(low[axis]);
    let mut widest = 0;
    for axis in 1..3 {
        if extent(axis) > extent(widest) {
            widest = axis;
        }
    }
    (widest, low[widest], high[widest])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sortable_keys_sort_like_floats_and_come_back() {
        let floats = [f32::NEG_INFINITY, -3.0e30, -1.0, -1e-40, -0.0, 0.0, 1e-40, 2.5, f32::INFINITY];
        for pair in floats.windows(2) {
            assert!(sortable(pair[0]) <= sortable(pair[1]), "{pair:?}");
        }
        for x in floats {
            assert_eq!(float(sortable(x)).to_bits(), x.to_bits());
        }
    }

    #[test]
    fn halves_are_whole_patches_and_never_empty() {
        for count in BLOCK + 1..5 * PATCH {
            let left = left_count(count);
            assert!(left > 0 && left < count);
            assert_eq!(left % if count > PATCH { PATCH } else { BLOCK }, 0);
        }
    }

    #[test]
    fn every_block_lies_on_one_side_of_the_others() {
        let mut centres: Vec<Centre> = (0..1000u32)
            .map(|t| {
                let random = |k: u32| ((t + 1).wrapping_mul(k) >> 8) as f32 - 8e6;
                Centre {
                    keys: [0x9e37_79b1, 0x85eb_ca6b, 0xc2b2_ae35].map(|k| sortable(random(k))),
                    triangle: t,
                }
            })
            .collect();
        order(&mut centres, Machine::detect());
        let mut seen: Vec<u32> = centres.iter().map(|c| c.triangle).collect();
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..1000));
        check(&centres);
    }

    /// Both halves, all the way down, are separated on the axis that was widest before the split.
    fn check(centres: &[Centre]) {
        if centres.len() > BLOCK {
            let (axis, ..) = widest_axis(centres);
            let (first, second) = centres.split_at(left_count(centres.len()));
            // Inside a patch the low digits of a key are ignored.
            let key = |c: &Centre| if centres.len() > PATCH { c.keys[axis] } else { c.keys[axis] >> 8 };
            assert!(first.iter().map(key).max() <= second.iter().map(key).min().map(|k| k + 1));
            check(first);
            check(second);
        }
    }
}
