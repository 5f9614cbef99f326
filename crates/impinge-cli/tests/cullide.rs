//! `--method cullide`: what it finds and leaves, what it does not look at, and what may be near.

mod common;

use common::{
    Folder, POKING, body, distant_boxes, json, moving_boxes, poking_boxes, refused_args, run, stderr, stdout,
    without_gpu,
};
use serde_json::{Value, json};

/// Small images: software draws them.
const CULL: [&str; 4] = ["--method", "cullide", "--resolution", "64"];

fn cull(args: &[&str]) -> std::process::Output {
    run(&[args, &CULL].concat())
}

fn frame(args: &[&str]) -> Value {
    let output = cull(&[&["check", "--json"], args].concat());
    assert!(output.status.code() != Some(2), "{}", stderr(&output));
    json(&output)["frames"][0].clone()
}

fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn every_contact_between_bodies_is_found() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let output = cull(&["check", &a, &b, "--adapter", "none"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(
        text.lines().next().unwrap(),
        "2 of 2 bodies collide: a and b overlap (12 contacts)",
        "{text}"
    );
    assert!(
        text.contains("\ncullide, complete: 24 triangles in 2 bodies, boxes leave 1 pair of bodies, "),
        "{text}"
    );
    assert!(text.contains("of at most 64 x 64 pixels, on the CPU\n") && !text.contains("sampled"), "{text}");

    let found = frame(&[&a, &b, "--adapter", "none"]);
    assert_eq!((&found["contact_count"], &found["complete"]), (&json!(POKING), &json!(true)));
    let culled = &found["culled"];
    let fields = ["bodies", "distance", "pairs", "part_pairs", "parts", "stages", "triangle_pairs"];
    assert_eq!(names(culled), fields);
    let [a, b] = [body(0, "a"), body(1, "b")];
    assert_eq!((&culled["bodies"], &culled["pairs"]), (&json!([a, b]), &json!([{"a": a, "b": b}])));
    let stages = [
        "box_pairs",
        "bytes_read_back",
        "draw_ms",
        "exact_ms",
        "first_pairs",
        "images",
        "passes",
        "queries",
        "resolution",
    ];
    assert_eq!(names(&culled["stages"]), stages);
}

#[test]
fn a_gpu_gives_the_contacts_of_the_cpu() {
    if without_gpu() {
        return;
    }
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let (gpu, cpu) = (frame(&[&a, &b]), frame(&[&a, &b, "--adapter", "none"]));
    assert_eq!(gpu["contacts"], cpu["contacts"]);
    assert!(gpu["adapter"].is_string() && gpu["complete"] == true, "{gpu}");
}

#[test]
fn the_documented_example_is_what_is_printed() {
    let text = include_str!("../../../docs/json.md");
    let example = text.split("```json\n").nth(5).unwrap().split("```").next().unwrap();
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let mut printed = frame(&[&a, &b, "--adapter", "none", "--distance", "0.1"])["culled"].clone();
    let mut documented: Value = serde_json::from_str(example).unwrap();
    for value in [&mut printed, &mut documented] {
        for time in ["draw_ms", "exact_ms"] {
            assert!(value["stages"][time].is_f64());
            value["stages"][time] = json!(0.0);
        }
    }
    assert_eq!(documented, printed);
}

#[test]
fn near_boxes_are_listed_as_candidates_and_are_no_collision() {
    let folder = Folder::new();
    let [a, b] = distant_boxes(&folder);
    let c = folder.box_file("c.obj", [1.25, 0.0, 0.0], [2.0, 1.0, 1.0]);
    let output = cull(&["check", &a, &b, &c, "--adapter", "none", "--distance", "0.5"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("no collision among 3 bodies\n"), "{text}");
    assert!(text.contains("\n1 pair of bodies with parts whose boxes are nearer than 0.5 (candidates: distances are not computed):\na, c\n"), "{text}");
    let text = stdout(&cull(&["check", &a, &b, "--adapter", "none", "--distance", "0.5"]));
    assert!(text.contains("\nno two bodies are nearer to each other than 0.5\n"), "{text}");

    let scene = moving_boxes(&folder, 3);
    let text = stdout(&cull(&["check", &scene, "--adapter", "none", "--distance", "0.5"]));
    assert!(text.contains("\nat most 1 pair of bodies a frame with parts whose boxes are nearer than 0.5: candidates, distances are not computed (--json lists them)\n"), "{text}");
}

#[test]
fn self_collision_is_refused_by_the_names_of_method_and_body() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for plain in [&[][..], &["--plain"]] {
        let output = cull(&[&["check", &a, &b, "--self", "--adapter", "none"], plain].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        let line = stderr(&output);
        assert!(line.contains("cullide") && line.contains("'a'") && line.contains("bvh"), "{line}");
    }
    let text = stdout(&cull(&["check", &a, "--adapter", "none"]));
    assert!(text.starts_with("no collision: a is alone (--self --method bvh looks within it)\n"), "{text}");

    let text = stdout(&cull(&["check", &a, &b, "--plain", "--adapter", "none"]));
    assert!(text.contains("\nsampled, contacts may be missed between pixels: --plain "), "{text}");
    let [a, b] = distant_boxes(&folder);
    let text = stdout(&cull(&["check", &a, &b, "--plain", "--adapter", "none"]));
    assert!(text.starts_with("no collision seen among 2 bodies\n"), "{text}");
}

#[test]
fn views_are_along_axes() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let images = |extra: &[&str]| {
        let args = [&[a.as_str(), &b, "--adapter", "none"], extra].concat();
        frame(&args)["culled"]["stages"]["images"].as_u64().unwrap()
    };
    assert!(images(&["--views", "two"]) < images(&["--views", "axes"]));
    assert_eq!(images(&["--views", "auto"]), images(&[]));
    let line = refused_args(&[&["check", &a, &b, "--views", "1,0,0"], &CULL[..]].concat());
    assert_eq!(line, "impinge: --views 1,0,0: write two or axes; cullide looks along axes only\n");
}

#[test]
fn wrong_values_and_options_of_other_methods_are_refused() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for value in ["0", "-1", "inf", "near"] {
        let line = refused_args(&[&["check", &a, &b, "--distance", value], &CULL[..]].concat());
        assert_eq!(line, format!("impinge: --distance {value}: write a distance of more than 0\n"));
    }
    for value in ["15", "64x4097", "many"] {
        let line = refused_args(&["check", &a, &b, "--method", "cullide", "--resolution", value]);
        assert!(line.ends_with("write 1024 or 640x480, each from 16 to 4096 with cullide\n"), "{line}");
    }
    let line = refused_args(&[&["check", &a, &b, "--plain", "--distance", "1"], &CULL[..]].concat());
    assert!(line.starts_with("impinge: --plain: --distance draws boxes "), "{line}");
    for (option, value) in [("--passes", "3"), ("--layers", "2"), ("--slices", "2"), ("--epsilon", "1")] {
        let line = refused_args(&[&["check", &a, &b, option, value], &CULL[..]].concat());
        assert!(line.starts_with(&format!("impinge: {option}: --method cullide ")), "{line}");
    }
    for method in ["auto", "bvh", "depth_peel", "a_buffer", "grid"] {
        for option in [&["--plain"][..], &["--distance", "1"]] {
            let line = refused_args(&[&["check", &a, &b, "--method", method], option].concat());
            assert!(line.starts_with(&format!("impinge: {}: --method {method} ", option[0])), "{line}");
            assert!(line.contains("; use --method cullide, or leave "), "{line}");
        }
    }
}

#[test]
fn bench_times_it() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 3);
    let measured = json(&cull(&["bench", &scene, "--json", "--adapter", "none"]));
    assert_eq!((&measured["method"], &measured["frames"][1]["inter"]), (&json!("cullide"), &json!(POKING)));
    assert_eq!(measured["cullide"]["resolution"], json!([64, 64]));
    let text = stdout(&cull(&["bench", &scene, "--adapter", "none"]));
    assert!(text.contains("\nmedian of each stage of culling: draw "), "{text}");
    assert!(text.contains("\ncomplete: boxes leave "), "{text}");
}

#[test]
fn info_and_help_name_the_new_methods() {
    let text = stdout(&common::impinge().arg("info").env("IMPINGE_ADAPTER", "none").output().unwrap());
    for method in ["grid", "a_buffer", "cullide"] {
        assert_eq!(
            text.lines().filter(|line| line.starts_with(&format!("{method:<12}  "))).count(),
            2,
            "{text}"
        );
        for command in ["check", "bench"] {
            assert!(stdout(&run(&["help", command])).contains(&format!("- {method}:")), "{command} {method}");
        }
    }
}
