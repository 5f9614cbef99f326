//! The narrow phase against the oracle at any number of pairs: what `cargo xtask oracle` runs.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Parser;
use impinge_lab::families::{self, Family};
use impinge_lab::oracle::compare::{IN_LANES, Subject, Tally, compare};
use impinge_lab::oracle::relation;

/// Compare the narrow phase with exact arithmetic; exit 1 when they disagree anywhere.
#[derive(Parser)]
struct Arguments {
    /// How many pairs to decide, spread evenly over the families.
    #[arg(long, default_value_t = 100_000)]
    pairs: u64,
    /// Another seed gives other pairs; the same one gives the same pairs on every machine.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this family.
    #[arg(long)]
    family: Option<String>,
    /// The exact lanes, on every instruction set of this machine, instead of one pair after the other.
    #[arg(long)]
    lanes: bool,
    /// Instead, compare what pairs of closed bodies are to each other on so many random placements.
    #[arg(long, num_args = 0..=1, default_missing_value = "10000")]
    relations: Option<u64>,
}

fn main() -> ExitCode {
    run(&Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("oracle: {error:#}");
        ExitCode::from(2)
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Some(placements) = arguments.relations {
        return Ok(compare_relations(placements, arguments.seed));
    }
    let families: Vec<&Family> = families::all()
        .iter()
        .filter(|f| arguments.family.as_ref().is_none_or(|name| name == f.name))
        .collect();
    if families.is_empty() {
        let names: Vec<&str> = families::all().iter().map(|f| f.name).collect();
        bail!("no such family; there are: {}", names.join(", "));
    }

    let start = Instant::now();
    let done = AtomicU64::new(0);
    let show = std::io::stderr().is_terminal();
    let subject = if arguments.lanes { Subject::LANES } else { Subject::LIBRARY };
    let tallies = compare(subject, &families, arguments.pairs, arguments.seed, |pairs| {
        let done = done.fetch_add(pairs, Ordering::Relaxed) + pairs;
        if show {
            let seconds = start.elapsed().as_secs_f64();
            eprint!("\r{done} of {} pairs, {:.0} per second ", arguments.pairs, done as f64 / seconds);
        }
    });
    if show {
        eprint!("\r\x1b[K");
    }

    print(&tallies, &mut std::io::stdout().lock())?;
    let (pairs, disagreements) =
        tallies.iter().fold((0, 0), |(pairs, wrong), t| (pairs + t.pairs, wrong + t.disagreements));
    println!(
        "{disagreements} disagreements in {pairs} pairs, seed {}, {:.1} s",
        arguments.seed,
        start.elapsed().as_secs_f64()
    );
    if arguments.lanes {
        let [asked, decided] = IN_LANES.each_ref().map(|count| count.load(Ordering::Relaxed));
        println!("lanes decided {decided} of {asked} questions, the rest was left to one pair at a time");
    }
    Ok(if disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn compare_relations(placements: u64, seed: u64) -> ExitCode {
    let start = Instant::now();
    let done = AtomicU64::new(0);
    let show = std::io::stderr().is_terminal();
    let tally = relation::compare(placements, seed, |more| {
        let done = done.fetch_add(more, Ordering::Relaxed) + more;
        if show && done.is_multiple_of(100) {
            eprint!("\r{done} of {placements} placements ");
        }
    });
    if show {
        eprint!("\r\x1b[K");
    }
    let names = ["apart", "touching", "overlapping", "first inside", "second inside", "equal"];
    for (name, count) in names.iter().zip(tally.answers) {
        println!("{name:13} {count:>9}");
    }
    for example in &tally.examples {
        println!("\n{example}");
    }
    println!(
        "{} wrong in {} placements ({} without an answer), seed {seed}, {:.1} s",
        tally.wrong,
        tally.placements,
        tally.skipped,
        start.elapsed().as_secs_f64()
    );
    if tally.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(tallies: &[Tally], out: &mut impl Write) -> std::io::Result<()> {
    let width = tallies.iter().map(|t| t.family.len()).max().unwrap_or(0);
    writeln!(
        out,
        "{:width$}  {:>9}  {:>11}  {:>9}  {:>9}",
        "family", "pairs", "boxes touch", "touch", "disagree"
    )?;
    for t in tallies {
        writeln!(
            out,
            "{:width$}  {:>9}  {:>11}  {:>9}  {:>9}",
            t.family, t.pairs, t.overlapping, t.touching, t.disagreements
        )?;
    }
    for t in tallies {
        for example in &t.examples {
            writeln!(out, "\n{}: {example}", t.family)?;
        }
    }
    Ok(())
}
