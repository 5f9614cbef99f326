//! Spheres: geodesic, by latitude and longitude, and with bumps.

use super::{MAX_TRIANGLES, Shape};
use crate::rng::Rng;
use crate::vector::{Point, add, dot, scale, unit};
use std::collections::HashMap;

/// A unit sphere at about any number of triangles: geodesic where that comes within a twentieth, else by latitude
/// and longitude, which comes closer.
pub fn sphere(triangles: usize) -> Shape {
    let triangles = triangles.min(MAX_TRIANGLES);
    let frequency = icosphere_frequency(triangles);
    let off = (20 * frequency * frequency).abs_diff(triangles);
    if off * 20 <= triangles { icosphere(frequency) } else { uv_sphere(triangles) }
}

fn icosphere_frequency(triangles: usize) -> usize {
    ((triangles as f64 / 20.0).sqrt().round() as usize).max(1)
}

/// A geodesic unit sphere of `20 * frequency^2` triangles: every face of an icosahedron cut into `frequency^2`.
pub fn icosphere(frequency: usize) -> Shape {
    let g = f64::midpoint(1.0, 5.0f64.sqrt());
    let mut corners = Vec::new();
    for (x, y) in [(-1.0, g), (1.0, g), (-1.0, -g), (1.0, -g)] {
        corners.push([x, y, 0.0]);
    }
    for (y, z) in [(-1.0, g), (1.0, g), (-1.0, -g), (1.0, -g)] {
        corners.push([0.0, y, z]);
    }
    for (z, x) in [(-1.0, g), (1.0, g), (-1.0, -g), (1.0, -g)] {
        corners.push([x, 0.0, z]);
    }
    let faces = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    subdivided(&Shape { positions: corners, triangles: faces }, frequency).map(unit)
}

/// Every triangle cut into `frequency^2`, vertices on shared edges shared.
pub(super) fn subdivided(shape: &Shape, frequency: usize) -> Shape {
    let n = frequency.clamp(1, 1 << 12) as u32;
    let mut fine = Shape::default();
    // A vertex is named by its weights on the coarse corners, zero weights left out, so that both sides of an
    // edge name it alike.
    let mut names: HashMap<[(u32, u32); 3], u32> = HashMap::new();
    for (face, corners) in shape.triangles.iter().enumerate() {
        let points = shape.corners(face);
        let mut vertex = |i: u32, j: u32| {
            let weights = [n - i - j, i, j];
            let mut name =
                [0, 1, 2].map(|k| if weights[k] == 0 { (u32::MAX, 0) } else { (corners[k], weights[k]) });
            name.sort_unstable();
            *names.entry(name).or_insert_with(|| {
                let part = |k: usize| scale(points[k], f64::from(weights[k]) / f64::from(n));
                fine.positions.push(add(add(part(0), part(1)), part(2)));
                fine.positions.len() as u32 - 1
            })
        };
        for i in 0..n {
            for j in 0..n - i {
                let [a, b, c] = [vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)];
                fine.triangles.push([a, b, c]);
                if i + j + 2 <= n {
                    fine.triangles.push([b, vertex(i + 1, j + 1), c]);
                }
            }
        }
    }
    fine
}

/// A unit sphere by latitude and longitude: `2 * segments * (bands - 1)` triangles, twice as many segments as bands.
pub fn uv_sphere(triangles: usize) -> Shape {
    let triangles = triangles.min(MAX_TRIANGLES);
    let bands = ((triangles as f64 / 4.0).sqrt().round() as usize).max(2);
    let segments = ((triangles as f64 / (2 * (bands - 1)) as f64).round() as usize).max(3);
    let mut shape = Shape::default();
    shape.positions.push([0.0, 0.0, 1.0]);
    for band in 1..bands {
        let (s, c) = (std::f64::consts::PI * band as f64 / bands as f64).sin_cos();
        for segment in 0..segments {
            let (y, x) = (std::f64::consts::TAU * segment as f64 / segments as f64).sin_cos();
            shape.positions.push([s * x, s * y, c]);
        }
    }
    shape.positions.push([0.0, 0.0, -1.0]);
    let south = shape.positions.len() as u32 - 1;
    let at = |band: usize, segment: usize| (1 + (band - 1) * segments + segment % segments) as u32;
    for segment in 0..segments {
        shape.triangles.push([0, at(1, segment), at(1, segment + 1)]);
        for band in 1..bands - 1 {
            let [a, b, c, d] =
                [at(band, segment), at(band + 1, segment), at(band + 1, segment + 1), at(band, segment + 1)];
            shape.triangles.extend([[a, b, c], [a, c, d]]);
        }
        shape.triangles.push([at(bands - 1, segment), south, at(bands - 1, segment + 1)]);
    }
    shape
}

/// A sphere of radius about 0.85 with seeded bumps, between 0.6 and 1.1 from its centre.
pub fn bumpy_sphere(triangles: usize, seed: u64) -> Shape {
    let mut rng = Rng::new(seed);
    let waves: Vec<(Point, f64)> =
        (0..4).map(|_| (scale(rng.direction(), rng.between(5.0, 11.0)), rng.between(0.0, 6.0))).collect();
    let bump = |p: Point| waves.iter().map(|&(wave, phase)| 0.06 * (dot(p, wave) + phase).sin()).sum::<f64>();
    sphere(triangles).map(|p| scale(p, 0.85 + bump(p)))
}
