//! What the timing examples share: a motion of the lab with all its frames computed ahead, and the time from new
//! positions or poses in memory to the finished sorted list.

#![allow(dead_code, reason = "every example compiles this file and uses its own part")]

use anyhow::Result;
use impinge::{Collider, Options};
use impinge_io::{PositionsTrack, SceneBody, SceneFile};
use impinge_lab::{Actor, Motion, Track};
use std::time::{Duration, Instant};

/// At most `count` frames, from `first` on, of a motion in which nobody comes, goes or breaks.
pub(crate) fn record(name: &str, motion: &Motion, first: usize, count: usize) -> Result<SceneFile> {
    let frames = first..motion.frames.min(first + count);
    let body = |actor: &Actor| {
        let mut body = SceneBody::fixed(actor.name.clone(), (*actor.mesh).clone());
        body.self_collision = actor.self_collision;
        match &actor.track {
            Track::Deforming(positions) => {
                let points = frames.clone().flat_map(|frame| positions(frame)).collect();
                body.positions = PositionsTrack::from_f32(body.mesh.positions().len(), points).ok();
            }
            Track::Rigid(pose) => body.poses = Some(frames.clone().map(|frame| pose(frame)).collect()),
            Track::Still | Track::Breaking(..) => {}
        }
        body
    };
    Ok(SceneFile::new(name, motion.actors().iter().map(body).collect())?)
}

/// Triangles of a scene.
pub(crate) fn triangles(scene: &SceneFile) -> usize {
    scene.bodies().iter().map(|body| body.mesh.triangles().len()).sum()
}

/// Frame by frame: milliseconds, and contacts.
#[derive(Default)]
pub(crate) struct Times {
    /// Of the very first frame, in which everything is new.
    pub(crate) first: f64,
    pub(crate) ms: Vec<f64>,
    pub(crate) pairs: Vec<usize>,
}

/// Frame 0 as the first, then every frame once; no frame is started once `limit` is over.
pub(crate) fn time(scene: &SceneFile, options: Options, limit: Duration) -> Result<Times> {
    let (mut bodies, ids) = scene.to_scene()?;
    let mut collider = Collider::new(options);
    let mut times = Times::default();
    let begin = Instant::now();
    for (count, frame) in std::iter::once(0).chain(0..scene.frames()).enumerate() {
        let start = Instant::now();
        scene.apply_frame(&mut bodies, &ids, frame)?;
        let report = collider.collide(&bodies)?;
        let ms = 1e3 * start.elapsed().as_secs_f64();
        if count == 0 {
            times.first = ms;
        } else {
            times.ms.push(ms);
            times.pairs.push(report.contacts.len());
            if begin.elapsed() > limit {
                break;
            }
        }
    }
    Ok(times)
}

/// The middle value, or the mean of the two in the middle; 0 of none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// 1234567 as 1,234,567.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}
