// Copies positions, triangles and tags of one external body from the caller's buffers, and finds its box.
// Invalid input is recorded for the CPU to report.

struct Upload {
    body: u32,
    vertices: u32,
    triangles: u32,
    first_vertex: u32,
    first_triangle: u32,
    // Offset of its tags among all tags.
    first_tag: u32,
    // In words of the caller's buffer.
    offset: u32,
    stride: u32,
    index_offset: u32,
    // Where the number of live triangles is, or NO_COUNT.
    count_offset: u32,
    has_tags: u32,
    tag_offset: u32,
    // Index of its result.
    slot: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

// Mirrors `layout::UploadResult`.
struct UploadResult {
    // The box, as keys that sort like the floats.
    low: array<atomic<u32>, 3>,
    // The complement of the largest, so that a minimum finds it.
    high: array<atomic<u32>, 3>,
    bad_vertex: atomic<u32>,
    bad_triangle: atomic<u32>,
}

const NO_COUNT = 0xffffffffu;

@group(0) @binding(0) var<uniform> upload: Upload;
@group(0) @binding(1) var<storage, read> their_positions: array<f32>;
@group(0) @binding(2) var<storage, read> their_triangles: array<u32>;
@group(0) @binding(3) var<storage, read> their_tags: array<u32>;
@group(0) @binding(4) var<storage, read> their_count: array<u32>;
@group(0) @binding(5) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> triangles: array<u32>;
@group(0) @binding(7) var<storage, read_write> tags: array<u32>;
@group(0) @binding(8) var<storage, read_write> results: array<UploadResult>;

// A key that sorts like the float.
fn sortable(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}

fn is_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

const ITEMS_PER_THREAD = 16u;

@compute @workgroup_size(64)
fn upload_vertices(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let first = (id.x + id.y * groups.x * 64u) * ITEMS_PER_THREAD;
    var low = vec3<u32>(0xffffffffu);
    var high = vec3<u32>(0xffffffffu);
    for (var k = 0u; k < ITEMS_PER_THREAD; k += 1u) {
        let vertex = first + k;
        if (vertex >= upload.vertices) {
            break;
        }
        let at = upload.offset + vertex * upload.stride;
        let p = vec3(their_positions[at], their_positions[at + 1u], their_positions[at + 2u]);
        if (!(is_finite(p.x) && is_finite(p.y) && is_finite(p.z))) {
            atomicMin(&results[upload.slot].bad_vertex, vertex);
        }
        positions[upload.first_vertex + vertex] = vec4(p, bitcast<f32>(upload.body | OWNER_NORMAL));
        let key = vec3(sortable(p.x), sortable(p.y), sortable(p.z));
        low = min(low, key);
        high = min(high, ~key);
    }
    for (var axis = 0u; axis < 3u; axis += 1u) {
        atomicMin(&results[upload.slot].low[axis], low[axis]);
        atomicMin(&results[upload.slot].high[axis], high[axis]);
    }
}

@compute @workgroup_size(64)
fn upload_triangles(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let first = (id.x + id.y * groups.x * 64u) * ITEMS_PER_THREAD;
    var live = upload.triangles;
    if (upload.count_offset != NO_COUNT) {
        live = their_count[upload.count_offset];
        if (live > upload.triangles) {
            atomicMin(&results[upload.slot].bad_triangle, upload.triangles);
            live = upload.triangles;
        }
    }
    for (var k = 0u; k < ITEMS_PER_THREAD; k += 1u) {
        let triangle = first + k;
        if (triangle >= upload.triangles) {
            break;
        }
        let at = upload.index_offset + 3u * triangle;
        var corners = vec3<u32>(0u);
        if (triangle < live) {
            corners = vec3(their_triangles[at], their_triangles[at + 1u], their_triangles[at + 2u]);
            if (any(corners >= vec3(upload.vertices))) {
                atomicMin(&results[upload.slot].bad_triangle, triangle);
                corners = vec3<u32>(0u);
            } else {
                corners += vec3(upload.first_vertex);
            }
        }
        let to = 3u * (upload.first_triangle + triangle);
        triangles[to] = corners.x;
        triangles[to + 1u] = corners.y;
        triangles[to + 2u] = corners.z;
        var tag = 0u;
        if (upload.has_tags == 1u) {
            tag = their_tags[upload.tag_offset + triangle];
        }
        tags[upload.first_tag + triangle] = tag;
    }
}
