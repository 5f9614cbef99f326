//! Shapes for tests.

use crate::scene::{Mesh, Point};

/// A box with these corners, its triangles seen from outside turning left.
pub(crate) fn brick(min: Point, max: Point) -> Mesh {
    let corner = |k: usize| -> Point {
        std::array::from_fn(|axis| if k >> axis & 1 == 0 { min[axis] } else { max[axis] })
    };
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new((0..8).map(corner).collect::<Vec<_>>(), triangles).unwrap()
}

/// A cube around a point.
pub(crate) fn cube(at: Point, size: f64) -> Mesh {
    brick(at.map(|c| c - size / 2.0), at.map(|c| c + size / 2.0))
}
