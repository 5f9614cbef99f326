// Exact arithmetic for pairs that floats could not tell about: are these triangles in contact? The twin of
// `narrow_phase::triangles_touch`. What it cannot tell stays in doubt and is told by the CPU.
//
// World coordinates are doubles (`place_exactly.wgsl`). Those of the two triangles are whole numbers of one unit, a power of two; their differences are below 2^128, in digits of 16 bits. With n digits each, a minor
// is below 2 (2^16n)^2 and has 2n + 1 of them, and the six terms of a determinant stay below 6 (2^16n)^3, in 3n + 1. So every sign
// is that of the true determinant. What is positive and what is negative is summed up apart, and compared in the end.
//
// Where coordinates are below 2^29 units, as those of models made on a lattice are, differences are below 2^30, minors below 2^61 and
// determinants below 3 2^91: words of 32, 64 and 96 bits with a sign hold them.

struct Settling {
    // Entries of `found`.
    count: u32,
    // Turns of a loop that only counts its turns.
    turns: u32,
    padding_0: u32,
    padding_1: u32,
}

@group(0) @binding(0) var<uniform> settling: Settling;
@group(0) @binding(1) var<storage, read> corners: array<u32>;
// Three doubles a vertex, as `place_exactly.wgsl` left them.
@group(0) @binding(2) var<storage, read> placed: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> found: array<vec2<u32>>;

const DOUBTFUL = 0x80000000u;
const NONE = 0xffffffffu;

// Digits of differences, and where sums begin that a determinant is made from.
const MOST_DIGITS = 8u;
const PLUS = 72u;
const MINUS = 90u;
const ALL_PLUS = 108u;
const ALL_MINUS = 135u;
const ROOM = 162u;

// Coordinates of the three corners of one triangle, then of the other: as doubles, and in digits that all have the sign of their number.
var<private> world: array<vec2<u32>, 18>;
var<private> coordinates: array<i32, 144>;
// Which corners are looked at in place of the six: a side of a triangle is one whose corners are two.
var<private> stands: array<u32, 6>;
// Digits of coordinates, and of the differences that were made last.
var<private> digits: u32;
// Whether each coordinate is one number, its first.
var<private> short: bool;
var<private> used: u32;
var<private> numbers: array<u32, ROOM>;

// Sixteen bits of a number that stands so far to the left.
fn digit(mantissa: vec2<u32>, place: i32, which: u32) -> i32 {
    let low = i32(16u * which) - place;
    let right = shifted_right(mantissa, u32(clamp(low, 0, 63))).x;
    let left = mantissa.x << u32(clamp(-low, 0, 15));
    let inside = low > -16 && low < 64;
    return i32(select(0u, select(right, left, low < 0) & 0xffffu, inside));
}

// Reads all corners; false where doubles, or the digits of a difference, do not suffice.
fn read_corners(pair: vec2<u32>) -> bool {
    var lowest = 0x7fffffff;
    var highest = 0;
    var known = true;
    for (var k = 0u; k < 18u; k += 1u) {
        let triangle = select(pair.y, pair.x, k < 9u);
        let x = placed[3u * corners[3u * triangle + (k / 3u) % 3u] + k % 3u];
        known = known && is_ordinary(x);
        // There is one zero.
        let none = is_zero(x);
        world[k] = select(x, vec2(0u), none);
        let m = digits_of(x);
        let zeros = select(countTrailingZeros(m.x), 32u + countTrailingZeros(m.y), m.x == 0u);
        let e = i32(exponent_of(x));
        lowest = select(min(lowest, e + i32(zeros)), lowest, none);
        highest = select(max(highest, e + 53), highest, none);
    }
    // One bit more than coordinates have: a difference may.
    digits = u32(max(highest - lowest, 0) + 16) / 16u;
    if (!known || digits > MOST_DIGITS) {
        return false;
    }
    short = highest - lowest <= 29;
    digits = select(digits, 0u, short);
    for (var k = 0u; k < 18u; k += 1u) {
        let x = world[k];
        let m = select(digits_of(x), vec2(0u), is_zero(x));
        let side = select(1, -1, (x.y & SIGN) != 0u);
        let place = i32(exponent_of(x)) - lowest;
        let whole = select(shifted_right(m, u32(max(-place, 0))), shifted_left(m, u32(max(place, 0))), place > 0);
        coordinates[MOST_DIGITS * k] = side * i32(select(0u, whole.x, short));
        for (var l = 0u; l < digits; l += 1u) {
            coordinates[MOST_DIGITS * k + l] = side * digit(m, place, l);
        }
    }
    return true;
}

