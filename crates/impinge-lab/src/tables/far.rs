//! CULLIDE and FAR (Govindaraju, Lin, Manocha, in the SIGGRAPH course): how many pairs are left after culling, and whether any that
//! collides is missing; beside boxes alone, and other methods.

use super::breaking::{Breaking, FRAMES};
use super::measure::ms;
use crate::shapes::bumpy_sphere;
use crate::vector::turned;
use anyhow::Result;
use impinge::contacts::{ABufferOptions, GridOptions};
use impinge::stages::cullide::CullideOptions;
use impinge::stages::depth_peel::PeelOptions;
use impinge::{Collider, Contact, Method, Options, Report, Scene};
use impinge_gpu::{Context, GpuCollider};
use std::collections::HashSet;
use std::io::Write;
use std::time::Instant;

/// A way to cull.
struct Way {
    name: &'static str,
    /// The method, in images of so many pixels across and down.
    method: fn([u32; 2]) -> Method,
    on_gpu: bool,
    /// Whether only the boxes of whole bodies count, as sweep and prune has them.
    whole_bodies: bool,
}

/// Every way, the first being the yardstick of the others.
const WAYS: [Way; 8] = [
    Way {
        name: "boxes alone",
        method: |resolution| {
            Method::Cullide(CullideOptions { resolution, rounds: 0, ..CullideOptions::default() })
        },
        on_gpu: false,
        whole_bodies: true,
    },
    Way {
        name: "boxes of parts",
        // Nothing is looked at: what the boxes of parts leave, before any view.
        method: |resolution| {
            Method::Cullide(CullideOptions { resolution, rounds: 0, ..CullideOptions::default() })
        },
        on_gpu: false,
        whole_bodies: false,
    },
    Way {
        name: "CULLIDE",
        method: |resolution| {
            Method::Cullide(CullideOptions { resolution, reliable: false, ..CullideOptions::default() })
        },
        on_gpu: true,
        whole_bodies: false,
    },
    Way {
        name: "FAR",
        method: |resolution| Method::Cullide(CullideOptions { resolution, ..CullideOptions::default() }),
        on_gpu: true,
        whole_bodies: false,
    },
    Way {
        name: "depth_peel",
        method: |resolution| Method::DepthPeel(PeelOptions { resolution, ..PeelOptions::default() }),
        on_gpu: true,
        whole_bodies: false,
    },
    Way { name: "bvh", method: |_| Method::Bvh, on_gpu: false, whole_bodies: false },
    Way {
        name: "a_buffer",
        method: |_| Method::ABuffer(ABufferOptions::default()),
        on_gpu: true,
        whole_bodies: false,
    },
    Way { name: "grid", method: |_| Method::Grid(GridOptions::default()), on_gpu: true, whole_bodies: false },
];

/// What a way leaves of some frames.
#[derive(Clone, Copy, Default)]
struct Sum {
    body_pairs: usize,
    triangle_pairs: usize,
    found: usize,
    ms: f64,
}

/// What is true of them.
#[derive(Default)]
struct Truth {
    contacts: usize,
    body_pairs: usize,
}

struct Bench {
    there: GpuCollider,
    here: Collider,
    resolution: u32,
}

impl Bench {
    fn options(&self, way: &Way) -> Options {
        Options { method: (way.method)([self.resolution; 2]), containment: false, ..Options::default() }
    }

    /// Asks in one way, and adds what is left to its sum.
    fn ask(&mut self, way: &Way, scene: &Scene, exact: &HashSet<Contact>, sum: &mut Sum) -> Result<()> {
        let options = self.options(way);
        let start = Instant::now();
        let report = if way.on_gpu {
            self.there.options = options;
            self.there.collide(scene)?
        } else {
            self.here.options = options;
            self.here.collide(scene)?
        };
        sum.ms += ms(start.elapsed());
        let (mut body_pairs, triangle_pairs) = left(report);
        if way.whole_bodies {
            body_pairs = report.stages.body_pairs;
        }
        sum.body_pairs += body_pairs;
        sum.triangle_pairs += triangle_pairs;
        sum.found += report.contacts.iter().filter(|contact| exact.contains(contact)).count();
        Ok(())
    }

