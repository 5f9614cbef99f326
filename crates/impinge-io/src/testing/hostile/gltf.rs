//! Hostile glTF: mostly the document of one triangle with one thing changed.

use super::Case;
use crate::testing::{TRIANGLE_JSON, glb, triangle_binary};

/// The triangle with a part of its document replaced.
fn changed(from: &str, to: &str) -> Vec<u8> {
    debug_assert!(TRIANGLE_JSON.contains(from), "{from}");
    glb(&TRIANGLE_JSON.replacen(from, to, 1), &triangle_binary())
}

fn with_bytes(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = glb(TRIANGLE_JSON, &triangle_binary());
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

fn with_binary(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut binary = triangle_binary();
    binary[at..at + bytes.len()].copy_from_slice(bytes);
    glb(TRIANGLE_JSON, &binary)
}

const NODES: &str = r#""scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"#;
const BUFFERS: &str = r#""buffers":[{"byteLength":44}]"#;

pub(super) fn gltf() -> Vec<Case> {
    let valid = glb(TRIANGLE_JSON, &triangle_binary());
    let cut = |length: usize| valid[..length].to_vec();
    let deep = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"x\":{}", "[".repeat(100_000));
    let chain: Vec<String> = (1..50_000).map(|child| format!("{{\"children\":[{child}]}},")).collect();
    let chain = chain.concat();
    let chain = format!(r#""scenes":[{{"nodes":[0]}}],"nodes":[{chain}{{"mesh":7}}],"#);
    let instances = r#"{"mesh":0},"#.repeat(300_000);
    let instances = format!(r#""nodes":[{instances}{{"mesh":0}}],"#);
    let many =
        TRIANGLE_JSON.replacen(NODES, &instances, 1).replace(r#""indices":1"#, r#""indices":2"#).replace(
            r#""type":"SCALAR"}"#,
            r#""type":"SCALAR"},{"componentType":5121,"count":300,"type":"SCALAR"}"#,
        );
    let binary_cases: Vec<(&'static str, Vec<u8>, &'static str)> = vec![
        ("magic-alone", b"glTF".to_vec(), "byte 4: the file ends inside a GLB header"),
        ("version-1", with_bytes(4, &[1]), "byte 4: GLB version 1 is not supported"),
        ("length-huge", with_bytes(8, &[255; 4]), "byte 8: claims 4294967295 bytes"),
        ("cut", cut(valid.len() - 1), "byte 8: claims"),
        ("chunk-length-huge", with_bytes(12, &[255; 4]), "byte 20: the file ends inside a GLB chunk"),
        ("binary-chunk-first", with_bytes(16, b"BIN\0"), "byte 12: expected a JSON chunk first, found 'BIN"),
        ("json-broken", with_bytes(20, b"["), "line 1: "),
        ("json-not-utf8", with_bytes(24, b"\xff\xff"), "line 1: "),
        ("json-deep", deep.into_bytes(), "line 1: EOF while parsing a list, column 100031"),
        ("json-empty", b"{}".to_vec(), "line 1: missing field `asset`"),
        ("version-3", changed("\"2.0\"", "\"3.0\""), "whole file: glTF version '3.0' is not supported"),
        (
            "draco",
            changed("{\"asset\"", "{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\""),
            "extensionsRequired 0: the required extension 'KHR_draco_mesh_compression' is not supported",
        ),
        (
            "meshopt",
            changed("{\"asset\"", "{\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"asset\""),
            "the required extension 'EXT_meshopt_compression' is not supported",
        ),
        ("no-nodes-no-meshes", br#"{"asset":{"version":"2.0"}}"#.to_vec(), "whole file: no triangles"),
        (
            "scene-out-of-range",
            changed("\"scene\":0", "\"scene\":7"),
            "whole file: refers to scene 7, but there are 1",
        ),
        ("scene-of-no-node", changed("{\"nodes\":[0]}", "{\"nodes\":[9]}"), "scene 0: refers to node 9"),
        ("node-cycle", changed("{\"mesh\":0}", "{\"mesh\":0,\"children\":[0]}"), "node 0: is reached twice"),
        (
            "nodes-all-in-cycles",
            changed(NODES, r#""nodes":[{"children":[1]},{"children":[0]}],"#),
            "node 0: is reached twice",
        ),
        (
            "node-of-no-mesh",
            changed("{\"mesh\":0}", "{\"mesh\":4294967296}"),
            "node 0: refers to mesh 4294967296",
        ),
        ("index-negative", changed("{\"mesh\":0}", "{\"mesh\":-1}"), "line 1: invalid value: integer `-1`"),
        ("chain-to-nowhere", changed(NODES, &chain), "node 49999: refers to mesh 7"),
        (
            "shared-child",
            changed(NODES, r#""nodes":[{"children":[1,1]},{"mesh":0}],"#),
            "node 1: is reached twice",
        ),
        (
            "many-instances",
            glb(&many, &triangle_binary()),
            "more triangles than are read from a file of this size",
        ),
        (
            "matrix-projective",
            changed("{\"mesh\":0}", "{\"mesh\":0,\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}"),
            "node 0: pose has the last row",
        ),
        (
            "matrix-short",
            changed("{\"mesh\":0}", "{\"mesh\":0,\"matrix\":[1,0,0]}"),
            "line 1: invalid length 3",
        ),
        (
            "matrix-overflow",
            changed("{\"mesh\":0}", "{\"mesh\":0,\"scale\":[1e308,1,1],\"translation\":[1e308,0,0]}"),
            "node 0: vertex 1 has x = inf",
        ),
        ("rotation-zero", changed("{\"mesh\":0}", "{\"mesh\":0,\"rotation\":[0,0,0,0]}"), "node 0: rotation"),
        (
            "number-too-large",
            changed("{\"mesh\":0}", "{\"mesh\":0,\"scale\":[1e999,1,1]}"),
            "line 1: number out of range",
        ),
        ("position-missing", changed("\"POSITION\":0", "\"NORMAL\":0"), "whole file: no triangles"),
        (
            "position-of-no-accessor",
            changed("\"POSITION\":0", "\"POSITION\":5"),
            "mesh 0, primitive 0: refers to accessor 5",
        ),
        (
            "indices-of-no-accessor",
            changed("\"indices\":1", "\"indices\":5"),
            "mesh 0, primitive 0: refers to accessor 5",
        ),
        ("position-not-vec3", changed("\"VEC3\"", "\"VEC2\""), "accessor 0: expected VEC3, found 'VEC2'"),
        (
            "indices-not-scalar",
            changed("\"SCALAR\"", "\"VEC3\""),
            "accessor 1: expected SCALAR, found 'VEC3'",
        ),
        (
            "position-of-u32",
            changed("5126", "5125"),
            "accessor 0: expected a component type that fits its use",
        ),
        (
            "indices-of-floats",
            changed("5123", "5126"),
            "accessor 1: expected a component type that fits its use",
        ),
        ("component-unknown", changed("5126", "4294972422"), "line 1: "),
        ("count-zero", changed("5123,\"count\":3", "5123,\"count\":0"), "whole file: no triangles"),
        (
            "count-huge",
            changed("5126,\"count\":3", "5126,\"count\":4000000000"),
            "accessor 0: claims 4000000000 elements",
        ),
        (
            "count-max",
            changed("5126,\"count\":3", "5126,\"count\":18446744073709551615"),
            "accessor 0: claims",
        ),
        (
            "count-of-nothing",
            changed(
                "{\"bufferView\":1,\"componentType\":5123,\"count\":3",
                "{\"componentType\":5123,\"count\":3000000000",
            ),
            "more triangles than are read from a file of this size",
        ),
        (
            "not-whole-triangles",
            changed("5123,\"count\":3", "5123,\"count\":2"),
            "has 2 corners, which is not a multiple",
        ),
        (
            "offset-huge",
            changed("\"bufferView\":0,", "\"bufferView\":0,\"byteOffset\":18446744073709551615,"),
            "accessor 0",
        ),
        (
            "no-such-view",
            changed("\"bufferView\":0", "\"bufferView\":9"),
            "bufferView 9: refers to bufferView 9",
        ),
        ("no-such-buffer", changed("{\"buffer\":0,", "{\"buffer\":9,"), "bufferView 0: refers to buffer 9"),
        (
            "view-outside",
            changed("\"byteLength\":36}", "\"byteLength\":45}"),
            "bufferView 0: 45 bytes from 0 on lie outside",
        ),
        (
            "view-wraps",
            changed(
                "\"byteOffset\":36,\"byteLength\":6",
                "\"byteOffset\":18446744073709551615,\"byteLength\":6",
            ),
            "bufferView 1: 6 bytes from 18446744073709551615 on",
        ),
        (
            "stride-small",
            changed("\"byteLength\":36}", "\"byteLength\":36,\"byteStride\":4}"),
            "accessor 0: has elements of 12",
        ),
        (
            "stride-zero",
            changed("\"byteLength\":36}", "\"byteLength\":36,\"byteStride\":0}"),
            "accessor 0: has elements of 12",
        ),
        ("buffer-short", changed("\"byteLength\":44", "\"byteLength\":4400"), "buffer 0: claims 4400 bytes"),
        (
            "mode-unknown",
            changed("\"indices\":1", "\"indices\":1,\"mode\":7"),
            "mesh 0, primitive 0: has the mode 7",
        ),
        ("points", changed("\"indices\":1", "\"mode\":0"), "whole file: no triangles"),
        ("nan", with_binary(12, &f32::NAN.to_le_bytes()), "accessor 0, vertex 1: coordinate x is NaN"),
        ("index-high", with_binary(40, &[3, 0]), "mesh 0, primitive 0: refers to vertex 3, but there are 3"),
        ("index-restart", with_binary(40, &[255, 255]), "mesh 0, primitive 0: refers to vertex 65535"),
        (
            "sparse-unordered",
            changed(
                "\"type\":\"VEC3\"",
                "\"type\":\"VEC3\",\"sparse\":{\"count\":3,\"indices\":{\"bufferView\":0,\"componentType\":5121},\
                 \"values\":{\"bufferView\":0}}",
            ),
            "accessor 0: sparse index 0 is out of order or range",
        ),
        (
            "sparse-huge",
            changed(
                "\"type\":\"VEC3\"",
                "\"type\":\"VEC3\",\"sparse\":{\"count\":9999999999,\"indices\":{\"bufferView\":0,\"componentType\":5121},\
                 \"values\":{\"bufferView\":0}}",
            ),
            "accessor 0: claims 9999999999 elements",
        ),
    ];
    let uri = |uri: &str| {
        let buffers = format!(r#""buffers":[{{"byteLength":44,"uri":"{uri}"}}]"#);
        TRIANGLE_JSON.replacen(BUFFERS, &buffers, 1).into_bytes()
    };
    let json_cases: Vec<(&'static str, Vec<u8>, &'static str)> = vec![
        ("no-uri", TRIANGLE_JSON.into(), "buffer 0: has no uri, and there is no binary chunk"),
        (
            "uri-upwards",
            uri("../../secret.bin"),
            "buffer 0: '../../secret.bin': leads out of the file's folder",
        ),
        ("uri-upwards-encoded", uri("%2e%2e/secret.bin"), "leads out of the file's folder"),
        ("uri-absolute", uri("/etc/passwd"), "buffer 0: '/etc/passwd': leads out of the file's folder"),
        ("uri-of-the-net", uri("https://example.org/a.bin"), "leads out of the file's folder"),
        ("uri-of-nothing", uri("missing.bin"), "buffer 0: 'missing.bin': "),
        ("uri-of-the-folder", uri("."), "buffer 0: '.': "),
        ("data-not-base64", uri("data:text/plain,abc"), "buffer 0: data URI is not base64"),
        ("data-broken", uri("data:;base64,A*=="), "buffer 0: data URI is not valid base64"),
        (
            "data-short",
            uri("data:;base64,AAAA"),
            "buffer 0: claims 44 bytes, but the file has room for at most 3",
        ),
        ("data-without-comma", uri("data:;base64"), "buffer 0: data URI has no comma"),
    ];
    let binary = binary_cases.into_iter().map(|(name, bytes, expected)| (name, "glb", bytes, expected));
    let json = json_cases.into_iter().map(|(name, bytes, expected)| (name, "gltf", bytes, expected));
    binary.chain(json).collect()
}
