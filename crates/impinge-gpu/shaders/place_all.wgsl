// Vertices of all bodies in the coordinates of the region. The twin of `conservative::region::Party::place`.

@group(0) @binding(0) var<uniform> cull: Cull;
@group(0) @binding(1) var<storage, read> parties: array<Party>;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> placed: array<vec4<f32>>;

@compute @workgroup_size(256)
fn place_all(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let vertex = id.x + id.y * groups.x * 256u;
    if (vertex >= cull.vertices) {
        return;
    }
    let p = positions[vertex];
    // Vertex 0 is nobody's.
    let body = select(bitcast<u32>(p.w) & OWNER_BODY, 0u, vertex == 0u);
    let party = parties[body];
    placed[vertex] = vec4(
        p.x * party.across.x + p.y * party.across.y + p.z * party.across.z + party.across.w,
        p.x * party.down.x + p.y * party.down.y + p.z * party.down.z + party.down.w,
        p.x * party.along.x + p.y * party.along.y + p.z * party.along.z + party.along.w,
        p.w,
    );
}
