// What every stage of the conservative method knows. Mirrors `layout::CullEntry`. Its definition, and the proof that it misses
// nothing, is `impinge::image_space::conservative`.
struct Cull {
    // Where voxels and cells begin, and where they end.
    low: vec3<f32>,
    // Edge of a cell in mean extents.
    cell: f32,
    high: vec3<f32>,
    // A triangle in more cells is large.
    most_cells: u32,
    voxels_per_unit: vec3<f32>,
    // 1 when several bodies may meet.
    meets: u32,
    voxels: vec3<u32>,
    vertices: u32,
    // Along which axis the region is cut into parts, as 1, and from where to where this part reaches.
    axis: vec3<f32>,
    triangles: u32,
    part_low: f32,
    part_high: f32,
    // How many items each list holds.
    boxes: u32,
    records: u32,
    list: u32,
    chunks: u32,
    tests: u32,
    found: u32,
    large: u32,
    block_pairs: u32,
    cells: u32,
    candidates: u32,
    // 1 when the region was cut.
    is_part: u32,
    // From which on and before which chunks of cells, or blocks of large triangles, are paired.
    first: u32,
    last: u32,
    padding: u32,
}

// How a body takes part. Mirrors `layout::PartyEntry`.
struct Party {
    across: vec4<f32>,
    down: vec4<f32>,
    along: vec4<f32>,
    low: vec3<f32>,
    error: f32,
    high: vec3<f32>,
    flags: u32,
}

const ACTIVE = 1u;
const ITSELF = 2u;

const OWNER_BODY = 0x0fffffffu;
const NOBODY = 0x0fffffffu;
// The triangles around this vertex share nothing but it and their edges.
const OWNER_CERTIFIED = 0x80000000u;

// Numbers that stages leave for each other and for the CPU. Mirrors `layout::CullCounters`.
const BOXES = 0u;
const RECORDS = 1u;
const LIST = 2u;
const CHUNKS = 3u;
const TESTS = 4u;
const FOUND = 5u;
const LARGE = 6u;
const BLOCK_PAIRS = 7u;
const CANDIDATES = 8u;
// Those that are pairs.
const NOTED = 9u;
// Sums of extents, three of two words each.
const EXTENTS = 10u;
// Not 0 when a number no longer fits.
const BEYOND = 16u;
const WIDE_BOXES = 17u;
// Pairs among those found that exact arithmetic must tell about, and that doubles would not tell at once.
const DOUBTS = 18u;

// Extents are summed up in 2^-20 of a unit.
const EXTENT_STEPS = 1048576.0;

// The cell after one, of those from a low to a high one. One loop over all of them instead of one for each axis: devices that take
// several lanes at a time turn as often as the lane with the most turns, in every loop.
fn next_cell(at: vec3<u32>, low: vec3<u32>, high: vec3<u32>) -> vec3<u32> {
    let row = at.x == high.x;
    let layer = row && at.y == high.y;
    return vec3(
        select(at.x + 1u, low.x, row),
        select(select(at.y, at.y + 1u, row), low.y, layer),
        select(at.z, at.z + 1u, layer),
    );
}

// Triangles of a chunk, and how many others of their cell they are held against at most.
const CHUNK = 32u;
const OTHERS = 4096u;
const NONE = 0xffffffffu;
