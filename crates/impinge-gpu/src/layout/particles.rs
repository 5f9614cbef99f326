//! Structs of the particles that are shared with shaders: `particles/shared/layout.wgsl`. A test compares
//! sizes and offsets.

use bytemuck::{Pod, Zeroable};

/// A step; `Flight`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct FlightEntry {
    pub(crate) horizon: [u32; 2],
    pub(crate) from_time: [u32; 2],
    pub(crate) ticks_per_unit: f32,
    pub(crate) units_per_tick: f32,
    pub(crate) particles: u32,
    pub(crate) colliders: u32,
    pub(crate) capacity: u32,
    pub(crate) most_events: u32,
    pub(crate) hop: f32,
    pub(crate) goes_on: u32,
    pub(crate) position_spread: [f32; 4],
    pub(crate) velocity_spread: [f32; 4],
    pub(crate) seed: u32,
    pub(crate) generations: u32,
    pub(crate) turns: u32,
    pub(crate) padding: u32,
}

/// A particle as given by the caller; `Particle`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct ParticleEntry {
    pub(crate) position: [f32; 3],
    pub(crate) start_low: u32,
    pub(crate) velocity: [f32; 3],
    pub(crate) start_high: u32,
    pub(crate) acceleration: [f32; 3],
    pub(crate) life_low: u32,
    pub(crate) life_high: u32,
    pub(crate) is_endless: u32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
}

/// The state of a particle; `Leg`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct LegEntry {
    pub(crate) position: [f32; 3],
    pub(crate) start_low: u32,
    pub(crate) velocity: [f32; 3],
    pub(crate) start_high: u32,
    pub(crate) generation: u32,
    pub(crate) bounce: u32,
    pub(crate) status: u32,
    pub(crate) events: u32,
    pub(crate) collider: u32,
    pub(crate) element: u32,
    pub(crate) next_collider: u32,
    pub(crate) next_node: u32,
    pub(crate) found_elapsed: f32,
    pub(crate) found_collider: u32,
    pub(crate) found_element: u32,
    pub(crate) is_done: u32,
    pub(crate) runner_up: f32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
    pub(crate) padding_2: u32,
}

/// A surface; `Collider`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct ColliderEntry {
    pub(crate) row_x: [f32; 4],
    pub(crate) row_y: [f32; 4],
    pub(crate) row_z: [f32; 4],
    pub(crate) quadric_x: [f32; 4],
    pub(crate) quadric_y: [f32; 4],
    pub(crate) quadric_z: [f32; 4],
    pub(crate) low: [f32; 3],
    pub(crate) constant: f32,
    pub(crate) high: [f32; 3],
    pub(crate) kind: u32,
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) response: u32,
    pub(crate) restitution: f32,
    pub(crate) friction: f32,
    pub(crate) triangles: u32,
    pub(crate) padding_0: u32,
    pub(crate) padding_1: u32,
}

/// One impact; `Record`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct RecordEntry {
    pub(crate) position: [f32; 3],
    pub(crate) time_low: u32,
    pub(crate) normal: [f32; 3],
    pub(crate) time_high: u32,
    pub(crate) velocity: [f32; 3],
    pub(crate) particle: u32,
    pub(crate) generation: u32,
    pub(crate) bounce: u32,
    pub(crate) collider: u32,
    pub(crate) element: u32,
}

impl RecordEntry {
    /// In `collider`: no impact, the particle ran out of events.
    pub(crate) const EXHAUSTION: u32 = u32::MAX - 1;
}

/// Counters of a dispatch; the indices are in `particles/shared/layout.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct FlightCounters {
    pub(crate) records: u32,
    pub(crate) unfinished: u32,
    pub(crate) cut: u32,
    pub(crate) births: u32,
    pub(crate) touches: u32,
    pub(crate) moved: u32,
    pub(crate) solved: [u32; 2],
}

/// The parametrisation of a surface; `Map` of `impact_map.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct MapEntry {
    pub(crate) row_x: [f32; 4],
    pub(crate) row_y: [f32; 4],
    pub(crate) row_z: [f32; 4],
    pub(crate) low: [f32; 3],
    pub(crate) kind: u32,
    pub(crate) high: [f32; 3],
    pub(crate) collider: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) fixed_per_speed: f32,
    pub(crate) capacity: u32,
}

/// A texel; six words of `texels` in `impact_map.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct TexelEntry {
    pub(crate) hits: u32,
    pub(crate) time_low: u32,
    /// As an unsigned key: the sign bit is flipped.
    pub(crate) time_high: u32,
    pub(crate) speed: f32,
    pub(crate) speeds: [u32; 2],
}
