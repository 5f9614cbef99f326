//! Whatever is wrong, the exit code is 2 and one line says what it is.

mod common;

use common::{Folder, distant_boxes, moving_boxes, run, stderr};

/// The error line, after checking that it is the only one.
fn error_line(args: &[&str]) -> String {
    let output = run(args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    let line = text.trim_end().to_owned();
    assert!(line.starts_with("impinge: "), "{line}");
    assert!(!line.contains("panicked") && !line.chars().any(char::is_control), "{line:?}");
    line
}

#[test]
fn a_missing_file_is_named() {
    assert!(error_line(&["check", "no/such/file.obj"]).contains("no/such/file.obj"));
}

#[test]
fn a_folder_is_not_a_mesh() {
    let folder = Folder::new();
    let path = folder.path().to_str().unwrap();
    assert!(error_line(&["check", path]).contains(path));
}

#[test]
fn an_unknown_extension_lists_the_known_ones() {
    let folder = Folder::new();
    let file = folder.file("mesh.xyz", "hello\n");
    let line = error_line(&["check", &file]);
    assert!(line.contains("mesh.xyz") && line.contains("PLY"), "{line}");
}

#[test]
fn a_bad_scene_file_is_named_with_the_place() {
    let folder = Folder::new();
    let cases = [
        ("not toml at all [[", "line"),
        ("name = \"x\"\n", "body"),
        ("name = \"x\"\n[[body]]\nname = \"a\"\n", "mesh"),
        ("name = \"x\"\n[[body]]\nname = \"a\"\nmesh = \"missing.ply\"\n", "missing.ply"),
        ("name = \"x\"\n[[body]]\nname = \"a\"\nmesh = \"a.ply\"\ncolour = 3\n", "colour"),
    ];
    for (content, named) in cases {
        let file = folder.file("scene.toml", content);
        let line = error_line(&["check", &file]);
        assert!(line.contains(named), "{content:?}: {line}");
    }
}

#[test]
fn frames_that_are_not_there_are_an_error() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 4);
    let line = error_line(&["check", &scene, "--frames", "4"]);
    assert!(line.contains("no frame 4") && line.contains("0 to 3"), "{line}");
    assert!(error_line(&["check", &scene, "--frames", "2..9"]).contains("no frame 8"));
    assert!(error_line(&["check", &scene, "--frames", "x"]).contains("10..20"));
    let [a, b] = distant_boxes(&folder);
    assert!(error_line(&["check", &a, &b, "--frames", "1"]).contains("only frame 0"));
}

#[test]
fn a_picture_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    let [a, b] = distant_boxes(&folder);
    let line = error_line(&["check", &a, &b, "--png", "no/such/folder/out.png"]);
    assert!(line.starts_with("impinge: no/such/folder/out.png: cannot be written: "), "{line}");
    assert!(line.ends_with("; there is no folder no: make it, or choose another place"), "{line}");
    let folder = folder.path().to_str().unwrap();
    let line = error_line(&["check", &a, &b, "--html", folder]);
    assert!(line.starts_with(&format!("impinge: {folder}: ")) && line.contains("it is a folder"), "{line}");
    if std::path::Path::new("/dev/full").exists() {
        let line = error_line(&["check", &a, &b, "--png", "/dev/full"]);
        assert!(line.ends_with("; the disk is full: free some room, or choose another place"), "{line}");
    }
}

#[test]
fn an_unknown_scene_is_answered_with_a_suggestion() {
    assert!(error_line(&["demo", "knotts"]).contains("'knots'"));
    assert!(error_line(&["bench", "knotts"]).contains("'knots'"));
    assert!(error_line(&["demo", "qqqqqq"]).contains("knots"));
}

#[test]
fn an_unknown_method_is_answered_with_a_suggestion() {
    let output = run(&["check", "a.obj", "--method", "bwh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("bvh"), "{}", stderr(&output));
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    if !std::path::Path::new("/dev/full").exists() {
        println!("skipped: this system has no /dev/full");
        return;
    }
    let folder = Folder::new();
    let [a, b] = distant_boxes(&folder);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = common::impinge().args(["check", &a, &b]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
}

#[test]
fn every_hostile_file_gives_one_line() {
    let folder = Folder::new();
    let hostile = impinge_io::testing::hostile_files();
    assert!(hostile.len() >= 60, "{} hostile files", hostile.len());
    for case in hostile {
        let file = case.write(folder.path()).unwrap();
        let line = error_line(&["check", file.to_str().unwrap()]);
        assert!(line.contains(case.expected), "{}: {line}", case.name);
    }
}
