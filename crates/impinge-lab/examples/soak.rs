//! Random small scenes through the conservative method, on the GPU and on the CPU: what `cargo xtask soak` runs.

use anyhow::Result;
use clap::Parser;
use impinge_gpu::{Context, GpuCollider};
use impinge_lab::soak::{Soak, Tally};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
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
    /// How many scenes at a time, each with a device of its own; by default, one for each core.
    #[arg(long)]
    jobs: Option<u64>,
}

fn main() -> ExitCode {
    run(&Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("soak: {error:#}");
        ExitCode::from(2)
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let seeds = match arguments.only {
        Some(seed) => seed..seed.saturating_add(1),
        None => arguments.seed..arguments.seed.saturating_add(arguments.scenes),
    };
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let jobs = arguments.jobs.unwrap_or_else(cores).clamp(1, (seeds.end - seeds.start).max(1));
    let progress =
        Progress { start: Instant::now(), done: AtomicU64::new(0), failed: AtomicBool::new(false) };
    // A job has every so-many-th seed, so that what it keeps from scene to scene is the same in every run with as many jobs.
    let job = |job: u64| -> Result<Tally> {
        let gpu = if arguments.no_gpu {
            None
        } else {
            Some(GpuCollider::new(Context::on(arguments.adapter.as_deref())?)?)
        };
        let mut soak = Soak::new(gpu);
        for seed in seeds.clone().skip(job as usize).step_by(jobs as usize) {
            if progress.failed.load(Relaxed) {
                break;
            }
            if let Err(what) = soak.run(seed) {
                progress.failed.store(true, Relaxed);
                println!("{what}\nagain: cargo xtask soak --only {seed}");
            }
            progress.done.fetch_add(1, Relaxed);
        }
        Ok(soak.tally)
    };
    let tallies: Vec<Result<Tally>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|k| scope.spawn(move || job(k))).collect();
        progress.tell(&threads, seeds.end - seeds.start);
        threads.into_iter().map(|thread| thread.join().expect("a job panicked")).collect()
    });
    let mut sum = Tally::default();
    for tally in tallies {
        sum.add(&tally?);
    }
    if progress.failed.load(Relaxed) {
        return Ok(ExitCode::FAILURE);
    }
    println!(
        "{} scenes from seed {}, no difference: {sum:?}, {:.0} s",
        seeds.end - seeds.start,
        seeds.start,
        progress.start.elapsed().as_secs_f64()
    );
    Ok(ExitCode::SUCCESS)
}

/// How far all jobs are.
struct Progress {
    start: Instant,
    done: AtomicU64,
    failed: AtomicBool,
}

impl Progress {
    /// Tells it now and then, until all jobs are done.
    fn tell<T>(&self, jobs: &[std::thread::ScopedJoinHandle<T>], count: u64) {
        let mut told = Instant::now();
        while !jobs.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(20));
            if told.elapsed() > Duration::from_secs(5) {
                told = Instant::now();
                let done = self.done.load(Relaxed);
                let each = 1e3 * self.start.elapsed().as_secs_f64() / done.max(1) as f64;
                eprintln!("{done} of {count} scenes, {each:.1} ms each, no difference");
            }
        }
    }
}
