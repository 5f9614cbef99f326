//! `--method ray_cast`: what it finds between boxes, how it tells it, and what it refuses.

mod common;

use common::{
    Folder, body, box_obj, distant_boxes, json, moving_boxes, open_box_obj, poking_boxes, refused_args, run,
    soup_obj, stderr, stdout,
};
use serde_json::{Value, json};

/// Small images on the CPU: the same on every machine.
const CAST: [&str; 6] = ["--method", "ray_cast", "--adapter", "none", "--resolution", "128"];

fn cast(args: &[&str]) -> std::process::Output {
    run(&[args, &CAST].concat())
}

/// The interference of the first frame.
fn interference(args: &[&str]) -> Value {
    let output = cast(&[&["check", "--json"], args].concat());
    assert!(output.status.code() != Some(2), "{}", stderr(&output));
    json(&output)["frames"][0]["interference"].clone()
}

fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn boxes_that_overlap_tell_whose_edges_are_inside_whom() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let output = cast(&["check", &a, &b]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("2 of 2 bodies collide: a and b ("), "{text}");
    let row = text.lines().find(|line| line.contains("  b     a  ")).expect(&text);
    assert!(row.contains("  11  ") || row.contains("  12  "), "edges of b in a: {text}");
    // It is half of b that is inside, up to a pixel: x from 0.5 to 1, y and z from 0.25 to 0.75.
    assert!(row.contains("(0.75") || row.contains("(0.74"), "{row}");
    assert!(text.contains("sampled, interference may be missed: 1 view of 128 x 128 rays, "), "{text}");
    assert!(text.contains("ray_cast, sampled: 24 triangles in 2 bodies, 36 edges, "), "{text}");
    assert!(text.contains("closed bodies farther apart than 0.0"), "{text}");
    assert!(!text.contains("contact") && !text.contains("not closed"), "{text}");
}

#[test]
fn boxes_apart_are_clear_without_a_ray() {
    let folder = Folder::new();
    let [a, b] = distant_boxes(&folder);
    let output = cast(&["check", &a, &b]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert_eq!(text.lines().next().unwrap(), "no collision seen among 2 bodies");
    assert!(text.contains("no boxes overlap, so no ray was needed") && !text.contains("farther"), "{text}");
    let found = interference(&[&a, &b]);
    assert_eq!((&found["any"], &found["pairs"], &found["reach"]), (&json!(false), &json!([]), &json!(0.0)));
}

#[test]
fn the_interference_has_exactly_the_fields_of_the_schema() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let answer = json(&cast(&["check", &a, &b, "--json", "--views", "two"]));
    let frame = &answer["frames"][0];
    assert_eq!((&frame["method"], &frame["complete"]), (&json!("ray_cast"), &json!(false)));
    assert_eq!((&frame["contact_count"], &frame["image"]), (&json!(0), &Value::Null));
    assert_eq!(answer["collides"], true);
    let found = &frame["interference"];
    assert_eq!((&found["any"], &found["bodies"]), (&json!(true), &json!([body(0, "a"), body(1, "b")])));
    assert_eq!((&found["self_interfering"], &found["not_closed"]), (&json!([]), &json!([])));

    let mut seen = 0;
    for pair in found["pairs"].as_array().unwrap() {
        assert_eq!(names(pair), ["penetrated", "penetrating", "pixels"]);
        seen += pair["pixels"].as_u64().unwrap();
    }
    assert!(found["pairs"].as_array().unwrap().iter().any(|pair| pair["penetrating"] == body(1, "b")));
    let [edges, points] = ["edges", "points"].map(|list| found[list].as_array().unwrap());
    assert_eq!((&found["edge_count"], &found["point_count"]), (&edges.len().into(), &points.len().into()));
    assert_eq!(points.len() as u64, seen);
    let reach = found["reach"].as_f64().unwrap();
    for point in points {
        assert_eq!(names(point), ["edge", "inside", "position"]);
        let edge = &edges[point["edge"].as_u64().unwrap() as usize];
        assert_eq!(names(edge), ["body", "side", "triangle", "vertices"]);
        assert!(edge["body"] != point["inside"], "{edge} {point}");
        assert!(edge["vertices"].as_array().unwrap().iter().all(|vertex| vertex.as_u64().unwrap() < 8));
        let position: [f64; 3] = serde_json::from_value(point["position"].clone()).unwrap();
        let within = |axis: usize, low: f64, high: f64| {
            position[axis] >= low - reach && position[axis] <= high + reach
        };
        assert!(within(0, 0.5, 1.0) && within(1, 0.25, 0.75) && within(2, 0.25, 0.75), "{point}");
    }

    let stages = &found["stages"];
    assert_eq!((&stages["resolution"], &stages["views"]), (&json!([128, 128]), &json!(2)));
    assert_eq!(stages["edges"], 36);
    assert!(stages["render_ms"].as_f64().unwrap() > 0.0);
    assert!(stages["marked"].as_u64() <= stages["pixels"].as_u64());
}

