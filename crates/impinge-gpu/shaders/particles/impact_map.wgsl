// Impacts into a map of a collider's surface (3.4.2), independent of the order of threads: every impact
// claims its texel by the high word of its time, then by the low word, then by particle and by bounce, each
// by an atomic maximum; the one that holds all four is the latest. Sums are integers, so they do not depend
// on the order either. The twin of `particles::impact_map`.

struct Map {
    // Rows of the linear part that takes the world to the collider's frame, and its origin.
    row_x: vec4<f32>,
    row_y: vec4<f32>,
    row_z: vec4<f32>,
    // Flat surfaces and faces of a box: the corners. Surfaces of revolution: radii and lowest z, and highest
    // z. Directions: the centre.
    low: vec3<f32>,
    kind: u32,
    high: vec3<f32>,
    collider: u32,
    width: u32,
    height: u32,
    // Fixed-point units per unit of speed.
    fixed_per_speed: f32,
    capacity: u32,
}

@group(0) @binding(0) var<uniform> map: Map;
@group(0) @binding(1) var<storage, read> records: array<Record>;
@group(0) @binding(2) var<storage, read> counted: array<u32>;
@group(0) @binding(3) var<storage, read_write> claims: array<atomic<u32>>;
// Six words per texel: hits, time (low, high), the latest speed, the sum of speeds (low, high).
@group(0) @binding(4) var<storage, read_write> texels: array<atomic<u32>>;

const FLAT = 0u;
const FACES = 1u;
const UNROLLED = 2u;

const CLAIMS = 4u;
const WORDS = 6u;

// The angle of a vector in turns, from -1/2 to 1/2. The built-in atan2 may have a relative error of 1/1000.
fn longitude(x: f32, y: f32) -> f32 {
    let a = abs(x);
    let b = abs(y);
    let most = max(a, b);
    if (!(most > 0.0)) {
        return 0.0;
    }
    var ratio = min(a, b) / most;
    var base = 0.0;
    if (ratio > 0.41421357) {
        ratio = (ratio - 1.0) / (ratio + 1.0);
        base = 0.78539819;
    }
    let square = ratio * ratio;
    let series = ((8.0537449e-2 * square - 1.3877685e-1) * square + 1.9977711e-1) * square - 3.3332949e-1;
    var angle = base + ratio + ratio * square * series;
    angle = select(angle, 1.5707964 - angle, b > a);
    angle = select(angle, 3.1415927 - angle, x < 0.0);
    return select(angle, -angle, y < 0.0) * 0.15915494;
}

fn part(x: f32, from_x: f32, to_x: f32) -> f32 {
    return clamp((x - from_x) / (to_x - from_x), 0.0, 1.0);
}

// Map coordinates of an impact, from 0 to 1 across and down.
fn place_of(record: Record) -> vec2<f32> {
    let d = record.position - vec3(map.row_x.w, map.row_y.w, map.row_z.w);
    let p = vec3(dot(map.row_x.xyz, d), dot(map.row_y.xyz, d), dot(map.row_z.xyz, d));
    if (map.kind == FLAT) {
        return vec2(part(p.x, map.low.x, map.high.x), part(p.y, map.low.y, map.high.y));
    }
    if (map.kind == FACES) {
        let axis = min(record.element / 2u, 2u);
        let i = (axis + 1u) % 3u;
        let j = (axis + 2u) % 3u;
        // Just below the next face.
        let across = min(part(p[i], map.low[i], map.high[i]), 0.99999994);
        return vec2((f32(min(record.element, 5u)) + across) / 6.0, part(p[j], map.low[j], map.high[j]));
    }
    if (map.kind == UNROLLED) {
        return vec2(0.5 + longitude(p.x / map.low.x, p.y / map.low.y), part(p.z, map.low.z, map.high.z));
    }
    let q = p - map.low;
    let distance = sqrt(dot(q, q));
    return vec2(0.5 + longitude(q.x, q.y), select(0.0, part(q.z / distance, -1.0, 1.0), distance > 0.0));
}

fn texel_of(record: Record) -> u32 {
    let place = place_of(record);
    let x = min(u32(place.x * f32(map.width)), map.width - 1u);
    let y = min(u32(place.y * f32(map.height)), map.height - 1u);
    return y * map.width + x;
}

// Whether the thread has a record of this map.
fn is_ours(i: u32) -> bool {
    return i < min(counted[RECORDS], map.capacity) && records[i].collider == map.collider;
}

// The high word of the time as an unsigned key.
fn high_of(i: u32) -> u32 {
    return records[i].time_high ^ 0x80000000u;
}

@compute @workgroup_size(64)
fn claim_high(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if (!is_ours(i)) {
        return;
    }
    let texel = texel_of(records[i]);
    atomicMax(&claims[CLAIMS * texel], high_of(i));
    atomicAdd(&texels[WORDS * texel], 1u);
    let velocity = records[i].velocity;
    let fixed = u32(min(sqrt(dot(velocity, velocity)) * map.fixed_per_speed + 0.5, 4294967040.0));
    let before = atomicAdd(&texels[WORDS * texel + 4u], fixed);
    if (before + fixed < before) {
        atomicAdd(&texels[WORDS * texel + 5u], 1u);
    }
}

@compute @workgroup_size(64)
fn claim_low(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if (!is_ours(i)) {
        return;
    }
    let texel = texel_of(records[i]);
    if (atomicLoad(&claims[CLAIMS * texel]) == high_of(i)) {
        atomicMax(&claims[CLAIMS * texel + 1u], records[i].time_low);
    }
}

fn holds_time(texel: u32, i: u32) -> bool {
    let high = atomicLoad(&claims[CLAIMS * texel]);
    return high == high_of(i) && atomicLoad(&claims[CLAIMS * texel + 1u]) == records[i].time_low;
}

@compute @workgroup_size(64)
fn claim_particle(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if (!is_ours(i)) {
        return;
    }
    let texel = texel_of(records[i]);
    if (holds_time(texel, i)) {
        atomicMax(&claims[CLAIMS * texel + 2u], records[i].particle);
    }
}

@compute @workgroup_size(64)
fn claim_bounce(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if (!is_ours(i)) {
        return;
    }
    let texel = texel_of(records[i]);
    if (holds_time(texel, i) && atomicLoad(&claims[CLAIMS * texel + 2u]) == records[i].particle) {
        atomicMax(&claims[CLAIMS * texel + 3u], records[i].bounce);
    }
}

@compute @workgroup_size(64)
fn resolve(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if (!is_ours(i)) {
        return;
    }
    let texel = texel_of(records[i]);
    let is_latest = holds_time(texel, i)
        && atomicLoad(&claims[CLAIMS * texel + 2u]) == records[i].particle
        && atomicLoad(&claims[CLAIMS * texel + 3u]) == records[i].bounce;
    if (!is_latest) {
        return;
    }
    // Only one thread per texel comes here. The texel may already hold a later impact: a step may take
    // several dispatches.
    let place = WORDS * texel;
    let held = vec2(atomicLoad(&texels[place + 1u]), atomicLoad(&texels[place + 2u]));
    let high = high_of(i);
    if (held.y > high || (held.y == high && held.x > records[i].time_low)) {
        return;
    }
    let velocity = records[i].velocity;
    atomicStore(&texels[place + 1u], records[i].time_low);
    atomicStore(&texels[place + 2u], high);
    atomicStore(&texels[place + 3u], bitcast<u32>(sqrt(dot(velocity, velocity))));
}
