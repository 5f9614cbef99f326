//! Small valid files that between them use every feature of every reader.

use super::{Kind, Sample, TRIANGLE_JSON, glb, npy, stl, triangle_binary};
use crate::Format;
use crate::npy::npy_header;

/// Valid files of every kind.
pub fn samples() -> Vec<Sample> {
    let mesh = |name, format, bytes: &[u8]| Sample { name, kind: Kind::Mesh(format), bytes: bytes.to_vec() };
    let stl_triangles = [
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [-0.0, 1.0, 0.0]],
    ];
    let mut samples = vec![
        mesh("square.obj", Format::Obj, OBJ),
        mesh("objects.obj", Format::Obj, OBJ_OBJECTS),
        mesh("ascii.stl", Format::Stl, STL),
        mesh("binary.stl", Format::Stl, &stl("solid, yet binary", 2, &stl_triangles)),
        mesh("ascii.ply", Format::Ply, PLY),
        mesh("strips.ply", Format::Ply, PLY_STRIPS),
        mesh("little.ply", Format::Ply, &binary_ply("little", f64::to_le_bytes, u32::to_le_bytes)),
        mesh("big.ply", Format::Ply, &binary_ply("big", f64::to_be_bytes, u32::to_be_bytes)),
        mesh("plain.off", Format::Off, OFF),
        mesh("colours.off", Format::Off, COFF),
        mesh("triangle.glb", Format::Gltf, &glb(TRIANGLE_JSON, &triangle_binary())),
        mesh("rich.gltf", Format::Gltf, rich_gltf().as_bytes()),
    ];
    let positions: Vec<f64> = (0..18).map(f64::from).collect();
    let turn = [0.0, -1.0, 0.0, 5.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 0.0, 0.0, 1.0];
    let mut big_endian = b"\x93NUMPY\x02\x00".to_vec();
    let header = b"{\"descr\": \">f4\", 'fortran_order': True, 'shape': (2, 1, 3)}";
    big_endian.extend((header.len() as u32).to_le_bytes());
    big_endian.extend(header);
    big_endian.extend((0..6).flat_map(|value| (value as f32).to_be_bytes()));
    let mut poses_f32 = npy_header("<f4", &[1, 4, 4]);
    poses_f32.extend(turn.iter().flat_map(|&value| (value as f32).to_le_bytes()));
    samples.extend([
        Sample { name: "positions.npy", kind: Kind::Positions, bytes: npy(&[2, 3, 3], &positions) },
        Sample { name: "fortran.npy", kind: Kind::Positions, bytes: big_endian },
        Sample { name: "poses.npy", kind: Kind::Poses, bytes: npy(&[1, 4, 4], &turn) },
        Sample { name: "poses_f32.npy", kind: Kind::Poses, bytes: poses_f32 },
        Sample { name: "scene.toml", kind: Kind::Scene, bytes: SCENE.to_vec() },
    ]);
    samples
}

const OBJ: &[u8] = b"# a quad and a triangle, CRLF, every form of corner\r\nmtllib looks.mtl\r\ng group\r\n\
v 0.1 0 0\r\nv 1 0 -0.0 1.0\r\nv 1e0 \\\r\n1 0\r\nv 0 1. .5e-1\t0.2 0.3 0.4\r\nvt 0 0\r\nvn 0 0 1\r\ng other\r\n\
s off\r\nf 1/1/1 2//1 3/1 \\\r\n 4 # quad\r\nusemtl red\r\nf -4 -3 -1";

const OBJ_OBJECTS: &[u8] =
    b"v 0 0 0\nv 1 0 0\nv 0 1 0\no left wing\nf 1 2 3\no nothing\no dart\nv 0 0 1\nv 4 -2 1\n\
v 1 0 1\nv 4 2 1\nf 4 5 6 7\nf 1 2 4\n";

const STL: &[u8] = b"solid first part\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n\
   vertex 0 1e0 0\n  endloop\n endfacet\n facet normal nan nan nan\n  outer loop\n   vertex 1 0 0\n\
   vertex 1 1 .1\n   vertex -0.0 1 0\n  endloop\n endfacet\nendsolid first part\n\
SOLID\nFACET NORMAL 0 0 1 OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0 VERTEX 0 1 0 ENDLOOP ENDFACET\nENDSOLID\n";

