// Depth peeling of every ray (4.1, 4.2): the first draw counts the fragments of every ray and peels the first
// layer from each end, every further draw peels the next ones.
//
// Implemented twice: by blending, where the device can blend floats with a maximum, and by atomics, which
// every device has. Both leave the same keys.

@group(0) @binding(0) var<uniform> frame: Frame;
// Two keys per ray, from the front and from the back: after the previous draw, and after this one.
@group(0) @binding(3) var<storage, read> before: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> after: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(6) var before_image: texture_2d<f32>;
@group(0) @binding(7) var<uniform> pass_: Pass;

struct Corner {
    // The same in every pipeline, or a fragment would not be recognised by the next draw.
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) @interpolate(flat) owner: u32,
}

@vertex
fn corner(@location(0) v: vec4<f32>) -> Corner {
    let size = vec2(f32(frame.width), f32(frame.height));
    let xy = vec2(v.x * 2.0 / size.x - 1.0, 1.0 - v.y * 2.0 / size.y);
    return Corner(vec4(xy, v.z, 1.0), bitcast<u32>(v.w));
}

fn fragment_here(at: Corner, front_facing: bool) -> u32 {
    let back = front_facing == ((at.owner & OWNER_MIRRORED) != 0u);
    return fragment_of(at.position.z, (at.owner & OWNER_CLOSED) != 0u, back);
}

// By blending: the maximum of the keys. The stencil counts the fragments, and passes only those of rays that
// have layers left.
@fragment
fn count_and_blend(at: Corner, @builtin(front_facing) front_facing: bool) -> @location(0) vec2<f32> {
    let first = begin(fragment_here(at, front_facing), frame.sides, frame.near);
    return vec2(as_float(first.x, pass_.base_after), as_float(first.y, pass_.base_after));
}

@fragment
fn blend(at: Corner, @builtin(front_facing) front_facing: bool) -> @location(0) vec2<f32> {
    let last = textureLoad(before_image, vec2<u32>(at.position.xy), 0).xy;
    let state = vec2(as_stored(last.x, pass_.base_before), as_stored(last.y, pass_.base_before));
    let next = go_on(state, fragment_here(at, front_facing), pass_.number, frame.near);
    return vec2(as_float(next.x, pass_.base_after), as_float(next.y, pass_.base_after));
}

// By atomics. An atomic maximum that would change nothing is skipped: a load costs less.
fn keep_largest(place: u32, key: u32) {
    if (key > atomicLoad(&after[place])) {
        atomicMax(&after[place], key);
    }
}

fn ray_of(at: Corner) -> u32 {
    return u32(at.position.y) * frame.width + u32(at.position.x);
}

@fragment
fn count_and_peel(at: Corner, @builtin(front_facing) front_facing: bool) {
    let ray = ray_of(at);
    atomicAdd(&counts[ray], 1u);
    let first = begin(fragment_here(at, front_facing), frame.sides, frame.near);
    keep_largest(2u * ray, first.x);
    keep_largest(2u * ray + 1u, first.y);
}

@fragment
fn peel(at: Corner, @builtin(front_facing) front_facing: bool) {
    let ray = ray_of(at);
    let next = go_on(before[ray], fragment_here(at, front_facing), pass_.number, frame.near);
    keep_largest(2u * ray, next.x);
    keep_largest(2u * ray + 1u, next.y);
}
