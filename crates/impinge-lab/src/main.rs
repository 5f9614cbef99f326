//! The papers' tables, run again: what a paper printed, and what is measured here.

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use impinge_gpu::Context;
use impinge_lab::tables;

/// The papers' tables, run again.
#[derive(Parser)]
#[command(name = "impinge-lab")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a table of a paper again: what it printed, and what is measured here
    ///
    /// Without a name, the tables there are.
    Table {
        /// Which one
        name: Option<String>,
        /// Rays across and down
        #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(8..=16_384))]
        resolution: u32,
        /// Which GPU: a part of its name, `cpu` for software, `gpu` for anything else [default: the best there is]
        #[arg(long)]
        adapter: Option<String>,
    },
}

fn main() -> Result<()> {
    let Command::Table { name, resolution, adapter } = Arguments::parse().command;
    match name.as_deref() {
        None => {
            println!("georgii-1   Georgii, Krüger, Westermann 2007, table 1: collision rays on the GPU");
            Ok(())
        }
        Some("georgii-1") => {
            let context = match adapter {
                Some(name) => Context::on(Some(&name))?,
                None => Context::new()?,
            };
            tables::georgii_1(&context, resolution, &mut std::io::stdout().lock())
        }
        Some(other) => bail!("there is no table '{other}'; there is georgii-1"),
    }
}
