//! Dinerstein, Egbert 2002, table 1: how often depth slices are wrong about two models in close proximity; what more slices and
//! other fillings buy; and that what is proven is never wrong.

use super::placements::{Placements, models};
use anyhow::Result;
use impinge::Pose;
use impinge::overlap_cells::{Overlaps, Slicer};
use impinge::stages::overlap_cells::{Answer, Certainty, Fill, SliceOptions};
use impinge_gpu::{Context, GpuCollider};
use std::io::Write;

/// Placements of table 1, and of all that the paper has no figures for.
const COUNTS: [usize; 2] = [8000, 4000];

/// Part of them that collides, as in the paper.
const COLLIDING: f64 = 0.2;

/// Pixels across and down.
const RESOLUTIONS: [u32; 5] = [16, 32, 64, 128, 256];

/// What the paper printed, in percent: not refined, once, twice, twice with 32 slices the last time.
const PAPER: [[f64; 5]; 4] = [
    [2.97, 1.55, 1.63, 1.72, 2.07],
    [3.02, 0.86, 0.45, 0.33, 0.26],
    [3.16, 0.85, 0.27, 0.16, 0.08],
    [3.35, 0.81, 0.26, 0.12, 0.07],
];

/// Wrong answers, in percent.
#[derive(Clone, Copy, Debug, Default)]
struct Wrong {
    yes: f64,
    no: f64,
}

impl Wrong {
    fn all(self) -> f64 {
        self.yes + self.no
    }
}

/// Runs everything.
pub fn dinerstein_1(context: &Context, out: &mut impl Write) -> Result<()> {
    let (placements, before) = Placements::new(models()?, COUNTS[0], COLLIDING, 1)?;
    let [a, b] = [0, 1].map(|k: usize| {
        format!("{} ({} triangles)", placements.names[k], placements.meshes[k].triangles().len())
    });
    writeln!(
        out,
        "Dinerstein, Egbert 2002, table 1: {a} and {b} at {} random translations with overlapping boxes.\n\
         Of all such {:.0} % collide; so many of these are left out that {:.0} % do, as in the paper. Truth: the exact narrow\n\
         phase. In percent of all placements: false yes + false no = wrong [the paper's].",
        placements.translations.len(),
        100.0 * before,
        100.0 * COLLIDING
    )?;
    table_1(&placements, out)?;
    let fewer = placements.first(COUNTS[1]);
    more(&fewer, out)?;
    proven(&fewer, out)?;
    on_a_gpu(context, &fewer.first(500), out)
}

/// What was said of every placement when the volume was not refined, refined once, and twice.
fn wrong(placements: &Placements, slices: SliceOptions) -> Result<[Wrong; 3]> {
    let answers = placements.ask(
        || asking(slices),
        |slicer, scene| {
            let pair = slicer.find(scene).pairs.first();
            pair.map_or((Answer::No, 1), |pair| (pair.answer, pair.renderings))
        },
    )?;
    let percent = |count: usize| 100.0 * count as f64 / answers.len().max(1) as f64;
    Ok([1, 2, 3].map(|renderings| {
        // What is not shared after so many renderings was shared before.
        let no = |(answer, drawn): &(Answer, u32)| *answer == Answer::No && *drawn <= renderings;
        let count = |meets: bool| {
            let all = answers.iter().zip(&placements.truth);
            percent(all.filter(|(said, truth)| no(said) == meets && **truth == meets).count())
        };
        Wrong { yes: count(false), no: count(true) }
    }))
}

fn asking(options: SliceOptions) -> Slicer {
    Slicer::new(SliceOptions { containment: false, threads: 1, ..options })
}

fn way(fill: Fill, slices: u32, resolution: u32) -> SliceOptions {
    SliceOptions { fill, slices, refinements: 2, resolution: [resolution; 2], ..SliceOptions::PAPER }
}

fn heading(out: &mut impl Write, title: &str) -> Result<()> {
    write!(out, "\n{title:<34}")?;
    for n in RESOLUTIONS {
        write!(out, " {:>24}", format!("{n}x{n}"))?;
    }
    writeln!(out)?;
    Ok(())
}