// A coordinate of a corner, as all coordinates are numbered.
fn at(i: u32, axis: u32) -> u32 {
    return 3u * stands[i] + axis;
}

fn same(i: u32, j: u32, axis: u32) -> bool {
    return all(world[at(i, axis)] == world[at(j, axis)]);
}

fn same_corner(i: u32, j: u32) -> bool {
    return same(i, j, 0u) && same(i, j, 1u) && same(i, j, 2u);
}

// Whether all corners have the same coordinate along an axis: faces of boxes are seldom turned.
fn upright_plane() -> bool {
    var upright = false;
    for (var axis = 0u; axis < 3u; axis += 1u) {
        var level = true;
        for (var k = 1u; k < 6u; k += 1u) {
            level = level && same(0u, k, axis);
        }
        upright = upright || level;
    }
    return upright;
}

// A corner minus another along an axis, as a number; its sign.
fn subtract(into: u32, i: u32, j: u32, axis: u32) -> i32 {
    let x = MOST_DIGITS * at(i, axis);
    let y = MOST_DIGITS * at(j, axis);
    var carry = 0;
    var some = 0u;
    for (var k = 0u; k < digits; k += 1u) {
        let t = coordinates[x + k] - coordinates[y + k] + carry;
        numbers[into + k] = u32(t) & 0xffffu;
        carry = t >> 16u;
        some = select(some, k + 1u, (t & 0xffff) != 0);
    }
    if (carry < 0) {
        var borrow = 1u;
        some = 0u;
        for (var k = 0u; k < digits; k += 1u) {
            let t = (numbers[into + k] ^ 0xffffu) + borrow;
            numbers[into + k] = t & 0xffffu;
            borrow = t >> 16u;
            some = select(some, k + 1u, (t & 0xffffu) != 0u);
        }
    }
    used = max(used, some);
    return select(select(0, 1, some != 0u), -1, carry < 0);
}

fn clear(first: u32, count: u32) {
    for (var k = first; k < first + count; k += 1u) {
        numbers[k] = 0u;
    }
}

// Adds the product of two numbers of so many digits.
fn add_product(into: u32, x: u32, of_x: u32, y: u32, of_y: u32) {
    for (var i = 0u; i < of_x; i += 1u) {
        let factor = numbers[x + i];
        var carry = 0u;
        for (var j = 0u; j < of_y; j += 1u) {
            let k = into + i + j;
            // At most (2^16 - 1)^2 + 2 (2^16 - 1), which is 2^32 - 1.
            let t = factor * numbers[y + j] + numbers[k] + carry;
            numbers[k] = t & 0xffffu;
            carry = t >> 16u;
        }
        for (var k = into + i + of_y; carry != 0u && k < ROOM; k += 1u) {
            let t = numbers[k] + carry;
            numbers[k] = t & 0xffffu;
            carry = t >> 16u;
        }
    }
}

// Which of two numbers is larger.
fn compare(x: u32, y: u32, count: u32) -> i32 {
    var order = 0;
    for (var k = 0u; k < count; k += 1u) {
        let difference = i32(numbers[x + k]) - i32(numbers[y + k]);
        order = select(order, sign(difference), difference != 0);
    }
    return order;
}

// A coordinate of a corner that is one number.
fn value(i: u32, axis: u32) -> i32 {
    return coordinates[MOST_DIGITS * at(i, axis)];
}

fn values(i: u32) -> vec3<i32> {
    return vec3(value(i, 0u), value(i, 1u), value(i, 2u));
}

fn signed_product(a: i32, b: i32) -> vec2<u32> {
    let product = wide_product(u32(a), u32(b));
    return vec2(product.x, product.y - select(0u, u32(b), a < 0) - select(0u, u32(a), b < 0));
}

