//! `--method depth_slices`: what it says about boxes, how it tells it, and what it refuses.

mod common;

use common::{
    Folder, POKING, body, distant_boxes, json, moving_boxes, poking_boxes, refused_args, run, stderr, stdout,
};
use serde_json::{Value, json};

/// On the CPU: the same on every machine.
const SLICE: [&str; 4] = ["--method", "depth_slices", "--adapter", "none"];

fn slice(args: &[&str]) -> std::process::Output {
    run(&[args, &SLICE].concat())
}

/// The first frame.
fn frame(args: &[&str]) -> Value {
    let output = slice(&[&["check", "--json"], args].concat());
    assert!(output.status.code() != Some(2), "{}", stderr(&output));
    json(&output)["frames"][0].clone()
}

/// The only pair of the first frame.
fn pair(args: &[&str]) -> Value {
    let frame = frame(args);
    let pairs = frame["sliced"]["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 1, "{frame}");
    pairs[0].clone()
}

fn refused(args: &[&str]) -> String {
    refused_args(&[args, &SLICE].concat())
}

fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Two boxes that share a part of the face x = 1 of the first.
fn touching_boxes(folder: &Folder) -> [String; 2] {
    [
        folder.box_file("a.obj", [0.0; 3], [1.0; 3]),
        folder.box_file("b.obj", [1.0, 0.25, 0.25], [2.0, 0.75, 0.75]),
    ]
}

/// Two boxes whose boxes overlap, one beside a corner that the other, turned, does not reach: a wedge and a box.
fn near_wedge(folder: &Folder) -> [String; 2] {
    // A prism over the triangle (0, 0), (1, 0), (0, 1).
    let wedge = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\n\
                 f 1 3 2\nf 4 5 6\nf 1 2 5\nf 1 5 4\nf 2 3 6\nf 2 6 5\nf 3 1 4\nf 3 4 6\n";
    [folder.file("wedge.obj", wedge), folder.box_file("box.obj", [0.6, 0.6, 0.2], [0.9, 0.9, 0.8])]
}

#[test]
fn boxes_that_overlap_meet_and_that_is_proven() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let output = slice(&["check", &a, &b, "--views", "1,0,0"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.lines().next().unwrap(), "2 of 2 bodies collide: a and b (surfaces meet)");
    let row = text.lines().find(|line| line.contains("  a, b  ")).expect(&text);
    assert!(row.contains("  surfaces meet  by slices, proven  (1, 0.25, 0.25) to (1, 0.75, 0.75)"), "{row}");
    assert!(text.contains("\ndepth_slices, complete: 24 triangles in 2 bodies, boxes of 1 pair "), "{text}");
    assert!(text.contains(" of 64 x 64 x 64 cells, on the CPU\n"), "{text}");
    assert!(!text.contains("contact") && !text.contains("sampled") && !text.contains("may"), "{text}");
    assert!(text.lines().last().unwrap().contains("draw "), "{text}");

    // Whatever the way, the answer is the same.
    for views in ["auto", "0,0,1", "1,-2,3"] {
        let pair = pair(&[&a, &b, "--views", views]);
        assert_eq!((&pair["answer"], &pair["certain"]), (&json!("yes"), &json!(true)), "{views}");
    }
}

#[test]
fn bodies_apart_are_clear_by_boxes_or_by_cells() {
    let folder = Folder::new();
    let [a, b] = distant_boxes(&folder);
    let output = slice(&["check", &a, &b]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert_eq!(text.lines().next().unwrap(), "no collision among 2 bodies");
    assert!(text.contains("no boxes overlap, so nothing was drawn"), "{text}");
    assert_eq!(frame(&[&a, &b])["sliced"]["pairs"], json!([]));

    let [wedge, brick] = near_wedge(&folder);
    let output = slice(&["check", &wedge, &brick, "--views", "0,0,1"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(text.lines().next().unwrap(), "no collision among 2 bodies");
    assert!(text.contains("depth_slices, complete: ") && !text.contains("surfaces"), "{text}");
    let pair = pair(&[&wedge, &brick, "--views", "0,0,1"]);
    assert_eq!((&pair["answer"], &pair["decided_by"]), (&json!("no"), &json!("slices")));
    assert!(pair["certain"] == true && pair["renderings"].as_u64() >= Some(1), "{pair}");
}

#[test]
fn what_only_touches_is_a_maybe_until_it_is_tested_exactly() {
    let folder = Folder::new();
    let [a, b] = touching_boxes(&folder);
    let output = slice(&["check", &a, &b, "--leave-maybe"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.lines().next().unwrap(), "2 of 2 bodies may collide: a and b (surfaces may meet)");
    assert!(text.contains("\n1 pair not decided: --triangles tests exactly, "), "{text}");
    assert!(text.contains("\ndepth_slices, not complete: "), "{text}");
    let answer = json(&slice(&["check", &a, &b, "--leave-maybe", "--json"]));
    assert_eq!((&answer["collides"], &answer["frames"][0]["complete"]), (&json!(true), &json!(false)));
    let maybe = &answer["frames"][0]["sliced"]["pairs"][0];
    assert_eq!((&maybe["answer"], &maybe["certain"]), (&json!("maybe"), &json!(false)));
    assert_eq!(maybe["decided_by"], "slices");

    let output = slice(&["check", &a, &b]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("  surfaces meet  by exact test, proven  "), "{text}");
    assert!(text.contains(" triangles tested exactly, on the CPU"), "{text}");
    let yes = pair(&[&a, &b]);
    assert_eq!((&yes["answer"], &yes["decided_by"]), (&json!("yes"), &json!("narrow_phase")));
    assert_eq!(yes["certain"], true);

    // A maybe beside a yes.
    let c = folder.box_file("c.obj", [-1.0, 0.4, 0.4], [0.5, 0.6, 0.6]);
    let text = stdout(&slice(&["check", &a, &b, &c, "--leave-maybe", "--views", "1,0,0"]));
    assert!(
        text.starts_with(
            "3 of 3 bodies collide or may collide: a and c (surfaces meet), a and b (surfaces may"
        ),
        "{text}"
    );
}

#[test]
fn the_sliced_have_exactly_the_fields_of_the_schema() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let answer = json(&slice(&["check", &a, &b, "--json", "--points", "5", "--views", "0,3,0"]));
    assert_eq!(answer["collides"], true);
    let frame = &answer["frames"][0];
    assert_eq!((&frame["method"], &frame["complete"]), (&json!("depth_slices"), &json!(true)));
    assert_eq!((&frame["image"], &frame["interference"]), (&Value::Null, &Value::Null));
    assert_eq!((&frame["contact_count"], &frame["contacts"]), (&json!(0), &json!([])));
    let sliced = &frame["sliced"];
    assert_eq!(names(sliced), ["not_looked_at", "pairs", "stages"]);
    let pair = &sliced["pairs"][0];
    let fields =
        ["a", "answer", "b", "cells", "certain", "decided_by", "facing", "points", "renderings", "volume"];
    assert_eq!(names(pair), fields);
    assert_eq!((&pair["a"], &pair["b"]), (&body(0, "a"), &body(1, "b")));
    assert_eq!(pair["facing"], json!([0.0, 1.0, 0.0]));
    let cells = pair["cells"].as_u64().unwrap();
    let points: Vec<[f64; 3]> = serde_json::from_value(pair["points"].clone()).unwrap();
    assert!(points.len() == 5 && cells >= 5, "{pair}");

    let volume = &pair["volume"];
    assert_eq!(names(volume), ["axes", "high", "low", "max", "min"]);
    let corner = |name: &str| -> [f64; 3] { serde_json::from_value(volume[name].clone()).unwrap() };
    let [low, high, min, max] = ["low", "high", "min", "max"].map(corner);
    assert_eq!(volume["axes"][2], pair["facing"]);
    assert!((0..3).all(|k| low[k] < high[k] && min[k] < max[k]), "{volume}");
    // All that the two share is where b goes through x = 1.
    assert!(min[0] <= 1.0 && max[0] >= 1.0 && max[0] - min[0] < 0.1, "{volume}");
    assert!([1, 2].iter().all(|&k| min[k] <= 0.25 && max[k] >= 0.75), "{volume}");
    assert!(points.iter().all(|p| (0..3).all(|k| p[k] >= min[k] - 1e-3 && p[k] <= max[k] + 1e-3)), "{pair}");

    let stages = &sliced["stages"];
    let fields = ["bytes_read_back", "cells", "draw_ms", "drawn", "exact_ms", "handed_over", "renderings"];
    assert_eq!(names(stages), fields);
    assert_eq!((&stages["cells"], &stages["drawn"]), (&json!([64, 64, 64]), &json!(1)));
    assert_eq!(stages["renderings"], pair["renderings"]);
    assert!(stages["draw_ms"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_documented_example_is_what_is_printed() {
    let text = include_str!("../../../docs/json.md");
    let example = text.split("```json\n").nth(3).unwrap().split("```").next().unwrap();
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let mut printed = frame(&[&a, &b, "--views", "1,0,0", "--points", "1"])["sliced"].clone();
    let mut documented: Value = serde_json::from_str(example).unwrap();
    for value in [&mut printed, &mut documented] {
        assert!(value["stages"]["draw_ms"].is_f64());
        value["stages"]["draw_ms"] = json!(0.0);
    }
    assert_eq!(documented, printed);
}

#[test]
fn options_change_what_is_drawn() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let cells =
        |extra: &[&str]| frame(&[&[a.as_str(), &b], extra].concat())["sliced"]["stages"]["cells"].clone();
    assert_eq!(cells(&["--resolution", "16x1024", "--slices", "128"]), json!([16, 1024, 128]));
    assert_eq!(cells(&["--slices", "1", "--resolution", "8"]), json!([8, 8, 1]));
    assert_eq!(cells(&["--paper"]), json!([64, 64, 16]));
    assert_eq!(cells(&["--paper", "--slices", "20"]), json!([64, 64, 20]));
    let renderings =
        |refine: &str| pair(&[&a, &b, "--views", "1,0,0", "--refine", refine])["renderings"].clone();
    assert_eq!((renderings("0"), renderings("1")), (json!(1), json!(2)));
}

#[test]
fn samples_say_that_they_are_samples() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let [wedge, brick] = near_wedge(&folder);
    for extra in
        [&["--paper"][..], &["--certainty", "sampled", "--leave-maybe"], &["--paper", "--fill", "interval"]]
    {
        let output = slice(&[&["check", &a, &b], extra].concat());
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
        assert!(text.contains("  surfaces meet  by slices, sampled  "), "{extra:?}: {text}");
        assert!(text.contains("\nsampled, collisions may be missed, and bodies near "), "{text}");
        assert!(text.contains("\ndepth_slices, sampled: "), "{text}");
        let found = frame(&[&[a.as_str(), &b], extra].concat());
        assert_eq!(found["complete"], false);
        let pair = &found["sliced"]["pairs"][0];
        assert_eq!((&pair["certain"], &pair["decided_by"]), (&json!(false), &json!("slices")));

        let text = stdout(&slice(&[&["check", &wedge, &brick, "--views", "0,0,1"], extra].concat()));
        assert_eq!(text.lines().next().unwrap(), "no collision seen among 2 bodies");
    }
    // Proven again, though the rest is the paper's.
    let found = frame(&[&a, &b, "--paper", "--certainty", "proven", "--refine", "3", "--views", "1,0,0"]);
    assert_eq!((&found["complete"], &found["sliced"]["pairs"][0]["certain"]), (&json!(true), &json!(true)));

    // Moved out they do not share, so no; but that is not proven.
    for offset in [&[][..], &["--offset", "0.5"]] {
        let found =
            frame(&[&[wedge.as_str(), &brick, "--certainty", "offset", "--views", "0,0,1"], offset].concat());
        let pair = &found["sliced"]["pairs"][0];
        assert_eq!((&pair["answer"], &pair["certain"]), (&json!("no"), &json!(false)), "{offset:?}");
    }
}

#[test]
fn triangles_lists_the_contacts_that_bvh_lists() {
    let folder = Folder::new();
    for [a, b] in [poking_boxes(&folder), touching_boxes(&folder)] {
        let mut whole = json(&run(&["check", &a, &b, "--json", "--method", "bvh"]))["frames"][0].clone();
        // What two bodies are to each other is told by the question that lists every contact.
        whole["pairs"][0].as_object_mut().unwrap().remove("relation");
        for option in ["--triangles", "--contacts"] {
            let found = frame(&[&a, &b, option]);
            for field in ["contact_count", "pairs", "contacts", "containments", "complete"] {
                assert_eq!(found[field], whole[field], "{option} {field}");
            }
        }
        assert_eq!(frame(&[&a, &b])["contact_count"], 0);
    }
    let [a, b] = poking_boxes(&folder);
    let text = stdout(&slice(&["check", &a, &b, "--triangles"]));
    assert!(text.starts_with(&format!("2 of 2 bodies collide: a and b ({POKING} contacts)\n")), "{text}");
    assert!(text.contains("\ncontacts  bodies  centre") && text.contains("(1, 0.5, 0.5)"), "{text}");
    let cut = frame(&[&a, &b, "--triangles", "--limit", "2"]);
    assert_eq!((&cut["contact_count"], &cut["listed"]), (&json!(POKING), &json!(2)));
}

#[test]
fn a_body_inside_another_is_a_containment_and_no_pair_that_meets() {
    let folder = Folder::new();
    let housing = folder.box_file("housing.obj", [0.0; 3], [4.0; 3]);
    let bolt = folder.box_file("bolt.obj", [1.0; 3], [2.0; 3]);
    let output = slice(&["check", &housing, &bolt]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("2 of 2 bodies collide: bolt inside housing\n"), "{text}");
    assert!(text.contains("\nbolt lies inside housing\n") && !text.contains("surfaces"), "{text}");
    let found = frame(&[&housing, &bolt]);
    assert_eq!(found["containments"], json!([{"inner": body(1, "bolt"), "outer": body(0, "housing")}]));
    assert_eq!(found["sliced"]["pairs"][0]["answer"], "no");
    assert_eq!(slice(&["check", &housing, &bolt, "--no-containment"]).status.code(), Some(0));
}

#[test]
fn self_collision_is_not_looked_for_and_that_is_said() {
    let folder = Folder::new();
    let [a, b] = distant_boxes(&folder);
    let output = slice(&["check", &a, &b, "--self"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("no collision seen among 2 bodies\n"), "{text}");
    assert!(text.contains("\nself-collision of a, b was not looked for: depth_slices "), "{text}");
    assert!(text.contains("--method bvh"), "{text}");
    let found = frame(&[&a, &b, "--self"]);
    let both = json!([body(0, "a"), body(1, "b")]);
    assert_eq!((&found["sliced"]["not_looked_at"], &found["complete"]), (&both, &json!(false)));

    let text = stdout(&slice(&["check", &a, "--self"]));
    assert!(text.starts_with("no collision seen: a is alone, and was not looked at\n"), "{text}");
    assert!(!stdout(&slice(&["check", &a, &b])).contains("self-collision"));
}

#[test]
fn many_frames_count_pairs_and_the_picture_shows_contacts() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 4);
    let path = folder.path().join("frame.png");
    let output = slice(&["check", &scene, "--png", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    let first = text.lines().next().unwrap();
    assert_eq!(first, "2 of 4 frames have collisions: the first is frame 1, frame 1 has the most (1 pair)");
    assert!(text.contains("\nframe 3: 2 of 2 bodies collide: wall and ram (surfaces meet)"), "{text}");
    assert!(!text.contains("sampled"), "{text}");

    let exact = folder.path().join("exact.png");
    run(&["check", &scene, "--frames", "1", "--png", exact.to_str().unwrap()]);
    let [marked, exact] = [path, exact].map(|path| std::fs::read(path).unwrap());
    assert!(marked == exact, "the picture of the contacts");

    let text = stdout(&slice(&["check", &scene, "--paper", "--self"]));
    assert!(text.contains("\nsampled, ") && text.contains(": at most 2 renderings of "), "{text}");
    assert!(text.contains(" cells a frame, on the CPU\n") && text.contains("self-collision of wall, ram "));
    let text = stdout(&slice(&[
        "check",
        &scene,
        "--leave-maybe",
        "--resolution",
        "8",
        "--slices",
        "1",
        "--refine",
        "0",
    ]));
    assert!(text.starts_with("2 of 4 frames have collisions or may have some: the first is "), "{text}");
}

#[test]
fn bench_counts_pairs_and_times_the_stages() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 3);
    for extra in
        [&[][..], &["--cold", "--boolean"], &["--paper"], &["--leave-maybe", "--boolean"], &["--contacts"]]
    {
        let output = slice(&[&["bench", &scene, "--json"], extra].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let measured = json(&output);
        assert_eq!((&measured["method"], &measured["cast"]), (&json!("depth_slices"), &Value::Null));
        let frames = measured["frames"].as_array().unwrap();
        let inter: Vec<&Value> = frames.iter().map(|frame| &frame["inter"]).collect();
        assert_eq!(inter, [0, 1, 0], "{extra:?}");
        let found = frame(&[&scene, "--frames", "1"]);
        assert_eq!(names(&measured["slices"]), names(&found["sliced"]["stages"]));
    }
    let text = stdout(&slice(&["bench", &scene]));
    assert!(text.contains("\nno answer is sampled: ") && text.contains(": draw "), "{text}");
    let text = stdout(&slice(&["bench", &scene, "--paper"]));
    assert!(text.contains("\nsampled, answers may be wrong: "), "{text}");
}

#[test]
fn options_are_refused_with_methods_that_do_not_have_them() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let only = [
        &["--slices", "2"][..],
        &["--refine", "2"],
        &["--certainty", "sampled"],
        &["--fill", "touched"],
        &["--points", "2"],
        &["--leave-maybe"],
        &["--paper"],
        &["--triangles"],
    ];
    for option in only {
        for method in ["auto", "bvh", "depth_peel", "ray_cast"] {
            let line = refused_args(&[&["check", &a, &b, "--method", method], option].concat());
            assert!(line.starts_with(&format!("impinge: {}: --method {method} ", option[0])), "{line}");
            assert!(line.contains("; use --method depth_slices, or leave "), "{line}");
        }
    }
    let line = refused_args(&["bench", "knots", "--contacts"]);
    assert!(line.starts_with("impinge: --contacts: --method auto lists the triangles "), "{line}");
    for (option, value, why) in [
        ("--passes", "2", "peels no surfaces; use --method depth_peel, "),
        ("--at-limit", "stop", "peels no surfaces; use --method depth_peel, "),
        ("--open-threshold", "1", "peels no surfaces; use --method depth_peel, "),
        ("--layers", "2", "casts no rays at edges; use --method ray_cast, "),
        ("--perspective", "60", "casts no rays at edges; use --method ray_cast, "),
        ("--identify", "any", "casts no rays at edges; use --method ray_cast, "),
    ] {
        let line = refused(&["check", &a, &b, option, value]);
        assert!(line.contains(&format!("{option}: --method depth_slices {why}")), "{line}");
    }
}

#[test]
fn choices_that_contradict_each_other_are_refused() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for (extra, expected) in [
        (&["--offset", "1"][..], "--offset: --certainty proven moves no surfaces; use --certainty offset, "),
        (&["--offset", "1", "--paper"], "--offset: --certainty sampled moves no surfaces; "),
        (&["--offset", "1", "--certainty", "sampled"], "--offset: --certainty sampled moves no "),
        (&["--fill", "samples"], "--fill: --certainty proven fills every cell that is touched; use "),
        (&["--fill", "interval"], "--fill: --certainty proven fills every cell that is touched; use "),
        (&["--fill", "samples", "--paper", "--certainty", "proven"], "--fill: --certainty proven fills "),
        (
            &["--leave-maybe", "--triangles"],
            "--leave-maybe: --triangles decides every maybe by exact tests; ",
        ),
    ] {
        let line = refused(&[&["check", &a, &b], extra].concat());
        assert!(line.starts_with(&format!("impinge: {expected}")), "{line}");
    }
    let output = slice(&["check", &a, &b, "--fill", "touched", "--certainty", "proven"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[test]
fn values_out_of_range_are_refused() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let resolution = "64 or 128x64, each from 8 to 1024";
    let views = "auto or a direction such as 0,0,1; depth_slices looks at a pair one way";
    for (option, value, expected) in [
        ("--resolution", "7", resolution),
        ("--resolution", "1025", resolution),
        ("--resolution", "64x4096", resolution),
        ("--resolution", "many", resolution),
        ("--views", "two", views),
        ("--views", "axes", views),
        ("--views", "0,0,0", views),
        ("--offset", "0", "a number of diagonals of a cell, more than 0"),
        ("--offset", "-1", "a number of diagonals of a cell, more than 0"),
        ("--offset", "nan", "a number of diagonals of a cell, more than 0"),
    ] {
        let line = refused(&["check", &a, &b, "--certainty", "offset", option, value]);
        assert!(line.starts_with(&format!("impinge: {option} {value}: write {expected}")), "{line}");
    }
    for (option, value) in [
        ("--slices", "0"),
        ("--slices", "129"),
        ("--refine", "often"),
        ("--points", "x"),
        ("--certainty", "sure"),
    ] {
        let output = slice(&["check", &a, &b, option, value]);
        assert_eq!(output.status.code(), Some(2), "{option} {value}");
        assert!(stderr(&output).contains(option), "{}", stderr(&output));
    }
}

#[test]
fn info_and_help_name_the_method() {
    let text = stdout(&common::impinge().arg("info").env("IMPINGE_ADAPTER", "none").output().unwrap());
    assert_eq!(text.lines().filter(|line| line.starts_with("depth_slices  ")).count(), 2, "{text}");
    for command in ["check", "bench"] {
        let text = stdout(&run(&["help", command]));
        assert!(
            text.contains("- depth_slices:") && text.contains("\nOptions of --method depth_slices:"),
            "{text}"
        );
    }
}
