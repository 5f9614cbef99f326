//! `--method a_buffer`: what it finds, how it says that it is sampled, and what it refuses.

mod common;

use common::{Folder, json, moving_boxes, poking_boxes, refused_args, run, stderr, stdout, without_gpu};
use serde_json::json;

/// Small images: software draws them.
const KEEP: [&str; 4] = ["--method", "a_buffer", "--resolution", "128"];

/// Contacts found of twelve: that of two triangles that touch in one point is where no ray is.
const FOUND: u64 = 11;

fn keep(args: &[&str]) -> std::process::Output {
    run(&[args, &KEEP].concat())
}

#[test]
fn contacts_are_found_and_said_to_be_sampled() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let output = keep(&["check", &a, &b, "--adapter", "none", "--views", "1,2,3"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.lines().next().unwrap(), "2 of 2 bodies collide: a and b (11 contacts)", "{text}");
    let sampled =
        text.lines().find(|line| line.starts_with("sampled, contacts may be missed: ")).expect(&text);
    assert!(sampled.contains("1 view of 128 x 128 rays, ") && sampled.contains(" surfaces kept, "), "{text}");
    assert!(sampled.ends_with(" two near each other, on the CPU"), "{text}");
    assert!(text.contains("\nsurfaces that lie along the rays are not met: "), "{text}");
    assert!(text.contains("\na_buffer, sampled: 24 triangles in 2 bodies, "), "{text}");
}

#[test]
fn a_gpu_gives_the_contacts_of_the_cpu() {
    if without_gpu() {
        return;
    }
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let frame = |extra: &[&str]| {
        let output = keep(&[&["check", &a, &b, "--json", "--views", "1,2,3"], extra].concat());
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        json(&output)["frames"][0].clone()
    };
    let (gpu, cpu) = (frame(&[]), frame(&["--adapter", "none"]));
    assert_eq!((&gpu["method"], &gpu["complete"]), (&json!("a_buffer"), &json!(false)));
    assert_eq!(gpu["contact_count"], FOUND);
    assert_eq!(gpu["contacts"], cpu["contacts"]);
    assert_eq!(gpu["image"]["fragments"], cpu["image"]["fragments"]);
    assert!(cpu["image"]["fragments"].as_u64() > cpu["image"]["rays"].as_u64(), "{cpu}");
    assert!(gpu["adapter"].is_string() && cpu["adapter"].is_null());
}

#[test]
fn a_larger_epsilon_has_more_to_test() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let tests = |epsilon: &str| {
        let output = keep(&["check", &a, &b, "--json", "--adapter", "none", "--epsilon", epsilon]);
        json(&output)["frames"][0]["image"]["tests"].as_u64().unwrap()
    };
    assert!(tests("0") < tests("10"));
    for value in ["-1", "nan", "far"] {
        let line = refused_args(&[&["check", &a, &b, "--epsilon", value], &KEEP[..]].concat());
        assert_eq!(line, format!("impinge: --epsilon {value}: write a distance of 0 or more\n"));
    }
}

#[test]
fn options_of_other_methods_are_refused() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for (option, value) in [("--passes", "3"), ("--layers", "2"), ("--slices", "2"), ("--distance", "1")] {
        let line = refused_args(&[&["check", &a, &b, option, value], &KEEP[..]].concat());
        assert!(line.starts_with(&format!("impinge: {option}: --method a_buffer ")), "{line}");
    }
    for method in ["auto", "depth_peel", "cullide", "conservative"] {
        let line = refused_args(&["check", &a, &b, "--method", method, "--epsilon", "1"]);
        assert!(line.contains("; use --method a_buffer, or leave --epsilon out"), "{line}");
    }
}

#[test]
fn bench_times_it() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 3);
    let measured = json(&keep(&["bench", &scene, "--json", "--adapter", "none", "--views", "1,2,3"]));
    assert_eq!((&measured["method"], &measured["frames"][1]["inter"]), (&json!("a_buffer"), &json!(FOUND)));
    assert!(measured["image"]["fragments"].is_u64(), "{measured}");
    let text = stdout(&keep(&["bench", &scene, "--adapter", "none"]));
    assert!(text.contains("sampled, contacts may be missed") && text.contains(" surfaces kept, "), "{text}");
}
