// Boxes of ray bundles (5): one level of the mipmap from the level below it. The twin of
// `depth_peel::ray_mipmap`.

@group(0) @binding(0) var<uniform> frame: Frame;
// The level to make, and the one below it (of width 0 if that is the rays themselves).
@group(0) @binding(1) var<uniform> pair: array<Level, 2>;
@group(0) @binding(2) var<storage, read> wide: array<u32>;
@group(0) @binding(3) var<storage, read_write> boxes: array<vec2<u32>>;

fn below(x: u32, y: u32) -> vec2<u32> {
    let level = pair[1];
    if (level.width == 0u) {
        let inside = x < frame.width && y < frame.height;
        if (inside && ((wide[y * frame.words + x / 32u] >> (x % 32u)) & 1u) == 1u) {
            return vec2(x | (y << 16u));
        }
        return EMPTY;
    }
    if (x < level.width && y < level.height) {
        return boxes[level.first + y * level.width + x];
    }
    return EMPTY;
}

@compute @workgroup_size(64)
fn merge(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let texel = id.x + id.y * groups.x * 64u;
    let level = pair[0];
    if (texel >= level.width * level.height) {
        return;
    }
    let x = 2u * (texel % level.width);
    let y = 2u * (texel / level.width);
    let upper = union_of(below(x, y), below(x + 1u, y));
    let lower = union_of(below(x, y + 1u), below(x + 1u, y + 1u));
    boxes[level.first + texel] = union_of(upper, lower);
}
