//! `impinge particles`, and the hail that `impinge demo` makes.

mod common;

use common::{Folder, body, json, refused_args, run, stderr, stdout, without_gpu};
use serde_json::Value;

/// One stone that bounces, one that flies past, a hundred that rain on a plate.
const SCENE: &str = r#"
name = "yard"
[steps]
count = 4
duration = 0.5
[[emitter]]
count = 100
position = [10, 0, 4]
position_spread = { box = [1, 1, 0] }
velocity = [0, 0, -8]
life = 1.5
[[particle]]
position = [0, 0, 5]
acceleration = [0, 0, -10]
[[particle]]
position = [0, 50, 5]
velocity = [1, 0, 0]
[[collider]]
name = "floor"
shape = "rectangle"
normal = [0, 0, 1]
size = [4, 4]
response = "bounce"
restitution = 0.5
material = "wood"
[[collider]]
name = "plate"
shape = "rectangle"
at = [10, 0, 0]
normal = [0, 0, 1]
size = [2, 2]
material = "tin"
map = [16, 8]
"#;

fn impacts(answer: &Value) -> Vec<&Value> {
    answer["steps"].as_array().unwrap().iter().flat_map(|s| s["impacts"].as_array().unwrap()).collect()
}

#[test]
fn impacts_are_listed_by_step() {
    let folder = Folder::new();
    let file = folder.file("yard.toml", SCENE);
    let answer = json(&run(&["particles", &file, "--json"]));
    assert_eq!(
        (&answer["schema"], &answer["scene"], &answer["particles"]),
        (&2.into(), &"yard".into(), &102.into())
    );
    assert_eq!(answer["adapter"], Value::Null);
    assert_eq!(answer["colliders"][1]["name"], "plate");
    let steps = answer["steps"].as_array().unwrap();
    assert_eq!((steps.len(), &steps[0]["from"], &steps[3]["to"]), (4, &Value::Null, &2.0.into()));
    // Falls five metres in a second, then jumps half as fast: up and down again in one more.
    let on_floor: Vec<f64> =
        impacts(&answer).iter().filter(|i| i["collider"] == 0).map(|i| i["time"].as_f64().unwrap()).collect();
    assert_eq!(on_floor.len(), 2, "{on_floor:?}");
    assert!((on_floor[0] - 1.0).abs() < 1e-9 && (on_floor[1] - 2.0).abs() < 1e-9, "{on_floor:?}");
    // Every drop falls four metres at eight metres a second, once a life.
    let drops: Vec<_> = impacts(&answer).into_iter().filter(|i| i["collider"] == 1).collect();
    assert_eq!(drops.len(), 200);
    for drop in drops {
        let time = drop["time"].as_f64().unwrap() - 1.5 * drop["generation"].as_f64().unwrap();
        assert!((time - 0.5).abs() < 1e-9 && drop["speed"] == 8.0, "{drop}");
        assert_eq!((&drop["normal"][2], &drop["strength"]), (&1.0.into(), &8.0.into()));
    }
    assert_eq!((&answer["impact_count"], &answer["impacts_by_collider"][1]), (&202.into(), &200.into()));
    assert_eq!(
        (&answer["maps"][0]["collider"], &answer["maps"][0]["hits"]),
        (&body(1, "plate"), &200.into())
    );
    assert_eq!(answer["maps"][0]["resolution"]["across"][0], 0.125);
    let few = json(&run(&["particles", &file, "--json", "--limit", "3"]));
    assert_eq!(few["impact_count"], 202);
    assert!(few["steps"].as_array().unwrap().iter().all(|s| s["impacts"].as_array().unwrap().len() <= 3));
}

#[test]
fn people_get_a_table() {
    let folder = Folder::new();
    let file = folder.file("yard.toml", SCENE);
    let text = stdout(&run(&["particles", &file]));
    assert!(text.starts_with("yard: 202 impacts of 102 particles on 2 colliders until 2\n"), "{text}");
    assert!(text.contains("     200  plate ") && text.contains("       2  floor "), "{text}");
    assert!(text.contains("map of plate: 16 x 8 texels, each 0.125 by 0.25"), "{text}");
    let one = stdout(&run(&["particles", &file, "--limit", "1"]));
    assert!(one.contains("1 more colliders (--limit 2 lists all)"), "{one}");
}

#[test]
fn a_gpu_finds_the_same() {
    if without_gpu() {
        return;
    }
    let folder = Folder::new();
    let file = folder.file("yard.toml", SCENE);
    let here = json(&run(&["particles", &file, "--json"]));
    let there = json(&run(&["particles", &file, "--json", "--adapter", "cpu"]));
    assert!(there["adapter"].is_string());
    let key = |i: &Value| (i["particle"].as_u64(), i["generation"].as_u64(), i["bounce"].as_u64());
    let sorted = |answer: &Value| {
        let mut list: Vec<Value> = impacts(answer).into_iter().cloned().collect();
        list.sort_by_key(key);
        list
    };
    let (a, b) = (sorted(&here), sorted(&there));
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(&b) {
        assert_eq!((key(a), &a["collider"]), (key(b), &b["collider"]));
        assert!((a["time"].as_f64().unwrap() - b["time"].as_f64().unwrap()).abs() < 1e-5, "{a} {b}");
    }
    assert_eq!(here["maps"], there["maps"]);
}

