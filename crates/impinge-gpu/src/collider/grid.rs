//! `Method::Grid` on the device: the CPU plans, exact arithmetic decides what the device leaves in doubt.

use super::session::Session;
use crate::contacts::grid::{Grid, RunInput};
use crate::error::GpuError;
use impinge::contacts::{GridOptions, GridStats};
use impinge::stages::grid::{Found, give, plan};
use impinge::stages::{CandidateSink, Completeness, Culler, Frame, FrameBodies};
use impinge::{MethodStats, Scene};

/// One frame.
pub(crate) struct GridPass<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) stages: &'a mut Option<Box<Grid>>,
    /// Kept for its memory.
    pub(crate) found: &'a mut Vec<Found>,
    pub(crate) options: GridOptions,
    pub(crate) stats: GridStats,
}

impl Culler for GridPass<'_> {
    type Error = GpuError;

    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), GpuError> {
        self.session.follow(scene, bodies)
    }

    fn candidates(&mut self, frame: &Frame<'_>, sink: &mut CandidateSink) -> Result<Completeness, GpuError> {
        let Self { session, stages, found, options, stats } = self;
        let (scene, external) = (frame.scene, frame.external.len());
        let plan = plan(frame, session.members.clone(), &session.bodies.nears());
        let plan = plan.ok_or(GpuError::BeyondFloats)?;
        let stages = stages.get_or_insert_with(|| Box::new(Grid::new(&session.context)));
        found.clear();
        stages.follow(&session.recorder, scene, &plan.members, external)?;
        for run in &plan.runs {
            let given = RunInput {
                scene,
                bodies: &session.bodies,
                members: &plan.members,
                external,
                run,
                options: *options,
            };
            stats.add(&stages.run(&mut session.recorder, &given, found)?);
        }
        let named = found.iter().flat_map(|pair| [pair.a, pair.b]);
        stats.bytes_read_back += session.fetch(scene, &plan.members, external, named)?;
        let triangle = |number| session.triangle(scene, &plan.members, number);
        give(frame, &plan.members, found, &triangle, stats, sink);
        session.hand_over(sink);
        Ok(Completeness::Complete)
    }

    fn stats(&mut self) -> MethodStats {
        MethodStats::Grid(self.stats)
    }
}
