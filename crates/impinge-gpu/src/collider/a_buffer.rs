//! `Method::ABuffer` on the device.

use super::session::Session;
use crate::contacts::a_buffer::{ABuffer, ViewInput};
use crate::error::GpuError;
use impinge::contacts::{ABufferOptions, RayStats};
use impinge::stages::a_buffer::fragments::MAX_TRIANGLES;
use impinge::stages::a_buffer::{RegionOfInterest, test_pairs};
use impinge::stages::gather::totals;
use impinge::stages::{CandidateSink, Completeness, Culler, Frame, FrameBodies, Looking, ViewTask};
use impinge::{MethodStats, Scene};

/// One frame.
pub(crate) struct ABufferPass<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) stages: &'a mut Option<Box<ABuffer>>,
    pub(crate) options: ABufferOptions,
    pub(crate) stats: RayStats,
}

impl Culler for ABufferPass<'_> {
    type Error = GpuError;

    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), GpuError> {
        if let Some(stages) = &mut self.stages {
            stages.start();
        }
        self.session.follow(scene, bodies)
    }

    fn candidates(&mut self, frame: &Frame<'_>, sink: &mut CandidateSink) -> Result<Completeness, GpuError> {
        let looking = Looking::from(&self.options);
        let tasks = self.session.planner.plan(frame, &looking).ok_or(GpuError::TooMany)?;
        self.stats.resolution = looking.pixels;
        for task in &tasks {
            self.look(frame, task, sink)?;
        }
        if let Some(task) = tasks.into_iter().next_back() {
            self.session.members = task.members;
        }
        self.session.hand_over(sink);
        Ok(Completeness::Sampled)
    }

    fn stats(&mut self) -> MethodStats {
        MethodStats::Rays(self.stats)
    }
}

impl ABufferPass<'_> {
    /// One view with everything that rays meet.
    fn look(&mut self, frame: &Frame<'_>, task: &ViewTask, sink: &mut CandidateSink) -> Result<(), GpuError> {
        let Self { session, stages, options, stats } = self;
        let (view, members, scene) = (&task.view, &task.members[..], frame.scene);
        let [_, triangles] = totals(members);
        if triangles >= MAX_TRIANGLES {
            return Err(GpuError::TooMany);
        }
        let stages = stages.get_or_insert_with(|| Box::new(ABuffer::new(&session.context)));
        let near = options.near(view);
        let regions = RegionOfInterest::of_all(scene, task, near);
        session.bodies.place(&session.context, scene, (members, &task.ranges), view);
        let (_, screen) = session.projector.show(&mut session.recorder, &session.bodies, members, view)?;
        let (bodies, regions, keeping) = (&session.bodies, &regions[..], options.keeping);
        let given = ViewInput { bodies, screen, view, regions, triangles, near, keeping };
        let kept = stages.run(&mut session.recorder, &given)?;
        let named = kept.pairs.iter().flatten().copied();
        let fetched = session.fetch(scene, members, frame.external.len(), named)?;
        session.times().tell(stats);
        stats.deepest = stats.deepest.max(kept.deepest);
        stats.layers = stats.deepest;
        stats.fragments += kept.fragments as usize;
        stats.rays += kept.rays as usize;
        stats.bytes_read_back += kept.bytes_read_back as usize + fetched;
        let triangle = |number| session.triangle(scene, members, number);
        test_pairs(frame, &kept.pairs, &triangle, stats, sink);
        Ok(())
    }
}
