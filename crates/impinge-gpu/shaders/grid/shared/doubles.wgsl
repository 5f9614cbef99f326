// Doubles in integer arithmetic, every result rounded to nearest even as processors do: WGSL has no doubles.
// A double is its low and its high word. Subnormal numbers, infinities and NaN are `NOT_A_NUMBER`, and so is
// every result made from it.

const NOT_A_NUMBER = vec2(0u, 0x7ff80000u);
const SIGN = 0x80000000u;
const IMPLICIT = 0x00100000u;

fn exponent_of(x: vec2<u32>) -> u32 {
    return (x.y >> 20u) & 0x7ffu;
}

fn is_zero(x: vec2<u32>) -> bool {
    return (x.x | (x.y << 1u)) == 0u;
}

// Zero or a normal number.
fn is_ordinary(x: vec2<u32>) -> bool {
    let e = exponent_of(x);
    return is_zero(x) || (e != 0u && e != 0x7ffu);
}

// Its mantissa of 53 bits, as an integer.
fn mantissa_of(x: vec2<u32>) -> vec2<u32> {
    return vec2(x.x, (x.y & 0x000fffffu) | IMPLICIT);
}

fn shifted_left(x: vec2<u32>, by: u32) -> vec2<u32> {
    let near = by & 31u;
    // In two steps: a shift by 32 is not defined.
    let low = x.x << near;
    let high = (x.y << near) | ((x.x >> 1u) >> (31u - near));
    return select(vec2(low, high), vec2(0u, select(0u, low, by < 64u)), by >= 32u);
}

fn shifted_right(x: vec2<u32>, by: u32) -> vec2<u32> {
    let near = by & 31u;
    let high = x.y >> near;
    let low = (x.x >> near) | ((x.y << 1u) << (31u - near));
    return select(vec2(low, high), vec2(select(0u, high, by < 64u), 0u), by >= 32u);
}

// Rounds a mantissa of 64 bits, the first of them 1, to 53. The last bit is sticky: it stands for everything
// below.
fn rounded(sign: u32, exponent: i32, x: vec2<u32>) -> vec2<u32> {
    let rest = x.x & 0x7ffu;
    let kept = shifted_right(x, 11u);
    let up = u32(rest > 0x400u || (rest == 0x400u && (kept.x & 1u) == 1u));
    let low = kept.x + up;
    // The leading bit adds 1 to the exponent.
    let high = kept.y + u32(low < up) + (u32(exponent - 1) << 20u);
    let fits = exponent >= 1 && high < 0x7ff00000u && exponent < 0x7ff;
    return select(NOT_A_NUMBER, vec2(low, high | sign), fits);
}

// The 64-bit product.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
    let al = a & 0xffffu;
    let ah = a >> 16u;
    let bl = b & 0xffffu;
    let bh = b >> 16u;
    let low = al * bl;
    let middle = al * bh + (low >> 16u);
    let other = ah * bl + (middle & 0xffffu);
    return vec2((low & 0xffffu) | (other << 16u), ah * bh + (middle >> 16u) + (other >> 16u));
}

fn times(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & SIGN;
    let x = shifted_left(mantissa_of(a), 11u);
    let y = shifted_left(mantissa_of(b), 11u);
    let low = wide_product(x.x, y.x);
    let cross_a = wide_product(x.x, y.y);
    let cross_b = wide_product(x.y, y.x);
    let high = wide_product(x.y, y.y);
    let second = low.y + cross_a.x;
    let second_all = second + cross_b.x;
    let carry = u32(second < low.y) + u32(second_all < second);
    let third = high.x + cross_a.y;
    let third_more = third + cross_b.y;
    let third_all = third_more + carry;
    let fourth = high.y + u32(third < high.x) + u32(third_more < third) + u32(third_all < third_more);
    let product = vec2(third_all | u32((low.x | second_all) != 0u), fourth);
    let zeros = countLeadingZeros(fourth);
    let exponent = i32(exponent_of(a)) + i32(exponent_of(b)) - 1022 - i32(zeros);
    let result = rounded(sign, exponent, shifted_left(product, zeros));
    let known = is_ordinary(a) && is_ordinary(b);
    return select(NOT_A_NUMBER, select(result, vec2(0u, sign), is_zero(a) || is_zero(b)), known);
}

fn plus(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let size_a = a.y & ~SIGN;
    let size_b = b.y & ~SIGN;
    let swap = size_a < size_b || (size_a == size_b && a.x < b.x);
    let larger = select(a, b, swap);
    let smaller = select(b, a, swap);
    let apart = min(exponent_of(larger) - exponent_of(smaller), 63u);
    let x = shifted_left(mantissa_of(larger), 10u);
    let whole = shifted_left(mantissa_of(smaller), 10u);
    var y = shifted_right(whole, apart);
    // Bits shifted out are kept in a sticky last bit.
    y.x |= u32(any(shifted_left(y, apart) != whole));
    let added = vec2(x.x + y.x, x.y + y.y + u32(x.x + y.x < x.x));
    let taken = vec2(x.x - y.x, x.y - y.y - u32(x.x < y.x));
    let sum = select(taken, added, ((a.y ^ b.y) & SIGN) == 0u);
    let zeros = select(countLeadingZeros(sum.y), 32u + countLeadingZeros(sum.x), sum.y == 0u);
    let exponent = i32(exponent_of(larger)) + 1 - i32(zeros);
    let nothing = (sum.x | sum.y) == 0u;
    let result = select(rounded(larger.y & SIGN, exponent, shifted_left(sum, zeros)), vec2(0u), nothing);
    let known = is_ordinary(a) && is_ordinary(b);
    return select(NOT_A_NUMBER, select(select(result, a, is_zero(b)), b, is_zero(a)), known);
}

// A float, given by its bits, as a double.
fn doubled(bits: u32) -> vec2<u32> {
    let e = (bits >> 23u) & 0xffu;
    let sign = bits & SIGN;
    if ((bits << 1u) == 0u) {
        return vec2(0u, sign);
    }
    let fits = e != 0u && e != 0xffu;
    return select(NOT_A_NUMBER, vec2(bits << 29u, sign | ((e + 896u) << 20u) | ((bits & 0x7fffffu) >> 3u)), fits);
}
