// Pairs of triangles that may collide, from the fragments of every ray; each once, in a dense list. The twin
// of `a_buffer::pairs`.

// `cells` of `fragments.wgsl`; bound a second time as atomics where several threads share a ray and mark it.
@group(0) @binding(5) var<storage, read> ends: array<u32>;
@group(0) @binding(5) var<storage, read_write> cells: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read> fragments: array<u32>;
// Two words per slot: 1 + each triangle of the pair; 0 while free. A word is written once.
@group(0) @binding(7) var<storage, read_write> table: array<atomic<u32>>;
// The pairs, in the order in which they were found.
@group(0) @binding(8) var<storage, read_write> pairs: array<vec2<u32>>;

// Slots tried for a pair.
const MAX_PROBES = 16u;
// Bit of a cell: its ray has two fragments near each other.
const IS_NEAR = 0x80000000u;
// The fragments that follow one are compared in spans of this many.
const SPAN = 2048u;

// Inserts a pair. All threads with the same pair probe the same slots, and pass a slot only if it holds
// another pair for good: so whoever comes second finds the first. A weak exchange may fail spuriously; the
// pair then counts as lost, and the strip is done again.
fn add(p: u32, q: u32) {
    var hash = (p * 0x9e3779b1u) ^ (q * 0x85ebca77u);
    hash = (hash ^ (hash >> 15u)) * 0x2c1b3c6du;
    hash = hash ^ (hash >> 13u);
    for (var k = 0u; k < min(MAX_PROBES, sheet.slots); k += 1u) {
        let slot = (hash + k) & (sheet.slots - 1u);
        let first = atomicCompareExchangeWeak(&table[2u * slot], 0u, p + 1u);
        if (!first.exchanged && first.old_value == 0u) {
            break;
        }
        if (first.exchanged || first.old_value == p + 1u) {
            let second = atomicCompareExchangeWeak(&table[2u * slot + 1u], 0u, q + 1u);
            if (second.exchanged) {
                pairs[atomicAdd(&counters[PAIRS], 1u)] = vec2(p, q);
                return;
            }
            if (second.old_value == q + 1u) {
                return;
            }
            if (second.old_value == 0u) {
                break;
            }
        }
    }
    atomicAdd(&counters[LOST], 1u);
}

fn vertices_of(triangle: u32) -> vec3<u32> {
    return vec3(triangles[3u * triangle], triangles[3u * triangle + 1u], triangles[3u * triangle + 2u]);
}

// Whether two triangles are of two bodies, or of one with self-collision and without a common vertex.
fn may_collide(p: u32, q: u32) -> bool {
    let a = vertices_of(p);
    let b = vertices_of(q);
    let body = bitcast<u32>(screen[a.x].w) & OWNER_BODY;
    if (body != (bitcast<u32>(screen[b.x].w) & OWNER_BODY)) {
        return true;
    }
    return regions[body].with_itself != 0u && !(any(a == b) || any(a == b.yzx) || any(a == b.zxy));
}

// Adds the pair of two surfaces if they may collide; returns whether they may.
fn compare(p: u32, q: u32) -> bool {
    let a = min(p, q) >> 1u;
    let b = max(p, q) >> 1u;
    if (!may_collide(a, b)) {
        return false;
    }
    add(a, b);
    return true;
}

fn depth_of(fragment: u32) -> f32 {
    return bitcast<f32>(fragments[2u * fragment]);
}

// Compares fragments `begin + lane`, `+ lanes`, ... with one span of those that follow each; returns whether
// a pair was found. Near fragments are searched in a loop of their own: devices with threads in lockstep take
// every branch that any thread takes, and most find nothing.
fn look_through(begin: u32, end: u32, lane: u32, lanes: u32, span: u32) -> bool {
    var i = begin + lane;
    var j = i + 1u + span * SPAN;
    var last = min(j + SPAN, end);
    var found = false;
    loop {
        var near = false;
        var p = 0u;
        var q = 0u;
        while (!near && i + 1u < end) {
            near = j < last && abs(depth_of(j) - depth_of(i)) <= sheet.near;
            p = i;
            q = j;
            j += 1u;
            if (j >= last) {
                i += lanes;
                j = i + 1u + span * SPAN;
                last = min(j + SPAN, end);
            }
        }
        if (!near) {
            break;
        }
        found = compare(fragments[2u * p + 1u], fragments[2u * q + 1u]) || found;
    }
    return found;
}

// Counts the ray once, however many threads share it.
fn count_ray(pixel: u32) {
    if ((atomicOr(&cells[pixel], IS_NEAR) & IS_NEAR) == 0u) {
        atomicAdd(&counters[NEAR_RAYS], 1u);
    }
}

fn cell(pixel: u32) -> u32 {
    return atomicLoad(&cells[pixel]) & ~IS_NEAR;
}

// The cell that holds the begin of a pixel's run: the end of the previous pixel, except for the first pixel
// of a group.
fn begins_at(pixel: u32) -> u32 {
    return select(pixel - 1u, groups_from() + pixel / PIXELS_PER_THREAD, pixel % PIXELS_PER_THREAD == 0u);
}

// One thread per ray.
@compute @workgroup_size(64)
fn pairs_of_runs(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixel = id.x + id.y * groups.x * 64u;
    if (pixel >= groups_from()) {
        return;
    }
    if (look_through(ends[begins_at(pixel)], ends[pixel], 0u, 1u, 0u)) {
        atomicAdd(&counters[NEAR_RAYS], 1u);
    }
}

// Several threads per ray.
@compute @workgroup_size(64)
fn pairs_of_long_runs(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = id.x + id.y * groups.x * 64u;
    let pixel = thread / (sheet.lanes * sheet.spans);
    if (pixel >= groups_from()) {
        return;
    }
    let span = thread / sheet.lanes % sheet.spans;
    if (look_through(cell(begins_at(pixel)), cell(pixel), thread % sheet.lanes, sheet.lanes, span)) {
        count_ray(pixel);
    }
}

// The previous node, encoded as in a cell; 0 if the node is not this thread's.
fn before(node: u32, is_mine: bool) -> u32 {
    if (node != 0u && is_mine) {
        return fragments[3u * (node - 1u) + 2u];
    }
    return 0u;
}

// The same for lists: every thread walks the whole list.
@compute @workgroup_size(64)
fn pairs_of_lists(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = id.x + id.y * groups.x * 64u;
    let pixel = thread / (sheet.lanes * sheet.spans);
    if (pixel >= groups_from()) {
        return;
    }
    let lane = thread % sheet.lanes;
    let first = thread / sheet.lanes % sheet.spans * SPAN;
    var node = cell(pixel);
    var n = 0u;
    var other = before(node, lane == 0u);
    var m = 0u;
    var found = false;
    loop {
        var near = false;
        var p = 0u;
        var q = 0u;
        while (!near && node != 0u) {
            if (other != 0u && m < first + SPAN) {
                p = 3u * (node - 1u);
                q = 3u * (other - 1u);
                near = m >= first && abs(bitcast<f32>(fragments[q]) - bitcast<f32>(fragments[p])) <= sheet.near;
                other = fragments[q + 2u];
                m += 1u;
            } else {
                node = before(node, true);
                n += 1u;
                other = before(node, n % sheet.lanes == lane);
                m = 0u;
            }
        }
        if (!near) {
            break;
        }
        found = compare(fragments[p + 1u], fragments[q + 1u]) || found;
    }
    if (found) {
        count_ray(pixel);
    }
}
