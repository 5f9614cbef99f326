//! Knott 2003, section 4.7: time by number of boxes (figure 4.15) and of polygons (figure 4.16), reading pixels against
//! occlusion queries (table 4.1), early answers (table 4.2); and what the thesis has no figures for: what is found.

use super::crowd::{Room, crowd, exact_pairs, found_pairs, scatter};
use super::fit::Line;
use super::knott_recall::recall;
use super::measure::{build, median, ms};
use crate::shapes::sphere;
use crate::vector::moved;
use anyhow::Result;
use impinge::Scene;
use impinge::stages::Direction;
use impinge::stages::interference::{CastStages, Identify, RayCastOptions};
use impinge_gpu::{Context, GpuCollider};
use std::io::Write;
use std::time::{Duration, Instant};

/// Frames measured, with everything placed anew in each where that can be; the thesis has 100.
const TRIALS: u64 = 10;

/// Reading pixels is algorithm 4, queries are algorithm 5, which look at one edge a pixel; ours at one, and at as many as it
/// does when it is not told.
const WAYS: [(&str, Identify, u32); 4] = [
    ("reading pixels", Identify::LastDrawn, 1),
    ("occlusion queries", Identify::Queries, 1),
    ("ours, one layer", Identify::Everything, 1),
    ("ours", Identify::Everything, 4),
];

/// Runs every figure and table; the last takes longest.
pub fn knott(context: &Context, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "Knott 2003, section 4.7: boxes, polygons, reading pixels, early answers; the thesis' figures (two Pentium IV at\n\
         1.8 GHz, NVIDIA GeForce4) in brackets. Here: {}, means of the faster four fifths of {TRIALS} trials.",
        context.adapter
    )?;
    boxes(context, out)?;
    polygons(context, out)?;
    reading(context, out)?;
    early(context, out)?;
    hundreds(context, out)?;
    recall(context, out)
}

fn options((_, identify, layers): (&str, Identify, u32), resolution: [u32; 2]) -> RayCastOptions {
    RayCastOptions { identify, resolution, layers, ..RayCastOptions::default() }
}

/// Mean and deviation of times in milliseconds. The machine does other things too: the slowest fifth is theirs.
fn mean(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    times.truncate((times.len() * 4 / 5).max(1));
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let square = times.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / times.len() as f64;
    (mean, square.sqrt())
}

/// The time of a frame, in milliseconds.
fn time(collider: &mut GpuCollider, scene: &Scene, options: &RayCastOptions) -> Result<f64> {
    let start = Instant::now();
    collider.interference(scene, options)?;
    Ok(ms(start.elapsed()))
}

/// Time by size, and the lines that fit it. Sizes and ways take turns, so that whatever else the machine does is spread over
/// all; `place` is called before every turn.
fn curves(
    context: &Context,
    out: &mut impl Write,
    (heading, unit, part): (&str, &str, f64),
    mut scenes: Vec<(usize, Scene)>,
    mut place: impl FnMut(&mut Scene, u64) -> Result<()>,
) -> Result<()> {
    let mut colliders = Vec::new();
    let mut times = vec![vec![Vec::new(); WAYS.len()]; scenes.len()];
    for (_, scene) in &scenes {
        let mut collider = GpuCollider::new(context.clone())?;
        for way in WAYS {
            collider.interference(scene, &along_z(way))?; // compiles, allocates, uploads
        }
        colliders.push(collider);
    }
    for trial in 0..TRIALS {
        for ((collider, (_, scene)), times) in colliders.iter_mut().zip(&mut scenes).zip(&mut times) {
            place(scene, trial)?;
            for (way, times) in WAYS.into_iter().zip(times) {
                times.push(time(collider, scene, &along_z(way))?);
            }
        }
    }
    head(out, heading)?;
    let mut columns = vec![Vec::new(); WAYS.len()];
    for ((size, _), times) in scenes.iter().zip(times) {
        write!(out, "{size:>12}")?;
        for (times, column) in times.into_iter().zip(&mut columns) {
            let (mean, deviation) = mean(times);
            column.push((*size as f64 * part, mean));
            write!(out, "{:>20}", format!("{mean:.2} +- {deviation:.2}"))?;
        }
        writeln!(out)?;
    }
    fits(out, unit, &columns)
}

