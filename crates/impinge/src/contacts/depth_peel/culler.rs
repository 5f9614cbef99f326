//! The method on the CPU: views, collision rays, triangles that they may pass, and pairs of those.

use super::options::PeelOptions;
use super::pack::{self, PackedTriangle};
use super::peel::{self, Rule};
use super::ray_mipmap::RayMipmap;
use super::separate;
use super::sweep::{PackedPiece, sweep};
use crate::broad_phase::{Frame, FrameBodies};
use crate::contacts::culler::{Completeness, Culler};
use crate::contacts::ray_stats::RayStats;
use crate::contacts::report::MethodStats;
use crate::contacts::sink::CandidateSink;
use crate::image::gather::{self, Member};
use crate::image::options::Looking;
use crate::image::{View, ViewPlanner, ViewTask};
use crate::scene::{BodyBoxes, Scene};
use crate::util::clock::Clock;
use std::convert::Infallible;

/// Finds collision rays; keeps what it can between frames.
#[derive(Debug, Default)]
pub(crate) struct PeelCuller {
    options: PeelOptions,
    boxes: BodyBoxes,
    planner: ViewPlanner,
    stats: RayStats,
}

impl PeelCuller {
    /// With these options from now on.
    pub(crate) fn with(&mut self, options: PeelOptions) -> &mut Self {
        self.options = options;
        self
    }
}

impl Culler for PeelCuller {
    type Error = Infallible;

    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), Infallible> {
        self.boxes.update(scene, &[], &mut bodies.boxes);
        Ok(())
    }

    fn candidates(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut CandidateSink,
    ) -> Result<Completeness, Infallible> {
        let looking = Looking::from(&self.options);
        let Some(tasks) = self.planner.plan(frame, &looking) else { return Ok(Completeness::Beyond) };
        self.stats = RayStats { resolution: looking.pixels, ..RayStats::default() };
        for ViewTask { view, members, .. } in &tasks {
            let packed = packed(frame.scene, members, view, &self.options, &mut self.stats);
            let piece = |packed: &PackedTriangle| PackedPiece::of(frame.scene, members, packed);
            let pieces: Vec<PackedPiece> = packed.iter().filter_map(piece).collect();
            // Projected in doubles: only the last rounding, to a float within the image, counts.
            sweep(frame, view, &pieces, view.width.max(view.height) as f32, &mut self.stats, sink);
        }
        Ok(Completeness::Sampled)
    }

    fn stats(&mut self) -> MethodStats {
        MethodStats::Rays(self.stats)
    }
}

/// The stages from vertices to packed triangles, for one view.
fn packed(
    scene: &Scene,
    members: &[Member],
    view: &View,
    options: &PeelOptions,
    stats: &mut RayStats,
) -> Vec<PackedTriangle> {
    let pixels = [view.width, view.height];
    let mut clock = Clock::start();
    let (vertices, triangles) = gather::gather(scene, members, view);
    clock.lap(&mut stats.project);
    let rule = |deepest| Rule::new(options, view, deepest);
    let (rays, deepest) = peel::sample(pixels, &vertices, &triangles, members, rule);
    clock.lap(&mut stats.sample);
    let wide = rays.widened(options.widening());
    let mipmap = RayMipmap::new(&wide);
    clock.lap(&mut stats.merge);
    let sparse = separate::separate(&vertices, &triangles, members, &mipmap);
    clock.lap(&mut stats.separate);
    let packed = pack::pack(&sparse);
    clock.lap(&mut stats.pack);
    stats.saw(&rule(deepest), deepest, rays.count());
    packed
}
