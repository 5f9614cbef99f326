//! Open surfaces: cloth, ribbons, terrain, bowls and pipes.

use super::{Shape, grid_cells};
use crate::rng::Rng;
use crate::vector::{Point, dot};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A flat grid over `0..1` x `0..1` in the plane z = 0, diagonals alternating as in woven cloth.
pub fn cloth(triangles: usize) -> Shape {
    let cells = grid_cells(triangles, 1.0, 1);
    grid(cells, false, |u, v| [u, v, 0.0])
}

/// A flat strip over `0..1` x `0..1`, `aspect` times as many cells along x as along y.
pub fn strip(triangles: usize, aspect: f64) -> Shape {
    let cells = grid_cells(triangles, aspect.clamp(1.0, 1024.0), 1);
    grid(cells, false, |u, v| [u, v, 0.0])
}

/// Hills over `-1..1` x `-1..1`, their heights between -0.3 and 0.3.
pub fn terrain(triangles: usize, seed: u64) -> Shape {
    let mut rng = Rng::new(seed);
    let waves: Vec<(Point, f64)> = (1..=6)
        .map(|k| {
            let (turn, reach) = (rng.between(0.0, TAU), 1.5 * f64::from(k));
            ([reach * turn.cos(), reach * turn.sin(), 0.0], rng.between(0.0, TAU))
        })
        .collect();
    let height =
        |p: Point| waves.iter().map(|&(wave, phase)| 0.05 * (dot(p, wave) + phase).sin()).sum::<f64>();
    let cells = grid_cells(triangles, 1.0, 1);
    grid(cells, false, |u, v| [2.0 * u - 1.0, 2.0 * v - 1.0, height([2.0 * u - 1.0, 2.0 * v - 1.0, 0.0])])
}

/// Half a unit sphere, open at the top, without the pole (a small hole is left there).
pub fn bowl(triangles: usize) -> Shape {
    let cells = grid_cells(triangles, 3.0, 3);
    grid(cells, true, |u, v| {
        let (y, x) = (TAU * u).sin_cos();
        // Down to a twentieth of a right angle from the pole.
        let (s, c) = (FRAC_PI_2 * (0.05 + 0.95 * v)).sin_cos();
        [s * x, s * y, -c]
    })
}

/// A pipe of radius 1 along z from -1 to 1, open at both ends.
pub fn pipe(triangles: usize) -> Shape {
    let cells = grid_cells(triangles, 3.0, 3);
    grid(cells, true, |u, v| {
        let (y, x) = (TAU * u).sin_cos();
        [x, y, 2.0 * v - 1.0]
    })
}

/// A grid of cells over `u`, `v` in `0..1`; joined end to end along `u` when `round`.
fn grid([along, across]: [usize; 2], round: bool, surface: impl Fn(f64, f64) -> Point) -> Shape {
    let columns = if round { along } else { along + 1 };
    let mut shape = Shape::default();
    for i in 0..columns {
        for j in 0..=across {
            shape.positions.push(surface(i as f64 / along as f64, j as f64 / across as f64));
        }
    }
    let at = |i: usize, j: usize| (i % columns * (across + 1) + j) as u32;
    for i in 0..along {
        for j in 0..across {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            let alternate = (i + j) % 2 == 1;
            shape.triangles.extend(if alternate { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] });
        }
    }
    shape
}
