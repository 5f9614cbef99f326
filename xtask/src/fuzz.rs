//! `cargo xtask fuzz`: runs libFuzzer on the file readers for some minutes, in `fuzz/`, a workspace of its own.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::{machine, run};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How long to go on.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    minutes: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    machine::prepare(machine::FUZZER)?;
    // What the fuzzer learned is kept for the next run; an input that breaks a reader is left beside it.
    let findings = run::workspace().join("target").join("fuzz");
    let [corpus, broken] = ["corpus", "broken"].map(|folder| findings.join(folder));
    for folder in [&corpus, &broken] {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let mut command = run::cargo(&["run", "--release", "--"]);
    // Cargo takes the compiler's flags for coverage from the folder that it is started in.
    command.current_dir(run::workspace().join("fuzz")).arg(&corpus);
    command.arg(format!("-max_total_time={}", u64::from(arguments.minutes) * 60));
    command.arg(format!("-artifact_prefix={}/", broken.display()));
    Ok(match run::status(&mut command)?.code() {
        Some(0) => ExitCode::SUCCESS,
        // Cargo's own code when nothing could be built; every other one is the fuzzer's for a finding.
        Some(101) => ExitCode::from(2),
        _ => {
            eprintln!(
                "xtask: the input is in {}; run it again with this as the only argument",
                broken.display()
            );
            ExitCode::FAILURE
        }
    })
}
