// Rows of an image whose surfaces are kept. Mirrors `layout::SheetEntry`.
struct Sheet {
    width: u32,
    first_row: u32,
    end_row: u32,
    triangles: u32,
    // Fragments that there is room for.
    capacity: u32,
    // Slots of the table of pairs, a power of two.
    slots: u32,
    // Surfaces at most so far apart may collide.
    near: f32,
    // Parts of large triangles that there is room for.
    large: u32,
    // Threads that share a ray, and parts of what follows a surface that each of them looks through one of.
    lanes: u32,
    parts: u32,
    padding_0: u32,
    padding_1: u32,
}

// Where surfaces of a body are kept. Mirrors `layout::PartEntry`.
struct Part {
    columns: vec2<u32>,
    rows: vec2<u32>,
    depths: vec2<f32>,
    with_itself: u32,
    padding: u32,
}

// Mirrors `layout::SheetCounters`.
const KEPT = 0u;
const WRAPPED = 1u;
const DEEPEST_KEPT = 2u;
const LARGE_PARTS = 3u;
const NEAR_RAYS = 4u;
const PAIRS = 5u;
const LOST = 6u;

// Pixels that one thread gives their places.
const PER_THREAD = 16u;

// After the pixels' own words, where the first of every so many begins.
fn groups_from() -> u32 {
    return sheet.width * (sheet.end_row - sheet.first_row);
}

@group(0) @binding(0) var<uniform> sheet: Sheet;
@group(0) @binding(1) var<storage, read> triangles: array<u32>;
@group(0) @binding(2) var<storage, read> screen: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> parts: array<Part>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;
