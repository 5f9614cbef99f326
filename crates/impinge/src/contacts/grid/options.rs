//! The choices of the method. None of them changes the answer.

/// Choices of [`crate::Method::Grid`]: they cost or save time, and change no contact.
///
/// ```
/// use impinge::contacts::GridOptions;
/// assert_eq!(GridOptions::default().cell, 3.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GridOptions {
    /// Edge of a cell, in mean extents of the triangles looked at, along each axis. Flat between 2.5 and 5.
    pub cell: f32,
    /// A triangle that would be in more cells than this is held against everything instead.
    pub most_cells: u32,
}

impl Default for GridOptions {
    fn default() -> Self {
        Self { cell: 3.0, most_cells: 128 }
    }
}

impl GridOptions {
    /// The edge of a cell, in range.
    pub fn cell(&self) -> f32 {
        if self.cell.is_finite() { self.cell.clamp(1.0 / 1024.0, 1024.0) } else { Self::default().cell }
    }
}
