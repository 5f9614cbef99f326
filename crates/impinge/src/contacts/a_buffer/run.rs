//! The method on the CPU, view by view.

use super::exact::Piece;
use super::fragments::{MOST_TRIANGLES, Sheet};
use super::options::ABufferOptions;
use super::pairs::Pairs;
use super::part::Part;
use crate::contacts::Report;
use crate::contacts::{Method, Options};
use crate::image::flow::{Flow, Look};
use crate::image::gather;
use crate::image::gather::totals;
use crate::image::options::Looking;
use crate::scene::Scene;
use crate::util::clock::Clock;

/// Every stage, on the CPU. `false` when there are more triangles than can be numbered; nothing was done then.
pub(crate) fn run(flow: &mut Flow, scene: &Scene, options: &Options, report: &mut Report) -> bool {
    let numbered = Flow::arrange(scene, &[]).is_some_and(|members| totals(&members)[1] < MOST_TRIANGLES);
    let looking = Looking::from(&options.a_buffer);
    if !numbered {
        return false;
    }
    let Some(looks) = flow.begin(scene, &[], Method::ABuffer, &looking, report) else { return false };
    for look in &looks {
        let pairs = self::look(scene, look, &options.a_buffer, report);
        let piece = |triangle: u32| Piece::of(scene, &look.members, triangle);
        flow.test_pairs(&pairs.triangles, &piece, options.threads, report);
    }
    flow.finish(scene, options, &|_| None, report);
    true
}

/// From bodies to pairs of triangles, for one view.
fn look(scene: &Scene, look: &Look, options: &ABufferOptions, report: &mut Report) -> Pairs {
    let (view, members) = (&look.view, &look.members[..]);
    let near = options.near(view);
    let mut clock = Clock::start();
    let mut stages = report.image.take().unwrap_or_default();
    let (vertices, triangles) = gather::gather(scene, members, view);
    let parts = Part::of_all(scene, look, near);
    clock.lap(&mut stages.project);
    let sheet =
        Sheet { width: view.width, vertices: &vertices, triangles: &triangles, members, parts: &parts };
    let mut pairs = Pairs::default();
    let counts = sheet.counts(&(0..view.height));
    sheet.each_strip(view.height, &counts, |_, fragments| {
        clock.lap(&mut stages.sample);
        stages.deepest = stages.deepest.max(fragments.deepest() as u32);
        stages.fragments += fragments.fragments.len();
        pairs.add(&sheet, fragments, near);
        clock.lap(&mut stages.separate);
    });
    pairs.tidy();
    clock.lap(&mut stages.pack);
    stages.layers = stages.deepest;
    stages.rays += pairs.rays;
    report.image = Some(stages);
    pairs
}
