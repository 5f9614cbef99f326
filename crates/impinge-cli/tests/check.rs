//! `impinge check`: its answers, its exit codes, its two ways of printing.

mod common;

use common::{
    Folder, POKING, body, distant_boxes, impinge, json, moving_boxes, poking_boxes, run, stderr, stdout,
};
use serde_json::Value;
use std::process::Stdio;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn boxes_that_touch_exit_with_1_and_answer_first() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let output = run(&["check", &a, &b]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(
        text.lines().next().unwrap(),
        "2 of 2 bodies collide: a and b overlap (12 contacts)",
        "{text}"
    );
    assert!(text.contains("(1, 0.5, 0.5)"), "the centre of contact is told: {text}");
    assert!(text.contains("0 x 0.5 x 0.5"), "the size of contact is told: {text}");
    assert!(stderr(&output).is_empty());
}

#[test]
fn boxes_apart_exit_with_0() {
    let folder = Folder::new();
    let [a, b] = distant_boxes(&folder);
    let output = run(&["check", &a, &b]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output).lines().next().unwrap(), "no collision among 2 bodies");
}

#[test]
fn a_clash_stands_above_what_only_touches() {
    let folder = Folder::new();
    let plate = folder.box_file("plate.obj", [0.0; 3], [8.0, 8.0, 1.0]);
    let washer = folder.box_file("washer.obj", [0.0, 0.0, 1.0], [8.0, 8.0, 2.0]);
    let pin = folder.box_file("pin.obj", [3.0, 3.0, 1.5], [4.0, 4.0, 3.0]);
    let bolt = folder.box_file("bolt.obj", [0.0; 3], [1.0; 3]);
    let output = run(&["check", &plate, &washer, &pin, &bolt]);
    assert_eq!(output.status.code(), Some(1), "touching is a collision");
    let text = stdout(&output);
    let first = text.lines().next().unwrap();
    let told = "4 of 4 bodies collide, 1 pair overlaps, 1 lies inside, 2 touch: ";
    assert!(first.starts_with(told), "{text}");
    let names: Vec<&str> =
        first[told.len()..].split(", ").map(|name| name.split(" (").next().unwrap()).collect();
    assert_eq!(
        names,
        ["bolt inside plate", "washer and pin overlap", "plate and washer touch", "and 1 more"]
    );
    let rows: Vec<&str> =
        text.lines().filter(|line| line.contains("touching") || line.contains("overlapping")).collect();
    assert!(
        rows[0].contains("overlapping  washer, pin") && rows[1].contains("touching     plate, washer"),
        "{text}"
    );

    let relation = |files: &[&str]| {
        let args = [&["check", "--json"], files].concat();
        json(&run(&args))["frames"][0]["pairs"][0].clone()
    };
    let inside = relation(&[&plate, &bolt]);
    assert_eq!((&inside["relation"], &inside["inner"]), (&Value::from("inside"), &Value::from(1)));
    assert_eq!(relation(&[&plate, &plate])["relation"], "equal");
    assert_eq!(relation(&[&plate, &washer, "--method", "brute_force"])["relation"], "touching");
    assert!(relation(&[&plate, &washer, "--no-containment"]).get("relation").is_none());
    assert!(
        relation(&[&washer, &pin, "--method", "depth_peel", "--adapter", "none"]).get("relation").is_none()
    );
}

