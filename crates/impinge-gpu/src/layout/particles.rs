//! Structs of the particles that are shared with shaders: `particles/shared/layout.wgsl`. A test compares
//! sizes and offsets.

layouts! {
    /// A step; `Flight`.
    struct FlightEntry {
        horizon: [u32; 2],
        from_time: [u32; 2],
        ticks_per_unit: f32,
        units_per_tick: f32,
        particles: u32,
        colliders: u32,
        capacity: u32,
        most_events: u32,
        hop: f32,
        goes_on: u32,
        position_spread: [f32; 4],
        velocity_spread: [f32; 4],
        seed: u32,
        generations: u32,
        turns: u32,
        padding: u32,
    }

    /// A particle as given by the caller; `Particle`.
    struct ParticleEntry {
        position: [f32; 3],
        start_low: u32,
        velocity: [f32; 3],
        start_high: u32,
        acceleration: [f32; 3],
        life_low: u32,
        life_high: u32,
        is_endless: u32,
        padding_0: u32,
        padding_1: u32,
    }

    /// The state of a particle; `Leg`.
    struct LegEntry {
        position: [f32; 3],
        start_low: u32,
        velocity: [f32; 3],
        start_high: u32,
        generation: u32,
        bounce: u32,
        status: u32,
        events: u32,
        collider: u32,
        element: u32,
        next_collider: u32,
        next_node: u32,
        found_elapsed: f32,
        found_collider: u32,
        found_element: u32,
        is_done: u32,
        runner_up: f32,
        padding_0: u32,
        padding_1: u32,
        padding_2: u32,
    }

    /// A surface; `Collider`.
    struct ColliderEntry {
        row_x: [f32; 4],
        row_y: [f32; 4],
        row_z: [f32; 4],
        quadric_x: [f32; 4],
        quadric_y: [f32; 4],
        quadric_z: [f32; 4],
        low: [f32; 3],
        constant: f32,
        high: [f32; 3],
        kind: u32,
        first: u32,
        count: u32,
        response: u32,
        restitution: f32,
        friction: f32,
        triangles: u32,
        padding_0: u32,
        padding_1: u32,
    }

    /// One impact; `Record`.
    struct RecordEntry {
        position: [f32; 3],
        time_low: u32,
        normal: [f32; 3],
        time_high: u32,
        velocity: [f32; 3],
        particle: u32,
        generation: u32,
        bounce: u32,
        collider: u32,
        element: u32,
    }

    /// Counters of a dispatch; the indices are in `particles/shared/layout.wgsl`.
    struct FlightCounters {
        records: u32,
        unfinished: u32,
        cut: u32,
        births: u32,
        touches: u32,
        moved: u32,
        solved: [u32; 2],
    }

    /// The parametrisation of a surface; `Map` of `impact_map.wgsl`.
    struct MapEntry {
        row_x: [f32; 4],
        row_y: [f32; 4],
        row_z: [f32; 4],
        low: [f32; 3],
        kind: u32,
        high: [f32; 3],
        collider: u32,
        width: u32,
        height: u32,
        fixed_per_speed: f32,
        capacity: u32,
    }

    /// A texel; six words of `texels` in `impact_map.wgsl`.
    struct TexelEntry {
        hits: u32,
        time_low: u32,
        /// As an unsigned key: the sign bit is flipped.
        time_high: u32,
        speed: f32,
        speeds: [u32; 2],
    }
}

impl RecordEntry {
    /// In `collider`: no impact, the particle ran out of events.
    pub(crate) const EXHAUSTION: u32 = u32::MAX - 1;
}
