//! Independent readers agree with ours on files that both can read, and read what we write.

use impinge::Mesh;
use impinge_io::testing::samples;
use impinge_io::{Format, ParseOptions, parse_mesh, write_obj};
use std::io::Cursor;

fn bytes(name: &str) -> Vec<u8> {
    samples().into_iter().find(|sample| sample.name == name).unwrap().bytes
}

fn ours(name: &str, format: Format) -> Vec<Mesh> {
    let bodies = parse_mesh(&bytes(name), format, "ours", &ParseOptions::default()).unwrap();
    bodies.into_iter().map(|body| body.mesh).collect()
}

/// Corner positions in single precision, triangle by triangle: no numbering of vertices in it.
fn soup(mesh: &Mesh) -> Vec<[[f32; 3]; 3]> {
    (0..mesh.triangles().len()).map(|triangle| mesh.corners(triangle).map(|p| p.map(|c| c as f32))).collect()
}

fn soup_of(positions: &[[f32; 3]], indices: impl Iterator<Item = usize>) -> Vec<[[f32; 3]; 3]> {
    let corners: Vec<[f32; 3]> = indices.map(|index| positions[index]).collect();
    corners.as_chunks().0.to_vec()
}

/// A bumpy grid in double precision.
fn grid() -> Mesh {
    let n = 20u32;
    let point = |i: u32| [f64::from(i % n) * 0.1, f64::from(i / n) / 3.0, (f64::from(i) * 0.7).sin()];
    let cell = |i: u32| [[i, i + 1, i + n], [i + 1, i + n + 1, i + n]];
    let triangles = (0..n * (n - 1)).filter(|i| i % n != n - 1).flat_map(cell).collect();
    Mesh::new((0..n * n).map(point).collect::<Vec<_>>(), triangles).unwrap()
}

fn tobj_soup(bytes: &[u8]) -> Vec<[[f32; 3]; 3]> {
    let options = tobj::LoadOptions { triangulate: true, single_index: false, ..Default::default() };
    let (models, _) =
        tobj::load_obj_buf(&mut Cursor::new(bytes), &options, |_| Err(tobj::LoadError::OpenFileFailed))
            .unwrap();
    let soup = |model: tobj::Model| {
        let positions: Vec<[f32; 3]> = model.mesh.positions.as_chunks().0.to_vec();
        soup_of(&positions, model.mesh.indices.iter().map(|&index| index as usize))
    };
    models.into_iter().flat_map(soup).collect()
}

#[test]
fn tobj_reads_the_obj_we_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grid.obj");
    write_obj(&path, [("grid", &grid())]).unwrap();
    assert_eq!(tobj_soup(&std::fs::read(&path).unwrap()), soup(&grid()));
}

#[test]
fn stl_io_reads_the_same_binary_stl() {
    let theirs = stl_io::read_stl(&mut Cursor::new(bytes("binary.stl"))).unwrap();
    let positions: Vec<[f32; 3]> = theirs.vertices.iter().map(|v| [v[0], v[1], v[2]]).collect();
    let theirs = soup_of(&positions, theirs.faces.iter().flat_map(|face| face.vertices));
    assert_eq!(soup(&ours("binary.stl", Format::Stl)[0]), theirs);
}

#[test]
fn gltf_reads_the_same_glb() {
    let file = bytes("triangle.glb");
    let theirs = gltf::Gltf::from_slice(&file).unwrap();
    let blob = theirs.blob.clone().unwrap();
    let primitive = theirs.meshes().next().unwrap().primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let positions: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let indices = reader.read_indices().unwrap().into_u32().map(|index| index as usize);
    assert_eq!(soup(&ours("triangle.glb", Format::Gltf)[0]), soup_of(&positions, indices));
}

#[test]
fn gltf_agrees_about_the_place_of_nodes() {
    // Its matrices are in single precision.
    let theirs = gltf::Gltf::from_slice_without_validation(&bytes("rich.gltf")).unwrap();
    let parent = theirs.nodes().next().unwrap();
    let child = parent.children().next().unwrap();
    let apply = |m: [[f32; 4]; 4], p: [f32; 3]| {
        [0, 1, 2].map(|row| (0..3).map(|column| m[column][row] * p[column]).sum::<f32>() + m[3][row])
    };
    let mesh = &ours("rich.gltf", Format::Gltf)[0];
    for (vertex, point) in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into_iter().enumerate() {
        let theirs = apply(parent.transform().matrix(), apply(child.transform().matrix(), point));
        let ours = mesh.positions().get(vertex);
        assert!(ours.iter().zip(theirs).all(|(a, b)| (a - f64::from(b)).abs() < 1e-6), "{ours:?} {theirs:?}");
    }
}
