// The grid: choose the cell size from the remaining triangles, count triangles per cell, allocate, scatter,
// describe. The twin of `grid::cells`.

struct Grid {
    low: vec3<f32>,
    count: u32,
    per_unit: vec3<f32>,
    padding: u32,
    cells: vec3<u32>,
}

@group(0) @binding(0) var<uniform> cull: Cull;
@group(0) @binding(1) var<uniform> counted: array<vec4<u32>, 16>;
@group(0) @binding(2) var<storage, read_write> grid: Grid;
@group(0) @binding(3) var<storage, read_write> records: array<vec4<u32>>;
// Triangles per cell; then the end of the cell in the list.
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> ends: array<atomic<u32>>;
// Two vec4 per item: see `item.wgsl`.
@group(0) @binding(6) var<storage, read_write> list: array<vec4<u32>>;
// Start of the cell in the list, its item count, the first triangle of the chunk, the first triangle it is
// paired with.
@group(0) @binding(7) var<storage, read_write> chunks: array<vec4<u32>>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;
// Three words per large triangle: the record, and the quantised corners of its box.
@group(0) @binding(9) var<storage, read_write> large: array<u32>;

const THREADS = 64u;
const RUN = 8u;
const MAX_CELLS_PER_AXIS = 1024.0;

fn mean(axis: u32, count: f32) -> f32 {
    let low = f32(count_of(EXTENTS + 2u * axis));
    let high = f32(count_of(EXTENTS + 2u * axis + 1u));
    return (low + high * 4294967296.0) / EXTENT_STEPS / count;
}

// One thread: edges of a few mean extents, and at most four cells per triangle.
@compute @workgroup_size(1)
fn choose() {
    let count = max(f32(count_of(RECORDS)), 1.0);
    let size = max(cull.high - cull.low, vec3(1e-30));
    let means = vec3(mean(0u, count), mean(1u, count), mean(2u, count));
    var edge = max(means * cull.cell, size / MAX_CELLS_PER_AXIS);
    var cells = vec3(1u);
    for (var step = 0u; step < 200u; step += 1u) {
        cells = vec3<u32>(clamp(size / edge, vec3(1.0), vec3(MAX_CELLS_PER_AXIS)));
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
    return min(vec3<u32>(clamp((x - grid.low) * grid.per_unit, vec3(0.0), vec3(MAX_CELLS_PER_AXIS))), grid.cells - 1u);
}

fn index(at: vec3<u32>) -> u32 {
    return (at.z * grid.cells.y + at.y) * grid.cells.x + at.x;
}

// The cell range of every record, and the number of records per cell.
@compute @workgroup_size(THREADS)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(count_of(RECORDS), cull.records);
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
            let slot = reserve(LARGE, 1u);
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

// Chunks of a cell with `n` items: one per `CHUNK` triangles and `OTHERS` items after them.
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

// Allocates list space for every cell with at least two items, in no particular order, and writes its chunks.
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
            start = reserve(LIST, items);
            chunk = reserve(CHUNKS, needed);
        }
        for (var k = 0u; k < min(RUN, total - run * RUN); k += 1u) {
            let here = run * RUN + k;
            {
                let n = atomicLoad(&counts[here]);
                if (n > 1u) {
                    atomicStore(&ends[here], start);
                    var chunks_left = chunks_of(n);
                    // The last triangle has no others after it.
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

// A coordinate relative to a cell: 0 before it, 511 after it, else one of 510 steps, moved one step outward
// because devices may round the two ends of a box differently.
fn step(x: vec3<f32>, of_x: vec3<u32>, here: vec3<u32>, outward: i32) -> vec3<u32> {
    let within = (x - grid.low) * grid.per_unit - vec3<f32>(here);
    let inside = clamp(1 + vec3<i32>(clamp(within * 510.0, vec3(0.0), vec3(509.0))) + outward, vec3(1), vec3(510));
    return select(select(vec3<u32>(inside), vec3(511u), of_x > here), vec3(0u), of_x < here);
}

// A sum or difference of two coordinates in 510 steps over four cells, moved one step outward as above.
// Values outside are clamped: the function is monotone, so intervals that share a number still do.
fn slab(x: vec3<f32>, outward: i32) -> u32 {
    let steps = vec3<i32>(clamp(x * 127.5, vec3(0.0), vec3(510.0)));
    return packed(vec3<u32>(clamp(steps + outward, vec3(0), vec3(511))));
}

// A coordinate in cells has the error of a vertex and of a few roundings: below 2^-20 of it, with room. Where
// that exceeds a few cells, slabs are not used.
const SLAB_ROUNDING = 9.536743e-7;
const SLAB_REACH = 1048576.0;
// 511 in each of the three fields.
const SLAB_END = 0x1ff7fdffu;

// Appends every record to its cells: index and cell. Lanes in lockstep take as many turns here as the one
// with the most cells, so everything else is left to `describe`.
@compute @workgroup_size(THREADS)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(count_of(RECORDS), cull.records);
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

// Writes what the pair stage reads of every item, one thread per item.
@compute @workgroup_size(THREADS)
fn describe(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let total = min(count_of(LIST), cull.list);
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
        // The slabs x + y, y + z, z + x begin at -1; those of x - y, y - z, z - x at -2.
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
