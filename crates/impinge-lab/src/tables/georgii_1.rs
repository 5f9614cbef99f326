//! Table 1 of Georgii, Krüger, Westermann 2007 on scenes of the same sizes, without their files; the rows of its text
//! about limited passes and cloth; and what the paper has no column for: recall, layers, the cost of sampling, bytes.

use super::measure::{Measured, RUNS, build, measure, ms};
use crate::tentacles::Tentacles;
use anyhow::Result;
use impinge::contacts::{AtLimit, PeelOptions, Sides};
use impinge::{Contact, Method, Options, Pose};
use impinge_gpu::{Context, GpuCollider};
use std::collections::HashSet;
use std::io::Write;
use std::time::Duration;

/// What the paper printed for a scene (NVIDIA 7800 GTX, 1024 x 1024).
struct Printed {
    triangles: &'static str,
    rays: &'static str,
    read_back: &'static str,
    involved: &'static str,
    tests: &'static str,
    positive: &'static str,
    gpu: &'static str,
    reduce: &'static str,
    cpu: &'static str,
    total: &'static str,
}

struct Row<'a> {
    name: &'a str,
    about: &'a str,
    printed: Option<Printed>,
}

/// Runs every row and prints it.
pub fn georgii_1(context: &Context, resolution: u32, out: &mut impl Write) -> Result<()> {
    let peel = PeelOptions { resolution: [resolution; 2], ..PeelOptions::default() };
    writeln!(
        out,
        "Georgii, Krüger, Westermann 2007, table 1; their figures on an NVIDIA 7800 GTX in brackets."
    )?;
    writeln!(out, "Here: {}, {resolution} x {resolution} rays, median of {RUNS}.\n", context.adapter)?;
    head(out)?;

    let row = |name, about, printed| Row { name, about, printed };
    let bunnies = row("deforming", "two entangled knots that deform", Some(BUNNIES));
    moving(context, &peel, "knots", 12_000, false, &bunnies, out)?;
    let horses = row("deforming, self", "the same, finer, and each with itself", Some(HORSES));
    moving(context, &peel, "knots", 32_000, true, &horses, out)?;
    let creatures = row("creatures, GPU", "tentacles animated on the GPU, starships", Some(CREATURES));
    on_the_gpu(context, &peel, &creatures, out)?;
    let bodies = row("rigid, 60 bodies", "bumpy spheres and knots", Some(RIGID));
    let full = moving(context, &peel, "blobs", 500_000, false, &bodies, out)?;
    let dragon = row("800K", "two knots that deform", Some(DRAGON));
    moving(context, &peel, "knots", 800_000, false, &dragon, out)?;
    let cloth = row("cloth, open (8.2)", "a cloth of 2K over a ball, and itself", None);
    moving(context, &peel, "cloth", 2500, true, &cloth, out)?;

    writeln!(
        out,
        "\nLimited passes, from the front alone, on the 60 rigid bodies (8, \"rigid body collisions\"):"
    )?;
    let front = PeelOptions { sides: Sides::Front, ..peel };
    for (passes, at_limit, said) in [
        (None, AtLimit::Stop, "all passes"),
        (Some(6), AtLimit::Stop, "6 passes; the paper misses less than 5 %, in 68 of 95 ms"),
        (Some(7), AtLimit::Mark, "7 passes, deeper rays marked; the paper misses nothing"),
    ] {
        let options = PeelOptions { passes, at_limit, ..front };
        let mut motion = build("blobs", 500_000, false)?;
        motion.set_frame(motion.frames / 2)?;
        let mut collider = GpuCollider::new(context.clone())?;
        let measured = measure(&mut collider, &motion.scene, &motion.scene, &options)?;
        let mine: HashSet<&Contact> = measured.report.contacts.iter().collect();
        let missed = full.report.contacts.iter().filter(|contact| !mine.contains(contact)).count();
        writeln!(
            out,
            "  {said:<60} {:>7.0} ms  {:>6} rays  {missed:>5} of {} contacts of full peeling missed ({:.2} %)",
            ms(measured.report.stages.total),
            measured.image.rays,
            full.report.contacts.len(),
            100.0 * missed as f64 / full.report.contacts.len().max(1) as f64,
        )?;
    }
    apart(context, &peel, out)?;
    writeln!(
        out,
        "\nrays: collision rays. back: triangles read back. involved: those in an exact test. tests: exact tests.\n\
         gpu: vertices to rectangles. pack: dense list and read back. cpu: sweep and exact tests.\n\
         recall: exact contacts found; in brackets with rays not widened (margin 0), as in the paper.\n\
         ratio: sampling / (layers x one plain depth-only render of the same scene, same run); at most 1.3 is asked."
    )?;
    Ok(())
}

