// From the caller's own buffers to ours: positions, triangles and tags of one body that lives on the GPU. Whatever is
// wrong with them is left for the CPU to tell, and its box with it.

struct Intake {
    body: u32,
    vertices: u32,
    triangles: u32,
    first_vertex: u32,
    first_triangle: u32,
    // Where its tags begin among all tags.
    first_tag: u32,
    // In words of the caller's buffer.
    offset: u32,
    stride: u32,
    index_offset: u32,
    // Where the number of live triangles is, or NO_COUNT.
    count_offset: u32,
    has_tags: u32,
    tag_offset: u32,
    // Where to leave what is found.
    place: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

// What was found. Mirrors `layout::Found`.
struct Found {
    // Box, as numbers that sort like the floats.
    low: array<atomic<u32>, 3>,
    // The complement of the largest, so that a minimum finds it.
    high: array<atomic<u32>, 3>,
    bad_vertex: atomic<u32>,
    bad_triangle: atomic<u32>,
}

const NO_COUNT = 0xffffffffu;

@group(0) @binding(0) var<uniform> intake: Intake;
@group(0) @binding(1) var<storage, read> their_positions: array<f32>;
@group(0) @binding(2) var<storage, read> their_triangles: array<u32>;
@group(0) @binding(3) var<storage, read> their_tags: array<u32>;
@group(0) @binding(4) var<storage, read> their_count: array<u32>;
@group(0) @binding(5) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> triangles: array<u32>;
@group(0) @binding(7) var<storage, read_write> tags: array<u32>;
@group(0) @binding(8) var<storage, read_write> found: array<Found>;

// A number that sorts like the float.
fn sortable(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}

fn is_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

const PER_THREAD = 16u;

@compute @workgroup_size(64)
fn take_vertices(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let first = (id.x + id.y * groups.x * 64u) * PER_THREAD;
    var low = vec3<u32>(0xffffffffu);
    var high = vec3<u32>(0xffffffffu);
    for (var k = 0u; k < PER_THREAD; k += 1u) {
        let vertex = first + k;
        if (vertex >= intake.vertices) {
            break;
        }
        let at = intake.offset + vertex * intake.stride;
        let p = vec3(their_positions[at], their_positions[at + 1u], their_positions[at + 2u]);
        if (!(is_finite(p.x) && is_finite(p.y) && is_finite(p.z))) {
            atomicMin(&found[intake.place].bad_vertex, vertex);
        }
        positions[intake.first_vertex + vertex] = vec4(p, bitcast<f32>(intake.body | OWNER_NORMAL));
        let key = vec3(sortable(p.x), sortable(p.y), sortable(p.z));
        low = min(low, key);
        high = min(high, ~key);
    }
    for (var axis = 0u; axis < 3u; axis += 1u) {
        atomicMin(&found[intake.place].low[axis], low[axis]);
        atomicMin(&found[intake.place].high[axis], high[axis]);
    }
}

@compute @workgroup_size(64)
fn take_triangles(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let first = (id.x + id.y * groups.x * 64u) * PER_THREAD;
    var live = intake.triangles;
    if (intake.count_offset != NO_COUNT) {
        live = their_count[intake.count_offset];
        if (live > intake.triangles) {
            atomicMin(&found[intake.place].bad_triangle, intake.triangles);
            live = intake.triangles;
        }
    }
    for (var k = 0u; k < PER_THREAD; k += 1u) {
        let triangle = first + k;
        if (triangle >= intake.triangles) {
            break;
        }
        let at = intake.index_offset + 3u * triangle;
        var corners = vec3<u32>(0u);
        if (triangle < live) {
            corners = vec3(their_triangles[at], their_triangles[at + 1u], their_triangles[at + 2u]);
            if (any(corners >= vec3(intake.vertices))) {
                atomicMin(&found[intake.place].bad_triangle, triangle);
                corners = vec3<u32>(0u);
            } else {
                corners += vec3(intake.first_vertex);
            }
        }
        let to = 3u * (intake.first_triangle + triangle);
        triangles[to] = corners.x;
        triangles[to + 1u] = corners.y;
        triangles[to + 2u] = corners.z;
        var tag = 0u;
        if (intake.has_tags == 1u) {
            tag = their_tags[intake.tag_offset + triangle];
        }
        tags[intake.first_tag + triangle] = tag;
    }
}