    /// Some frames in every way: a row for each.
    fn rows(&mut self, scenes: &mut dyn Iterator<Item = Result<Scene>>, out: &mut impl Write) -> Result<()> {
        let mut truth = Truth::default();
        let mut sums = [Sum::default(); WAYS.len()];
        let mut frames = 0;
        for scene in scenes {
            let scene = scene?;
            self.here.options = Options { containment: false, ..Options::default() };
            let report = self.here.collide(&scene)?;
            truth.contacts += report.contacts.len();
            truth.body_pairs += report.pairs.len();
            let exact: HashSet<Contact> = report.contacts.iter().copied().collect();
            for (way, sum) in WAYS.iter().zip(&mut sums) {
                self.ask(way, &scene, &exact, sum)?;
            }
            frames += 1;
        }
        let per_frame = |n: usize| n as f64 / f64::from(frames.max(1));
        let fewer = |from: usize, left: usize| format!("{:.1}", from as f64 / left.max(1) as f64);
        for (way, sum) in WAYS.iter().zip(&sums) {
            writeln!(
                out,
                "  {:<20} {:>10.1} {:>7} {:>14.1} {:>7} {:>8.2} % {:>10.0}",
                way.name,
                per_frame(sum.body_pairs),
                fewer(sums[0].body_pairs, sum.body_pairs),
                per_frame(sum.triangle_pairs),
                fewer(sums[0].triangle_pairs, sum.triangle_pairs),
                if truth.contacts == 0 { 100.0 } else { 100.0 * sum.found as f64 / truth.contacts as f64 },
                sum.ms / f64::from(frames.max(1)),
            )?;
        }
        writeln!(
            out,
            "  {:<20} {:>10.1} {:>7} {:>14.1} {:>7}\n",
            "exact",
            per_frame(truth.body_pairs),
            fewer(sums[0].body_pairs, truth.body_pairs),
            per_frame(truth.contacts),
            fewer(sums[0].triangle_pairs, truth.contacts),
        )?;
        out.flush()?;
        Ok(())
    }
}

/// Pairs of bodies and of triangles that a method leaves to the exact test.
fn left(report: &Report) -> (usize, usize) {
    match report.culled() {
        Some(culled) => (culled.body_pairs.len(), culled.triangle_pairs),
        None => (report.stages.body_pairs, report.stages.candidates),
    }
}

/// Prints every scene.
pub fn far(context: &Context, resolution: u32, out: &mut impl Write) -> Result<()> {
    let mut bench =
        Bench { there: GpuCollider::new(context.clone())?, here: Collider::default(), resolution };
    writeln!(
        out,
        "CULLIDE and FAR: pairs that are left after culling, each frame; 'fewer' is how many times fewer than boxes alone leave.\n\
         Here: {}, {resolution} x {resolution} pixels at most. The course: GeForce FX 5950 Ultra, 1400 x 1400.\n",
        context.adapter
    )?;
    writeln!(
        out,
        "  {:<20} {:>10} {:>7} {:>14} {:>7} {:>10} {:>10}",
        "way", "body pairs", "fewer", "triangle pairs", "fewer", "recall", "ms"
    )?;
    let breaking = Breaking::new(112_000, 35_000);
    writeln!(
        out,
        "Breaking: a body of 112,000 triangles breaks into 300, one of 35,000 falls on it; every second frame of {FRAMES}.\n\
         The course: FAR leaves 6.9 times fewer pairs of bodies than boxes alone."
    )?;
    bench.rows(&mut (1..FRAMES).step_by(2).map(|frame| breaking.scene(frame)), out)?;
    writeln!(
        out,
        "Deep: two bodies of 68,000 triangles far inside each other; 2 frames.\n\
         The course: 2,000 to 4,000 contacts; FAR finds what a CPU finds, CULLIDE misses many."
    )?;
    bench.rows(&mut (0..2).map(deep), out)?;
    for name in ["shatter", "blobs", "chain", "big"] {
        let scene = crate::find(name).ok_or_else(|| anyhow::anyhow!("the lab has no scene '{name}'"))?;
        writeln!(out, "{name}: {}; 12,000 triangles, every fifth frame.", scene.about)?;
        let mut motion = scene.build(12_000, 1);
        let frames = motion.frames;
        let mut scenes = (0..frames).step_by(5).map(|frame| {
            motion.set_frame(frame)?;
            let mut scene = motion.scene.clone();
            let ids: Vec<_> = scene.bodies().map(|(id, _)| id).collect();
            ids.into_iter().try_for_each(|id| scene.set_self_collision(id, false))?;
            Ok(scene)
        });
        bench.rows(&mut scenes, out)?;
    }
    Ok(())
}

/// Two bumpy balls, one moving in the other.
fn deep(frame: usize) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.add("a", bumpy_sphere(68_000, 2).mesh_f32());
    let second = scene.add("b", bumpy_sphere(68_000, 3).mesh_f32());
    let at = [0.35 + 0.1 * frame as f64, 0.2, 0.1];
    scene.set_pose(second, turned([1.0, 0.5, 0.2], 0.4 * frame as f64, at))?;
    Ok(scene)
}
