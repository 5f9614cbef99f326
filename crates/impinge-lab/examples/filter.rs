//! What the floats of the conservative method claim, and what exact arithmetic on the GPU does, against exact arithmetic: what `cargo xtask soak --filter` runs.

use anyhow::Result;
use clap::Parser;
use impinge_gpu::{Context, GpuCollider};
use impinge_lab::families::{self, Rng};
use impinge_lab::soak::filter::{self, Tally};
use std::process::ExitCode;

/// Pairs that go to the GPU at once.
const BATCH: usize = 20_000;

/// Compare the claims with exact arithmetic; exit 1 when one is wrong.
#[derive(Parser)]
struct Arguments {
    /// How many pairs, spread evenly over the families.
    #[arg(long, default_value_t = 4_000_000)]
    pairs: usize,
    /// Another seed gives other pairs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Part of the name of the GPU.
    #[arg(long)]
    adapter: Option<String>,
}

fn main() -> ExitCode {
    run(&Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("filter: {error:#}");
        ExitCode::from(2)
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut gpu = GpuCollider::new(Context::on(arguments.adapter.as_deref())?)?;
    let each = arguments.pairs.div_ceil(families::all().len());
    println!(
        "{:26} {:7} {:>9} {:>9} {:>9} {:>7} {:>9}",
        "family", "on", "pairs", "touch", "doubtful", "missed", "false yes"
    );
    let (mut pairs, mut wrong) = (0, 0);
    for (family, number) in families::all().iter().zip(1..) {
        let (mut cpu_tally, mut gpu_tally) = (Tally::default(), Tally::default());
        let mut exact_tally = Tally::default();
        for batch in 0..each.div_ceil(BATCH) {
            let seed = arguments.seed.wrapping_mul(1_000_003).wrapping_add(1000 * number + batch as u64);
            let questions = filter::questions(family, BATCH.min(each), seed);
            let records: Vec<_> = questions.iter().map(|question| question.records).collect();
            let on_cpu: Vec<_> = records.iter().map(filter::judge).collect();
            cpu_tally.add(&filter::tally(family.name, &questions, &on_cpu));
            if !records.is_empty() {
                gpu_tally.add(&filter::tally(family.name, &questions, &gpu.judge(&records)?));
                // Exact arithmetic on the GPU, of the same triangles standing elsewhere.
                let pose = filter::poses(&mut Rng::new(seed))[batch % 3];
                let as_floats = batch % 2 == 1;
                let exact: Vec<_> = questions.iter().map(|question| question.exact).collect();
                let verdicts = gpu.judge_exactly(&exact, &pose, as_floats)?;
                let standing: Vec<_> = questions.iter().map(|q| q.standing(&pose, as_floats)).collect();
                exact_tally.add(&filter::tally(family.name, &standing, &verdicts));
            }
        }
        for (on, tally) in [("CPU", &cpu_tally), ("GPU", &gpu_tally), ("exactly", &exact_tally)] {
            let Tally { pairs, touching, doubtful, missed, false_yes, .. } = tally;
            println!(
                "{:26} {on:7} {pairs:>9} {touching:>9} {doubtful:>9} {missed:>7} {false_yes:>9}",
                family.name
            );
            if let Some(example) = tally.example.as_ref().filter(|_| wrong == 0) {
                println!("{example:?}");
            }
            wrong += missed + false_yes;
        }
        pairs += cpu_tally.pairs;
    }
    println!("{wrong} wrong in {pairs} pairs on the CPU and on the GPU, seed {}", arguments.seed);
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
