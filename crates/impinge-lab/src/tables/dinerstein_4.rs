//! Dinerstein, Egbert 2002, figures 4 and 5: time by how often models collide, and by how many triangles they have; with the
//! tree on the same queries.

use super::fit::Line;
use super::measure::ms;
use super::placements::{Placements, exact, jets, models};
use anyhow::Result;
use impinge::image_space::depth_slices::SliceOptions;
use impinge::{Collider, Method, Options, Point, Pose, Query};
use impinge_gpu::{Context, GpuCollider};
use std::io::Write;
use std::time::Instant;

/// Queries that are timed for every rate and every size.
const QUERIES: usize = 200;

/// Times everything is asked; the fastest counts, for the rest is what else the machine did.
const ROUNDS: usize = 5;

/// Ways to ask.
struct Ways {
    here: Vec<(&'static str, Collider)>,
    there: Vec<(&'static str, GpuCollider)>,
}

fn paper() -> SliceOptions {
    SliceOptions { resolution: [32; 2], refinements: 0, ..SliceOptions::PAPER }
}

fn slices(slices: SliceOptions) -> Options {
    Options { method: Method::DepthSlices, slices, containment: false, threads: 1, ..Options::default() }
}

impl Ways {
    fn new(context: &Context) -> Result<Self> {
        let all = Options { query: Query::All, ..exact() };
        let mut there = Vec::new();
        let ways = [
            ("slices, gpu", slices(paper())),
            (
                "proven, gpu",
                slices(SliceOptions {
                    resolution: [32; 2],
                    slices: 32,
                    refinements: 0,
                    hand_over: false,
                    ..SliceOptions::default()
                }),
            ),
        ];
        for (name, options) in ways {
            let mut collider = GpuCollider::new(context.clone())?;
            collider.options = options;
            there.push((name, collider));
        }
        let here = [("slices, cpu", slices(paper())), ("bvh, yes/no", exact()), ("bvh, all", all)];
        Ok(Self { here: here.map(|(name, options)| (name, Collider::new(options))).into(), there })
    }

    fn names(&self) -> Vec<&'static str> {
        self.there.iter().map(|way| way.0).chain(self.here.iter().map(|way| way.0)).collect()
    }

    /// For every way, the mean and the deviation of the time of a query, in milliseconds. Ways take turns.
    fn time(&mut self, placements: &Placements) -> Result<Vec<(f64, f64)>> {
        let (mut scene, second) = placements.scene();
        let count = self.here.len() + self.there.len();
        let mut fastest = vec![vec![f64::INFINITY; placements.translations.len()]; count];
        for round in 0..=ROUNDS {
            for (k, &translation) in placements.translations.iter().enumerate() {
                let there = self.there.len();
                for way in 0..count {
                    // Moved anew, so that nothing of the last answer is kept.
                    let nudged: Point = translation.map(|c| c * (1.0 + 1e-12 * (round * count + way) as f64));
                    scene.set_pose(second, Pose::from_translation(nudged)?)?;
                    let start = Instant::now();
                    if way < there {
                        self.there[way].1.collide(&scene)?;
                    } else {
                        self.here[way - there].1.collide(&scene);
                    }
                    // The first round compiles and uploads.
                    if round > 0 {
                        fastest[way][k] = fastest[way][k].min(ms(start.elapsed()));
                    }
                }
            }
        }
        Ok(fastest.iter().map(|times| mean(times)).collect())
    }
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
    let mut ways = Ways::new(context)?;
    let names = ways.names();
    writeln!(out, "\nFigure 4: by how many of the queries collide")?;
    header(out, "colliding", &names)?;
    let mut ends: Vec<[f64; 2]> = vec![[0.0; 2]; names.len()];
    for rate in [0, 20, 40, 60, 80, 100] {
        let (placements, _) = Placements::new(models()?, QUERIES, f64::from(rate) / 100.0, 7)?;
        let times = ways.time(&placements)?;
        row(out, &format!("{rate} %"), &times)?;
        for (ends, time) in ends.iter_mut().zip(&times) {
            match rate {
                0 => ends[0] = time.0,
                100 => ends[1] = time.0,
                _ => {}
            }
        }
    }
    write!(out, "{:<12}", "100 % / 0 %")?;
    for [first, last] in ends {
        write!(out, " {:>20}", format!("{:.2}", last / first))?;
    }
    writeln!(out)?;
    Ok(())
}

fn figure_5(context: &Context, out: &mut impl Write) -> Result<()> {
    let mut ways = Ways::new(context)?;
    let names = ways.names();
    writeln!(out, "\nFigure 5: by triangles of two jets together, 30 % of the queries collide")?;
    header(out, "triangles", &names)?;
    let mut points = vec![Vec::new(); names.len()];
    for triangles in [2000, 5000, 10_000, 20_000, 40_000, 80_000] {
        let (placements, _) = Placements::new(jets(triangles / 2)?, QUERIES / 4, 0.3, 9)?;
        let count: usize = placements.meshes.iter().map(|mesh| mesh.triangles().len()).sum();
        let times = ways.time(&placements)?;
        row(out, &count.to_string(), &times)?;
        for (points, time) in points.iter_mut().zip(&times) {
            points.push((count as f64, time.0));
        }
    }
    write!(out, "{:<12}", "R² of a line")?;
    for points in points {
        write!(out, " {:>20}", format!("{:.3}", Line::through(&points).r_squared))?;
    }
    writeln!(out)?;
    Ok(())
}

fn header(out: &mut impl Write, first: &str, names: &[&str]) -> Result<()> {
    write!(out, "{first:<12}")?;
    for name in names {
        write!(out, " {name:>20}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn row(out: &mut impl Write, name: &str, times: &[(f64, f64)]) -> Result<()> {
    write!(out, "{name:<12}")?;
    for (mean, deviation) in times {
        write!(out, " {:>20}", format!("{mean:.3} ({deviation:.3})"))?;
    }
    writeln!(out)?;
    Ok(())
}