/// What is read back follows what collides: the 60 bodies, coarser, drawn apart.
fn apart(context: &Context, options: &PeelOptions, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "\nWhat is read back follows what collides: 60 rigid bodies of 100K triangles in all, drawn apart:"
    )?;
    let mut motion = build("blobs", 100_000, false)?;
    motion.set_frame(motion.frames / 2)?;
    let poses: Vec<_> = motion.scene.bodies().map(|(id, body)| (id, *body.pose().rows())).collect();
    let mut collider = GpuCollider::new(context.clone())?;
    for spread in [0.9, 1.0, 1.1, 1.2, 1.4, 2.0] {
        for (id, rows) in &poses {
            let moved = rows.map(|[a, b, c, t]| [a, b, c, t * spread]);
            motion.scene.set_pose(*id, Pose::from_rows(moved)?)?;
        }
        let method = Method::DepthPeel(*options);
        collider.options = Options { method, containment: false, ..Options::default() };
        let report = collider.collide(&motion.scene)?;
        let image = report.rays().copied().unwrap_or_default();
        writeln!(
            out,
            "  {spread:.1} times the distance: {:>6} contacts  {:>6} triangles back  {:>7} bytes",
            report.contacts.len(),
            image.read_back,
            image.bytes_read_back,
        )?;
    }
    Ok(())
}

fn head(out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "{:<18} {:>10} {:>14} {:>15} {:>15} {:>16} {:>14} {:>13} {:>12} {:>12} {:>14}",
        "scene",
        "triangles",
        "rays",
        "back",
        "involved",
        "tests",
        "contacts",
        "gpu ms",
        "pack ms",
        "cpu ms",
        "total ms"
    )?;
    Ok(())
}

fn moving(
    context: &Context,
    options: &PeelOptions,
    name: &str,
    triangles: usize,
    with_itself: bool,
    row: &Row,
    out: &mut impl Write,
) -> Result<Measured> {
    let mut motion = build(name, triangles, with_itself)?;
    let last = name == "cloth";
    motion.set_frame(if last { motion.frames - 1 } else { motion.frames / 2 })?;
    let mut collider = GpuCollider::new(context.clone())?;
    let measured = measure(&mut collider, &motion.scene, &motion.scene, options)?;
    let narrow = measured.narrow_recall(&mut collider, &motion.scene, options)?;
    print(row, &measured, narrow, out)?;
    Ok(measured)
}

fn on_the_gpu(context: &Context, options: &PeelOptions, row: &Row, out: &mut impl Write) -> Result<()> {
    let mut creatures = Tentacles::new(context, 320_000, 1)?;
    let mut collider = GpuCollider::new(context.clone())?;
    creatures.attach(&mut collider)?;
    collider.options.method = Method::DepthPeel(*options);
    let mut hits = 0;
    for frame in 0..6 {
        creatures.set_time(0.3 + 0.02 * f64::from(frame))?;
        let contacts = collider.collide(&creatures.scene)?.contacts.clone();
        hits += creatures.react(&collider, &contacts);
    }
    creatures.set_time(0.42)?;
    let held = creatures.held()?;
    let measured = measure(&mut collider, &creatures.scene, &held, options)?;
    let narrow = measured.narrow_recall(&mut collider, &creatures.scene, options)?;
    print(row, &measured, narrow, out)?;
    writeln!(out, "{:<18} in six frames before, tentacles drew back {hits} times", "")?;
    Ok(())
}

