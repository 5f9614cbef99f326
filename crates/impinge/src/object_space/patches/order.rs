//! Puts triangles in an order in which every run of 8 and of 64 lies close together: recursive median splits of
//! their centres on the widest axis, cut at whole patches, then at whole blocks inside a patch. Files are not
//! coherent, so their order is never trusted.

use super::{BLOCK, PATCH};
use crate::mesh::{Mesh, Positions};
use crate::threads;
use rayon::prelude::*;

/// A triangle and (three times) its centre, as integers that sort like the floats.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Centre {
    pub(crate) keys: [i32; 3],
    pub(crate) triangle: u32,
}

/// Below this many triangles a split is not worth a task of its own.
const TASK: usize = 8192;

/// The centre of one triangle. Its precision only matters for speed.
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
    if threads::many() && count > TASK {
        (0..count).into_par_iter().with_min_len(TASK).map(nth).collect_into_vec(into);
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

/// How many elements go to the left half: a whole number of patches, or of blocks inside one patch.
#[inline]
pub(crate) fn left_count(count: usize) -> usize {
    let unit = if count > PATCH { PATCH } else { BLOCK };
    count.div_ceil(unit).div_ceil(2) * unit
}

/// Orders the centres. Where equal keys end up is up to the selection, which is deterministic.
pub(crate) fn order(centres: &mut [Centre]) {
    if centres.len() <= BLOCK {
        return;
    }
    let axis = widest_axis(centres);
    let left = left_count(centres.len());
    centres.select_nth_unstable_by_key(left, |c| c.keys[axis]);
    let (first, second) = centres.split_at_mut(left);
    if first.len() > TASK {
        threads::join(|| order(first), || order(second));
    } else {
        order(first);
        order(second);
    }
}

fn widest_axis(centres: &[Centre]) -> usize {
    let mut low = [i32::MAX; 3];
    let mut high = [i32::MIN; 3];
    for c in centres {
        for axis in 0..3 {
            low[axis] = low[axis].min(c.keys[axis]);
            high[axis] = high[axis].max(c.keys[axis]);
        }
    }
    let extent = |axis: usize| float(high[axis]) - float(low[axis]);
    let mut widest = 0;
    for axis in 1..3 {
        if extent(axis) > extent(widest) {
            widest = axis;
        }
    }
    widest
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
}
