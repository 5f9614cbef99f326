//! Tetrahedra and prisms with small whole coordinates, thrown together: most pairs that meet do so in a vertex, an
//! edge or a plane, and some are flat. Bodies collide with each other and with themselves.

use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::{Shape, tetrahedron};
use crate::vector::{Point, add, moved};
use impinge::SceneError;

const FRAMES: usize = 6;
const BODIES: usize = 4;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    // Six triangles each, on average; about one solid of volume 2 for every 16 cells of a body.
    let solids = (triangles / (6 * BODIES)).max(1);
    let side = ((solids as f64 * 16.0).cbrt().ceil() as usize).max(3);
    let mut actors = Vec::new();
    for k in 0..BODIES {
        let mut shape = Shape::default();
        for solid in 0..solids {
            let at = lattice_point(&mut rng, side);
            let corner = |rng: &mut Rng| add(at, lattice_point(rng, 4));
            let corners = [(); 3].map(|()| corner(&mut rng));
            shape = if solid % 2 == 0 {
                let top = corner(&mut rng);
                shape.and(&tetrahedron(4, [corners[0], corners[1], corners[2], top]))
            } else {
                let up = [0.0, 0.0, (1 + rng.below(3)) as f64];
                shape.and(&lattice_prism(corners, up))
            };
        }
        let step = [rng.below(3), rng.below(3), rng.below(3)].map(|c| c as f64 - 1.0);
        let pose = move |frame| moved(step.map(|c| c * frame as f64));
        actors.push(Actor::rigid(format!("soup {k}"), shape.mesh_f32(), pose).with_self_collision());
    }
    Motion::new(FRAMES, actors)
}

fn lattice_point(rng: &mut Rng, side: usize) -> Point {
    [rng.below(side), rng.below(side), rng.below(side)].map(|c| c as f64)
}

/// A triangle, carried along `up`; outward whichever way it turns.
fn lattice_prism([a, b, c]: [Point; 3], up: Point) -> Shape {
    let shape = Shape {
        positions: vec![a, b, c, add(a, up), add(b, up), add(c, up)],
        triangles: vec![
            [0, 2, 1],
            [3, 4, 5],
            [0, 1, 4],
            [0, 4, 3],
            [1, 2, 5],
            [1, 5, 4],
            [2, 0, 3],
            [2, 3, 5],
        ],
    };
    if shape.signed_volume() < 0.0 { shape.flipped() } else { shape }
}
