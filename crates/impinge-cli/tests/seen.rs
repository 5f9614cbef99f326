//! `impinge check --seen`: what a method saw, as files.

mod common;

use common::{Folder, impinge, moving_boxes, poking_boxes, run, stderr};
use std::collections::BTreeSet;
use std::path::Path;

/// Names of the files in a folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

/// Vertices and lines of an OBJ file, after checking that every line has two ends that are there.
fn lines(path: &Path) -> (usize, usize) {
    let text = std::fs::read_to_string(path).unwrap();
    let vertices = text.lines().filter(|line| line.starts_with("v ")).count();
    let ends = text.lines().filter_map(|line| line.strip_prefix("l "));
    let ends: Vec<Vec<usize>> =
        ends.map(|line| line.split(' ').map(|end| end.parse().unwrap()).collect()).collect();
    assert!(ends.iter().all(|ends| ends.len() == 2 && ends.iter().all(|end| (1..=vertices).contains(end))));
    (vertices, ends.len())
}

#[test]
fn every_method_leaves_its_pictures_and_lines() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let out = folder.path().join("new").join("seen");
    for (method, some) in [
        ("bvh", &["bvh-stages.png", "bvh-patches.obj"][..]),
        ("grid", &["grid-cells.png", "grid-voxels.png", "grid-cells.obj"]),
        (
            "depth_peel",
            &["depth_peel-view-1-rays.png", "depth_peel-view-1-layer-4.png", "depth_peel-view-1-rays.obj"],
        ),
        ("ray_cast", &["ray_cast-view-1-inside.png", "ray_cast-view-1-edges.png", "ray_cast-points.obj"]),
        ("depth_slices", &["depth_slices-pair-1-first-slices.png", "depth_slices-volumes.obj"]),
        (
            "a_buffer",
            &["a_buffer-view-1-near.png", "a_buffer-view-1-surfaces.png", "a_buffer-view-1-near.obj"],
        ),
        ("cullide", &["cullide-look-1.png", "cullide-parts.obj"]),
        ("brute_force", &[]),
    ] {
        let mut command = impinge();
        command.args(["check", &a, &b, "--method", method, "--seen"]).arg(&out);
        if !["bvh", "brute_force"].contains(&method) {
            command.args(["--adapter", "none"]);
        }
        if ["depth_peel", "ray_cast", "a_buffer", "cullide"].contains(&method) {
            command.args(["--resolution", "64"]);
        }
        let output = command.output().unwrap();
        // A sampled method may miss that they collide, and has seen something all the same.
        let colliding = i32::from(method != "a_buffer");
        assert_eq!(output.status.code(), Some(colliding), "{method}: {}", stderr(&output));
        let written = files(&out);
        for name in some {
            assert!(written.contains(*name), "{name} is not among {written:?}");
        }
        let own = |name: &&String| name.starts_with(method);
        assert_eq!(written.iter().filter(own).count() > 0, method != "brute_force", "{written:?}");
    }
    for name in files(&out) {
        let path = out.join(&name);
        if path.extension().is_some_and(|end| end == "png") {
            let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&path).unwrap()));
            let mut reader = decoder.read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            assert!(reader.info().width <= 512 && reader.info().height <= 512, "{name}");
            let texts: Vec<&str> =
                reader.info().utf8_text.iter().map(|chunk| chunk.keyword.as_str()).collect();
            assert!(texts.contains(&"Title") && texts.contains(&"Description"), "{name}: {texts:?}");
        } else {
            lines(&path);
        }
    }
    // Each box is one patch, and the two meet.
    assert_eq!(lines(&out.join("bvh-patches.obj")), (16, 24));
}

#[test]
fn the_frame_with_the_most_contacts_is_looked_at() {
    let folder = Folder::new();
    let scene = moving_boxes(&folder, 3);
    let out = folder.path().join("seen");
    for (frames, meeting) in [("..", 2), ("0", 0)] {
        let output = run(&["check", &scene, "--frames", frames, "--seen", out.to_str().unwrap()]);
        assert!(output.status.code() != Some(2), "{}", stderr(&output));
        assert_eq!(lines(&out.join("bvh-patches.obj")), (8 * meeting, 12 * meeting), "frames {frames}");
    }
}

#[test]
fn a_place_that_cannot_be_written_to_is_named() {
    let folder = Folder::new();
    let [a, b] = poking_boxes(&folder);
    let output = run(&["check", &a, &b, "--seen", &a]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output).lines().count(), 1);
    assert!(stderr(&output).contains("a.obj: cannot be written"), "{}", stderr(&output));
}