/// The thesis' image, seen along z.
fn along_z(way: (&str, Identify, u32)) -> RayCastOptions {
    let mut options = options(way, [256; 2]);
    options.direction = Direction::Along([0.0, 0.0, 1.0]);
    options
}

fn head(out: &mut impl Write, what: &str) -> Result<()> {
    write!(out, "{what:>12}")?;
    WAYS.iter().try_for_each(|(name, ..)| write!(out, "{name:>20}"))?;
    Ok(writeln!(out)?)
}

/// Prints the fit of every column.
fn fits(out: &mut impl Write, what: &str, columns: &[Vec<(f64, f64)>]) -> Result<()> {
    for ((name, ..), points) in WAYS.iter().zip(columns) {
        let line = Line::through(points);
        writeln!(
            out,
            "  {name}: {:.2} ms + {:.4} ms a {what}; R^2 {:.4}, largest residual {:.1} % of the longest time",
            line.start,
            line.slope,
            line.r_squared,
            100.0 * line.largest_residual
        )?;
    }
    Ok(())
}

/// Figure 4.15.
fn boxes(context: &Context, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "\nFigure 4.15: time by number of boxes of 12 triangles, 256 x 256; mean and deviation in ms. The thesis: a line."
    )?;
    let shaft = Room::Shaft { width: 6.0, length: 0.06 };
    for (where_to, room) in [
        ("in a shaft along the rays: a box is as large in the image as among fewer", shaft),
        ("in a cube: the more boxes, the smaller each of them in the image", Room::Cube(1.3)),
    ] {
        writeln!(out, "Thrown {where_to}:")?;
        let counts = [10, 50, 100, 200, 400, 700, 1000, 1500, 2000];
        let scenes = counts.map(|count| Ok((count, crowd(count, 12, room, 1)?)));
        let scenes = scenes.into_iter().collect::<Result<_>>()?;
        curves(context, out, ("boxes", "box", 1.0), scenes, |scene, trial| scatter(scene, room, trial + 2))?;
    }
    Ok(())
}

/// Figure 4.16.
fn polygons(context: &Context, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "\nFigure 4.16: time by polygons, two entangled knots at levels of detail, 256 x 256. The thesis: a line."
    )?;
    let levels = [1000, 2000, 4000, 8000, 16_000, 24_000, 32_000, 48_000, 64_000];
    let scenes = levels.map(|triangles| {
        let mut motion = build("knots", triangles, false)?;
        motion.set_frame(motion.frames / 2)?;
        let count = motion.scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
        Ok((count, motion.scene))
    });
    let scenes = scenes.into_iter().collect::<Result<_>>()?;
    curves(context, out, ("polygons", "thousand polygons", 1e-3), scenes, |_, _| Ok(()))
}

/// Table 4.1.
fn reading(context: &Context, out: &mut impl Write) -> Result<()> {
    const POLYGONS: usize = 3614;
    // Read, parse, render: pixels at either resolution, queries at either.
    const PRINTED: [[[f64; 3]; 2]; 2] =
        [[[6.7, 1.2, 4.0], [1.5, 0.2, 3.9]], [[0.0, 0.0, 4.0], [0.0, 0.0, 3.9]]];
    let mut motion = build("knots", POLYGONS, false)?;
    motion.set_frame(motion.frames / 2)?;
    let count: usize = motion.scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
    writeln!(
        out,
        "\nTable 4.1: {count} polygons (3614), ms; medians, the GPU waited for after every stage."
    )?;
    writeln!(out, "{:<34}{:>18}{:>18}{:>18}{:>14}", "", "read", "parse", "render", "bytes read")?;
    let mut collider = GpuCollider::new(context.clone())?;
    collider.wait_for_stages = true;
    for (row, way) in WAYS.into_iter().enumerate() {
        for (column, resolution) in [[640, 480], [256, 256]].into_iter().enumerate() {
            let options = options(way, resolution);
            collider.interference(&motion.scene, &options)?;
            let mut stages: Vec<CastStages> = Vec::new();
            for _ in 0..TRIALS {
                stages.push(collider.interference(&motion.scene, &options)?.stages);
            }
            let time = |of: fn(&CastStages) -> Duration| ms(median(stages.iter().map(of).collect()));
            let times = [time(|s| s.read), time(|s| s.parse), time(|s| s.prepare + s.render)];
            write!(out, "{:<34}", format!("{}, {} x {}", way.0, resolution[0], resolution[1]))?;
            for (k, mine) in times.into_iter().enumerate() {
                let theirs = PRINTED.get(row).map_or(String::new(), |p| format!(" ({:.1})", p[column][k]));
                write!(out, "{:>18}", format!("{mine:.2}{theirs}"))?;
            }
            writeln!(out, "{:>14}", stages[0].bytes_read_back)?;
        }
    }
    Ok(())
}