// a b - c d.
fn minor(a: i32, b: i32, c: i32, d: i32) -> vec2<u32> {
    let x = signed_product(a, b);
    let y = signed_product(c, d);
    return vec2(x.x - y.x, x.y - y.y - u32(x.x < y.x));
}

// Adds a product of a number of 64 bits and one of 32.
fn add_signed(sum: vec3<u32>, m: vec2<u32>, x: i32) -> vec3<u32> {
    let low = wide_product(m.x, u32(x));
    let high = wide_product(m.y, u32(x));
    let middle = low.y + high.x;
    var last = high.y + u32(middle < low.y) - select(0u, u32(x), (m.y & SIGN) != 0u);
    // What a word without a sign counts too much.
    let taken = select(vec2(0u), m, x < 0);
    last -= taken.y + u32(middle < taken.x);
    let term = vec3(low.x, middle - taken.x, last);
    let first = sum.x + term.x;
    let second = sum.y + term.y;
    let carried = second + u32(first < sum.x);
    return vec3(first, carried, sum.z + term.z + u32(second < sum.y) + u32(carried < second));
}

fn sign_of(high: u32, rest: u32) -> i32 {
    return select(select(0, 1, (high | rest) != 0u), -1, (high & SIGN) != 0u);
}

fn short_turn(p: u32, q: u32, r: u32, s: u32) -> i32 {
    let origin = values(p);
    let a = values(q) - origin;
    let b = values(r) - origin;
    let c = values(s) - origin;
    var sum = add_signed(vec3(0u), minor(b.y, c.z, b.z, c.y), a.x);
    sum = add_signed(sum, minor(b.z, c.x, b.x, c.z), a.y);
    sum = add_signed(sum, minor(b.x, c.y, b.y, c.x), a.z);
    return sign_of(sum.z, sum.x | sum.y);
}

fn short_flat_turn(p: u32, q: u32, r: u32, axis: u32) -> i32 {
    let i = (axis + 1u) % 3u;
    let j = (axis + 2u) % 3u;
    let origin = vec2(value(p, i), value(p, j));
    let a = vec2(value(q, i), value(q, j)) - origin;
    let b = vec2(value(r, i), value(r, j)) - origin;
    let turned = minor(a.x, b.y, a.y, b.x);
    return sign_of(turned.y, turned.x);
}

// The sign of the determinant of q - p, r - p, s - p.
fn turn(p: u32, q: u32, r: u32, s: u32) -> i32 {
    var answer = select(0, short_turn(p, q, r, s), short);
    // A loop, because a device that takes several lanes at a time skips it where no lane needs it.
    var busy = !short;
    while (busy) {
        busy = false;
        answer = long_turn(p, q, r, s);
    }
    return answer;
}

// Which way p, q, r turn, seen along an axis.
fn flat_turn(p: u32, q: u32, r: u32, axis: u32) -> i32 {
    var answer = select(0, short_flat_turn(p, q, r, axis), short);
    var busy = !short;
    while (busy) {
        busy = false;
        answer = long_flat_turn(p, q, r, axis);
    }
    return answer;
}

