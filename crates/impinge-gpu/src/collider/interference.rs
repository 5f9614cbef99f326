//! Rays cast at edges, on the device.

use super::session::Session;
use crate::error::GpuError;
use crate::interference::{CastInput, RayCast};
use impinge::interference::RayCastOptions;
use impinge::stages::interference::{Cast, CastBackend, Casting};
use impinge::stages::{View, ViewTask};
use impinge::{Query, Scene};

/// What the last frame cast last.
pub(crate) type LastCast = (View, Vec<[f32; 2]>, Cast, RayCastOptions);

/// One frame.
pub(crate) struct CastPass<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) stages: &'a mut Option<Box<RayCast>>,
    pub(crate) last: &'a mut Option<LastCast>,
}

impl CastBackend for CastPass<'_> {
    type Error = GpuError;

    fn look(
        &mut self,
        casting: &mut Casting,
        scene: &Scene,
        task: &ViewTask,
        casts: &[Cast],
        options: &RayCastOptions,
    ) -> Result<(), GpuError> {
        let Self { session, stages, last } = self;
        let stages = stages.get_or_insert_with(|| Box::new(RayCast::new(&session.context)));
        let one = options.query == Query::Any;
        for cast in casts {
            if one && casting.findings.any() {
                break;
            }
            let placed = (&cast.members[..], &task.ranges[..]);
            session.bodies.place(&session.context, scene, placed, &task.view);
            let Session { projector, recorder, bodies, .. } = &mut **session;
            let (frame, vertices) = projector.show(recorder, bodies, &cast.members, &task.view)?;
            let given = CastInput { bodies, frame, vertices, view: &task.view, cast, options, one };
            stages.cast(recorder, &given, casting)?;
            **last = Some((task.view, task.ranges.clone(), cast.clone(), *options));
        }
        let times = session.times();
        let stages = &mut casting.findings.stages;
        (stages.prepare, stages.render, stages.read) = (times.project, times.sample, times.pack);
        Ok(())
    }
}
