//! The papers' tables, run again: what a paper printed, and what is measured here; and what every method answers, as a few numbers.

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use impinge_gpu::Context;
use impinge_lab::answers::answers;
use impinge_lab::tables;

/// The papers' tables, run again; and one hash over all answers.
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
        /// Triangles of each scene of the lab, for `a-buffer`, `conservative` and `sampling`
        #[arg(long, default_value_t = 12_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
        triangles: u32,
        /// Only scenes with this in their name, for `conservative`
        #[arg(long, default_value = "")]
        scene: String,
        /// Which GPU: a part of its name, `cpu` for software, `gpu` for anything else [default: the best there is]
        #[arg(long)]
        adapter: Option<String>,
    },
    /// Print one hash over what every method answers on every scene of the lab, and where it comes from
    ///
    /// Two states of the library that print the same give the same answers. `IMPINGE_NO_GPU` in the environment leaves out the GPU.
    Answers {
        /// Only scenes with this in their name
        #[arg(long, default_value = "")]
        scene: String,
        /// Which GPU, as for `table`; sampled methods find something else on another
        #[arg(long, default_value = "cpu")]
        adapter: String,
    },
}

fn main() -> Result<()> {
    let (name, resolution, triangles, scene, adapter) = match Arguments::parse().command {
        Command::Table { name, resolution, triangles, scene, adapter } => {
            (name, resolution, triangles, scene, adapter)
        }
        Command::Answers { scene, adapter } => return print_answers(&adapter, &scene),
    };
    let Some(name) = name else {
        println!("a-buffer      Jang, Han 2008: keeping everything that rays meet against peeling it");
        println!(
            "conservative  every scene: the complete method on the GPU against a plain render, and the CPU"
        );
        println!("dinerstein-1  Dinerstein, Egbert 2002, table 1: how often depth slices are wrong");
        println!("dinerstein-4  Dinerstein, Egbert 2002, figures 4 and 5: how long depth slices take");
        println!(
            "far           CULLIDE and FAR in the SIGGRAPH course: pairs left after culling, and what is missed"
        );
        println!("georgii-1     Georgii, Krüger, Westermann 2007, table 1: collision rays on the GPU");
        println!("knott         Knott 2003, figures 4.15 and 4.16, tables 4.1 and 4.2: rays cast at edges");
        println!(
            "particles     particles against colliders in a step: the library against a plain loop, and growth"
        );
        println!("sampling      every scene of the lab: what collision rays find, and what sampling costs");
        return Ok(());
    };
    let context = || match &adapter {
        Some(name) => Context::on(Some(name)),
        None => Context::new(),
    };
    let out = &mut std::io::stdout().lock();
    match name.as_str() {
        "a-buffer" => tables::a_buffer(&context()?, resolution, triangles as usize, out),
        "conservative" => tables::conservative(&context()?, triangles as usize, &scene, out),
        "dinerstein-1" => tables::dinerstein_1(&context()?, out),
        "dinerstein-4" => tables::dinerstein_4(&context()?, out),
        "far" => tables::far(&context()?, resolution, out),
        "georgii-1" => tables::georgii_1(&context()?, resolution, out),
        "knott" => tables::knott(&context()?, out),
        "particles" => tables::particles(out),
        "sampling" => tables::sampling(&context()?, resolution, triangles as usize, out),
        other => bail!(
            "there is no table '{other}'; there are a-buffer, conservative, dinerstein-1, dinerstein-4, far, georgii-1, knott, \
             particles and sampling"
        ),
    }
}

fn print_answers(adapter: &str, scene: &str) -> Result<()> {
    let without = std::env::var_os("IMPINGE_NO_GPU").is_some_and(|value| !value.is_empty());
    if without {
        println!("No GPU: IMPINGE_NO_GPU is set.");
    }
    answers(Some(adapter).filter(|_| !without), scene, &mut std::io::stdout().lock())
}
