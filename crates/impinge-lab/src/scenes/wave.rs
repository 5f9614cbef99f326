//! A smooth seeded deformation: three plane waves that travel once around in a motion.

use crate::rng::Rng;
use crate::vector::{Point, along, dot, scale};
use std::f64::consts::TAU;

#[derive(Clone, Debug)]
pub(super) struct Wave {
    parts: Vec<(Point, f64, Point)>,
}

impl Wave {
    pub(super) fn new(rng: &mut Rng, amplitude: f64, frequency: f64) -> Self {
        let part = |_| {
            let wave = scale(rng.direction(), frequency);
            (wave, rng.between(0.0, TAU), scale(rng.direction(), amplitude / 3.0))
        };
        Self { parts: (0..3).map(part).collect() }
    }

    /// The point `p` at `time` in turns, at most the amplitude from where it was.
    pub(super) fn apply(&self, p: Point, time: f64) -> Point {
        let push = |moved, &(wave, phase, way): &(Point, f64, Point)| {
            along(moved, way, (dot(p, wave) + phase + TAU * time).sin())
        };
        self.parts.iter().fold(p, push)
    }
}
