//! Stream compaction (3): flags, their prefix sum, and every item to its place.
//!
//! The paper shifts rows of a texture; a prefix sum over words of 32 flags is faster today, and its order
//! does not matter.

use super::separate::Rectangle;

/// A triangle that may collide.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedTriangle {
    /// Its number across all triangles of the scene (see [`crate::image::gather`]).
    pub triangle: u32,
    /// The rectangle that collision rays may pass.
    pub rectangle: Rectangle,
}

/// One flag per item, 32 per word.
pub fn flags(sparse: &[Option<Rectangle>]) -> Vec<u32> {
    let word = |items: &[Option<Rectangle>]| {
        items.iter().enumerate().fold(0, |word, (bit, item)| word | u32::from(item.is_some()) << bit)
    };
    sparse.chunks(32).map(word).collect()
}

/// For every word, the number of flags set before it; and the total.
pub fn running_count(flags: &[u32]) -> (Vec<u32>, u32) {
    let mut count = 0;
    let before = flags.iter().map(|word| {
        let before = count;
        count += word.count_ones();
        before
    });
    (before.collect(), count)
}

/// The items present, in order.
pub fn pack(sparse: &[Option<Rectangle>]) -> Vec<PackedTriangle> {
    let items = sparse.iter().zip(0..);
    items.filter_map(|(item, triangle)| Some(PackedTriangle { triangle, rectangle: (*item)? })).collect()
}
