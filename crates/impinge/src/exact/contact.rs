//! What the exact test says of two triangles.

use crate::scene::Element;

/// Two triangles that share at least one point (beyond what neighbours share, within one body).
/// `a.body <= b.body`, and within one body `a.triangle < b.triangle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contact {
    /// The first triangle.
    pub a: Element,
    /// The second triangle.
    pub b: Element,
}
