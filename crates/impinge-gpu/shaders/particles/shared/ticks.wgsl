// 64-bit integers, two's complement, low word first.

fn ticks_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2(low, a.y + b.y + u32(low < a.x));
}

fn ticks_subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

fn ticks_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    let high = vec2(a.y ^ 0x80000000u, b.y ^ 0x80000000u);
    return high.x < high.y || (high.x == high.y && a.x < b.x);
}

// The product with a word, modulo 2^64.
fn ticks_times(a: vec2<u32>, b: u32) -> vec2<u32> {
    let p = a.x & 0xffffu;
    let q = a.x >> 16u;
    let r = b & 0xffffu;
    let s = b >> 16u;
    let middle = q * r + ((p * r) >> 16u);
    let other = p * s + (middle & 0xffffu);
    let high = q * s + (middle >> 16u) + (other >> 16u);
    return vec2(a.x * b, high + a.y * b);
}

// Of a number that is not negative.
fn ticks_to_float(a: vec2<u32>) -> f32 {
    return f32(a.y) * 4294967296.0 + f32(a.x);
}

// Of a float from 0 to 2^63: truncated, otherwise exact.
fn ticks_from_float(a: f32) -> vec2<u32> {
    let high = floor(a * (1.0 / 4294967296.0));
    return vec2(u32(a - high * 4294967296.0), u32(high));
}
