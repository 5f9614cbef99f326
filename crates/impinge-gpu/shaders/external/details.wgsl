// What the exact test on the CPU needs of triangles of external bodies: corners, normal, the caller's tag,
// and the vertices, which tell neighbours. One thread per word of flags.

struct Details {
    // Three corners, and the normal, of length 1 or 0.
    corners: array<f32, 9>,
    normal: array<f32, 3>,
    vertices: array<u32, 3>,
    tag: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> flags: array<u32>;
@group(0) @binding(3) var<storage, read> before: array<u32>;
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> triangles: array<u32>;
@group(0) @binding(6) var<storage, read> tags: array<u32>;
@group(0) @binding(7) var<storage, read_write> details: array<Details>;
// The number of requested triangles, then the triangles.
@group(0) @binding(8) var<storage, read> listed: array<u32>;

fn details_of(triangle: u32) -> Details {
    let corners =
        vec3(triangles[3u * triangle], triangles[3u * triangle + 1u], triangles[3u * triangle + 2u]);
    let a = positions[corners.x];
    let b = positions[corners.y];
    let c = positions[corners.z];
    let body = bitcast<u32>(a.w) & OWNER_BODY;
    // Edges are scaled to about 1 first, so that no area overflows or underflows.
    let u = b.xyz - a.xyz;
    let v = c.xyz - a.xyz;
    let largest = max(max(max(abs(u.x), abs(u.y)), abs(u.z)), max(max(abs(v.x), abs(v.y)), abs(v.z)));
    let scale = select(1.0, largest, largest > 0.0);
    let across = cross(u / scale, v / scale);
    let length = length(across);
    var normal = vec3(0.0);
    if (length > 0.0) {
        normal = across / length;
    }
    let local = corners - vec3(bodies[body].first_vertex);
    return Details(
        array(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z),
        array(normal.x, normal.y, normal.z),
        array(local.x, local.y, local.z),
        tags[triangle - 32u * frame.external_word],
    );
}

@compute @workgroup_size(64)
fn detail(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let word = frame.external_word + id.x + id.y * groups.x * 64u;
    if (word >= frame.triangles / 32u) {
        return;
    }
    var left = flags[word];
    var item = before[word] - before[frame.external_word];
    while (left != 0u) {
        let triangle = 32u * word + firstTrailingBit(left);
        left &= left - 1u;
        details[item] = details_of(triangle);
        item += 1u;
    }
}

// One thread per requested triangle.
@compute @workgroup_size(64)
fn detail_listed(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let item = id.x + id.y * groups.x * 64u;
    if (item < listed[0]) {
        details[item] = details_of(listed[1u + item]);
    }
}
