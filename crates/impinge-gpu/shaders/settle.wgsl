// Exact arithmetic for pairs that floats could not tell about: are these triangles in contact? The twin of
// `narrow_phase::triangles_touch`. What it cannot tell stays in doubt and is told by the CPU.
//
// World coordinates are doubles (`place_exactly.wgsl`). Those of the two triangles are whole numbers of one unit, a power of two; their
// differences are below 2^128, in digits of 16 bits. With n digits each, a minor is below 2 (2^16n)^2 and has 2n + 1 of them, and
// the six terms of a determinant stay below 6 (2^16n)^3, in 3n + 1. So every sign is that of the true determinant. What is
// positive and what is negative is summed up apart, and compared in the end.
//
// Where coordinates are below 2^29 units, as those of models made on a lattice are, differences are below 2^30, minors below 2^61 and
// determinants below 3 2^91: words of 32, 64 and 96 bits with a sign hold them. Of larger ones the first 27 bits are looked at
// first: differences are below D = 2^28 then, and off by less than 2. With `max|x_k| |y| |z|` as the bound of a determinant, as in
// `signs.rs`, it is off by less than 3 2 (3 D + 6)^2, which is below 2^64, and one of two dimensions by less than 8 D + 8, below 2^32:
// a last word that is neither 0 nor -1 tells the sign.

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
// Coordinates in one number each, and whether that is all of them; else it is their first bits.
var<private> values: array<i32, 18>;
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
        let left = place - select(highest - lowest - 27, 0, short);
        let first = select(shifted_right(m, u32(clamp(-left, 0, 64))), shifted_left(m, u32(max(left, 0))), left > 0);
        values[k] = side * i32(first.x);
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

fn value(i: u32, axis: u32) -> i32 {
    return values[at(i, axis)];
}

