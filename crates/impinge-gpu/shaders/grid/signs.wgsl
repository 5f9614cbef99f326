// All fifteen signs of two triangles: touch, apart or doubtful. The twin of `grid::signs::decide`.

@group(0) @binding(0) var<uniform> cull: Cull;
@group(0) @binding(1) var<uniform> counted: array<vec4<u32>, 16>;
@group(0) @binding(2) var<storage, read> records: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> tests: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> found: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;

const THREADS = 64u;

// The orientation of the line of an edge of `a` about an edge of `b`.
fn turn(p: vec3<f32>, u: vec3<f32>, q: vec3<f32>, v: vec3<f32>, d: f32) -> i32 {
    let w = q - p;
    let off = bound(d, norm(u) + 3.0 * d, norm(w) + 3.0 * d, norm(v) + 3.0 * d);
    return sign_of(dot(u, cross(w, v)), off);
}

fn turns(p: vec3<f32>, u: vec3<f32>, b: Corners, d: f32) -> vec3<i32> {
    return vec3(
        turn(p, u, b.p, b.q - b.p, d),
        turn(p, u, b.q, b.r - b.q, d),
        turn(p, u, b.r, b.p - b.r, d),
    );
}

// The sign of a determinant by the closer bound.
fn closely(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, d: f32) -> i32 {
    let bc = cross(b, c);
    let na = norm(a) + 3.0 * d;
    let nb = norm(b) + 3.0 * d;
    let nc = norm(c) + 3.0 * d;
    let first = norm(bc) + norm(cross(c, a)) + norm(cross(a, b));
    let off = d * (first + 2.0 * ROUNDING * (nb * nc + nc * na + na * nb)) + 3.0 * d * d * (na + nb + nc)
        + ROUNDING * (na * nb * nc) + LOST_BELOW;
    return sign_of(dot(a, bc), off);
}

fn close_sides(a: Corners, b: Corners, d: f32) -> vec3<i32> {
    let u = a.q - a.p;
    let v = a.r - a.p;
    return vec3(closely(b.p - a.p, u, v, d), closely(b.q - a.p, u, v, d), closely(b.r - a.p, u, v, d));
}

fn close_turns(p: vec3<f32>, u: vec3<f32>, b: Corners, d: f32) -> vec3<i32> {
    return vec3(
        closely(u, b.p - p, b.q - b.p, d),
        closely(u, b.q - p, b.r - b.q, d),
        closely(u, b.r - p, b.p - b.r, d),
    );
}

// Whether an edge pierces a triangle: 1 yes, -1 no, 0 unknown.
fn pierces(ends: i32, turns: vec3<i32>) -> i32 {
    let least = min(min(turns.x, turns.y), turns.z);
    let most = max(max(turns.x, turns.y), turns.z);
    if (ends > 0 || (least < 0 && most > 0)) {
        return -1;
    }
    return select(0, 1, ends < 0 && least == most && least != 0);
}

// The verdict of the fifteen signs: 1 touch, -1 apart, 0 unknown.
fn by_signs(sa: vec3<i32>, sb: vec3<i32>, t0: vec3<i32>, t1: vec3<i32>, t2: vec3<i32>) -> i32 {
    let edges_a = vec3(pierces(sa.x * sa.y, t0), pierces(sa.y * sa.z, t1), pierces(sa.z * sa.x, t2));
    let edges_b = vec3(
        pierces(sb.x * sb.y, vec3(t0.x, t1.x, t2.x)),
        pierces(sb.y * sb.z, vec3(t0.y, t1.y, t2.y)),
        pierces(sb.z * sb.x, vec3(t0.z, t1.z, t2.z)),
    );
    let none = vec3(false);
    let apart = one_sided(sa, none) || one_sided(sb, none) || (all(edges_a == vec3(-1)) && all(edges_b == vec3(-1)));
    let touch = any(edges_a == vec3(1)) || any(edges_b == vec3(1));
    return select(select(0, 1, touch), -1, apart);
}

// Whether `b` is strictly beyond an edge of `a` along `n`.
fn is_beyond(n: vec3<f32>, a: Corners, b: Corners, far: f32, d: f32) -> bool {
    let most = max(max(0.0, dot(n, a.q - a.p)), dot(n, a.r - a.p));
    let least = min(min(dot(n, b.p - a.p), dot(n, b.q - a.p)), dot(n, b.r - a.p));
    return least - most > 2.0 * norm(n) * (d + ROUNDING * far) + LOST_BELOW;
}

// Whether a plane through an edge of `a`, perpendicular to `a`, has `b` strictly on the other side.
fn has_gap(a: Corners, b: Corners, d: f32) -> bool {
    let u = a.q - a.p;
    let v = a.r - a.p;
    let up = cross(u, v);
    let far = max(max(norm(u), norm(v)), max(max(norm(b.p - a.p), norm(b.q - a.p)), norm(b.r - a.p)));
    return far < MAX_QUARTIC_DIFFERENCE
        && (is_beyond(cross(u, up), a, b, far, d)
            || is_beyond(cross(a.r - a.q, up), a, b, far, d)
            || is_beyond(cross(-v, up), a, b, far, d));
}

@compute @workgroup_size(THREADS)
fn decide(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(count_of(TESTS), cull.tests);
    var left = rounds(id.x, total, groups.x * THREADS);
    for (var at = id.x; at < total; at += groups.x * THREADS) {
        left -= 1u;
        let pair = tests[at];
        let a = corners_of(pair.x);
        let b = corners_of(pair.y);
        let d = 2.0 * max(a.error, b.error);
        var answer = by_signs(
            sides(b, a, d),
            sides(a, b, d),
            turns(a.p, a.q - a.p, b, d),
            turns(a.q, a.r - a.q, b, d),
            turns(a.r, a.p - a.r, b, d),
        );
        // A loop instead of an if: devices that run several lanes in lockstep skip it when no lane enters.
        var in_doubt = answer == 0;
        while (in_doubt) {
            in_doubt = false;
            answer = by_signs(
                close_sides(b, a, d),
                close_sides(a, b, d),
                close_turns(a.p, a.q - a.p, b, d),
                close_turns(a.q, a.r - a.q, b, d),
                close_turns(a.r, a.p - a.r, b, d),
            );
            answer = select(answer, -1, answer == 0 && (has_gap(a, b, d) || has_gap(b, a, d)));
        }
        let apart = answer < 0;
        let touch = answer > 0;
        if (!apart) {
            // Where the error is as large as a triangle, the CPU's double filter decides at once: not
            // counted.
            let size = min(norm(a.q - a.p) + norm(a.r - a.p), norm(b.q - b.p) + norm(b.r - b.p));
            if (!touch && !(16.0 * d > size)) {
                atomicAdd(&counters[DOUBTS], 1u);
            }
            let slot = reserve(FOUND, 1u);
            if (slot < cull.found) {
                let first = records[RECORD * pair.x].w;
                let second = records[RECORD * pair.y].w;
                found[slot] = vec2(min(first, second) | select(0x80000000u, 0u, touch), max(first, second));
            }
        }
    }
    finished(left);
}
