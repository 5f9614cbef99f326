//! Colliders by their boxes: a tree when there are many, one after the other when there are few.

use super::collider::Collider;
use crate::bounds::Bounds;
use crate::tolerance::PLACE_ERROR;

/// Boxes of colliders, rounded outward; those without a box apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    boxes: Vec<(Bounds, u32)>,
    unbounded: Vec<u32>,
}

impl Index {
    pub(crate) fn new(colliders: &[Collider]) -> Self {
        let mut index = Self::default();
        for (number, collider) in colliders.iter().enumerate() {
            match collider.bounds() {
                Some(bounds) => index.boxes.push((outward(&bounds, collider.magnitude), number as u32)),
                None => index.unbounded.push(number as u32),
            }
        }
        index
    }

    /// Appends every collider that may have a point in the box, lowest first.
    pub(crate) fn query(&self, swept: &Bounds, list: &mut Vec<u32>) {
        list.extend_from_slice(&self.unbounded);
        list.extend(self.boxes.iter().filter(|(bounds, _)| bounds.overlaps(swept)).map(|(_, number)| number));
        list.sort_unstable();
    }
}

/// A box larger by what its corners and the places of hits may be wrong.
fn outward(bounds: &Bounds, magnitude: f64) -> Bounds {
    let slack = PLACE_ERROR * magnitude;
    Bounds { min: bounds.min.map(|c| c - slack), max: bounds.max.map(|c| c + slack) }
}
