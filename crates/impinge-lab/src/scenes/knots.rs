//! Two torus knots, nearly the same curve a little apart, so that they wind through each other along their length.

use super::turns;
use super::wave::Wave;
use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::{rounded, torus_knot};
use crate::vector::turned;
use impinge::SceneError;

const FRAMES: usize = 10;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let first = torus_knot(triangles / 2, [2, 3], [1.0, 0.45, 0.14]);
    let aside = turned([0.3, 0.2, 1.0], 0.12 + rng.between(0.0, 0.05), [0.3, 0.2, 0.2]);
    let second = first.clone().map(|p| aside.apply(p));
    let knot = |(name, shape): (&str, crate::shapes::Shape)| {
        let wave = Wave::new(&mut rng, 0.05, 4.0);
        let mesh = shape.mesh_f32();
        let positions = shape.positions;
        let deform = move |frame| {
            let time = turns(frame, FRAMES);
            rounded(&positions.iter().map(|&p| wave.apply(p, time)).collect::<Vec<_>>())
        };
        Actor::deforming(name, mesh, deform).with_self_collision()
    };
    Motion::new(FRAMES, [("a", first), ("b", second)].map(knot).into())
}
