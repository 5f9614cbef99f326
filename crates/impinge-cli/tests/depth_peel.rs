//! `--method depth_peel`: on the CPU, on a GPU or a driver that plays one, and where there is none.

mod common;

use common::{
    Folder, POKING, distant_boxes, impinge, json, moving_boxes, poking_boxes, refused, refused_args, run,
    stderr, stdout, without_gpu,
};
use serde_json::Value;

/// Small images: software draws them.
const PEEL: [&str; 4] = ["--method", "depth_peel", "--resolution", "128"];

fn peel(args: &[&str]) -> std::process::Output {
    run(&[args, &PEEL].concat())
}

#[test]
fn boxes_that_touch_are_found_and_the_answer_says_that_it_is_sampled() {
    if without_gpu() {
        return;
    }
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let output = peel(&["check", &a, &b]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.lines().next().unwrap(), "2 of 2 bodies collide: a and b (12 contacts)", "{text}");
    let sampled = text.lines().find(|line| line.starts_with("sampled, contacts may be missed")).unwrap();
    assert!(sampled.contains("1 view of 128 x 128 rays, ") && !sampled.contains("on the CPU"), "{text}");
    assert!(text.contains("depth_peel, sampled: 24 triangles"), "{text}");
}

#[test]
fn the_cpu_gives_the_same_contacts_as_a_gpu() {
    if without_gpu() {
        return;
    }
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let frame = |extra: &[&str]| {
        let output = peel(&[&["check", &a, &b, "--json"], extra].concat());
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        json(&output)["frames"][0].clone()
    };
    let (gpu, cpu) = (frame(&[]), frame(&["--adapter", "none"]));
    assert_eq!(gpu["contact_count"], POKING);
    assert_eq!(gpu["contacts"], cpu["contacts"]);
    assert!(gpu["adapter"].is_string() && cpu["adapter"].is_null());
    assert!(gpu["image"]["bytes_read_back"].as_u64().unwrap() > 0);
    // The name that is told chooses the same adapter again.
    let named = frame(&["--adapter", gpu["adapter"].as_str().unwrap()]);
    assert_eq!(named["adapter"], gpu["adapter"]);
}

#[test]
fn the_image_has_exactly_the_fields_of_the_schema() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let answer = json(&peel(&["check", &a, &b, "--json", "--adapter", "none", "--views", "axes"]));
    let frame = &answer["frames"][0];
    assert_eq!((&frame["method"], &frame["complete"]), (&"depth_peel".into(), &false.into()));
    assert_eq!(frame["contact_count"], POKING);
    let image = frame["image"].as_object().unwrap();
    assert_eq!(image["resolution"], serde_json::json!([128, 128]));
    assert_eq!(image["views"], 3);
    assert_eq!(image["limited"], false);
    let numbers = [
        "views",
        "deepest",
        "layers",
        "fragments",
        "rays",
        "read_back",
        "bytes_read_back",
        "involved",
        "tests",
    ];
    let times = ["project_ms", "sample_ms", "merge_ms", "separate_ms", "pack_ms"];
    assert!(numbers.iter().all(|name| image[*name].is_u64()), "{image:?}");
    assert!(times.iter().all(|name| image[*name].is_f64()), "{image:?}");
    assert_eq!(image.len(), numbers.len() + times.len() + 2);
}

