//! The choices of the method, all with a default.

use crate::image::options::in_range;
use crate::image::{Direction, Looking, Projection, View};

/// From which ends of the rays surfaces are peeled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Sides {
    /// One layer a pass, from the front (4.1).
    Front,
    /// Two layers a pass, from the front and from the back at once (4.2).
    #[default]
    Both,
}

/// What to do with rays that have more layers than were peeled (8, "rigid body collisions").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum AtLimit {
    /// They count as clear, unless a collision was seen before.
    Stop,
    /// They count as collision rays: slower, but nothing is missed that full peeling would find.
    #[default]
    Mark,
}

/// Choices of [`crate::Method::DepthPeel`].
///
/// ```
/// use impinge::{Direction, contacts::PeelOptions};
/// let options = PeelOptions { resolution: [640, 480], direction: Direction::Axes, ..PeelOptions::default() };
/// assert_eq!(options.margin, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PeelOptions {
    /// Rays across and down; each between 8 and 16,384, and brought into that range.
    pub resolution: [u32; 2],
    /// Where rays come from.
    pub direction: Direction,
    /// Whether a pass peels one layer or two.
    pub sides: Sides,
    /// At most so many passes, at least one; `None` for as many as the scene has layers.
    pub passes: Option<u32>,
    /// What to do with rays that have more layers than that.
    pub at_limit: AtLimit,
    /// Surfaces of bodies that are not closed make a collision ray where the next surface is this near along the ray, in
    /// world units (8.2). `None` for twice the longer side of a pixel.
    pub open_threshold: Option<f64>,
    /// Pixels by which every collision ray is widened, at most 4. The paper's method has 0, and misses triangles smaller than a
    /// pixel that meet just beside a ray.
    pub margin: u32,
}

impl Default for PeelOptions {
    fn default() -> Self {
        Self {
            resolution: [1024, 1024],
            direction: Direction::Auto,
            sides: Sides::Both,
            passes: None,
            at_limit: AtLimit::Mark,
            open_threshold: None,
            margin: 1,
        }
    }
}

/// Pixels that every collision ray is widened by, at most: half the smallest image.
pub(crate) const MAX_MARGIN: u32 = 4;

impl PeelOptions {
    /// Rays across and down, in range.
    pub fn pixels(&self) -> [u32; 2] {
        in_range(self.resolution)
    }

    /// The margin, in range.
    pub fn widening(&self) -> u32 {
        self.margin.min(MAX_MARGIN)
    }

    /// What is near along the rays of a view, as a difference of depths.
    pub(crate) fn near(&self, view: &View) -> f64 {
        let [across, down] = view.pixel_size();
        view.depth_of(self.open_threshold.unwrap_or(2.0 * across.max(down)).max(0.0))
    }

    /// Passes for a scene whose deepest ray meets so many surfaces.
    pub fn passes_for(&self, deepest: u32) -> u32 {
        let needed = match self.sides {
            Sides::Front => deepest,
            Sides::Both => deepest.div_ceil(2),
        };
        needed.min(self.passes.unwrap_or(u32::MAX).max(1))
    }
}

impl From<&PeelOptions> for Looking {
    fn from(options: &PeelOptions) -> Self {
        Self { pixels: options.pixels(), direction: options.direction, projection: Projection::Orthographic }
    }
}
