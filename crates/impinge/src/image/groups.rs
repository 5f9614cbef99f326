//! From pairs of bodies to groups that are looked at together: all of them in one image, unless they lie so far apart that
//! nothing could be seen there.

use crate::broad_phase::BodyPair;
use crate::scene::Bounds;

/// More groups than this are looked at together: every view costs as much as all.
const MAX_GROUPS: usize = 8;

/// Groups have views of their own when the square of the whole's size is so many times the sum of theirs: fewer than one
/// pixel in as many would show any of them.
const FAR_APART: f64 = 64.0;

/// Bodies that may collide with each other, and where.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Group {
    /// Slots of the bodies, sorted.
    pub(crate) slots: Vec<usize>,
    /// What the boxes of each pair have in common.
    pub(crate) regions: Vec<Bounds>,
}

impl Group {
    /// The groups of some pairs; no body is in two.
    pub(crate) fn of(pairs: &[BodyPair], boxes: &[Bounds]) -> Vec<Self> {
        let pairs: Vec<[usize; 2]> = pairs
            .iter()
            .map(|pair| [pair.a as usize, pair.b as usize])
            .filter(|[a, b]| !boxes[*a].is_empty() && !boxes[*b].is_empty())
            .collect();
        // Every body points to one of its group with a lower slot, or to itself.
        let mut leader: Vec<usize> = (0..boxes.len()).collect();
        let find = |leader: &[usize], mut slot: usize| {
            while leader[slot] != slot {
                slot = leader[slot];
            }
            slot
        };
        for &[a, b] in &pairs {
            let [a, b] = [find(&leader, a), find(&leader, b)];
            leader[a.max(b)] = a.min(b);
        }
        let leaders: Vec<usize> = (0..boxes.len()).map(|slot| find(&leader, slot)).collect();
        let mut first: Vec<usize> = pairs.iter().map(|[a, _]| leaders[*a]).collect();
        first.sort_unstable();
        first.dedup();
        let group = |belongs: &dyn Fn(usize) -> bool| {
            let of_group = || pairs.iter().filter(|[a, _]| belongs(leaders[*a]));
            let mut slots: Vec<usize> = of_group().flatten().copied().collect();
            slots.sort_unstable();
            slots.dedup();
            Self { slots, regions: of_group().map(|[a, b]| boxes[*a].common(&boxes[*b])).collect() }
        };
        if first.len() <= MAX_GROUPS {
            let groups: Vec<Self> = first.iter().map(|&lead| group(&|leader| leader == lead)).collect();
            let all = |group: &Self| group.regions.iter().fold(Bounds::EMPTY, |all, b| all.union(*b));
            if are_far_apart(&groups.iter().map(all).collect::<Vec<_>>()) {
                return groups;
            }
        }
        if first.is_empty() { Vec::new() } else { vec![group(&|_| true)] }
    }
}

/// Whether a few boxes are so far apart that each should be looked at alone.
pub(crate) fn are_far_apart(bounds: &[Bounds]) -> bool {
    let whole = bounds.iter().fold(Bounds::EMPTY, |all, b| all.union(*b));
    // Halved, and as parts of the whole, so that nothing overflows.
    let half = |b: &Bounds, k: usize| b.max[k] / 2.0 - b.min[k] / 2.0;
    let largest = (0..3).map(|k| half(&whole, k)).fold(f64::MIN_POSITIVE, f64::max);
    let square = |b: &Bounds| (0..3).map(|k| (half(b, k) / largest).powi(2)).sum::<f64>();
    (2..=MAX_GROUPS).contains(&bounds.len())
        && square(&whole) > FAR_APART * bounds.iter().map(square).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(at: f64) -> Bounds {
        Bounds { min: [at; 3], max: [at + 1.0; 3] }
    }

    fn pairs(list: &[(u32, u32)]) -> Vec<BodyPair> {
        list.iter().map(|&(a, b)| BodyPair { a, b }).collect()
    }

    #[test]
    fn far_groups_have_views_of_their_own_and_near_ones_share_one() {
        let chain = pairs(&[(0, 1), (2, 3), (3, 4)]);
        let slots = |at: [f64; 5]| -> Vec<Vec<usize>> {
            Group::of(&chain, &at.map(cube)).into_iter().map(|group| group.slots).collect()
        };
        assert_eq!(slots([0.0, 0.5, 1e6, 1e6 + 0.5, 1e6 + 1.0]), [vec![0, 1], vec![2, 3, 4]]);
        assert_eq!(slots([0.0, 0.5, 3.0, 3.5, 4.0]), [vec![0, 1, 2, 3, 4]]);
    }

    #[test]
    fn every_pair_has_its_region_and_nothing_is_there_without_pairs() {
        let boxes = [cube(0.0), cube(0.25), Bounds::EMPTY];
        let groups = Group::of(&pairs(&[(0, 0), (0, 1), (2, 2)]), &boxes);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].regions, [cube(0.0), Bounds { min: [0.25; 3], max: [1.0; 3] }]);
        assert!(Group::of(&[], &boxes).is_empty());
        assert!(Group::of(&pairs(&[(2, 2)]), &boxes).is_empty(), "an empty body has no region");
    }
}
