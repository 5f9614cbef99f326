// Exact arithmetic for pairs that floats left in doubt: are the two triangles in contact? The twin of
// `exact::triangles_touch`. What it cannot decide stays in doubt, for the CPU.
//
// World coordinates are doubles (`place_exactly.wgsl`). Those of the two triangles become integers in one
// unit, a power of two; their differences are below 2^128, in limbs of 16 bits. With n limbs each, a minor is
// below 2 (2^16n)^2 and has 2n + 1 limbs, and the six terms of a determinant stay below 6 (2^16n)^3, in 3n +
// 1. So every sign is that of the true determinant. Positive and negative terms are summed separately and
// compared at the end.
//
// Where coordinates are below 2^29 units, as those of models made on a lattice are, differences are below
// 2^30, minors below 2^61 and determinants below 3 2^91: signed words of 32, 64 and 96 bits hold them. Of
// larger ones the leading 27 bits are tried first: differences are below D = 2^28 then, with an error below
// 2. With `max|x_k| |y| |z|` as the bound of a determinant, as in `bounds.rs`, its error is below 3 2 (3 D +
// 6)^2 < 2^64, and that of a 2 x 2 determinant below 8 D + 8 < 2^32: a top word that is neither 0 nor -1
// gives the sign.

struct Task {
    // Entries of `found`.
    count: u32,
    // Iterations of a loop that only counts them.
    turns: u32,
    padding_0: u32,
    padding_1: u32,
}

@group(0) @binding(0) var<uniform> task: Task;
@group(0) @binding(1) var<storage, read> corners: array<u32>;
// Three doubles per vertex, written by `place_exactly.wgsl`.
@group(0) @binding(2) var<storage, read> placed: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> found: array<vec2<u32>>;

const DOUBTFUL = 0x80000000u;
const NONE = 0xffffffffu;

// Limbs of differences, and the offsets in `numbers` of the sums of a determinant.
const MAX_LIMBS = 8u;
const PLUS = 72u;
const MINUS = 90u;
const ALL_PLUS = 108u;
const ALL_MINUS = 135u;
const ROOM = 162u;

// Coordinates of the three corners of one triangle, then of the other: as doubles, and as limbs, each with
// the sign of its number.
var<private> world: array<vec2<u32>, 18>;
var<private> coordinates: array<i32, 144>;
// The corner that stands in for each of the six: a side of a triangle is a triangle with two equal corners.
var<private> stands: array<u32, 6>;
// Limbs of the coordinates, and of the differences made last.
var<private> limbs: u32;
// Each coordinate in one word, and whether that is all of it; else its leading bits.
var<private> values: array<i32, 18>;
var<private> short: bool;
var<private> used: u32;
var<private> numbers: array<u32, ROOM>;

// Limb `which` (16 bits) of `mantissa << place`.
fn limb(mantissa: vec2<u32>, place: i32, which: u32) -> i32 {
    let low = i32(16u * which) - place;
    let right = shifted_right(mantissa, u32(clamp(low, 0, 63))).x;
    let left = mantissa.x << u32(clamp(-low, 0, 15));
    let inside = low > -16 && low < 64;
    return i32(select(0u, select(right, left, low < 0) & 0xffffu, inside));
}

// Reads all corners; false if a double is not ordinary or a difference needs too many limbs.
fn read_corners(pair: vec2<u32>) -> bool {
    var lowest = 0x7fffffff;
    var highest = 0;
    var known = true;
    for (var k = 0u; k < 18u; k += 1u) {
        let triangle = select(pair.y, pair.x, k < 9u);
        let x = placed[3u * corners[3u * triangle + (k / 3u) % 3u] + k % 3u];
        known = known && is_ordinary(x);
        // Only one zero: no sign.
        let none = is_zero(x);
        world[k] = select(x, vec2(0u), none);
        let m = mantissa_of(x);
        let zeros = select(countTrailingZeros(m.x), 32u + countTrailingZeros(m.y), m.x == 0u);
        let e = i32(exponent_of(x));
        lowest = select(min(lowest, e + i32(zeros)), lowest, none);
        highest = select(max(highest, e + 53), highest, none);
    }
    // One bit more than coordinates need, for differences.
    limbs = u32(max(highest - lowest, 0) + 16) / 16u;
    if (!known || limbs > MAX_LIMBS) {
        return false;
    }
    short = highest - lowest <= 29;
    limbs = select(limbs, 0u, short);
    for (var k = 0u; k < 18u; k += 1u) {
        let x = world[k];
        let m = select(mantissa_of(x), vec2(0u), is_zero(x));
        let side = select(1, -1, (x.y & SIGN) != 0u);
        let place = i32(exponent_of(x)) - lowest;
        let left = place - select(highest - lowest - 27, 0, short);
        let first = select(shifted_right(m, u32(clamp(-left, 0, 64))), shifted_left(m, u32(max(left, 0))), left > 0);
        values[k] = side * i32(first.x);
        for (var l = 0u; l < limbs; l += 1u) {
            coordinates[MAX_LIMBS * k + l] = side * limb(m, place, l);
        }
    }
    return true;
}

