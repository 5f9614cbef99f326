//! What two solids are to each other, in integers that never round: does what they share have a volume, does one stick out of the
//! other, do they share a point at all?
//!
//! Bodies are made of tetrahedra that share whole faces; the surface is the triangles that one tetrahedron has alone
//! ([`Cells`]). So a solid is a union of tetrahedra, whatever rounding did to its corners, and no ray, no winding number, no
//! contact and no sign of the library takes part. [`compare`] asks the library about many placements of such bodies.

mod placements;
mod tetrahedra;

pub use placements::{Cells, Placement};

use self::tetrahedra::{Plane, Tetrahedron, planes, point, share_a_volume, side, sticks_out};
use super::{boxes_touch, decode, triangles_touch};
use crate::families::Rng;
use impinge::contacts::Relation;
use impinge::{Collider, Options, Scene};
use num_bigint::BigInt;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the oracle says of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// No point in common.
    Apart,
    /// Points in common, and no volume.
    Touching,
    /// A volume in common, and each sticks out of the other.
    Overlapping,
    /// The first is part of the second.
    FirstInside,
    /// The second is part of the first.
    SecondInside,
    /// The same points.
    Equal,
}

/// The corners of a body's tetrahedra, and its triangles, in the world.
struct Placed {
    tetrahedra: Vec<(Tetrahedron, [Plane; 4])>,
    boxes: Vec<[[f64; 3]; 2]>,
    triangles: Vec<[[f64; 3]; 3]>,
}

/// What two bodies are to each other; `None` where rounding has turned a tetrahedron over, and there is no answer.
pub fn relation(cells: [&Cells; 2], world: [&[[f64; 3]]; 2]) -> Option<Answer> {
    let coordinates = || world.iter().flat_map(|points| points.iter().flatten());
    let lowest = coordinates().filter(|&&x| x != 0.0).map(|&x| decode(x).1).min().unwrap_or(0);
    let place = |k: usize| {
        let corner = |v: u32| {
            point(world[k][v as usize].map(|x| {
                let (integer, exponent) = decode(x);
                BigInt::from(integer) << exponent.saturating_sub(lowest).max(0)
            }))
        };
        let mut placed = Placed { tetrahedra: Vec::new(), boxes: Vec::new(), triangles: Vec::new() };
        let mut turned = None;
        for t in &cells[k].tetrahedra {
            let corners = t.map(corner);
            let planes = planes(&corners);
            let sign = volume_sign(&corners);
            if sign == 0 || *turned.get_or_insert(sign) != sign {
                return None;
            }
            placed.tetrahedra.push((corners, planes));
            let points = t.map(|v| world[k][v as usize]);
            let fold = |f: fn(f64, f64) -> f64| {
                [0, 1, 2].map(|i| points[1..].iter().fold(points[0][i], |m, p| f(m, p[i])))
            };
            placed.boxes.push([fold(f64::min), fold(f64::max)]);
        }
        placed.triangles = cells[k].triangles().iter().map(|t| t.map(|v| world[k][v as usize])).collect();
        Some(placed)
    };
    let (a, b) = (place(0)?, place(1)?);
    if !share(&a, &b) {
        let touch = a
            .triangles
            .iter()
            .any(|s| b.triangles.iter().any(|t| boxes_touch(s, t) && triangles_touch(s, t)));
        return Some(if touch { Answer::Touching } else { Answer::Apart });
    }
    Some(match [is_within(&a, &b), is_within(&b, &a)] {
        [true, true] => Answer::Equal,
        [true, false] => Answer::FirstInside,
        [false, true] => Answer::SecondInside,
        [false, false] => Answer::Overlapping,
    })
}

fn volume_sign(t: &Tetrahedron) -> i8 {
    let plane = planes(t)[3].clone();
    let height = side(&plane, &t[3]);
    if height == BigInt::ZERO {
        return 0;
    }
    // `planes` turns every plane to the inside: the determinant itself tells which way.
    let row = |p: usize| [0, 1, 2].map(|i| &t[p][i] - &t[3][i]);
    let [a, b, c] = [row(0), row(1), row(2)];
    let determinant = &a[0] * (&b[1] * &c[2] - &b[2] * &c[1]) - &a[1] * (&b[0] * &c[2] - &b[2] * &c[0])
        + &a[2] * (&b[0] * &c[1] - &b[1] * &c[0]);
    if determinant > BigInt::ZERO { 1 } else { -1 }
}