const ROWS: [&str; 4] = ["not refined", "refined once", "refined twice", "twice, 32 slices the last time"];

fn table_1(placements: &Placements, out: &mut impl Write) -> Result<()> {
    heading(out, "the paper's: 16 slices, samples")?;
    let mut cells = [[Wrong::default(); 5]; 4];
    for (column, n) in RESOLUTIONS.into_iter().enumerate() {
        let plain = wrong(placements, way(Fill::Samples, 16, n))?;
        let more = wrong(placements, SliceOptions { last_slices: Some(32), ..way(Fill::Samples, 16, n) })?;
        for (row, cell) in plain.into_iter().chain([more[2]]).enumerate() {
            cells[row][column] = cell;
        }
    }
    for (row, name) in ROWS.into_iter().enumerate() {
        write!(out, "{name:<34}")?;
        for column in 0..5 {
            let (cell, printed) = (cells[row][column], PAPER[row][column]);
            let mark = if cell.all() <= printed { ' ' } else { '*' };
            let text = format!("{:.2}+{:.2}={:.2}{mark} [{printed:.2}]", cell.yes, cell.no, cell.all());
            write!(out, " {text:>24}")?;
        }
        writeln!(out)?;
    }
    explain(&cells, out)
}

/// Says why a cell from 32 x 32 up is above the paper's.
fn explain(cells: &[[Wrong; 5]; 4], out: &mut impl Write) -> Result<()> {
    let above = |row: usize, column: usize| cells[row][column].all() > PAPER[row][column];
    let all = (0..4).flat_map(|row| (1..5).map(move |column| (row, column)));
    let over: Vec<(usize, usize)> = all.filter(|&(row, column)| above(row, column)).collect();
    if over.is_empty() {
        writeln!(out, "From 32x32 up, no cell is above the paper's.")?;
    }
    for (row, column) in over {
        let cell = cells[row][column];
        let why = if cell.no > cell.yes {
            "steep surfaces leave holes between samples: intervals and touched cells fill them"
        } else {
            "surfaces nearer to each other than a cell: more slices or another refinement tell them apart"
        };
        let n = RESOLUTIONS[column];
        writeln!(
            out,
            "* {n}x{n}, {}: {:.3} points above the paper's; {why}.",
            ROWS[row],
            cell.all() - PAPER[row][column]
        )?;
    }
    Ok(())
}

