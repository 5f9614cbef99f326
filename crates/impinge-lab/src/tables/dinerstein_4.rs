//! Dinerstein, Egbert 2002, figures 4 and 5: time by how often models collide, and by how many triangles they have; with the
//! tree on the same queries.

use super::fit::Line;
use super::measure::ms;
use super::placements::{Placements, exact, jets, models};
use anyhow::Result;
use impinge::overlap_cells::Slicer;
use impinge::stages::overlap_cells::SliceOptions;
use impinge::{BodyId, Collider, Options, Point, Pose, Query, Scene};
use impinge_gpu::{Context, GpuCollider};
use std::io::Write;
use std::time::Instant;

/// Queries that are timed for every rate and every size.
const QUERIES: usize = 200;

/// Times everything is asked; the fastest counts, for the rest is what else the machine did.
const ROUNDS: usize = 5;

/// A row of a figure: where models are placed, and ways to ask about them.
struct Row {
    name: String,
    placements: Placements,
    there: Vec<(GpuCollider, SliceOptions)>,
    slicer: Slicer,
    here: Vec<Collider>,
}

/// Ways to ask, those on a GPU first.
const WAYS: [&str; 5] = ["slices, gpu", "proven, gpu", "slices, cpu", "bvh, yes/no", "bvh, all"];

fn paper() -> SliceOptions {
    SliceOptions { resolution: [32; 2], refinements: 0, ..SliceOptions::PAPER }
}

fn alone(options: SliceOptions) -> SliceOptions {
    SliceOptions { containment: false, threads: 1, ..options }
}

fn proven() -> SliceOptions {
    SliceOptions {
        resolution: [32; 2],
        slices: 32,
        refinements: 0,
        hand_over: false,
        ..SliceOptions::default()
    }
}

impl Row {
    fn new(context: &Context, name: String, placements: Placements) -> Result<Self> {
        let mut there = Vec::new();
        for options in [alone(paper()), alone(proven())] {
            there.push((GpuCollider::new(context.clone())?, options));
        }
        let slicer = Slicer::new(alone(paper()));
        let here = [exact(), Options { query: Query::All, ..exact() }].map(Collider::new);
        Ok(Self { name, placements, there, slicer, here: here.into() })
    }

    /// Asks about one placement, in one way; milliseconds.
    fn ask(&mut self, way: usize, (scene, second): &mut (Scene, BodyId), at: Point) -> Result<f64> {
        scene.set_pose(*second, Pose::from_translation(at)?)?;
        let start = Instant::now();
        let on_a_gpu = self.there.len();
        if let Some((collider, options)) = self.there.get_mut(way) {
            collider.overlaps(scene, options)?;
        } else if way == on_a_gpu {
            self.slicer.find(scene);
        } else {
            self.here[way - on_a_gpu - 1].collide(scene)?;
        }
        Ok(ms(start.elapsed()))
    }
}

/// For every row and every way, the mean and the deviation of the time of a query, in milliseconds. Rows and ways take turns, so
/// that whatever else the machine does is spread over all.
fn times(rows: &mut [Row]) -> Result<Vec<Vec<(f64, f64)>>> {
    let mut scenes: Vec<(Scene, BodyId)> = rows.iter().map(|row| row.placements.scene()).collect();
    let queries = rows.iter().map(|row| row.placements.translations.len()).max().unwrap_or(0);
    let mut fastest = vec![vec![vec![f64::INFINITY; queries]; WAYS.len()]; rows.len()];
    for round in 0..=ROUNDS {
        for k in 0..queries {
            for ((row, scene), fastest) in rows.iter_mut().zip(&mut scenes).zip(&mut fastest) {
                let Some(&at) = row.placements.translations.get(k) else { continue };
                for (way, fastest) in fastest.iter_mut().enumerate() {
                    // Moved anew, so that nothing of the last answer is kept.
                    let nudged = at.map(|c| c * (1.0 + 1e-12 * (round * WAYS.len() + way) as f64));
                    let time = row.ask(way, scene, nudged)?;
                    // The first round compiles and uploads.
                    if round > 0 {
                        fastest[k] = fastest[k].min(time);
                    }
                }
            }
        }
    }
    let of_row = |ways: &Vec<Vec<f64>>| ways.iter().map(|times| mean(times)).collect();
    Ok(fastest.iter().map(of_row).collect())
}

fn mean(times: &[f64]) -> (f64, f64) {
    let count = times.len().max(1) as f64;
    let mean = times.iter().sum::<f64>() / count;
    (mean, (times.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / count).sqrt())
}

/// Runs both figures.
pub fn dinerstein_4(context: &Context, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "Dinerstein, Egbert 2002, figures 4 and 5: milliseconds a query, mean (deviation), the fastest of {ROUNDS} rounds of\n\
         {QUERIES} queries. Slices: 32x32x16, not refined, as in the paper; proven: 32x32x32, not refined, nothing handed over.\n\
         Here: {}. The paper's were on an ATI Radeon 8500, with RAPID beside.",
        context.adapter
    )?;
    figure_4(context, out)?;
    figure_5(context, out)
}

fn figure_4(context: &Context, out: &mut impl Write) -> Result<()> {
    writeln!(out, "\nFigure 4: by how many of the queries collide")?;
    let mut rows = Vec::new();
    for rate in [0, 20, 40, 60, 80, 100] {
        let (placements, _) = Placements::new(models()?, QUERIES, f64::from(rate) / 100.0, 7)?;
        rows.push(Row::new(context, format!("{rate} %"), placements)?);
    }
    let times = times(&mut rows)?;
    print(out, "colliding", &rows, &times)?;
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Ok(()) };
    let ratio = |way: usize| format!("{:.2}", last[way].0 / first[way].0);
    line(out, "100 % / 0 %", ratio)
}

fn figure_5(context: &Context, out: &mut impl Write) -> Result<()> {
    writeln!(out, "\nFigure 5: by triangles of two jets together, 30 % of the queries collide")?;
    let (mut rows, mut sizes) = (Vec::new(), Vec::new());
    for triangles in [2000, 5000, 10_000, 20_000, 40_000, 80_000] {
        let (placements, _) = Placements::new(jets(triangles / 2)?, QUERIES / 4, 0.3, 9)?;
        let count: usize = placements.meshes.iter().map(|mesh| mesh.triangles().len()).sum();
        sizes.push(count as f64);
        rows.push(Row::new(context, count.to_string(), placements)?);
    }
    let times = times(&mut rows)?;
    print(out, "triangles", &rows, &times)?;
    let straight = |way: usize| {
        let points: Vec<(f64, f64)> =
            sizes.iter().zip(&times).map(|(size, times)| (*size, times[way].0)).collect();
        format!("{:.3}", Line::through(&points).r_squared)
    };
    line(out, "R² of a line", straight)
}

fn print(out: &mut impl Write, first: &str, rows: &[Row], times: &[Vec<(f64, f64)>]) -> Result<()> {
    line(out, first, |way| WAYS[way].to_owned())?;
    for (row, times) in rows.iter().zip(times) {
        line(out, &row.name, |way| format!("{:.3} ({:.3})", times[way].0, times[way].1))?;
    }
    Ok(())
}

fn line(out: &mut impl Write, name: &str, cell: impl Fn(usize) -> String) -> Result<()> {
    write!(out, "{name:<12}")?;
    for way in 0..WAYS.len() {
        write!(out, " {:>20}", cell(way))?;
    }
    writeln!(out)?;
    Ok(())
}
