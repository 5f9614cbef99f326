// The parameters of every stage of the grid. Mirrors `layout::CullEntry`. The definition of the method, and
// the proof that it is complete, is `impinge::stages::grid`.
struct Cull {
    // The box of the voxels and cells.
    low: vec3<f32>,
    // Edge of a cell in mean extents.
    cell: f32,
    high: vec3<f32>,
    // A triangle in more cells is large.
    most_cells: u32,
    voxels_per_unit: vec3<f32>,
    // 1 if several bodies may meet.
    meets: u32,
    voxels: vec3<u32>,
    vertices: u32,
    // The axis along which the region is subdivided, as a unit vector, and the range of this subregion.
    axis: vec3<f32>,
    triangles: u32,
    subregion_low: f32,
    subregion_high: f32,
    // Capacity of each list.
    boxes: u32,
    records: u32,
    list: u32,
    chunks: u32,
    tests: u32,
    found: u32,
    large: u32,
    block_pairs: u32,
    candidates: u32,
    cells: u32,
    // 1 if the region was subdivided.
    is_subregion: u32,
    // The range of chunks, or of blocks, to pair: for batches.
    first: u32,
    last: u32,
    padding: u32,
}

// A body in region coordinates. Mirrors `layout::BodyInRegionEntry`.
struct BodyInRegion {
    across: vec4<f32>,
    down: vec4<f32>,
    along: vec4<f32>,
    low: vec3<f32>,
    error: f32,
    high: vec3<f32>,
    flags: u32,
}

const ACTIVE = 1u;
const SELF_COLLISION = 2u;

const OWNER_BODY = 0x0fffffffu;
const NOBODY = 0x0fffffffu;
// Bit of a vertex: its triangles share nothing but it and their edges.
const OWNER_CERTIFIED = 0x80000000u;

// Indices of counters. Mirrors `layout::CullCounters`.
const BOXES = 0u;
const RECORDS = 1u;
const LIST = 2u;
const CHUNKS = 3u;
const TESTS = 4u;
const FOUND = 5u;
const LARGE = 6u;
const BLOCK_PAIRS = 7u;
const CANDIDATES = 8u;
// Candidates that hold a pair.
const NOTED = 9u;
// Sums of extents, three of two words each.
const EXTENTS = 10u;
// Non-zero when a count overflowed or a loop ended early.
const BEYOND = 16u;
const WIDE_BOXES = 17u;
// Pairs found that are in doubt, and that the CPU's double filter would not decide at once.
const DOUBTS = 18u;

// Extents are summed in units of 2^-20.
const EXTENT_STEPS = 1048576.0;

// The next cell of a box of cells. One loop over all of them instead of one per axis: in every loop, devices
// with lanes in lockstep iterate as often as the lane with the most iterations.
fn next_cell(at: vec3<u32>, low: vec3<u32>, high: vec3<u32>) -> vec3<u32> {
    let row = at.x == high.x;
    let layer = row && at.y == high.y;
    return vec3(
        select(at.x + 1u, low.x, row),
        select(select(at.y, at.y + 1u, row), low.y, layer),
        select(at.z, at.z + 1u, layer),
    );
}

// Triangles of a chunk, and the most items it is paired with.
const CHUNK = 32u;
const OTHERS = 4096u;
const NONE = 0xffffffffu;