#[test]
fn nothing_seen_is_not_said_to_be_nothing() {
    let folder = Folder::new();
    // Boxes that overlap at a corner where there is no body: seen, and clear.
    let corner = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let [a, b] = [folder.file("a.obj", corner), folder.box_file("b.obj", [1.5; 3], [3.0; 3])];
    let output = peel(&["check", &a, &b, "--adapter", "none"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let text = stdout(&output);
    assert_eq!(text.lines().next().unwrap(), "no collision seen among 2 bodies");
    assert!(text.contains("contacts may be missed: 1 view of 128 x 128 rays") && text.contains("on the CPU"));

    let [a, b] = distant_boxes(&folder);
    let text = stdout(&peel(&["check", &a, &b, "--adapter", "none"]));
    assert!(text.contains("no boxes overlap, so no ray was needed"), "{text}");
}

#[test]
fn too_few_passes_are_warned_of() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 4);
    let output = peel(&["check", &scene, "--adapter", "none", "--views", "1,0,0", "--passes", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let text = stdout(&output);
    assert!(text.contains("--passes was too low") && text.contains("--passes 2 peels all"), "{text}");
    assert!(text.contains("rays a frame, at most"), "{text}");
}

#[test]
fn bench_times_it_warm_and_cold() {
    if without_gpu() {
        return;
    }
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 3);
    for (extra, touching) in [(&[][..], POKING), (&["--cold", "--boolean"], 1)] {
        let output = peel(&[&["bench", &scene, "--json"], extra].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let measured = json(&output);
        let inter: Vec<&Value> =
            measured["frames"].as_array().unwrap().iter().map(|frame| &frame["inter"]).collect();
        assert_eq!(inter, [0, touching, 0]);
        assert!(measured["adapter"].is_string());
        assert_eq!(measured["image"]["resolution"], serde_json::json!([128, 128]));
    }
    let text = stdout(&peel(&["bench", &scene]));
    assert!(text.contains("sampled, contacts may be missed"), "{text}");
}

#[test]
fn an_adapter_of_another_name_is_answered_with_those_there_are() {
    if without_gpu() {
        return;
    }
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let line = refused_args(&["check", &a, &b, "--method", "depth_peel", "--adapter", "nonsense"]);
    let there_are = stdout(&run(&["info"]));
    let chosen = there_are.lines().find_map(|line| line.strip_prefix("* ")).unwrap();
    let name = chosen.split("  ").next().unwrap();
    assert!(line.contains("'nonsense'") && line.contains(name) && line.contains("--adapter none"), "{line}");
}

#[test]
fn options_of_the_method_are_refused_with_another() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    for (option, value) in [
        ("--resolution", "64"),
        ("--views", "axes"),
        ("--passes", "3"),
        ("--at-limit", "stop"),
        ("--open-threshold", "0.1"),
    ] {
        let line = refused_args(&["check", &a, &b, option, value]);
        assert!(line.contains(option) && line.contains("--method depth_peel"), "{line}");
    }
    for method in ["bvh", "brute_force"] {
        let line = refused_args(&["bench", "knots", "--method", method, "--adapter", "cpu"]);
        assert!(line.contains(&format!("--method {method} does not run on a GPU")), "{line}");
    }
    for (option, value) in [("--resolution", "4"), ("--views", "0,0,0"), ("--open-threshold", "nan")] {
        let line = refused_args(&["check", &a, &b, "--method", "depth-peel", option, value]);
        assert!(line.starts_with(&format!("impinge: {option} {value}: write ")), "{line}");
    }
}

#[test]
fn info_lists_the_adapters_and_what_the_methods_are_worth() {
    if without_gpu() {
        return;
    }
    let output = run(&["info"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.lines().filter(|line| line.starts_with("* ")).count() == 2,
        "one, and what the mark means: {text}"
    );
    assert!(text.contains("\ndepth_peel    sampled") && text.contains("float32-blendable"), "{text}");
}

/// Drivers are found through files; the loader of other systems asks elsewhere.
#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_adapters_is_told_what_to_do() {
    let bare = || {
        let mut command = impinge();
        command
            .env("VK_DRIVER_FILES", "/no/such/driver.json")
            .env("VK_ICD_FILENAMES", "/no/such/driver.json");
        command
    };
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let mut command = bare();
    command.args(["check", &a, &b, "--method", "depth_peel"]);
    let line = refused(command);
    assert!(line.contains("mesa-vulkan-drivers") && line.contains("--adapter none"), "{line}");

    let mut command = bare();
    let output = command.args(["check", &a, &b]).args(PEEL).env("IMPINGE_ADAPTER", "none").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));

    let output = bare().arg("info").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("mesa-vulkan-drivers"), "{}", stdout(&output));
}
