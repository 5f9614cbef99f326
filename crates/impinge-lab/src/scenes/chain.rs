//! A chain: every ring is linked with the next and their boxes overlap, yet nothing touches until the chain is
//! pulled. Distances between the circles within the rings decide.

use super::progress;
use crate::known::{Count, Relation, of_relations};
use crate::motion::{Actor, Motion};
use crate::shapes::torus;
use crate::vector::{Point, distance, turned};
use impinge::SceneError;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

const FRAMES: usize = 12;
const TUBE: f64 = 0.2;
/// Points taken on each circle for its distance to another.
const SAMPLES: usize = 90;

pub(super) fn make(triangles: usize, _seed: u64) -> Result<Motion, SceneError> {
    let count = (triangles / 200).clamp(2, 8);
    let mesh = Arc::new(torus(triangles / count, 1.0, TUBE).mesh_f32());
    let middle = (count - 1) as f64 / 2.0;
    let ring = |k: usize| {
        let quarter = if k.is_multiple_of(2) { 0.0 } else { FRAC_PI_2 };
        // From loosely linked, 1.3 between centres, to biting, 1.9.
        Actor::rigid(format!("ring {k}"), Arc::clone(&mesh), move |frame| {
            turned(
                [1.0, 0.0, 0.0],
                quarter,
                [(k as f64 - middle) * (1.3 + 0.6 * progress(frame, FRAMES)), 0.0, 0.0],
            )
        })
    };
    // Chords cut corners: from 200 triangles a ring, the tube is nowhere thicker than 1.1 and nowhere thinner than
    // 0.6 of its radius (4 sides, 25 segments: 1.03 and 0.66).
    let fine = triangles / count >= 200;
    let motion = Motion::new(FRAMES, (0..count).map(ring).collect())?;
    Ok(motion.knowing(move |scene, frame| {
        let circle = |pose: &impinge::Pose| -> Vec<Point> {
            let on = |i| (TAU * i as f64 / SAMPLES as f64).sin_cos();
            (0..SAMPLES).map(|i| pose.apply([on(i).1, on(i).0, 0.0])).collect()
        };
        let rings: Vec<_> = scene.bodies().map(|(_, body)| (body.name(), circle(body.pose()))).collect();
        let mut known = of_relations(&rings, |a, b| {
            let nearest =
                a.iter().flat_map(|&p| b.iter().map(move |&q| distance(p, q))).fold(f64::INFINITY, f64::min);
            // No point of either circle is further than half a step from a sample.
            let step = TAU / SAMPLES as f64;
            match () {
                () if !fine => Relation::Undecided,
                () if nearest - step > 2.2 * TUBE => Relation::Apart,
                () if nearest < 1.2 * TUBE => Relation::Touching,
                () => Relation::Undecided,
            }
        });
        if frame == 0 && fine {
            known.contacts = Some(Count::Exactly(0));
        }
        known
    }))
}
