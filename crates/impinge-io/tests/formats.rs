//! What each reader makes of small literal files.

use impinge::{Mesh, Positions};
use impinge_io::testing::{Kind, samples};
use impinge_io::{Format, NamedMesh, ParseOptions, load, load_mesh_file, parse_mesh, write_obj, write_ply};

fn parse(format: Format, bytes: impl AsRef<[u8]>) -> Vec<NamedMesh> {
    parse_mesh(bytes.as_ref(), format, "hint", &ParseOptions::default()).unwrap()
}

fn sample(name: &str) -> Vec<NamedMesh> {
    let sample = samples().into_iter().find(|sample| sample.name == name).unwrap();
    let Kind::Mesh(format) = sample.kind else { panic!("{name} is no mesh") };
    parse(format, sample.bytes)
}

fn points(mesh: &Mesh) -> Vec<[f64; 3]> {
    mesh.positions().iter().collect()
}

#[test]
fn obj_keeps_its_numbering_and_every_digit() {
    let bodies = sample("square.obj");
    assert_eq!(bodies.len(), 1, "groups do not split");
    assert_eq!(bodies[0].name, "hint");
    assert_eq!(
        points(&bodies[0].mesh),
        [[0.1, 0.0, 0.0], [1.0, 0.0, -0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.05]]
    );
    assert_eq!(bodies[0].mesh.triangles(), [[0, 1, 2], [0, 2, 3], [0, 1, 3]]);
    let unused = parse(Format::Obj, "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\no one\nf 2 3 4\n");
    assert_eq!((unused[0].name.as_str(), unused[0].mesh.positions().len()), ("one", 4));
}

#[test]
fn obj_objects_become_bodies_with_their_own_vertices() {
    let bodies = sample("objects.obj");
    assert_eq!(bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>(), ["left wing", "dart"]);
    assert_eq!(bodies[0].mesh.positions().len(), 3);
    assert_eq!(bodies[1].mesh.positions().len(), 6, "one of the vertices of the wing is used by neither");
    // The dart's reflex corner is its third: a fan from the first would leave the dart.
    assert_eq!(bodies[1].mesh.triangles().len(), 3);
    assert!(bodies[1].mesh.triangles()[..2].iter().all(|triangle| triangle.contains(&4)));
}

#[test]
fn obj_as_one_body_keeps_the_numbering_of_the_file() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\no b\nf 4 3 2\no a\nf 1 2 3\n";
    let options = ParseOptions { one_body: true, ..ParseOptions::default() };
    let bodies = parse_mesh(text.as_bytes(), Format::Obj, "both", &options).unwrap();
    assert_eq!((bodies.len(), bodies[0].name.as_str()), (1, "both"));
    assert_eq!(bodies[0].mesh.triangles(), [[3, 2, 1], [0, 1, 2]]);
}

