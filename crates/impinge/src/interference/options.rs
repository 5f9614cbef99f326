//! The choices of the method, all with a default.

use crate::image::options::{Direction, Looking, Projection, in_range};
use crate::util::query::Query;

/// What is found out about interference, and how: the thesis' algorithms, and ours.
///
/// On a GPU, a stencil counts up to 127 solids around a point: where there are more, algorithms 4 and 5 do not name all of
/// them. [`Self::Everything`] counts up to 2048 surfaces of one facing before an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Identify {
    /// Bodies, pairs, edges and points; several layers of edges; all bodies that a pixel lies in; self-interference
    /// apart from the rest.
    #[default]
    Everything,
    /// Algorithm 1: whether there is any interference.
    Any,
    /// Algorithm 2: the penetrating bodies and their edges, from stencil and colour.
    Penetrating,
    /// Algorithm 3: the same from colour alone. Without a GPU, there is no difference.
    PenetratingByColour,
    /// Algorithm 4: penetrating and penetrated body of every pixel; of several, the one drawn last.
    LastDrawn,
    /// Algorithm 5: the penetrating and the penetrated bodies, by occlusion queries, but not who penetrates whom.
    Queries,
}

impl Identify {
    /// Every one of them.
    pub const ALL: [Self; 6] = [
        Self::Everything,
        Self::Any,
        Self::Penetrating,
        Self::PenetratingByColour,
        Self::LastDrawn,
        Self::Queries,
    ];
}

/// Choices of [`super::RayCaster`].
///
/// ```
/// use impinge::Direction;
/// use impinge::interference::RayCastOptions;
/// let options = RayCastOptions { resolution: [640, 480], direction: Direction::Axes, ..Default::default() };
/// assert_eq!(options.layers, 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayCastOptions {
    /// Whether to stop at the first interference.
    pub query: Query,
    /// Threads to use; 0 for as many as the machine has. The answer does not depend on it.
    pub threads: usize,
    /// Pixels across and down; each between 8 and 16,384, and brought into that range.
    pub resolution: [u32; 2],
    /// Where rays come from. One direction may hide an interference behind other edges (figure 4.11).
    pub direction: Direction,
    /// Whether rays are parallel (4.5.3).
    pub projection: Projection,
    /// What is found out.
    pub identify: Identify,
    /// At most so many edges are looked at in one pixel, at least one; the thesis' algorithms look at one, the last drawn.
    pub layers: u32,
    /// Pixels by which edges are moved out of their triangles (4.3.3). `None` for what depths and pixels need to tell edges
    /// from their own body ([`super::edges::Metric`]); and nothing where the own body does not count.
    pub offset: Option<f64>,
    /// Keep at most so many [`super::Interference::points`]; all are counted ([`super::CastStages::points`]).
    pub most_points: usize,
    /// Whether to stop before identification when nothing interferes (4.5.2). The answer is the same.
    pub early_answer: bool,
}

impl Default for RayCastOptions {
    fn default() -> Self {
        Self {
            query: Query::All,
            threads: 0,
            resolution: [1024, 1024],
            direction: Direction::Auto,
            projection: Projection::Orthographic,
            identify: Identify::Everything,
            layers: 4,
            offset: None,
            most_points: 1 << 20,
            early_answer: true,
        }
    }
}

impl RayCastOptions {
    /// Layers that are looked at, if there are as many.
    pub fn most_layers(&self) -> u32 {
        if self.identify == Identify::Everything { self.layers.max(1) } else { 1 }
    }
}

impl From<&RayCastOptions> for Looking {
    fn from(options: &RayCastOptions) -> Self {
        Self {
            pixels: in_range(options.resolution),
            direction: options.direction,
            projection: options.projection,
        }
    }
}
