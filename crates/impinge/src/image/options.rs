//! The choices of the method, all with a default.

use crate::scene::Point;

/// Where rays come from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Direction {
    /// Along the axis whose rays meet the surfaces most often.
    #[default]
    Auto,
    /// Along this vector, of any length.
    Along(Point),
    /// Two views, along the two such axes; what any of them sees is found.
    TwoAxes,
    /// Three views, along x, y and z; what any of them sees is found.
    Axes,
}

/// Whether rays are parallel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Projection {
    /// They are: everything is seen equally finely.
    #[default]
    Orthographic,
    /// They come from an eye, which stands as near as the angle allows: what is near it is seen more finely.
    Perspective {
        /// Angle between the outermost rays, in degrees; brought into the range from 1 to 150.
        field_of_view: f64,
    },
}

impl Projection {
    pub(crate) const NARROWEST: f64 = 1.0;
    pub(crate) const WIDEST: f64 = 150.0;
}

/// From where, and how finely, a method looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looking {
    /// Rays across and down.
    pub pixels: [u32; 2],
    /// Where rays come from.
    pub direction: Direction,
    /// Whether they are parallel.
    pub projection: Projection,
}

/// Rays across and down, in range.
pub(crate) fn in_range(resolution: [u32; 2]) -> [u32; 2] {
    resolution.map(|n| n.clamp(8, 16_384))
}
