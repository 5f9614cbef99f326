// The cell where a triangle crosses each pixel centre, or all cells of its depth interval in that pixel: what
// the paper draws. The twin of `overlap_cells::sample`.

const MAX_SLOPE = 1e6;
const MIN_DIVISOR = 1e-30;

// The plane of a triangle as a depth over every pixel, and half of its change over a pixel.
struct Slope {
    start: vec3<f32>,
    across: f32,
    down: f32,
    half: f32,
    low: f32,
    high: f32,
    any: bool,
}

fn slope(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> Slope {
    let u = b - a;
    let v = c - a;
    let x = u.y * v.z - u.z * v.y;
    let y = u.z * v.x - u.x * v.z;
    let z = u.x * v.y - u.y * v.x;
    let low = min(min(a.z, b.z), c.z);
    let high = max(max(a.z, b.z), c.z);
    if (!(abs(z) > MIN_DIVISOR)) {
        return Slope(a, 0.0, 0.0, 0.0, low, high, false);
    }
    let inverse = 1.0 / z;
    var half = 0.0;
    if ((plot.flags & INTERVAL) != 0u) {
        let steep = (abs(x) + abs(y)) * 0.5;
        half = MAX_SLOPE;
        if (steep < MAX_SLOPE * abs(z)) {
            half = steep * abs(inverse);
        }
    }
    return Slope(a, x * inverse, y * inverse, half, low, high, true);
}

fn set_cells(s: Slope, x: u32, y: u32) {
    let at = middle_of(x, y);
    let depth = s.start.z - s.across * (at.x - s.start.x) - s.down * (at.y - s.start.y);
    let end = f32(plot.cells.z);
    let near = max(depth - s.half, s.low);
    let far = min(depth + s.half, s.high);
    if (near <= end && far >= 0.0) {
        let range = vec2(i32(clamp(floor(near), 0.0, end - 1.0)), i32(clamp(floor(far), 0.0, end - 1.0)));
        let first = plot.base + (y * plot.cells.x + x) * plot.words;
        for (var word = 0u; word < plot.words; word += 1u) {
            let taken = between(range, plot.cells.z, word);
            if (taken != 0u) {
                atomicOr(&bits[first + word], taken);
            }
        }
    }
}

// Cells whose centres are in `low <= x < high`, as a half-open range.
fn middles(low: f32, high: f32, cells: u32) -> vec2<u32> {
    return vec2<u32>(clamp(ceil(vec2(low, high) - 0.5), vec2(0.0), vec2(f32(cells))));
}

// Ranges of columns and rows are half-open here.
fn sample_row(it: Footprint, s: Slope, y: u32) {
    let range = crossed(it.corners.a, it.corners.b, it.corners.c, middle_of(0u, y).y);
    let first = max(u32(max(floor(range.x), 0.0)), it.columns.x);
    for (var x = first; x < it.columns.y && f32(x) < range.y; x += 1u) {
        let column = middle_of(x, y).x;
        if (range.x <= column && column < range.y) {
            set_cells(s, x, y);
        }
    }
}

fn footprint_of(n: u32) -> Footprint {
    let it = corners(n);
    let low = min(min(it.a, it.b), it.c);
    let high = max(max(it.a, it.b), it.c);
    let columns = middles(low.x, high.x, plot.cells.x);
    let rows = middles(low.y, high.y, plot.cells.y);
    let within = low.z <= f32(plot.cells.z) && high.z >= 0.0;
    return Footprint(it, columns, rows, columns.x < columns.y && rows.x < rows.y && within && it.any);
}

@compute @workgroup_size(64)
fn sample(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let n = id.x + id.y * groups.x * 64u;
    if (n >= plot.triangles) {
        return;
    }
    let it = footprint_of(n);
    if (!it.any || leave_if_large(n, it.columns, it.rows)) {
        return;
    }
    let s = slope(it.corners.a, it.corners.b, it.corners.c);
    if (!s.any) {
        return;
    }
    for (var y = it.rows.x; y < it.rows.y; y += 1u) {
        sample_row(it, s, y);
    }
}

// One workgroup per large triangle, every 64th of its rows per thread.
@compute @workgroup_size(64)
fn sample_large(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let count = atomicLoad(&large[0]);
    for (var k = group.x; k < count; k += groups.x) {
        let it = footprint_of(atomicLoad(&large[1u + k]));
        let s = slope(it.corners.a, it.corners.b, it.corners.c);
        for (var y = it.rows.x + thread; s.any && y < it.rows.y; y += 64u) {
            sample_row(it, s, y);
        }
    }
}
