//! The project's chores, as `cargo xtask NAME`. Each is a program or a list of programs to run, nothing more: this
//! crate stays small because everybody compiles it first.

mod answers;
mod api;
mod arrows;
mod fuzz;
mod machine;
mod oracle;
mod package;
mod peers;
mod run;
mod soak;
mod source;
mod test;
mod timing;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the impinge project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Prepare this machine, then check format, lints, tests, documentation and the demo.
    ///
    /// Exit 0 when everything passed, 1 when a step failed, 2 when something must be installed first.
    ///
    /// `IMPINGE_NO_GPU=1` in the environment asks for no Vulkan driver and leaves out the tests that need one; without
    /// it they fail where no GPU is found, not even one in software.
    /// `IMPINGE_NO_BROWSER=1` asks for neither Node.js nor Chromium and leaves out the page's steps.
    Test,
    /// Check which modules use which: no circles, and nothing that `xtask/arrows.txt` does not allow.
    ///
    /// Exit 1 when something is used that is not allowed, when something allowed is not used, and on a circle.
    Arrows(arrows::Arguments),
    /// Look for paths of one machine and for modules that are no more, in every file of the repository.
    ///
    /// Exit 1 when there are some.
    Words,
    /// Compare everything public of the libraries with the lists in their `api.txt`.
    ///
    /// Exit 1 when something was added, removed or changed, with the lines that differ.
    Api(api::Arguments),
    /// Compare the narrow phase with exact arithmetic on degenerate triangle pairs.
    ///
    /// Exit 1 on any disagreement, with the pairs printed so that they can be replayed.
    Oracle(oracle::Arguments),
    /// Put random small scenes through the conservative method, on a GPU and on the CPU, against every triangle with every other.
    ///
    /// Exit 1 on any difference, with the seed of the scene so that it can be replayed.
    Soak(soak::Arguments),
    /// Print one hash over what every method answers on every scene of the lab, and where it comes from.
    ///
    /// For a change that must not change an answer: what is printed before it and after it is the same. Exit 1 when the number of
    /// threads makes a difference. `IMPINGE_NO_GPU=1` leaves out the GPU, and prints another hash.
    Answers(answers::Arguments),
    /// Feed mutated files to every reader, under libFuzzer.
    ///
    /// Exit 1 when one panics or takes too much memory, with the file kept.
    Fuzz(fuzz::Arguments),
    /// Time other libraries beside impinge on the lab's scenes, compare their counts, print one table.
    ///
    /// Those that come as Python packages are installed into an environment under `target`.
    Peers(peers::Arguments),
    /// Package the libraries as for publishing, and build each from its package; nothing is sent.
    ///
    /// Exit 1 when one cannot be packaged or built.
    Package,
    /// Time the same scenes at growing size: milliseconds per frame, nanoseconds per triangle.
    Growth(timing::Growth),
    /// Time a strongly deforming scene: the median frame, and the longest.
    Frames(timing::Frames),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().chore {
        Chore::Test => test::run(),
        Chore::Arrows(arguments) => arrows::run(&arguments),
        Chore::Words => words::run(),
        Chore::Api(arguments) => api::run(&arguments),
        Chore::Oracle(arguments) => oracle::run(&arguments),
        Chore::Soak(arguments) => soak::run(&arguments),
        Chore::Answers(arguments) => answers::run(&arguments),
        Chore::Fuzz(arguments) => fuzz::run(&arguments),
        Chore::Peers(arguments) => peers::run(&arguments),
        Chore::Package => package::run(),
        Chore::Growth(arguments) => timing::growth(&arguments),
        Chore::Frames(arguments) => timing::frames(&arguments),
    };
    done.unwrap_or_else(|error| {
        eprintln!("xtask: {error:#}");
        ExitCode::from(2)
    })
}
