// A triangle in region coordinates with its box, `triangle_filter::Record`, in six vec4: low corner and
// triangle; high corner and owner bits; three corners, each with its vertex and the certified bit; low cell,
// high cell, error of a coordinate, whether it is large.

const RECORD = 6u;
const BODY = 0x0fffffffu;
// Bit of a vertex: see `stars.wgsl`.
const CERTIFIED = 0x80000000u;
// Bit of an owner: self-collision is on.
const OWNER_SELF_COLLISION = 0x10000000u;
// Bit of an owner: the body may meet others here.
const OWNER_MEETS_OTHERS = 0x20000000u;

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

// The bit above each of three 9-bit numbers, and 1 in each.
const ABOVE = 0x20080200u;
const ONES = 0x00100401u;

// A region coordinate in 510 steps, moved one step outward: devices may round the two ends of a box
// differently.
fn coarse(x: vec3<f32>, outward: i32) -> u32 {
    let size = max(cull.high - cull.low, vec3(1e-30));
    let steps = vec3<i32>(clamp((x - cull.low) / size * 510.0, vec3(0.0), vec3(510.0)));
    return packed(vec3<u32>(clamp(steps + outward, vec3(0), vec3(511))));
}
