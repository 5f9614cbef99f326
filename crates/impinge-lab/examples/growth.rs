//! The same scene at one, two, four and eight million triangles: what `cargo xtask growth` runs. More triangles of
//! `big` are more bodies at one density; more of `knots` are a finer mesh of two bodies that look at themselves too.

mod common;

use anyhow::{Context, Result};
use clap::Parser;
use common::{grouped, median, record, time, triangles};
use impinge::Options;
use std::time::Duration;

/// Time per triangle while a scene grows eightfold.
#[derive(Parser)]
struct Arguments {
    /// Triangles of the largest; the others have a half, a quarter and an eighth.
    #[arg(long, default_value_t = 8_000_000)]
    max: usize,
    /// Frames timed of each.
    #[arg(long, default_value_t = 6)]
    frames: usize,
    /// 0 for as many as the machine has.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Scenes of the lab in which nobody comes, goes or breaks.
    #[arg(long = "scene", default_values = ["big", "knots"])]
    scenes: Vec<String>,
}

fn main() -> Result<()> {
    let Arguments { max, frames, threads, scenes } = Arguments::parse();
    println!("| scene | triangles | contacts | ms per frame | ns per triangle | against the smallest |");
    println!("|---|---|---|---|---|---|");
    for name in &scenes {
        let lab = impinge_lab::find(name).with_context(|| format!("no scene '{name}' in the lab"))?;
        let mut smallest = None;
        for part in [8, 4, 2, 1] {
            let scene = record(name, &lab.build(max / part, 1), 0, frames)?;
            let times = time(&scene, Options { threads, ..Options::default() }, Duration::MAX)?;
            let (count, ms) = (triangles(&scene), median(&times.ms));
            let ns = 1e6 * ms / count as f64;
            let contacts = times.pairs.iter().sum::<usize>() / times.pairs.len().max(1);
            println!(
                "| {name} | {} | {} | {ms:.2} | {ns:.2} | {:.2}x |",
                grouped(count),
                grouped(contacts),
                ns / *smallest.get_or_insert(ns)
            );
        }
    }
    println!("\nMedian of {frames} frames after a warm-up; contacts per frame, their mean.");
    Ok(())
}