#[test]
fn a_box_inside_another_is_a_collision_unless_it_is_not_asked_for() {
    let folder = Folder::new();
    let housing = folder.box_file("housing.obj", [0.0; 3], [4.0; 3]);
    let bolt = folder.box_file("bolt.obj", [1.0; 3], [2.0; 3]);
    let output = run(&["check", &housing, &bolt]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert_eq!(text.lines().next().unwrap(), "2 of 2 bodies collide: bolt inside housing");
    assert!(text.contains("bolt lies inside housing"), "{text}");
    assert_eq!(run(&["check", &housing, &bolt, "--no-containment"]).status.code(), Some(0));

    let answer = json(&run(&["check", &housing, &bolt, "--json"]));
    assert_eq!(
        answer["frames"][0]["containments"],
        serde_json::json!([{"inner": body(1, "bolt"), "outer": body(0, "housing")}])
    );
    assert_eq!(answer["collides"], true);
}

#[test]
fn json_has_exactly_the_fields_of_the_schema() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let sheet = folder.file("sheet.obj", "v 0 9 0\nv 1 9 0\nv 0 9 1\nf 1 2 3\n");
    let output = run(&["check", &a, &b, &sheet, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let answer = json(&output);
    assert_eq!(keys(&answer), ["bodies", "collides", "frames", "schema"]);
    assert_eq!(answer["schema"], 2);
    assert_eq!(answer["collides"], true);

    let bodies = answer["bodies"].as_array().unwrap();
    assert_eq!(bodies.len(), 3);
    assert_eq!(keys(&bodies[0]), ["closed", "name", "triangles", "vertices"]);
    assert_eq!(bodies[0], serde_json::json!({"name": "a", "vertices": 8, "triangles": 12, "closed": true}));
    assert_eq!(keys(&bodies[2]), ["closed", "name", "open_reason", "triangles", "vertices"]);
    assert_eq!(bodies[2]["closed"], false);
    assert!(bodies[2]["open_reason"].as_str().unwrap().contains("boundary"));

    let frame = &answer["frames"][0];
    let expected = [
        "adapter",
        "complete",
        "contact_count",
        "contacts",
        "containments",
        "culled",
        "frame",
        "image",
        "interference",
        "method",
        "pairs",
        "sifted",
        "sliced",
        "stages",
    ];
    assert_eq!(keys(frame), expected);
    assert_eq!(frame["frame"], 0);
    assert_eq!(frame["method"], "bvh");
    assert_eq!(frame["complete"], true);
    let of_others = ["adapter", "image", "interference", "sliced", "sifted", "culled"];
    assert!(of_others.iter().all(|name| frame[*name].is_null()));
    assert_eq!(frame["contact_count"], POKING);
    assert_eq!(
        frame["pairs"],
        serde_json::json!([{"a": body(0, "a"), "b": body(1, "b"), "contacts": POKING, "relation": "overlapping"}])
    );
    assert_eq!(frame["containments"], serde_json::json!([]));

    let contacts = frame["contacts"].as_array().unwrap();
    assert_eq!(contacts.len() as u64, POKING);
    for contact in contacts {
        assert_eq!(keys(contact), ["a", "b", "segment"]);
        assert_eq!(keys(&contact["a"]), ["body", "triangle"]);
        assert_eq!((&contact["a"]["body"], &contact["b"]["body"]), (&0.into(), &1.into()));
        assert!(contact["a"]["triangle"].as_u64().unwrap() < 12);
        for point in contact["segment"].as_array().unwrap() {
            let point: Vec<f64> = point.as_array().unwrap().iter().map(|c| c.as_f64().unwrap()).collect();
            assert_eq!((point.len(), point[0]), (3, 1.0), "all contacts lie in the plane x = 1");
        }
        assert_eq!(contact["segment"].as_array().unwrap().len(), 2);
    }

    let stages = &frame["stages"];
    let times = ["update", "broad_phase", "culling", "narrow_phase", "containment", "shapes", "total"];
    for time in times {
        assert!(stages[format!("{time}_ms")].as_f64().unwrap() >= 0.0, "{time}");
    }
    for number in ["bodies", "triangles", "body_pairs", "candidates", "exact", "contacts"] {
        assert!(stages[number].is_u64(), "{number}");
    }
    assert_eq!(stages.as_object().unwrap().len(), times.len() + 6);
}

#[test]
fn the_documented_example_is_what_the_program_prints() {
    let text = include_str!("../../../docs/json.md");
    let example = text.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let without_times = |mut answer: Value| {
        let stages = answer["frames"][0]["stages"].as_object_mut().unwrap();
        stages.iter_mut().filter(|(name, _)| name.ends_with("_ms")).for_each(|(_, time)| *time = 0.into());
        // How many pairs culling leaves, and floats leave undecided, is the method's own business.
        stages["candidates"] = 0.into();
        stages["exact"] = 0.into();
        answer
    };
    let printed = json(&run(&["check", &a, &b, "--json", "--limit", "1"]));
    assert_eq!(without_times(serde_json::from_str(example).unwrap()), without_times(printed));
}

#[test]
fn coplanar_contacts_have_a_polygon_and_its_longest_extent() {
    let folder = Folder::new();
    let a = folder.file("a.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n");
    let b = folder.file("b.obj", "v 0.5 0.5 0\nv 1 0.5 0\nv 1 3 0\nf 1 2 3\n");
    let answer = json(&run(&["check", &a, &b, "--json"]));
    let contact = &answer["frames"][0]["contacts"][0];
    assert_eq!(contact["polygon"].as_array().unwrap().len(), 3);
    let ends: Vec<String> = contact["segment"].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert!(ends.contains(&"[0.5,0.5,0.0]".into()) && ends.contains(&"[1.0,3.0,0.0]".into()), "{ends:?}");
}

#[test]
fn a_point_contact_gives_the_point_twice() {
    let folder = Folder::new();
    let a = folder.file("a.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n");
    let b = folder.file("b.obj", "v 1 1 0\nv 1 1 1\nv 2 1 1\nf 1 2 3\n");
    let answer = json(&run(&["check", &a, &b, "--json"]));
    let segment = &answer["frames"][0]["contacts"][0]["segment"];
    assert_eq!(*segment, serde_json::json!([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]));
}

#[test]
fn limit_cuts_the_list_and_never_the_counts() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for (limit, listed) in [("0", 0), ("5", 5), ("1000", POKING)] {
        let answer = json(&run(&["check", &a, &b, "--json", "--limit", limit]));
        let frame = &answer["frames"][0];
        assert_eq!(frame["contacts"].as_array().unwrap().len() as u64, listed);
        assert_eq!(frame["listed"], listed);
        assert_eq!(frame["contact_count"], POKING);
        assert_eq!(frame["pairs"][0]["contacts"], POKING);
    }
}

#[test]
fn every_method_and_number_of_threads_lists_the_same_contacts() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let contacts = |extra: &[&str]| {
        let answer = json(&run(&[&["check", &a, &b, "--json"], extra].concat()));
        answer["frames"][0]["contacts"].clone()
    };
    let expected = contacts(&["--method", "brute_force", "--threads", "1"]);
    assert_eq!(expected.as_array().unwrap().len() as u64, POKING);
    assert_eq!(contacts(&["--method", "bvh", "--threads", "2"]), expected);
    assert_eq!(contacts(&["--method", "auto", "--threads", "8"]), expected);
    let answer = json(&run(&["check", &a, &b, "--json", "--method", "brute_force"]));
    assert_eq!(answer["frames"][0]["method"], "brute_force");
}

