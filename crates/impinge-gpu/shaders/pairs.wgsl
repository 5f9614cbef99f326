// From what rays meet to pairs of triangles that may collide, each once, side by side. The twin of `a_buffer::pairs`.

// As `fragments.wgsl` left them.
@group(0) @binding(5) var<storage, read_write> cells: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read> fragments: array<u32>;
// Two words a slot: one more than each triangle of the pair; 0 while it is free. A word is written once.
@group(0) @binding(7) var<storage, read_write> table: array<atomic<u32>>;
// The pairs in the order in which they were found.
@group(0) @binding(8) var<storage, read_write> pairs: array<vec2<u32>>;

// Slots that are tried for a pair.
const TRIED = 16u;
// A bit of a cell: its ray meets two surfaces near each other.
const IS_NEAR = 0x80000000u;
// What follows a surface is looked through in parts of so many.
const SPAN = 2048u;

// All threads that bring the same pair try the same slots, and pass one only if it has another pair for good: so whoever
// brings it second finds it. An exchange may fail for no reason; then the pair counts as lost, and all is done again.
fn add(p: u32, q: u32) {
    var hash = (p * 0x9e3779b1u) ^ (q * 0x85ebca77u);
    hash = (hash ^ (hash >> 15u)) * 0x2c1b3c6du;
    hash = hash ^ (hash >> 13u);
    for (var k = 0u; k < min(TRIED, sheet.slots); k += 1u) {
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

// Whether they are of two bodies, or of one that may collide with itself and share no vertex.
fn may_collide(p: u32, q: u32) -> bool {
    let a = vertices_of(p);
    let b = vertices_of(q);
    let body = bitcast<u32>(screen[a.x].w) & OWNER_BODY;
    if (body != (bitcast<u32>(screen[b.x].w) & OWNER_BODY)) {
        return true;
    }
    return parts[body].with_itself != 0u && !(any(a == b) || any(a == b.yzx) || any(a == b.zxy));
}

// Whether two surfaces are a pair; then it is added.
fn compare(p: u32, q: u32) -> bool {
    let a = min(p, q) >> 1u;
    let b = max(p, q) >> 1u;
    if (!may_collide(a, b)) {
        return false;
    }
    add(a, b);
    return true;
}

// Whether two fragments are near each other, and a pair.
fn are_near(p: u32, depth: f32, q: u32) -> bool {
    if (abs(bitcast<f32>(fragments[q]) - depth) <= sheet.near) {
        return compare(fragments[p + 1u], fragments[q + 1u]);
    }
    return false;
}

// Every ray counts once, whoever shares it and however often it is looked at.
fn tell(pixel: u32) {
    if ((atomicOr(&cells[pixel], IS_NEAR) & IS_NEAR) == 0u) {
        atomicAdd(&counters[NEAR_RAYS], 1u);
    }
}

fn cell(pixel: u32) -> u32 {
    return atomicLoad(&cells[pixel]) & ~IS_NEAR;
}

// A thread for a few rays.
@compute @workgroup_size(64)
fn pairs_of_runs(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixels = groups_from();
    let group = id.x + id.y * groups.x * 64u;
    let first = group * PER_THREAD;
    if (first >= pixels) {
        return;
    }
    var begin = cell(pixels + group);
    for (var pixel = first; pixel < min(first + PER_THREAD, pixels); pixel += 1u) {
        let end = cell(pixel);
        var found = false;
        for (var i = begin; i + 1u < end; i += 1u) {
            let depth = bitcast<f32>(fragments[2u * i]);
            for (var j = i + 1u; j < end; j += 1u) {
                found = are_near(2u * i, depth, 2u * j) || found;
            }
        }
        begin = end;
        if (found) {
            tell(pixel);
        }
    }
}

// Threads that share a ray: each has every so many-th surface, and a part of what follows it.
@compute @workgroup_size(64)
fn pairs_of_long_runs(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixels = groups_from();
    let thread = id.x + id.y * groups.x * 64u;
    let pixel = thread / (sheet.lanes * sheet.parts);
    if (pixel >= pixels) {
        return;
    }
    let lane = thread % sheet.lanes;
    let part = thread / sheet.lanes % sheet.parts;
    var begin = 0u;
    if (pixel % PER_THREAD == 0u) {
        begin = cell(pixels + pixel / PER_THREAD);
    } else {
        begin = cell(pixel - 1u);
    }
    let end = cell(pixel);
    var found = false;
    for (var i = begin + lane; i + 1u < end; i += sheet.lanes) {
        let depth = bitcast<f32>(fragments[2u * i]);
        let from_j = i + 1u + part * SPAN;
        for (var j = from_j; j < min(from_j + SPAN, end); j += 1u) {
            found = are_near(2u * i, depth, 2u * j) || found;
        }
    }
    if (found) {
        tell(pixel);
    }
}

// The same for lists, which are walked whole.
@compute @workgroup_size(64)
fn pairs_of_lists(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = id.x + id.y * groups.x * 64u;
    let pixel = thread / (sheet.lanes * sheet.parts);
    if (pixel >= groups_from()) {
        return;
    }
    let lane = thread % sheet.lanes;
    let part = thread / sheet.lanes % sheet.parts;
    var found = false;
    var n = 0u;
    for (var node = cell(pixel); node != 0u; node = fragments[3u * (node - 1u) + 2u]) {
        let p = 3u * (node - 1u);
        if (n % sheet.lanes == lane) {
            let depth = bitcast<f32>(fragments[p]);
            var m = 0u;
            for (var other = fragments[p + 2u]; other != 0u && m < (part + 1u) * SPAN; m += 1u) {
                if (m >= part * SPAN) {
                    found = are_near(p, depth, 3u * (other - 1u)) || found;
                }
                other = fragments[3u * (other - 1u) + 2u];
            }
        }
        n += 1u;
    }
    if (found) {
        tell(pixel);
    }
}
