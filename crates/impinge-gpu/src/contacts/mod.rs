//! Which triangles touch: one folder per method.

pub(crate) mod a_buffer;
pub(crate) mod cullide;
pub(crate) mod depth_peel;
pub(crate) mod grid;