#[test]
fn the_documented_example_has_the_form_of_what_is_printed() {
    // How many pixels show something is the method's own business.
    fn form(value: &Value) -> Value {
        match value {
            Value::Number(_) => json!(0),
            Value::Array(list) => list.iter().map(form).collect(),
            Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), form(value))).collect(),
            other => other.clone(),
        }
    }
    let text = include_str!("../../../docs/json.md");
    let example = text.split("```json\n").nth(2).unwrap().split("```").next().unwrap();
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let mut printed = interference(&[&a, &b, "--limit", "1"]);
    printed["stages"]["limited"] = json!(true);
    assert_eq!(form(&serde_json::from_str(example).unwrap()), form(&printed));
}

#[test]
fn limit_cuts_edges_and_points_and_never_their_counts() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let all = interference(&[&a, &b]);
    assert!(all.get("edges_listed").is_none() && all.get("points_listed").is_none());
    for limit in [0, 3, 1_000_000] {
        let cut = interference(&[&a, &b, "--limit", &limit.to_string()]);
        for (list, count, listed) in
            [("edges", "edge_count", "edges_listed"), ("points", "point_count", "points_listed")]
        {
            let whole = all[list].as_array().unwrap();
            let kept = &whole[..limit.min(whole.len())];
            assert_eq!(cut[list].as_array().unwrap(), kept);
            assert_eq!((&cut[count], &cut[listed]), (&whole.len().into(), &kept.len().into()));
        }
        assert_eq!(cut["pairs"], all["pairs"]);
    }
    let text = stdout(&cast(&["check", &a, &b, "--limit", "1"]));
    assert!(text.contains("1 more row (--limit 2 lists all)"), "{text}");
}

#[test]
fn what_is_found_out_is_what_is_told() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for (identify, answer, filled) in [
        ("any", "collision seen among 2 bodies", &[][..]),
        ("penetrating", "edges inside others: ", &["bodies", "edges"]),
        ("colour", "edges inside others: ", &["bodies", "edges"]),
        ("last-drawn", "2 of 2 bodies collide: a and b (", &["bodies", "edges", "pairs"]),
        ("queries", "2 of 2 bodies collide: a, b", &["bodies"]),
    ] {
        let output = cast(&["check", &a, &b, "--identify", identify]);
        assert_eq!(output.status.code(), Some(1), "{identify}: {}", stderr(&output));
        assert!(stdout(&output).lines().next().unwrap().contains(answer), "{identify}: {}", stdout(&output));
        let found = interference(&[&a, &b, "--identify", identify]);
        assert_eq!(found["any"], true);
        for list in ["bodies", "pairs", "edges", "points"] {
            let is_filled = !found[list].as_array().unwrap().is_empty();
            assert_eq!(is_filled, filled.contains(&list), "{identify}: {list}");
        }
    }
}

