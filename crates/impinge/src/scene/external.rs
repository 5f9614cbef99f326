//! A body of the scene whose triangles somebody else holds, on a GPU for example.

use super::{BodyId, Bounds, Scene};

/// What is known here of a body that is held elsewhere. Its mesh in the scene is not looked at.
#[derive(Clone, Copy, Debug)]
pub struct ExternalBody {
    /// The body.
    pub id: BodyId,
    /// How many vertices it has.
    pub vertices: usize,
    /// How many triangles it has.
    pub triangles: usize,
    /// Its box in the world.
    pub bounds: Bounds,
    /// Its box in its own coordinates.
    pub local: Bounds,
    /// Whether its owner says that it is closed and oriented.
    pub closed: bool,
}

/// How many bodies and triangles there are, wherever they are held.
pub(crate) fn counts(scene: &Scene, external: &[ExternalBody]) -> [usize; 2] {
    scene.bodies().fold([0, 0], |[bodies, triangles], (id, body)| {
        let other = external.iter().find(|other| other.id == id);
        [bodies + 1, triangles + other.map_or(body.mesh().triangles().len(), |other| other.triangles)]
    })
}
