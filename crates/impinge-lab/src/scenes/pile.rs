//! Boxes stacked face to face on one lattice: whole numbers throughout, so touching is touching, and the contacts
//! can be counted by shared vertices.

use crate::known::{KnownAnswer, of_complex};
use crate::motion::{Actor, Motion};
use crate::shapes::{lattice_box, rounded};
use crate::vector::{Point, add, moved};
use impinge::SceneError;
use std::sync::Arc;

const FRAMES: usize = 6;
/// Above this, counting by shared vertices takes longer than a test should.
const MAX_TRIANGLES_KNOWN: usize = 300_000;

pub(super) fn make(triangles: usize, _seed: u64) -> Result<Motion, SceneError> {
    let cells = ((triangles as f64 / (12.0 * 27.0)).sqrt().round() as usize).max(1);
    let count = ((triangles as f64 / (12 * cells * cells) as f64).round() as usize).max(1);
    let shape = Arc::new(lattice_box([0; 3], [cells; 3]));
    let mesh = Arc::new(shape.mesh_f32());
    let size = cells as f64;
    let actor = |k: usize| {
        let place = [k % 3, k / 3 % 3, k / 9].map(|c| c as f64);
        let (name, mesh, shape) = (format!("box {k}"), Arc::clone(&mesh), Arc::clone(&shape));
        // Half are moved by a pose, half by their positions, in pairs of neighbours: machinery treats them
        // differently, but the coordinates are the same.
        if k % 4 < 2 {
            Actor::rigid(name, mesh, move |frame| moved(stand(place, size, frame)))
        } else {
            Actor::deforming(name, mesh, move |frame| {
                let corner = stand(place, size, frame);
                rounded(&shape.positions.iter().map(|&p| add(p, corner)).collect::<Vec<_>>())
            })
        }
    };
    let motion = Motion::new(FRAMES, (0..count).map(actor).collect())?;
    Ok(motion.knowing(move |scene, frame| match frame {
        // Slid by half a cell, triangles overlap without sharing vertices.
        3 => KnownAnswer { containments: Some(Vec::new()), ..KnownAnswer::default() },
        5 => KnownAnswer::clear(),
        _ if count * 12 * cells * cells > MAX_TRIANGLES_KNOWN => KnownAnswer::default(),
        _ => KnownAnswer { containments: Some(Vec::new()), ..of_complex(scene) },
    }))
}

/// Corner of the box at `place` in the pile.
fn stand(place: Point, size: f64, frame: usize) -> Point {
    let [x, y, z] = place.map(|c| c * size);
    let odd_layer = if place[2] % 2.0 == 1.0 { 1.0 } else { 0.0 };
    match frame {
        0 => [x, y, z],
        1 => [x, y, z + 0.5 * place[2]],   // layers lifted
        2 => [x + odd_layer, y, z],        // every other layer slid by a cell
        3 => [x + 0.5 * odd_layer, y, z],  // by half a cell
        4 => [x, y - size * odd_layer, z], // by a whole box
        _ => [1.5 * x, 1.5 * y, 1.5 * z],  // all apart
    }
}
