//! Hostile binary files, and those whose header is text: STL, PLY.

use super::Case;
use crate::testing::stl as stl_bytes;

pub(super) fn stl() -> Vec<Case> {
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut infinite = triangle;
    infinite[1][2] = f32::INFINITY;
    let case = |name, bytes, expected| (name, "stl", bytes, expected);
    vec![
        case("empty", Vec::new(), "byte 0: the file ends inside the header of a binary STL"),
        case("short", vec![7; 83], "the file ends inside the header of a binary STL"),
        case("no-triangles", stl_bytes("", 0, &[]), "byte 80: no triangles"),
        case("huge-count", stl_bytes("", u32::MAX, &[triangle]), "byte 80: claims 4294967295 triangles"),
        case(
            "one-too-many",
            stl_bytes("", 2, &[triangle]),
            "byte 80: claims 2 triangles, but the file has room for",
        ),
        case("count-zero", stl_bytes("", 0, &[triangle]), "byte 80: claims 0 triangles, but 1 follow"),
        case("infinite", stl_bytes("solid", 1, &[infinite]), "byte 108: coordinate z is inf"),
        case("zeros-after-solid", stl_bytes("solid", 9, &[triangle]), "byte 80: claims 9 triangles"),
    ]
}

/// A header of the usual elements with other counts, then data.
fn header(format: &str, vertices: &str, faces: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    )
}

pub(super) fn ply() -> Vec<Case> {
    let ascii = |vertices, faces, data: &str| (header("ascii", vertices, faces) + data).into_bytes();
    let binary = |vertices, faces, data: &[u8]| {
        [header("binary_little_endian", vertices, faces).as_bytes(), data].concat()
    };
    let raw = |text: &str| text.as_bytes().to_vec();
    let vertex = |x: f32| [x.to_le_bytes(), [0; 4], [0; 4]].concat();
    let face = |corners: [i32; 3]| [&[3][..], corners.map(i32::to_le_bytes).as_flattened()].concat();
    let replaced = |from: &str, to: &str| header("ascii", "1", "1").replace(from, to) + "0 0 0\n3 0 0 0\n";
    let case = |name, bytes, expected| (name, "ply", bytes, expected);
    vec![
        case("empty", raw(""), "line 1: the file ends inside the header"),
        case("not-ply", raw("plx\nformat ascii 1.0\n"), "line 1: expected 'ply', found 'plx'"),
        case("header-cut", raw("ply\nformat ascii 1.0\nelement vertex 3\n"), "line 4: the file ends inside the header"),
        case("no-format", raw("ply\nelement vertex 0\nend_header\n"), "line 3: the header has no 'format' line"),
        case("format-unknown", raw(&replaced("ascii", "utf16")), "line 2: expected 'ascii', 'binary_little_endian'"),
        case("version-unknown", raw(&replaced("1.0", "2.0")), "line 2: expected version '1.0', found '2.0'"),
        case("type-unknown", raw(&replaced("float y", "real y")), "line 5: expected a type such as"),
        case("list-length-float", raw(&replaced("list uchar", "list float")), "line 8: expected an integer type"),
        case("list-of-floats", raw(&replaced("uchar int", "uchar float")), "has no integer list 'vertex_indices'"),
        case("property-first", raw("ply\nproperty float x\n"), "line 2: a property before the first element"),
        case("line-unknown", raw("ply\nformat ascii 1.0\nproprety x\n"), "line 3: expected a line of a PLY header"),
        case("no-z", raw(&replaced("float z", "float w")), "line 3: the element 'vertex' has no number 'z'"),
        case("z-is-a-list", raw(&replaced("float z", "list uchar float z")), "the element 'vertex' has no number 'z'"),
        case("no-vertices", raw(&replaced("element vertex", "element point")), "refers to vertex 0, but there are 0"),
        case("no-face-element", raw(&replaced("element face", "element patch")), "has no element 'face'"),
        case("no-faces", ascii("1", "0", "0 0 0\n"), "whole file: no triangles"),
        case("no-indices", raw(&replaced("vertex_indices", "corners")), "line 7: the element 'face' has no integer list"),
        case("huge-vertex-count", binary("4000000000", "1", &[0; 30]), "line 3: claims 4000000000 vertices"),
        case("huge-face-count", binary("1", "4000000000", &[0; 30]), "line 7: claims 4000000000 faces"),
        case("count-2-to-64", ascii("18446744073709551616", "1", ""), "line 3: expected a number of elements"),
        case("count-max", binary("18446744073709551615", "1", &[0; 30]), "line 3: claims 18446744073709551615"),
        case("count-negative", ascii("-1", "1", ""), "line 3: expected a number of elements, found '-1'"),
        case("huge-ascii-count", ascii("99999999", "1", "0 0 0\n"), "line 3: claims 99999999 vertices"),
        case(
            "huge-list",
            [header("binary_big_endian", "1", "1").replace("list uchar", "list uint").as_bytes(), &[0; 12], &[255; 8]]
                .concat(),
            "claims 4294967295 list items, but the file has room for at most 1",
        ),
        case(
            "huge-skipped-list",
            b"ply\nformat binary_little_endian 1.0\nelement junk 1\nproperty list uint double a\nend_header\n\xff\xff\xff\xff"
                .to_vec(),
            "claims 4294967295 list items",
        ),
        case(
            "negative-list",
            raw(&replaced("list uchar", "list char").replace("\n3 0 0 0", "\n-3 0 0 0")),
            "line 11: a list has the length -3",
        ),
        case("vertices-cut", binary("2", "0", &[0; 20]), "line 3: claims 2 vertices"),
        case("faces-cut", binary("1", "1", &[vertex(0.0), vec![3, 0, 0, 0]].concat()), "claims 3 list items"),
        case("nan", binary("1", "1", &[vertex(f32::NAN), face([0; 3])].concat()), "vertex 0: coordinate x is NaN"),
        case("index-high", binary("1", "1", &[vertex(0.0), face([0, 1, 0])].concat()), "face 0: refers to vertex 1"),
        case("index-negative", binary("1", "1", &[vertex(0.0), face([0, -1, 0])].concat()), "face 0: refers to vertex -1"),
        case("face-of-two", ascii("1", "1", "0 0 0\n2 0 0\n"), "face 0: a face has 2 corners"),
        case("ascii-word", ascii("1", "1", "0 zero 0\n3 0 0 0\n"), "line 10: expected a number, found 'zero'"),
        case("ascii-fraction", ascii("1", "1", "0 0 0\n3 0 0 0.5\n"), "line 11: expected an integer, found '0.5'"),
        case("ascii-overflow", ascii("1", "1", "0 0 1e39\n3 0 0 0\n"), "vertex 0: coordinate z is inf"),
        case("ascii-cut", ascii("2", "1", "0 0 0    \n0 0"), "line 11: the file ends inside the vertices"),
        case("header-without-end", [b"ply\nformat ascii 1.0\n".as_slice(), &b"comment x\n".repeat(200_000)].concat(),
            "the file ends inside the header"),
    ]
}
