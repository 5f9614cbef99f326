//! What the tables measure: the stages of a scene on a GPU, beside one plain render and the exact answer.

use crate::motion::Motion;
use anyhow::Result;
use impinge::contacts::RayStats;
use impinge::stages::depth_peel::PeelOptions;
use impinge::{Collider, Contact, Method, Options, Report, Scene};
use impinge_gpu::GpuCollider;
use std::collections::HashSet;
use std::time::Duration;

/// Times everything is measured; the median counts.
pub(super) const RUNS: usize = 5;

/// What was measured; times are medians.
pub(super) struct Measured {
    pub(super) report: Report,
    pub(super) image: RayStats,
    /// One plain depth-only render of the last view.
    pub(super) plain: Duration,
    /// The exact answer.
    pub(super) exact: Vec<Contact>,
}

impl Measured {
    /// Sampling in plain renders, for each layer of each view.
    pub(super) fn ratio(&self) -> f64 {
        let layers = f64::from(self.image.layers.max(1)) * self.image.views.max(1) as f64;
        ms(self.image.sample) / ms(self.plain).max(1e-6) / layers
    }

    /// Exact contacts that were found, in percent; all of none.
    pub(super) fn recall(&self) -> f64 {
        recall(&self.report, &self.exact)
    }

    /// The same when rays are not widened: the paper's own method.
    pub(super) fn narrow_recall(
        &self,
        collider: &mut GpuCollider,
        scene: &Scene,
        options: &PeelOptions,
    ) -> Result<f64> {
        collider.options.method = Method::DepthPeel(PeelOptions { margin: 0, ..*options });
        Ok(recall(collider.collide(scene)?, &self.exact))
    }
}

fn recall(report: &Report, exact: &[Contact]) -> f64 {
    let mine: HashSet<&Contact> = report.contacts.iter().collect();
    let found = exact.iter().filter(|contact| mine.contains(contact)).count();
    if exact.is_empty() { 100.0 } else { 100.0 * found as f64 / exact.len() as f64 }
}

/// Measures a scene; `held` is the same with everything in it that the GPU holds.
pub(super) fn measure(
    collider: &mut GpuCollider,
    scene: &Scene,
    held: &Scene,
    options: &PeelOptions,
) -> Result<Measured> {
    let method = Method::DepthPeel(*options);
    collider.options = Options { method, containment: false, ..Options::default() };
    collider.wait_for_stages = true;
    collider.collide(scene)?; // compiles, allocates, uploads
    collider.time_plain_render()?;
    let mut reports = Vec::new();
    let mut plain = Vec::new();
    for _ in 0..RUNS {
        reports.push(collider.collide(scene)?.clone());
        plain.push(collider.time_plain_render()?);
    }
    let time = |of: fn(&RayStats) -> Duration| {
        median(reports.iter().filter_map(|report| report.rays().map(of)).collect())
    };
    let mut image = reports[0].rays().copied().unwrap_or_default();
    (image.project, image.sample, image.merge) = (time(|s| s.project), time(|s| s.sample), time(|s| s.merge));
    (image.separate, image.pack) = (time(|s| s.separate), time(|s| s.pack));
    let total = median(reports.iter().map(|report| report.stages.total).collect());
    let tested = median(reports.iter().map(|report| report.stages.narrow_phase).collect());
    let mut report = reports.swap_remove(0);
    (report.stages.total, report.stages.narrow_phase) = (total, tested);
    let exact =
        Collider::new(Options { containment: false, ..Options::default() }).collide(held)?.contacts.clone();
    Ok(Measured { report, image, plain: median(plain), exact })
}

/// A scene of the lab, every body looking at itself or none.
pub(super) fn build(name: &str, triangles: usize, with_itself: bool) -> Result<Motion> {
    let scene = crate::find(name).ok_or_else(|| anyhow::anyhow!("the lab has no scene '{name}'"))?;
    let mut motion = scene.build(triangles, 1);
    let ids: Vec<_> = motion.scene.bodies().map(|(id, _)| id).collect();
    for id in ids {
        motion.scene.set_self_collision(id, with_itself)?;
    }
    Ok(motion)
}

pub(super) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

pub(super) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
