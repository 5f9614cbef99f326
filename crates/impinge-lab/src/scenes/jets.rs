//! Two passenger jets in close proximity (Dinerstein, Egbert 2002, section 4): a new random pose every frame.

use crate::known::{Ball, of_relations};
use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::{jet, radii};
use crate::vector::{scale, turned};
use impinge::SceneError;
use std::sync::Arc;

const FRAMES: usize = 40;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mesh = Arc::new(jet(triangles / 2).mesh_f32());
    let (_, outer) = radii(&mesh);
    let place = move |which: u64| {
        move |frame: usize| {
            let mut rng = Rng::new(seed ^ (frame as u64 * 2 + which).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            // Frame 0 is out of reach; later ones are so near that boxes overlap and jets sometimes do.
            let far = if frame == 0 { 1.5 } else { rng.between(0.2, 0.9) };
            let side = if which == 0 { -1.0 } else { 1.0 };
            let t = if frame == 0 { [side * far, 0.0, 0.0] } else { scale(rng.direction(), far) };
            turned(rng.direction(), rng.between(0.0, 6.0), t)
        }
    };
    let actors =
        vec![Actor::rigid("jet a", Arc::clone(&mesh), place(0)), Actor::rigid("jet b", mesh, place(1))];
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(move |scene, _| {
        let ball = |body: &impinge::Body| Ball { centre: body.pose().apply([0.0; 3]), inner: 0.0, outer };
        let bodies: Vec<_> = scene.bodies().map(|(_, body)| (body.name(), ball(body))).collect();
        of_relations(&bodies, Ball::to)
    }))
}