fn long_turn(p: u32, q: u32, r: u32, s: u32) -> i32 {
    var sides: array<i32, 9>;
    used = 0u;
    for (var k = 0u; k < 9u; k += 1u) {
        let to = select(select(s, r, k < 6u), q, k < 3u);
        sides[k] = subtract(MOST_DIGITS * k, to, p, k % 3u);
    }
    let n = used;
    clear(ALL_PLUS, 3u * n + 2u);
    clear(ALL_MINUS, 3u * n + 2u);
    for (var k = 0u; k < 3u; k += 1u) {
        let i = (k + 1u) % 3u;
        let j = (k + 2u) % 3u;
        clear(PLUS, 2u * n + 2u);
        clear(MINUS, 2u * n + 2u);
        for (var term = 0u; term < 2u; term += 1u) {
            let x = 3u + select(i, j, term == 1u);
            let y = 6u + select(j, i, term == 1u);
            let side = sides[x] * sides[y] * select(1, -1, term == 1u);
            if (side != 0) {
                add_product(select(MINUS, PLUS, side > 0), MOST_DIGITS * x, n, MOST_DIGITS * y, n);
            }
        }
        let order = compare(PLUS, MINUS, 2u * n + 1u);
        let side = order * sides[k];
        if (side != 0) {
            let larger = select(MINUS, PLUS, order > 0);
            let smaller = select(PLUS, MINUS, order > 0);
            var carry = 0;
            for (var l = 0u; l < 2u * n + 1u; l += 1u) {
                let t = i32(numbers[larger + l]) - i32(numbers[smaller + l]) + carry;
                numbers[larger + l] = u32(t) & 0xffffu;
                carry = t >> 16u;
            }
            add_product(select(ALL_MINUS, ALL_PLUS, side > 0), larger, 2u * n + 1u, MOST_DIGITS * k, n);
        }
    }
    return compare(ALL_PLUS, ALL_MINUS, 3u * n + 2u);
}

fn long_flat_turn(p: u32, q: u32, r: u32, axis: u32) -> i32 {
    let i = (axis + 1u) % 3u;
    let j = (axis + 2u) % 3u;
    var sides: array<i32, 4>;
    used = 0u;
    for (var k = 0u; k < 4u; k += 1u) {
        let along = select(j, i, (k & 1u) == 0u);
        sides[k] = subtract(MOST_DIGITS * k, select(r, q, k < 2u), p, along);
    }
    let n = used;
    clear(PLUS, 2u * n + 2u);
    clear(MINUS, 2u * n + 2u);
    for (var term = 0u; term < 2u; term += 1u) {
        let side = sides[term] * sides[3u - term] * select(1, -1, term == 1u);
        if (side != 0) {
            add_product(select(MINUS, PLUS, side > 0), MOST_DIGITS * term, n, MOST_DIGITS * (3u - term), n);
        }
    }
    return compare(PLUS, MINUS, 2u * n + 1u);
}

// The corner after one, of the same triangle.
fn next(k: u32) -> u32 {
    return select(k + 1u, k - 2u, k % 3u == 2u);
}

// The order of two corners by their coordinates: on a line, that along it.
fn order(i: u32, j: u32) -> i32 {
    var answer = 0;
    for (var axis = 0u; axis < 3u && answer == 0; axis += 1u) {
        let difference = sign(value(i, axis) - value(j, axis));
        answer = select(subtract(0u, i, j, axis), difference, short);
    }
    return answer;
}

// Seen along an axis: whether all of one is strictly beyond a side of the other. A segment has both sides of its line, a point none.
fn has_separating_side(axis: u32, insides: vec2<i32>) -> bool {
    var separate = false;
    for (var edge = 0u; edge < 6u && !separate; edge += 1u) {
        let inside = select(insides.y, insides.x, edge < 3u);
        let others = select(0u, 3u, edge < 3u);
        let side = flat_turn(edge, next(edge), others, axis);
        separate = side != 0 && side != inside;
        for (var k = 1u; k < 3u && separate; k += 1u) {
            separate = flat_turn(edge, next(edge), others + k, axis) == side;
        }
    }
    return separate;
}

// Two segments or points: 1 that they touch, -1 that they are apart.
fn lines_touch() -> i32 {
    for (var k = 0u; k < 9u; k += 1u) {
        let i = k / 3u;
        let j = 3u + k % 3u;
        if (turn(i, next(i), j, next(j)) != 0) {
            return -1;
        }
    }
    // They are in one plane; any three corners that are not on a line tell how to look at it.
    for (var k = 0u; k < 54u; k += 1u) {
        let edge = k % 6u;
        let other = select(0u, 3u, edge < 3u) + (k / 6u) % 3u;
        let axis = k / 18u;
        if (flat_turn(edge, next(edge), other, axis) != 0) {
            return select(1, -1, has_separating_side(axis, vec2(0)));
        }
    }
    // They are on one line.
    var before = true;
    var after = true;
    for (var k = 0u; k < 9u; k += 1u) {
        let first = order(k / 3u, 3u + k % 3u);
        before = before && first < 0;
        after = after && first > 0;
    }
    return select(1, -1, before || after);
}

