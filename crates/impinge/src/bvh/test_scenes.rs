//! Scenes for tests.

use super::body_cache::BodyCache;
use crate::scene::{Mesh, Scene};
use crate::simd::Machine;

/// A grid of `side * side` squares, two triangles each, over the unit square around the origin.
pub(crate) fn grid_mesh(side: u32, at: impl Fn(f32, f32) -> [f32; 3]) -> Mesh {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=side {
        for j in 0..=side {
            points.push(at(i as f32 / side as f32 - 0.5, j as f32 / side as f32 - 0.5));
            if i < side && j < side {
                let corner = i * (side + 1) + j;
                triangles.push([corner, corner + 1, corner + side + 1]);
                triangles.push([corner + 1, corner + side + 2, corner + side + 1]);
            }
        }
    }
    Mesh::new(points, triangles).unwrap()
}

/// Every body of a scene, with its patches and block boxes.
pub(crate) fn followed(scene: &Scene, machine: Machine) -> Vec<BodyCache> {
    let cache = |body| {
        let mut cache = BodyCache::default();
        cache.follow(body, machine);
        cache.build_all(body, machine);
        cache.ensure_centred_boxes();
        cache.build_block_boxes(body, machine);
        cache
    };
    scene.bodies().map(|(_, body)| cache(body)).collect()
}
