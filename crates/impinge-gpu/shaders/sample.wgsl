// The cell where a triangle crosses the middle of each pixel, or all between its least and greatest depth in that pixel: what
// the paper draws. The twin of `depth_slices::draw::sample`, but for the grid to which rasterisers move vertices.

@group(0) @binding(0) var<uniform> plot: Plot;
@group(0) @binding(1) var<storage, read> triangles: array<u32>;
@group(0) @binding(2) var<storage, read> placed: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> bits: array<atomic<u32>>;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) depth: f32,
    // Least depth, greatest depth, half of what the plane changes over a pixel.
    @location(1) @interpolate(flat) range: vec3<f32>,
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let at = 3u * (plot.first_triangle + index / 3u);
    let vertices = vec3(triangles[at], triangles[at + 1u], triangles[at + 2u]);
    let a = placed[vertices.x].xyz;
    let b = placed[vertices.y].xyz;
    let c = placed[vertices.z].xyz;
    var p = a;
    if (index % 3u == 1u) {
        p = b;
    } else if (index % 3u == 2u) {
        p = c;
    }
    var half = 0.0;
    if ((plot.flags & INTERVAL) != 0u) {
        let u = b - a;
        let v = c - a;
        let x = u.y * v.z - u.z * v.y;
        let y = u.z * v.x - u.x * v.z;
        let z = u.x * v.y - u.y * v.x;
        half = (abs(x) + abs(y)) * 0.5;
        if (half < 1e6 * abs(z)) {
            half = half * (1.0 / abs(z));
        } else {
            half = 1e6;
        }
    }
    let size = vec2<f32>(plot.cells.xy);
    let clip = vec2(2.0 * p.x / size.x - 1.0, 1.0 - 2.0 * p.y / size.y);
    let range = vec3(min(min(a.z, b.z), c.z), max(max(a.z, b.z), c.z), half);
    // Nobody is clipped by depth: slices do that.
    var out = Corner(vec4(clip, 0.5, 1.0), p.z, range);
    let beyond = range.x > f32(plot.cells.z) || range.y < 0.0;
    if (vertices.x == 0u || beyond) {
        out.position = vec4(2.0, 2.0, 0.5, 1.0);
    }
    return out;
}

// The same without the range, which samples alone do not need: every vertex once.
@vertex
fn vertex(@location(0) p: vec4<f32>) -> Corner {
    let size = vec2<f32>(plot.cells.xy);
    let clip = vec2(2.0 * p.x / size.x - 1.0, 1.0 - 2.0 * p.y / size.y);
    return Corner(vec4(clip, 0.5, 1.0), p.z, vec3(-1e30, 1e30, 0.0));
}

@fragment
fn sample(in: Corner) -> @location(0) vec4<f32> {
    let end = f32(plot.cells.z);
    let near = max(in.depth - in.range.z, in.range.x);
    let far = min(in.depth + in.range.z, in.range.y);
    if (near <= end && far >= 0.0) {
        let range = vec2(i32(clamp(floor(near), 0.0, end - 1.0)), i32(clamp(floor(far), 0.0, end - 1.0)));
        let first = plot.base + (u32(in.position.y) * plot.cells.x + u32(in.position.x)) * plot.words;
        for (var word = 0u; word < plot.words; word += 1u) {
            let taken = between(range, plot.cells.z, word);
            if (taken != 0u) {
                atomicOr(&bits[first + word], taken);
            }
        }
    }
    return vec4(0.0);
}