fn boxes_share(a: &[[f64; 3]; 2], b: &[[f64; 3]; 2]) -> bool {
    (0..3).all(|i| a[0][i] < b[1][i] && b[0][i] < a[1][i])
}

/// Whether two bodies share a volume.
fn share(a: &Placed, b: &Placed) -> bool {
    a.tetrahedra.iter().zip(&a.boxes).any(|((t, _), t_box)| {
        b.tetrahedra
            .iter()
            .zip(&b.boxes)
            .any(|((_, planes), b_box)| boxes_share(t_box, b_box) && share_a_volume(t, planes))
    })
}

/// Whether no volume of `a` is outside `b`.
fn is_within(a: &Placed, b: &Placed) -> bool {
    a.tetrahedra.iter().zip(&a.boxes).all(|((t, _), t_box)| {
        let near: Vec<&[Plane; 4]> = b
            .tetrahedra
            .iter()
            .zip(&b.boxes)
            .filter(|(_, b_box)| boxes_share(t_box, b_box))
            .map(|((_, planes), _)| planes)
            .collect();
        !sticks_out(t, &near)
    })
}

/// How the library did on some placements.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many were compared.
    pub placements: u64,
    /// How many the oracle has no answer for: rounding turned a tetrahedron over.
    pub skipped: u64,
    /// How many of each answer, in the order of [`Answer`].
    pub answers: [u64; 6],
    /// How many times the library said something else.
    pub wrong: u64,
    /// The first wrong answers.
    pub examples: Vec<String>,
}

/// Wrong answers that are kept whole.
const EXAMPLES: usize = 5;

impl Tally {
    fn add(mut self, other: Self) -> Self {
        self.placements += other.placements;
        self.skipped += other.skipped;
        self.wrong += other.wrong;
        self.answers.iter_mut().zip(other.answers).for_each(|(sum, more)| *sum += more);
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
        self
    }
}

/// Asks the library and the oracle about so many random placements.
pub fn compare(placements: u64, seed: u64, progress: impl Fn(u64) + Sync) -> Tally {
    let one = |number: u64| {
        let placement = Placement::random(&mut Rng::new(Rng::new(seed).bits() ^ number));
        let tally = placement.tally(seed, number);
        progress(1);
        tally
    };
    (0..placements).into_par_iter().map(one).reduce(Tally::default, Tally::add)
}

impl Placement {
    fn tally(&self, seed: u64, number: u64) -> Tally {
        let mut scene = Scene::new();
        let ids = [0, 1].map(|k| {
            let id = scene.add(["first", "second"][k], self.meshes[k].clone());
            scene.set_pose(id, self.poses[k]).is_ok().then_some(id)
        });
        let [Some(a), Some(b)] = ids else { return Tally { skipped: 1, ..Tally::default() } };
        let world = [a, b].map(|id| {
            let count = scene.body(id).map_or(0, |body| body.mesh().positions().len());
            (0..count).filter_map(|v| Some(scene.body(id)?.world_position(v))).collect::<Vec<_>>()
        });
        let Some(expected) = relation(self.cells.each_ref(), world.each_ref().map(Vec::as_slice)) else {
            return Tally { skipped: 1, ..Tally::default() };
        };
        let answer = catch_unwind(AssertUnwindSafe(|| {
            let options = Options { relations: true, threads: 1, ..Options::default() };
            let mut collider = Collider::new(options);
            let report = collider.collide(&scene).map_err(|error| error.to_string())?;
            Ok(match report.relation(a, b) {
                None => Answer::Apart,
                Some(Relation::Touching) => Answer::Touching,
                Some(Relation::Overlapping) => Answer::Overlapping,
                Some(Relation::Inside { inner }) if inner == a => Answer::FirstInside,
                Some(Relation::Inside { .. }) => Answer::SecondInside,
                Some(Relation::Equal) => Answer::Equal,
                Some(other) => return Err(format!("{other:?}")),
            })
        }));
        let answer = answer.unwrap_or_else(|_| Err("a panic".into()));
        let mut tally = Tally { placements: 1, ..Tally::default() };
        tally.answers[expected as usize] = 1;
        if answer != Ok(expected) {
            tally.wrong = 1;
            tally.examples.push(format!(
                "seed {seed}, placement {number} ({}): the library says {answer:?}, the oracle {expected:?}",
                self.name
            ));
        }
        tally
    }
}
