//! One library on one scene, in a process of its own and with a time limit: what it measured, or why it did not.

use crate::All;
use crate::scenes::Written;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a run prints, here and in `run.py`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) version: String,
    /// Milliseconds of the first frame, with everything that is built for it.
    pub(crate) first: f64,
    /// Per frame after that one.
    pub(crate) ms: Vec<f64>,
    /// Intersecting triangle pairs per frame; 1 or 0 of a library that only says whether there are any.
    pub(crate) pairs: Vec<usize>,
}

/// Why there is no number.
pub(crate) enum Outcome {
    Measured(Measured),
    /// The library cannot do it at all.
    Cannot(&'static str),
    Failed(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Measured(measured) => write!(f, "{:.3} ms", crate::common::median(&measured.ms)),
            Self::Cannot(why) => f.write_str(why),
            Self::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}

/// A library and the way it is asked.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    /// What the program or the script calls it.
    key: &'static str,
    script: bool,
    threads: usize,
    self_collision: bool,
    /// Asked whether there is any pair, not for all of them.
    pub(crate) yes_or_no: bool,
    pub(crate) note: &'static str,
}

const fn ours(name: &'static str, key: &'static str, note: &'static str) -> Peer {
    Peer { name, key, script: false, threads: 2, self_collision: true, yes_or_no: false, note }
}

const fn script(name: &'static str, threads: usize, self_collision: bool, note: &'static str) -> Peer {
    Peer { name, key: name, script: true, threads, self_collision, yes_or_no: false, note }
}

/// The first is what all others are compared with, and [`ANY`] those that say yes or no.
pub(crate) const PEERS: &[Peer] = &[
    ours("impinge", "impinge", "contacts only, like the others"),
    ours("parry3d", "parry3d", "its tree, refitted, and its own triangle test; neighbours are not tested"),
    ours("parry3d's tree + our test", "parry3d-exact", "a combination that no library ships"),
    script("MeshLib", 2, true, "tree refitted"),
    script("coal", 1, false, "oriented boxes, refitted"),
    script("python-fcl", 1, false, "oriented boxes, built again where a body deforms"),
    Peer { yes_or_no: true, ..ours("impinge, yes or no", "impinge-any", "stops at the first contact") },
    Peer { yes_or_no: true, ..script("ipctk", 2, true, "yes or no only, every body looks at itself") },
];
/// Place of `impinge, yes or no`.
pub(crate) const ANY: usize = 6;

pub(crate) fn threads(count: usize) -> String {
    format!("{count} thread{}", if count == 1 { "" } else { "s" })
}

pub(crate) fn run(peer: &Peer, scene: &Written, threads: usize, limit: Duration, all: &All) -> Outcome {
    if threads > peer.threads {
        return Outcome::Cannot("one thread only");
    }
    if scene.self_collision && !peer.self_collision {
        return Outcome::Cannot("no self-collision");
    }
    let mut command = if peer.script {
        // Without the environment there is no such program, and that is what the table will say.
        let mut command = Command::new(all.folder.join("venv").join("bin").join("python"));
        command.arg(all.scripts.join("run.py")).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    } else {
        match std::env::current_exe() {
            Ok(this) => {
                let mut command = Command::new(this);
                command.arg("one");
                command
            }
            Err(error) => return Outcome::Failed(error.to_string()),
        }
    };
    command.arg(peer.key).arg(&scene.file).arg(threads.to_string()).arg(limit.as_secs_f64().to_string());
    // Reading the scene and the first frame come on top, and one frame may have been started just before the end.
    match finish(&mut command, scene, 3 * limit + Duration::from_secs(60)) {
        Ok(measured) if measured.ms.is_empty() || measured.ms.len() != measured.pairs.len() => {
            Outcome::Failed("measured nothing".into())
        }
        Ok(measured) => Outcome::Measured(measured),
        Err(why) => Outcome::Failed(why),
    }
}

/// Runs a program that prints [`Measured`]; output goes through files, so that no pipe can fill up.
fn finish(command: &mut Command, scene: &Written, limit: Duration) -> Result<Measured, String> {
    let [output, errors] = ["output.json", "errors.txt"].map(|name| scene.file.with_file_name(name));
    let [to, to_errors] =
        [&output, &errors].map(|path| File::create(path).map_err(|error| error.to_string()));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(to?)
        .stderr(to_errors?)
        .spawn()
        .map_err(|error| format!("not installed: {error}"))?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > limit => {
                // It may have ended by itself in this moment; either way it is gone then.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("took more than {} s", limit.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    if !status.success() {
        let errors = read(&errors);
        let last = errors.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("no message");
        return Err(format!("{status}: {last}"));
    }
    serde_json::from_str(&read(&output)).map_err(|error| format!("its output is not understood: {error}"))
}
