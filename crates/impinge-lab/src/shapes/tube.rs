//! Tubes around closed curves: the torus and the torus knots.

use super::{Shape, grid_cells};
use crate::vector::{Point, add, along, cross, dot, scale, sub, unit};
use std::f64::consts::TAU;

/// A torus about the z axis: a circle of radius `ring` with a tube of radius `tube` around it.
pub fn torus(triangles: usize, ring: f64, tube: f64) -> Shape {
    let [around, across] = grid_cells(triangles, (ring / tube).clamp(1.0, 64.0), 3);
    closed_tube(around, across, tube, |u| {
        let (s, c) = u.sin_cos();
        [ring * c, ring * s, 0.0]
    })
}

/// The `(p, q)` torus knot on a torus of radii `ring` and `small`: `p` turns about the z axis, `q` about the ring.
/// Coprime `p` and `q` give one curve.
pub fn torus_knot(triangles: usize, [p, q]: [u32; 2], [ring, small, tube]: [f64; 3]) -> Shape {
    let (p, q) = (f64::from(p), f64::from(q));
    let aspect = ((ring * p).hypot(small * q) / tube).clamp(1.0, 256.0);
    let [around, across] = grid_cells(triangles, aspect, 3);
    // With fewer than four steps to a turn, the chords are another knot, or none.
    let around = around.max((4.0 * (p + q)) as usize);
    closed_tube(around, across, tube, |u| {
        let reach = ring + small * (q * u).cos();
        [reach * (p * u).cos(), reach * (p * u).sin(), small * (q * u).sin()]
    })
}

fn closed_tube(around: usize, across: usize, tube: f64, curve: impl Fn(f64) -> Point) -> Shape {
    // Step of the central differences that give tangent and curvature: small against one turn, large against the
    // rounding of a second difference.
    const STEP: f64 = 1e-4;
    let mut shape = Shape::default();
    for i in 0..around {
        let u = TAU * i as f64 / around as f64;
        let [before, centre, after] = [curve(u - STEP), curve(u), curve(u + STEP)];
        let tangent = unit(sub(after, before));
        let bend = sub(add(before, after), scale(centre, 2.0));
        let normal = unit(along(bend, tangent, -dot(bend, tangent)));
        let binormal = cross(tangent, normal);
        for j in 0..across {
            let (s, c) = (TAU * j as f64 / across as f64).sin_cos();
            shape.positions.push(along(along(centre, normal, tube * c), binormal, tube * s));
        }
    }
    let at = |i: usize, j: usize| (i % around * across + j % across) as u32;
    for i in 0..around {
        for j in 0..across {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            shape.triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    shape
}
