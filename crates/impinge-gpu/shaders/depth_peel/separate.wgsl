// For every triangle, the part of its screen rectangle that collision rays may pass (6), from the ray
// bundles: one thread per triangle. The twin of `depth_peel::separate`. Nothing here rounds: minima, maxima,
// and floats of small integers.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> screen: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> triangles: array<u32>;
@group(0) @binding(4) var<storage, read> wide: array<u32>;
@group(0) @binding(5) var<storage, read> boxes: array<vec2<u32>>;
@group(0) @binding(6) var<uniform> levels: array<Level, 16>;
@group(0) @binding(7) var<storage, read_write> sparse: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> flags: array<atomic<u32>>;

fn texel(level: u32, x: u32, y: u32) -> vec2<u32> {
    if (level == 0u) {
        if (((wide[y * frame.words + x / 32u] >> (x % 32u)) & 1u) == 1u) {
            return vec2(x | (y << 16u));
        }
        return EMPTY;
    }
    let l = levels[level - 1u];
    return boxes[l.first + (y >> level) * l.width + (x >> level)];
}

@compute @workgroup_size(256)
fn separate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let triangle = id.x + id.y * groups.x * 256u;
    if (triangle >= frame.triangles) {
        return;
    }
    let a = screen[triangles[3u * triangle]];
    let body = bitcast<u32>(a.w) & OWNER_BODY;
    if (body == NOBODY || (bodies[body].flags & ACTIVE) == 0u) {
        return;
    }
    let b = screen[triangles[3u * triangle + 1u]];
    let c = screen[triangles[3u * triangle + 2u]];
    let low = min(a.xy, min(b.xy, c.xy));
    let high = max(a.xy, max(b.xy, c.xy));
    let size = vec2(f32(frame.width), f32(frame.height));
    if (!(high.x >= 0.0 && high.y >= 0.0 && low.x <= size.x && low.y <= size.y)) {
        return;
    }
    let first = vec2<u32>(min(max(low, vec2(0.0)), size - 1.0));
    let last = vec2<u32>(min(high, size - 1.0));

    let extent = max(last.x - first.x, last.y - first.y);
    var level = 32u - countLeadingZeros(extent);
    if (level > 0u) {
        let finer = level - 1u;
        if ((last.x >> finer) - (first.x >> finer) <= 1u && (last.y >> finer) - (first.y >> finer) <= 1u) {
            level = finer;
        }
    }
    let upper = union_of(texel(level, first.x, first.y), texel(level, last.x, first.y));
    let lower = union_of(texel(level, first.x, last.y), texel(level, last.x, last.y));
    let bundle = union_of(upper, lower);
    if (is_empty(bundle)) {
        return;
    }
    let begin = max(low, vec2(f32(bundle.x & 0xffffu), f32(bundle.x >> 16u)));
    let end = min(high, vec2(f32((bundle.y & 0xffffu) + 1u), f32((bundle.y >> 16u) + 1u)));
    if (begin.x <= end.x && begin.y <= end.y) {
        sparse[triangle] = vec4(begin, end);
        atomicOr(&flags[triangle / 32u], 1u << (triangle % 32u));
    }
}
