//! `Method::DepthPeel` on the device.

use super::session::{Session, came_back};
use crate::contacts::depth_peel::{DepthPeel, ViewTriangles, runs};
use crate::error::GpuError;
use impinge::contacts::{PeelOptions, RayStats};
use impinge::stages::depth_peel::PackedPiece;
use impinge::stages::depth_peel::pack::PackedTriangle;
use impinge::stages::depth_peel::peel::Rule;
use impinge::stages::depth_peel::sweep::sweep;
use impinge::stages::gather::Member;
use impinge::stages::{CandidateSink, Completeness, Culler, Frame, FrameBodies, Looking, ViewTask};
use impinge::{Body, MethodStats, Scene};
use std::ops::Range;

/// The shaders, and what the last frame drew last.
#[derive(Debug)]
pub(crate) struct Drawn {
    pub(crate) stages: DepthPeel,
    /// Runs of triangles that were drawn.
    pub(crate) runs: Vec<Range<u32>>,
    pub(crate) packed: Vec<PackedTriangle>,
}

/// One frame.
pub(crate) struct PeelPass<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) drawn: &'a mut Drawn,
    pub(crate) options: PeelOptions,
    pub(crate) stats: RayStats,
}

impl Culler for PeelPass<'_> {
    type Error = GpuError;

    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), GpuError> {
        self.session.follow(scene, bodies)
    }

    fn candidates(&mut self, frame: &Frame<'_>, sink: &mut CandidateSink) -> Result<Completeness, GpuError> {
        let looking = Looking::from(&self.options);
        let tasks = self.session.planner.plan(frame, &looking).ok_or(GpuError::TooMany)?;
        self.stats.resolution = looking.pixels;
        for task in &tasks {
            self.drawn.runs = runs(&task.members);
            self.look(frame, task, sink)?;
        }
        if let Some(task) = tasks.into_iter().next_back() {
            self.session.members = task.members;
        }
        self.session.sort_triangles();
        self.session.hand_over(sink);
        Ok(Completeness::Sampled)
    }

    fn stats(&mut self) -> MethodStats {
        MethodStats::Rays(self.stats)
    }
}

impl PeelPass<'_> {
    fn look(
        &mut self,
        frame: &Frame<'_>,
        ViewTask { view, members, ranges, .. }: &ViewTask,
        sink: &mut CandidateSink,
    ) -> Result<(), GpuError> {
        let Self { session, drawn, options, stats } = self;
        let external = frame.external.len();
        let pixels = session.bodies.place(&session.context, frame.scene, (members, ranges), view);
        let Session { projector, recorder, bodies, .. } = &mut **session;
        let from = (&*bodies, projector);
        let seen = drawn.stages.run(recorder, from, members, external, view, options)?;
        session.times().tell(stats);
        stats.saw(&Rule::new(options, view, seen.deepest), seen.deepest, seen.rays as usize);
        stats.bytes_read_back += seen.bytes_read_back as usize;
        let pieces = self.pieces(frame.scene, members, &seen);
        sweep(frame, view, &pieces, pixels, &mut self.stats, sink);
        Ok(())
    }

    /// What the exact test asks about the packed triangles; keeps those of attached bodies for the caller.
    fn pieces(&mut self, scene: &Scene, members: &[Member], seen: &ViewTriangles) -> Vec<PackedPiece> {
        let ours = seen.packed.len() - seen.details.len();
        let packed = &mut self.drawn.packed;
        packed.clear();
        packed.extend(
            seen.packed.iter().map(|p| PackedTriangle { triangle: p.triangle, rectangle: p.rectangle }),
        );
        let mut list = Vec::with_capacity(seen.packed.len());
        list.extend(packed[..ours].iter().filter_map(|packed| PackedPiece::of(scene, members, packed)));
        for (packed, details) in packed[ours..].iter().zip(&seen.details) {
            let Some(triangle) = came_back(scene, members, packed.triangle, details) else { continue };
            self.session.triangles.push(triangle);
            let self_collision = scene.body(triangle.element.body).is_some_and(Body::self_collision);
            let rectangle = packed.rectangle;
            list.push(PackedPiece { triangle: triangle.in_world(), rectangle, self_collision });
        }
        list
    }
}
