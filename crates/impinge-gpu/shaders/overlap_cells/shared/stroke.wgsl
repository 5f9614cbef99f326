// Bindings and ranges shared by `cover.wgsl` and `sample.wgsl`.

@group(0) @binding(0) var<uniform> plot: Plot;
@group(0) @binding(1) var<storage, read> triangles: array<u32>;
@group(0) @binding(2) var<storage, read> placed: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> bits: array<atomic<u32>>;
// The number of triangles left for a workgroup each, then the triangles.
@group(0) @binding(4) var<storage, read_write> large: array<atomic<u32>>;

// Larger triangles are left for a workgroup.
const MAX_PIXELS_PER_THREAD = 256u;

struct Corners {
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
    wide: vec3<f32>,
    // False for padding: vertex 0 belongs to no body.
    any: bool,
}

fn corners(n: u32) -> Corners {
    let at = 3u * (plot.first_triangle + n);
    let vertices = vec3(triangles[at], triangles[at + 1u], triangles[at + 2u]);
    var a = placed[vertices.x].xyz;
    var b = placed[vertices.y].xyz;
    var c = placed[vertices.z].xyz;
    var wide = plot.wide;
    if ((plot.flags & SWEEPS) != 0u) {
        let to_a = placed[plot.place + vertices.x].xyz;
        let to_b = placed[plot.place + vertices.y].xyz;
        let to_c = placed[plot.place + vertices.z].xyz;
        wide = max(max(abs(to_a - a), abs(to_b - b)), abs(to_c - c)) * 0.5 + 2.0 * wide;
        a = a * 0.5 + to_a * 0.5;
        b = b * 0.5 + to_b * 0.5;
        c = c * 0.5 + to_c * 0.5;
    }
    return Corners(a, b, c, wide, vertices.x != 0u);
}

// A triangle, the pixels it may touch, and whether there are any.
struct Footprint {
    corners: Corners,
    columns: vec2<u32>,
    rows: vec2<u32>,
    any: bool,
}

// The first and the last cell along an axis; reversed if none.
fn span(low: f32, high: f32, cells: u32) -> vec2<u32> {
    if (!(low <= f32(cells) && high >= 0.0)) {
        return vec2(1u, 0u);
    }
    let last = f32(cells) - 1.0;
    return vec2(u32(clamp(floor(low), 0.0, last)), u32(clamp(floor(high), 0.0, last)));
}

// Whether a triangle is left for a workgroup; appends it to the list then.
fn leave_if_large(n: u32, columns: vec2<u32>, rows: vec2<u32>) -> bool {
    let pixels = (columns.y - columns.x + 1u) * (rows.y - rows.x + 1u);
    if (pixels > MAX_PIXELS_PER_THREAD) {
        let place = atomicAdd(&large[0], 1u);
        atomicStore(&large[1u + place], n);
    }
    return pixels > MAX_PIXELS_PER_THREAD;
}
