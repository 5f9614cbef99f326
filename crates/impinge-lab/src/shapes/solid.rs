//! Tetrahedra, prisms and hollow shells.

use super::sphere::subdivided;
use super::{MAX_TRIANGLES, Shape, sphere};
use crate::vector::Point;

/// A tetrahedron over four points, every face cut into about a quarter of the triangles asked for. Outward for
/// points of either handedness.
pub fn tetrahedron(triangles: usize, corners: [Point; 4]) -> Shape {
    let frequency = ((triangles.min(MAX_TRIANGLES) as f64 / 4.0).sqrt().round() as usize).max(1);
    let coarse =
        Shape { positions: corners.to_vec(), triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] };
    let coarse = if coarse.signed_volume() < 0.0 { coarse.flipped() } else { coarse };
    if frequency == 1 { coarse } else { subdivided(&coarse, frequency) }
}

/// An upright prism of height 2 over a regular polygon of radius 1, about the origin; its sides are cut into as
/// many bands as the triangles allow, its ends are fans about a centre.
pub fn prism(triangles: usize, sides: usize) -> Shape {
    let sides = sides.clamp(3, MAX_TRIANGLES / 8);
    let bands = (triangles.min(MAX_TRIANGLES).saturating_sub(2 * sides) as f64 / (2 * sides) as f64).round();
    let bands = (bands as usize).max(1);
    let mut shape = Shape::default();
    for band in 0..=bands {
        for side in 0..sides {
            let (y, x) = (std::f64::consts::TAU * side as f64 / sides as f64).sin_cos();
            shape.positions.push([x, y, 2.0 * band as f64 / bands as f64 - 1.0]);
        }
    }
    let [low, high] = [shape.positions.len() as u32, shape.positions.len() as u32 + 1];
    shape.positions.extend([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]);
    let at = |band: usize, side: usize| (band * sides + side % sides) as u32;
    for side in 0..sides {
        shape.triangles.push([low, at(0, side + 1), at(0, side)]);
        shape.triangles.push([high, at(bands, side), at(bands, side + 1)]);
        for band in 0..bands {
            let [a, b, c, d] =
                [at(band, side), at(band, side + 1), at(band + 1, side + 1), at(band + 1, side)];
            shape.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    shape
}

/// A ball with a hollow: the outer sphere faces out, the inner one faces into the hollow.
pub fn hollow_shell(triangles: usize, outer: f64, inner: f64) -> Shape {
    sphere(triangles / 2).scaled(outer).and(&sphere(triangles / 2).scaled(inner).flipped())
}
