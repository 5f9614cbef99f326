//! The choices of the method, all with a default.

use crate::scene::Point;
use crate::util::query::Query;

/// Which cells a surface takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fill {
    /// The one in which it crosses the middle of a pixel: what the paper draws (3). Steep surfaces leave holes.
    Samples,
    /// All between the least and the greatest depth that it has within a pixel whose middle it covers.
    Interval,
    /// Every cell that it touches, and those within the error of floats. Nothing lies between samples.
    #[default]
    Touched,
}

/// How sure an answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Certainty {
    /// Yes where cells are shared, no where none is (3): wrong in a few cases out of a hundred.
    Sampled,
    /// Surfaces are drawn twice, with vertices moved along their normals by so many diagonals of a cell (3.1.1): outward,
    /// where nothing shared means no; and inward, where something shared means yes. Nearly sure: normals are no true offset at
    /// creases.
    Offset(f64),
    /// No and yes are proven, and maybe is said where they are not (see [`super`]). Fills every cell that is touched.
    #[default]
    Proven,
}

/// Which boxes must meet before anything is drawn (3, step 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Boxes {
    /// Those along the axes of the world.
    Aligned,
    /// Those along the axes of the bodies too.
    #[default]
    Oriented,
}

/// Where depth goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Facing {
    /// Along the axis on which boxes overlap least, unless large faces are seen from the side there: then another axis, or a
    /// direction between the axes (3.1.2).
    #[default]
    Auto,
    /// Along this vector, of any length.
    Along(Point),
}

/// Choices of [`super::Slicer`].
///
/// ```
/// use impinge::overlap_cells::{Certainty, Fill, SliceOptions};
/// let paper = SliceOptions { resolution: [32, 32], slices: 16, refinements: 0, ..SliceOptions::PAPER };
/// assert_eq!((paper.fill, paper.certainty), (Fill::Samples, Certainty::Sampled));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "choices that are made one by one")]
pub struct SliceOptions {
    /// Whether to stop at the first pair that meets.
    pub query: Query,
    /// Threads to use; 0 for as many as the machine has. The answer does not depend on it.
    pub threads: usize,
    /// Whether closed bodies inside others are looked for.
    pub containment: bool,
    /// Whether [`super::Overlaps::shapes`] is filled.
    pub shapes: bool,
    /// Pixels across and down; each between 8 and 1024, and brought into that range.
    pub resolution: [u32; 2],
    /// Slices of depth, between 1 and 128, and brought into that range. A GPU stores 32 in a word.
    pub slices: u32,
    /// How often the box of shared cells is looked at again (3.1.1), at most; it ends before when nothing is shared or the box
    /// no longer shrinks.
    pub refinements: u32,
    /// Slices after all refinements; `None` for as many as before.
    pub last_slices: Option<u32>,
    /// Which cells a surface takes; every one that it touches, where the answer is to be proven.
    pub fill: Fill,
    /// How sure the answer is.
    pub certainty: Certainty,
    /// Which boxes must meet first.
    pub boxes: Boxes,
    /// Where depth goes.
    pub facing: Facing,
    /// Whether a maybe, and a yes that is not proven, is handed to the exact narrow phase, with the triangles in the collision
    /// volume (3.4): it becomes yes or no.
    pub hand_over: bool,
    /// Whether the triangles of every pair that is not apart are asked for too (5): contacts are listed then.
    pub triangles: bool,
    /// Keep at most so many points of shared cells of a pair (3.2).
    pub most_points: usize,
}

impl Default for SliceOptions {
    fn default() -> Self {
        Self {
            query: Query::All,
            threads: 0,
            containment: true,
            shapes: false,
            resolution: [64, 64],
            slices: 64,
            refinements: 3,
            last_slices: None,
            fill: Fill::Touched,
            certainty: Certainty::Proven,
            boxes: Boxes::Oriented,
            facing: Facing::Auto,
            hand_over: true,
            triangles: false,
            most_points: 0,
        }
    }
}

/// Most slices.
pub const MAX_SLICES: u32 = 128;

impl SliceOptions {
    /// The paper's own: 16 slices, samples, one refinement at 64 x 64 (4.1, "medium speed and accuracy").
    pub const PAPER: Self = Self {
        query: Query::All,
        threads: 0,
        containment: true,
        shapes: false,
        resolution: [64, 64],
        slices: 16,
        refinements: 1,
        last_slices: None,
        fill: Fill::Samples,
        certainty: Certainty::Sampled,
        boxes: Boxes::Aligned,
        facing: Facing::Auto,
        hand_over: false,
        triangles: false,
        most_points: 0,
    };

    /// Cells across, down and deep, when the volume was refined so many times.
    pub(crate) fn cells(&self, refined: u32) -> [u32; 3] {
        let [width, height] = self.resolution.map(|n| n.clamp(8, 1024));
        let last = self.last_slices.filter(|_| refined == self.refinements);
        [width, height, last.unwrap_or(self.slices).clamp(1, MAX_SLICES)]
    }

    /// What is filled.
    pub(crate) fn filling(&self) -> Fill {
        if self.certainty == Certainty::Proven { Fill::Touched } else { self.fill }
    }
}
