// A grid of whole boxes: cells chosen from the triangles that are left, counted, given room, filled. The twin of
// `conservative::box_pairs`.

struct Grid {
    low: vec3<f32>,
    count: u32,
    per_unit: vec3<f32>,
    padding: u32,
    cells: vec3<u32>,
}

@group(0) @binding(0) var<uniform> cull: Cull;
@group(0) @binding(1) var<uniform> told: array<vec4<u32>, 16>;
@group(0) @binding(2) var<storage, read_write> grid: Grid;
@group(0) @binding(3) var<storage, read_write> records: array<vec4<u32>>;
// For every cell, how many triangles are in it; then, where in the list they end.
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> ends: array<atomic<u32>>;
// Two groups of four words each: see `shared/item.wgsl`.
@group(0) @binding(6) var<storage, read_write> list: array<vec4<u32>>;
// Where in the list a cell begins, how many it has, from which on a chunk is, and against which on.
@group(0) @binding(7) var<storage, read_write> chunks: array<vec4<u32>>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;
// Three words each: the record, and where its corners are in the region.
@group(0) @binding(9) var<storage, read_write> large: array<u32>;

const THREADS = 64u;
const RUN = 8u;
const MOST_ALONG = 1024.0;

fn mean(axis: u32, count: f32) -> f32 {
    let low = f32(told_number(EXTENTS + 2u * axis));
    let high = f32(told_number(EXTENTS + 2u * axis + 1u));
    return (low + high * 4294967296.0) / EXTENT_STEPS / count;
}

// One thread: cells whose edges are a few mean extents, no more of them than a few for each triangle.
@compute @workgroup_size(1)
fn choose() {
    let count = max(f32(told_number(RECORDS)), 1.0);
    let size = max(cull.high - cull.low, vec3(1e-30));
    let means = vec3(mean(0u, count), mean(1u, count), mean(2u, count));
    var edge = max(means * cull.cell, size / MOST_ALONG);
    var cells = vec3(1u);
    for (var step = 0u; step < 200u; step += 1u) {
        cells = vec3<u32>(clamp(size / edge, vec3(1.0), vec3(MOST_ALONG)));
        if (f32(cells.x) * f32(cells.y) * f32(cells.z) <= min(max(4.0 * count, 64.0), f32(cull.cells))) {
            break;
        }
        edge *= 1.25;
        cells = vec3(1u);
    }
    grid.low = cull.low;
    grid.per_unit = vec3<f32>(cells) / size;
    grid.cells = cells;
    grid.count = cells.x * cells.y * cells.z;
}

fn cell(x: vec3<f32>) -> vec3<u32> {
    return min(vec3<u32>(clamp((x - grid.low) * grid.per_unit, vec3(0.0), vec3(MOST_ALONG))), grid.cells - 1u);
}

fn index(at: vec3<u32>) -> u32 {
    return (at.z * grid.cells.y + at.y) * grid.cells.x + at.x;
}

// From which cell to which a record reaches, and how many are in each cell.
@compute @workgroup_size(THREADS)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(told_number(RECORDS), cull.records);
    var left = rounds(id.x, total, groups.x * THREADS);
    for (var at = id.x; at < total; at += groups.x * THREADS) {
        left -= 1u;
        let from_cell = cell(floats(records[RECORD * at]));
        let to_cell = cell(floats(records[RECORD * at + 1u]));
        let size = to_cell - from_cell + 1u;
        let is_large = size.x * size.y * size.z > cull.most_cells;
        let error = records[RECORD * at + 5u].z;
        records[RECORD * at + 5u] = vec4(packed(from_cell), packed(to_cell), error, u32(is_large));
        if (is_large) {
            let slot = take(LARGE, 1u);
            if (slot < cull.large) {
                large[3u * slot] = at;
                large[3u * slot + 1u] = coarse(floats(records[RECORD * at]), -1);
                large[3u * slot + 2u] = coarse(floats(records[RECORD * at + 1u]), 1);
            }
        } else {
            var here = from_cell;
            var cells_left = size.x * size.y * size.z;
            while (cells_left != 0u) {
                atomicAdd(&counts[index(here)], 1u);
                here = next_cell(here, from_cell, to_cell);
                cells_left -= 1u;
            }
            finished(cells_left);
        }
    }
    finished(left);
}

// Chunks of a cell with so many: those from each on, against so many others at a time.
fn chunks_of(n: u32) -> u32 {
    let rows = (n - 2u) / CHUNK + 1u;
    if (n <= OTHERS) {
        return rows;
    }
    var sum = 0u;
    for (var first = 0u; first + 1u < n; first += CHUNK) {
        sum += (n - first + OTHERS - 1u) / OTHERS;
    }
    return sum;
}

// Room in the list for every cell with at least two, in no particular order, and chunks of lanes for it.
@compute @workgroup_size(THREADS)
fn allocate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = grid.count;
    var left = rounds(id.x, (total + RUN - 1u) / RUN, groups.x * THREADS);
    for (var run = id.x; run < (total + RUN - 1u) / RUN; run += groups.x * THREADS) {
        left -= 1u;
        var items = 0u;
        var needed = 0u;
        for (var k = 0u; k < min(RUN, total - run * RUN); k += 1u) {
            let here = run * RUN + k;
            {
                let n = atomicLoad(&counts[here]);
                if (n > 1u) {
                    items += n;
                    needed += chunks_of(n);
                }
            }
        }
        var start = 0u;
        var chunk = 0u;
        if (items != 0u) {
            start = take(LIST, items);
            chunk = take(CHUNKS, needed);
        }
        for (var k = 0u; k < min(RUN, total - run * RUN); k += 1u) {
            let here = run * RUN + k;
            {
                let n = atomicLoad(&counts[here]);
                if (n > 1u) {
                    atomicStore(&ends[here], start);
                    var chunks_left = chunks_of(n);
                    // The last one has none after it.
                    for (var first = 0u; first + 1u < n; first += CHUNK) {
                        for (var other = first; other < n; other += OTHERS) {
                            if (chunk < cull.chunks) {
                                chunks[chunk] = vec4(start, n, first, other);
                            }
                            chunk += 1u;
                            chunks_left -= 1u;
                        }
                    }
                    finished(chunks_left);
                    start += n;
                } else {
                    atomicStore(&ends[here], NONE);
                }
            }
        }
    }
    finished(left);
}

