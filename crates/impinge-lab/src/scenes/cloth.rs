//! A cloth over a ball (Georgii et al. 2007, figure 11), draped by formula so that any frame and any size cost one
//! pass: it follows the ball down to a contact circle and leaves it along the tangent; the length that no longer
//! fits around the ball goes into folds, and folds deep enough are loops that cross themselves.

use super::progress;
use crate::known::{Count, KnownAnswer, KnownPairs, pair};
use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::{cloth, rounded, sphere};
use crate::vector::{Point, smooth};
use impinge::SceneError;
use std::f64::consts::{FRAC_PI_2, TAU};

const FRAMES: usize = 24;
const SIDE: f64 = 3.4;
/// Radius the cloth lies at, over a ball of radius 1, and the wrinkles that press it into the ball here and there.
const LIES_AT: f64 = 1.004;
const WRINKLE: f64 = 0.01;
const FOLDS: f64 = 9.0;
/// Below this, a fold has too few vertices to be sure that its loop crosses itself.
const TRIANGLES_THAT_FOLD: usize = 1500;

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let phase = rng.between(0.0, TAU);
    let flat = cloth(triangles * 4 / 5).map(|[x, y, _]| [SIDE * (x - 0.5), SIDE * (y - 0.5), 1.5]);
    let mesh = flat.mesh_f32();
    let cloth_triangles = flat.triangles.len();
    let deform = move |frame| {
        let way = progress(frame, FRAMES);
        rounded(&flat.positions.iter().map(|&p| drape(p, way, phase)).collect::<Vec<_>>())
    };
    let ball = sphere(triangles / 5).mesh_f32();
    let actors = vec![
        Actor::deforming("cloth", mesh, deform).with_self_collision(),
        Actor::new("ball", ball, crate::motion::Track::Still),
    ];
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(move |_, frame| match frame {
        // Still flat, and above the ball.
        0..=2 => KnownAnswer::clear(),
        _ if frame + 1 == FRAMES && cloth_triangles >= TRIANGLES_THAT_FOLD => KnownAnswer {
            contacts: Some(Count::AtLeast(1)),
            pairs: Some(KnownPairs {
                touching: vec![pair("cloth", "cloth")],
                undecided: vec![pair("ball", "cloth")],
            }),
            containments: Some(Vec::new()),
            alike: Vec::new(),
        },
        _ => KnownAnswer { containments: Some(Vec::new()), ..KnownAnswer::default() },
    }))
}

/// Where a point of the flat cloth is, `way` from 0 (flat, in the air) to 1 (hanging, folded).
fn drape([x, y, height]: Point, way: f64, phase: f64) -> Point {
    let fall = smooth(way / 0.25);
    let wrap = smooth((way - 0.25) / 0.65);
    let (length, angle) = (x.hypot(y), y.atan2(x));
    let contact = wrap * FRAC_PI_2 * 1.05;
    let on_ball = length.min(contact * LIES_AT);
    let (s, c) = (on_ball / LIES_AT).sin_cos();
    let beyond = length - on_ball;
    let out = LIES_AT * s + beyond * c;
    let up = LIES_AT * c - beyond * s;
    let wrinkle = 1.0 + WRINKLE * wrap * (7.0 * length + phase).sin() * (4.0 * angle - phase).sin();
    // The part of the circumference that does not fit.
    let excess = if length > 0.0 { wrap * (1.0 - out / length).max(0.0) } else { 0.0 };
    let (fold, across) = (FOLDS * angle + phase).sin_cos();
    // More than 1 / FOLDS for the deepest folds: there the hem runs backwards, and what runs back crosses itself.
    let angle = angle - 3.5 * excess / FOLDS * fold;
    let out = wrinkle * out + 0.25 * excess * (1.0 + across);
    [out * angle.cos(), out * angle.sin(), wrinkle * up + (height - LIES_AT) * (1.0 - fall)]
}
