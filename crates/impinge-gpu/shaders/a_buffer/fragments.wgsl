// Fragments of every ray, in counted runs or in linked lists. The twin of `a_buffer::fragments`: the same
// sums in the same order.

// Runs: the fragments of a pixel, then its next free slot, finally the end of its run. Lists: 1 + the node
// added last.
@group(0) @binding(5) var<storage, read_write> cells: array<atomic<u32>>;
// Depth and surface; in lists also the previous node, encoded as in `cells`.
@group(0) @binding(6) var<storage, read_write> fragments: array<u32>;
// Tiles of large triangles: the triangle, and which of its tiles.
@group(0) @binding(7) var<storage, read_write> large: array<vec2<u32>>;

// What is done with a fragment; each is a pipeline of its own, for which `WHAT` is replaced.
const COUNT = 0u;
const PUT = 1u;
const LINK = 2u;
const WHAT = COUNT;

const MIN_DIVISOR = 1e-30;
// Larger triangles are cut into tiles of `TILE` x `TILE` pixels, one workgroup each: no thread has a long
// loop, which software devices that end long loops need too.
const MAX_PIXELS_PER_THREAD = 1024u;
const TILE = 64u;

struct Covering {
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
    // Slope of the plane, in depth per pixel.
    across: f32,
    down: f32,
    low: f32,
    high: f32,
    depths: vec2<f32>,
    // Half-open ranges.
    columns: vec2<u32>,
    rows: vec2<u32>,
    surface: u32,
}

// Pixels whose centres are in `low <= x < high`.
fn middles(low: f32, high: f32, from_pixel: u32, to_pixel: u32) -> vec2<u32> {
    return vec2<u32>(min(max(ceil(vec2(low, high) - 0.5), vec2(f32(from_pixel))), vec2(f32(to_pixel))));
}

// The pixels of a triangle; empty ranges when it covers nothing.
fn covering(triangle: u32) -> Covering {
    let vertices = vec3(triangles[3u * triangle], triangles[3u * triangle + 1u], triangles[3u * triangle + 2u]);
    let p = screen[vertices.x];
    let a = p.xyz;
    let b = screen[vertices.y].xyz;
    let c = screen[vertices.z].xyz;
    let owner = bitcast<u32>(p.w);
    let u = b - a;
    let v = c - a;
    let x = u.y * v.z - u.z * v.y;
    let y = u.z * v.x - u.x * v.z;
    let z = u.x * v.y - u.y * v.x;
    if ((owner & OWNER_BODY) == NOBODY || !(abs(z) > MIN_DIVISOR)) {
        return Covering(a, b, c, 0.0, 0.0, 0.0, 0.0, vec2(0.0), vec2(0u), vec2(0u), 0u);
    }
    let region = regions[owner & OWNER_BODY];
    let low = min(min(a, b), c);
    let high = max(max(a, b), c);
    let inverse = 1.0 / z;
    let back = (z > 0.0) != ((owner & OWNER_MIRRORED) != 0u);
    return Covering(
        a,
        b,
        c,
        x * inverse,
        y * inverse,
        low.z,
        high.z,
        region.depths,
        middles(low.x, high.x, region.columns.x, region.columns.y),
        middles(low.y, high.y, max(region.rows.x, sheet.first_row), min(region.rows.y, sheet.end_row)),
        2u * triangle + select(0u, 1u, back),
    );
}

fn store(pixel: u32, depth: f32, surface: u32) {
    if (WHAT == COUNT) {
        atomicAdd(&cells[pixel], 1u);
    } else if (WHAT == PUT) {
        let place = atomicAdd(&cells[pixel], 1u);
        if (place < sheet.capacity) {
            fragments[2u * place] = bitcast<u32>(depth);
            fragments[2u * place + 1u] = surface;
        }
    } else {
        let node = atomicAdd(&counters[FRAGMENTS], 1u);
        if (node < sheet.capacity) {
            fragments[3u * node] = bitcast<u32>(depth);
            fragments[3u * node + 1u] = surface;
            fragments[3u * node + 2u] = atomicExchange(&cells[pixel], node + 1u);
        }
    }
}