const PLY: &[u8] = b"ply\r\nformat ascii 1.0\r\ncomment a pyramid's side and base\r\nobj_info none\r\n\
element vertex 5\r\nproperty uchar red\r\nproperty double x\r\nproperty float y\r\nproperty int z\r\n\
property list uchar float weights\r\nelement edge 1\r\nproperty int vertex1\r\nproperty int vertex2\r\n\
element face 2\r\nproperty uchar flags\r\nproperty list uchar int vertex_index\r\nelement nothing 7\r\nend_header\r\n\
9 0.1 0 0 0\r\n9 1 0.1 0 1 .5\r\n9 1 1 0 0\r\n9 0 1 0 2 1 2\r\n9 .5 .5 1 0\r\n0 1\r\n1 3 0 1 4\r\n1 4 3 2 1 0\r\n";

const PLY_STRIPS: &[u8] =
    b"ply\nformat ascii 1.0\nelement tristrips 1\nproperty list int int vertex_indices\n\
element vertex 6\nproperty float x\nproperty float y\nproperty float z\nend_header\n\
8 0 1 2 3 -1 3 4 5\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 1 0\n1 2 0\n";

const OFF: &[u8] =
    b"OFF\n# a comment\n4 2 0\n\n0 0 0\n1 0 0 # here too\n1 1 0\n0 1 0.1\n3 0 1 2\n3 0 2 3 255 0 0\n";

const COFF: &[u8] =
    b"STCNOFF 4 1 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0 0 0 1 1 1 1 1 0 0\n1 1 0 0 0 1 1 1 1 1 0 0\n\
0 1 0 0 0 1 1 1 1 1 0 0\n4 0 1 2 3\n";

const SCENE: &[u8] =
    b"name = \"two\"\n[[body]]\nname = \"cloth\"\nmesh = \"cloth.ply\"\npositions = \"cloth.npy\"\n\
self_collision = true\n[[body]]\nname = \"ball\"\nmesh = \"ball.obj\"\nposes = \"ball.npy\"\n";

fn binary_ply(order: &str, real: fn(f64) -> [u8; 8], integer: fn(u32) -> [u8; 4]) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 4\nproperty double x\nproperty double y\n\
         property double z\nproperty uchar red\nelement face 2\nproperty list uchar uint vertex_indices\n\
         property list uchar double extra\nend_header\n"
    )
    .into_bytes();
    for point in [[0.1, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]] {
        bytes.extend(point.into_iter().flat_map(real));
        bytes.push(200);
    }
    for face in [&[0, 1, 2][..], &[0, 1, 2, 3]] {
        bytes.push(face.len() as u8);
        bytes.extend(face.iter().flat_map(|&corner| integer(corner)));
        bytes.push(1);
        bytes.extend(real(0.5));
    }
    bytes
}

/// Two instances of a mesh under a turned parent, a strip, a fan, quantized positions, a sparse accessor.
fn rich_gltf() -> String {
    concat!(
        r#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_mesh_quantization","KHR_materials_unlit"],"#,
        r#""nodes":[{"children":[1,2],"rotation":[0,0,0.70710678,0.70710678],"translation":[5,0,0]},"#,
        r#"{"mesh":0,"name":"left","scale":[1,1,-1]},{"mesh":0,"name":"right"},{"mesh":1,"#,
        r#""matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,2,1]},{"mesh":2}],"#,
        r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}},{"attributes":{"POSITION":0},"mode":0}]},"#,
        r#"{"name":"ribbon","primitives":[{"attributes":{"POSITION":1},"indices":2,"mode":5},"#,
        r#"{"attributes":{"POSITION":1},"indices":2,"mode":6}]},"#,
        r#"{"primitives":[{"attributes":{"POSITION":3}}]}],"#,
        r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},"#,
        r#"{"bufferView":1,"componentType":5121,"normalized":true,"count":4,"type":"VEC3"},"#,
        r#"{"bufferView":2,"componentType":5121,"count":4,"type":"SCALAR"},"#,
        r#"{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":2,"#,
        r#""indices":{"bufferView":2,"byteOffset":1,"componentType":5121},"values":{"bufferView":0,"byteOffset":12}}}],"#,
        r#""bufferViews":[{"buffer":0,"byteLength":36},{"buffer":1,"byteLength":15,"byteStride":4},"#,
        r#"{"buffer":1,"byteOffset":16,"byteLength":4}],"#,
        r#""buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,"#,
        // (0,0,0) (1,0,0) (0,1,0) as f32
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA",
        r#""},{"byteLength":20,"uri":"data:application/gltf-buffer;base64,"#,
        // (0,0,0) (255,0,0) (0,255,0) (255,255,0) as u8 with a stride of 4, then 0 1 2 3
        "AAAAAP8AAAAA/wAA//8AAAABAgM=",
        r#""}]}"#
    )
    .into()
}
