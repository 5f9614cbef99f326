// A triangle that is looked at, as six groups of four words: low corner and triangle; high corner, body and what it does; three
// corners, each with its vertex and whether that is certified; the low and the high cell, what a coordinate is off, and whether it is large.

const RECORD = 6u;
const BODY = 0x0fffffffu;
// Of a vertex: see `stars.wgsl`.
const CERTIFIED = 0x80000000u;
// Its body looks at itself.
const LOOKS_AT_ITSELF = 0x10000000u;
// Its body may meet others there.
const MEETS_OTHERS = 0x20000000u;

struct Corners {
    p: vec3<f32>,
    q: vec3<f32>,
    r: vec3<f32>,
    vertices: vec3<u32>,
    error: f32,
}

fn floats(words: vec4<u32>) -> vec3<f32> {
    return bitcast<vec3<f32>>(words.xyz);
}

fn packed(cell: vec3<u32>) -> u32 {
    return cell.x | (cell.y << 10u) | (cell.z << 20u);
}

fn unpacked(cell: u32) -> vec3<u32> {
    return vec3(cell & 1023u, (cell >> 10u) & 1023u, (cell >> 20u) & 1023u);
}

// One bit above each of three numbers of nine, and one in each.
const ABOVE = 0x20080200u;
const ONES = 0x00100401u;

// Where a coordinate is in the region, in 510 steps, and one more outward: devices may round the two ends of a box in different ways.
fn coarse(x: vec3<f32>, outward: i32) -> u32 {
    let size = max(cull.high - cull.low, vec3(1e-30));
    let steps = vec3<i32>(clamp((x - cull.low) / size * 510.0, vec3(0.0), vec3(510.0)));
    return packed(vec3<u32>(clamp(steps + outward, vec3(0), vec3(511))));
}
