//! What stages left on the device, for whoever compares them or takes their time.

use super::GpuCollider;
use crate::a_buffer::KeptInspection;
use crate::conservative::Conservative;
use crate::depth_slices::SliceInspection;
use crate::error::GpuError;
use crate::ray_cast::{CastInspection, Given};
use crate::stages::Inspection;
use impinge::stages::gather::Member;
use impinge::stages::grid::Elsewhere;
use impinge::stages::grid::signs::Verdict;
use impinge::stages::grid::triangle_filter::Record;
use impinge::{Pose, Scene};
use std::time::{Duration, Instant};

impl GpuCollider {
    /// What the last view of the last call with `impinge::Method::ABuffer` kept; `None` before the first such call, and where
    /// nothing overlapped.
    pub fn inspect_kept(&mut self) -> Result<Option<KeptInspection>, GpuError> {
        let context = self.context.clone();
        let Some(a_buffer) = self.a_buffer.as_ref().filter(|kept| kept.has_looked()) else { return Ok(None) };
        context.checked(|| {
            self.recorder.begin();
            let screen = (self.stages.shown().1, self.stages.frame.vertices);
            a_buffer.inspect(&mut self.recorder, &self.bodies, screen)
        })
    }

    /// The bits that the last call with `impinge::Method::DepthSlices` drew last; `None` before the first such call, and where
    /// nothing was drawn. The scene must be the same.
    pub fn inspect_slices(&mut self, scene: &Scene) -> Result<Option<SliceInspection>, GpuError> {
        let context = self.context.clone();
        let Some(depth_slices) = &self.depth_slices else { return Ok(None) };
        context.checked(|| {
            self.recorder.begin();
            depth_slices.inspect(&mut self.recorder, scene)
        })
    }

    /// The last view of the last call with `impinge::Method::RayCast`, drawn again: what every stage gives, in so many layers.
    /// `None` before the first such call, and where nothing overlapped.
    pub fn inspect_cast(&mut self, layers: u32) -> Result<Option<CastInspection>, GpuError> {
        let context = self.context.clone();
        let (Some((view, ranges, cast, options)), Some(ray_cast)) = (&self.last_cast, &mut self.ray_cast)
        else {
            return Ok(None);
        };
        context.checked(|| {
            self.recorder.begin();
            let (frame, vertices) = self.stages.shown();
            let given = Given { bodies: &self.bodies, frame, vertices, view, cast, options, one: false };
            let seen = ray_cast.inspect(&mut self.recorder, &given, &mut self.caster, layers)?;
            Ok(Some(CastInspection { ranges: ranges.clone(), ..seen }))
        })
    }

    /// What the last stages of `impinge::Method::Conservative` say about pairs of triangles of the caller's own: for tests of
    /// what floats claim. The triangles need no numbers.
    pub fn judge(&mut self, pairs: &[[Record; 2]]) -> Result<Vec<Verdict>, GpuError> {
        let context = self.context.clone();
        let conservative = self.conservative.get_or_insert_with(|| Box::new(Conservative::new(&context)));
        context.checked(|| {
            self.recorder.begin();
            conservative.judge(&mut self.recorder, pairs)
        })
    }

    /// What the exact arithmetic of `impinge::Method::Conservative` says about pairs of triangles of the caller's own, once the body
    /// they are of stands there; corners are taken as they are, or as floats: for tests. Corners of a pair with one name are one
    /// vertex. What it leaves to the CPU is doubtful.
    pub fn settle(
        &mut self,
        pairs: &[[Elsewhere; 2]],
        pose: &Pose,
        as_floats: bool,
    ) -> Result<Vec<Verdict>, GpuError> {
        let context = self.context.clone();
        let conservative = self.conservative.get_or_insert_with(|| Box::new(Conservative::new(&context)));
        context.checked(|| {
            self.recorder.begin();
            conservative.settle(&mut self.recorder, pairs, pose, as_floats)
        })
    }

    /// From now on, lists of `impinge::Method::Conservative` start with room for one item and must grow: for tests of that.
    pub fn start_with_short_lists(&mut self) {
        let context = self.context.clone();
        self.conservative.get_or_insert_with(|| Box::new(Conservative::new(&context))).start_small();
    }

    /// What every stage of the last view left on the device; empty before the first call, and where nothing overlapped.
    pub fn inspect(&mut self) -> Result<Inspection, GpuError> {
        if self.drawn.is_empty() || self.stages.frame.passes == 0 {
            return Ok(Inspection::default());
        }
        let context = self.context.clone();
        context.checked(|| {
            self.recorder.begin();
            let seen = self.stages.inspect(&mut self.recorder, &self.bodies)?;
            Ok(Inspection { packed: self.packed.clone(), ..seen })
        })
    }

    /// The bodies of the last call, as the stages number them.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The time of one plain render of the last view, depth alone: the yardstick of sampling. Zero before the first call.
    pub fn time_plain_render(&mut self) -> Result<Duration, GpuError> {
        if self.drawn.is_empty() {
            return Ok(Duration::ZERO);
        }
        let context = self.context.clone();
        context.checked(|| {
            self.recorder.begin();
            let start = Instant::now();
            self.stages.plain(&mut self.recorder, &self.bodies, &self.drawn);
            self.recorder.read(&[], |_| ())?;
            Ok(start.elapsed())
        })
    }
}
