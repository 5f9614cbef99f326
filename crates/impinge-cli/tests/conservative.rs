//! `--method conservative`: the answer of `bvh`, what it counts on the way, what it refuses, and who answers where it cannot.

mod common;

use common::{
    Folder, POKING, json, moving_boxes, poking_boxes, refused_args, run, stderr, stdout, without_gpu,
};
use serde_json::{Value, json};

const SIFT: [&str; 2] = ["--method", "conservative"];

fn sift(args: &[&str]) -> std::process::Output {
    run(&[args, &SIFT].concat())
}

fn frame(args: &[&str]) -> Value {
    let output = run(&[&["check", "--json"], args].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
    json(&output)["frames"][0].clone()
}

#[test]
fn the_answer_is_complete_and_that_of_bvh() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let expected = frame(&[&a, &b, "--method", "bvh"]);
    let found = frame(&[&a, &b, "--method", "conservative", "--adapter", "none"]);
    assert_eq!((&found["method"], &found["complete"]), (&json!("grid"), &json!(true)));
    assert_eq!(found["contacts"], expected["contacts"]);
    let sifted = found["sifted"].as_object().unwrap();
    let fields =
        ["bytes_read_back", "candidates", "doubtful", "kept", "large", "reruns", "settled", "tested"];
    assert_eq!(sifted.keys().collect::<Vec<_>>(), fields);
    assert!(sifted.values().all(Value::is_u64), "{sifted:?}");

    let output = sift(&["check", &a, &b, "--adapter", "none"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    let first = text.lines().next().unwrap();
    assert_eq!(first, "2 of 2 bodies collide: a and b overlap (12 contacts)", "{text}");
    assert!(text.contains("\ngrid, complete: 24 triangles in 2 bodies, "), "{text}");
    assert!(text.contains(" of them kept, boxes of ") && text.contains(", on the CPU\n"), "{text}");
}

#[test]
fn a_gpu_gives_the_same_answer() {
    if without_gpu() {
        return;
    }
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let expected = frame(&[&a, &b, "--self"]);
    let found = frame(&[&a, &b, "--self", "--method", "conservative"]);
    assert_eq!(found["contacts"], expected["contacts"]);
    assert!(found["adapter"].is_string() && found["complete"] == true, "{found}");
    assert!(found["sifted"]["bytes_read_back"].as_u64() > Some(0), "{found}");
}

#[test]
fn the_documented_example_is_what_is_printed() {
    let text = include_str!("../../../docs/json.md");
    let example = text.split("```json\n").nth(4).unwrap().split("```").next().unwrap();
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let printed = frame(&[&a, &b, "--method", "conservative", "--adapter", "none"]);
    assert_eq!(serde_json::from_str::<Value>(example).unwrap(), printed["sifted"]);
}

#[test]
fn it_has_no_options_but_the_adapter() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for (option, value) in [
        ("--resolution", "64"),
        ("--views", "axes"),
        ("--passes", "3"),
        ("--epsilon", "1"),
        ("--distance", "1"),
        ("--offset", "1"),
    ] {
        let line = refused_args(&[&["check", &a, &b, option, value], &SIFT[..]].concat());
        assert!(line.starts_with(&format!("impinge: {option}: --method grid ")), "{line}");
    }
}

/// Boxes as small as doubles can just hold.
#[test]
fn where_floats_cannot_hold_the_scene_bvh_answers_and_that_is_said() {
    let folder = Folder::new();
    let a = folder.box_file("a.obj", [0.0; 3], [1e-305; 3]);
    let b = folder.box_file("b.obj", [5e-306; 3], [2e-305; 3]);
    let mut places = vec!["none"];
    if !without_gpu() {
        places.push("cpu");
    }
    for adapter in places {
        let output = sift(&["check", &a, &b, "--json", "--limit", "0", "--adapter", adapter]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let note = stderr(&output);
        assert!(note.starts_with("impinge: note: bvh on the CPU answers, not grid: "), "{note}");
        assert_eq!(note.lines().count(), 1, "{note}");
        assert_eq!(json(&output)["frames"][0]["method"], "bvh");
    }
}

#[test]
fn auto_does_not_ask_for_adapters_where_the_scene_is_small() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for adapter in ["none", "nonsense", "cpu"] {
        assert_eq!(frame(&[&a, &b, "--adapter", adapter])["method"], "bvh");
    }
}

/// Software is never chosen, and neither is what is not there.
#[test]
fn auto_leaves_large_scenes_to_the_cpu_where_there_is_no_real_gpu() {
    let folder = Folder::new();
    // 200,000 triangles, all of which are the same one.
    let sheet = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned() + &"f 1 2 3\n".repeat(200_000);
    let [sheet, b] = [folder.file("sheet.obj", sheet), folder.box_file("b.obj", [5.0; 3], [6.0; 3])];
    for adapter in ["none", "no such adapter", "cpu"] {
        let output = run(&["check", &sheet, &b, "--adapter", adapter]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains("\nbvh, complete: 200,012 triangles"), "{}", stdout(&output));
        assert!(output.stderr.is_empty(), "{}", stderr(&output));
    }
}

#[test]
fn bench_times_it() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 3);
    for (extra, touching) in [(&[][..], POKING), (&["--cold", "--boolean"], 1)] {
        let measured = json(&sift(&[&["bench", &scene, "--json", "--adapter", "none"], extra].concat()));
        assert_eq!(measured["frames"][1]["inter"], touching, "{measured}");
        assert!(measured["sifted"]["kept"].is_u64() && measured["image"].is_null(), "{measured}");
    }
    let text = stdout(&sift(&["bench", &scene, "--adapter", "none"]));
    assert!(text.contains("24 triangles, ") && text.contains(" of them kept, boxes of "), "{text}");
}
