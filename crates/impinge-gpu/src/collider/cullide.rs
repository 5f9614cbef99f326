//! `Method::Cullide` on the device.

use super::session::Session;
use crate::contacts::cullide::{Cullide, OcclusionBackend};
use crate::error::GpuError;
use impinge::stages::cullide::Culling;
use impinge::stages::{CandidateSink, Completeness, Culler, Frame, FrameBodies};
use impinge::{MethodStats, Scene};

/// One frame.
pub(crate) struct CullidePass<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) stages: &'a mut Option<Box<Cullide>>,
    pub(crate) culling: &'a mut Culling,
}

impl Culler for CullidePass<'_> {
    type Error = GpuError;

    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), GpuError> {
        if let Some(body) = self.session.first_attached(scene) {
            return Err(GpuError::NotInScene { body: body.name().to_owned() });
        }
        self.session.upload_bodies(scene)?;
        self.culling.update(scene, bodies);
        Ok(())
    }

    fn reach(&self) -> f64 {
        self.culling.reach()
    }

    fn candidates(&mut self, frame: &Frame<'_>, sink: &mut CandidateSink) -> Result<Completeness, GpuError> {
        let most = self.culling.options.pixels();
        let Session { recorder, bodies, projector, .. } = &mut *self.session;
        let mut eye = OcclusionBackend::new(self.stages, recorder, bodies, projector, most)?;
        let completeness = self.culling.cull(frame, &mut eye, sink)?;
        self.culling.culled.stages.bytes_read_back = eye.cullide.bytes_read_back;
        if completeness == Completeness::Beyond { Err(GpuError::TooMany) } else { Ok(completeness) }
    }

    fn stats(&mut self) -> MethodStats {
        self.culling.stats()
    }
}
