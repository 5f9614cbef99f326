// Vertices of all bodies in region coordinates. The twin of `grid::region::BodyInRegion::place`.

@group(0) @binding(0) var<uniform> cull: Cull;
@group(0) @binding(1) var<storage, read> bodies: array<BodyInRegion>;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> placed: array<vec4<f32>>;

@compute @workgroup_size(256)
fn place_all(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let vertex = id.x + id.y * groups.x * 256u;
    if (vertex >= cull.vertices) {
        return;
    }
    let p = positions[vertex];
    // Vertex 0 belongs to no body.
    let body = select(bitcast<u32>(p.w) & OWNER_BODY, 0u, vertex == 0u);
    let here = bodies[body];
    placed[vertex] = vec4(
        p.x * here.across.x + p.y * here.across.y + p.z * here.across.z + here.across.w,
        p.x * here.down.x + p.y * here.down.y + p.z * here.down.z + here.down.w,
        p.x * here.along.x + p.y * here.along.y + p.z * here.along.z + here.along.w,
        p.w,
    );
}
