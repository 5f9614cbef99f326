//! Results of stages, for tests, pictures and measurements: the public calls. What each method reads back is
//! in its own `inspect.rs`.

use super::GpuCollider;
use super::session::Session;
use crate::contacts::a_buffer::KeptInspection;
use crate::contacts::depth_peel::Inspection;
use crate::contacts::grid::Grid;
use crate::error::GpuError;
use crate::interference::{CastInput, CastInspection};
use crate::overlap_cells::SliceInspection;
use impinge::stages::gather::Member;
use impinge::stages::grid::signs::Verdict;
use impinge::stages::grid::triangle_filter::Record;
use impinge::{Pose, Scene, WorldTriangle};
use std::time::{Duration, Instant};

impl Session {
    /// One call that reads results back.
    fn inspecting<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, GpuError>) -> Result<T, GpuError> {
        let context = self.context.clone();
        context.checked(|| {
            self.recorder.begin();
            call(self)
        })
    }
}

impl GpuCollider {
    /// The fragments of the last view of the last call with `impinge::Method::ABuffer`; `None` before the
    /// first such call, and where nothing overlapped.
    pub fn inspect_kept(&mut self) -> Result<Option<KeptInspection>, GpuError> {
        let Some(a_buffer) = self.a_buffer.as_ref().filter(|kept| kept.has_looked()) else { return Ok(None) };
        self.session.inspecting(|Session { recorder, bodies, projector, .. }| {
            a_buffer.inspect(recorder, bodies, (projector.shown().1, projector.frame.vertices))
        })
    }

    /// The bits that the last call with cells drew last; `None` before the first such call, and where
    /// nothing was drawn. The scene must be the same.
    pub fn inspect_slices(&mut self, scene: &Scene) -> Result<Option<SliceInspection>, GpuError> {
        let Some(depth_slices) = &self.depth_slices else { return Ok(None) };
        self.session.inspecting(|session| depth_slices.inspect(&mut session.recorder, scene))
    }

    /// The last view of the last call with rays cast at edges, drawn again: what every stage gives, in so many layers.
    /// `None` before the first such call, and where nothing overlapped.
    pub fn inspect_cast(&mut self, layers: u32) -> Result<Option<CastInspection>, GpuError> {
        let (Some((view, ranges, cast, options)), Some(ray_cast)) = (&self.last_cast, &mut self.ray_cast)
        else {
            return Ok(None);
        };
        let casting = &mut self.casting;
        self.session.inspecting(|Session { recorder, bodies, projector, .. }| {
            let (frame, vertices) = projector.shown();
            let given = CastInput { bodies, frame, vertices, view, cast, options, one: false };
            let seen = ray_cast.inspect(recorder, &given, casting, layers)?;
            Ok(Some(CastInspection { ranges: ranges.clone(), ..seen }))
        })
    }

    /// What the last stages of `impinge::Method::Grid` say about pairs of triangles of the caller's own: for tests of
    /// what floats claim. The triangles need no numbers.
    pub fn judge(&mut self, pairs: &[[Record; 2]]) -> Result<Vec<Verdict>, GpuError> {
        let grid = self.grid.get_or_insert_with(|| Box::new(Grid::new(&self.session.context)));
        self.session.inspecting(|session| grid.judge(&mut session.recorder, pairs))
    }

    /// What the exact arithmetic of `impinge::Method::Grid` says about pairs of triangles of the caller's own, once the body
    /// they are of stands there; corners are taken as they are, or as floats: for tests. Corners of a pair with one name are one
    /// vertex. What it leaves to the CPU is doubtful.
    pub fn judge_exactly(
        &mut self,
        pairs: &[[WorldTriangle; 2]],
        pose: &Pose,
        as_floats: bool,
    ) -> Result<Vec<Verdict>, GpuError> {
        let grid = self.grid.get_or_insert_with(|| Box::new(Grid::new(&self.session.context)));
        self.session.inspecting(|session| grid.judge_exactly(&mut session.recorder, pairs, pose, as_floats))
    }

    /// From now on, lists of `impinge::Method::Grid` start with room for one item and must grow: for tests of that.
    pub fn start_with_short_lists(&mut self) {
        self.grid.get_or_insert_with(|| Box::new(Grid::new(&self.session.context))).start_small();
    }

    /// The results of every stage of the last view; empty before the first call, and where nothing
    /// overlapped.
    pub fn inspect(&mut self) -> Result<Inspection, GpuError> {
        if self.drawn.runs.is_empty() || self.session.projector.frame.passes == 0 {
            return Ok(Inspection::default());
        }
        let drawn = &mut self.drawn;
        self.session.inspecting(|Session { recorder, bodies, projector, .. }| {
            let seen = drawn.stages.inspect(recorder, (bodies, projector))?;
            Ok(Inspection { packed: drawn.packed.clone(), ..seen })
        })
    }

    /// The bodies of the last call, in the order of the stages.
    pub fn members(&self) -> &[Member] {
        &self.session.members
    }

    /// The time of one plain depth render of the last view: the yardstick of sampling. Zero before the first
    /// call.
    pub fn time_plain_render(&mut self) -> Result<Duration, GpuError> {
        if self.drawn.runs.is_empty() {
            return Ok(Duration::ZERO);
        }
        let drawn = &mut self.drawn;
        self.session.inspecting(|Session { recorder, bodies, projector, .. }| {
            let start = Instant::now();
            drawn.stages.plain(recorder, (bodies, projector), &drawn.runs);
            recorder.read(&[], |_| ())?;
            Ok(start.elapsed())
        })
    }
}
