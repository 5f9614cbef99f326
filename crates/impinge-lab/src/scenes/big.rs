//! The scene for growing: more triangles are more bodies at the same density, so contacts grow with them. Every
//! fourth body deforms, the others turn.

use super::wave::Wave;
use super::{MAX_BODIES_KNOWN, cube_lattice, progress, turns};
use crate::known::{Ball, KnownAnswer, of_relations};
use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::{bumpy_sphere, radii, rounded};
use crate::vector::{add, along, turned};
use impinge::SceneError;
use std::sync::Arc;

const FRAMES: usize = 8;
/// Triangles of a body once there are enough for many.
const BODY: usize = 1280;
/// Different shapes, shared by all bodies.
const KINDS: usize = 8;
const AMPLITUDE: f64 = 0.08;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let each = (triangles / 8).clamp(20, BODY);
    let kinds: Vec<_> = (0..KINDS).map(|_| Arc::new(bumpy_sphere(each, rng.bits()))).collect();
    let meshes: Vec<_> = kinds.iter().map(|shape| Arc::new(shape.mesh_f32())).collect();
    let size = meshes[0].triangles().len();
    let count = ((triangles as f64 / size as f64).round() as usize).max(2);
    let mut actors = Vec::new();
    let mut balls = Vec::new();
    for (k, place) in cube_lattice(count, 1.75).enumerate() {
        let (start, axis, path) =
            (add(place, rng.in_cube(-0.2, 0.2)), rng.direction(), rng.in_cube(-0.3, 0.3));
        let kind = k % KINDS;
        let name = format!("body {k}");
        let mesh = Arc::clone(&meshes[kind]);
        let (inner, outer) = if count <= MAX_BODIES_KNOWN { radii(&mesh) } else { (0.0, 0.0) };
        if k % 4 == 3 {
            balls.push((start, path, 0.0, outer + AMPLITUDE));
            let (shape, wave) = (Arc::clone(&kinds[kind]), Wave::new(&mut rng, AMPLITUDE, 4.0));
            actors.push(Actor::deforming(name, mesh, move |frame| {
                let way = progress(frame, FRAMES);
                let place = |&p| add(wave.apply(p, turns(frame, FRAMES)), along(start, path, way));
                rounded(&shape.positions.iter().map(place).collect::<Vec<_>>())
            }));
        } else {
            balls.push((start, path, inner, outer));
            actors.push(Actor::rigid(name, mesh, move |frame| {
                let way = progress(frame, FRAMES);
                turned(axis, 2.0 * way, along(start, path, way))
            }));
        }
    }
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(move |scene, frame| {
        if balls.len() > MAX_BODIES_KNOWN {
            return KnownAnswer::default();
        }
        let way = progress(frame, FRAMES);
        let ball = |&(start, path, inner, outer)| Ball { centre: along(start, path, way), inner, outer };
        let bodies: Vec<_> =
            scene.bodies().map(|(_, body)| body.name()).zip(balls.iter().map(ball)).collect();
        of_relations(&bodies, Ball::to)
    }))
}
