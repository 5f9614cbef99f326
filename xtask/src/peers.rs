//! `cargo xtask peers`: an environment for the libraries that come as Python packages, then the head-to-head in the
//! lab. Whatever cannot be installed is a failed cell of the table, not a failed chore.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::{machine, run};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Small scenes and few frames, in about a minute: to see that everything works, not to compare.
    #[arg(long)]
    quick: bool,
    /// Only this scene; may be repeated.
    #[arg(long = "scene")]
    scenes: Vec<String>,
}

/// What the scripts in `peers/` import.
const PACKAGES: [&str; 5] = ["numpy", "coal", "python-fcl", "meshlib", "ipctk"];

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Err(error) = install(&run::workspace().join("target").join("peers").join("venv")) {
        eprintln!("xtask: no Python packages: {error:#}");
    }
    let mut command = run::cargo(&[
        "run",
        "--quiet",
        "--release",
        "--package",
        "impinge-lab",
        "--example",
        "peers",
        "--",
        "all",
    ]);
    if arguments.quick {
        command.arg("--quick");
    }
    for scene in &arguments.scenes {
        command.arg("--scene").arg(scene);
    }
    run::exit_code(&mut command)
}

/// Makes the environment where there is none yet, and installs what it lacks, package by package: one that has no
/// build for this machine must not keep the others out.
fn install(environment: &Path) -> Result<()> {
    let python = environment.join("bin").join("python");
    if !python.is_file() {
        machine::prepare(machine::PEERS)?;
        let mut make = Command::new("python3");
        make.args(["-m", "venv"]).arg(environment);
        if !run::status(&mut make)?.success() {
            bail!("failed: {}", run::line(&make));
        }
    }
    for package in PACKAGES {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]);
        if !run::status(&mut pip)?.success() {
            eprintln!("xtask: {package} could not be installed");
        }
    }
    Ok(())
}
