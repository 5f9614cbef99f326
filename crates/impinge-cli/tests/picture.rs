//! `check --png` of a scene of the lab, against a picture that was looked at and stored.
//!
//! Where the drawing changed on purpose: `IMPINGE_STORE=1 cargo test -p impinge-cli --test picture`, look at
//! `tests/pictures/chain.png`, and commit it.

mod common;

use common::{Folder, run, stderr};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Steps of 255 that the rounding of another machine may move a pixel.
const ROUNDING: u8 = 8;

/// Part of the pixels that may be off by more: samples at the very edge of a body.
const AT_EDGES: f64 = 0.0005;

fn stored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/chain.png")
}

fn pixels(path: &Path) -> (u32, u32, Vec<u8>) {
    let file = BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width, info.height, pixels)
}

/// Part of the pixels that differ.
fn difference(a: &Path, b: &Path) -> f64 {
    let (a, b) = (pixels(a), pixels(b));
    assert_eq!((a.0, a.1), (b.0, b.1));
    let differs = |(p, q): (&[u8], &[u8])| p.iter().zip(q).any(|(p, q)| p.abs_diff(*q) > ROUNDING);
    let count = a.2.chunks_exact(3).zip(b.2.chunks_exact(3)).filter(|&pair| differs(pair)).count();
    count as f64 / f64::from(a.0 * a.1)
}

#[test]
fn the_picture_of_a_lab_scene_is_the_one_that_was_stored() {
    let folder = Folder::new();
    let made = run(&["demo", "chain", "--triangles", "3000", "--out", folder.path().to_str().unwrap()]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let scene = folder.path().join("scene.toml");
    let draw = |frame: &str| {
        let path = folder.path().join(format!("{frame}.png"));
        let drawn =
            run(&["check", scene.to_str().unwrap(), "--frames", frame, "--png", path.to_str().unwrap()]);
        assert!(drawn.status.code() != Some(2), "{}", stderr(&drawn));
        path
    };
    let last = draw("11");
    if std::env::var_os("IMPINGE_STORE").is_some() {
        std::fs::copy(&last, stored()).unwrap();
    }
    let off = difference(&last, &stored());
    assert!(off <= AT_EDGES, "{:.3} % of the pixels differ from {}", 100.0 * off, stored().display());
    // Frame 10 has the same bodies a little farther apart: this test can tell.
    assert!(difference(&draw("10"), &stored()) > 10.0 * AT_EDGES);
}
