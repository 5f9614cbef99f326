// The pixels whose count is not zero: their edge may be inside something. The twin of `interference::marked`,
// in no particular order.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> cast_: Cast;
@group(0) @binding(2) var lines: texture_2d<u32>;
@group(0) @binding(4) var depths: texture_depth_2d;
@group(0) @binding(5) var counted: texture_2d<f32>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> marked: array<vec4<u32>>;

// Pixels per thread, so that few threads share the counters.
const RUN = 32u;

@compute @workgroup_size(64)
fn mark(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let runs = (frame.width + RUN - 1u) / RUN;
    let run = id.x + id.y * groups.x * 64u;
    let y = cast_.first_row + run / runs;
    if (y >= cast_.end_row) {
        return;
    }
    let first = (run % runs) * RUN;
    var shown = 0u;
    for (var x = first; x < min(first + RUN, frame.width); x++) {
        let line = textureLoad(lines, vec2(x, y), 0).x;
        if (line != 0u) {
            shown += 1u;
            let count = vec2<i32>(textureLoad(counted, vec2(x, y), 0).xy);
            if (any(count != vec2(0))) {
                let place = atomicAdd(&counters[MARKED], 1u);
                let depth = bitcast<u32>(textureLoad(depths, vec2(x, y), 0));
                marked[place] = vec4(y * frame.width + x, line - 1u, depth, bitcast<u32>(count.x + count.y));
            }
        }
    }
    if (shown > 0u) {
        atomicAdd(&counters[SHOWN], shown);
    }
}
