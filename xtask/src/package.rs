//! `cargo xtask package`: the libraries as they would be published, each built from its package alone.

use std::process::ExitCode;

use anyhow::Result;

use crate::run;

pub(crate) fn run() -> Result<ExitCode> {
    // What is `publish = false` is left out. Nothing is sent, so that changes need not be committed.
    let mut command = run::cargo(&["publish", "--workspace", "--dry-run", "--allow-dirty"]);
    // The others build with the library as it is here: cargo unpacks its package once for each version, and would build
    // them with that of the last time.
    command.args(["--config", "patch.crates-io.impinge.path='crates/impinge'"]);
    Ok(if run::status(&mut command)?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
