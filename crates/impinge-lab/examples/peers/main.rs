//! The head-to-head that `cargo xtask peers` runs: scenes of the lab as files, every library on each of them in a
//! process of its own, counts compared frame by frame with ours, one table.

#[path = "../common/mod.rs"]
mod common;
mod flush;
mod parry;
mod run;
mod scenes;
mod table;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use impinge::{Options, Query};
use run::Measured;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Libraries that find intersecting triangles, side by side.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everybody on every scene, and the table.
    All(All),
    /// One library of this program on one scene; prints one line of JSON.
    One { library: String, scene: PathBuf, threads: usize, seconds: f64 },
}

#[derive(clap::Args)]
struct All {
    /// Small scenes and few frames: to see that everything works, not to compare.
    #[arg(long)]
    quick: bool,
    /// Only these scenes.
    #[arg(long = "scene")]
    scenes: Vec<String>,
    /// Where scenes and results are written; an environment `venv` with the Python packages is expected there.
    #[arg(long, default_value = "target/peers")]
    folder: PathBuf,
    /// The folder of `run.py`.
    #[arg(long, default_value = "peers")]
    scripts: PathBuf,
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::All(all) => run_all(&all),
        Command::One { library, scene, threads, seconds } => {
            let measured = one(&library, &scene, threads, Duration::try_from_secs_f64(seconds)?)?;
            println!("{}", serde_json::to_string(&measured)?);
            Ok(())
        }
    }
}

fn run_all(all: &All) -> Result<()> {
    let mut rows = Vec::new();
    for plan in scenes::plans(all.quick) {
        if !all.scenes.is_empty() && !all.scenes.iter().any(|name| name == plan.name) {
            continue;
        }
        eprintln!("{}: writing", plan.name);
        let scene = plan.write(&all.folder)?;
        let limit = Duration::from_secs(if all.quick { 5 } else { 20 });
        for threads in [1, 2] {
            let cells = run::PEERS.iter().map(|peer| {
                let result = run::run(peer, &scene, threads, limit, all);
                eprintln!("{}, {}, {}: {result}", plan.name, peer.name, run::threads(threads));
                result
            });
            rows.push(table::Row { scene: scene.clone(), threads, cells: cells.collect() });
        }
    }
    table::print(&rows);
    Ok(())
}

fn one(library: &str, path: &Path, threads: usize, limit: Duration) -> Result<Measured> {
    let scene = impinge_io::load_scene_file(path)?;
    let ours = |query| {
        // Nobody else looks for bodies inside others.
        let options = Options { threads, query, containment: false, ..Options::default() };
        let times = common::time(&scene, options, limit)?;
        let version = env!("CARGO_PKG_VERSION").into();
        Ok(Measured { version, first: times.first, ms: times.ms, pairs: times.pairs })
    };
    match library {
        "impinge" => ours(Query::All),
        "impinge-any" => ours(Query::Any),
        "parry3d" => parry::time(&scene, parry::Test::Own, threads, limit),
        "parry3d-exact" => parry::time(&scene, parry::Test::Exact, threads, limit),
        _ => bail!("no library '{library}' in this program"),
    }
}
