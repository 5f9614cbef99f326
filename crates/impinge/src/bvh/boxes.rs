//! Bounding boxes of nodes as floats, rounded outward: by their corners, or by centre and half extents.

use crate::scene::Bounds;
use crate::util::tolerance::FLOAT_ROUNDOFF;

/// A closed axis-aligned box, rounded outward to floats; the fourth coordinate is always zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(crate) struct NodeBox {
    pub(crate) min: [f32; 4],
    pub(crate) max: [f32; 4],
}

impl NodeBox {
    pub(crate) const EMPTY: Self = Self {
        min: [f32::INFINITY, f32::INFINITY, f32::INFINITY, 0.0],
        max: [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0],
    };

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        Self { min: greater(self.min, other.min), max: lesser(self.max, other.max) }
    }

    #[inline(always)]
    pub(crate) fn union(&self, other: &Self) -> Self {
        Self { min: lesser(self.min, other.min), max: greater(self.max, other.max) }
    }

    /// Whether the gap between the boxes is at most `slack` on every axis.
    #[inline(always)]
    pub(crate) fn within(&self, other: &Self, slack: f32) -> bool {
        let mut apart = false;
        for axis in 0..4 {
            apart |= self.min[axis] - slack > other.max[axis];
            apart |= other.min[axis] - slack > self.max[axis];
        }
        !apart
    }
}

impl From<&Bounds> for NodeBox {
    fn from(bounds: &Bounds) -> Self {
        let mut node = Self { min: [0.0; 4], max: [0.0; 4] };
        for axis in 0..3 {
            (node.min[axis], node.max[axis]) = outward(bounds.min[axis], bounds.max[axis]);
        }
        node
    }
}

#[inline(always)]
fn lesser(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
}

#[inline(always)]
fn greater(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
}

/// The same box by centre and half extents, these rounded up; the fourth coordinates are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(crate) struct CentredBox {
    pub(crate) centre: [f32; 4],
    pub(crate) half: [f32; 4],
}

impl From<&NodeBox> for CentredBox {
    /// NaN for an infinite box.
    #[inline]
    fn from(&NodeBox { min, max }: &NodeBox) -> Self {
        let mut centred = Self { centre: [0.0; 4], half: [0.0; 4] };
        for axis in 0..3 {
            let centre = 0.5 * min[axis] + 0.5 * max[axis];
            let (below, above) = (centre - min[axis], max[axis] - centre);
            centred.centre[axis] = centre;
            centred.half[axis] = (if below > above { below } else { above }) * (1.0 + 4.0 * FLOAT_ROUNDOFF)
                + f32::MIN_POSITIVE;
        }
        centred
    }
}

/// The largest float not above `min`, and the smallest not below `max`.
#[inline]
pub(crate) fn outward(min: f64, max: f64) -> (f32, f32) {
    let (low, high) = (min as f32, max as f32);
    (
        if f64::from(low) > min { low.next_down() } else { low },
        if f64::from(high) < max { high.next_up() } else { high },
    )
}