/// Table 1 with more slices in one pass, and with other fillings.
fn more(placements: &Placements, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "\nWhat more slices and other fillings buy, of {} of these placements:",
        placements.truth.len()
    )?;
    let ways = [
        (Fill::Samples, 64),
        (Fill::Samples, 128),
        (Fill::Interval, 16),
        (Fill::Interval, 64),
        (Fill::Interval, 128),
        (Fill::Touched, 16),
        (Fill::Touched, 64),
        (Fill::Touched, 128),
    ];
    for (fill, slices) in ways {
        let name = match fill {
            Fill::Samples => "samples",
            Fill::Interval => "depth intervals",
            _ => "every touched cell",
        };
        heading(out, &format!("{slices} slices, {name}"))?;
        let mut columns = Vec::new();
        for n in RESOLUTIONS {
            columns.push(wrong(placements, way(fill, slices, n))?);
        }
        for (row, name) in ROWS[..3].iter().enumerate() {
            write!(out, "{name:<34}")?;
            for (column, cell) in columns.iter().enumerate() {
                let cell = cell[row];
                let text =
                    format!("{:.2}+{:.2}={:.2} [{:.2}]", cell.yes, cell.no, cell.all(), PAPER[row][column]);
                write!(out, " {text:>24}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Both bounds: what is certain, and how often it is wrong.
fn proven(placements: &Placements, out: &mut impl Write) -> Result<()> {
    let touching = placements.touching(500)?;
    writeln!(
        out,
        "\nBoth bounds, nothing handed over: no / yes / maybe in percent, and certain answers that are wrong. Placements: the\n\
         same, and {} where surfaces just touch or just do not, to the last bit.",
        touching.translations.len()
    )?;
    writeln!(out, "{:<44} {:>30} {:>30}", "", "random", "touching")?;
    let certain = |resolution: u32, slices, refinements| {
        let resolution = [resolution; 2];
        SliceOptions { resolution, slices, refinements, hand_over: false, ..SliceOptions::default() }
    };
    let offset = |cells, resolution: u32| SliceOptions {
        certainty: Certainty::Offset(cells),
        resolution: [resolution; 2],
        ..SliceOptions::PAPER
    };
    let ways = [
        ("proven, 16x16x16, not refined", certain(16, 16, 0)),
        ("proven, 32x32x32, not refined", certain(32, 32, 0)),
        ("proven, 64x64x64, not refined", certain(64, 64, 0)),
        ("proven, 64x64x64, refined 3 times", certain(64, 64, 3)),
        ("proven, 128x128x128, refined 6 times", certain(128, 128, 6)),
        ("the paper's offset of 0.5 cells, 32x32x16", offset(0.5, 32)),
        ("the paper's offset of 1 cell, 32x32x16", offset(1.0, 32)),
        ("the paper's offset of 1 cell, 64x64x16", offset(1.0, 64)),
    ];
    for (name, slices) in ways {
        write!(out, "{name:<44}")?;
        for placements in [placements, &touching] {
            let answers = placements.ask(
                || asking(slices),
                |slicer, scene| slicer.find(scene).pairs.first().map_or(Answer::No, |pair| pair.answer),
            )?;
            let (mut said, mut wrong) = ([0usize; 3], 0);
            for (answer, truth) in answers.iter().zip(&placements.truth) {
                match answer {
                    Answer::No => (said[0], wrong) = (said[0] + 1, wrong + usize::from(*truth)),
                    Answer::Yes => (said[1], wrong) = (said[1] + 1, wrong + usize::from(!*truth)),
                    Answer::Maybe { .. } => said[2] += 1,
                }
            }
            let [no, yes, maybe] = said.map(|count| 100.0 * count as f64 / answers.len().max(1) as f64);
            let kind = if slices.certainty == Certainty::Proven { "wrong" } else { "wrong, not proven" };
            write!(out, " {:>30}", format!("{no:.1} / {yes:.1} / {maybe:.2}, {wrong} {kind}"))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The same questions to a GPU.
fn on_a_gpu(context: &Context, placements: &Placements, out: &mut impl Write) -> Result<()> {
    let mut there = GpuCollider::new(context.clone())?;
    let (mut scene, second) = placements.scene();
    writeln!(out, "\n{} of these placements on {}:", placements.translations.len(), context.adapter)?;
    let proven = SliceOptions { hand_over: false, ..SliceOptions::default() };
    let ways = [
        ("the paper's, 64x64", way(Fill::Samples, 16, 64)),
        ("intervals, 64x64", way(Fill::Interval, 16, 64)),
        ("proven", proven),
    ];
    for (name, slices) in ways {
        let here = placements.ask(|| asking(slices), |slicer, scene| slicer.find(scene).clone())?;
        let options = asking(slices).options;
        let (mut same, mut cells) = (0, [0u64; 2]);
        for (mine, &translation) in here.iter().zip(&placements.translations) {
            scene.set_pose(second, Pose::from_translation(translation)?)?;
            let theirs = there.overlaps(&scene, &options)?;
            let said =
                |pairs: &Overlaps| pairs.pairs.first().map(|pair| std::mem::discriminant(&pair.answer));
            same += usize::from(said(mine) == said(&theirs));
            for (sum, sliced) in cells.iter_mut().zip([mine, &theirs]) {
                *sum += sliced.pairs.first().map_or(0, |pair| pair.cells);
            }
        }
        writeln!(
            out,
            "{name:<24} {same} of {} answers are the CPU's; shared cells {} and {}",
            here.len(),
            cells[0],
            cells[1]
        )?;
    }
    Ok(())
}
