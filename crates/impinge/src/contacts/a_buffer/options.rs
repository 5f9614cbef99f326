//! The choices of the method, all with a default.

use crate::image::options::{Direction, Looking, Projection, in_range};
use crate::image::view::View;

/// How a GPU keeps the surfaces of a ray. What is found is the same; on the CPU there is no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Keeping {
    /// Side by side: surfaces are counted, every ray is given its place, and they are drawn again.
    #[default]
    Runs,
    /// Each with a link to the one that was there before: drawn once, but walked from link to link.
    Lists,
}

impl Keeping {
    /// Every one of them.
    pub const ALL: [Self; 2] = [Self::Runs, Self::Lists];
}

/// Choices of [`crate::Method::ABuffer`].
///
/// ```
/// use impinge::Direction;
/// use impinge::contacts::ABufferOptions;
/// let options = ABufferOptions { resolution: [640, 480], direction: Direction::Axes, ..Default::default() };
/// assert_eq!(options.epsilon, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ABufferOptions {
    /// Rays across and down; each between 8 and 16,384, and brought into that range.
    pub resolution: [u32; 2],
    /// Where rays come from.
    pub direction: Direction,
    /// Two surfaces that a ray meets within this distance may collide, in world units ("PCS generation"). `None` for
    /// [`Self::EPSILON`] times the longer side of a pixel; negative numbers and those that are not count as 0.
    ///
    /// Two triangles that cross each other come together on a line, and the nearest ray passes it at up to 0.7 pixels; there,
    /// they are as far apart as their slopes make them. So a smaller epsilon needs more rays to find the same, and a larger
    /// one finds steeper pairs with fewer rays, and has more pairs to test: their number grows with it, that of contacts
    /// does not. What no ray meets at all, no epsilon finds.
    pub epsilon: Option<f64>,
    /// How a GPU keeps the surfaces of a ray.
    pub keeping: Keeping,
}

impl Default for ABufferOptions {
    fn default() -> Self {
        Self {
            resolution: [1024, 1024],
            direction: Direction::Auto,
            epsilon: None,
            keeping: Keeping::default(),
        }
    }
}

impl ABufferOptions {
    /// Pixels of the default epsilon. A pixel beside the line where they cross, two surfaces are so far apart if one of them
    /// is at 83 degrees to the image. Of the contacts between triangles of ten pixels, 1, 2, 4 and 8 find about 70, 80, 88 and
    /// 92 % in one view, and not even twice as many pairs as contacts are tested.
    pub const EPSILON: f64 = 8.0;

    /// Rays across and down, in range.
    pub fn pixels(&self) -> [u32; 2] {
        in_range(self.resolution)
    }

    /// Epsilon in a view, as a difference of depths.
    pub fn near(&self, view: &View) -> f32 {
        let [across, down] = view.pixel_size();
        let epsilon = self.epsilon.unwrap_or(Self::EPSILON * across.max(down));
        // All depths are between 0 and 1.
        view.depth_of(epsilon.max(0.0)).min(2.0) as f32
    }
}

impl From<&ABufferOptions> for Looking {
    fn from(options: &ABufferOptions) -> Self {
        Self { pixels: options.pixels(), direction: options.direction, projection: Projection::Orthographic }
    }
}
