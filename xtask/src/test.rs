//! `cargo xtask test`: everything that must hold before a change is good, in the order of how fast it fails.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::{machine, run};

/// Two sets of artifacts are built, no more: what the linter and the documentation read, and the test profile, both with
/// the optional features of the library, which are then tested too; that it does without them, the linter alone sees.
/// Release is left to those who need its speed.
fn steps() -> Vec<(&'static str, Command)> {
    let mut documentation = run::cargo(&["doc", "--workspace", "--no-deps", "--all-features"]);
    documentation.env("RUSTDOCFLAGS", "-Dwarnings");
    vec![
        ("format", run::cargo(&["fmt", "--all", "--check"])),
        ("words", chore("words")),
        ("arrows", chore("arrows")),
        ("api", chore("api")),
        (
            "lints",
            run::cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-Dwarnings"]),
        ),
        ("no features", run::cargo(&["clippy", "--package", "impinge", "--", "-Dwarnings"])),
        ("tests", run::cargo(&["test", "--workspace", "--all-features", "--no-fail-fast"])),
        ("documentation", documentation),
    ]
}

/// Another chore, by this program.
fn chore(name: &str) -> Command {
    let mut command = std::env::current_exe().map_or_else(|_| run::cargo(&["xtask"]), Command::new);
    command.arg(name);
    command
}

/// Runs every step until one fails.
pub(crate) fn run() -> Result<ExitCode> {
    let mut times: Vec<(&str, Duration)> = Vec::new();
    let start = Instant::now();
    machine::prepare(machine::TESTS)?;
    times.push(("machine", start.elapsed()));
    for (name, mut command) in steps() {
        if !step(name, &mut command, &mut times)? {
            return Ok(ExitCode::FAILURE);
        }
    }
    let scratch = Scratch::new()?;
    if !step("demo", &mut demo(&scratch), &mut times)? {
        return Ok(ExitCode::FAILURE);
    }

    let page = if machine::without_browser() { Vec::new() } else { viewer() };
    for (name, mut command) in page {
        if !step(name, &mut command, &mut times)? {
            return Ok(ExitCode::FAILURE);
        }
    }

    println!();
    for (name, time) in times {
        println!("{name:<15} {:>7.1} s", time.as_secs_f64());
    }
    let passed = match (machine::without_gpu(), machine::without_browser()) {
        (false, false) => "everything passed",
        (true, false) => "all but the tests of the GPU passed",
        (false, true) => "all but the tests of the page passed",
        (true, true) => "all but the tests of the GPU and of the page passed",
    };
    println!("{:<15} {:>7.1} s, {passed}", "total", start.elapsed().as_secs_f64());
    Ok(ExitCode::SUCCESS)
}

/// The page: what it is built from, whether the committed one is what that builds, and whether it does what it should in a
/// browser, shown by the program that the tests have just built.
fn viewer() -> Vec<(&'static str, Command)> {
    let npm = |arguments: &[&str]| {
        let mut command = Command::new("npm");
        command.args(arguments).current_dir(run::workspace().join("viewer"));
        command
    };
    let mut browser = npm(&["run", "--silent", "e2e"]);
    if let Some(program) = built() {
        browser.env("IMPINGE", program);
    }
    vec![
        ("page packages", npm(&["ci", "--no-audit", "--no-fund"])),
        ("page build", npm(&["run", "--silent", "verify"])),
        ("page in browser", browser),
    ]
}

/// The program that the tests have built next to this one.
fn built() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?.with_file_name("impinge");
    program.is_file().then_some(program)
}

/// Runs one step with its output shown; whether it passed.
fn step(name: &'static str, command: &mut Command, times: &mut Vec<(&str, Duration)>) -> Result<bool> {
    let line = run::line(command);
    println!("== {name}: {line}");
    let start = Instant::now();
    let status = run::status(command)?;
    let time = start.elapsed();
    times.push((name, time));
    if status.success() {
        println!("== {name}: passed in {:.1} s", time.as_secs_f64());
    } else {
        println!("== {name}: FAILED after {:.1} s with {status}: {line}", time.as_secs_f64());
    }
    Ok(status.success())
}

/// The README's first command, with the program that the tests have just built next to this one. Building it
/// again in release would take longer than all the rest.
fn demo(scratch: &Scratch) -> Command {
    let mut command = if let Some(program) = built() {
        Command::new(program)
    } else {
        let mut command = run::cargo(&["run", "--quiet", "--package", "impinge-cli", "--manifest-path"]);
        command.arg(run::workspace().join("Cargo.toml")).arg("--");
        command
    };
    command.arg("demo");
    command.current_dir(&scratch.0);
    command
}

/// A folder that is gone afterwards, so that what the demo writes is too.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("impinge-xtask-{}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leaving a few files in the system's temporary folder is not worth failing for.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
