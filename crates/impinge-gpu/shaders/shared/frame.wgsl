// The parameters of a view. Mirrors `layout::Frame`.
struct Frame {
    width: u32,
    height: u32,
    // Words of 32 rays per row.
    words: u32,
    // The depth distance, in steps, within which open surfaces collide.
    near: u32,
    vertices: u32,
    triangles: u32,
    // Layers peeled per pass: 1 from the front, 2 from both ends.
    sides: u32,
    // Passes done, once all are.
    passes: u32,
    // 1 if rays with more layers than that are collision rays.
    mark: u32,
    margin: u32,
    // First word of flags whose triangles belong to external bodies.
    external_word: u32,
    // 1 if coordinates are divided by the distance from the eye.
    perspective: u32,
}

// A body in a view. Mirrors `layout::BodyEntry`.
struct Body {
    // From body coordinates to pixels across, pixels down, depth.
    across: vec4<f32>,
    down: vec4<f32>,
    along: vec4<f32>,
    // To the distance from the eye, in perspective.
    away: vec4<f32>,
    flags: u32,
    first_vertex: u32,
    // The range of depths it occupies.
    nearest: f32,
    farthest: f32,
}

const CLOSED = 1u;
const MIRRORED = 2u;
const ACTIVE = 4u;

// A vertex holds its body in the bits of a float; one bit is always set, so that the float is not subnormal,
// which some devices flush. In the image it also holds whether the body is closed and mirrored.
const OWNER_BODY = 0x0fffffffu;
const NOBODY = 0x0fffffffu;
const OWNER_NORMAL = 0x10000000u;
const OWNER_CLOSED = 0x20000000u;
const OWNER_MIRRORED = 0x40000000u;

// Indices of counters. Mirrors `layout::Counters`.
const DEEPEST = 0u;
const RAYS = 1u;
const PACKED = 2u;
const PACKED_BEFORE_EXTERNAL = 3u;
const LEFT = 4u;
