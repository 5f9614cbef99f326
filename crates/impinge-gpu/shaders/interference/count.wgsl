// Draws edges into an image, and counts the surfaces before them in the stencil or in another image (Knott
// 4.4.1, 4.5.1). The twin of `interference::count`.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> cast_: Cast;
// The edges of the previous layer; and the bodies, depths and counts of this one.
@group(0) @binding(2) var lines: texture_2d<u32>;
@group(0) @binding(3) var owners: texture_2d<u32>;
@group(0) @binding(4) var depths: texture_depth_2d;
@group(0) @binding(5) var counted: texture_2d<f32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> crossings: array<vec2<u32>>;
@group(0) @binding(8) var<storage, read> bodies: array<Body>;

fn in_clip_space(v: vec3<f32>) -> vec4<f32> {
    let size = vec2(f32(frame.width), f32(frame.height));
    return vec4(v.x * 2.0 / size.x - 1.0, 1.0 - v.y * 2.0 / size.y, v.z, 1.0);
}

struct Edge {
    // The same in every pipeline, or an edge would not be found again at its depth.
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) @interpolate(flat) line: u32,
    @location(1) @interpolate(flat) owner: u32,
}

// A corner of the strip, one pixel wide, that an edge is drawn as.
@vertex
fn edge(@location(0) v: vec4<f32>, @builtin(vertex_index) index: u32) -> Edge {
    return Edge(in_clip_space(v.xyz), cast_.first_line + index / 4u + 1u, bitcast<u32>(v.w) & OWNER_BODY);
}

struct Surface {
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) @interpolate(flat) owner: u32,
}

@vertex
fn surface(@location(0) v: vec4<f32>) -> Surface {
    return Surface(in_clip_space(v.xyz), bitcast<u32>(v.w));
}

// A triangle that covers the image.
@vertex
fn everywhere(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32(index % 2u) * 4.0 - 1.0, f32(index / 2u) * 4.0 - 1.0, 0.0, 1.0);
}

struct Shown {
    @location(0) line: u32,
    @location(1) owner: u32,
}

// Pass 1, first layer: the edge drawn last wins.
@fragment
fn show(at: Edge) -> Shown {
    return Shown(at.line, at.owner);
}

// Further layers: edges drawn before those of the previous layer.
@fragment
fn show_below(at: Edge) -> Shown {
    if (at.line >= textureLoad(lines, vec2<u32>(at.position.xy), 0).x) {
        discard;
    }
    return Shown(at.line, at.owner);
}

// Passes 2 and 3: the stencil counts.
@fragment
fn nothing() {}

// The same for the surfaces of some bodies: additive blending counts.
@fragment
fn count_some(at: Surface, @builtin(front_facing) front_facing: bool) -> @location(0) vec4<f32> {
    let edge = textureLoad(owners, vec2<u32>(at.position.xy), 0).x;
    let front = front_facing != ((at.owner & OWNER_MIRRORED) != 0u);
    let taken = counts(at.owner & OWNER_BODY, edge, cast_.whose);
    let sign = select(0.0, select(-1.0, 1.0, front), taken);
    // Open bodies are counted separately: their signs could cancel those of others.
    let closed = (at.owner & OWNER_CLOSED) != 0u;
    return vec4(select(0.0, sign, closed), select(sign, 0.0, closed), 0.0, 0.0);
}

// Pass 4: edges that are inside something.
@fragment
fn identify_edge(at: Edge) -> @location(0) u32 {
    return at.line;
}

// Pass 7: the body that such an edge is in.
@fragment
fn identify_body(at: Surface) -> @location(0) u32 {
    return (at.owner & OWNER_BODY) + 1u;
}

// Sets the stencil of marked pixels.
@fragment
fn flag(@builtin(position) position: vec4<f32>) {
    if (all(textureLoad(counted, vec2<u32>(position.xy), 0).xy == vec2(0.0))) {
        discard;
    }
}

const BACK = 0x80000000u;
const BEFORE = 0x40000000u;

// Every crossing of the rays to marked pixels. The stencil passes only those, but on devices that test it
// after the shader, the shader must test again.
@fragment
fn list(at: Surface, @builtin(front_facing) front_facing: bool) {
    let pixel = vec2<u32>(at.position.xy);
    let marked = any(textureLoad(counted, pixel, 0).xy != vec2(0.0));
    let body = at.owner & OWNER_BODY;
    let here = pixel.y >= cast_.first_row && pixel.y < cast_.end_row;
    // A loop instead of an if: software rasterisers skip it when no lane enters.
    var left = marked && here && counts(body, textureLoad(owners, pixel, 0).x, cast_.whose);
    while (left) {
        left = false;
        let edge = textureLoad(depths, pixel, 0);
        // A closed body that does not reach as deep as the edge does not contain it; the thesis counts every
        // body.
        if (cast_.whose != ALL && (edge < bodies[body].nearest || edge > bodies[body].farthest)) {
            continue;
        }
        let place = atomicAdd(&counters[CROSSINGS], 1u);
        if (place < cast_.capacity) {
            let back = front_facing == ((at.owner & OWNER_MIRRORED) != 0u);
            let surface = body | select(0u, BACK, back) | select(0u, BEFORE, at.position.z < edge);
            crossings[place] = vec2(pixel.y * frame.width + pixel.x, surface);
        }
    }
}
