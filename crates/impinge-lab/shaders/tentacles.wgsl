// Creatures whose tentacles wave, retract and grow again (Georgii, Krüger, Westermann 2007, section 8, "GPU object
// collisions"): from vertices at rest to vertices now. The motion is that of `shapes::Creature`.

struct Tentacle {
    // Length in w.
    axis: vec4<f32>,
    // Two directions across it; phase and turns in w.
    u: vec4<f32>,
    v: vec4<f32>,
    // How far it has drawn back, from 0 to 1, in x.
    state: vec4<f32>,
}

struct Moment {
    // In turns.
    time: f32,
    vertices: u32,
    padding_0: u32,
    padding_1: u32,
}

const NO_TENTACLE = 0xffffffffu;
const TAU = 6.283185307179586;

@group(0) @binding(0) var<uniform> moment: Moment;
@group(0) @binding(1) var<storage, read> tentacles: array<Tentacle>;
// How far out on its tentacle a vertex is, from 0 to 1, in w.
@group(0) @binding(2) var<storage, read> rest: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> owner: array<u32>;
@group(0) @binding(4) var<storage, read_write> positions: array<f32>;

@compute @workgroup_size(64)
fn move_vertices(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let vertex = id.x + id.y * groups.x * 64u;
    if (vertex >= moment.vertices) {
        return;
    }
    let at_rest = rest[vertex];
    var p = at_rest.xyz;
    if (owner[vertex] != NO_TENTACLE) {
        let tentacle = tentacles[owner[vertex]];
        let reach = at_rest.w;
        let clock = TAU * moment.time * tentacle.v.w + tentacle.u.w;
        let drawn = min(0.3 * (1.0 - cos(clock)) + tentacle.state.x, 0.85);
        let turn = clock + 2.5 * reach;
        let wave = 0.35 * reach * reach * (1.0 - tentacle.state.x);
        p += -drawn * tentacle.axis.w * reach * tentacle.axis.xyz
            + wave * (sin(turn) * tentacle.u.xyz + cos(turn) * tentacle.v.xyz);
    }
    positions[3u * vertex] = p.x;
    positions[3u * vertex + 1u] = p.y;
    positions[3u * vertex + 2u] = p.z;
}
