// Boxes around triangles, eight corners each. The twin of `cullide::offsets::Boxed::around`.

// Mirrors `layout::OffsetEntry`.
struct Offset {
    // The range of triangles.
    first: u32,
    count: u32,
    // Growth of the boxes in pixels: half of the reliability offset, half of the distance.
    half: f32,
    apart: f32,
    // Pixels per unit of depth.
    deep: f32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

@group(0) @binding(0) var<uniform> offset: Offset;
@group(0) @binding(1) var<storage, read> triangles: array<u32>;
@group(0) @binding(2) var<storage, read> screen: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> corners: array<vec4<f32>>;

// `tolerance::OFFSET_SIZE`.
const OFFSET_SIZE = 0.00006103515625;
const NO_EDGE = 1e-10;
const SQRT_3 = 1.7320508;

fn place(vertex: u32) -> vec3<f32> {
    let v = screen[vertex];
    return vec3(v.xy, v.z * offset.deep);
}

// The axis, reversed if it points towards the eye.
fn turned(axis: vec3<f32>) -> vec3<f32> {
    return select(axis, -axis, axis.z < 0.0);
}

fn extent(u: vec3<f32>, v: vec3<f32>, axis: vec3<f32>, radius: f32) -> vec2<f32> {
    let p = dot(u, axis);
    let q = dot(v, axis);
    return vec2(min(min(p, q), 0.0) - radius, max(max(p, q), 0.0) + radius);
}

@compute @workgroup_size(64)
fn offsets(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let n = id.x + id.y * groups.x * 64u;
    if (n >= offset.count) {
        return;
    }
    let triangle = offset.first + n;
    var a = place(triangles[3u * triangle]);
    var b = place(triangles[3u * triangle + 1u]);
    var c = place(triangles[3u * triangle + 2u]);
    let squares = vec3(dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c));
    // Rotates the corners so that the longest edge goes from a to b.
    if (!(squares.x >= squares.y && squares.x >= squares.z)) {
        let first = a;
        if (squares.y >= squares.z) {
            a = b;
            b = c;
            c = first;
        } else {
            a = c;
            c = b;
            b = first;
        }
    }
    let u = b - a;
    let v = c - a;
    let longest = sqrt(dot(u, u));
    var along = vec3(1.0, 0.0, 0.0);
    if (longest > NO_EDGE) {
        along = u * (1.0 / longest);
    }
    let height = v - along * dot(v, along);
    let high = sqrt(dot(height, height));
    var beside = select(vec3(0.0, 1.0, 0.0), vec3(1.0, 0.0, 0.0), abs(along.x) < 0.6);
    if (high > NO_EDGE && high > 1e-4 * longest) {
        beside = height * (1.0 / high);
    }
    let square = beside - along * dot(beside, along);
    let across = square * (1.0 / sqrt(dot(square, square)));
    let half = select(0.0, offset.half + OFFSET_SIZE * longest, offset.half > 0.0);
    let radius = SQRT_3 * half + offset.apart;
    let x = turned(along);
    let y = turned(across);
    let z = turned(cross(along, across));
    let on_x = extent(u, v, x, radius);
    let on_y = extent(u, v, y, radius);
    let on_z = extent(u, v, z, radius);
    let corner = a + on_x.x * x + on_y.x * y + on_z.x * z;
    let sides = mat3x3((on_x.y - on_x.x) * x, (on_y.y - on_y.x) * y, (on_z.y - on_z.x) * z);
    for (var k = 0u; k < 8u; k++) {
        let bits = vec3(f32(k & 1u), f32(k >> 1u & 1u), f32(k >> 2u & 1u));
        let p = corner + sides * bits;
        corners[8u * triangle + k] = vec4(p.xy, p.z / offset.deep, 1.0);
    }
}
