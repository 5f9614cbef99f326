// The first filter of candidates: neighbours that share nothing else, and triangles on one side of the plane
// of the other. The twin of `grid::plane_filter::plane_filter`.

@group(0) @binding(0) var<uniform> cull: Cull;
@group(0) @binding(1) var<uniform> counted: array<vec4<u32>, 16>;
@group(0) @binding(2) var<storage, read> records: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> candidates: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> tests: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> found: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;

const THREADS = 64u;

// `FilterVerdict`: 0 apart, 1 doubtful (exact arithmetic), 2 test all signs.
fn verdict_of(a: Corners, b: Corners) -> u32 {
    let d = 2.0 * max(a.error, b.error);
    if (d >= 2.0 * VAST_ERROR) {
        return 1u;
    }
    // Vertices are numbered across all bodies: only triangles of one body share any.
    let in_a = vec3<bool>(
        any(b.vertices.xxx == a.vertices),
        any(b.vertices.yyy == a.vertices),
        any(b.vertices.zzz == a.vertices),
    );
    let in_b = vec3<bool>(
        any(a.vertices.xxx == b.vertices),
        any(a.vertices.yyy == b.vertices),
        any(a.vertices.zzz == b.vertices),
    );
    let shared_a = u32(in_b.x) + u32(in_b.y) + u32(in_b.z);
    let shared_b = u32(in_a.x) + u32(in_a.y) + u32(in_a.z);
    let regular = shared_a == shared_b && shared_a < 3u;
    if (regular && (one_sided(sides(a, b, d), in_a) || one_sided(sides(b, a, d), in_b))) {
        return 0u;
    }
    if (shared_a + shared_b == 0u) {
        return 2u;
    }
    var apart = false;
    // Loops instead of ifs: devices that run several lanes in lockstep skip them when no lane enters.
    var by_vertex = regular && shared_a == 1u;
    while (by_vertex) {
        by_vertex = false;
        let e = turned(a, in_b);
        let f = turned(b, in_a);
        apart = wedges_apart(e[1] - e[0], e[2] - e[0], f[1] - e[0], f[2] - e[0], d);
    }
    var by_edge = regular && shared_a == 2u;
    while (by_edge) {
        by_edge = false;
        let e = turned(a, !in_b);
        let f = turned(b, !in_a);
        apart = unfolded(e[2] - e[1], e[0] - e[1], f[0] - e[1], d);
    }
    return select(1u, 0u, apart);
}

// Whether the pair belongs to this subregion: the one with the lower corner of the intersection of the boxes.
fn is_here(a: u32, b: u32) -> bool {
    let corner = dot(max(floats(records[RECORD * a]), floats(records[RECORD * b])), cull.axis);
    return corner >= cull.subregion_low && corner < cull.subregion_high;
}

@compute @workgroup_size(THREADS)
fn plane_filter(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(count_of(CANDIDATES), cull.candidates);
    var left = rounds(id.x, total, groups.x * THREADS);
    for (var at = id.x; at < total; at += groups.x * THREADS) {
        left -= 1u;
        let pair = candidates[at];
        // Unused reserved slots hold `NONE`.
        let is_pair = pair.x != NONE;
        let records_of = select(vec2(0u), pair, is_pair);
        var answer = select(0u, verdict_of(corners_of(records_of.x), corners_of(records_of.y)), is_pair);
        // The condition must depend on more than the uniform: see `triangle_filter.wgsl`.
        if ((cull.is_subregion & min(answer, 1u)) != 0u) {
            answer = select(0u, answer, is_here(pair.x, pair.y));
        }
        if (answer == 1u) {
            // Pairs with a vast body are left to doubles on the CPU.
            if (corners_of(records_of.x).error < VAST_ERROR && corners_of(records_of.y).error < VAST_ERROR) {
                atomicAdd(&counters[DOUBTS], 1u);
            }
            let slot = reserve(FOUND, 1u);
            if (slot < cull.found) {
                let a = records[RECORD * pair.x].w;
                let b = records[RECORD * pair.y].w;
                found[slot] = vec2(min(a, b) | 0x80000000u, max(a, b));
            }
        }
        if (answer == 2u) {
            let slot = reserve(TESTS, 1u);
            if (slot < cull.tests) {
                tests[slot] = pair;
            }
        }
    }
    finished(left);
}
