//! Vertices from body coordinates to cells.

use super::draw::Plot;
use super::volume::Grid;
use crate::scene::vector::cross;
use crate::scene::{Mesh, Point, Pose};

/// The mean factor by which a pose scales lengths, over all directions.
pub fn stretch(pose: &Pose) -> f64 {
    let [a, b, c] = pose.rows().map(|[x, y, z, _]| [x, y, z]);
    let volume: f64 = cross(a, b).iter().zip(c).map(|(p, q)| p * q).sum();
    volume.abs().cbrt()
}

/// From the body to the world to cells in one step, in doubles until the last rounding.
pub(super) fn project(
    mesh: &Mesh,
    pose: &Pose,
    plot: &Plot,
    normals: &[Point],
    vertices: &mut Vec<[f32; 3]>,
) {
    /// Coordinates are clamped to this: far outside every volume.
    const MAX_COORDINATE: f64 = 1e30;
    let Grid { unit, rows, .. } = plot.grid;
    let rows: [[f64; 4]; 3] = rows.map(|[a, b, c, t]| {
        let sum = |k: usize| {
            a * (pose.rows()[0][k] / unit) + b * (pose.rows()[1][k] / unit) + c * (pose.rows()[2][k] / unit)
        };
        [sum(0), sum(1), sum(2), sum(3) + t]
    });
    let place = |p: Point| {
        rows.map(|[a, b, c, t]| {
            (p[0] * a + p[1] * b + p[2] * c + t).clamp(-MAX_COORDINATE, MAX_COORDINATE) as f32
        })
    };
    vertices.clear();
    if plot.offset == 0.0 {
        vertices.extend(mesh.positions().iter().map(place));
        return;
    }
    let by = plot.offset / stretch(pose).max(f64::MIN_POSITIVE);
    let moved = |(p, n): (Point, &Point)| place(std::array::from_fn(|k| p[k] + by * n[k]));
    vertices.extend(mesh.positions().iter().zip(normals).map(moved));
}