fn corner(i: u32) -> vec3<i32> {
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

// The sign of a number, or `UNKNOWN` where the number is of first bits and its last word does not tell.
fn sign_of(high: u32, rest: u32) -> i32 {
    let certain = short || (high != 0u && high != 0xffffffffu);
    return select(UNKNOWN, select(select(0, 1, (high | rest) != 0u), -1, (high & SIGN) != 0u), certain);
}

const UNKNOWN = 2;

const NO_AXIS = 3u;

// The sign of the determinant of q - p, r - p and s - p.
fn turn(p: u32, q: u32, r: u32, s: u32) -> i32 {
    var answer = short_turn(p, q, r, s);
    // A loop, because a device that takes several lanes at a time skips it where no lane needs it.
    var busy = answer == UNKNOWN;
    while (busy) {
        busy = false;
        answer = long_turn(p, q, r, s, NO_AXIS);
    }
    return answer;
}

// Which way p, q, r turn, seen along an axis.
fn flat_turn(p: u32, q: u32, r: u32, axis: u32) -> i32 {
    var answer = short_flat_turn(p, q, r, axis);
    var busy = answer == UNKNOWN;
    while (busy) {
        busy = false;
        answer = long_turn(p, q, r, p, axis);
    }
    return answer;
}

fn short_turn(p: u32, q: u32, r: u32, s: u32) -> i32 {
    let origin = corner(p);
    let a = corner(q) - origin;
    let b = corner(r) - origin;
    let c = corner(s) - origin;
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

// The same in digits. With an axis, the third vector is a unit along it.
fn long_turn(p: u32, q: u32, r: u32, s: u32, axis: u32) -> i32 {
    var sides: array<i32, 9>;
    used = 1u;
    for (var k = 0u; k < 9u; k += 1u) {
        let is_unit = k >= 6u && axis != NO_AXIS;
        // A unit is one in its first digit.
        let to = select(select(select(s, r, k < 6u), q, k < 3u), p, is_unit);
        sides[k] = subtract(MOST_DIGITS * k, to, p, k % 3u);
        if (is_unit && k == 6u + axis) {
            numbers[MOST_DIGITS * k] = 1u;
            sides[k] = 1;
        }
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
        let larger_is = compare(PLUS, MINUS, 2u * n + 1u);
        let side = larger_is * sides[k];
        if (side != 0) {
            let larger = select(MINUS, PLUS, larger_is > 0);
            let smaller = select(PLUS, MINUS, larger_is > 0);
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

fn one_sided(sides: vec3<i32>) -> bool {
    return sides.x != 0 && all(sides == sides.xxx);
}

// Whether signs contradict each other nowhere.
fn agree(x: i32, y: i32, z: i32) -> bool {
    return x * y >= 0 && y * z >= 0 && z * x >= 0;
}

// What two triangles have in common by name.
struct Common {
    // How many vertices.
    count: u32,
    // With one, which corners it is.
    i: u32,
    j: u32,
    // With two, u and v, the others, which may be none: then a triangle is that edge and nothing more.
    p: u32,
    q: u32,
    is_edge: bool,
}

fn in_common(pair: vec2<u32>) -> Common {
    let a = vec3(corners[3u * pair.x], corners[3u * pair.x + 1u], corners[3u * pair.x + 2u]);
    let b = vec3(corners[3u * pair.y], corners[3u * pair.y + 1u], corners[3u * pair.y + 2u]);
    let in_b = vec3(any(b == a.xxx), any(b == a.yyy), any(b == a.zzz));
    let in_a = vec3(any(a == b.xxx), any(a == b.yyy), any(a == b.zzz));
    // A vertex that is named twice counts once.
    let counted = vec3(in_b.x, in_b.y && a.y != a.x, in_b.z && a.z != a.x && a.z != a.y);
    return Common(
        u32(counted.x) + u32(counted.y) + u32(counted.z),
        select(select(2u, 1u, counted.y), 0u, counted.x),
        3u + select(select(2u, 1u, in_a.y), 0u, in_a.x),
        select(select(2u, 1u, !in_b.y), 0u, !in_b.x),
        3u + select(select(2u, 1u, !in_a.y), 0u, !in_a.x),
        all(in_b) || all(in_a),
    );
}

// Puts corners in place of others for a round, and tells whether there is anything to look at.
//
// Two triangles with one vertex in common are star-shaped about it: if they share more, the side of one that is opposite to it meets the
// other. In four rounds it is the side of the first, in four that of the second. One without an interior is two segments from
// the vertex: a round takes one of each.
fn stand_for(round: u32, names: Common, interiors: vec2<bool>) -> bool {
    for (var k = 0u; k < 6u; k += 1u) {
        stands[k] = k;
    }
    if (round == 0u || names.count != 1u) {
        return true;
    }
    let i = names.i;
    let j = names.j;
    let seconds = vec2((round & 1u) == 0u, ((round - 1u) & 2u) != 0u);
    let end_a = select(next(i), next(next(i)), seconds.x);
    let end_b = select(next(j), next(next(j)), seconds.y);
    let is_point = (!interiors.x && same_corner(i, end_a)) || (!interiors.y && same_corner(j, end_b));
    let is_there = !any(seconds & interiors) && !is_point;
    if (!interiors.x) {
        stands[next(i)] = end_a;
        stands[next(next(i))] = end_a;
    }
    if (!interiors.y) {
        stands[next(j)] = end_b;
        stands[next(next(j))] = end_b;
    }
    if (round <= 4u) {
        stands[i] = end_a;
    } else {
        stands[j] = end_b;
    }
    return is_there;
}

// Whether two triangles are in contact: 1 that they are, -1 that they are not. The twin of `narrow_phase::neighbours_touch`, for pairs of two
// bodies too, which have no vertices in common. Devices write out every function where it is called; so there are loops here, in
// which each is called once.
fn contact(names: Common) -> i32 {
    if (names.count == 2u && names.is_edge) {
        return -1;
    }
    let u = next(names.p);
    let v = next(u);
    // On which side of the plane of the other the corners of each are, those of the first first; then how every edge of the
    // first turns round every edge of the second.
    var signs: array<i32, 15>;
    var interiors = vec2(true);
    // Two segments, which are in one plane only if no edge turns round another; and what they would be then.
    var lines = false;
    var in_plane = 0;
    // Neighbours are looked at as they are in round 0.
    var round = select(1u, 0u, names.count > 0u);
    var answer = 0;
    while (answer == 0 && round < 9u) {
        let surveying = round == 0u;
        var verdict = select(-1, 0, stand_for(round, names, interiors));
        for (var k = 0u; k < 9u && !surveying && verdict == 0; k += 1u) {
            verdict = select(0, 1, same_corner(k / 3u, 3u + k % 3u));
        }
        var flat = surveying || lines || upright_plane();
        // Of those with an edge in common, one sign is asked: whether they are in one plane.
        var k = select(select(0u, 6u, lines), names.q, surveying);
        let end = select(15u, select(0u, names.q + 1u, names.count == 2u), surveying);
        while (verdict == 0 && k < end && (!flat || lines || surveying)) {
            let is_side = k < 6u;
            let plane = select(0u, 3u, k < 3u);
            let i = (max(k, 6u) - 6u) / 3u;
            let j = 3u + k % 3u;
            signs[k] = turn(
                select(i, plane, is_side),
                select(next(i), plane + 1u, is_side),
                select(j, plane + 2u, is_side),
                select(next(j), k, is_side),
            );
            k += 1u;
            let first = vec3(signs[0], signs[1], signs[2]);
            let second = vec3(signs[3], signs[4], signs[5]);
            let ordinary = !surveying && !lines;
            verdict = select(0, -1, ordinary && ((k == 3u && one_sided(first)) || (k == 6u && one_sided(second))));
            // One that has no interior has no plane, and all signs about it are 0.
            flat = flat || (ordinary && k == 6u && all(first == vec3(0)) && all(second == vec3(0)));
        }
        if (verdict == 0 && !flat) {
            verdict = -1;
            for (var i = 0u; i < 3u; i += 1u) {
                let j = 3u + i;
                let passes = signs[i] != signs[next(i)] && agree(signs[6u + 3u * i], signs[7u + 3u * i], signs[8u + 3u * i]);
                let passed = signs[j] != signs[next(j)] && agree(signs[6u + i], signs[9u + i], signs[12u + i]);
                verdict = select(verdict, 1, passes || passed);
            }
        }
        if (verdict == 0 && lines) {
            verdict = in_plane;
            for (var l = 6u; l < 15u; l += 1u) {
                verdict = select(verdict, -1, signs[l] != 0);
            }
        }
        // Seen along an axis along which they do not collapse: apart if all of one is strictly beyond a side of the other, as in
        // `narrow_phase::flat`. A segment has both sides of its line, a point none.
        lines = false;
        interiors = select(interiors, vec2(false), surveying);
        // Of an edge in common: whether the other corners are off its line, on the same side; and whether they are on one line with an end.
        var is_off = vec2(false);
        var same_side = false;
        var bent = false;
        for (var axis = 0u; axis < 3u && flat && verdict == 0 && !lines; axis += 1u) {
            var some = false;
            var separate = false;
            var insides = vec2(0);
            var off = 0;
            var side = 0;
            var beyond = false;
            // First on which side of their own edges both are, then every edge with every corner of the other.
            var item = 0u;
            while (item < 20u) {
                let own = item < 2u;
                let k = (item + 1u) % 3u;
                let edge = select((max(item, 2u) - 2u) / 3u, 3u * item, own);
                let other = select(select(0u, 3u, edge < 3u) + k, edge + 2u, own);
                let turned = flat_turn(edge, next(edge), other, axis);
                some = some || turned != 0;
                insides = select(insides, vec2(turned), vec2(item == 0u, item == 1u));
                let inside = select(insides.y, insides.x, edge < 3u);
                beyond = turned != 0 && turned != inside && (k == 0u || (beyond && turned == side));
                side = select(side, turned, k == 0u);
                separate = separate || (!own && k == 2u && beyond);
                off = select(off, turned, !own && edge == u && other == names.q);
                bent = bent || (!own && edge == names.p && other == names.q && turned != 0);
                // With an interior it is certain that nothing collapsed: the rest of an edge with a corner on this side may be left out.
                let quick = !surveying && any(insides != vec2(0)) && !own;
                item = select(select(item + 1u, item + 3u - k, quick && !beyond), 20u, quick && separate);
            }
            interiors = interiors | (vec2(surveying) & (insides != vec2(0)));
            same_side = select(same_side, insides.x == off, insides.x != 0);
            is_off = is_off | (vec2(insides.x, off) != vec2(0));
            let told = select(1, -1, separate);
            lines = !surveying && some && all(insides == vec2(0));
            in_plane = select(in_plane, told, lines);
            verdict = select(0, told, !surveying && some && !lines);
        }
        // On one line, or about an edge in common: the order of corners along it.
        var before = true;
        var after = true;
        var orders: array<i32, 4>;
        let on_line = verdict == 0 && !lines && !surveying;
        let ordered = select(select(0u, 9u, on_line), 4u, surveying && names.count == 2u);
        for (var k = 0u; k < ordered; k += 1u) {
            let of_edge = order(
                select(k / 3u, select(names.q, names.p, k < 2u), surveying),
                select(3u + k % 3u, select(v, u, (k & 1u) == 0u), surveying),
            );
            orders[min(k, 3u)] = of_edge;
            before = before && of_edge < 0;
            after = after && of_edge > 0;
        }
        verdict = select(verdict, select(1, -1, before || after), on_line);
        if (surveying && names.count == 3u) {
            answer = select(-1, 1, interiors.x);
        }
        if (surveying && names.count == 2u) {
            // Beyond which end of the edge both are; where its ends are one point, they are segments from there.
            let beyond = vec2(select(0, orders[0], orders[0] == orders[1]), select(0, orders[2], orders[2] == orders[3]));
            let overlap = beyond.x != 0 && beyond.x == beyond.y;
            let on_one_line = select(!any(is_off), !bent, same_corner(u, v));
            let folded = signs[names.q] == 0 && ((all(is_off) && same_side) || (on_one_line && overlap));
            answer = select(-1, 1, folded);
        }
        if (!surveying && !lines) {
            answer = select(select(0, -1, names.count == 0u || round == 8u), 1, verdict > 0);
        }
        round += u32(!lines);
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
    let answer = contact(in_common(pair));
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
