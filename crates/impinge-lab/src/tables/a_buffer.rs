//! Jang, Han 2008: "the GPU saves the object surfaces in A-buffer about 8 times faster than the ordinary approaches", which
//! peel one layer a pass. Here: everything that rays meet, kept in runs and in lists, against peeling the same layers.

use super::measure::{RUNS, median, ms};
use crate::shapes::{Shape, subdivided_box};
use anyhow::{Result, ensure};
use impinge::contacts::{PeelOptions, Sides};
use impinge::stages::a_buffer::{ABufferOptions, Keeping};
use impinge::{Collider, Contact, Direction, Method, Options, Report, Scene};
use impinge_gpu::{Context, GpuCollider};
use std::collections::HashSet;
use std::io::Write;
use std::time::Duration;

/// Surfaces that every ray crosses.
const LAYERS: [u32; 4] = [2, 4, 8, 16];

/// Times that whole frames are measured.
const FRAMES: usize = 3;

/// What the paper says of 8 layers in a pass.
const PRINTED: f64 = 8.0;

/// Plates one above the other, all of them one body that may collide with itself: every ray crosses so many surfaces, and
/// nothing is outside what is looked at.
fn plates(layers: u32, triangles: usize) -> Result<Scene> {
    let plates = layers / 2;
    let each = triangles / plates as usize;
    let plate = |k: u32| subdivided_box(each, [1.0, 1.0, 0.05]).moved([0.0, 0.0, 0.2 * f64::from(k)]);
    let stack = (0..plates).fold(Shape::default(), |stack, k| stack.and(&plate(k)));
    let mut scene = Scene::new();
    let id = scene.add("plates", stack.mesh_f32());
    scene.set_self_collision(id, true)?;
    Ok(scene)
}

/// A way to find all layers.
#[derive(Clone, Copy)]
enum Way {
    Peel(Sides),
    Keep(Keeping),
}

const WAYS: [Way; 4] =
    [Way::Peel(Sides::Front), Way::Peel(Sides::Both), Way::Keep(Keeping::Runs), Way::Keep(Keeping::Lists)];

fn options(way: Way, resolution: u32, direction: Direction) -> Options {
    let resolution = [resolution; 2];
    let all = Options { containment: false, ..Options::default() };
    match way {
        Way::Peel(sides) => {
            let peel = PeelOptions { resolution, direction, sides, ..PeelOptions::default() };
            Options { method: Method::DepthPeel(peel), ..all }
        }
        Way::Keep(keeping) => {
            let a_buffer = ABufferOptions { resolution, direction, keeping, ..ABufferOptions::default() };
            Options { method: Method::ABuffer(a_buffer), ..all }
        }
    }
}

/// Runs both tables and prints them.
pub fn a_buffer(context: &Context, resolution: u32, triangles: usize, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "Jang, Han 2008: saving all surfaces in one pass is \"about {PRINTED} times faster than the ordinary approaches\".\n\
         Here: {}, {resolution} x {resolution} rays, about {triangles} triangles, median of {RUNS}, ways taken in turn.\n",
        context.adapter
    )?;
    let mut collider = GpuCollider::new(context.clone())?;
    collider.wait_for_stages = true;
    gathering(&mut collider, resolution, triangles, out)?;
    scenes(&mut collider, resolution, triangles, out)
}

