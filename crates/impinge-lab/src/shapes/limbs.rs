//! Bodies with limbs, each one closed surface: caps of a stretched sphere are drawn out into tentacles, wings and fins.
//!
//! The creatures are those of Georgii, Krüger, Westermann 2007, section 5 (a spherical body and moving tentacles,
//! which retract and grow again); the jet stands in for the passenger jets of Dinerstein, Egbert 2002, section 4.

use super::{Shape, rounded, sphere};
use crate::rng::Rng;
use crate::vector::{Point, add, along, dot, frame_around, scale, smooth, sub, unit};
use std::f64::consts::TAU;

/// A cap of the unit sphere drawn out along its axis.
#[derive(Clone, Copy, Debug)]
struct Limb {
    axis: Point,
    /// Half angle of the cap.
    cap: f64,
    length: f64,
    /// Width of the limb as a part of its root's.
    girth: f64,
    /// Scale of each coordinate of the cross-section away from the root: 1 keeps it, less flattens.
    squeeze: Point,
    /// How far the tip is carried aside.
    sweep: Point,
}

impl Limb {
    /// 0 at the root, 1 at the tip, nothing off the limb.
    fn reach(&self, direction: Point) -> Option<f64> {
        let angle = dot(direction, self.axis).clamp(-1.0, 1.0).acos();
        (angle < self.cap).then(|| 1.0 - angle / self.cap)
    }

    /// Width at one place along the limb, as a part of the root's: a fillet, a slow taper, a rounded tip.
    fn profile(&self, reach: f64) -> f64 {
        let shaft = self.girth * (1.0 - 0.5 * reach);
        let fillet = 1.0 - smooth(reach / 0.3);
        let tip = ((1.0 - reach) / 0.1).min(1.0).sqrt();
        (shaft + (1.0 - shaft) * fillet) * tip
    }

    /// Where a point `surface` of the cap, seen in `direction`, goes.
    fn draw_out(&self, root: Point, surface: Point, reach: f64) -> Point {
        let offset = sub(surface, root);
        let (drawn, spread) = (smooth(reach / 0.3), 1.0 - reach);
        let widen = if spread > 0.0 { self.profile(reach) / spread } else { 0.0 };
        let squeezed = [0, 1, 2].map(|k| offset[k] * widen * (1.0 + drawn * (self.squeeze[k] - 1.0)));
        along(along(add(root, squeezed), self.axis, self.length * reach), self.sweep, reach)
    }
}

/// A creature and what it needs to move: which tentacle each vertex belongs to, and how far out it is.
#[derive(Clone, Debug)]
pub struct Creature {
    /// At rest, tentacles grown.
    pub shape: Shape,
    limbs: Vec<(Limb, f64, f64)>,
    vertices: Vec<Option<(u32, f64)>>,
}

/// A sphere of radius 0.6 with `tentacles` tentacles that reach about 1.7, at about so many triangles.
pub fn creature(triangles: usize, tentacles: usize, seed: u64) -> Creature {
    const BODY: f64 = 0.6;
    let mut rng = Rng::new(seed);
    let count = tentacles.clamp(1, 24);
    let mut limbs = Vec::new();
    for k in 0..count {
        // Evenly spread directions (a spiral of golden angles), so that caps of this size stay apart.
        let z = 1.0 - (2.0 * k as f64 + 1.0) / count as f64;
        let (y, x) = (k as f64 * TAU * 0.381_966_011_250_105).sin_cos();
        let axis =
            unit(add([x * (1.0 - z * z).sqrt(), y * (1.0 - z * z).sqrt(), z], rng.in_cube(-0.08, 0.08)));
        let length = rng.between(0.8, 1.1);
        let limb = Limb {
            axis,
            cap: 1.3 / (count as f64).sqrt(),
            length,
            girth: 0.45,
            squeeze: [1.0; 3],
            sweep: [0.0; 3],
        };
        limbs.push((limb, rng.between(0.0, TAU), (1 + rng.below(2)) as f64));
    }
    let mut vertices = Vec::new();
    let shape = sphere(triangles).map(|direction| {
        let near = limbs.iter().enumerate().find_map(|(k, (limb, ..))| Some((k, limb.reach(direction)?)));
        vertices.push(near.map(|(k, reach)| (k as u32, reach)));
        let surface = scale(direction, BODY);
        near.map_or(surface, |(k, reach)| limbs[k].0.draw_out(scale(limbs[k].0.axis, BODY), surface, reach))
    });
    Creature { shape, limbs, vertices }
}

impl Creature {
    /// No vertex is ever further than this from the centre.
    pub const REACH: f64 = 2.1;

    /// Axis, length, phase and turns of every tentacle.
    pub(crate) fn tentacles(&self) -> impl Iterator<Item = (Point, f64, f64, f64)> + '_ {
        self.limbs.iter().map(|(limb, phase, turns)| (limb.axis, limb.length, *phase, *turns))
    }

    /// For every vertex, the tentacle it is on and how far out, from 0 to 1.
    pub(crate) fn reaches(&self) -> impl Iterator<Item = Option<(u32, f64)>> + '_ {
        self.vertices.iter().copied()
    }

    /// At `time` in turns: tentacles wave, retract and grow again; then the whole is placed by `place`.
    pub fn at(&self, time: f64, place: impl Fn(Point) -> Point) -> Vec<[f32; 3]> {
        let frames: Vec<_> = self.limbs.iter().map(|(limb, ..)| frame_around(limb.axis)).collect();
        let moved = self.shape.positions.iter().zip(&self.vertices).map(|(&p, vertex)| {
            let Some((k, reach)) = *vertex else { return place(p) };
            let (limb, phase, turns) = &self.limbs[k as usize];
            let [u, v] = frames[k as usize];
            let clock = TAU * time * turns + phase;
            let shorter = 0.3 * (1.0 - clock.cos()) * limb.length * reach;
            let (s, c) = (clock + 2.5 * reach).sin_cos();
            let wave = 0.35 * reach * reach;
            place(along(along(along(p, limb.axis, -shorter), u, wave * s), v, wave * c))
        });
        rounded(&moved.collect::<Vec<_>>())
    }
}

/// A jet about 2 long and 2 wide, nose along +x, at about so many triangles.
pub fn jet(triangles: usize) -> Shape {
    let limb = |axis: Point, cap, length, squeeze, sweep| Limb {
        axis: unit(axis),
        cap,
        length,
        girth: 0.8,
        squeeze,
        sweep,
    };
    let flat = [1.0, 1.0, 0.25];
    let limbs = [
        limb([0.15, 1.0, -0.2], 0.36, 0.85, flat, [-0.45, 0.0, 0.06]),
        limb([0.15, -1.0, -0.2], 0.36, 0.85, flat, [-0.45, 0.0, 0.06]),
        limb([-0.84, 0.54, 0.0], 0.2, 0.32, flat, [-0.05, 0.12, 0.0]),
        limb([-0.84, -0.54, 0.0], 0.2, 0.32, flat, [-0.05, -0.12, 0.0]),
        limb([-0.8, 0.0, 0.6], 0.22, 0.3, [1.0, 0.25, 1.0], [-0.05, 0.0, 0.15]),
    ];
    let fuselage = |[x, y, z]: Point| {
        let slim = 0.13 * (1.0 - 0.5 * smooth(-x));
        [x, slim * y, slim * z]
    };
    sphere(triangles).map(|direction| {
        let near = limbs.iter().find_map(|limb| Some((limb, limb.reach(direction)?)));
        let surface = fuselage(direction);
        near.map_or(surface, |(limb, reach)| limb.draw_out(fuselage(limb.axis), surface, reach))
    })
}
