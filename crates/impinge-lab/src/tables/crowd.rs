//! Closed bodies thrown together, and who interferes with whom: the scenes of Knott 2003, section 4.7, without its files.

use crate::rng::Rng;
use crate::shapes::{bumpy_sphere, subdivided_box};
use crate::vector::turned;
use anyhow::Result;
use impinge::interference::Interference;
use impinge::{BodyId, Collider, Options, Scene};
use std::collections::BTreeSet;

/// Where bodies are thrown.
#[derive(Clone, Copy, Debug)]
pub(super) enum Room {
    /// A cube, so large for every body.
    Cube(f64),
    /// A shaft along z of fixed width, so long for every body: each looks as large as it did among fewer.
    Shaft { width: f64, length: f64 },
}

/// So many bodies of so many triangles, boxes where there are twelve.
pub(super) fn crowd(bodies: usize, triangles: usize, room: Room, seed: u64) -> Result<Scene> {
    let mut rng = Rng::new(seed);
    let mut scene = Scene::new();
    for k in 0..bodies {
        let mesh = if triangles == 12 {
            subdivided_box(12, rng.in_cube(0.3, 0.8)).mesh()
        } else {
            bumpy_sphere(triangles, seed + k as u64).mesh()
        };
        scene.add(format!("body {k}"), mesh);
    }
    scatter(&mut scene, room, seed)?;
    Ok(scene)
}

/// Throws them again.
pub(super) fn scatter(scene: &mut Scene, room: Room, seed: u64) -> Result<()> {
    let mut rng = Rng::new(seed);
    let ids: Vec<BodyId> = scene.bodies().map(|(id, _)| id).collect();
    let count = ids.len() as f64;
    let size = match room {
        Room::Cube(each) => [each * count.cbrt(); 3],
        Room::Shaft { width, length } => [width, width, length * count],
    };
    for id in ids {
        let part = rng.in_cube(-0.5, 0.5);
        let place = std::array::from_fn(|k| part[k] * size[k]);
        scene.set_pose(id, turned(rng.direction(), rng.between(0.0, 6.0), place))?;
    }
    Ok(())
}

/// Pairs of bodies, the first before the second.
pub(super) type Pairs = BTreeSet<[BodyId; 2]>;

fn sorted([a, b]: [BodyId; 2]) -> [BodyId; 2] {
    [a.min(b), a.max(b)]
}

/// The exact answer: bodies that touch, and those inside others.
pub(super) fn exact_pairs(scene: &Scene) -> Pairs {
    let mut collider = Collider::new(Options::default());
    let report = collider.collide(scene).expect("bvh takes every scene");
    let touching = report.pairs.iter().map(|pair| [pair.a, pair.b]);
    let inside = report.containments.iter().map(|pair| [pair.inner, pair.outer]);
    touching.chain(inside).map(sorted).collect()
}

/// What casting found.
pub(super) fn found_pairs(interference: &Interference) -> Pairs {
    interference.pairs.iter().map(|pair| sorted([pair.penetrating, pair.penetrated])).collect()
}
