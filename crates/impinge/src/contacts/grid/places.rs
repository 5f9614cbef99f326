//! Which body pairs share a region: floats have few digits, so their bodies should be of about one size, and
//! near each other.

use crate::broad_phase::BodyPair;
use crate::image::groups::are_far_apart;
use crate::scene::Bounds;
use crate::util::tolerance::OF_ONE_SIZE;

/// Groups pairs by the size of the smaller body, so that the floats of a region resolve the triangles of
/// every body in it.
pub(crate) fn of_one_size(pairs: &[BodyPair], boxes: &[Bounds]) -> Vec<Vec<BodyPair>> {
    let size = |slot: u32| size(&boxes[slot as usize]);
    let mut sized: Vec<(f64, BodyPair)> =
        pairs.iter().map(|pair| (size(pair.a).min(size(pair.b)), *pair)).collect();
    sized.sort_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));
    let mut classes: Vec<(f64, Vec<BodyPair>)> = Vec::new();
    for (size, pair) in sized {
        match classes.last_mut() {
            Some((largest, class)) if size >= *largest * OF_ONE_SIZE => class.push(pair),
            _ => classes.push((size, vec![pair])),
        }
    }
    let sorted = |(_, mut class): (f64, Vec<BodyPair>)| {
        class.sort_unstable();
        class
    };
    classes.into_iter().map(sorted).collect()
}

/// Half of the longest side of a box.
fn size(bounds: &Bounds) -> f64 {
    (0..3).map(|k| bounds.max[k] / 2.0 - bounds.min[k] / 2.0).fold(0.0, f64::max)
}

/// Splits pairs of one size by place, if a few places are far apart. Pairs with a common body belong
/// together, unless that body is much larger than what it meets: a common ground does not join all places.
pub(crate) fn of_one_place(pairs: Vec<BodyPair>, boxes: &[Bounds]) -> Vec<Vec<BodyPair>> {
    let is_there = |slot: u32| !boxes[slot as usize].is_empty();
    let pairs: Vec<BodyPair> =
        pairs.into_iter().filter(|pair| is_there(pair.a) && is_there(pair.b)).collect();
    let size = |slot: u32| size(&boxes[slot as usize]);
    let largest = pairs.iter().map(|pair| size(pair.a).min(size(pair.b))).fold(0.0, f64::max);
    // Union-find over pairs: each points to an earlier one of its place, or to itself.
    let mut leader: Vec<usize> = (0..pairs.len()).collect();
    let find = |leader: &mut Vec<usize>, mut pair: usize| {
        while leader[pair] != pair {
            leader[pair] = leader[leader[pair]];
            pair = leader[pair];
        }
        pair
    };
    let mut first_of: Vec<Option<usize>> = vec![None; boxes.len()];
    for (index, pair) in pairs.iter().enumerate() {
        for slot in [pair.a, pair.b].into_iter().filter(|slot| size(*slot) <= largest / OF_ONE_SIZE) {
            let first = *first_of[slot as usize].get_or_insert(index);
            let [p, q] = [find(&mut leader, first), find(&mut leader, index)];
            leader[p.max(q)] = p.min(q);
        }
    }
    let leaders: Vec<usize> = (0..pairs.len()).map(|pair| find(&mut leader, pair)).collect();
    let mut places = leaders.clone();
    places.sort_unstable();
    places.dedup();
    let mut common = vec![Bounds::EMPTY; places.len()];
    let mut of_place: Vec<Vec<BodyPair>> = vec![Vec::new(); places.len()];
    for (pair, leader) in pairs.iter().zip(&leaders) {
        let Ok(place) = places.binary_search(leader) else { continue };
        common[place] = common[place].union(boxes[pair.a as usize].common(&boxes[pair.b as usize]));
        of_place[place].push(*pair);
    }
    if are_far_apart(&common) {
        of_place
    } else if pairs.is_empty() {
        Vec::new()
    } else {
        vec![pairs]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(at: f64, side: f64) -> Bounds {
        Bounds { min: [at; 3], max: [at + side; 3] }
    }

    fn pairs(list: &[(u32, u32)]) -> Vec<BodyPair> {
        list.iter().map(|&(a, b)| BodyPair { a, b }).collect()
    }

    #[test]
    fn a_ground_under_two_places_does_not_make_them_one() {
        let boxes = [cube(0.0, 1.0), cube(0.5, 1.0), cube(1e6, 1.0), cube(1e6 + 0.5, 1.0), cube(-1.0, 2e6)];
        let near = pairs(&[(0, 1), (0, 4), (1, 4)]);
        let far = pairs(&[(2, 3), (2, 4), (3, 4)]);
        let all = pairs(&[(0, 1), (0, 4), (1, 4), (2, 3), (2, 4), (3, 4)]);
        assert_eq!(of_one_place(all, &boxes), [near, far]);
    }

    #[test]
    fn near_places_are_one_and_nothing_is_none() {
        let boxes = [cube(0.0, 1.0), cube(0.5, 1.0), cube(3.0, 1.0), cube(3.5, 1.0), Bounds::EMPTY];
        let all = pairs(&[(0, 1), (2, 3)]);
        assert_eq!(of_one_place(all.clone(), &boxes), [all]);
        assert!(of_one_place(pairs(&[(4, 4), (0, 4)]), &boxes).is_empty());
    }
}