// Two triangles of one plane, or a triangle and what is flat within its plane, by separating sides, as in `narrow_phase::flat`; or two
// that are both flat: 1 that they touch, -1 that they are apart.
fn flat_touch() -> i32 {
    for (var axis = 0u; axis < 3u; axis += 1u) {
        let insides = vec2(flat_turn(0u, 1u, 2u, axis), flat_turn(3u, 4u, 5u, axis));
        if (any(insides != vec2(0))) {
            return select(1, -1, has_separating_side(axis, insides));
        }
    }
    return lines_touch();
}

fn one_sided(sides: vec3<i32>) -> bool {
    return sides.x != 0 && all(sides == sides.xxx);
}

// Whether signs contradict each other nowhere.
fn agree(x: i32, y: i32, z: i32) -> bool {
    return x * y >= 0 && y * z >= 0 && z * x >= 0;
}

// 1 that they touch, -1 that they are apart, 0 not known.
fn touch() -> i32 {
    for (var k = 0u; k < 9u; k += 1u) {
        if (same_corner(k / 3u, 3u + k % 3u)) {
            return 1;
        }
    }
    // On which side of the plane of the other the corners of each are, those of the first first.
    var sides: array<i32, 6>;
    // How every edge of the first turns round every edge of the second.
    var turns: array<i32, 9>;
    var flat = upright_plane();
    for (var k = 0u; k < 15u && !flat; k += 1u) {
        let first = vec3(sides[0], sides[1], sides[2]);
        let second = vec3(sides[3], sides[4], sides[5]);
        if ((k >= 3u && one_sided(first)) || (k >= 6u && one_sided(second))) {
            return -1;
        }
        // One that has no interior has no plane, and all signs about it are 0.
        flat = k == 6u && all(first == vec3(0)) && all(second == vec3(0));
        if (flat) {
            break;
        }
        if (k < 6u) {
            let plane = select(0u, 3u, k < 3u);
            sides[k] = turn(plane, plane + 1u, plane + 2u, k);
        } else {
            let i = (k - 6u) / 3u;
            let j = 3u + k % 3u;
            turns[k - 6u] = turn(i, next(i), j, next(j));
        }
    }
    if (flat) {
        return flat_touch();
    }
    for (var k = 0u; k < 3u; k += 1u) {
        let passes = sides[k] != sides[next(k)] && agree(turns[3u * k], turns[3u * k + 1u], turns[3u * k + 2u]);
        let passed = sides[3u + k] != sides[next(3u + k)] && agree(turns[k], turns[3u + k], turns[6u + k]);
        if (passes || passed) {
            return 1;
        }
    }
    return -1;
}

// The axis along which a triangle may be flattened without collapsing; 3 for one without an interior.
fn flattening_axis(p: u32, q: u32, r: u32) -> u32 {
    var axis = 0u;
    while (axis < 3u && flat_turn(p, q, r, axis) == 0) {
        axis += 1u;
    }
    return axis;
}

// Corners as they are.
fn stand_alone() {
    for (var i = 0u; i < 6u; i += 1u) {
        stands[i] = i;
    }
}

// Beyond which end of a segment a corner on its line is; 0 for neither.
fn beyond(p: u32, u: u32, v: u32) -> i32 {
    let side = order(p, u);
    return select(0, side, side == order(p, v));
}

// Two triangles with the edge u, v in common, and another corner p and q each: in contact if they are folded flat.
fn fold_touch(u: u32, v: u32, p: u32, q: u32) -> bool {
    if (turn(u, v, p, q) != 0) {
        return false;
    }
    if (same_corner(u, v)) {
        // Two segments from one point.
        return flattening_axis(u, p, q) == 3u && beyond(p, u, u) != 0 && beyond(p, u, u) == beyond(q, u, u);
    }
    let axis = flattening_axis(u, v, p);
    let other = flattening_axis(u, v, q);
    if (axis == 3u && other == 3u) {
        return beyond(p, u, v) != 0 && beyond(p, u, v) == beyond(q, u, v);
    }
    // One that has an interior meets the line of the edge in the edge alone.
    return axis != 3u && other != 3u && flat_turn(u, v, p, axis) == flat_turn(u, v, q, axis);
}