/// Table 4.2.
fn early(context: &Context, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "\nTable 4.2: two spheres whose boxes overlap, 256 x 256, ms; the thesis saves about 30 % when nothing interferes."
    )?;
    writeln!(
        out,
        "{:<20}{:>10}{:>18}{:>18}{:>20}{:>10}{:>22}",
        "", "polygons", "interference", "none", "none, not early", "saved", "saved by the thesis"
    )?;
    let printed = [(606, 0.92, 0.63), (1076, 1.35, 0.98), (1734, 2.04, 1.48), (2580, 2.94, 2.11)];
    let mut collider = GpuCollider::new(context.clone())?;
    for way in WAYS.into_iter().filter(|(_, _, layers)| *layers == 1) {
        for (polygons, with, without) in printed {
            let mut scene = Scene::new();
            scene.add("a", sphere(polygons / 2).mesh());
            let b = scene.add("b", sphere(polygons / 2).mesh());
            let count: usize = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
            let mut times = [const { Vec::new() }; 3];
            // The first turn compiles, allocates and uploads.
            for trial in 0..=TRIALS {
                for (k, (apart, early_answer)) in
                    [(1.1, true), (1.2, true), (1.2, false)].into_iter().enumerate()
                {
                    scene.set_pose(b, moved([apart; 3]))?;
                    let options = RayCastOptions { early_answer, ..options(way, [256; 2]) };
                    let time = time(&mut collider, &scene, &options)?;
                    if trial > 0 {
                        times[k].push(time);
                    }
                }
            }
            let times = times.map(|times| mean(times).0);
            let saved = |full: f64, early: f64| 100.0 * (1.0 - early / full);
            writeln!(
                out,
                "{:<20}{count:>10}{:>18}{:>18}{:>20.2}{:>10}{:>22}",
                way.0,
                format!("{:.2} ({with:.2})", times[0]),
                format!("{:.2} ({without:.2})", times[1]),
                times[2],
                format!("{:.0} %", saved(times[0], times[1])),
                format!("{:.0} %", saved(with, without)),
            )?;
        }
    }
    Ok(())
}

/// "Several hundreds of objects" at once (4.7.2), and all pairs of them.
fn hundreds(context: &Context, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "\nHundreds of boxes in one query: pairs found of the exact ones, and false ones (nearer than the reach)."
    )?;
    writeln!(
        out,
        "{:>8}{:>12}{:>8}{:>8}{:>10}{:>10}{:>8}{:>10}{:>10}",
        "boxes", "pixels", "views", "layers", "exact", "found", "false", "reach", "ms"
    )?;
    let mut collider = GpuCollider::new(context.clone())?;
    for count in [200, 300, 500, 1000] {
        let scene = crowd(count, 12, Room::Cube(1.3), 7)?;
        let exact = exact_pairs(&scene);
        for (pixels, direction) in [(1024, Direction::Auto), (2048, Direction::Auto), (1024, Direction::Axes)]
        {
            let options = RayCastOptions { direction, ..options(WAYS[3], [pixels; 2]) };
            let start = Instant::now();
            let interference = collider.interference(&scene, &options)?;
            let time = ms(start.elapsed());
            let found = found_pairs(&interference);
            writeln!(
                out,
                "{count:>8}{pixels:>12}{:>8}{:>8}{:>10}{:>10}{:>8}{:>10.4}{time:>10.0}",
                interference.stages.views,
                interference.stages.layers,
                exact.len(),
                found.intersection(&exact).count(),
                found.difference(&exact).count(),
                interference.reach,
            )?;
        }
    }
    Ok(())
}
