// Vertices from body coordinates to cells. The twin of `overlap_cells::project`.

@group(0) @binding(0) var<uniform> plot: Plot;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> placed: array<vec4<f32>>;

@compute @workgroup_size(64)
fn project(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let n = id.x + id.y * groups.x * 64u;
    if (n >= plot.vertices) {
        return;
    }
    let vertex = plot.first_vertex + n;
    var p = positions[vertex].xyz;
    if (plot.offset != 0.0) {
        p += plot.offset * normals[vertex].xyz;
    }
    let local = vec4(p, 1.0);
    placed[plot.place + vertex] = vec4(dot(plot.across, local), dot(plot.down, local), dot(plot.along, local), 1.0);
}