// Where a coordinate is in a cell: 0 before it, 511 after it, else one of 510 steps, and one more outward: devices may round the two
// ends of a box in different ways.
fn step(x: vec3<f32>, of_x: vec3<u32>, here: vec3<u32>, outward: i32) -> vec3<u32> {
    let within = (x - grid.low) * grid.per_unit - vec3<f32>(here);
    let inside = clamp(1 + vec3<i32>(clamp(within * 510.0, vec3(0.0), vec3(509.0))) + outward, vec3(1), vec3(510));
    return select(select(vec3<u32>(inside), vec3(511u), of_x > here), vec3(0u), of_x < here);
}

// Where a sum or a difference of two coordinates is, in 510 steps over four cells, and one more outward, as above. What is outside is
// at the ends: the function grows with its argument, so intervals that share a number still do.
fn slab(x: vec3<f32>, outward: i32) -> u32 {
    let steps = vec3<i32>(clamp(x * 127.5, vec3(0.0), vec3(510.0)));
    return packed(vec3<u32>(clamp(steps + outward, vec3(0), vec3(511))));
}

// A coordinate in cells is off by the error of a vertex and by a few roundings of itself: 2^-20 of it, with room. Where that is more
// than a few cells, slabs tell nothing.
const SLAB_ROUNDING = 9.536743e-7;
const SLAB_REACH = 1048576.0;
// 511 along each of the three.
const SLAB_END = 0x1ff7fdffu;

// Every record into the cells it reaches: its number, and which cell that is. Lanes that go in step turn as often here as the one with
// the most cells; so everything else is left to `describe`.
@compute @workgroup_size(THREADS)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(told_number(RECORDS), cull.records);
    var left = rounds(id.x, total, groups.x * THREADS);
    for (var at = id.x; at < total; at += groups.x * THREADS) {
        left -= 1u;
        let words = records[RECORD * at + 5u];
        if (words.w == 0u) {
            let from_cell = unpacked(words.x);
            let to_cell = unpacked(words.y);
            let size = to_cell - from_cell + 1u;
            var here = from_cell;
            var cells_left = size.x * size.y * size.z;
            while (cells_left != 0u) {
                cells_left -= 1u;
                let cell_at = index(here);
                if (atomicLoad(&ends[cell_at]) != NONE) {
                    let slot = atomicAdd(&ends[cell_at], 1u);
                    if (slot < cull.list) {
                        list[2u * slot].x = at;
                        list[2u * slot].y = packed(here);
                    }
                }
                here = next_cell(here, from_cell, to_cell);
            }
            finished(cells_left);
        }
    }
    finished(left);
}

// What pairs are told of every record in a cell: an item at a time, whosever it is.
@compute @workgroup_size(THREADS)
fn describe(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(told_number(LIST), cull.list);
    var left = rounds(id.x, total, groups.x * THREADS);
    for (var slot = id.x; slot < total; slot += groups.x * THREADS) {
        left -= 1u;
        let at = list[2u * slot].x;
        let here = unpacked(list[2u * slot].y);
        let words = records[RECORD * at + 5u];
        let from_step = packed(step(floats(records[RECORD * at]), unpacked(words.x), here, -1));
        let to_step = packed(step(floats(records[RECORD * at + 1u]), unpacked(words.y), here, 1));
        let p = (floats(records[RECORD * at + 2u]) - grid.low) * grid.per_unit;
        let q = (floats(records[RECORD * at + 3u]) - grid.low) * grid.per_unit;
        let r = (floats(records[RECORD * at + 4u]) - grid.low) * grid.per_unit;
        let far = max(max(abs(p), abs(q)), abs(r));
        let is_near = all(far < vec3(SLAB_REACH));
        let off = 2.0 * bitcast<f32>(words.z) * grid.per_unit + SLAB_ROUNDING * far;
        let both = off + off.yzx;
        let corner = vec3<f32>(here);
        // The slabs x + y, y + z, z + x begin at -1, those of x - y, y - z, z - x at -2.
        let sum = corner + corner.yzx - 1.0;
        let difference = corner - corner.yzx - 2.0;
        let slabs = vec4(
            slab(min(min(p + p.yzx, q + q.yzx), r + r.yzx) - both - sum, -1),
            slab(max(max(p + p.yzx, q + q.yzx), r + r.yzx) + both - sum, 1),
            slab(min(min(p - p.yzx, q - q.yzx), r - r.yzx) - both - difference, -1),
            slab(max(max(p - p.yzx, q - q.yzx), r - r.yzx) + both - difference, 1),
        );
        list[2u * slot] = vec4(at, from_step, to_step, records[RECORD * at + 1u].w);
        list[2u * slot + 1u] = select(vec4(0u, SLAB_END, 0u, SLAB_END), slabs, is_near);
    }
    finished(left);
}
