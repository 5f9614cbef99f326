//! `cargo xtask soak`: builds the lab in release, for its speed, and passes the arguments on.

use std::process::ExitCode;

use anyhow::Result;

use crate::run;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many scenes.
    #[arg(long, default_value_t = 100_000)]
    scenes: u64,
    /// Another seed gives other scenes and pairs; the same one gives the same on every machine.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the scene with this seed.
    #[arg(long)]
    only: Option<u64>,
    /// Part of the name of the GPU.
    #[arg(long)]
    adapter: Option<String>,
    /// Pairs of triangles instead of scenes: what floats claim about them, against exact arithmetic.
    #[arg(long)]
    filter: bool,
    /// How many pairs.
    #[arg(long, default_value_t = 4_000_000)]
    pairs: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let example = if arguments.filter { "filter" } else { "soak" };
    let mut command =
        run::cargo(&["run", "--release", "--package", "impinge-lab", "--example", example, "--"]);
    command.arg(format!("--seed={}", arguments.seed));
    if arguments.filter {
        command.arg(format!("--pairs={}", arguments.pairs));
    } else {
        command.arg(format!("--scenes={}", arguments.scenes));
        command.args(arguments.only.map(|seed| format!("--only={seed}")));
    }
    command.args(arguments.adapter.iter().map(|adapter| format!("--adapter={adapter}")));
    run::exit_code(&mut command)
}