// Index of a coordinate of a corner.
fn at(i: u32, axis: u32) -> u32 {
    return 3u * stands[i] + axis;
}

fn same(i: u32, j: u32, axis: u32) -> bool {
    return all(world[at(i, axis)] == world[at(j, axis)]);
}

fn same_corner(i: u32, j: u32) -> bool {
    return same(i, j, 0u) && same(i, j, 1u) && same(i, j, 2u);
}

// Whether all corners share a coordinate along an axis: faces of boxes are seldom rotated.
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

// `numbers[into..]` = corner i minus corner j along an axis, as a magnitude; returns its sign.
fn subtract(into: u32, i: u32, j: u32, axis: u32) -> i32 {
    let x = MAX_LIMBS * at(i, axis);
    let y = MAX_LIMBS * at(j, axis);
    var carry = 0;
    var some = 0u;
    for (var k = 0u; k < limbs; k += 1u) {
        let t = coordinates[x + k] - coordinates[y + k] + carry;
        numbers[into + k] = u32(t) & 0xffffu;
        carry = t >> 16u;
        some = select(some, k + 1u, (t & 0xffff) != 0);
    }
    if (carry < 0) {
        var borrow = 1u;
        some = 0u;
        for (var k = 0u; k < limbs; k += 1u) {
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

// Adds the product of two numbers of `of_x` and `of_y` limbs.
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

// The order of two numbers of `count` limbs.
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

// Adds the product of a 64-bit and a 32-bit number, both signed.
fn add_signed(sum: vec3<u32>, m: vec2<u32>, x: i32) -> vec3<u32> {
    let low = wide_product(m.x, u32(x));
    let high = wide_product(m.y, u32(x));
    let middle = low.y + high.x;
    var last = high.y + u32(middle < low.y) - select(0u, u32(x), (m.y & SIGN) != 0u);
    // Correction for unsigned multiplication.
    let taken = select(vec2(0u), m, x < 0);
    last -= taken.y + u32(middle < taken.x);
    let term = vec3(low.x, middle - taken.x, last);
    let first = sum.x + term.x;
    let second = sum.y + term.y;
    let carried = second + u32(first < sum.x);
    return vec3(first, carried, sum.z + term.z + u32(second < sum.y) + u32(carried < second));
}

// The sign of a number; `UNKNOWN` where it was made from leading bits and its top word does not decide.
fn sign_of(high: u32, rest: u32) -> i32 {
    let certain = short || (high != 0u && high != 0xffffffffu);
    return select(UNKNOWN, select(select(0, 1, (high | rest) != 0u), -1, (high & SIGN) != 0u), certain);
}

const UNKNOWN = 2;

const NO_AXIS = 3u;

// The sign of the determinant of q - p, r - p and s - p.
fn turn(p: u32, q: u32, r: u32, s: u32) -> i32 {
    var answer = short_turn(p, q, r, s);
    // A loop instead of an if: devices that run several lanes in lockstep skip it when no lane enters.
    var busy = answer == UNKNOWN;
    while (busy) {
        busy = false;
        answer = long_turn(p, q, r, s, NO_AXIS);
    }
    return answer;
}

// The orientation of p, q, r seen along an axis.
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

// The same with limbs. With an axis, the third vector is the unit vector along it.
fn long_turn(p: u32, q: u32, r: u32, s: u32, axis: u32) -> i32 {
    var sides: array<i32, 9>;
    used = 1u;
    for (var k = 0u; k < 9u; k += 1u) {
        let is_unit = k >= 6u && axis != NO_AXIS;
        // 1 in the lowest limb.
        let to = select(select(select(s, r, k < 6u), q, k < 3u), p, is_unit);
        sides[k] = subtract(MAX_LIMBS * k, to, p, k % 3u);
        if (is_unit && k == 6u + axis) {
            numbers[MAX_LIMBS * k] = 1u;
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
                add_product(select(MINUS, PLUS, side > 0), MAX_LIMBS * x, n, MAX_LIMBS * y, n);
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
            add_product(select(ALL_MINUS, ALL_PLUS, side > 0), larger, 2u * n + 1u, MAX_LIMBS * k, n);
        }
    }
    return compare(ALL_PLUS, ALL_MINUS, 3u * n + 2u);
}

// The next corner of the same triangle.
fn next(k: u32) -> u32 {
    return select(k + 1u, k - 2u, k % 3u == 2u);
}

// The lexicographic order of two corners: on a line, the order along it.
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

// Whether no two signs are opposite.
fn agree(x: i32, y: i32, z: i32) -> bool {
    return x * y >= 0 && y * z >= 0 && z * x >= 0;
}

// The vertices that two triangles share by index.
struct Common {
    // How many.
    count: u32,
    // If one: which corner of either.
    i: u32,
    j: u32,
    // If two: the corner of either that is not shared; there may be none (`is_edge`), and the triangle is
    // that edge.
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

// Sets the corners that stand in for others in a round; false if the round has nothing to test.
//
// Two triangles with one common vertex are star-shaped about it: if they share more, the side of one that is
// opposite to it meets the other. Four rounds take the side of the first, four that of the second. A triangle
// without an interior is two segments from the vertex, and a round takes one of each.
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

// Whether two triangles are in contact: 1 yes, -1 no. The twin of `exact::neighbours_touch`; pairs of two
// bodies are pairs without common vertices. Compilers for these devices inline every call, so each function
// is called once, in loops.
fn contact(names: Common) -> i32 {
    if (names.count == 2u && names.is_edge) {
        return -1;
    }
    let u = next(names.p);
    let v = next(u);
    // The sides of the plane of the other that the corners of each are on, those of the first triangle first;
    // then the orientation of every edge of the first about every edge of the second.
    var signs: array<i32, 15>;
    var interiors = vec2(true);
    // Whether both are segments: they are in one plane only if no edge turns about another; and the verdict
    // in that case.
    var lines = false;
    var in_plane = 0;
    // Round 0 surveys neighbours as they are.
    var round = select(1u, 0u, names.count > 0u);
    var answer = 0;
    while (answer == 0 && round < 9u) {
        let surveying = round == 0u;
        var verdict = select(-1, 0, stand_for(round, names, interiors));
        for (var k = 0u; k < 9u && !surveying && verdict == 0; k += 1u) {
            verdict = select(0, 1, same_corner(k / 3u, 3u + k % 3u));
        }
        var flat = surveying || lines || upright_plane();
        // With a common edge one sign suffices: whether the triangles are coplanar.
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
            // Without an interior there is no plane, and all its signs are 0.
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
        // Seen along an axis along which they do not collapse: apart if all of one is strictly beyond a side
        // of the other, as in `exact::coplanar`. A segment has both sides of its line, a point none.
        lines = false;
        interiors = select(interiors, vec2(false), surveying);
        // With a common edge: whether the other corners are off its line, whether on the same side, and
        // whether one of them is on a line with an end.
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
            // First the sides of their own edges that both are on, then every edge against every corner of
            // the other.
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
                // An interior proves that nothing collapsed: once a corner is on this side, the rest of the
                // edge's tests may be skipped.
                let quick = !surveying && any(insides != vec2(0)) && !own;
                item = select(select(item + 1u, item + 3u - k, quick && !beyond), 20u, quick && separate);
            }
            interiors = interiors | (vec2(surveying) & (insides != vec2(0)));
            same_side = select(same_side, insides.x == off, insides.x != 0);
            is_off = is_off | (vec2(insides.x, off) != vec2(0));
            let of_axis = select(1, -1, separate);
            lines = !surveying && some && all(insides == vec2(0));
            in_plane = select(in_plane, of_axis, lines);
            verdict = select(0, of_axis, !surveying && some && !lines);
        }
        // On one line, or about a common edge: the order of corners along it.
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
            // Beyond which end of the edge each other corner is; if its ends coincide, both are segments from
            // there.
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
fn exact_signs(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let which = id.x + id.y * groups.x * 64u;
    if (which >= task.count || (found[which].x & DOUBTFUL) == 0u) {
        return;
    }
    let pair = found[which] & vec2(~DOUBTFUL, NONE);
    if (!read_corners(pair)) {
        return;
    }
    let answer = contact(in_common(pair));
    // Some devices silently end all loops of a thread that iterated too often: this loop would then end early
    // too.
    var turned = 0u;
    while (turned < task.turns) {
        turned += 1u;
    }
    if (turned < task.turns) {
        return;
    }
    if (answer > 0) {
        found[which] = pair;
    }
    if (answer < 0) {
        found[which] = vec2(NONE);
    }
}