/// Time to find all layers of plates.
fn gathering(
    collider: &mut GpuCollider,
    resolution: u32,
    triangles: usize,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(
        out,
        "Time to find all layers, ms; plates one above the other, every ray crosses as many surfaces.\n\n\
         {:>6} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}   {:>11} {:>12} {:>11} {:>7}   {:>12} {:>12}",
        "layers",
        "triangles",
        "surfaces",
        "peel 1",
        "peel 2",
        "runs",
        "lists",
        "peel 1/runs",
        "peel 1/lists",
        "peel 2/runs",
        "printed",
        "pairs, runs",
        "pairs, lists"
    )?;
    for layers in LAYERS {
        let scene = plates(layers, triangles)?;
        let [mut times, mut pairs] = [(); 2].map(|()| [(); 4].map(|()| Vec::new()));
        let mut surfaces = 0;
        // The first round compiles, allocates, and learns how much room is needed.
        for round in 0..=RUNS {
            for (way, (times, pairs)) in WAYS.into_iter().zip(times.iter_mut().zip(&mut pairs)) {
                collider.options = options(way, resolution, Direction::Along([0.0, 0.0, 1.0]));
                let image = collider.collide(&scene)?.rays().copied().unwrap_or_default();
                ensure!(image.deepest == layers, "a ray crosses {} surfaces", image.deepest);
                surfaces = surfaces.max(image.fragments);
                if round > 0 {
                    times.push(image.sample);
                    pairs.push(image.separate);
                }
            }
        }
        let [front, both, runs, lists] = times.map(|times| ms(median(times)));
        let [_, _, of_runs, of_lists] = pairs.map(|times| ms(median(times)));
        let printed = if layers == 8 { format!("{PRINTED:.0}") } else { "-".into() };
        writeln!(
            out,
            "{layers:>6} {:>9} {surfaces:>9} {front:>8.1} {both:>8.1} {runs:>8.1} {lists:>8.1}   {:>11.2} {:>12.2} {:>11.2} \
             {printed:>7}   {of_runs:>12.1} {of_lists:>12.1}",
            scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum::<usize>(),
            front / runs,
            front / lists,
            both / runs,
        )?;
    }
    writeln!(
        out,
        "\npeel 1: one layer a pass, from the front (the ordinary approach); peel 2: two layers a pass, from both ends.\n\
         runs: counted, given places, put there; lists: linked. pairs: from there to pairs, ms. Peeling keeps depth and\n\
         facing, the others the triangle too."
    )?;
    Ok(())
}

/// What is found on the scenes of the lab, and how long a frame takes.
fn scenes(collider: &mut GpuCollider, resolution: u32, triangles: usize, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "\nThe middle frame of every scene of the lab that has contacts: what one view and three views find, and whole frames,\n\
         median of {FRAMES}.\n\n\
         {:<10} {:>9} {:>8} {:>8} {:>8} {:>9} {:>8} {:>10} {:>8}   {:>8} {:>8} {:>8}",
        "scene",
        "contacts",
        "recall",
        "3 views",
        "pairs",
        "surfaces",
        "bytes",
        "pairs ms",
        "ms",
        "peeling",
        "tests",
        "ms"
    )?;
    for lab in crate::all() {
        let mut motion = lab.build(triangles, 1);
        motion.set_frame(motion.frames / 2)?;
        let scene = &motion.scene;
        let exact = Collider::new(Options { containment: false, ..Options::default() });
        let exact: HashSet<Contact> = { exact }.collide(scene)?.contacts.iter().copied().collect();
        if exact.is_empty() {
            continue;
        }
        let ways = [
            options(Way::Keep(Keeping::default()), resolution, Direction::Auto),
            options(Way::Peel(Sides::Both), resolution, Direction::Auto),
            options(Way::Keep(Keeping::default()), resolution, Direction::Axes),
        ];
        let mut reports: [Vec<Report>; 3] = Default::default();
        for round in 0..=FRAMES {
            // Three views are not timed.
            let timed = if round == 0 { &ways[..] } else { &ways[..2] };
            for (way, reports) in timed.iter().zip(&mut reports) {
                collider.options = way.clone();
                let report = collider.collide(scene)?;
                ensure!(report.contacts.iter().all(|contact| exact.contains(contact)), "a false contact");
                reports.push(report.clone());
            }
        }
        let [kept, peeled, axes] = &reports;
        let recall = |report: &Report| 100.0 * report.contacts.len() as f64 / exact.len() as f64;
        let time = |reports: &[Report], of: &dyn Fn(&Report) -> Duration| {
            ms(median(reports[1..].iter().map(of).collect()))
        };
        let image = kept[0].rays().copied().unwrap_or_default();
        writeln!(
            out,
            "{:<10} {:>9} {:>6.1} % {:>6.1} % {:>8} {:>9} {:>8} {:>10.2} {:>8.1}   {:>6.1} % {:>8} {:>8.1}",
            lab.name,
            exact.len(),
            recall(&kept[0]),
            recall(&axes[0]),
            image.tests,
            image.fragments,
            kept[1].rays().copied().unwrap_or_default().bytes_read_back,
            time(kept, &|report| report.rays().copied().unwrap_or_default().separate),
            time(kept, &|report| report.stages.total),
            recall(&peeled[0]),
            peeled[0].rays().copied().unwrap_or_default().tests,
            time(peeled, &|report| report.stages.total),
        )?;
    }
    writeln!(
        out,
        "\nrecall: contacts found, of the exact answer's; none is false. pairs: exact tests, each pair once. bytes: read back.\n\
         pairs ms: from surfaces to pairs; ms: the whole frame. At the right, depth peeling (two layers a pass) of the same\n\
         scene: its recall, its exact tests, its whole frame. All stages are waited for."
    )?;
    Ok(())
}
