//! The `impinge` program: arguments in, commands run, one exit code out. No geometry here.

mod args;
mod backend;
mod bench;
mod check;
mod demo;
mod demo_hail;
mod error;
mod found;
mod info;
mod memory;
mod method_args;
mod method_options;
mod names;
mod option_values;
mod options;
mod outcome;
mod particle_args;
mod particles;
mod picture;
mod printer;
mod progress;
mod question;
mod record;
mod relations;
mod seen;
mod slice_options;
mod source;
mod view;

use crate::args::{Args, CheckArgs, Command};
use crate::error::Error;
use crate::options::{BenchOptions, CheckOptions, DemoOptions, ParticlesOptions, ViewOptions};
use crate::outcome::Outcome;
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = run(Args::parse());
    if let Err(error) = &result
        && !error.is_closed_pipe()
    {
        // Nothing is left to be done if this line cannot be written either.
        let _ = writeln!(std::io::stderr(), "impinge: {error}");
    }
    ExitCode::from(match result {
        Ok(Outcome::Clear) => 0,
        Ok(Outcome::Collides) => 1,
        Err(error) if error.is_closed_pipe() => 0,
        Err(_) => 2,
    })
}

fn run(args: Args) -> Result<Outcome, Error> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let outcome = match args.command {
        Command::Check(args) => check::run(&CheckOptions::try_from(args)?, &mut out),
        Command::Interference(args) => check::run(&CheckOptions::try_from(CheckArgs::from(args))?, &mut out),
        Command::Overlap(args) => check::run(&CheckOptions::try_from(CheckArgs::from(args))?, &mut out),
        Command::View(args) => view::run(ViewOptions::try_from(args)?, &mut out),
        Command::Demo(args) if args.list => demo::list(&mut out),
        Command::Demo(args) => demo::run(&DemoOptions::from(args), &mut out),
        Command::Particles(args) => particles::run(&ParticlesOptions::from(args), &mut out),
        Command::Bench(args) => bench::run(&BenchOptions::try_from(args)?, &mut out),
        Command::Info => info::run(&mut out),
    }?;
    match out.flush() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::Output(error)),
        _ => Ok(outcome),
    }
}
