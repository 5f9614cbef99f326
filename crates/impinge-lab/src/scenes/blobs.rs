//! Rigid bodies of two non-convex kinds in a cube, the moving models of Georgii et al. 2007, section 5, without
//! their files. Balls within and around them decide who is far and who is deep.

use super::{MAX_BODIES_KNOWN, cube_lattice};
use crate::known::{Ball, KnownAnswer, of_relations};
use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::{bumpy_sphere, radii, torus_knot};
use crate::vector::{add, scale, turned};
use impinge::SceneError;
use std::sync::Arc;

const FRAMES: usize = 10;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let count = (triangles / 120).clamp(2, 60);
    let each = triangles / count;
    let knot = Arc::new(torus_knot(each, [2, 3], [0.65, 0.26, 0.13]).mesh_f32());
    let mut actors = Vec::new();
    let mut balls = Vec::new();
    for (k, place) in cube_lattice(count, 2.1).enumerate() {
        let bumpy = k % 2 == 0;
        let mesh =
            if bumpy { Arc::new(bumpy_sphere(each, rng.bits()).mesh_f32()) } else { Arc::clone(&knot) };
        let (inner, outer) = radii(&mesh);
        // The origin is outside a knot.
        balls.push((if bumpy { inner } else { 0.0 }, outer));
        let start = add(place, rng.in_cube(-0.45, 0.45));
        let (path, axis, spin) = (scale(rng.direction(), 0.17), rng.direction(), rng.between(0.1, 0.4));
        actors.push(Actor::rigid(format!("blob {k}"), mesh, move |frame| {
            turned(axis, spin * (frame + 3 * k) as f64, add(start, scale(path, frame as f64)))
        }));
    }
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(move |scene, _| {
        if balls.len() > MAX_BODIES_KNOWN {
            return KnownAnswer::default();
        }
        let ball =
            |body: &impinge::Body, (inner, outer)| Ball { centre: body.pose().apply([0.0; 3]), inner, outer };
        let bodies: Vec<_> =
            scene.bodies().zip(&balls).map(|((_, body), &radii)| (body.name(), ball(body, radii))).collect();
        of_relations(&bodies, Ball::to)
    }))
}
