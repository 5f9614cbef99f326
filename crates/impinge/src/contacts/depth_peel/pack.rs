//! From a sparse list to a dense one (3): flags, their running count, and every item to its place.
//!
//! The paper shifts rows of a texture and moves them; today a prefix sum over words of 32 flags does it in any order.

use super::separate::Rectangle;

/// A triangle that may collide.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedTriangle {
    /// Its number among all triangles of the scene (see [`crate::image::gather`]).
    pub triangle: u32,
    /// Where collision rays may pass it.
    pub rectangle: Rectangle,
}

/// One flag an item, 32 a word.
pub fn flags(sparse: &[Option<Rectangle>]) -> Vec<u32> {
    let word = |items: &[Option<Rectangle>]| {
        items.iter().enumerate().fold(0, |word, (bit, item)| word | u32::from(item.is_some()) << bit)
    };
    sparse.chunks(32).map(word).collect()
}

/// For every word, how many flags are set before it; and the number of all.
pub fn running_count(flags: &[u32]) -> (Vec<u32>, u32) {
    let mut count = 0;
    let before = flags.iter().map(|word| {
        let before = count;
        count += word.count_ones();
        before
    });
    (before.collect(), count)
}

/// The items that are there, in order.
pub fn pack(sparse: &[Option<Rectangle>]) -> Vec<PackedTriangle> {
    let items = sparse.iter().zip(0..);
    items.filter_map(|(item, triangle)| Some(PackedTriangle { triangle, rectangle: (*item)? })).collect()
}
