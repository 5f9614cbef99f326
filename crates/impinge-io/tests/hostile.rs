//! Every hostile file is refused in one line that names the file and the place; no file of any kind, however
//! cut or damaged, makes a reader panic.

use impinge_io::testing::{Kind, Sample, hostile_files, samples};
use impinge_io::{ParseOptions, load, parse_mesh, parse_poses, parse_positions, parse_scene};

#[test]
fn every_hostile_file_gives_one_line_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for file in hostile_files() {
        let path = file.write(folder.path()).unwrap();
        let message = match load(std::slice::from_ref(&path)) {
            Ok(scene) => format!("was read: {} bodies", scene.bodies().len()),
            Err(error) => error.to_string(),
        };
        let one_line = !message.contains(char::is_control) && message.chars().count() < 600;
        if !message.contains(file.expected) || !message.contains(&file.name) || !one_line {
            wrong.push(format!("{}: expected '{}', got: {message}", file.name, file.expected));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_are_many_hostile_files_of_every_format() {
    let files = hostile_files();
    let mut names: Vec<_> = files.iter().map(|file| &file.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), files.len(), "two hostile files share a name");
    assert!(files.len() >= 80, "{}", files.len());
    for extension in ["obj-", "stl-", "ply-", "off-", "glb-", "gltf-", "scene-"] {
        assert!(files.iter().filter(|file| file.name.starts_with(extension)).count() >= 10, "{extension}");
    }
}

fn read(sample: &Sample, bytes: &[u8]) -> Result<(), String> {
    let options = ParseOptions { instanced_triangles: 1000, ..ParseOptions::default() };
    let result = match sample.kind {
        Kind::Mesh(format) => parse_mesh(bytes, format, "sample", &options).map(|_| ()),
        Kind::Positions => parse_positions(bytes).map(|_| ()),
        Kind::Poses => parse_poses(bytes).map(|_| ()),
        Kind::Scene => parse_scene(bytes).map(|_| ()),
    };
    result.map_err(|error| error.to_string())
}

#[test]
fn every_sample_is_read() {
    for sample in samples() {
        assert_eq!(read(&sample, &sample.bytes), Ok(()), "{}", sample.name);
    }
}

#[test]
fn no_prefix_of_a_file_makes_a_reader_panic() {
    for sample in samples() {
        let results: Vec<_> =
            (0..sample.bytes.len()).map(|length| read(&sample, &sample.bytes[..length])).collect();
        // An OBJ or a scene may end after any face or body; every other format says how much there is.
        let open_ended = [".obj", ".toml"].iter().any(|extension| sample.name.ends_with(extension));
        let enough = if open_ended { 10 } else { results.len() / 2 };
        assert!(results[..enough].iter().all(Result::is_err), "{}: too little is enough", sample.name);
        assert!(
            results.iter().filter_map(|r| r.as_ref().err()).all(|e| !e.contains('\n')),
            "{}",
            sample.name
        );
    }
}

#[test]
fn no_damaged_byte_makes_a_reader_panic() {
    for sample in samples() {
        for at in 0..sample.bytes.len() {
            for value in
                [0, b'\n', b' ', b'-', b'9', b'#', 0x7f, 0xff, sample.bytes[at] ^ 1, sample.bytes[at] ^ 0x80]
            {
                let mut bytes = sample.bytes.clone();
                bytes[at] = value;
                let _ = read(&sample, &bytes);
            }
        }
    }
}

#[test]
fn a_missing_file_a_folder_and_an_unknown_format_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &std::path::Path| load(&[path.to_path_buf()]).unwrap_err().to_string();
    let missing = folder.path().join("missing.obj");
    assert!(message(&missing).starts_with(&format!("{}: cannot be read: ", missing.display())));
    assert_eq!(message(folder.path()), format!("{}: is not a file", folder.path().display()));
    let unknown = folder.path().join("notes.txt");
    std::fs::write(&unknown, "hello").unwrap();
    assert!(
        message(&unknown).contains("notes.txt: unknown format; OBJ, STL, PLY, OFF, glTF and GLB are known")
    );
    assert_eq!(load(&[]).unwrap_err().to_string(), "no files were given");
}

/// Files that would take minutes if any step were quadratic.
#[test]
fn time_grows_with_the_size_of_the_file() {
    use impinge_io::Format;
    let many = 50_000;
    let gltf = |rest: String| format!("{{\"asset\":{{\"version\":\"2.0\"}},{rest}}}").into_bytes();
    let primitives = vec![r#"{"attributes":{"POSITION":0},"indices":1,"mode":5}"#; many].join(",");
    let base64 = "A".repeat(16 * many);
    let document = gltf(format!(
        "\"meshes\":[{{\"primitives\":[{primitives}]}}],\"accessors\":[\
         {{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}},\
         {{\"bufferView\":0,\"componentType\":5121,\"count\":2,\"type\":\"SCALAR\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":{length}}}],\
         \"buffers\":[{{\"byteLength\":{length},\"uri\":\"data:;base64,{base64}\"}}]",
        length = 12 * many
    ));
    let started = std::time::Instant::now();
    for (format, bytes) in [
        (Format::Obj, b"\n".repeat(20 * many)),
        (Format::Obj, b"\\\n".repeat(20 * many)),
        (Format::Obj, b"o\n".repeat(10 * many)),
        (Format::Off, b"#\n".repeat(20 * many)),
        (Format::Stl, [b"solid".as_slice(), &b"\n".repeat(20 * many)].concat()),
        (Format::Ply, [b"ply\n".as_slice(), &b"\n".repeat(20 * many)].concat()),
        (Format::Gltf, document),
    ] {
        assert!(parse_mesh(&bytes, format, "slow", &ParseOptions::default()).is_err(), "{format:?}");
    }
    // A tenth of a second. Looking up a buffer by its URI took half a minute, looking for a comment
    // across lines more than six.
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}
