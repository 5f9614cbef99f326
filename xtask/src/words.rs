//! `cargo xtask words`: no file of the repository names a folder of somebody's machine, or a module that is no more.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::run;

/// What must not occur, and why.
const WORDS: [(&str, &str); 9] = [
    ("/home/", MACHINE),
    ("/root/", MACHINE),
    ("/tmp/", MACHINE),
    ("/work/", MACHINE),
    ("/Users/", MACHINE),
    ("image_space", OLD),
    ("object_space", OLD),
    ("narrow_phase::", OLD),
    ("narrow_phase/", OLD),
];
const MACHINE: &str = "a path of one machine";
const OLD: &str = "a module that is no more";

/// The only file that may have them all.
const THIS: &str = "xtask/src/words.rs";

pub(crate) fn run() -> Result<ExitCode> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(run::workspace()).output();
    let listed = listed.context("cannot start `git ls-files`")?;
    if !listed.status.success() {
        bail!("`git ls-files` failed: {}", String::from_utf8_lossy(&listed.stderr).trim());
    }
    let names = String::from_utf8(listed.stdout).context("a file's name is not UTF-8")?;
    let mut clean = true;
    for name in names.split_terminator('\0').filter(|name| *name != THIS) {
        // What is deleted but not yet committed, and what is no text, has no words.
        let Ok(text) = std::fs::read_to_string(run::workspace().join(name)) else { continue };
        for (number, word, why) in found(&text) {
            eprintln!("{name}:{number}: `{word}` is {why}");
            clean = false;
        }
    }
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The words in a text that must not be there, with their lines.
fn found(text: &str) -> impl Iterator<Item = (usize, &'static str, &'static str)> {
    let lines = (1..).zip(text.lines());
    lines.flat_map(|(number, line)| {
        let here = WORDS.into_iter().filter(move |(word, _)| line.contains(word));
        here.map(move |(word, why)| (number, word, why))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_with_its_line() {
        let text = "narrow_phase: 3 ms\nsee narrow_phase::is_contact\nin /home/me/impinge\n";
        assert_eq!(found(text).collect::<Vec<_>>(), [(2, "narrow_phase::", OLD), (3, "/home/", MACHINE)]);
    }
}
