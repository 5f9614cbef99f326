//! The built program, run on files that a test writes.

#![allow(dead_code, reason = "every test file uses its own part")]

use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) fn impinge() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impinge"));
    command.env_remove("CARGO");
    // Mesa's Vulkan layer that asks the desktop for a GPU writes to standard error where there is no desktop.
    command.env("NODEVICE_SELECT", "1");
    command
}

pub(crate) fn run(args: &[&str]) -> Output {
    impinge().args(args).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What was said on standard error, but for how far the work was.
pub(crate) fn stderr(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    text.split_inclusive('\n').filter(|line| !is_progress(line.trim_end())).collect()
}

/// `checking: 7 of 24, 3 s`, or `reading: 3 s`.
pub(crate) fn is_progress(line: &str) -> bool {
    let number = |text: &str| text.parse::<u64>().is_ok();
    let Some((what, rest)) = line.split_once(": ") else { return false };
    let (steps, time) = rest.split_once(", ").map_or((None, rest), |(steps, time)| (Some(steps), time));
    let steps = steps
        .is_none_or(|steps| steps.split_once(" of ").is_some_and(|(done, of)| number(done) && number(of)));
    what.chars().all(|c| c.is_ascii_lowercase() || c == ' ')
        && steps
        && time.strip_suffix(" s").is_some_and(number)
}

pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}{}", stdout(output), stderr(output)))
}

/// A body as JSON refers to it.
pub(crate) fn body(index: usize, name: &str) -> Value {
    serde_json::json!({"index": index, "name": name})
}

/// The error line, after checking that it is the only one.
pub(crate) fn refused(mut command: Command) -> String {
    let output = command.output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(output.stdout.is_empty(), "{}", stdout(&output));
    text
}

pub(crate) fn refused_args(args: &[&str]) -> String {
    let mut command = impinge();
    command.args(args);
    refused(command)
}

/// Whether tests that need a GPU, or a driver that plays one, are left out. Without a word from the user a missing one
/// is a failure.
pub(crate) fn without_gpu() -> bool {
    let without = std::env::var_os("IMPINGE_NO_GPU").is_some_and(|value| !value.is_empty());
    if without {
        println!("skipped: IMPINGE_NO_GPU is set");
    }
    without
}

/// A folder of a test's own.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and returns its path as an argument.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn box_file(&self, name: &str, low: [f64; 3], high: [f64; 3]) -> String {
        self.file(name, box_obj(low, high))
    }
}

/// A closed box of twelve triangles. The two of the face at the highest x meet along y = z when the face is square.
pub(crate) fn box_obj(low: [f64; 3], high: [f64; 3]) -> String {
    let mut text = String::new();
    for corner in 0..8 {
        let c: [f64; 3] =
            std::array::from_fn(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] });
        writeln!(text, "v {} {} {}", c[0], c[1], c[2]).unwrap();
    }
    // Corner numbers, less the one that OBJ counts from, have bit 0 for x, bit 1 for y, bit 2 for z.
    for [a, b, c, d] in [[1, 5, 7, 3], [2, 4, 8, 6], [1, 2, 6, 5], [3, 7, 8, 4], [1, 3, 4, 2], [5, 6, 8, 7]] {
        writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
    }
    text
}

/// The same box without its face at the lowest x.
pub(crate) fn open_box_obj(low: [f64; 3], high: [f64; 3]) -> String {
    let text = box_obj(low, high);
    let faces = text.find("f ").unwrap();
    let kept: Vec<&str> = text[faces..].lines().skip(2).collect();
    format!("{}{}\n", &text[..faces], kept.join("\n"))
}

/// The same box, every triangle with corners of its own: closed as soon as they are merged.
pub(crate) fn soup_obj(low: [f64; 3], high: [f64; 3]) -> String {
    let text = box_obj(low, high);
    let vertices: Vec<&str> = text.lines().filter(|line| line.starts_with('v')).collect();
    let mut soup = String::new();
    for face in text.lines().filter_map(|line| line.strip_prefix("f ")) {
        for corner in face.split(' ') {
            writeln!(soup, "{}", vertices[corner.parse::<usize>().unwrap() - 1]).unwrap();
        }
        soup.push_str("f -3 -2 -1\n");
    }
    soup
}

/// Two boxes: `b` pokes through the middle of the face x = 1 of `a`.
///
/// At x = 1 the four side faces of `b` cut out a square; each side of it is halved by the diagonal of its face,
/// and has one end on the diagonal of the face of `a`. So of the eight halves four touch both triangles of `a`
/// and four touch one: twelve contacts.
pub(crate) fn poking_boxes(folder: &Folder) -> [String; 2] {
    [
        folder.box_file("a.obj", [0.0; 3], [1.0; 3]),
        folder.box_file("b.obj", [0.5, 0.25, 0.25], [1.5, 0.75, 0.75]),
    ]
}

/// Contacts of [`poking_boxes`].
pub(crate) const POKING: u64 = 12;

/// Two boxes apart.
pub(crate) fn distant_boxes(folder: &Folder) -> [String; 2] {
    [folder.box_file("a.obj", [0.0; 3], [1.0; 3]), folder.box_file("b.obj", [5.0; 3], [6.0; 3])]
}

/// A `.npy` file of doubles.
pub(crate) fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// A scene of `frames` frames in which box `b` stands off, except that it pokes into `a` in the odd ones.
pub(crate) fn moving_boxes(folder: &Folder, frames: usize) -> String {
    poking_boxes(folder);
    let mut poses = Vec::new();
    for frame in 0..frames {
        let x = if frame % 2 == 1 { 0.0 } else { 10.0 };
        poses.extend([1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }
    folder.file("b_poses.npy", npy(&format!("({frames}, 4, 4)"), &poses));
    folder.file(
        "scene.toml",
        "name = \"moving\"\n[[body]]\nname = \"wall\"\nmesh = \"a.obj\"\n\
         [[body]]\nname = \"ram\"\nmesh = \"b.obj\"\nposes = \"b_poses.npy\"\n",
    )
}
