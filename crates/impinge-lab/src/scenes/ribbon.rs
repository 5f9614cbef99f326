//! A ribbon whose direction swings by `A sin(2 pi s)` along its length, an elastic curve. While A is below a right
//! angle it moves ever forward and cannot meet itself; at 2.6 it has long crossed itself (from about 2.3 on).

use super::progress;
use crate::known::{Count, KnownAnswer};
use crate::motion::{Actor, Motion};
use crate::shapes::{rounded, strip};
use impinge::SceneError;
use std::f64::consts::TAU;

const FRAMES: usize = 14;
const LAST_SWING: f64 = 2.6;
const WIDTH: f64 = 0.15;
/// Below this the curve has too few corners to follow its own shape.
const TRIANGLES_THAT_CURL: usize = 100;

pub(super) fn make(triangles: usize, _seed: u64) -> Result<Motion, SceneError> {
    let flat = strip(triangles, 12.0);
    let mesh = flat.mesh_f32();
    let count = flat.triangles.len();
    let columns = flat.positions.chunk_by(|a, b| a[0] == b[0]).count();
    let deform = move |frame| {
        let swing = LAST_SWING * progress(frame, FRAMES);
        let step = 1.0 / (columns.max(2) - 1) as f64;
        let mut centre = [0.0, 0.0];
        let curve: Vec<[f64; 2]> = (0..columns)
            .map(|k| {
                let here = centre;
                let (s, c) = (swing * (TAU * (k as f64 + 0.5) * step).sin()).sin_cos();
                centre = [here[0] + step * c, here[1] + step * s];
                here
            })
            .collect();
        let rows = flat.positions.len() / columns;
        let place = |(k, p): (usize, &[f64; 3])| {
            let [x, z] = curve[k / rows];
            [x, WIDTH * p[1], z]
        };
        rounded(&flat.positions.iter().enumerate().map(place).collect::<Vec<_>>())
    };
    let actors = vec![Actor::deforming("ribbon", mesh, deform).with_self_collision()];
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(move |_, frame| match frame {
        // 1.5 radians, just below a right angle.
        _ if LAST_SWING * progress(frame, FRAMES) < 1.5 => KnownAnswer::clear(),
        _ if frame + 1 == FRAMES && count >= TRIANGLES_THAT_CURL => KnownAnswer::contacts(Count::AtLeast(1)),
        _ => KnownAnswer::default(),
    }))
}
