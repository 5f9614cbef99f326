// Boxes of rays, `x | y << 16`, both ends inclusive. Mirrors `depth_peel::ray_mipmap::RayBox`.
const EMPTY = vec2<u32>(0xffffffffu, 0u);

struct Level {
    first: u32,
    width: u32,
    height: u32,
    padding: u32,
}

fn union_of(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = min(a.x & 0xffffu, b.x & 0xffffu) | (min(a.x >> 16u, b.x >> 16u) << 16u);
    let high = max(a.y & 0xffffu, b.y & 0xffffu) | (max(a.y >> 16u, b.y >> 16u) << 16u);
    return vec2(low, high);
}

fn is_empty(a: vec2<u32>) -> bool {
    return (a.x & 0xffffu) > (a.y & 0xffffu);
}
