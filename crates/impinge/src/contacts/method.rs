//! The choices of the question: which method, with which choices of its own, and what is asked for.

use super::a_buffer::ABufferOptions;
use super::cullide::CullideOptions;
use super::depth_peel::PeelOptions;
use super::error::ContactError;
use super::grid::GridOptions;
use crate::scene::Scene;
use crate::util::query::Query;

/// How candidates are found. Every method that is complete gives the same answer, in its own time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Method {
    /// The fastest complete method for the scene.
    #[default]
    Auto,
    /// Trees of axis-aligned boxes over patches of 64 triangles. Complete; on the CPU.
    Bvh,
    /// Every triangle against every other: the oracle. Complete; on the CPU.
    BruteForce,
    /// Boxes of triangles in a grid, and float filters with proven bounds. Complete; made for a GPU, where `impinge-gpu` runs it.
    /// The CPU's is the definition, written to be read.
    Grid(GridOptions),
    /// Collision rays found by depth peeling (Georgii, Krüger, Westermann 2007): **sampled**, what lies between rays is
    /// missed. The CPU's is the definition; `impinge-gpu` has it for a GPU.
    DepthPeel(PeelOptions),
    /// Surfaces that follow each other closely along a ray, all of them kept in one pass (Jang, Han 2008): **sampled**, what lies
    /// between rays is missed. `impinge-gpu` has it for a GPU.
    ABuffer(ABufferOptions),
    /// Bodies and parts of bodies that hide nothing of each other do not collide (Govindaraju, Lin, Manocha: CULLIDE and FAR).
    /// Complete unless its options say otherwise, but between bodies only. `impinge-gpu` has it for a GPU.
    Cullide(CullideOptions),
}

impl Method {
    /// Its name, as users type it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Bvh => "bvh",
            Self::BruteForce => "brute_force",
            Self::Grid(_) => "grid",
            Self::DepthPeel(_) => "depth_peel",
            Self::ABuffer(_) => "a_buffer",
            Self::Cullide(_) => "cullide",
        }
    }

    /// Whether the method misses nothing, with these options.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Auto | Self::Bvh | Self::BruteForce | Self::Grid(_) => true,
            Self::DepthPeel(_) | Self::ABuffer(_) => false,
            Self::Cullide(options) => options.reliable,
        }
    }

    /// Why the method cannot answer for this scene, if it cannot.
    pub fn check(&self, scene: &Scene) -> Result<(), ContactError> {
        let mut bodies = scene.bodies().map(|(_, body)| body);
        match (self, bodies.find(|body| body.self_collision())) {
            (Self::Cullide(_), Some(body)) => {
                Err(ContactError::SelfCollision { method: self.name(), body: body.name().to_owned() })
            }
            _ => Ok(()),
        }
    }
}

/// Choices, all with a default.
#[allow(clippy::struct_excessive_bools, reason = "each asks for one more list")]
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How candidates are found, with the choices of that method.
    pub method: Method,
    /// What to stop at.
    pub query: Query,
    /// Threads to use; 0 for as many as the machine has. The answer does not depend on it.
    pub threads: usize,
    /// Whether closed bodies inside others are looked for.
    pub containment: bool,
    /// Whether [`super::Report::relations`] is filled, by methods that miss nothing and for [`Query::All`]. Containment is looked
    /// for, then, whatever is said above.
    pub relations: bool,
    /// Whether [`super::Report::shapes`] is filled.
    pub shapes: bool,
    /// Whether [`super::Report::responses`] is filled.
    pub responses: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            query: Query::All,
            threads: 0,
            containment: true,
            relations: false,
            shapes: false,
            responses: false,
        }
    }
}