#[test]
fn threads_and_latency_change_nothing_but_when() {
    let folder = Folder::new();
    let file = folder.file("yard.toml", SCENE);
    let list = |args: &[&str]| {
        let answer = json(&run(&[&["particles", &file, "--json"], args].concat()));
        impacts(&answer).into_iter().cloned().collect::<Vec<Value>>()
    };
    let plain = list(&[]);
    assert_eq!(plain, list(&["--threads", "1"]));
    assert_eq!(plain, list(&["--threads", "2"]));
    let ahead = list(&["--latency", "0.75"]);
    assert!(ahead.len() > plain.len(), "three quarters of a second more are seen");
}

#[test]
fn maps_and_sounds_are_written() {
    let folder = Folder::new();
    let file = folder.file("yard.toml", SCENE);
    let [png, wav] = ["out.png", "out.wav"].map(|name| folder.path().join(name));
    let args = ["particles", &file, "--png", png.to_str().unwrap(), "--wav", wav.to_str().unwrap()];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let bytes = std::fs::read(&wav).unwrap();
    assert_eq!((&bytes[..4], &bytes[8..12]), (&b"RIFF"[..], &b"WAVE"[..]));
    // Two seconds, and one for the last impact to ring out.
    assert_eq!(bytes.len(), 44 + 2 * 3 * 44_100);
    // Silent until the first drops arrive after half a second.
    let sample = |at: usize| i16::from_le_bytes([bytes[44 + 2 * at], bytes[45 + 2 * at]]);
    assert!((0..22_050).all(|at| sample(at) == 0));
    assert!((22_050..22_150).any(|at| sample(at).unsigned_abs() > 1000));
}

#[test]
fn what_cannot_be_is_one_line_that_names_it() {
    let folder = Folder::new();
    let cases = [
        (
            "[[collider]]\nname = \"ghost\"\nshape = \"quadric\"\nmatrix = [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]",
            "collider 'ghost': the quadric is degenerate",
        ),
        (
            "[[collider]]\nname = \"wall\"\nshape = \"plane\"\nnormal = [0, 0, 0]",
            "collider 'wall': the normal is zero",
        ),
        ("[[particle]]\nposition = [0, 0, 0]\nvelocity = [nan, 0, 0]", "particle 0 has velocity x = NaN"),
        (
            "[[emitter]]\nname = \"sky\"\ncount = 3\nposition = [0, 0, 0]\nvelocity = [0, inf, 0]",
            "emitter 'sky': particle 0 has velocity y = inf",
        ),
    ];
    for (text, expected) in cases {
        let file = folder.file("bad.toml", format!("[steps]\nduration = 1\n{text}\n"));
        for extra in [&[][..], &["--json"]] {
            let line = refused_args(&[&["particles", &file], extra].concat());
            assert!(
                line.starts_with("impinge: ") && line.contains("bad.toml") && line.contains(expected),
                "{line}"
            );
        }
    }
    assert!(refused_args(&["particles", "no/such.toml"]).contains("no/such.toml"));
    let file = folder.file("bare.toml", "[steps]\nduration = 1\n[[collider]]\nname = \"a\"\nshape = \"sphere\"\nradius = 1\nmaterial = \"jelly\"\n");
    assert!(refused_args(&["particles", &file, "--png", "x.png"]).contains("no collider has a map"));
    assert!(refused_args(&["particles", &file, "--wav", "x.wav"]).contains("no material 'jelly'"));
    assert!(refused_args(&["particles", &file, "--latency", "nan"]).contains("latency"));
}

#[test]
fn the_hail_that_is_heard_is_the_hail_that_is_reported() {
    let folder = Folder::new();
    let out = folder.path().join("hail");
    let output = run(&["demo", "hail", "--stones", "60", "--seed", "5", "--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for file in ["picture.png", "frame-0.png", "frame-1.png", "splats.png"] {
        assert!(std::fs::read(out.join(file)).unwrap().starts_with(b"\x89PNG"), "{file}");
        assert!(text.contains(file), "{text}");
    }
    let scene = out.join("hail.toml");
    let wav = folder.path().join("again.wav");
    let args = ["particles", scene.to_str().unwrap(), "--json", "--wav", wav.to_str().unwrap()];
    let answer = json(&run(&args));
    let count = answer["impact_count"].as_u64().unwrap();
    assert!(count > 60 && text.contains(&format!("({count} impacts, each at its own time)")), "{text}");
    assert_eq!(std::fs::read(&wav).unwrap(), std::fs::read(out.join("hail.wav")).unwrap(), "the same sound");
    assert!(stdout(&run(&["demo", "--list"])).contains("hail"));
}
