//! The artificial creatures of Georgii et al. 2007, section 5 and figure 9: tentacles deform every frame, rigid
//! starships try to pass.

use super::{cube_lattice, progress, turns};
use crate::known::{Ball, of_relations};
use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::{Creature, creature, jet, radii};
use crate::vector::{Point, add, along, turned};
use impinge::SceneError;
use std::sync::Arc;

const FRAMES: usize = 10;
const TENTACLES: usize = 10;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let count = (triangles / 180).clamp(2, 20);
    let ships = count.div_ceil(5);
    let each = triangles / (count + ships);
    let mut actors = Vec::new();
    let mut centres: Vec<Point> = Vec::new();
    for (k, place) in cube_lattice(count, 1.9).enumerate() {
        let animal = creature(each, TENTACLES, rng.bits());
        let centre = add(place, rng.in_cube(-0.2, 0.2));
        let pose = turned(rng.direction(), rng.between(0.0, 6.0), centre);
        centres.push(centre);
        let mesh = animal.shape.mesh_f32();
        let deform = move |frame| animal.at(turns(frame, FRAMES), |p| pose.apply(p));
        actors.push(Actor::deforming(format!("creature {k}"), mesh, deform));
    }
    let ship = Arc::new(jet(each).mesh_f32());
    let ship_reach = radii(&ship).1;
    for k in 0..ships {
        // Each heads past some creature's side, within reach of its tentacles.
        let start = add(centres[rng.below(count)], rng.in_cube(-0.5, 0.5));
        let (axis, roll) = (rng.direction(), rng.between(-1.0, 1.0));
        actors.push(Actor::rigid(format!("starship {k}"), Arc::clone(&ship), move |frame| {
            let way = progress(frame, FRAMES);
            turned(axis, roll * way, along([-6.0, start[1], start[2]], [1.0, 0.0, 0.0], 12.0 * way))
        }));
    }
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(move |scene, _| {
        let ball = |(k, (_, body)): (usize, (_, &'_ impinge::Body))| match centres.get(k) {
            Some(&centre) => Ball { centre, inner: 0.0, outer: Creature::REACH },
            None => Ball { centre: body.pose().apply([0.0; 3]), inner: 0.0, outer: ship_reach },
        };
        let names = scene.bodies().map(|(_, body)| body.name());
        let bodies: Vec<_> = names.zip(scene.bodies().enumerate().map(ball)).collect();
        of_relations(&bodies, Ball::to)
    }))
}
