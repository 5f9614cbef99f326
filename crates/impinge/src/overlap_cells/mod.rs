//! Whether the surfaces of two bodies meet: yes, no or maybe, by cells of space. Dinerstein and Egbert, "Practical collision
//! detection in rendering hardware for two complex 3D polygon objects" (2002). Section numbers in these files are of that
//! paper.
//!
//! The overlap of two bodies' boxes is cut into pixels and slices; each body sets the bits of the cells it takes; shared bits
//! are where they may meet.
//!
//! | stage | CPU | GPU (`impinge-gpu/shaders/overlap_cells/`) |
//! |---|---|---|
//! | pairs whose boxes overlap (3, step 1); which way depth goes (3.1.2); the volume and its cells (step 2) | `slicer.rs`, `boxes.rs`, `facing.rs`, `volume.rs` | the same code |
//! | vertices to cells | `project.rs` | `project.wgsl` |
//! | triangles to bits: samples, depth intervals, or every touched cell (step 3) | `sample.rs`, `cover.rs` | `sample.wgsl`, `cover.wgsl` |
//! | shared bits: whether, where, how many (step 4); their box is the next volume (3.1.1) | `planes.rs` | `planes.wgsl` |
//! | refine, prove, hand triangles of the last volume to the exact test (3.4, 5) | `slicer.rs`, `hand_over.rs` | the same code |
//! | paths (3.3) | `paths.rs` | the same code |
//!
//! The flow asks anything that can draw: the CPU's drawing, or the backend of `impinge-gpu`, which reads 32 bytes back for
//! each rendering. `cover.rs` and `cover.wgsl`, `sample.rs` and `sample.wgsl` compute the same sums in the same order: the
//! proof does not need it, the comparison bit by bit in `impinge-gpu/tests/depth_slices.rs` does. Nothing is moved along
//! normals where an answer is to be proven; the paper's offset is there too (`Certainty::Offset`), and is not called certain.
//! What was tried and dropped: `docs/decisions/overlap-cells.md`.
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
//! number of crossings before it tells, if every edge of the body has an even number of triangles. Crossings are counted at
//! the middle of the pixel, each in one of the slices that its triangle touches in that column: any of these will do, for
//! only the other slices are asked about. Nothing is asked where a side passes the middle so closely that errors decide. A
//! triangle that covers the middle of a pixel, and is in one slice there, whatever errors its depth has, has a point in that
//! cell. Such a point of `b` in a cell inside `a` is inside `a`. If `b` hangs together through edges, and also has such a
//! point outside `a`, or a box that is not within the box of `a`, then it passes through the surface of `a`.
//!
//! So a yes needs one body closed (of one that lives on a GPU, its owner says so) and the other in one piece, and for the
//! boxes every vertex in use; errors below a quarter of a cell ([`draw::trusted`]); and no scene smaller than
//! [`MIN_SCENE_MAGNITUDE`](crate::util::tolerance::MIN_SCENE_MAGNITUDE), of which only maybe is said. Deep overlaps are seen at once,
//! shallow ones after refinement; surfaces that only touch are never more than a maybe, until they are handed over.
//!
//! **Never**, of paths: every triangle is drawn at every step, or midway between two and widened by half its way. The way is
//! a straight line for every vertex: a turning body strays from it, less with more steps.

mod answer;
#[doc(hidden)]
pub mod boxes;
#[doc(hidden)]
pub mod cover;
#[doc(hidden)]
pub mod draw;
#[doc(hidden)]
pub mod facing;
#[doc(hidden)]
pub mod hand_over;
mod kept;
mod options;
mod paths;
#[doc(hidden)]
pub mod planes;
pub mod project;
pub mod sample;
mod slicer;
mod volume;

pub use answer::{Answer, Crossing, DecidedBy, Overlaps, PairOverlap, Paths, SliceStages};
#[doc(hidden)]
pub use draw::{Drawing, DrawnBody, Plot};
pub use options::{Boxes, Certainty, Facing, Fill, MAX_SLICES, SliceOptions};
#[doc(hidden)]
pub use planes::{Planes, Seen, Shared};
pub use slicer::Slicer;
#[doc(hidden)]
pub use slicer::{Draw, Slicing};
pub use volume::{Grid, Volume};