fn cover_row(it: Covering, columns: vec2<u32>, y: u32) {
    let range = crossed(it.a, it.b, it.c, middle_of(0u, y).y);
    let first = max(u32(max(floor(range.x), 0.0)), columns.x);
    for (var x = first; x < columns.y && f32(x) < range.y; x += 1u) {
        let at = middle_of(x, y);
        if (range.x <= at.x && at.x < range.y) {
            let plane = it.a.z - it.across * (at.x - it.a.x) - it.down * (at.y - it.a.y);
            let depth = min(max(plane, it.low), it.high);
            if (it.depths.x <= depth && depth <= it.depths.y) {
                store((y - sheet.first_row) * sheet.width + x, depth, it.surface);
            }
        }
    }
}

fn cover(triangle: u32) {
    let it = covering(triangle);
    if (it.columns.x >= it.columns.y || it.rows.x >= it.rows.y) {
        return;
    }
    let size = vec2(it.columns.y - it.columns.x, it.rows.y - it.rows.x);
    if (size.x * size.y > MAX_PIXELS_PER_THREAD) {
        // The tiles were listed when fragments were counted.
        if (WHAT != PUT) {
            let across = (size.x + TILE - 1u) / TILE;
            let tiles = across * ((size.y + TILE - 1u) / TILE);
            let place = atomicAdd(&counters[LARGE_PARTS], tiles);
            for (var tile = 0u; tile < tiles && place + tile < sheet.large; tile += 1u) {
                large[place + tile] = vec2(triangle, tile);
            }
        }
        return;
    }
    for (var y = it.rows.x; y < it.rows.y; y += 1u) {
        cover_row(it, it.columns, y);
    }
}

// One workgroup per tile, one thread per row of it.
fn cover_large(group: u32, groups: u32, thread: u32) {
    let count = min(atomicLoad(&counters[LARGE_PARTS]), sheet.large);
    for (var k = group; k < count; k += groups) {
        let it = covering(large[k].x);
        let across = (it.columns.y - it.columns.x + TILE - 1u) / TILE;
        let first = vec2(it.columns.x, it.rows.x) + TILE * vec2(large[k].y % across, large[k].y / across);
        let y = first.y + thread;
        if (y < it.rows.y) {
            cover_row(it, vec2(first.x, min(first.x + TILE, it.columns.y)), y);
        }
    }
}

@compute @workgroup_size(64)
fn keep(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let triangle = id.x + id.y * groups.x * 64u;
    if (triangle < sheet.triangles) {
        cover(triangle);
    }
}

@compute @workgroup_size(64)
fn keep_large(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    cover_large(group.x, groups.x, thread);
}

// From counts to offsets: a running sum over a few pixels, which begins at a range reserved with one atomic.
@compute @workgroup_size(64)
fn places(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixels = groups_from();
    let group = id.x + id.y * groups.x * 64u;
    let first = group * PIXELS_PER_THREAD;
    if (first >= pixels) {
        return;
    }
    let last = min(first + PIXELS_PER_THREAD, pixels);
    var sum = 0u;
    var deepest = 0u;
    for (var pixel = first; pixel < last; pixel += 1u) {
        let count = atomicLoad(&cells[pixel]);
        sum += count;
        deepest = max(deepest, count);
    }
    var next = 0u;
    if (sum > 0u) {
        atomicMax(&counters[DEEPEST_RAY], deepest);
        next = atomicAdd(&counters[FRAGMENTS], sum);
        if (next + sum < next) {
            atomicStore(&counters[WRAPPED], 1u);
        }
    }
    atomicStore(&cells[pixels + group], next);
    for (var pixel = first; pixel < last; pixel += 1u) {
        let count = atomicLoad(&cells[pixel]);
        atomicStore(&cells[pixel], next);
        next += count;
    }
}

// The length of the longest list.
@compute @workgroup_size(64)
fn measure(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixel = id.x + id.y * groups.x * 64u;
    if (pixel >= groups_from()) {
        return;
    }
    var count = 0u;
    for (var node = atomicLoad(&cells[pixel]); node != 0u; node = fragments[3u * (node - 1u) + 2u]) {
        count += 1u;
    }
    if (count > 0u) {
        atomicMax(&counters[DEEPEST_RAY], count);
    }
}
