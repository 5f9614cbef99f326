//! Dinerstein, Egbert 2002, table 1: how often depth slices are wrong about two models in close proximity.

use crate::rng::Rng;
use crate::shapes::jet;
use anyhow::{Context as _, Result};
use impinge::image_space::depth_slices::{Answer, Certainty, Fill, SliceOptions};
use impinge::{BodyId, Bounds, Collider, Mesh, Method, Options, Point, Pose, Query, Scene};
use rayon::prelude::*;
use std::io::Write;
use std::path::PathBuf;

/// Pixels across and down.
const RESOLUTIONS: [u32; 5] = [16, 32, 64, 128, 256];

/// What the paper printed, in percent: not refined, once, twice, twice with 32 slices the last time.
const PAPER: [[f64; 5]; 4] = [
    [2.97, 1.55, 1.63, 1.72, 2.07],
    [3.02, 0.86, 0.45, 0.33, 0.26],
    [3.16, 0.85, 0.27, 0.16, 0.08],
    [3.35, 0.81, 0.26, 0.12, 0.07],
];

/// Two models, and where the second stands.
pub(super) struct Placements {
    pub(super) names: [String; 2],
    pub(super) meshes: [Mesh; 2],
    pub(super) translations: Vec<Point>,
    /// Whether their surfaces meet, by the exact narrow phase.
    pub(super) truth: Vec<bool>,
}

/// Spot and cow where the data is, two jets where it is not.
fn models() -> Result<[(String, Mesh); 2]> {
    let data = std::env::var_os("IMPINGE_DATA").map(PathBuf::from);
    let folder =
        data.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let folder = folder.join("meshes");
    let load = |file: &str| -> Result<(String, Mesh)> {
        let path = folder.join(file);
        let bodies = impinge_io::load_mesh_file(&path)?;
        let body = bodies.into_iter().max_by_key(|body| body.mesh.triangles().len());
        let body = body.with_context(|| format!("{} has no triangles", path.display()))?;
        Ok((file.to_owned(), unit_sized(&body.mesh)?))
    };
    if folder.join("spot.obj").is_file() && folder.join("cow.obj").is_file() {
        return Ok([load("spot.obj")?, load("cow.obj")?]);
    }
    let mesh = jet(6000).mesh_f32();
    let turned = Mesh::new(
        mesh.positions().iter().map(|[x, y, z]| [y, z, x]).collect::<Vec<_>>(),
        mesh.triangles().to_vec(),
    )?;
    Ok([("jet".into(), mesh), ("jet, turned".into(), turned)])
}

/// In a box of length 1 around the origin.
fn unit_sized(mesh: &Mesh) -> Result<Mesh> {
    let bounds = Bounds::of(mesh.positions().iter());
    let size = (0..3).map(|axis| bounds.max[axis] - bounds.min[axis]).fold(0.0, f64::max);
    let moved = mesh.positions().iter().map(|p| -> [f32; 3] {
        std::array::from_fn(|k| ((p[k] - f64::midpoint(bounds.min[k], bounds.max[k])) / size) as f32)
    });
    Ok(Mesh::new(moved.collect::<Vec<_>>(), mesh.triangles().to_vec())?)
}

impl Placements {
    /// Random translations such that boxes overlap.
    pub(super) fn new(count: usize, seed: u64) -> Result<Self> {
        let [a, b] = models()?;
        Self::of([a, b], count, seed)
    }

    fn of([(first, a), (second, b)]: [(String, Mesh); 2], count: usize, seed: u64) -> Result<Self> {
        let [p, q] = [&a, &b].map(|mesh| Bounds::of(mesh.positions().iter()));
        let mut rng = Rng::new(seed);
        let translations: Vec<Point> = (0..count)
            .map(|_| std::array::from_fn(|k| rng.between(p.min[k] - q.max[k], p.max[k] - q.min[k])))
            .collect();
        let mut placements = Self { names: [first, second], meshes: [a, b], translations, truth: Vec::new() };
        let exact = Options {
            method: Method::Bvh,
            query: Query::Any,
            containment: false,
            threads: 1,
            ..Options::default()
        };
        placements.truth =
            placements.ask(&exact, |_, collider, scene| !collider.collide(scene).contacts.is_empty())?;
        Ok(placements)
    }

    pub(super) fn scene(&self) -> (Scene, BodyId) {
        let mut scene = Scene::new();
        scene.add(self.names[0].clone(), self.meshes[0].clone());
        let second = scene.add(self.names[1].clone(), self.meshes[1].clone());
        (scene, second)
    }