#[test]
fn a_body_that_is_not_closed_is_named_with_what_that_means() {
    let folder = Folder::new();
    let a = folder.box_file("a.obj", [0.0; 3], [1.0; 3]);
    let tray = folder.file("tray.obj", open_box_obj([0.5, 0.25, 0.25], [1.5, 0.75, 0.75]));
    let text = stdout(&cast(&["check", &a, &tray]));
    assert!(
        text.contains(
            "\nnot closed, so what is inside them, or behind, may be missed:\ntray: 4 boundary edges"
        ),
        "{text}"
    );
    assert_eq!(interference(&[&a, &tray])["not_closed"], json!([body(1, "tray")]));
    assert!(!text.contains("--weld"), "{text}");

    let soup = folder.file("soup.obj", soup_obj([0.5, 0.25, 0.25], [1.5, 0.75, 0.75]));
    let text = stdout(&cast(&["check", &a, &soup]));
    assert!(
        text.lines().any(|line| line.starts_with("soup: ") && line.ends_with("; --weld closes it")),
        "{text}"
    );
    assert!(!stdout(&cast(&["check", &a, &soup, "--weld"])).contains("not closed"));
}

#[test]
fn a_body_inside_another_interferes_with_it() {
    let folder = Folder::new();
    let housing = folder.box_file("housing.obj", [0.0; 3], [4.0; 3]);
    let bolt = folder.box_file("bolt.obj", [1.0; 3], [2.0; 3]);
    let found = interference(&[&housing, &bolt]);
    let pairs = found["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 1);
    assert_eq!((&pairs[0]["penetrating"], &pairs[0]["penetrated"]), (&body(1, "bolt"), &body(0, "housing")));
    let line = refused_args(&[&["check", &housing, &bolt, "--no-containment"], &CAST[..]].concat());
    assert!(line.starts_with("impinge: --no-containment: --method ray_cast does not tell "), "{line}");
}

#[test]
fn a_body_that_crosses_itself_is_told_apart_from_pairs() {
    let folder = Folder::new();
    // Two boxes that overlap, in one body.
    let [a, b] = [box_obj([0.0; 3], [2.0; 3]), box_obj([1.0; 3], [3.0; 3])];
    let shifted = |line: &str| {
        let corners = line.split(' ').skip(1).map(|corner| (corner.parse::<u32>().unwrap() + 8).to_string());
        format!("f {}\n", corners.collect::<Vec<_>>().join(" "))
    };
    let b: String =
        b.lines().map(|l| if l.starts_with('f') { shifted(l) } else { format!("{l}\n") }).collect();
    let crossed = folder.file("crossed.obj", format!("o crossed\n{a}{b}"));
    let output = cast(&["check", &crossed, "--self"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.lines().next().unwrap(), "1 of 1 body has edges inside itself: crossed");
    assert!(text.contains("\nedges inside their own body") && text.contains("\ncrossed\n"), "{text}");
    let found = interference(&[&crossed, "--self"]);
    assert_eq!((&found["self_interfering"], &found["any"]), (&json!([body(0, "crossed")]), &json!(false)));
    assert_eq!(interference(&[&crossed])["self_interfering"], json!([]));
}

#[test]
fn many_frames_count_pairs_and_the_picture_shows_the_most() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 4);
    let path = folder.path().join("frame.png");
    let output = cast(&["check", &scene, "--png", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with(
            "2 of 4 frames have collisions: the first is frame 1, frame 1 has the most (1 pair, "
        )
    );
    assert!(text.contains("\nframe 3: 2 of 2 bodies collide: wall and ram ("), "{text}");
    assert!(text.contains("rays a frame, at most ") && !text.contains("contact"), "{text}");

    // Where only is asked whether anything interferes, the same picture has nothing to mark.
    let bare = folder.path().join("bare.png");
    cast(&["check", &scene, "--frames", "1", "--identify", "any", "--png", bare.to_str().unwrap()]);
    let [marked, bare] = [path, bare].map(|path| std::fs::read(path).unwrap());
    assert!([&marked, &bare].iter().all(|file| file.starts_with(b"\x89PNG") && file.len() > 10_000));
    assert!(marked != bare);

    let text = stdout(&cast(&["check", &scene, "--identify", "any"]));
    assert_eq!(text.lines().next().unwrap(), "2 of 4 frames have collisions: the first is frame 1");
}

#[test]
fn bench_counts_pairs_and_times_the_stages() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 3);
    for extra in [&[][..], &["--cold", "--boolean"], &["--identify", "any"]] {
        let output = cast(&[&["bench", &scene, "--json"], extra].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let measured = json(&output);
        assert_eq!((&measured["method"], &measured["image"]), (&json!("ray_cast"), &Value::Null));
        let frames = measured["frames"].as_array().unwrap();
        let inter: Vec<&Value> = frames.iter().map(|frame| &frame["inter"]).collect();
        assert_eq!(inter, [0, 1, 0], "{extra:?}");
        let found = interference(&[&scene, "--frames", "1"]);
        assert_eq!(names(&measured["cast"]), names(&found["stages"]));
    }
    let text = stdout(&cast(&["bench", &scene]));
    assert!(text.contains("sampled, interference may be missed: ") && text.contains("render "), "{text}");
}

