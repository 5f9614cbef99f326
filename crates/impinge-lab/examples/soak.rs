//! Random small scenes through the conservative method, on the GPU and on the CPU: what `cargo xtask soak` runs.

use anyhow::Result;
use clap::Parser;
use impinge_gpu::{Context, GpuCollider};
use impinge_lab::soak::Soak;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Compare the conservative method with every triangle against every other; exit 1 at the first difference.
#[derive(Parser)]
struct Arguments {
    /// How many scenes.
    #[arg(long, default_value_t = 100_000)]
    scenes: u64,
    /// The seed of the first; those after it have the next ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the scene with this seed.
    #[arg(long)]
    only: Option<u64>,
    /// Part of the name of the GPU.
    #[arg(long)]
    adapter: Option<String>,
    /// The CPU alone.
    #[arg(long)]
    no_gpu: bool,
}

fn main() -> ExitCode {
    run(&Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("soak: {error:#}");
        ExitCode::from(2)
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let gpu = if arguments.no_gpu {
        None
    } else {
        Some(GpuCollider::new(Context::on(arguments.adapter.as_deref())?)?)
    };
    let mut soak = Soak::new(gpu);
    let seeds = match arguments.only {
        Some(seed) => seed..seed.saturating_add(1),
        None => arguments.seed..arguments.seed.saturating_add(arguments.scenes),
    };
    let (start, mut told) = (Instant::now(), Instant::now());
    let first = seeds.start;
    let count = seeds.end - seeds.start;
    for seed in seeds {
        if let Err(what) = soak.run(seed) {
            println!("{what}\nagain: cargo xtask soak --only {seed}");
            return Ok(ExitCode::FAILURE);
        }
        if told.elapsed() > Duration::from_secs(5) {
            told = Instant::now();
            let done = seed - first + 1;
            let each = 1e3 * start.elapsed().as_secs_f64() / done as f64;
            eprintln!("{done} of {count} scenes, {each:.1} ms each, no difference");
        }
    }
    println!(
        "{count} scenes from seed {first}, no difference: {:?}, {:.0} s",
        soak.tally,
        start.elapsed().as_secs_f64()
    );
    Ok(ExitCode::SUCCESS)
}
