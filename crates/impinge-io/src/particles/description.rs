//! The words of a scene of particles, as a TOML file has them; `docs/particles.md` explains each.

use serde::{Deserialize, Serialize};

/// The content of a scene of particles. Paths are relative to its folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParticlesDescription {
    /// The scene's name; that of its file where it has none.
    pub name: Option<String>,
    /// How far, in how many steps.
    pub steps: StepsDescription,
    /// How later generations of particles differ.
    pub rebirth: Option<RebirthDescription>,
    /// Many particles at once.
    #[serde(rename = "emitter", default, skip_serializing_if = "Vec::is_empty")]
    pub emitters: Vec<EmitterDescription>,
    /// Single particles; they are numbered after those of the emitters.
    #[serde(rename = "particle", default, skip_serializing_if = "Vec::is_empty")]
    pub particles: Vec<ParticleDescription>,
    /// What they may hit.
    #[serde(rename = "collider", default, skip_serializing_if = "Vec::is_empty")]
    pub colliders: Vec<ColliderDescription>,
}

/// `[steps]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepsDescription {
    /// How many; 1 where nothing is said.
    pub count: Option<u32>,
    /// How long each is.
    pub duration: f64,
    /// How far ahead impacts are found (Knott 2003, section 3.5.1).
    pub latency: Option<f64>,
    /// Shortest hop of a particle that comes to rest.
    pub hop: Option<f64>,
    /// Most events of a particle in a step.
    pub most_events: Option<u32>,
}

/// Where others may be, around a vector: one of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpreadDescription {
    /// Half the size of a box.
    #[serde(rename = "box")]
    pub half_size: Option<[f64; 3]>,
    /// The radius of a ball.
    pub ball: Option<f64>,
}

/// `[rebirth]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RebirthDescription {
    /// Another seed gives other generations.
    #[serde(default)]
    pub seed: u32,
    /// Around the position of the first generation.
    pub position: Option<SpreadDescription>,
    /// Around its velocity.
    pub velocity: Option<SpreadDescription>,
    /// How many there are; no end where nothing is said.
    pub generations: Option<u32>,
}

/// One `[[emitter]]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmitterDescription {
    /// For errors.
    pub name: Option<String>,
    /// How many particles.
    pub count: u32,
    /// Another seed gives other particles.
    #[serde(default)]
    pub seed: u32,
    /// Where they start.
    pub position: [f64; 3],
    /// Around there.
    pub position_spread: Option<SpreadDescription>,
    /// How fast; 0 where nothing is said.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Around that.
    pub velocity_spread: Option<SpreadDescription>,
    /// The same all along; 0 where nothing is said.
    #[serde(default)]
    pub acceleration: [f64; 3],
    /// When the first is born; 0 where nothing is said.
    #[serde(default)]
    pub start: f64,
    /// How long it takes until the last is born.
    #[serde(default)]
    pub start_spread: f64,
    /// How long a generation lives; for ever where nothing is said.
    pub life: Option<f64>,
}

/// One `[[particle]]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParticleDescription {
    /// Where it starts.
    pub position: [f64; 3],
    /// How fast; 0 where nothing is said.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// The same all along; 0 where nothing is said.
    #[serde(default)]
    pub acceleration: [f64; 3],
    /// When it is born; 0 where nothing is said.
    #[serde(default)]
    pub start: f64,
    /// How long a generation lives; for ever where nothing is said.
    pub life: Option<f64>,
}

/// A part of a plane: one of the three.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionDescription {
    /// Smallest and largest coordinates.
    pub rectangle: Option<[[f64; 2]; 2]>,
    /// Centre and radius.
    pub disc: Option<[f64; 3]>,
    /// Corners.
    pub polygon: Option<Vec<[f64; 2]>>,
}

/// A bound of a quadric: one of the two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipDescription {
    /// `x y z offset`: where x, y, z times the place is at most the offset.
    pub half_space: Option<[f64; 4]>,
    /// Smallest and largest coordinates.
    #[serde(rename = "box")]
    pub corners: Option<[[f64; 3]; 2]>,
}

/// One `[[collider]]`. Which numbers it has depends on its shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "docs/particles.md explains each with its shape")]
pub struct ColliderDescription {
    pub name: String,
    pub shape: String,
    pub at: Option<[f64; 3]>,
    pub normal: Option<[f64; 3]>,
    pub axis: Option<[f64; 3]>,
    pub angle: Option<f64>,
    pub size: Option<Vec<f64>>,
    pub radius: Option<f64>,
    pub radii: Option<Vec<f64>>,
    pub height: Option<f64>,
    pub half_height: Option<f64>,
    pub sheets: Option<u32>,
    pub matrix: Option<[[f64; 4]; 4]>,
    pub corners: Option<Vec<[f64; 2]>>,
    pub mesh: Option<String>,
    pub response: Option<String>,
    pub restitution: Option<f64>,
    pub friction: Option<f64>,
    pub material: Option<String>,
    pub map: Option<[u32; 2]>,
    pub blend: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<RegionDescription>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clips: Vec<ClipDescription>,
}
