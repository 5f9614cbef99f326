//! Hostile scenes: a `scene.toml`, and tracks that do not fit.

use crate::npy::npy_header;
use crate::testing::{HostileFile, npy};

const MESH: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const BODY: &str = "[[body]]\nname = \"a\"\nmesh = \"mesh.obj\"\n";

pub(super) fn scenes() -> Vec<HostileFile> {
    let texts: Vec<(&str, Vec<u8>, &'static str)> = vec![
        ("empty", Vec::new(), "the scene has no [[body]]"),
        ("not-toml", b"name = \n".to_vec(), "scene.toml: line 1: "),
        ("not-utf8", b"name = \"a\"\n\xff\n".to_vec(), "scene.toml: line 2: is not UTF-8"),
        ("deep", format!("a = {}", "[".repeat(100_000)).into_bytes(), "scene.toml: line 1: "),
        (
            "unknown-field",
            format!("{BODY}colour = 3\n").into_bytes(),
            "scene.toml: line 4: unknown field `colour`",
        ),
        ("no-mesh", b"[[body]]\nname = \"a\"\n".to_vec(), "missing field `mesh`"),
        (
            "wrong-type",
            b"[[body]]\nname = 3\nmesh = \"mesh.obj\"\n".to_vec(),
            "scene.toml: line 2: invalid type",
        ),
        ("same-name", format!("{BODY}{BODY}").into_bytes(), "body 1: the name 'a' is taken"),
        ("empty-name", BODY.replace("\"a\"", "\"\"").into_bytes(), "body 0: the name is empty"),
        ("missing-mesh", BODY.replace("mesh.obj", "none.obj").into_bytes(), "none.obj: cannot be read"),
        ("mesh-is-a-folder", BODY.replace("mesh.obj", ".").into_bytes(), "is not a file"),
        ("mesh-is-a-scene", BODY.replace("mesh.obj", "scene.toml").into_bytes(), "unknown format"),
        ("too-long", vec![b'#'; (crate::MAX_SCENE_BYTES + 1) as usize], "at most 1048576 are read"),
    ];
    let file = |name: &str, files: Vec<(String, Vec<u8>)>, expected| {
        let mesh = ("mesh.obj".into(), MESH.as_bytes().to_vec());
        let files = files.into_iter().chain([mesh]).collect();
        HostileFile { name: format!("scene-{name}"), files, expected }
    };
    let texts = texts
        .into_iter()
        .map(|(name, text, expected)| file(name, vec![("scene.toml".into(), text)], expected));
    let tracks = tracks().into_iter().map(|(name, field, track, expected)| {
        let scene = format!("{BODY}{field} = \"track.npy\"\n").into_bytes();
        file(name, vec![("scene.toml".into(), scene), ("track.npy".into(), track)], expected)
    });
    let two =
        format!("{BODY}positions = \"two.npy\"\n{}poses = \"three.npy\"\n", BODY.replace("\"a\"", "\"b\""));
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let files = vec![
        ("scene.toml".into(), two.into_bytes()),
        ("two.npy".into(), npy(&[2, 3, 3], &[0.0; 18])),
        ("three.npy".into(), npy(&[3, 4, 4], &identity.repeat(3))),
    ];
    let frames = file("frames-differ", files, "body 'a' has 2 frames and body 'b' has 3");
    texts.chain(tracks).chain([frames]).collect()
}

fn header(text: &str) -> Vec<u8> {
    [b"\x93NUMPY\x01\x00".as_slice(), &(text.len() as u16).to_le_bytes(), text.as_bytes()].concat()
}

fn tracks() -> Vec<(&'static str, &'static str, Vec<u8>, &'static str)> {
    let mut not_finite = vec![0.0; 18];
    not_finite[13] = f64::NEG_INFINITY;
    let mut singular = vec![0.0; 32];
    singular[15] = 1.0;
    let huge_header = [b"\x93NUMPY\x02\x00".as_slice(), &[255; 4], b"{}"].concat();
    let with_text = |text| [header(text), vec![0; 72]].concat();
    vec![
        (
            "npy-empty",
            "positions",
            Vec::new(),
            "track.npy: byte 0: expected the mark of a .npy file, found nothing",
        ),
        (
            "npy-not",
            "positions",
            b"PK\x03\x04 zip".to_vec(),
            "track.npy: byte 0: expected the mark of a .npy file",
        ),
        ("npy-cut", "positions", b"\x93NUMPY\x01".to_vec(), "byte 7: the file ends inside the header"),
        (
            "npy-version",
            "positions",
            b"\x93NUMPY\x09\x00\x00\x00".to_vec(),
            "byte 6: .npy version 9 is not supported",
        ),
        ("npy-huge-header", "positions", huge_header, "byte 12: the file ends inside the header"),
        ("npy-no-keys", "positions", header("{}"), "byte 6: the header has no valid 'descr'"),
        (
            "npy-objects",
            "positions",
            with_text("{'descr': '|O', 'fortran_order': False, 'shape': (3, 3)}"),
            "byte 6: expected float32 or float64",
        ),
        (
            "npy-no-order",
            "positions",
            with_text("{'descr': '<f8', 'fortran_order': maybe, 'shape': (1, 3, 3)}"),
            "the header has no valid 'fortran_order'",
        ),
        (
            "npy-no-shape",
            "positions",
            with_text("{'descr': '<f8', 'fortran_order': False, 'shape': (1, -3, 3)}"),
            "the header has no valid 'shape'",
        ),
        (
            "npy-huge",
            "positions",
            npy_header("<f4", &[usize::MAX, usize::MAX, 3]),
            "needs too many bytes, but 0 follow",
        ),
        (
            "npy-short",
            "positions",
            npy(&[1, 3, 3], &[0.0; 8]),
            "byte 128: an array of shape [1, 3, 3] needs 72 bytes, but 64",
        ),
        ("npy-long", "positions", npy(&[1, 3, 3], &[0.0; 10]), "needs 72 bytes, but 80 follow"),
        ("positions-flat", "positions", npy(&[3, 3], &[0.0; 9]), "positions have the shape [3, 3]"),
        ("positions-none", "positions", npy(&[0, 3, 3], &[]), "positions have the shape [0, 3, 3]"),
        (
            "positions-not-finite",
            "positions",
            npy(&[2, 3, 3], &not_finite),
            "frame 1, vertex 1: coordinate y is -inf",
        ),
        (
            "positions-of-another",
            "positions",
            npy(&[1, 2, 3], &[0.0; 6]),
            "body 'a': its positions are of 2 vertices",
        ),
        ("poses-shape", "poses", npy(&[1, 3, 4], &[0.0; 12]), "poses have the shape [1, 3, 4]"),
        ("poses-last-row", "poses", npy(&[2, 4, 4], &singular), "frame 1: pose has the last row"),
    ]
}
