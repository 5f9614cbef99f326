//! Sweep and prune over body boxes, as in I-COLLIDE (Cohen, Lin, Manocha, Ponamgi 1995; the course's chapter on
//! N-body culling): the ends of all boxes stay sorted on three axes, and between frames insertion sort repairs the
//! order. Every pair of ends is swapped at most once, so a swap tells exactly when two boxes begin or cease to
//! overlap on an axis. When too much moved for that, everything is sorted anew.

use super::BodyPair;
use crate::scene::Bounds;
use std::collections::HashSet;

/// Swaps per box end and axis beyond which sorting anew is cheaper than going on.
const SWAPS_PER_END: usize = 24;

/// One end of one box on one axis.
#[derive(Clone, Copy, Debug)]
struct End {
    value: f64,
    body: u32,
    is_max: bool,
}

impl End {
    /// At equal values the lower ends come first: closed boxes that touch overlap.
    fn key(&self) -> (f64, bool) {
        (self.value, self.is_max)
    }
}

/// Keeps the sorted box ends and the overlapping pairs between frames.
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    axes: [Vec<End>; 3],
    present: Vec<bool>,
    overlapping: HashSet<BodyPair>,
    sorted_pairs: Vec<BodyPair>,
    /// Pairs that came or went in this update, and room for merging them into the others.
    changed: Vec<BodyPair>,
    merged: Vec<BodyPair>,
}

impl SweepAndPrune {
    /// The pairs `a < b` of boxes that overlapped at the last update, sorted.
    pub fn pairs(&self) -> &[BodyPair] {
        &self.sorted_pairs
    }

    /// Follows the boxes to where they are now. Empty boxes stand for bodies that are not there.
    pub fn update(&mut self, boxes: &[Bounds]) {
        let same_bodies = boxes.len() == self.present.len()
            && boxes.iter().zip(&self.present).all(|(bounds, &present)| bounds.is_empty() != present);
        if !(same_bodies && self.repair(boxes)) {
            self.rebuild(boxes);
        }
    }

    /// Moves the ends, restores the order and follows the swaps; `false` when that takes too many.
    fn repair(&mut self, boxes: &[Bounds]) -> bool {
        self.changed.clear();
        for axis in 0..3 {
            let ends = &mut self.axes[axis];
            for end in ends.iter_mut() {
                let bounds = &boxes[end.body as usize];
                end.value = unsigned_zero(if end.is_max { bounds.max[axis] } else { bounds.min[axis] });
            }
            let mut swaps_left = ends.len() * SWAPS_PER_END;
            for i in 1..ends.len() {
                let mut at = i;
                while at > 0 && ends[at].key() < ends[at - 1].key() {
                    let (moving, passed) = (ends[at], ends[at - 1]);
                    ends.swap(at, at - 1);
                    at -= 1;
                    if swaps_left == 0 {
                        return false;
                    }
                    swaps_left -= 1;
                    if moving.is_max == passed.is_max || moving.body == passed.body {
                        continue;
                    }
                    let pair = BodyPair { a: moving.body.min(passed.body), b: moving.body.max(passed.body) };
                    let changed = if moving.is_max {
                        self.overlapping.remove(&pair) // an upper end moved below a lower one
                    } else {
                        boxes[pair.a as usize].overlaps(&boxes[pair.b as usize])
                            && self.overlapping.insert(pair)
                    };
                    if changed {
                        self.changed.push(pair);
                    }
                }
            }
        }
        self.merge_changed();
        true
    }

    fn rebuild(&mut self, boxes: &[Bounds]) {
        self.present.clear();
        self.present.extend(boxes.iter().map(|bounds| !bounds.is_empty()));
        for (axis, ends) in self.axes.iter_mut().enumerate() {
            ends.clear();
            for (body, bounds) in boxes.iter().enumerate().filter(|(_, bounds)| !bounds.is_empty()) {
                let body = body as u32;
                ends.push(End { value: unsigned_zero(bounds.min[axis]), body, is_max: false });
                ends.push(End { value: unsigned_zero(bounds.max[axis]), body, is_max: true });
            }
            ends.sort_unstable_by(|p, q| p.value.total_cmp(&q.value).then(p.is_max.cmp(&q.is_max)));
        }
        self.overlapping.clear();
        let mut open: Vec<u32> = Vec::new();
        for end in &self.axes[widest_axis(boxes)] {
            if end.is_max {
                open.retain(|&body| body != end.body);
                continue;
            }
            for &other in &open {
                if boxes[end.body as usize].overlaps(&boxes[other as usize]) {
                    self.overlapping.insert(BodyPair { a: end.body.min(other), b: end.body.max(other) });
                }
            }
            open.push(end.body);
        }
        self.list_pairs();
    }