#[test]
fn obj_faces_may_precede_their_vertices() {
    let bodies = parse(Format::Obj, "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    assert_eq!(bodies[0].mesh.triangles(), [[0, 1, 2]]);
}

#[test]
fn obj_comments_do_not_continue() {
    let bodies = parse(Format::Obj, "# C:\\models\\\nv 0 0 0\nf 1 1 1\n");
    assert_eq!(bodies[0].mesh.positions().len(), 1);
}

#[test]
fn stl_is_welded_and_its_solids_are_bodies() {
    let bodies = sample("ascii.stl");
    assert_eq!(bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>(), ["first part", "hint"]);
    assert_eq!(bodies[0].mesh.triangles(), [[0, 1, 2], [1, 3, 2]]);
    assert_eq!(bodies[0].mesh.positions().get(3), [1.0, 1.0, 0.1]);
    let bodies = sample("binary.stl");
    assert_eq!(bodies[0].mesh.triangles(), [[0, 1, 2], [1, 3, 2]]);
    assert!(matches!(bodies[0].mesh.positions(), Positions::F32(points) if points.len() == 4));
}

#[test]
fn ply_keeps_the_width_of_its_coordinates() {
    let mesh = &sample("ascii.ply")[0].mesh;
    assert_eq!(mesh.positions().get(0), [0.1, 0.0, 0.0]);
    assert_eq!(mesh.positions().get(1), [1.0, f64::from(0.1f32), 0.0], "a float is rounded once, to float");
    assert_eq!(mesh.triangles(), [[0, 1, 4], [3, 2, 1], [3, 1, 0]]);
    let strips = &sample("strips.ply")[0].mesh;
    assert!(matches!(strips.positions(), Positions::F32(_)));
    assert_eq!(strips.triangles(), [[0, 1, 2], [2, 1, 3], [3, 4, 5]]);
}

#[test]
fn ply_is_the_same_in_either_byte_order() {
    let (little, big) = (sample("little.ply"), sample("big.ply"));
    assert_eq!(little[0].mesh.positions(), big[0].mesh.positions());
    assert_eq!(little[0].mesh.triangles(), [[0, 1, 2], [0, 1, 2], [0, 2, 3]]);
    assert_eq!(big[0].mesh.triangles(), little[0].mesh.triangles());
    assert_eq!(points(&big[0].mesh)[0], [0.1, 0.0, 0.0]);
}

#[test]
fn off_takes_colours_normals_and_comments() {
    let plain = &sample("plain.off")[0].mesh;
    assert_eq!(plain.triangles(), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(plain.positions().get(3), [0.0, 1.0, 0.1]);
    let colours = &sample("colours.off")[0].mesh;
    assert_eq!(colours.triangles(), [[0, 1, 2], [0, 2, 3]]);
    let bare = parse(Format::Off, "3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2");
    assert_eq!(bare[0].mesh.triangles(), [[0, 1, 2]]);
}

#[test]
fn glb_without_transforms_stays_single_precision() {
    let mesh = &sample("triangle.glb")[0].mesh;
    assert!(matches!(mesh.positions(), Positions::F32(_)));
    assert_eq!(points(mesh), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(mesh.triangles(), [[0, 1, 2]]);
}

#[test]
fn gltf_places_every_instance() {
    let bodies = sample("rich.gltf");
    assert_eq!(
        bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>(),
        ["left", "right", "ribbon", "hint"]
    );
    // The parent turns x to y and moves by 5; "left" is mirrored in z, so its corners turn the other way.
    let close = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    for body in &bodies[..2] {
        assert!(close(body.mesh.positions().get(1), [5.0, 1.0, 0.0]), "{:?}", body.mesh.positions());
        assert!(close(body.mesh.positions().get(2), [4.0, 0.0, 0.0]));
    }
    assert_eq!(bodies[0].mesh.triangles(), [[0, 2, 1]]);
    assert_eq!(bodies[1].mesh.triangles(), [[0, 1, 2]]);
    // Strip and fan over the same four quantized points, moved up by 2.
    assert_eq!(bodies[2].mesh.triangles(), [[0, 1, 2], [2, 1, 3], [0, 1, 2], [0, 2, 3]]);
    assert_eq!(points(&bodies[2].mesh), [[0.0, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0], [1.0, 1.0, 2.0]]);
    // Zeros with two of them replaced.
    assert_eq!(points(&bodies[3].mesh), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert!(matches!(bodies[3].mesh.positions(), Positions::F32(_)));
}

#[test]
fn gltf_reads_a_buffer_beside_it_and_a_long_chain_of_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let triangle: Vec<u8> = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
        .as_flattened()
        .iter()
        .flat_map(|c| c.to_le_bytes())
        .collect();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/tri angle.bin"), triangle).unwrap();
    let depth = 100_000;
    let chain: Vec<String> =
        (1..=depth).map(|child| format!("{{\"children\":[{child}],\"translation\":[1,0,0]}},")).collect();
    let chain = chain.concat();
    let json = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{chain}{{\"mesh\":0}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":36}}],\
         \"buffers\":[{{\"byteLength\":36,\"uri\":\"data/tri%20angle.bin\"}}]}}"
    );
    let path = folder.path().join("chain.gltf");
    std::fs::write(&path, json).unwrap();
    let bodies = load_mesh_file(&path).unwrap();
    assert_eq!(bodies[0].name, "chain");
    assert_eq!(bodies[0].mesh.positions().get(1), [1.0 + f64::from(depth), 0.0, 0.0]);
}

#[test]
fn the_content_counts_where_the_extension_lies() {
    let folder = tempfile::tempdir().unwrap();
    for (sample, name) in [
        ("binary.stl", "part.obj"),
        ("little.ply", "scan.stl"),
        ("triangle.glb", "model"),
        ("square.obj", "mesh.txt"),
    ] {
        let bytes = samples().into_iter().find(|s| s.name == sample).unwrap().bytes;
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(load_mesh_file(&path).unwrap().len(), 1, "{name}");
    }
}

#[test]
fn bodies_are_named_after_objects_or_files_and_never_alike() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, sample: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, samples().into_iter().find(|s| s.name == sample).unwrap().bytes).unwrap();
        path
    };
    let paths =
        [write("dart.obj", "square.obj"), write("all.obj", "objects.obj"), write("dart.stl", "binary.stl")];
    let scene = load(&paths).unwrap();
    let names: Vec<&str> = scene.bodies().iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["dart", "left wing", "dart-2", "dart-3"]);
    assert_eq!(scene.frames(), 1);
}

#[test]
fn what_is_written_is_read_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let triangles = vec![[0, 1, 2], [2, 1, 3], [0, 0, 3]];
    let narrow = vec![[0.1f32, -0.0, 1e-45], [f32::MAX, 1.0 / 3.0, 0.0], [2.0, 3.0, 4.0], [-1.5, 0.0, 1e-10]];
    let wide: Vec<[f64; 3]> =
        vec![[0.1, -0.0, 5e-324], [f64::MAX, 1.0 / 3.0, 0.0], [2.0, 3.0, 4.0], [-1.5, 0.0, 1e-300]];
    for mesh in [Mesh::new(narrow, triangles.clone()).unwrap(), Mesh::new(wide, triangles).unwrap()] {
        let ply = folder.path().join("mesh.ply");
        write_ply(&ply, &mesh).unwrap();
        let read = &load_mesh_file(&ply).unwrap()[0].mesh;
        assert_eq!((read.positions(), read.triangles()), (mesh.positions(), mesh.triangles()));

        let obj = folder.path().join("mesh.obj");
        write_obj(&obj, [("first", &mesh), ("second\nline", &mesh)]).unwrap();
        let read = load_mesh_file(&obj).unwrap();
        assert_eq!(read[1].name, "second line");
        for body in &read {
            assert_eq!(body.mesh.triangles(), mesh.triangles());
            assert!(body.mesh.positions().iter().eq(mesh.positions().iter()));
        }
    }
}