#[test]
fn a_mesh_that_crosses_itself_is_found_with_self() {
    let folder = Folder::new();
    // Two triangles of one object that cross and share no vertex.
    let crossed =
        "o crossed\nv 0 0 0\nv 2 0 0\nv 0 2 0\nv 0.5 0.5 -1\nv 0.5 0.5 1\nv 3 3 1\nf 1 2 3\nf 4 5 6\n";
    let file = folder.file("crossed.obj", crossed);
    let alone = run(&["check", &file]);
    assert_eq!(alone.status.code(), Some(0));
    assert!(stdout(&alone).contains("--self"), "says how to look within: {}", stdout(&alone));
    let output = run(&["check", &file, "--self"]);
    assert_eq!(output.status.code(), Some(1));
    let first = stdout(&output).lines().next().unwrap().to_owned();
    assert_eq!(first, "1 of 1 body collides: crossed with itself (1 contact)");
    let answer = json(&run(&["check", &file, "--self", "--json"]));
    assert_eq!(
        answer["frames"][0]["pairs"],
        serde_json::json!([{"a": body(0, "crossed"), "b": body(0, "crossed"), "contacts": 1}])
    );
}

#[test]
fn weld_makes_neighbours_of_triangles_across_a_seam() {
    let folder = Folder::new();
    let seam = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 4 6 5\n";
    let file = folder.file("seam.obj", seam);
    assert_eq!(run(&["check", &file, "--self"]).status.code(), Some(1), "coincident edges touch");
    let welded = run(&["check", &file, "--self", "--weld"]);
    assert_eq!(welded.status.code(), Some(0), "{}{}", stdout(&welded), stderr(&welded));
}

