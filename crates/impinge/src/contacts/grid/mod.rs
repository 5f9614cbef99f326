//! From body pairs to contacts, complete, on any GPU: whole boxes of triangles in a grid, floats that only say what they can
//! prove, exact arithmetic for the few pairs in doubt. What FAR (Govindaraju, Lin, Manocha 2004) guarantees at the price of a
//! fattened picture, and what Jang and Han (2008) gather in one pass, without a picture: resolution is only a matter of speed.
//!
//! 1. [`Region`]: where contacts can be, in coordinates near 1, and what floats of vertices are off there ([`region`]).
//! 2. [`keep`]: boxes of triangles, widened by that; those that meet what bodies have in common, and of those the ones in voxels
//!    that several bodies touch.
//! 3. [`box_pairs`]: a grid, and every two triangles whose boxes share a point, once.
//! 4. [`stars`], [`neighbours`], [`signs`]: what floats can prove about them.
//! 5. [`Sifter`]: exact arithmetic for the rest. Where that is much, a GPU does it, in whole numbers: `settle.wgsl`, the twin of
//!    [`crate::exact`].
//!
//! **Nothing is missed.** Let two triangles share a point `x` of the world, and, within one body, not only what neighbours
//! share.
//!
//! * Their bodies' boxes hold `x`, so the pair of bodies is in the broad phase's list, in one run, and `x` is in the box that
//!   [`Party`] has for either of them, which is rounded outward. A body that looks at itself keeps all its triangles.
//! * The box of a [`keep::Record`] holds the true triangle ([`keep`]), so it holds `x`: it meets that box, and is kept. Both records
//!   touch the voxel of `x`, because [`keep::Lattice::cell`] grows with its argument: that voxel knows of both bodies, and the
//!   filter keeps both.
//! * Both boxes hold `x`, so the pair is found, once ([`box_pairs`]).
//! * It is dropped only if floats prove that the triangles share no point ([`signs`]) or none that counts ([`stars`],
//!   [`neighbours`]), which they do not; and it is a contact for certain, or in doubt.
//!
//! Nothing is reported that is not there: floats prove that an edge pierces a triangle, or exact arithmetic says so.
//!
//! Every stage is a plain function over slices and the definition of its twin on the GPU. The grid there may have other cells,
//! and floats may round in another way: neither changes a contact.

pub mod box_pairs;
mod culler;
pub mod neighbours;
mod options;
mod places;
pub mod region;
pub mod signs;
pub mod stars;
pub mod triangle_filter;

pub use culler::{Elsewhere, Found, Plan, Run, Sifted, Sifter, nears, records};
pub use options::ConservativeOptions;
pub use region::{Near, Party, Region};
