//! From bodies to those that may collide, by what hides what: CULLIDE (Govindaraju, Redon, Lin, Manocha 2003) and FAR
//! (Govindaraju, Lin, Manocha: "Fast and reliable collision culling using graphics hardware"), both as the SIGGRAPH course has
//! them. Section numbers in these files are of the latter.
//!
//! A body that hides nothing of the others and of which nothing is hidden, in any one view, touches none of them (3.1).
//!
//! 1. [`Image`]: a view along an axis, tight around the regions where boxes overlap.
//! 2. [`offsets`]: triangles to boxes, so large that no pixel and no rounding hides a contact (3.3, 3.4; the proof).
//! 3. [`Visibility`]: two passes of rendering, each item asked for before it is drawn (3.1, 4). [`Canvas`] is the CPU's.
//! 4. [`Culler`]: bodies, then runs of their triangles, until nothing more goes (4); then pairs of boxes.
//! 5. [`pairs`]: triangle pairs whose boxes overlap, and the exact test.
//!
//! # Which comparison
//!
//! The course prints `GL_EQUAL` for both renderings, where it cannot be meant: a cleared buffer would never change. Its text
//! says `GL_GEQUAL` for the question and FAR's listing `GL_LESS_EQUAL` for the fill. So it is here: "is any of it as deep as, or
//! deeper than, what was drawn before" is what must be answered no; and the buffer must hold the nearest of all that was drawn,
//! or something before it would not be noticed. Equal depths count as hidden: surfaces that touch collide.
//!
//! # What is not looked at
//!
//! Triangles of one body are never asked about each other: a body that looks at itself is listed in
//! [`Culled::not_looked_at`], and the report is not complete then.

mod canvas;
mod culled;
mod culler;
mod image;
pub mod offsets;
mod options;
pub mod pairs;

pub use canvas::{Canvas, Order, Visibility};
pub use culled::{Culled, CullideStages};
pub use culler::{Culler, Item};
pub use image::Image;
pub use options::CullideOptions;

#[cfg(test)]
mod tests;