#[test]
fn options_are_refused_with_methods_that_do_not_have_them() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let only = [("--layers", "2"), ("--perspective", "60"), ("--identify", "any")];
    for (option, value) in only {
        for method in ["bvh", "depth_peel"] {
            let line = refused_args(&["check", &a, &b, "--method", method, option, value]);
            assert!(line.starts_with(&format!("impinge: {option}: --method {method} ")), "{line}");
            assert!(line.contains("; use --method ray_cast, or leave "), "{line}");
        }
    }
    for method in ["bvh", "depth_peel"] {
        let line = refused_args(&["check", &a, &b, "--method", method, "--offset", "1"]);
        let expected =
            format!("impinge: --offset: --method {method} moves nothing; use --method ray_cast or ");
        assert!(line.starts_with(&expected), "{line}");
    }
    for (option, value) in [("--passes", "2"), ("--at-limit", "stop"), ("--open-threshold", "1")] {
        let line = refused_args(&[&["check", &a, &b, option, value], &CAST[..]].concat());
        assert!(line.contains("peels no surfaces; use --method depth_peel, or leave "), "{line}");
    }
    let line = refused_args(&["check", &a, &b, "--views", "two"]);
    assert!(
        line.contains(
            "use --method depth_peel, ray_cast, depth_slices, a_buffer or cullide, or leave --views out"
        ),
        "{line}"
    );
    let line = refused_args(&[&["check", &a, &b, "--layers", "2", "--identify", "any"], &CAST[..]].concat());
    assert!(line.contains("--layers: --identify any looks at one edge a pixel"), "{line}");
}

#[test]
fn values_out_of_range_are_refused() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let cases = [
        ("--perspective", "0.5"),
        ("--perspective", "151"),
        ("--perspective", "-60"),
        ("--perspective", "nan"),
        ("--perspective", &b),
        ("--offset", "-1"),
        ("--offset", "inf"),
        ("--views", "three"),
    ];
    for (option, value) in cases {
        let line = refused_args(&[&["check", &a, option, value], &CAST[..]].concat());
        assert!(line.starts_with(&format!("impinge: {option} {value}: write ")), "{line}");
    }
    for extra in [&["--perspective"][..], &["--perspective", "20"], &["--offset", "0.5", "--layers", "9"]] {
        let output = run(&[&["check", &a, &b], extra, &["--method", "ray-cast"], &CAST[2..]].concat());
        assert_eq!(output.status.code(), Some(1), "{extra:?}: {}{}", stdout(&output), stderr(&output));
    }
}
