//! Programs to run: printed as one would type them, run where the workspace is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result};

/// `cargo` with these arguments in the root of the workspace: the same one that started this program.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.args(arguments).current_dir(workspace());
    command
}

/// The root of the workspace: cargo says at run time where this crate is, and it is the folder above.
pub(crate) fn workspace() -> PathBuf {
    let this_crate = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    this_crate.as_deref().and_then(Path::parent).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Runs a program and waits for it; an error when it cannot even be started.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus> {
    let line = line(command);
    command.status().with_context(|| format!("cannot start `{line}`"))
}

/// Runs a program whose exit codes mean what ours do: 0 is good, 1 is a finding, everything else (a build that
/// failed, a signal) is 2, "it did not run".
pub(crate) fn exit_code(command: &mut Command) -> Result<ExitCode> {
    Ok(match status(command)?.code() {
        Some(0) => ExitCode::SUCCESS,
        Some(1) => ExitCode::FAILURE,
        _ => ExitCode::from(2),
    })
}

/// Whether a program can be started and succeeds, its output thrown away.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The command as one would type it, the variables it sets included.
pub(crate) fn line(command: &Command) -> String {
    let set = command.get_envs().filter_map(|(name, value)| {
        Some(format!("{}={}", name.to_string_lossy(), quoted(&value?.to_string_lossy())))
    });
    // A full path to a program is of no use to a reader.
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words =
        std::iter::once(program).chain(command.get_args()).map(|word| quoted(&word.to_string_lossy()));
    set.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains(char::is_whitespace) { format!("'{word}'") } else { word.to_owned() }
}
