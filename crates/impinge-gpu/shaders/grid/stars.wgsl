// Certified vertices: their triangles share nothing but the vertex and their edges. The twin of
// `grid::stars::is_certified`.

@group(0) @binding(0) var<uniform> cull: Cull;
@group(0) @binding(1) var<storage, read> bodies: array<BodyInRegion>;
// Start of the ring of every vertex.
@group(0) @binding(2) var<storage, read> starts: array<u32>;
// Vertices of all rings; a closed ring ends with its first vertex.
@group(0) @binding(3) var<storage, read> around: array<u32>;
// Four words per vertex, typed as words: threads read the first three of other vertices while they write the
// last of their own.
@group(0) @binding(4) var<storage, read_write> placed: array<u32>;

fn placed_at(vertex: u32) -> vec3<f32> {
    return bitcast<vec3<f32>>(vec3(placed[4u * vertex], placed[4u * vertex + 1u], placed[4u * vertex + 2u]));
}

@compute @workgroup_size(64)
fn stars(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let vertex = id.x + id.y * groups.x * 64u;
    // Vertex 0 belongs to no body.
    if (vertex == 0u || vertex >= cull.vertices) {
        return;
    }
    let begin = starts[vertex];
    let end = starts[vertex + 1u];
    if (end < begin + 3u) {
        return;
    }
    let owner = placed[4u * vertex + 3u];
    let here = bodies[owner & OWNER_BODY];
    if ((here.flags & SELF_COLLISION) == 0u) {
        return;
    }
    let middle = placed_at(vertex);
    let first = placed_at(around[begin]) - middle;
    let closed = around[begin] == around[end - 1u];
    var sum = vec3(0.0);
    var longest = norm(first);
    var e = first;
    for (var k = begin + 1u; k < end; k += 1u) {
        let f = placed_at(around[k]) - middle;
        sum += cross(e, f);
        longest = max(longest, norm(f));
        e = f;
    }
    let d = 2.0 * here.error;
    let n = sum / norm(sum);
    let m = longest + 3.0 * d;
    let off = norm(n) * (2.0 * d * m + ROUNDING * (m * m)) + LOST_BELOW;
    var certified = norm(sum) > 0.0;
    // Whether all spokes so far are certainly on the left of the first.
    var left = true;
    e = first;
    for (var k = begin + 1u; k < end; k += 1u) {
        let f = placed_at(around[k]) - middle;
        let turns_on = dot(n, cross(e, f)) > off;
        let side = dot(n, cross(first, f));
        let is_free = k == begin + 1u || (closed && k + 1u == end);
        certified = certified && turns_on && (is_free || left || side < -off);
        left = left && (is_free || side > off);
        e = f;
    }
    if (certified) {
        placed[4u * vertex + 3u] = owner | OWNER_CERTIFIED;
    }
}
