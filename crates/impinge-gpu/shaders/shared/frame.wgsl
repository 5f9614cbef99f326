// What every stage of a view knows. Mirrors `layout::Frame`.
struct Frame {
    width: u32,
    height: u32,
    // Words of 32 rays in a row.
    words: u32,
    // Steps of depth within which surfaces that are not closed collide.
    near: u32,
    vertices: u32,
    triangles: u32,
    // Layers a pass peels: 1 from the front, 2 from both ends.
    sides: u32,
    // Passes done, once all are.
    passes: u32,
    // 1 when rays deeper than that are collision rays.
    mark: u32,
    margin: u32,
    // First word of flags whose triangles belong to bodies held on the GPU.
    external_word: u32,
    // 1 when coordinates are divided by the distance from the eye.
    perspective: u32,
}

// What every stage knows about a body. Mirrors `layout::BodyEntry`.
struct Body {
    // From its coordinates to pixels across, pixels down, depth.
    across: vec4<f32>,
    down: vec4<f32>,
    along: vec4<f32>,
    // To the distance from the eye, in perspective.
    away: vec4<f32>,
    flags: u32,
    first_vertex: u32,
    // From where to where it reaches along the rays.
    nearest: f32,
    farthest: f32,
}

const CLOSED = 1u;
const MIRRORED = 2u;
const ACTIVE = 4u;

// A vertex knows its body, in the bits of a float; one that is always set keeps that float from being too small for some
// devices to keep. In the image, it also knows whether the body is closed and mirrored.
const OWNER_BODY = 0x0fffffffu;
const NOBODY = 0x0fffffffu;
const OWNER_NORMAL = 0x10000000u;
const OWNER_CLOSED = 0x20000000u;
const OWNER_MIRRORED = 0x40000000u;

// Numbers that stages leave for the CPU and for each other. Mirrors `layout::Counters`.
const DEEPEST = 0u;
const RAYS = 1u;
const PACKED = 2u;
const PACKED_BEFORE_EXTERNAL = 3u;
const LEFT = 4u;
