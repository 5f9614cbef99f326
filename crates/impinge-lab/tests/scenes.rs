//! The table of scenes through every method: all agree, with every number of threads, and with geometry.

use impinge::Method;
use impinge_lab::runner::{METHODS, THREADS, check_scene};
use impinge_lab::{KnownAnswer, all, find};

/// Large enough that every scene shows what it is about.
const TRIANGLES: usize = 2000;
/// Small enough for brute force, with every number of threads.
const MAX_TRIANGLES: usize = 900;

#[test]
fn every_scene_has_one_answer_for_every_method_and_number_of_threads() {
    for scene in all() {
        let started = std::time::Instant::now();
        let mut motion = scene.build(MAX_TRIANGLES, 1);
        let frames = sample(motion.frames, 5);
        let summary = check_scene(&mut motion, frames, &METHODS, &THREADS);
        let summary = summary.unwrap_or_else(|what| panic!("{}: {what}", scene.name));
        println!("{:10} {summary:?} {:?}", scene.name, started.elapsed());
    }
}

#[test]
fn known_answers_hold_in_every_frame_for_several_seeds() {
    for scene in all() {
        for seed in 0..2 {
            let mut motion = scene.build(TRIANGLES, seed);
            let frames = 0..motion.frames;
            let summary = check_scene(&mut motion, frames, &[Method::Bvh], &[1]);
            let summary = summary.unwrap_or_else(|what| panic!("{} with seed {seed}: {what}", scene.name));
            println!("{:10} seed {seed} {summary:?}", scene.name);
            assert!(summary.contacts > 0, "{} with seed {seed} shows no contact", scene.name);
            assert!(
                summary.containments > 0 || !["spheres", "nested"].contains(&scene.name),
                "{}",
                scene.name
            );
        }
    }
}

#[test]
fn every_scene_works_at_any_size() {
    for scene in all() {
        for triangles in [0, 1, 12, 100, 600] {
            let mut motion = scene.build(triangles, 5);
            let frames = sample(motion.frames, 3);
            let summary = check_scene(&mut motion, frames, &METHODS, &[2]);
            summary.unwrap_or_else(|what| panic!("{} at {triangles}: {what}", scene.name));
        }
    }
}

#[test]
fn every_scene_has_about_the_triangles_asked_for() {
    for scene in all() {
        for triangles in [3000, 20_000, 100_000] {
            let built = scene.build(triangles, 2).triangles();
            let off = built.abs_diff(triangles) as f64 / triangles as f64;
            assert!(off <= 0.12, "{}: {built} triangles for {triangles}", scene.name);
        }
    }
}

#[test]
fn a_frame_is_the_same_whichever_way_it_is_reached() {
    for scene in all() {
        let mut forward = scene.build(600, 9);
        let mut jumping = scene.build(600, 9);
        let frames = forward.frames;
        let mut collider = impinge::Collider::default();
        let hashes: Vec<(u64, usize)> = (0..frames)
            .map(|frame| {
                forward.set_frame(frame).unwrap();
                (collider.collide(&forward.scene).unwrap().hash(), forward.bodies.len())
            })
            .collect();
        for k in 0..frames {
            let frame = (k * 7 + 5) % frames;
            jumping.set_frame(frame).unwrap();
            assert!(jumping.bodies.iter().enumerate().all(|(place, id)| id.index() == place));
            let found = (collider.collide(&jumping.scene).unwrap().hash(), jumping.bodies.len());
            assert_eq!(found, hashes[frame], "{} frame {frame}", scene.name);
        }
    }
}

#[test]
fn seeds_and_frames_change_a_scene() {
    for scene in all() {
        let mut motion = scene.build(600, 1);
        let world = |motion: &impinge_lab::Motion| -> Vec<impinge::Point> {
            let bodies = motion.scene.bodies();
            bodies
                .flat_map(|(_, body)| (0..body.mesh().positions().len()).map(|v| body.world_position(v)))
                .collect()
        };
        let first = world(&motion);
        assert!(first == world(&scene.build(600, 1)), "{} is not deterministic", scene.name);
        motion.set_frame(motion.frames - 1).unwrap();
        assert!(first != world(&motion), "{} does not move", scene.name);
    }
}

#[test]
fn names_in_a_scene_are_unique_and_the_table_can_be_searched() {
    for scene in all() {
        let motion = scene.build(TRIANGLES, 0);
        let mut names: Vec<_> = motion.actors().iter().map(|actor| &actor.name).collect();
        names.sort();
        assert!(names.windows(2).all(|two| two[0] != two[1]), "{}", scene.name);
        assert_eq!(find(scene.name).map(|found| found.about), Some(scene.about));
    }
    assert!(find("no such scene").is_none());
}

#[test]
fn every_scene_but_the_breaking_one_can_be_recorded() {
    for scene in all() {
        assert_eq!(scene.build(600, 0).is_recordable(), scene.name != "shatter", "{}", scene.name);
    }
}

/// A table of known answers that says nothing would pass every test above.
#[test]
fn most_scenes_know_something() {
    let knows = |scene: &impinge_lab::LabScene| {
        let mut motion = scene.build(TRIANGLES, 1);
        (0..motion.frames).any(|frame| {
            motion.set_frame(frame).unwrap();
            motion.known() != KnownAnswer::default()
        })
    };
    let silent: Vec<_> = all().iter().filter(|scene| !knows(scene)).map(|scene| scene.name).collect();
    assert_eq!(silent, ["knots", "soup"]);
}

/// Evenly spread frames, the first and the last among them.
fn sample(frames: usize, count: usize) -> Vec<usize> {
    (0..count).map(|k| k * (frames - 1) / (count - 1)).collect()
}
