// Every cell that a triangle touches, and the parity of crossings of pixel centres. The twin of
// `overlap_cells::cover`, which has the proof: the same sums in the same order.

// 32 roundoffs of a float.
const ROUNDING = 32.0 / 16777216.0;
const MAX_SLOPE = 1e6;
const MIN_DIVISOR = 1e-30;
// A side is so near that rounding decides.
const UNSURE = 2u;

struct Side {
    start: vec2<f32>,
    along: vec2<f32>,
    low: f32,
    high: f32,
}

struct Triangle {
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
    wide: vec3<f32>,
    // Seen along the depth, down the image, across it.
    flat_0: Side,
    flat_1: Side,
    flat_2: Side,
    above_0: Side,
    above_1: Side,
    above_2: Side,
    beside_0: Side,
    beside_1: Side,
    beside_2: Side,
    normal: vec3<f32>,
    off: vec3<f32>,
    low: vec3<f32>,
    high: vec3<f32>,
}

fn side(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>) -> Side {
    let along = b - a;
    let other = c - a;
    let p = along.x * other.y;
    let q = along.y * other.x;
    let height = p - q;
    let error = ROUNDING * (abs(p) + abs(q));
    return Side(a, along, min(height, 0.0) - error, max(height, 0.0) + error);
}

fn misses(s: Side, at: vec2<f32>, half: vec2<f32>) -> bool {
    let p = s.along.x * (at.y - s.start.y);
    let q = s.along.y * (at.x - s.start.x);
    let radius = abs(s.along.x) * half.y + abs(s.along.y) * half.x;
    let reach = radius + ROUNDING * (abs(p) + abs(q) + radius);
    let height = p - q;
    return height - reach > s.high || height + reach < s.low;
}

fn narrow(s: Side, at: f32, half: f32, range: vec2<f32>) -> vec2<f32> {
    let middle = s.along.y * (at - s.start.x);
    let radius = abs(s.along.y) * half;
    let error = ROUNDING * (abs(middle) + radius + abs(s.low) + abs(s.high));
    var least = s.low - radius + middle - error;
    var most = s.high + radius + middle + error;
    let step = s.along.x;
    if (step < 0.0) {
        let swap = least;
        least = most;
        most = swap;
    }
    var left = range;
    if (abs(step) < MIN_DIVISOR) {
        return left;
    }
    let inverse = 1.0 / step;
    if (abs(least) < MAX_SLOPE * abs(step)) {
        let by = least * inverse;
        left.x = max(left.x, s.start.y + by - ROUNDING * (abs(s.start.y) + abs(by)));
    }
    if (abs(most) < MAX_SLOPE * abs(step)) {
        let by = most * inverse;
        left.y = min(left.y, s.start.y + by + ROUNDING * (abs(s.start.y) + abs(by)));
    }
    return left;
}

fn triangle(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, wide: vec3<f32>) -> Triangle {
    let u = b - a;
    let v = c - a;
    let p = vec3(u.y * v.z, u.z * v.x, u.x * v.y);
    let q = vec3(u.z * v.y, u.x * v.z, u.y * v.x);
    return Triangle(
        a,
        b,
        c,
        wide,
        side(a.xy, b.xy, c.xy),
        side(b.xy, c.xy, a.xy),
        side(c.xy, a.xy, b.xy),
        side(a.xz, b.xz, c.xz),
        side(b.xz, c.xz, a.xz),
        side(c.xz, a.xz, b.xz),
        side(a.yz, b.yz, c.yz),
        side(b.yz, c.yz, a.yz),
        side(c.yz, a.yz, b.yz),
        p - q,
        ROUNDING * (abs(p) + abs(q)),
        min(min(a, b), c),
        max(max(a, b), c),
    );
}

fn narrow_by_plane(t: ptr<function, Triangle>, at: vec2<f32>, half: vec2<f32>, range: vec2<f32>) -> vec2<f32> {
    let n = (*t).normal;
    let off = (*t).off;
    if (abs(n.z) <= 2.0 * off.z || abs(n.z) < MIN_DIVISOR) {
        return range;
    }
    let start = (*t).a;
    let away = at - start.xy;
    let p = n.x * away.x;
    let q = n.y * away.y;
    let radius = abs(n.x) * half.x + abs(n.y) * half.y;
    let error = ROUNDING * (abs(p) + abs(q) + radius) + off.x * (abs(away.x) + half.x) + off.y * (abs(away.y) + half.y);
    let middle = -(p + q);
    var least = middle - radius - error;
    var most = middle + radius + error;
    if (n.z < 0.0) {
        let swap = least;
        least = most;
        most = swap;
    }
    let inverse = 1.0 / n.z;
    let unsure = 2.0 * off.z * abs(inverse) + ROUNDING;
    var left = range;
    if (abs(least) < MAX_SLOPE * abs(n.z)) {
        let by = least * inverse;
        left.x = max(left.x, start.z + by - unsure * abs(by) - ROUNDING * abs(start.z));
    }
    if (abs(most) < MAX_SLOPE * abs(n.z)) {
        let by = most * inverse;
        left.y = min(left.y, start.z + by + unsure * abs(by) + ROUNDING * abs(start.z));
    }
    return left;
}

