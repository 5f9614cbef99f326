//! A triangle by its name.

use super::BodyId;

/// One triangle of one body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Element {
    /// The body.
    pub body: BodyId,
    /// Index of the triangle in its mesh.
    pub triangle: u32,
}