#[test]
fn frames_choose_half_open_ranges() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 6);
    let checked = |frames: &str| {
        let output = run(&["check", &scene, "--json", "--limit", "0", "--frames", frames]);
        let answer = json(&output);
        let frames = answer["frames"].as_array().unwrap();
        let numbers: Vec<u64> = frames.iter().map(|frame| frame["frame"].as_u64().unwrap()).collect();
        (numbers, output.status.code().unwrap())
    };
    assert_eq!(checked("1..4"), (vec![1, 2, 3], 1));
    assert_eq!(checked("4"), (vec![4], 0));
    assert_eq!(checked("5.."), (vec![5], 1));
    assert_eq!(checked("..2"), (vec![0, 1], 1));
    let all = json(&run(&["check", &scene, "--json"]));
    let counts: Vec<_> =
        all["frames"].as_array().unwrap().iter().map(|f| f["contact_count"].clone()).collect();
    assert_eq!(counts, [0, POKING, 0, POKING, 0, POKING]);
    assert_eq!(all["collides"], true);
}

#[test]
fn many_frames_are_answered_first_and_listed_within_bounds() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 200);
    let output = run(&["check", &scene]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("100 of 200 frames have collisions: the first is frame 1"), "{text}");
    assert_eq!(lines[1], "frame 1: 2 of 2 bodies collide: wall and ram overlap (12 contacts)");
    assert!(lines.len() <= 25, "{text}");
    assert!(text.contains("80 more frames have collisions"), "{text}");
}

#[test]
fn a_picture_is_a_png_of_the_colliding_frame() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 3);
    let path = folder.path().join("frame.png");
    let output = run(&["check", &scene, "--png", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000);
}

#[test]
fn pictures_survive_bodies_of_no_size_and_of_every_size() {
    let folder = Folder::new();
    let cases = [
        ("point.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n"),
        ("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
        ("vast.obj", "v -1e308 0 0\nv 1e308 0 1e308\nv 0 1e308 0\nf 1 2 3\n"),
        ("tiny.obj", "v 0 0 0\nv 5e-324 0 0\nv 0 5e-324 0\nf 1 2 3\n"),
        ("both.obj", "v 0 0 0\nv 1e-300 0 0\nv 0 1e300 0\nf 1 2 3\n"),
    ];
    for (name, content) in cases {
        let file = folder.file(name, content);
        let path = folder.path().join("out.png");
        let output = run(&["check", &file, &file, "--png", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}{}", stdout(&output), stderr(&output));
        assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let scene = moving_boxes(&folder, 300);
    for args in [vec!["check", &a, &b], vec!["check", &scene, "--json"], vec!["demo", "--list"], vec!["info"]]
    {
        let mut child = impinge().args(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let expected = i32::from(args[0] == "check");
        assert_eq!(stderr(&output), "", "{args:?}");
        assert_eq!(output.status.code(), Some(expected), "{args:?}");
    }
}

#[test]
fn there_are_no_colours_where_there_is_no_terminal() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for no_color in [None, Some("1")] {
        let mut command = impinge();
        command
            .args(["check", &a, &b])
            .env_remove("NO_COLOR")
            .envs(no_color.map(|value| ("NO_COLOR", value)));
        let output = command.output().unwrap();
        assert!(!stdout(&output).contains('\x1b'));
    }
}
