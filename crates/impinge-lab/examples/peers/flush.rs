//! Two boxes of many flat triangles, face on face: what machine parts look like. One of them slides, by a whole cell in every other
//! frame, and then by a part of one.

use anyhow::Result;
use impinge_lab::shapes::{box_cells, lattice_box};
use impinge_lab::{Actor, Motion};
use std::sync::Arc;

/// Cells are no power of two: coordinates are floats of many bits.
pub(crate) fn make(triangles: usize, frames: usize) -> Result<Motion> {
    let cells = box_cells(triangles / 2)[0];
    let cell = 1.0 / cells as f64;
    let shape = Arc::new(lattice_box([0; 3], [cells; 3]).scaled(cell));
    let mesh = Arc::new(shape.mesh_f32());
    let place = move |body: usize, frame: usize| {
        let slid = frame as f64 + if frame % 2 == 1 { 0.37 } else { 0.0 };
        [body as f64, body as f64 * (0.25 + slid * cell), body as f64 * 0.25]
    };
    let actor = |body: usize| {
        let (shape, mesh) = (Arc::clone(&shape), Arc::clone(&mesh));
        let moved = move |frame| {
            let [x, y, z] = place(body, frame);
            shape.positions.iter().map(|p| [p[0] + x, p[1] + y, p[2] + z].map(|x| x as f32)).collect()
        };
        Actor::deforming(format!("box {body}"), mesh, moved).with_self_collision()
    };
    Ok(Motion::new(frames, vec![actor(0), actor(1)])?)
}
