// The cells that both bodies have set: how many, and their box. The twin of `overlap_cells::planes`.

@group(0) @binding(0) var<uniform> plot: Plot;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// The number of cells; the complement of the lowest column, row and slice; the highest; what is proven; then
// the number of cells of every row.
@group(0) @binding(2) var<storage, read_write> found: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> list: array<u32>;

const CELLS = 0u;
const LOW = 1u;
const HIGH = 4u;
const SEEN = 7u;
const ROWS = 8u;

// Whether the surface of a body is proven to have a point inside the other (1), or outside (2).
fn seen(own: u32, other: u32, at: u32) -> u32 {
    let sure = bits[own + 2u * plot.plane + at] & ~bits[other + at] & ~bits[other + 3u * plot.plane + at];
    let inside = bits[other + plot.plane + at];
    return select(0u, 1u, (sure & inside) != 0u) | select(0u, 2u, (sure & ~inside) != 0u);
}

// One workgroup per row.
@compute @workgroup_size(64)
fn share(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row = group.x;
    // The planes of the second body follow those of the first.
    let second = plot.base;
    var count = 0u;
    var least = vec2(0xffffffffu);
    var greatest = vec2(0u);
    var proven = 0u;
    for (var x = thread; x < plot.cells.x; x += 64u) {
        for (var word = 0u; word < plot.words; word += 1u) {
            let at = (row * plot.cells.x + x) * plot.words + word;
            let both = bits[at] & bits[second + at];
            if (both != 0u) {
                count += countOneBits(both);
                least = min(least, vec2(x, 32u * word + countTrailingZeros(both)));
                greatest = max(greatest, vec2(x, 32u * word + 31u - countLeadingZeros(both)));
            }
            if ((plot.flags & PROVEN) != 0u) {
                proven |= seen(0u, second, at) | (seen(second, 0u, at) << 2u);
            }
        }
    }
    if (proven != 0u) {
        atomicOr(&found[SEEN], proven);
    }
    if (count == 0u) {
        return;
    }
    atomicAdd(&found[CELLS], count);
    atomicAdd(&found[ROWS + row], count);
    atomicMax(&found[LOW], ~least.x);
    atomicMax(&found[LOW + 1u], ~row);
    atomicMax(&found[LOW + 2u], ~least.y);
    atomicMax(&found[HIGH], greatest.x);
    atomicMax(&found[HIGH + 1u], row);
    atomicMax(&found[HIGH + 2u], greatest.y);
}

// One thread per row: the first cells in row order, as many as the list holds.
@compute @workgroup_size(64)
fn enumerate(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= plot.cells.y) {
        return;
    }
    var next = 0u;
    for (var before = 0u; before < row; before += 1u) {
        next += atomicLoad(&found[ROWS + before]);
    }
    let end = arrayLength(&list);
    for (var x = 0u; x < plot.cells.x && next < end; x += 1u) {
        for (var word = 0u; word < plot.words; word += 1u) {
            let at = (row * plot.cells.x + x) * plot.words + word;
            var both = bits[at] & bits[plot.base + at];
            while (both != 0u && next < end) {
                let slice = 32u * word + countTrailingZeros(both);
                list[next] = x | (row << 10u) | (slice << 20u);
                next += 1u;
                both &= both - 1u;
            }
        }
    }
}