fn print(row: &Row, measured: &Measured, narrow: f64, out: &mut impl Write) -> Result<()> {
    let Measured { report, image, plain, exact } = measured;
    let gpu = image.project + image.sample + image.merge + image.separate;
    let beside = |mine: String, theirs: fn(&Printed) -> &'static str| match &row.printed {
        Some(printed) => format!("{mine} ({})", theirs(printed)),
        None => mine,
    };
    let time = |time: Duration| format!("{:.1}", ms(time));
    writeln!(
        out,
        "{:<18} {:>10} {:>14} {:>15} {:>15} {:>16} {:>14} {:>13} {:>12} {:>12} {:>14}",
        row.name,
        beside(thousands(report.stages.triangles), |p| p.triangles),
        beside(image.rays.to_string(), |p| p.rays),
        beside(image.read_back.to_string(), |p| p.read_back),
        beside(image.involved.to_string(), |p| p.involved),
        beside(image.tests.to_string(), |p| p.tests),
        beside(report.contacts.len().to_string(), |p| p.positive),
        beside(time(gpu), |p| p.gpu),
        beside(time(image.pack), |p| p.reduce),
        beside(time(report.stages.narrow_phase), |p| p.cpu),
        beside(time(report.stages.total), |p| p.total),
    )?;
    let ratio = measured.ratio();
    writeln!(
        out,
        "{:<18} {}: recall {:.2} % ({narrow:.2} %) of {}; project {:.1}, sample {:.1}, merge {:.1}, separate {:.1} ms; \
         {} layers, plain render {:.1} ms, ratio {ratio:.2}; {} bytes back of {} in triangles",
        "",
        row.about,
        measured.recall(),
        exact.len(),
        ms(image.project),
        ms(image.sample),
        ms(image.merge),
        ms(image.separate),
        image.layers,
        ms(*plain),
        image.bytes_read_back,
        report.stages.triangles * 36,
    )?;
    Ok(())
}

fn thousands(n: usize) -> String {
    format!("{:.0}K", n as f64 / 1e3)
}

const BUNNIES: Printed = Printed {
    triangles: "12K",
    rays: "0.2K",
    read_back: "0.4K",
    involved: "0.2K",
    tests: "0.4K",
    positive: "0.1K",
    gpu: "3",
    reduce: "1",
    cpu: "1",
    total: "5",
};

const HORSES: Printed = Printed {
    triangles: "32K",
    rays: "21K",
    read_back: "13K",
    involved: "4.3K",
    tests: "9.0K",
    positive: "3.7K",
    gpu: "5",
    reduce: "4",
    cpu: "24",
    total: "33",
};

const CREATURES: Printed = Printed {
    triangles: "320K",
    rays: "0.3K",
    read_back: "1.0K",
    involved: "0.4K",
    tests: "1.5K",
    positive: "0.2K",
    gpu: "17",
    reduce: "6",
    cpu: "1",
    total: "24",
};

const RIGID: Printed = Printed {
    triangles: "500K",
    rays: "2.8K",
    read_back: "12K",
    involved: "4.4K",
    tests: "7.7K",
    positive: "1.5K",
    gpu: "56",
    reduce: "18",
    cpu: "21",
    total: "95",
};

const DRAGON: Printed = Printed {
    triangles: "800K",
    rays: "7.7K",
    read_back: "54K",
    involved: "7.5K",
    tests: "6.6K",
    positive: "1.5K",
    gpu: "139",
    reduce: "53",
    cpu: "32",
    total: "224",
};
