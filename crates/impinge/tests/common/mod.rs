//! Small scenes that move, for the tests and benches of this crate: setting a frame takes no memory, so that what a
//! collider takes can be counted.

#![allow(dead_code, reason = "every test and bench compiles this file and uses its own part")]

use impinge::{BodyId, Mesh, Pose, Scene};

type Place = fn(f64, f64, f64) -> [f64; 3];

/// Rows and columns of quads over the unit square, put into the world by `place`.
struct Surface {
    side: usize,
    /// Whether the last column is the first one again, and the first and last row end in a point each.
    closed: bool,
    /// From a point of the square and the time to the world.
    place: Place,
}

impl Surface {
    fn new(place: Place, closed: bool, triangles: usize) -> Self {
        Self { side: ((triangles as f64 / 2.0).sqrt().round() as usize).max(4), closed, place }
    }

    /// Vertices of a row.
    fn across(&self) -> usize {
        if self.closed { self.side } else { self.side + 1 }
    }

    fn fill(&self, time: f64, size: f64, centre: [f64; 3], points: &mut Vec<[f32; 3]>) {
        points.clear();
        let mut push = |column: usize, v: f64| {
            let p = (self.place)(column as f64 / self.side as f64, v, time);
            points.push([0, 1, 2].map(|axis| (size * p[axis] + centre[axis]) as f32));
        };
        for row in 0..=self.side {
            let pole = if self.closed { 1.0 } else { 0.0 };
            let v = (row as f64 + pole) / (self.side as f64 + 2.0 * pole);
            (0..self.across()).for_each(|column| push(column, v));
        }
        if self.closed {
            push(0, 0.0);
            push(0, 1.0);
        }
    }

    fn triangles(&self) -> Vec<[u32; 3]> {
        let across = self.across();
        let at = |row: usize, column: usize| (row * across + column % across) as u32;
        let quads = (0..self.side).flat_map(|row| (0..self.side).map(move |column| (row, column)));
        let mut triangles: Vec<[u32; 3]> = quads
            .flat_map(|(row, column)| {
                let [a, b, c, d] = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(r, k)| at(row + r, column + k));
                [[a, b, c], [a, c, d]]
            })
            .collect();
        if self.closed {
            let pole = ((self.side + 1) * across) as u32;
            let last = self.side;
            triangles.extend((0..across).map(|k| [at(0, k + 1), at(0, k), pole]));
            triangles.extend((0..across).map(|k| [at(last, k), at(last, k + 1), pole + 1]));
        }
        triangles
    }
}

/// A wobbling ball of radius about 1.
fn ball(u: f64, v: f64, time: f64) -> [f64; 3] {
    let (turn, tilt) = (u * std::f64::consts::TAU, v * std::f64::consts::PI);
    let radius = 1.0 + 0.1 * (5.0 * turn + time).sin() * (4.0 * tilt).sin();
    [radius * tilt.sin() * turn.cos(), radius * tilt.sin() * turn.sin(), radius * tilt.cos()]
}

/// A ribbon that curls up and, wobbling, through itself.
fn ribbon(u: f64, v: f64, time: f64) -> [f64; 3] {
    let curl = v * (8.0 + time.sin());
    let radius = 1.0 + 0.15 * (9.0 * u + 2.0 * v + time).sin();
    [radius * curl.cos(), radius * curl.sin(), u]
}

enum Motion {
    Deforming { surface: Surface, size: f64, centre: [f64; 3], points: Vec<[f32; 3]> },
    Rigid { place: [f64; 3], axis: [f64; 3] },
}

/// A scene that moves with time, once around in [`Moving::PERIOD`].
pub(crate) struct Moving {
    pub(crate) name: &'static str,
    pub(crate) scene: Scene,
    bodies: Vec<(BodyId, Motion)>,
}

impl Moving {
    pub(crate) const PERIOD: f64 = std::f64::consts::TAU;

    /// Two balls that overlap and wobble, of about `triangles` together.
    pub(crate) fn two_deforming(triangles: usize) -> Self {
        let mut moving = Self::named("two deforming bodies");
        for centre in [[0.0; 3], [0.9, 0.7, 0.3]] {
            moving.deforming(Surface::new(ball, true, triangles / 2), 1.0, centre);
        }
        moving
    }

    /// A ribbon that crosses itself.
    pub(crate) fn self_colliding(triangles: usize) -> Self {
        let mut moving = Self::named("a self-colliding body");
        moving.deforming(Surface::new(ribbon, false, triangles), 1.0, [0.0; 3]);
        moving.collide_with_themselves();
        moving
    }

    /// Eight balls that turn and overlap their neighbours.
    pub(crate) fn rigid(triangles: usize) -> Self {
        let mut moving = Self::named("rigid bodies");
        let surface = Surface::new(ball, true, triangles / 8);
        let mut points = Vec::new();
        surface.fill(0.0, 1.0, [0.0; 3], &mut points);
        let mesh = Mesh::new(points, surface.triangles()).unwrap();
        for k in 0..8 {
            let id = moving.scene.add(format!("ball {k}"), mesh.clone());
            let place = [k & 1, k >> 1 & 1, k >> 2].map(|cell| 1.6 * cell as f64);
            moving.bodies.push((id, Motion::Rigid { place, axis: [1.0, k as f64 - 3.3, 0.4] }));
        }
        moving.set_time(0.0);
        moving
    }

    /// In a ball, a ball, and another that goes through the wall but is within the box.
    pub(crate) fn nested(triangles: usize) -> Self {
        let mut moving = Self::named("bodies in a body");
        for (size, centre) in [(1.0, [0.0; 3]), (0.4, [0.0; 3]), (0.25, [0.55; 3])] {
            moving.deforming(Surface::new(ball, true, triangles / 3), size, centre);
        }
        moving
    }

    fn named(name: &'static str) -> Self {
        Self { name, scene: Scene::new(), bodies: Vec::new() }
    }

    fn deforming(&mut self, surface: Surface, size: f64, centre: [f64; 3]) {
        let mut points = Vec::new();
        surface.fill(0.0, size, centre, &mut points);
        let id = self.scene.add("body", Mesh::new(points.clone(), surface.triangles()).unwrap());
        self.bodies.push((id, Motion::Deforming { surface, size, centre, points }));
    }

    /// Turns self-collision on for every body.
    pub(crate) fn collide_with_themselves(&mut self) {
        for (id, _) in &self.bodies {
            self.scene.set_self_collision(*id, true).unwrap();
        }
    }

    /// Moves every body; takes no memory.
    pub(crate) fn set_time(&mut self, time: f64) {
        for (k, (id, motion)) in self.bodies.iter_mut().enumerate() {
            match motion {
                Motion::Deforming { surface, size, centre, points } => {
                    surface.fill(time + k as f64, *size, *centre, points);
                    self.scene.set_positions(*id, points).unwrap();
                }
                Motion::Rigid { place, axis } => {
                    let sway = place.map(|coordinate| coordinate + 0.2 * (time + 2.0 * coordinate).sin());
                    self.scene.set_pose(*id, Pose::from_axis_angle(*axis, time, sway).unwrap()).unwrap();
                }
            }
        }
    }

    /// The body and its positions, of a deforming scene's first body.
    pub(crate) fn positions(&self) -> Option<(BodyId, &[[f32; 3]])> {
        match self.bodies.first()? {
            (id, Motion::Deforming { points, .. }) => Some((*id, points)),
            _ => None,
        }
    }
}
