//! `cargo xtask answers`: builds the lab in release, for its speed, and passes the arguments on.

use std::process::ExitCode;

use anyhow::Result;

use crate::run;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only scenes with this in their name.
    #[arg(long)]
    scene: Option<String>,
    /// Part of the name of the GPU; software if none is named.
    #[arg(long)]
    adapter: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut command =
        run::cargo(&["run", "--quiet", "--release", "--package", "impinge-lab", "--", "answers"]);
    command.args(arguments.scene.iter().map(|scene| format!("--scene={scene}")));
    command.args(arguments.adapter.iter().map(|adapter| format!("--adapter={adapter}")));
    run::exit_code(&mut command)
}
