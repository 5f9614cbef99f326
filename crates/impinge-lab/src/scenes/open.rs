//! Surfaces with borders: bowls and pipes come down on terrain. Nothing is closed, so nothing contains anything.

use super::{cube_lattice, progress};
use crate::known::KnownAnswer;
use crate::motion::{Actor, Motion, Track};
use crate::rng::Rng;
use crate::shapes::{bowl, pipe, terrain};
use crate::vector::{add, turned};
use impinge::SceneError;
use std::sync::Arc;

const FRAMES: usize = 12;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let count = (triangles / 400).clamp(1, 12);
    let each = triangles / 2 / count;
    let meshes = [Arc::new(bowl(each).scaled(0.5).mesh_f32()), Arc::new(pipe(each).scaled(0.4).mesh_f32())];
    let ground = terrain(triangles / 2, rng.bits()).scaled(4.0).mesh_f32();
    let mut actors = vec![Actor::new("ground", ground, Track::Still)];
    for (k, place) in cube_lattice(count, 1.5).enumerate() {
        // Four is above the highest hill (1.2) and half the lattice (1.5) with the largest body (0.57) below it.
        let start = add(place, [0.0, 0.0, 4.0]);
        let (axis, spin, drift) = (rng.direction(), rng.between(0.5, 2.0), rng.in_cube(-1.0, 1.0));
        actors.push(Actor::rigid(format!("dish {k}"), Arc::clone(&meshes[k % 2]), move |frame| {
            let way = progress(frame, FRAMES);
            turned(axis, spin * way, add(start, [drift[0] * way, drift[1] * way, -4.5 * way]))
        }));
    }
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(|_, frame| match frame {
        0 => KnownAnswer::clear(),
        _ => KnownAnswer { containments: Some(Vec::new()), ..KnownAnswer::default() },
    }))
}
