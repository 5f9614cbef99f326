//! A triangle by its name.

use super::BodyId;

/// One triangle of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Element {
    /// The body.
    pub body: BodyId,
    /// Index of the triangle in its mesh.
    pub triangle: u32,
}
