//! From body pairs to yes, no or maybe, by cells of space: Dinerstein and Egbert, "Practical collision detection in
//! rendering hardware for two complex 3D polygon objects" (2002). Section numbers in these files are of that paper.
//!
//! 1. [`boxes`]: pairs whose boxes overlap (3, step 1).
//! 2. [`facing`]: which way depth goes (3.1.2).
//! 3. [`Volume`], [`Grid`]: what the boxes have in common, cut into pixels and slices of depth (3, step 2).
//! 4. [`draw`]: each surface sets the bits of its cells (3, step 3), by samples or by [`cover`].
//! 5. [`planes`]: cells that both have set (3, step 4); their box is the next volume (3.1.1).
//! 6. [`hand_over`]: triangles in the last volume, tested exactly (3.4, 5).
//!
//! # When an answer is proven
//!
//! [`Certainty::Proven`] moves no vertices: it shrinks and swells bodies by cells.
//!
//! **No.** Let two surfaces share a point. It is in both boxes, so in the first volume; and in a closed cell of it, up to
//! errors that [`Grid::widening`] is larger than. [`cover`] sets the bit of every cell that a surface comes so near to. So
//! both set that bit, and the point is in the box of shared cells: the next volume. Where no bit is shared, no point is.
//!
//! **Yes.** A cell that a surface does not touch is inside the body as a whole, or outside as a whole. Which of the two, the
//! number of crossings before it tells, if every edge of the body has an even number of triangles. Crossings are counted at the
//! middle of the pixel, each in one of the slices that its triangle touches in that column: any of these will do, for only
//! the other slices are asked about. Nothing is asked where a side passes the middle so closely that errors decide. A
//! triangle that covers the middle of a pixel, and is in one slice there, whatever errors its depth has, has a point in that
//! cell. Such a point of `b` in a cell inside `a` is inside `a`. If `b` hangs together through edges, and also has such a point
//! outside `a`, or a box that is not within the box of `a`, then it passes through the surface of `a`.
//!
//! So a yes needs one body closed (of one that lives on a GPU, its owner says so) and the other in one piece, and for the boxes every vertex in use; errors below a quarter of
//! a cell ([`draw::trusted`]); and no scene smaller than [`SMALLEST_SCENE`](crate::util::tolerance::SMALLEST_SCENE), of which only
//! maybe is said. Deep overlaps are seen at once, shallow ones after refinement; surfaces that only touch are never more
//! than a maybe, until they are handed over.
//!
//! **Never**, of paths: every triangle is drawn at every step, or midway between two and widened by half its way. The way is
//! a straight line for every vertex: a turning body strays from it, less with more steps.

mod answer;
pub mod boxes;
pub mod cover;
pub mod draw;
pub mod facing;
pub mod hand_over;
mod kept;
mod options;
mod paths;
pub mod planes;
mod slicer;
mod volume;

pub use answer::{Answer, Crossing, DecidedBy, Paths, SliceStages, Sliced, SlicedPair};
pub use draw::{Drawing, Party, Plot};
pub use options::{Boxes, Certainty, Facing, Fill, MOST_SLICES, SliceOptions};
pub use planes::{Planes, Seen, Shared};
pub use slicer::{Draw, Slicer};
pub use volume::{Grid, Volume};
