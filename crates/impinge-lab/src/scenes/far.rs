//! One collision, copied to the origin and to 2^12, 2^20 and 2^30 from it. Coordinates are multiples of 2^-16 and
//! every move is exact, so all copies must have the same contacts.

use crate::known::{KnownAnswer, pair};
use crate::motion::{Actor, Motion};
use crate::rng::Rng;
use crate::shapes::{bumpy_sphere, torus_knot};
use crate::vector::{add, quarter_turned};
use impinge::SceneError;
use std::sync::Arc;

const FRAMES: usize = 12;
/// One multiple, and its inverse: 30 + 16 + 2 bits are less than the 53 of a coordinate.
const GRAIN: f64 = 65536.0;
const OFFSETS: [u32; 4] = [0, 12, 20, 30];

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let each = triangles / (2 * OFFSETS.len());
    let snap = |p: [f64; 3]| p.map(|c| (c * GRAIN).round() / GRAIN);
    let blob = Arc::new(bumpy_sphere(each, rng.bits()).map(snap).mesh());
    let knot = Arc::new(torus_knot(each, [2, 3], [0.65, 0.26, 0.13]).map(snap).mesh());
    let mut actors = Vec::new();
    for power in OFFSETS {
        let offset =
            if power == 0 { [0.0; 3] } else { [f64::from(power).exp2(), -f64::from(power).exp2(), 3.0] };
        let far = move |frame: usize| quarter_turned(frame, offset);
        let by = move |frame: usize| quarter_turned(frame + 1, add(offset, [0.5, 0.25, frame as f64 / 16.0]));
        actors.push(Actor::rigid(format!("blob at 2^{power}"), Arc::clone(&blob), far));
        actors.push(Actor::rigid(format!("knot at 2^{power}"), Arc::clone(&knot), by));
    }
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(|_, _| {
        let copy = |power| pair(format!("blob at 2^{power}"), format!("knot at 2^{power}"));
        KnownAnswer { alike: vec![OFFSETS.map(copy).into()], ..KnownAnswer::default() }
    }))
}
