//! Axis-aligned boxes of exact coordinates. A box of points is exact: minimum and maximum do not round.

use super::Point;

/// A closed axis-aligned box; empty when `min > max`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bounds {
    /// Smallest coordinates.
    pub min: Point,
    /// Largest coordinates.
    pub max: Point,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Bounds {
    /// Holds no point; the union with it changes nothing.
    pub const EMPTY: Self = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    /// Holds every point.
    pub(crate) const EVERYTHING: Self = Self { min: [f64::NEG_INFINITY; 3], max: [f64::INFINITY; 3] };

    /// The smallest box of the points.
    pub fn of(points: impl IntoIterator<Item = Point>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// Grown to hold a point.
    #[must_use]
    #[inline]
    pub fn with(self, p: Point) -> Self {
        let mut grown = self;
        for axis in 0..3 {
            grown.min[axis] = grown.min[axis].min(p[axis]);
            grown.max[axis] = grown.max[axis].max(p[axis]);
        }
        grown
    }

    /// The smallest box that holds both.
    #[must_use]
    #[inline]
    pub fn union(self, other: Self) -> Self {
        let mut grown = self;
        for axis in 0..3 {
            grown.min[axis] = grown.min[axis].min(other.min[axis]);
            grown.max[axis] = grown.max[axis].max(other.max[axis]);
        }
        grown
    }

    /// Whether the closed boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// Whether `other` lies in this box, its border included.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.min[axis] <= other.min[axis] && other.max[axis] <= self.max[axis])
    }

    /// Larger by so much on every side, rounded outward; the same where that is 0.
    #[must_use]
    pub(crate) fn grown(&self, by: f64) -> Self {
        if by == 0.0 {
            return *self;
        }
        Self { min: self.min.map(|c| (c - by).next_down()), max: self.max.map(|c| (c + by).next_up()) }
    }

    /// What both boxes hold; empty when that is nothing.
    #[must_use]
    pub(crate) fn common(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].max(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].min(other.max[k])),
        }
    }

    /// Its corners; none when it is empty.
    pub(crate) fn corners(&self) -> impl Iterator<Item = Point> + use<> {
        let Self { min, max } = *self;
        let count = if self.is_empty() { 0 } else { 8 };
        (0..count).map(move |k| std::array::from_fn(|i| if k >> i & 1 == 0 { min[i] } else { max[i] }))
    }

    /// Its largest coordinate, without the sign; 0 when it is empty.
    pub(crate) fn magnitude(&self) -> f64 {
        let finite = self.min.iter().chain(&self.max).filter(|c| c.is_finite());
        finite.fold(0.0, |most: f64, c| most.max(c.abs()))
    }

    /// Whether the box holds no point.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|axis| self.min[axis] > self.max[axis])
    }
}