// Two triangles with one vertex in common, their corners i and j. Both are star-shaped about it: if they share more, the side of one
// that is opposite to it meets the other. One without an interior is two segments from it.
fn fans_touch(i: u32, j: u32) -> bool {
    let flat_a = flattening_axis(0u, 1u, 2u) == 3u;
    let flat_b = flattening_axis(3u, 4u, 5u) == 3u;
    var meets = false;
    for (var k = 0u; k < 8u && !meets; k += 1u) {
        stand_alone();
        let second_a = (k & 1u) != 0u;
        let second_b = (k & 2u) != 0u;
        let end_a = select(next(i), next(next(i)), second_a);
        let end_b = select(next(j), next(next(j)), second_b);
        var is_there = (flat_a || !second_a) && (flat_b || !second_b);
        is_there = is_there && !(flat_a && same_corner(i, end_a)) && !(flat_b && same_corner(j, end_b));
        if (flat_a) {
            stands[next(i)] = end_a;
            stands[next(next(i))] = end_a;
        }
        if (flat_b) {
            stands[next(j)] = end_b;
            stands[next(next(j))] = end_b;
        }
        if (k < 4u) {
            stands[i] = end_a;
        } else {
            stands[j] = end_b;
        }
        while (is_there) {
            is_there = false;
            meets = touch() > 0;
        }
    }
    stand_alone();
    return meets;
}

// Triangles with vertices in common are in contact if they share more than what these span; the twin of
// `narrow_phase::neighbours_touch`.
fn any_touch(pair: vec2<u32>) -> i32 {
    let a = vec3(corners[3u * pair.x], corners[3u * pair.x + 1u], corners[3u * pair.x + 2u]);
    let b = vec3(corners[3u * pair.y], corners[3u * pair.y + 1u], corners[3u * pair.y + 2u]);
    let in_b = vec3(any(b == a.xxx), any(b == a.yyy), any(b == a.zzz));
    let in_a = vec3(any(a == b.xxx), any(a == b.yyy), any(a == b.zzz));
    // A vertex that is named twice counts once.
    let counted = vec3(in_b.x, in_b.y && a.y != a.x, in_b.z && a.z != a.x && a.z != a.y);
    let count = u32(counted.x) + u32(counted.y) + u32(counted.z);
    var answer = 0;
    while (answer == 0 && count == 0u) {
        answer = touch();
    }
    while (answer == 0 && count == 1u) {
        let i = select(select(2u, 1u, counted.y), 0u, counted.x);
        let j = 3u + select(select(2u, 1u, in_a.y), 0u, in_a.x);
        answer = select(-1, 1, fans_touch(i, j));
    }
    while (answer == 0 && count == 2u) {
        // One that names no third vertex is the edge and nothing more.
        let p = select(select(2u, 1u, !in_b.y), 0u, !in_b.x);
        let q = 3u + select(select(2u, 1u, !in_a.y), 0u, !in_a.x);
        answer = select(-1, 1, !all(in_b) && !all(in_a) && fold_touch(next(p), next(next(p)), p, q));
    }
    while (answer == 0 && count == 3u) {
        answer = select(-1, 1, flattening_axis(0u, 1u, 2u) != 3u);
    }
    return answer;
}

@compute @workgroup_size(64)
fn settle(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let which = id.x + id.y * groups.x * 64u;
    if (which >= settling.count || (found[which].x & DOUBTFUL) == 0u) {
        return;
    }
    let pair = found[which] & vec2(~DOUBTFUL, NONE);
    if (!read_corners(pair)) {
        return;
    }
    stand_alone();
    let answer = any_touch(pair);
    // Some devices end all loops of a thread that turned too often, and say nothing: then this one would end early too.
    var turned = 0u;
    while (turned < settling.turns) {
        turned += 1u;
    }
    if (turned < settling.turns) {
        return;
    }
    if (answer > 0) {
        found[which] = pair;
    }
    if (answer < 0) {
        found[which] = vec2(NONE);
    }
}
