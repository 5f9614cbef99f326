// Structs and constants of all particle stages. A test compares the layout with `layout/particles.rs`.
//
// Times are integer ticks in 64 bits, two's complement, low word first: after an hour a float cannot tell
// tenths of milliseconds apart. Time since the start of a path is a float in the unit of time.

struct Flight {
    // Impacts are reported up to here.
    horizon: vec2<u32>,
    // The end of the previous step: nothing is reported earlier.
    from_time: vec2<u32>,
    // Ticks per unit of time, and the inverse.
    ticks_per_unit: f32,
    units_per_tick: f32,
    particles: u32,
    colliders: u32,
    // Capacity in records.
    capacity: u32,
    most_events: u32,
    // Shortest hop, as `Options::hop`.
    hop: f32,
    // 0 in the first dispatch of a step, 1 in those that continue it.
    goes_on: u32,
    // Spread of the positions and velocities of later generations: sizes, and the kind in w (0 none, 1 box, 2
    // ball).
    position_spread: vec4<f32>,
    velocity_spread: vec4<f32>,
    seed: u32,
    // Number of generations; NONE for no end.
    generations: u32,
    // Loop iterations of a thread per dispatch.
    turns: u32,
    padding: u32,
}

// A particle as given by the caller.
struct Particle {
    position: vec3<f32>,
    start_low: u32,
    velocity: vec3<f32>,
    start_high: u32,
    acceleration: vec3<f32>,
    life_low: u32,
    life_high: u32,
    is_endless: u32,
    padding_0: u32,
    padding_1: u32,
}

// The state of a particle: the path since its last birth or impact, and the progress of the search for its
// next impact.
struct Leg {
    position: vec3<f32>,
    start_low: u32,
    velocity: vec3<f32>,
    start_high: u32,
    generation: u32,
    bounce: u32,
    status: u32,
    // Births and impacts in this step.
    events: u32,
    // The surface that the path starts on: collider, element. NONE for a birth.
    collider: u32,
    element: u32,
    // Where the search continues: a collider, and a node within a mesh.
    next_collider: u32,
    next_node: u32,
    // The earliest hit so far; NEVER before there is one.
    found_elapsed: f32,
    found_collider: u32,
    found_element: u32,
    // Whether the step is complete.
    is_done: u32,
    // The time of the second earliest hit.
    runner_up: f32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

// A surface in a frame of its own: `linear (p - origin)` takes the world there.
struct Collider {
    // Rows of the linear part, and the origin.
    row_x: vec4<f32>,
    row_y: vec4<f32>,
    row_z: vec4<f32>,
    // A quadric's `x.Ax + 2 b.x + c`: rows of A, and b. Half the size of a box in the first.
    quadric_x: vec4<f32>,
    quadric_y: vec4<f32>,
    quadric_z: vec4<f32>,
    // Its box in the world, rounded outward.
    low: vec3<f32>,
    constant: f32,
    high: vec3<f32>,
    kind: u32,
    // Its bounds, or its nodes, in `numbers`.
    first: u32,
    count: u32,
    response: u32,
    restitution: f32,
    friction: f32,
    // A mesh's triangles in `numbers`.
    triangles: u32,
    padding_0: u32,
    padding_1: u32,
}

// One impact, or one particle that ran out of events.
struct Record {
    position: vec3<f32>,
    time_low: u32,
    normal: vec3<f32>,
    time_high: u32,
    velocity: vec3<f32>,
    particle: u32,
    generation: u32,
    bounce: u32,
    collider: u32,
    element: u32,
}

const NONE = 0xffffffffu;
// In `collider`: no impact, the particle ran out of events.
const EXHAUSTION = 0xfffffffeu;
const NEVER = 3.0e38;

// `Status`, in the order of the CPU's.
const UNBORN = 0u;
const FLYING = 1u;
const SLIDING = 2u;
const STUCK = 3u;
const RESTING = 4u;
const GONE = 5u;
const EXHAUSTED = 6u;
const ENDED = 7u;

// `Response`.
const ELIMINATE = 0u;
const STICK = 1u;
const BOUNCE = 2u;

// Shapes.
const PLANE = 0u;
const QUADRIC = 1u;
const BOX = 2u;
const MESH = 3u;

// Indices of counters.
const RECORDS = 0u;
const UNFINISHED = 1u;
const CUT = 2u;
const BIRTHS = 3u;
const TOUCHES = 4u;
const MOVED = 5u;
const SOLVED_LOW = 6u;
const SOLVED_HIGH = 7u;