    /// Brings the sorted list up to date: of pairs that changed, perhaps more than once, those that overlap now are in it.
    fn merge_changed(&mut self) {
        if self.changed.is_empty() {
            return;
        }
        self.changed.sort_unstable();
        self.changed.dedup();
        self.merged.clear();
        let mut old = self.sorted_pairs.iter().copied().peekable();
        for &pair in &self.changed {
            while let Some(before) = old.next_if(|&other| other < pair) {
                self.merged.push(before);
            }
            old.next_if_eq(&pair);
            if self.overlapping.contains(&pair) {
                self.merged.push(pair);
            }
        }
        self.merged.extend(old);
        std::mem::swap(&mut self.sorted_pairs, &mut self.merged);
    }

    fn list_pairs(&mut self) {
        self.sorted_pairs.clear();
        self.sorted_pairs.extend(&self.overlapping);
        self.sorted_pairs.sort_unstable();
    }
}

/// The same number, but without the sign of a zero: the sort tells zeros apart, boxes do not.
fn unsigned_zero(x: f64) -> f64 {
    x + 0.0
}

/// The axis on which the boxes are spread widest compared with their own size.
fn widest_axis(boxes: &[Bounds]) -> usize {
    let spread = |axis: usize| {
        let present = || boxes.iter().filter(|bounds| !bounds.is_empty());
        let low = present().map(|bounds| bounds.min[axis]).fold(f64::INFINITY, f64::min);
        let high = present().map(|bounds| bounds.max[axis]).fold(f64::NEG_INFINITY, f64::max);
        let sizes: f64 = present().map(|bounds| (bounds.max[axis] - bounds.min[axis]) / (high - low)).sum();
        if sizes.is_nan() { f64::INFINITY } else { sizes }
    };
    let spreads = [spread(0), spread(1), spread(2)];
    (0..3).min_by(|&p, &q| spreads[p].total_cmp(&spreads[q])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brute_force(boxes: &[Bounds]) -> Vec<BodyPair> {
        let all = (0..boxes.len()).flat_map(|a| (a + 1..boxes.len()).map(move |b| (a, b)));
        all.filter(|&(a, b)| boxes[a].overlaps(&boxes[b]) && !boxes[a].is_empty() && !boxes[b].is_empty())
            .map(|(a, b)| BodyPair { a: a as u32, b: b as u32 })
            .collect()
    }

    #[test]
    fn boxes_that_touch_at_zero_overlap_whatever_the_sign_of_the_zero() {
        for zeros in [[0.0, 0.0], [0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0]] {
            let left = Bounds { min: [-1.0; 3], max: [zeros[0], 1.0, 1.0] };
            let right = Bounds { min: [zeros[1], -1.0, -1.0], max: [1.0; 3] };
            let mut sweep = SweepAndPrune::default();
            sweep.update(&[left, right]);
            assert_eq!(sweep.pairs().len(), 1, "{zeros:?}");
        }
    }

    #[test]
    fn moving_appearing_and_teleporting_boxes_give_the_pairs_of_brute_force() {
        let mut state = 7u64;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            f64::from((state >> 40) as u32) / f64::from(1 << 24)
        };
        // On a coarse grid, so that ends coincide.
        let snap = |x: f64| (x * 16.0).round() / 16.0;
        let mut boxes: Vec<Bounds> = Vec::new();
        let mut sweep = SweepAndPrune::default();
        let mut seen = 0;
        for frame in 0..400 {
            let count = if frame % 50 == 49 { 30 + frame / 10 } else { boxes.len().max(30) };
            let teleport = frame % 37 == 0;
            boxes.resize(count, Bounds::EMPTY);
            for bounds in &mut boxes {
                if random() < 0.02 {
                    *bounds = Bounds::EMPTY;
                } else if bounds.is_empty() || teleport {
                    let min = [0; 3].map(|_| snap(random() * 4.0));
                    *bounds = Bounds { min, max: min.map(|x| x + snap(random())) };
                } else {
                    let step = [0; 3].map(|_| snap(random() * 0.3 - 0.15));
                    bounds.min = [0, 1, 2].map(|i| bounds.min[i] + step[i]);
                    bounds.max = [0, 1, 2].map(|i| bounds.max[i] + step[i]);
                }
            }
            let expected = brute_force(&boxes);
            sweep.update(&boxes);
            assert_eq!(sweep.pairs(), expected, "frame {frame}");
            seen += expected.len();
        }
        assert!(seen > 1000, "the test must see overlaps, saw {seen}");
    }
}
