//! `cargo xtask growth` and `cargo xtask frames`: build the lab in release, and pass the arguments on.

use std::process::ExitCode;

use anyhow::Result;

use crate::run;

#[derive(clap::Args)]
pub(crate) struct Growth {
    /// Triangles of the largest scene; the others have a half, a quarter and an eighth.
    #[arg(long, default_value_t = 8_000_000)]
    max: usize,
    /// 0 for as many as the machine has.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

#[derive(clap::Args)]
pub(crate) struct Frames {
    /// Triangles of both bodies together.
    #[arg(long, default_value_t = 100_000)]
    triangles: usize,
    /// How many frames.
    #[arg(long = "frames", default_value_t = 1000)]
    count: usize,
    /// 0 for as many as the machine has.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Look for collisions of each body with itself, too.
    #[arg(long = "self")]
    with_themselves: bool,
}

pub(crate) fn growth(Growth { max, threads }: &Growth) -> Result<ExitCode> {
    example("growth", &[format!("--max={max}"), format!("--threads={threads}")])
}

pub(crate) fn frames(arguments: &Frames) -> Result<ExitCode> {
    let Frames { triangles, count, threads, with_themselves } = arguments;
    let mut given =
        vec![format!("--triangles={triangles}"), format!("--frames={count}"), format!("--threads={threads}")];
    given.extend(with_themselves.then(|| "--self".to_owned()));
    example("frames", &given)
}

fn example(name: &str, arguments: &[String]) -> Result<ExitCode> {
    let mut command =
        run::cargo(&["run", "--quiet", "--release", "--package", "impinge-lab", "--example", name, "--"]);
    run::exit_code(command.args(arguments))
}
