//! `impinge demo`, `bench` and `info`.

mod common;

use common::{Folder, POKING, json, moving_boxes, run, stderr, stdout};
use std::path::Path;

fn demo(name: &str, triangles: &str, out: &Path) -> String {
    let output =
        run(&["demo", name, "--triangles", triangles, "--seed", "3", "--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn a_demo_ends_with_a_picture_and_a_scene_that_check_reads_again() {
    let folder = Folder::new();
    let out = folder.path().join("out");
    let text = demo("knots", "4000", &out);
    assert!(text.contains("picture.png") && text.contains("scene.toml"), "{text}");
    assert!(std::fs::read(out.join("picture.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(text.contains("report.html") && text.contains("or       impinge view "), "{text}");
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("id=\"data-scene\"") && page.contains("id=\"data-frame-0\""));
    assert!(text.contains("next     impinge check "), "{text}");
}

#[test]
fn check_finds_in_the_written_files_what_the_demo_found() {
    for name in ["knots", "boxes", "creatures"] {
        let folder = Folder::new();
        demo(name, "3000", folder.path());
        let scene = folder.path().join("scene.toml");
        let answer = json(&run(&["check", scene.to_str().unwrap(), "--json", "--limit", "0"]));
        let mut motion = impinge_lab::find(name).unwrap().build(3000, 3);
        let mut collider = impinge::Collider::default();
        let frames = answer["frames"].as_array().unwrap();
        assert_eq!(frames.len(), motion.frames, "{name}");
        for (frame, found) in frames.iter().enumerate() {
            motion.set_frame(frame).unwrap();
            let report = collider.collide(&motion.scene).unwrap();
            assert_eq!(found["contact_count"], report.contacts.len(), "{name}, frame {frame}");
            assert_eq!(found["containments"].as_array().unwrap().len(), report.containments.len());
        }
        assert!(
            frames.iter().any(|found| found["contact_count"].as_u64().unwrap() > 0),
            "{name} shows something"
        );
    }
}

#[test]
fn every_scene_has_a_demo() {
    let listed = stdout(&run(&["demo", "--list"]));
    for scene in impinge_lab::all() {
        assert!(
            listed.lines().any(|line| line.starts_with(scene.name) && line.contains(scene.about)),
            "{listed}"
        );
        let folder = Folder::new();
        let text = demo(scene.name, "600", folder.path());
        runs_what_is_printed(scene.name, &text);
    }
    let folder = Folder::new();
    let out = folder.path().to_str().unwrap();
    let output = run(&["demo", "hail", "--stones", "50", "--out", out]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    runs_what_is_printed("hail", &stdout(&output));
}

/// The command after `next`; that after `or` is the same scene in a window.
fn runs_what_is_printed(name: &str, text: &str) {
    let next = text.lines().find_map(|line| line.strip_prefix("next     impinge ")).expect(text);
    let output = run(&next.split(' ').collect::<Vec<_>>());
    assert!(output.status.code() != Some(2), "{name}, {next}: {}", stderr(&output));
}

#[test]
fn a_demo_of_as_many_triangles_as_it_takes_by_itself_can_be_checked() {
    let folder = Folder::new();
    let output = run(&["demo", "zoo", "--out", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    runs_what_is_printed("zoo", &stdout(&output));
    let refused = run(&["demo", "zoo", "--triangles", "60000", "--out", folder.path().to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    let line = stderr(&refused);
    assert!(line.contains("bodies") && line.contains("--triangles") && line.lines().count() == 1, "{line}");
}

#[test]
fn bench_prints_what_it_documents() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 5);
    for (extra, mode, query) in [
        (&[][..], "warm", "all"),
        (&["--cold"], "cold", "all"),
        (&["--boolean", "--threads", "1"], "warm", "boolean"),
    ] {
        let output = run(&[&["bench", &scene, "--json"], extra].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let measured = json(&output);
        let keys: Vec<&String> = measured.as_object().unwrap().keys().collect();
        let expected = [
            "adapter",
            "cast",
            "cullide",
            "frames",
            "image",
            "mean_ms",
            "median_ms",
            "method",
            "mode",
            "peak_bytes",
            "peak_bytes_per_triangle",
            "query",
            "scene",
            "schema",
            "sifted",
            "slices",
            "stages",
            "threads",
        ];
        assert_eq!(keys, expected);
        assert_eq!((&measured["mode"], &measured["query"]), (&mode.into(), &query.into()));
        assert_eq!(measured["scene"], "moving");
        assert_eq!(measured["method"], "bvh");
        assert!(measured["peak_bytes"].as_u64().unwrap() > 0);
        let frames = measured["frames"].as_array().unwrap();
        let inter: Vec<u64> = frames.iter().map(|frame| frame["inter"].as_u64().unwrap()).collect();
        let touching = if query == "boolean" { 1 } else { POKING };
        assert_eq!(inter, [0, touching, 0, touching, 0]);
        for frame in frames {
            assert_eq!(frame["self"], 0);
            assert!(frame["ms"].as_f64().unwrap() >= frame["update_ms"].as_f64().unwrap());
        }
    }
}

#[test]
fn bench_prints_a_table_for_people() {
    let output = run(&["bench", "boxes", "--triangles", "500"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("boxes: median "), "{}", stdout(&output));
}

#[test]
fn info_tells_what_auto_chooses() {
    let text = stdout(&run(&["info"]));
    assert!(text.contains(env!("CARGO_PKG_VERSION")) && text.contains("--method auto chooses bvh"), "{text}");
    assert!(text.contains("grid for scenes of 200,000 triangles or more"), "{text}");
}

#[test]
fn every_help_text_has_examples() {
    for command in ["check", "demo", "bench"] {
        let text = stdout(&run(&[command, "--help"]));
        assert!(text.contains("Examples:"), "{text}");
    }
    assert!(stdout(&run(&["--help"])).contains("impinge check gear.stl shaft.stl"));
}
