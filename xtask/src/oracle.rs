//! `cargo xtask oracle`: builds the lab in release, for its speed, and passes the arguments on.

use std::process::ExitCode;

use anyhow::Result;

use crate::run;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many pairs to decide, spread evenly over the families.
    #[arg(long, default_value_t = 2_000_000)]
    pairs: u64,
    /// Another seed gives other pairs; the same one gives the same pairs on every machine.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this family of pairs; a wrong name lists them all.
    #[arg(long)]
    family: Option<String>,
    /// The exact lanes, on every instruction set of this machine, instead of one pair after the other.
    #[arg(long)]
    lanes: bool,
    /// Instead, so many random placements of closed bodies: do they touch, overlap, contain or equal each other?
    #[arg(long, num_args = 0..=1, default_missing_value = "10000")]
    relations: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut command =
        run::cargo(&["run", "--release", "--package", "impinge-lab", "--example", "oracle", "--"]);
    command.arg(format!("--pairs={}", arguments.pairs)).arg(format!("--seed={}", arguments.seed));
    if let Some(family) = &arguments.family {
        command.arg(format!("--family={family}"));
    }
    if arguments.lanes {
        command.arg("--lanes");
    }
    if let Some(placements) = arguments.relations {
        command.arg(format!("--relations={placements}"));
    }
    run::exit_code(&mut command)
}
