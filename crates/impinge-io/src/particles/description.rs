//! The words of a scene of particles, as a TOML file has them; `docs/particles.md` explains each.

use serde::{Deserialize, Serialize};

/// The content of a scene of particles. Paths are relative to its folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParticlesDescription {
    /// The scene's name; that of its file where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How far, in how many steps.
    pub steps: StepsDescription,
    /// How later generations of particles differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// How long each is.
    pub duration: f64,
    /// How far ahead impacts are found (Knott 2003, section 3.5.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<f64>,
    /// Shortest hop of a particle that comes to rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hop: Option<f64>,
    /// Most events of a particle in a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_events: Option<u32>,
}

/// Where others may be, around a vector: one of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpreadDescription {
    /// Half the size of a box.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub half_size: Option<[f64; 3]>,
    /// The radius of a ball.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<SpreadDescription>,
    /// Around its velocity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<SpreadDescription>,
    /// How many there are; no end where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generations: Option<u32>,
}

/// One `[[emitter]]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmitterDescription {
    /// For errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many particles.
    pub count: u32,
    /// Another seed gives other particles.
    #[serde(default)]
    pub seed: u32,
    /// Where they start.
    pub position: [f64; 3],
    /// Around there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_spread: Option<SpreadDescription>,
    /// How fast; 0 where nothing is said.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Around that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub life: Option<f64>,
}

/// A part of a plane: one of the three.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionDescription {
    /// Smallest and largest coordinates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rectangle: Option<[[f64; 2]; 2]>,
    /// Centre and radius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disc: Option<[f64; 3]>,
    /// Corners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub polygon: Option<Vec<[f64; 2]>>,
}

/// A bound of a quadric: one of the two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipDescription {
    /// `x y z offset`: where x, y, z times the place is at most the offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_space: Option<[f64; 4]>,
    /// Smallest and largest coordinates.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub corners: Option<[[f64; 3]; 2]>,
}

/// One `[[collider]]`. Which numbers it has depends on its shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "docs/particles.md explains each with its shape")]
pub struct ColliderDescription {
    pub name: String,
    pub shape: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radii: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_height: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheets: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<[[f64; 4]; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corners: Option<Vec<[f64; 2]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<[u32; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blend: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<RegionDescription>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clips: Vec<ClipDescription>,
}
