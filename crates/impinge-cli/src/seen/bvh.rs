//! Trees of boxes: those that met, level by level, and how many pairs every stage left.

use super::items::{self, Words};
use super::{Seen, SeenImage, chart};
use crate::names::counted;
use impinge::{Collider, Options, Pose, Scene, VisitedBox};

pub(super) fn see(scene: &Scene, options: &Options) -> Seen {
    let mut collider = Collider::new(Options { shapes: false, responses: false, ..options.clone() });
    let visits = collider.visits(scene);
    let stages = &visits.stages;
    let rows = [
        ("body pairs", stages.body_pairs),
        ("boxes compared", visits.compared),
        ("boxes that met", visits.met),
        ("patch pairs", visits.patch_pairs),
        ("triangle pairs", stages.candidates),
        ("tested exactly", stages.exact),
        ("contacts", stages.contacts),
    ];
    let mut seen = Seen::default();
    seen.images.push(SeenImage {
        id: "stages".into(),
        title: "Pairs left by every stage".into(),
        about: format!(
            "From {} to {}: how many pairs each stage looked at, every step to the right ten times as many. A patch is about \
             64 triangles; what floats cannot decide is tested exactly.",
            counted(stages.body_pairs, "pair of bodies", "pairs of bodies"),
            counted(stages.contacts, "contact", "contacts")
        ),
        ..chart::bars(&rows)
    });

    let patches = visits.boxes.iter().filter(|visited| visited.is_in_patch_pair);
    seen.overlays.push(overlay(scene, patches, |number| {
        Words::new(
            "patches",
            "Patches that met",
            format!(
                "Boxes of the {} that met another one, in {}: their triangles are compared.",
                counted(number, "patch", "patches"),
                counted(visits.patch_pairs, "pair", "pairs")
            ),
        )
    }));
    let deepest = visits.boxes.iter().map(|visited| visited.level).max().unwrap_or(0);
    // Few of the deepest level are no patches, and those are shown above.
    for level in 0..deepest {
        let here = visits.boxes.iter().filter(|visited| visited.level == level);
        seen.overlays.push(overlay(scene, here, |number| {
            Words::new(
                format!("level-{level}"),
                format!("Boxes of level {level}"),
                format!(
                    "The {} that met others, {} below the top of the trees.",
                    counted(number, "box", "boxes"),
                    counted(level as usize, "step", "steps")
                ),
            )
        }));
    }
    seen
}

/// Whether boxes of a body are boxes in the world.
fn is_straight(pose: &Pose) -> bool {
    let rows = pose.rows();
    (0..3).all(|i| (0..3).all(|k| i == k || rows[i][k] == 0.0))
}

fn overlay<'a>(
    scene: &Scene,
    boxes: impl Iterator<Item = &'a VisitedBox> + Clone,
    words: impl FnOnce(usize) -> Words,
) -> super::Overlay {
    let straight = |visited: &VisitedBox| {
        !visited.in_body || scene.body(visited.body).is_some_and(|body| is_straight(body.pose()))
    };
    let along_axes = boxes.clone().all(straight);
    let mut spread = items::turned_boxes(along_axes);
    boxes.filter_map(|visited| visited.corners(scene)).for_each(|corners| spread.push(corners));
    let number = spread.given();
    spread.overlay(words(number), along_axes)
}
