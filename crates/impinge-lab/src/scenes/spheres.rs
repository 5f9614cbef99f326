//! Balls of several sizes on straight paths. Radii and distances decide nearly every pair.

use super::progress;
use crate::known::{Ball, of_relations};
use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::{radii, sphere};
use crate::vector::{along, turned};
use impinge::SceneError;
use std::sync::Arc;

const FRAMES: usize = 16;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let count = (triangles / 60).clamp(2, 27);
    let ball = sphere(triangles / count);
    let mut actors = Vec::new();
    for k in 0..count {
        // One in five is large enough to swallow the small ones.
        let radius = if k % 5 == 0 { rng.between(1.2, 1.6) } else { rng.between(0.2, 0.7) };
        let mesh = Arc::new(ball.clone().scaled(radius).mesh_f32());
        let (start, axis, spin) = (rng.in_cube(-2.5, 2.5), rng.direction(), rng.between(-3.0, 3.0));
        let path = rng.in_cube(-3.0, 3.0);
        actors.push(Actor::rigid(format!("ball {k}"), mesh, move |frame| {
            let way = progress(frame, FRAMES);
            turned(axis, spin * way, along(start, path, way))
        }));
    }
    let balls: Vec<(f64, f64)> = actors.iter().map(|actor| radii(&actor.mesh)).collect();
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(move |scene, _| {
        let bodies: Vec<_> = scene
            .bodies()
            .zip(&balls)
            .map(|((_, body), &(inner, outer))| {
                (body.name(), Ball { centre: body.pose().apply([0.0; 3]), inner, outer })
            })
            .collect();
        of_relations(&bodies, Ball::to)
    }))
}
