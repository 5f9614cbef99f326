//! Tumbling boxes, the many small bodies of Knott 2003, section 4.7.3 (twelve triangles each). Separating axes
//! decide nearly every pair.

use super::{MAX_BODIES_KNOWN, cube_lattice, progress};
use crate::known::{Brick, KnownAnswer, of_relations};
use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::subdivided_box;
use crate::vector::{Point, add, turned};
use impinge::SceneError;

const FRAMES: usize = 16;
/// More bodies than this are made finer, not more numerous.
const MAX_BOXES: usize = 512;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let count = (triangles / 12).clamp(2, MAX_BOXES);
    let mut halves: Vec<Point> = Vec::new();
    let mut actors = Vec::new();
    let mut used = 0;
    for (k, place) in cube_lattice(count, 1.3).enumerate() {
        let half = rng.in_cube(0.15, 0.75);
        // What the boxes so far fell short of or exceeded is shared among those to come.
        let mesh = subdivided_box(triangles.saturating_sub(used) / (count - k), half).mesh();
        used += mesh.triangles().len();
        let (start, axis) = (add(place, rng.in_cube(-0.4, 0.4)), rng.direction());
        let (turn, spin, sway) = (rng.between(0.0, 6.0), rng.between(-4.0, 4.0), rng.in_cube(-0.8, 0.8));
        halves.push(half);
        actors.push(Actor::rigid(format!("box {k}"), mesh, move |frame| {
            let way = progress(frame, FRAMES);
            turned(axis, turn + spin * way, add(start, sway.map(|s| s * way)))
        }));
    }
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(move |scene, _| {
        if halves.len() > MAX_BODIES_KNOWN {
            return KnownAnswer::default();
        }
        let brick = |body: &impinge::Body, half| Brick { pose: *body.pose(), half };
        let bodies: Vec<_> =
            scene.bodies().zip(&halves).map(|((_, body), &half)| (body.name(), brick(body, half))).collect();
        of_relations(&bodies, Brick::to)
    }))
}
