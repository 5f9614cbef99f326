// Vertices from body coordinates to pixels and depth. The twin of `image::gather`.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> screen: array<vec4<f32>>;

@compute @workgroup_size(256)
fn project(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let vertex = id.x + id.y * groups.x * 256u;
    if (vertex >= frame.vertices) {
        return;
    }
    // Vertex 0 belongs to no body.
    if (vertex == 0u) {
        screen[0] = vec4(-1.0, -1.0, 0.0, bitcast<f32>(NOBODY | OWNER_NORMAL));
        return;
    }
    let p = positions[vertex];
    let body = bitcast<u32>(p.w) & OWNER_BODY;
    let flags = bodies[body].flags;
    let owner =
        body | OWNER_NORMAL | select(0u, OWNER_CLOSED, (flags & CLOSED) != 0u) | select(0u, OWNER_MIRRORED, (flags & MIRRORED) != 0u);
    let local = vec4(p.xyz, 1.0);
    var image = vec3(dot(bodies[body].across, local), dot(bodies[body].down, local), dot(bodies[body].along, local));
    if (frame.perspective != 0u) {
        image /= dot(bodies[body].away, local);
    }
    screen[vertex] = vec4(image, bitcast<f32>(owner));
}