    /// Asks something about every placement, on all threads.
    pub(super) fn ask<T: Send>(
        &self,
        options: &Options,
        ask: impl Fn(usize, &mut Collider, &Scene) -> T + Sync,
    ) -> Result<Vec<T>> {
        let numbered: Vec<(usize, Point)> = self.translations.iter().copied().enumerate().collect();
        let of_chunk = |chunk: &[(usize, Point)]| -> Result<Vec<T>> {
            let (mut scene, second) = self.scene();
            let mut collider = Collider::new(options.clone());
            let mut answers = Vec::new();
            for &(k, translation) in chunk {
                scene.set_pose(second, Pose::from_translation(translation)?)?;
                answers.push(ask(k, &mut collider, &scene));
            }
            Ok(answers)
        };
        let chunks: Result<Vec<Vec<T>>> = numbered.par_chunks(64).map(of_chunk).collect();
        Ok(chunks?.into_iter().flatten().collect())
    }
}

/// Percent of wrong answers.
#[derive(Clone, Copy, Debug, Default)]
struct Wrong {
    yes: f64,
    no: f64,
    maybe: f64,
    certain: usize,
}

fn wrong(placements: &Placements, slices: SliceOptions) -> Result<Wrong> {
    let options =
        Options { method: Method::DepthSlices, slices, containment: false, threads: 1, ..Options::default() };
    let answers = placements.ask(&options, |k, collider, scene| {
        let sliced = collider.slices(scene);
        let pair = sliced.pairs.first();
        let answer = pair.map_or(Answer::No, |pair| pair.answer);
        (k, answer, pair.is_none_or(|pair| pair.certain))
    })?;
    let percent = |count: usize| 100.0 * count as f64 / answers.len() as f64;
    let is = |k: usize| placements.truth[k];
    let wrong = |(k, answer, _): &&(usize, Answer, bool)| match answer {
        Answer::Yes => !is(*k),
        Answer::No => is(*k),
        Answer::Maybe { .. } => false,
    };
    Ok(Wrong {
        yes: percent(answers.iter().filter(|a| a.1 == Answer::Yes && !is(a.0)).count()),
        no: percent(answers.iter().filter(|a| a.1 == Answer::No && is(a.0)).count()),
        maybe: percent(answers.iter().filter(|a| matches!(a.1, Answer::Maybe { .. })).count()),
        certain: answers.iter().filter(|a| a.2).filter(wrong).count(),
    })
}

/// Runs the table.
pub fn dinerstein_1(count: usize, out: &mut impl Write) -> Result<()> {
    let placements = Placements::new(count, 1)?;
    let collide = placements.truth.iter().filter(|is| **is).count();
    writeln!(
        out,
        "{} and {}, {count} placements, {:.1} % collide",
        placements.names[0],
        placements.names[1],
        100.0 * collide as f64 / count as f64
    )?;
    for (fill, slices) in [
        (Fill::Samples, 16),
        (Fill::Samples, 64),
        (Fill::Samples, 128),
        (Fill::Interval, 16),
        (Fill::Interval, 64),
        (Fill::Interval, 128),
        (Fill::Touched, 64),
    ] {
        for (row, refinements, last_slices) in
            [(0, 0, None), (1, 1, None), (2, 2, None), (3, 2, Some(2 * slices))]
        {
            if slices > 16 && last_slices.is_some() {
                continue;
            }
            write!(out, "{fill:?} {slices} refined {refinements} {last_slices:?}: ")?;
            for (column, resolution) in RESOLUTIONS.into_iter().enumerate() {
                let options = SliceOptions {
                    fill,
                    slices,
                    refinements,
                    last_slices,
                    resolution: [resolution; 2],
                    ..SliceOptions::PAPER
                };
                let w = wrong(&placements, options)?;
                write!(out, "  {:.2}+{:.2}={:.2} [{:.2}]", w.yes, w.no, w.yes + w.no, PAPER[row][column])?;
            }
            writeln!(out)?;
        }
    }
    for (refinements, n) in [(0u32, 32u32), (0, 64), (1, 64), (2, 64), (3, 64), (6, 64), (3, 128)] {
        let options = SliceOptions {
            slices: n.min(128),
            refinements,
            resolution: [n; 2],
            hand_over: false,
            ..SliceOptions::default()
        };
        let w = wrong(&placements, options)?;
        writeln!(
            out,
            "proven {n} refined {refinements}: maybe {:.2} %, wrong {:.2}+{:.2}, certain and wrong {}",
            w.maybe, w.yes, w.no, w.certain
        )?;
    }
    for (cells, n) in [(0.5, 32u32), (0.5, 64), (1.0, 64)] {
        let options =
            SliceOptions { resolution: [n; 2], certainty: Certainty::Offset(cells), ..SliceOptions::PAPER };
        let w = wrong(&placements, options)?;
        writeln!(out, "offset {cells} {n}: maybe {:.2} %, wrong {:.2}+{:.2}", w.maybe, w.yes, w.no)?;
    }
    Ok(())
}
