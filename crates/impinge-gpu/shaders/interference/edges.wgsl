// Edges to lines in the image, moved outward along vertex normals (Knott 4.3.3). The twin of
// `interference::edges`.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> cast_: Cast;
@group(0) @binding(2) var<storage, read> bodies: array<Body>;
@group(0) @binding(3) var<storage, read> screen: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> triangles: array<u32>;
// Four per vertex: the sum of normals, and the sharpness.
@group(0) @binding(5) var<storage, read_write> outward: array<atomic<i32>>;
@group(0) @binding(6) var<storage, read> sides: array<u32>;
// Four per line: each end, offset by half a pixel to either side.
@group(0) @binding(7) var<storage, read_write> corners: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

const NORMAL_STEPS = 4096.0;
const NO_NORMAL = 64.0;
const MAX_CORNER_SECANT = 8.0;

fn body_of(vertex: u32) -> u32 {
    return bitcast<u32>(screen[vertex].w) & OWNER_BODY;
}

fn is_active(body: u32) -> bool {
    return body != NOBODY && (bodies[body].flags & ACTIVE) != 0u;
}

fn point(vertex: u32) -> vec3<f32> {
    return screen[vertex].xyz * vec3(1.0, 1.0, cast_.pixels_deep);
}

fn corners_of(triangle: u32) -> vec3<u32> {
    return vec3(triangles[3u * triangle], triangles[3u * triangle + 1u], triangles[3u * triangle + 2u]);
}

// Unit normal, and twice the area; zero without one.
fn facing(v: vec3<u32>) -> vec4<f32> {
    let body = body_of(v.x);
    if (!is_active(body)) {
        return vec4(0.0);
    }
    let normal = cross(point(v.y) - point(v.x), point(v.z) - point(v.x));
    let length = sqrt(dot(normal, normal));
    if (!(length > 0.0 && length < 3.0e38)) {
        return vec4(0.0);
    }
    let mirrored = (bodies[body].flags & MIRRORED) != 0u;
    return vec4(normal / select(length, -length, mirrored), length);
}

fn add_normal(vertex: u32, at: vec3<f32>, next: vec3<f32>, last: vec3<f32>, face: vec4<f32>) {
    let weight = atan2(face.w, dot(next - at, last - at)) * NORMAL_STEPS;
    let sum = vec3<i32>(floor(face.xyz * weight + 0.5));
    atomicAdd(&outward[4u * vertex], sum.x);
    atomicAdd(&outward[4u * vertex + 1u], sum.y);
    atomicAdd(&outward[4u * vertex + 2u], sum.z);
}

@compute @workgroup_size(256)
fn sum_normals(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let triangle = id.x + id.y * groups.x * 256u;
    if (triangle >= frame.triangles) {
        return;
    }
    let v = corners_of(triangle);
    let face = facing(v);
    if (face.w == 0.0) {
        return;
    }
    let a = point(v.x);
    let b = point(v.y);
    let c = point(v.z);
    add_normal(v.x, a, b, c, face);
    add_normal(v.y, b, c, a, face);
    add_normal(v.z, c, a, b, face);
}

fn unit_normal(vertex: u32) -> vec3<f32> {
    let normal = vec3(
        f32(atomicLoad(&outward[4u * vertex])),
        f32(atomicLoad(&outward[4u * vertex + 1u])),
        f32(atomicLoad(&outward[4u * vertex + 2u])),
    );
    let length = sqrt(dot(normal, normal));
    return select(vec3(0.0), normal / length, length > NO_NORMAL);
}

fn sharpen(vertex: u32, normal: vec3<f32>) {
    let cosine = dot(unit_normal(vertex), normal);
    atomicMax(&outward[4u * vertex + 3u], i32(ceil((1.0 - cosine) * NORMAL_STEPS)));
}

@compute @workgroup_size(256)
fn measure_sharpness(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let triangle = id.x + id.y * groups.x * 256u;
    if (triangle >= frame.triangles) {
        return;
    }
    let v = corners_of(triangle);
    let face = facing(v);
    if (face.w == 0.0) {
        return;
    }
    sharpen(v.x, face.xyz);
    sharpen(v.y, face.xyz);
    sharpen(v.z, face.xyz);
}

fn cosine(vertex: u32) -> f32 {
    return 1.0 - f32(atomicLoad(&outward[4u * vertex + 3u])) / NORMAL_STEPS;
}

// The displacement of a vertex in pixels.
fn length_of_way(vertex: u32) -> f32 {
    return cast_.clearance / max(cosine(vertex), 1.0 / MAX_CORNER_SECANT);
}

// Whether the displaced vertex is in front of all of its triangles.
fn is_clear(vertex: u32) -> bool {
    return cast_.whose != OWN || cast_.clearance == 0.0 || cosine(vertex) >= 1.0 / MAX_CORNER_SECANT;
}

fn is_outside(a: f32, b: f32, low: f32, high: f32) -> bool {
    return (a < low && b < low) || (a > high && b > high);
}

@compute @workgroup_size(256)
fn draw_lines(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let line = id.x + id.y * groups.x * 256u;
    if (line >= cast_.lines) {
        return;
    }
    let side = sides[cast_.first_line + line];
    let first = side - side % 3u;
    let ends = vec2(triangles[side], triangles[first + (side + 1u - first) % 3u]);
    let body = body_of(ends.x);
    let drawn = is_active(body) && ends.x != ends.y && is_clear(ends.x) && is_clear(ends.y);
    var a = vec3(-1.0, -1.0, 0.0);
    var b = a;
    if (drawn) {
        var ways = vec2(0.0);
        a = screen[ends.x].xyz;
        b = screen[ends.y].xyz;
        if (cast_.clearance > 0.0) {
            ways = vec2(length_of_way(ends.x), length_of_way(ends.y));
            let metric = vec3(1.0, 1.0, 1.0 / cast_.pixels_deep);
            a += unit_normal(ends.x) * ways.x * metric;
            b += unit_normal(ends.y) * ways.y * metric;
        }
        let beside = is_outside(a.x, b.x, -1.0, f32(frame.width) + 1.0) || is_outside(a.y, b.y, -1.0, f32(frame.height) + 1.0);
        if (beside || is_outside(a.z, b.z, cast_.nearest, cast_.farthest)) {
            a = vec3(-1.0, -1.0, 0.0);
            b = a;
        } else if (cast_.clearance > 0.0) {
            // Positive floats sort like their bits.
            atomicMax(&counters[FARTHEST], bitcast<u32>(max(ways.x, ways.y)));
        }
    }
    let level = abs(b.x - a.x) >= abs(b.y - a.y);
    let half = select(vec3(0.5, 0.0, 0.0), vec3(0.0, 0.5, 0.0), level);
    let owner = bitcast<f32>(body | OWNER_NORMAL);
    // An edge that is not drawn has coincident corners.
    let apart = select(vec3(0.0), half, any(a != b));
    corners[4u * line] = vec4(a - apart, owner);
    corners[4u * line + 1u] = vec4(a + apart, owner);
    corners[4u * line + 2u] = vec4(b - apart, owner);
    corners[4u * line + 3u] = vec4(b + apart, owner);
}
