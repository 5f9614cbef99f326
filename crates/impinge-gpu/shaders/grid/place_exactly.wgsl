// World coordinates of all vertices in doubles, with the roundings of the CPU. The twin of `Pose::apply`.

// Three rows of four doubles, and the representation of the body's coordinates.
struct Pose {
    rows: array<vec2<u32>, 12>,
    source: u32,
    padding: u32,
}

const AS_DOUBLES = 1u;
const AS_FLOATS = 2u;

@group(0) @binding(0) var<storage, read> poses: array<Pose>;
@group(0) @binding(1) var<storage, read> positions: array<vec4<u32>>;
// Three doubles per vertex.
@group(0) @binding(2) var<storage, read> doubles: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> placed: array<vec2<u32>>;

const OWNER = 0x0fffffffu;

// A coordinate of a vertex before its pose.
fn coordinate(vertex: u32, source: u32, axis: u32) -> vec2<u32> {
    if (source == AS_DOUBLES) {
        return doubles[3u * vertex + axis];
    }
    return select(NOT_A_NUMBER, doubled(positions[vertex][axis]), source == AS_FLOATS);
}

@compute @workgroup_size(64)
fn place_exactly(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let vertex = id.x + id.y * groups.x * 64u;
    if (vertex >= arrayLength(&positions) || 3u * vertex + 2u >= arrayLength(&placed)) {
        return;
    }
    // Padding vertices have no body.
    let owner = min(positions[vertex].w & OWNER, arrayLength(&poses) - 1u);
    let source = poses[owner].source;
    let x = coordinate(vertex, source, 0u);
    let y = coordinate(vertex, source, 1u);
    let z = coordinate(vertex, source, 2u);
    for (var axis = 0u; axis < 3u; axis += 1u) {
        let row = 4u * axis;
        let two = plus(times(x, poses[owner].rows[row]), times(y, poses[owner].rows[row + 1u]));
        let three = plus(two, times(z, poses[owner].rows[row + 2u]));
        placed[3u * vertex + axis] = plus(three, poses[owner].rows[row + 3u]);
    }
}
