//! One frame after the broad phase: what every question starts from.

use super::{BodyPair, SweepAndPrune};
use crate::scene::{BodyBoxes, BodyId, Bounds, ExternalBody, Scene, counts};
use crate::util::clock::Clock;
use crate::util::stages::Stages;

/// The bodies of a frame.
#[derive(Clone, Debug, Default)]
pub struct FrameBodies {
    /// The box of every body in the world, by slot; it may be too large, and is empty where there is no body.
    pub boxes: Vec<Bounds>,
    /// Bodies whose triangles the scene does not hold.
    pub external: Vec<ExternalBody>,
}

/// Bodies, and the pairs of them that are near each other.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Meshes and poses.
    pub scene: &'a Scene,
    /// Bodies whose triangles the scene does not hold.
    pub external: &'a [ExternalBody],
    /// The box of every body in the world, by slot.
    pub boxes: &'a [Bounds],
    /// Pairs of bodies whose boxes overlap, or are as near as was asked for, and bodies that may collide with themselves; sorted.
    pub pairs: &'a [BodyPair],
}

impl Frame<'_> {
    /// What is known of a body that the scene does not hold.
    pub fn external(&self, id: BodyId) -> Option<&ExternalBody> {
        self.external.iter().find(|body| body.id == id)
    }

    /// Where a pair of bodies, or a body with itself, stands among [`Self::pairs`].
    pub fn pair_index(&self, a: BodyId, b: BodyId) -> Option<u32> {
        let (a, b) = (a.index() as u32, b.index() as u32);
        self.pairs.binary_search(&BodyPair { a: a.min(b), b: a.max(b) }).ok().map(|at| at as u32)
    }
}

/// Finds the pairs of every frame; keeps the order of boxes between frames.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    sweep: SweepAndPrune,
    grown: Vec<Bounds>,
    pairs: Vec<BodyPair>,
}

impl BroadPhase {
    /// The pairs of this frame, of bodies whose boxes are within `reach` of each other.
    pub fn frame<'a>(&'a mut self, scene: &'a Scene, bodies: &'a FrameBodies, reach: f64) -> Frame<'a> {
        let FrameBodies { boxes, external } = bodies;
        if reach > 0.0 {
            self.grown.clear();
            self.grown.extend(boxes.iter().map(|bounds| bounds.grown(reach / 2.0)));
            self.sweep.update(&self.grown);
        } else {
            self.sweep.update(boxes);
        }
        self.pairs.clear();
        self.pairs.extend(self.sweep.pairs());
        let with_themselves = scene.bodies().filter(|(_, body)| body.self_collision());
        self.pairs.extend(with_themselves.map(|(id, _)| BodyPair::same(id.index())));
        self.pairs.sort_unstable();
        Frame { scene, external, boxes, pairs: &self.pairs }
    }

    /// The pairs of the last frame.
    pub fn pairs(&self) -> &[BodyPair] {
        &self.pairs
    }
}

/// From a scene to a frame, for questions that ask nothing of bodies but their exact boxes.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    boxes: BodyBoxes,
    bodies: FrameBodies,
    broad_phase: BroadPhase,
}

impl Survey {
    /// The frame of a scene. `external` bodies are those whose triangles it does not hold.
    pub fn frame<'a>(
        &'a mut self,
        scene: &'a Scene,
        external: &[ExternalBody],
        stages: &mut Stages,
        clock: &mut Clock,
    ) -> Frame<'a> {
        self.boxes.update(scene, external, &mut self.bodies.boxes);
        self.bodies.external.clear();
        self.bodies.external.extend_from_slice(external);
        [stages.bodies, stages.triangles] = counts(scene, external);
        clock.lap(&mut stages.update);
        let frame = self.broad_phase.frame(scene, &self.bodies, 0.0);
        stages.body_pairs = frame.pairs.len();
        clock.lap(&mut stages.broad_phase);
        frame
    }
}
