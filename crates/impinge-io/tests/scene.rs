//! Scenes of several bodies and frames, written and read back.

use impinge::{Mesh, Pose};
use impinge_io::{
    FrameError, FramePositions, PositionsTrack, SceneBody, SceneFile, TrackError, load, load_scene_file,
    parse_positions, write_poses, write_positions, write_scene,
};

fn triangle() -> Mesh {
    Mesh::new(vec![[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap()
}

/// Vertex `v` of frame `f` at (f, v, 0).
fn track(frames: usize) -> PositionsTrack {
    let points = (0..frames * 3).map(|i| [(i / 3) as f32, (i % 3) as f32, 0.0]).collect();
    PositionsTrack::from_f32(3, points).unwrap()
}

fn poses(frames: usize) -> Vec<Pose> {
    (0..frames).map(|frame| Pose::from_translation([0.0, 0.0, 0.1 * frame as f64]).unwrap()).collect()
}

fn body(name: &str, positions: Option<PositionsTrack>, poses: Option<Vec<Pose>>) -> SceneBody {
    SceneBody { positions, poses, ..SceneBody::fixed(name, triangle()) }
}

#[test]
fn a_scene_is_read_back_as_it_was_written() {
    let bodies = vec![
        SceneBody { self_collision: true, ..body("Cloth/1", Some(track(4)), None) },
        body("cloth\\1", None, Some(poses(4))),
        body("both \"moving\"", Some(track(4)), Some(poses(1))),
        body("fixed", None, None),
    ];
    let written = SceneFile::new("tëst", bodies).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = write_scene(&folder.path().join("new"), &written).unwrap();
    let read = load(std::slice::from_ref(&path)).unwrap();
    assert_eq!((read.name.as_str(), read.frames(), read.bodies().len()), ("tëst", 4, 4));
    for (a, b) in written.bodies().iter().zip(read.bodies()) {
        assert_eq!(
            (&a.name, &a.positions, &a.poses, a.self_collision),
            (&b.name, &b.positions, &b.poses, b.self_collision)
        );
        assert_eq!((a.mesh.positions(), a.mesh.triangles()), (b.mesh.positions(), b.mesh.triangles()));
    }
    let error = load(&[path.clone(), path]).unwrap_err().to_string();
    assert!(error.contains("a scene is checked on its own"), "{error}");
}

#[test]
fn a_frame_applies_positions_and_then_poses() {
    let file = SceneFile::new(
        "s",
        vec![
            body("a", Some(track(3)), Some(poses(3))),
            body("b", Some(track(1)), None),
            body("c", None, Some(poses(3))),
        ],
    )
    .unwrap();
    let (mut scene, ids) = file.to_scene().unwrap();
    assert_eq!(scene.body(ids[0]).unwrap().world_position(1), [0.0, 1.0, 0.0]);
    scene.set_positions(ids[1], &[[9.0f64; 3]; 3]).unwrap();
    file.apply_frame(&mut scene, &ids, 2).unwrap();
    assert_eq!(scene.body(ids[0]).unwrap().world_position(1), [2.0, 1.0, 0.2]);
    assert_eq!(scene.body(ids[1]).unwrap().world_position(1), [0.0, 1.0, 0.0], "one frame holds for all");
    assert_eq!(scene.body(ids[2]).unwrap().world_position(1), [1.0, 0.0, 0.2]);
    assert_eq!(file.apply_frame(&mut scene, &ids, 3), Err(FrameError::NoSuchFrame { frame: 3, frames: 3 }));
    assert_eq!(
        file.apply_frame(&mut scene, &ids[..1], 0),
        Err(FrameError::WrongBodies { given: 1, expected: 3 })
    );
    file.apply_frame(&mut scene, &ids, 0).unwrap();
    assert_eq!(scene.body(ids[0]).unwrap().world_position(1), [0.0, 1.0, 0.0]);
}

#[test]
fn tracks_that_do_not_fit_are_named() {
    let error = SceneFile::new("s", vec![body("a", Some(track(2)), None), body("b", None, Some(poses(3)))])
        .unwrap_err();
    assert!(
        matches!(&error, TrackError::Frames { a, a_frames: 2, b, b_frames: 3 } if a == "a" && b == "b"),
        "{error}"
    );
    let error = SceneFile::new("s", vec![body("a", Some(track(2)), Some(poses(3)))]).unwrap_err();
    assert!(matches!(error, TrackError::Frames { .. }), "{error}");
    let one = PositionsTrack::from_f64(1, vec![[0.0; 3]]).unwrap();
    let error = SceneFile::new("s", vec![body("a", Some(one), None)]).unwrap_err();
    assert_eq!(error, TrackError::Vertices { body: "a".into(), given: 1, expected: 3 });
    let error = SceneFile::new("s", vec![body("a", None, Some(Vec::new()))]).unwrap_err();
    assert_eq!(error, TrackError::NoFrames { body: "a".into() });
    assert!(matches!(SceneFile::new("s", Vec::new()), Err(TrackError::NoBodies)));
    assert!(PositionsTrack::from_f32(2, vec![[0.0; 3]; 3]).is_err());
    assert!(PositionsTrack::from_f32(0, Vec::new()).is_err());
}

#[test]
fn a_frame_is_a_slice_of_the_track() {
    let track = track(5);
    let Some(FramePositions::F32(first)) = track.frame(0) else { panic!() };
    let Some(FramePositions::F32(fourth)) = track.frame(4) else { panic!() };
    assert_eq!(first.as_ptr().wrapping_add(12), fourth.as_ptr());
    assert_eq!(fourth, [[4.0, 0.0, 0.0], [4.0, 1.0, 0.0], [4.0, 2.0, 0.0]]);
    assert!(track.frame(5).is_none());
}

#[test]
fn positions_are_read_in_fortran_order_and_either_byte_order() {
    let sample =
        impinge_io::testing::samples().into_iter().find(|sample| sample.name == "fortran.npy").unwrap();
    let track = parse_positions(&sample.bytes).unwrap();
    assert_eq!(track.frame(0), Some(FramePositions::F32(&[[0.0, 2.0, 4.0]])));
    assert_eq!(track.frame(1), Some(FramePositions::F32(&[[1.0, 3.0, 5.0]])));
}

#[test]
fn several_objects_of_a_file_are_parts_of_one_body() {
    let folder = tempfile::tempdir().unwrap();
    let sample =
        impinge_io::testing::samples().into_iter().find(|sample| sample.name == "objects.obj").unwrap();
    std::fs::write(folder.path().join("parts.obj"), sample.bytes).unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, "[[body]]\nname = \"whole\"\nmesh = \"parts.obj\"\n").unwrap();
    let file = load_scene_file(&path).unwrap();
    assert_eq!((file.name.as_str(), file.bodies()[0].name.as_str()), ("scene", "whole"));
    assert_eq!(file.bodies()[0].mesh.positions().len(), 7);
    assert_eq!(file.bodies()[0].mesh.triangles().len(), 4);
}

#[test]
fn tracks_are_written_as_numpy_writes_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("track.npy");
    let header = |start: &str| [b"\x93NUMPY\x01\0\x76\0", format!("{start:<117}\n").as_bytes()].concat();
    write_positions(&path, &PositionsTrack::from_f32(1, vec![[1.0, -2.0, 0.5]]).unwrap()).unwrap();
    let expected = header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 3), }");
    assert_eq!(std::fs::read(&path).unwrap(), [&expected[..], b"\0\0\x80\x3f\0\0\0\xc0\0\0\0\x3f"].concat());
    let pose =
        Pose::from_rows([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]).unwrap();
    write_poses(&path, &[pose]).unwrap();
    let written = std::fs::read(&path).unwrap();
    assert_eq!(written[..128], header("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 4, 4), }"));
    let numbers: Vec<f64> =
        written[128..].as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
    assert_eq!(numbers, [1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 0., 0., 0., 1.]);
}
