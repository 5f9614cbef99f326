//! A triangle where it stands, with all that the exact test asks: the one type that methods hand to it.

use super::{neighbours_touch, triangles_touch};
use crate::scene::{Body, BodyId, Element, Point, Scene};

/// A triangle of a body, placed in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldTriangle {
    /// The body and the triangle.
    pub element: Element,
    /// Its vertices, by number in the body.
    pub vertices: [u32; 3],
    /// World positions of its corners.
    pub corners: [Point; 3],
}

impl WorldTriangle {
    /// A triangle of a body; `triangle` must be one of its mesh.
    #[inline]
    pub fn of_body(id: BodyId, body: &Body, triangle: u32) -> Self {
        Self {
            element: Element { body: id, triangle },
            vertices: body.mesh().triangles()[triangle as usize],
            corners: body.world_corners(triangle as usize),
        }
    }

    /// A triangle of a body that the scene holds; `None` where it has no such triangle.
    pub fn of(scene: &Scene, element: Element) -> Option<Self> {
        let body = scene.body(element.body)?;
        let there = (element.triangle as usize) < body.mesh().triangles().len();
        there.then(|| Self::of_body(element.body, body, element.triangle))
    }

    /// The exact test: whether the two are in contact. Within one body, only what lies beyond shared vertices counts.
    #[inline]
    pub fn touches(&self, other: &Self) -> bool {
        if self.element.body == other.element.body {
            neighbours_touch([self.corners, other.corners], [self.vertices, other.vertices])
        } else {
            triangles_touch(&self.corners, &other.corners)
        }
    }
}
