//! The method on the CPU: views, every surface along their rays, and pairs of near ones.

use super::fragments::{MAX_TRIANGLES, Sheet};
use super::options::ABufferOptions;
use super::pairs::Pairs;
use super::region_of_interest::RegionOfInterest;
use crate::broad_phase::{Frame, FrameBodies};
use crate::contacts::culler::{Completeness, Culler};
use crate::contacts::ray_stats::RayStats;
use crate::contacts::report::MethodStats;
use crate::contacts::sink::CandidateSink;
use crate::exact::WorldTriangle;
use crate::image::gather::{self, totals};
use crate::image::options::Looking;
use crate::image::{ViewPlanner, ViewTask};
use crate::scene::{BodyBoxes, Scene};
use crate::util::clock::Clock;
use std::convert::Infallible;

/// Keeps everything that rays meet; between frames, only boxes and which bodies are closed.
#[derive(Debug, Default)]
pub(crate) struct ABufferCuller {
    options: ABufferOptions,
    boxes: BodyBoxes,
    planner: ViewPlanner,
    stats: RayStats,
}

impl ABufferCuller {
    /// With these options from now on.
    pub(crate) fn with(&mut self, options: ABufferOptions) -> &mut Self {
        self.options = options;
        self
    }
}

impl Culler for ABufferCuller {
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
        let members = gather::members(frame.scene, &[]);
        let looking = Looking::from(&self.options);
        let Some(tasks) = members
            .filter(|members| totals(members)[1] < MAX_TRIANGLES)
            .and_then(|_| self.planner.plan(frame, &looking))
        else {
            return Ok(Completeness::Beyond);
        };
        self.stats = RayStats { resolution: looking.pixels, ..RayStats::default() };
        for task in &tasks {
            let pairs = near_pairs(frame.scene, task, &self.options, &mut self.stats);
            let triangle = |number| WorldTriangle::of(frame.scene, gather::element(&task.members, number)?);
            test_pairs(frame, &pairs.triangles, &triangle, &mut self.stats, sink);
        }
        Ok(Completeness::Sampled)
    }

    fn stats(&mut self) -> MethodStats {
        MethodStats::Rays(self.stats)
    }
}

/// From bodies to pairs of triangles, for one view.
fn near_pairs(scene: &Scene, task: &ViewTask, options: &ABufferOptions, stats: &mut RayStats) -> Pairs {
    let (view, members) = (&task.view, &task.members[..]);
    let near = options.near(view);
    let mut clock = Clock::start();
    let (vertices, triangles) = gather::gather(scene, members, view);
    let regions = RegionOfInterest::of_all(scene, task, near);
    clock.lap(&mut stats.project);
    let sheet =
        Sheet { width: view.width, vertices: &vertices, triangles: &triangles, members, regions: &regions };
    let mut pairs = Pairs::default();
    let counts = sheet.counts(&(0..view.height));
    sheet.each_strip(view.height, &counts, |_, fragments| {
        clock.lap(&mut stats.sample);
        stats.deepest = stats.deepest.max(fragments.deepest() as u32);
        stats.fragments += fragments.fragments.len();
        pairs.add(&sheet, fragments, near);
        clock.lap(&mut stats.separate);
    });
    pairs.tidy();
    clock.lap(&mut stats.pack);
    stats.layers = stats.deepest;
    stats.rays += pairs.rays;
    pairs
}

/// Pairs of triangles per task: a few hundred microseconds of work.
const MAX_TASK_PAIRS: usize = 512;

/// The pairs of triangles that one view has found, each once, to the exact test. `triangle` knows every triangle by its number
/// among all.
pub fn test_pairs(
    frame: &Frame<'_>,
    pairs: &[[u32; 2]],
    triangle: &(dyn Fn(u32) -> Option<WorldTriangle> + Sync),
    stats: &mut RayStats,
    sink: &mut CandidateSink,
) {
    let chunks: Vec<&[[u32; 2]]> = pairs.chunks(MAX_TASK_PAIRS).collect();
    sink.run(chunks.len(), pairs.len(), |number, sink| {
        for &[p, q] in chunks[number] {
            if let (Some(p), Some(q)) = (triangle(p), triangle(q)) {
                sink.doubtful_elements(frame, &p, &q);
            }
        }
        sink.candidates += chunks[number].len();
    });
    let mut involved: Vec<u32> = pairs.iter().flatten().copied().collect();
    involved.sort_unstable();
    involved.dedup();
    stats.views += 1;
    stats.read_back += involved.len();
    stats.involved += involved.len();
    stats.tests += pairs.len();
}
