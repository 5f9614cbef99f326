//! Sixty-four colliders of every kind, and particles that come from everywhere.

use impinge::Pose;
use impinge::particles::{Clip, Collider, Constraint, Particle, Region, Sheets};
use impinge_lab::rng::Rng;
use impinge_lab::shapes::{icosphere, lattice_box};
use impinge_lab::vector::turned;

/// Half the size of the space that colliders stand in.
const ROOM: f64 = 20.0;

/// So many of every kind, each somewhere, turned somehow.
pub(crate) fn colliders(count: usize, seed: u64) -> Vec<Collider> {
    let mut rng = Rng::new(seed);
    (0..count)
        .map(|k| {
            let pose = turned(rng.direction(), rng.between(0.0, 3.0), rng.in_cube(-ROOM, ROOM));
            collider(k, pose, &mut rng)
        })
        .collect()
}

fn collider(k: usize, pose: Pose, rng: &mut Rng) -> Collider {
    let name = format!("collider {k}");
    let mut size = || rng.between(0.8, 2.5);
    let square = |s: f64| Region::Rectangle { min: [-s, -s], max: [s, s] };
    let plane =
        |constraints| Collider::new(name.clone(), impinge::particles::Shape::Plane(constraints), pose);
    let made = match k % 12 {
        0 => plane(vec![
            Constraint::Inside(square(size())),
            Constraint::Outside(Region::Disc { centre: [0.2, 0.1], radius: 0.4 }),
        ]),
        1 => plane(vec![Constraint::Inside(Region::Disc { centre: [0.0; 2], radius: size() })]),
        2 => {
            let star = (0..10).map(|k| {
                let (radius, turn) =
                    (if k % 2 == 0 { 2.4 } else { 1.1 }, f64::from(k) * 0.2 * std::f64::consts::PI);
                [radius * turn.cos(), radius * turn.sin()]
            });
            plane(vec![Constraint::Inside(Region::Polygon(star.collect()))])
        }
        3 => Collider::ellipsoid(name, [size(), size(), size()], pose),
        4 => Collider::cylinder(name, [size(), size()], size(), pose),
        5 => Collider::cone(name, size(), size(), pose),
        6 => Collider::paraboloid(name, size(), size(), pose),
        7 => Collider::hyperboloid(name, [size(), size(), size()], Sheets::One, 2.0, pose),
        8 => Collider::hyperboloid(name, [0.5, 0.6, 0.7], Sheets::Two, 2.0, pose),
        9 => Collider::cuboid(name, [size(), size(), 0.01 * size()], pose),
        10 => Collider::mesh(name, icosphere(2).scaled(size()).mesh(), pose),
        _ if k % 24 == 11 => Collider::mesh(name, lattice_box([-1; 3], [2; 3]).mesh(), pose),
        _ => {
            let clip = Clip::HalfSpace { normal: [1.0, 2.0, 1.0], offset: 0.5 };
            let third = 1.0 / 3.0;
            let matrix = [
                [third, 0.1, 0.0, 0.0],
                [0.1, third, 0.0, 0.0],
                [0.0, 0.0, third, 0.0],
                [0.0, 0.0, 0.0, -1.0],
            ];
            Collider::quadric(name, matrix, vec![clip], pose)
        }
    };
    made.unwrap()
}

/// Particles whose numbers are floats, so that both sides start alike: every other one of second order.
pub(crate) fn particles(count: usize, seed: u64) -> Vec<Particle> {
    let mut rng = Rng::new(seed);
    let float = |v: [f64; 3]| v.map(|c| f64::from(c as f32));
    (0..count)
        .map(|k| {
            let position = float(rng.in_cube(-1.5 * ROOM, 1.5 * ROOM));
            let target = rng.in_cube(-ROOM, ROOM);
            let speed = rng.between(0.1, 1.0);
            let velocity = float(std::array::from_fn(|k| (target[k] - position[k]) * speed));
            let pull = rng.in_cube(-6.0, 6.0);
            let acceleration = if k % 2 == 0 { [0.0; 3] } else { float(pull) };
            Particle { position, velocity, acceleration, ..Particle::default() }
        })
        .collect()
}
