// The rows of an image that are processed together. Mirrors `layout::SheetEntry`.
struct Sheet {
    width: u32,
    first_row: u32,
    end_row: u32,
    triangles: u32,
    // Capacity in fragments.
    capacity: u32,
    // Slots of the hash table of pairs, a power of two.
    slots: u32,
    // The depth distance within which surfaces may collide.
    near: f32,
    // Capacity in tiles of large triangles.
    large: u32,
    // Threads per ray, and spans of the fragments that follow one; each thread takes one span.
    lanes: u32,
    spans: u32,
    padding_0: u32,
    padding_1: u32,
}

// Where fragments of a body are stored. Mirrors `layout::RegionEntry`.
struct RegionOfInterest {
    columns: vec2<u32>,
    rows: vec2<u32>,
    depths: vec2<f32>,
    with_itself: u32,
    padding: u32,
}

// Mirrors `layout::SheetCounters`.
const FRAGMENTS = 0u;
const WRAPPED = 1u;
const DEEPEST_RAY = 2u;
const LARGE_PARTS = 3u;
const NEAR_RAYS = 4u;
const PAIRS = 5u;
const LOST = 6u;

// Pixels per thread of the running sum.
const PIXELS_PER_THREAD = 16u;

// Behind the cells of the pixels: the begin of every group of `PIXELS_PER_THREAD`.
fn groups_from() -> u32 {
    return sheet.width * (sheet.end_row - sheet.first_row);
}

@group(0) @binding(0) var<uniform> sheet: Sheet;
@group(0) @binding(1) var<storage, read> triangles: array<u32>;
@group(0) @binding(2) var<storage, read> screen: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> regions: array<RegionOfInterest>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;