// The range of slices touched in a rectangle `at +- half`; reversed if none.
fn slices(t: ptr<function, Triangle>, at: vec2<f32>, half: vec2<f32>) -> vec2<i32> {
    if (misses((*t).flat_0, at, half) || misses((*t).flat_1, at, half) || misses((*t).flat_2, at, half)) {
        return vec2(1, 0);
    }
    var range = vec2((*t).low.z, (*t).high.z);
    range = narrow_by_plane(t, at, half, range);
    range = narrow((*t).above_0, at.x, half.x, range);
    range = narrow((*t).above_1, at.x, half.x, range);
    range = narrow((*t).above_2, at.x, half.x, range);
    range = narrow((*t).beside_0, at.y, half.y, range);
    range = narrow((*t).beside_1, at.y, half.y, range);
    range = narrow((*t).beside_2, at.y, half.y, range);
    let low = range.x - (*t).wide.z;
    let high = range.y + (*t).wide.z;
    if (low > high) {
        return vec2(1, 0);
    }
    let end = f32(plot.cells.z);
    return vec2(i32(clamp(floor(low), -1.0, end)), i32(clamp(floor(high), -1.0, end)));
}

// Whether it covers the pixel centre; or UNSURE.
fn covers_middle(t: ptr<function, Triangle>, at: vec2<f32>) -> u32 {
    let range = crossed((*t).a, (*t).b, (*t).c, at.y);
    if (range.x >= range.y) {
        return 0u;
    }
    if (any(abs(range - at.x) <= vec2((*t).wide.x))) {
        return UNSURE;
    }
    return select(0u, 1u, range.x <= at.x && at.x < range.y);
}

fn touch(t: ptr<function, Triangle>, x: u32, y: u32) {
    let at = middle_of(x, y);
    let range = slices(t, at, (1.0 + 2.0 * (*t).wide.xy) * 0.5);
    if (range.x > range.y) {
        return;
    }
    let count = plot.cells.z;
    let first = plot.base + (y * plot.cells.x + x) * plot.words;
    for (var word = 0u; word < plot.words; word += 1u) {
        let taken = between(range, count, word);
        if (taken != 0u) {
            atomicOr(&bits[first + word], taken);
        }
    }
    if ((plot.flags & PROVEN) == 0u) {
        return;
    }
    let covered = covers_middle(t, at);
    if (covered == UNSURE) {
        for (var word = 0u; word < plot.words; word += 1u) {
            atomicOr(&bits[first + 3u * plot.plane + word], between(vec2(0, i32(count)), count, word));
        }
    } else if (covered != 0u) {
        let sure = slices(t, at, (*t).wide.xy);
        for (var word = 0u; word < plot.words; word += 1u) {
            let beyond = between(vec2(range.x + 1, i32(count)), count, word);
            if (beyond != 0u) {
                atomicXor(&bits[first + plot.plane + word], beyond);
            }
            let taken = between(sure, count, word);
            if (sure.x == sure.y && taken != 0u) {
                atomicOr(&bits[first + 2u * plot.plane + word], taken);
            }
        }
    }
}

// The pixels that it may touch.
fn footprint_of(n: u32) -> Footprint {
    let it = corners(n);
    let low = min(min(it.a, it.b), it.c) - it.wide;
    let high = max(max(it.a, it.b), it.c) + it.wide;
    let columns = span(low.x, high.x, plot.cells.x);
    let rows = span(low.y, high.y, plot.cells.y);
    let deep = span(low.z, high.z, plot.cells.z);
    // Triangles behind all cells do nothing. Those before them still decide between inside and outside.
    let beyond = deep.x > deep.y && ((plot.flags & PROVEN) == 0u || it.a.z > 0.0);
    return Footprint(it, columns, rows, columns.x <= columns.y && rows.x <= rows.y && !beyond && it.any);
}

@compute @workgroup_size(64)
fn cover(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let n = id.x + id.y * groups.x * 64u;
    if (n >= plot.triangles) {
        return;
    }
    let it = footprint_of(n);
    if (!it.any || leave_if_large(n, it.columns, it.rows)) {
        return;
    }
    var t = triangle(it.corners.a, it.corners.b, it.corners.c, it.corners.wide);
    for (var y = it.rows.x; y <= it.rows.y; y += 1u) {
        for (var x = it.columns.x; x <= it.columns.y; x += 1u) {
            touch(&t, x, y);
        }
    }
}

// One workgroup per large triangle, every 64th of its pixels per thread.
@compute @workgroup_size(64)
fn cover_large(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let count = atomicLoad(&large[0]);
    for (var k = group.x; k < count; k += groups.x) {
        let it = footprint_of(atomicLoad(&large[1u + k]));
        var t = triangle(it.corners.a, it.corners.b, it.corners.c, it.corners.wide);
        let across = it.columns.y - it.columns.x + 1u;
        let pixels = across * (it.rows.y - it.rows.x + 1u);
        for (var pixel = thread; pixel < pixels; pixel += 64u) {
            touch(&t, it.columns.x + pixel % across, it.rows.x + pixel / across);
        }
    }
}
