//! What can go wrong, each as the one line that the user sees after `impinge: `.

use impinge_gpu::GpuError;
use impinge_io::IoError;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file that cannot be read or written; the reader names the file and the place.
    #[error("{}", one_line(&format_args!("{}{}", .0, advice(.0))))]
    File(#[from] IoError),
    /// A scene whose bodies do not fit together or cannot be moved.
    #[error("{name}: {error}")]
    Scene { name: String, error: String },
    #[error(
        "--weld: {scene}: body '{body}' has a track of positions, one for each vertex of its file; leave --weld out"
    )]
    WeldDeforming { scene: String, body: String },
    #[error("--frames {text}: not a range of frames; write 3, 10..20 (20 excluded), 10.. or ..20")]
    FrameSyntax { text: String },
    #[error("--frames: there is no frame {frame}; {}", frames_there_are(*.count))]
    NoSuchFrame { frame: usize, count: usize },
    /// A value that does not say what it should.
    #[error("{option} {text}: write {expected}")]
    Value { option: &'static str, text: String, expected: &'static str },
    /// An option of one method, or of one way to run it, given with another.
    #[error("{option}: {chosen} {why}; use {instead}, or leave {option} out")]
    OtherChoice { option: &'static str, chosen: String, why: &'static str, instead: &'static str },
    /// More triangles than a method can number, or coordinates beyond its floats.
    #[error("{method} cannot take this scene, so there is nothing that it saw; look at what bvh saw")]
    NotSeen { method: &'static str },
    /// What the method cannot tell.
    #[error(transparent)]
    Contacts(#[from] impinge::ContactError),
    #[error(transparent)]
    Interference(#[from] impinge::interference::InterferenceError),
    /// A GPU that is not there or cannot go on.
    #[error("{}{}", one_line(.0), gpu_advice(.0))]
    Gpu(#[from] GpuError),
    #[error("demo: there is no scene '{name}'; {}", suggestion(.name))]
    NoSuchScene { name: String },
    #[error(
        "demo {name}: {bodies} bodies are more than a scene.toml can list; ask for fewer --triangles than {triangles}"
    )]
    TooManyBodies { name: String, bodies: usize, triangles: usize },
    #[error("{name}: neither a file nor a demo scene; {}", suggestion(.name))]
    NoSuchInput { name: String },
    #[error("--html {}: the meshes alone are {megabytes} MB; `impinge view` shows what no file can hold", path.display())]
    TooLargeForAFile { path: PathBuf, megabytes: usize },
    #[error("{address}: cannot be listened on: {error}; choose another --port or --host")]
    Listen { address: String, error: io::Error },
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    pub(crate) fn scene(name: &str, error: impl std::fmt::Display) -> Self {
        Self::Scene { name: name.to_owned(), error: one_line(&error) }
    }

    /// Whether the reader of our output has gone: it has what it wanted, and that is no error.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<serde_json::Error> for Error {
    /// Numbers, strings and lists always have a JSON form: only writing can fail.
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

/// What to do about a file that cannot be read or written, where that is not plain from what is wrong.
fn advice(error: &IoError) -> String {
    match error {
        IoError::Write { path, error } => write_advice(path, error.kind()),
        IoError::System { error, .. } if error.kind() == io::ErrorKind::NotFound => {
            "; check the spelling and the folder".into()
        }
        IoError::System { error, .. } if error.kind() == io::ErrorKind::PermissionDenied => {
            "; it belongs to someone else, or its folder does".into()
        }
        IoError::NotAFile { path } if path.is_dir() && path.join("scene.toml").is_file() => {
            format!("; name the scene in it: {}", path.join("scene.toml").display())
        }
        IoError::NotAFile { path } if path.is_dir() => "; it is a folder: name the files in it".into(),
        _ => String::new(),
    }
}

fn write_advice(path: &Path, kind: io::ErrorKind) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // From the top, so that the first one to be made is named.
    let above: Vec<&Path> = folder.ancestors().filter(|above| !above.as_os_str().is_empty()).collect();
    let missing = above.iter().rev().find(|above| !above.exists());
    match (kind, missing) {
        (io::ErrorKind::NotFound, Some(missing)) => {
            format!("; there is no folder {}: make it, or choose another place", missing.display())
        }
        (io::ErrorKind::PermissionDenied, _) => {
            format!("; there is no permission to write in {}: choose another place", folder.display())
        }
        (io::ErrorKind::ReadOnlyFilesystem, _) => "; this disk is read-only: choose another place".into(),
        (io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded, _) => {
            "; the disk is full: free some room, or choose another place".into()
        }
        (io::ErrorKind::IsADirectory, _) => "; it is a folder: name a file in it".into(),
        (io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists, _) => {
            "; a file is in the way of a folder: choose another place".into()
        }
        _ => "; choose another place".into(),
    }
}

/// What to type, where the library can only say what is wrong.
fn gpu_advice(error: &GpuError) -> &'static str {
    match error {
        GpuError::NoAdapter | GpuError::NoDevice { .. } => {
            "; or use --adapter none, which does the same on the CPU, slowly"
        }
        GpuError::NoSuchAdapter { .. } => {
            "; name one of them with --adapter or IMPINGE_ADAPTER, or use --adapter none, which needs no GPU"
        }
        GpuError::OutOfMemory { .. } | GpuError::TooLarge { .. } | GpuError::TooWide { .. } => {
            " (the resolution is that of --resolution)"
        }
        _ => "",
    }
}

fn frames_there_are(count: usize) -> String {
    match count {
        0 => "the scene has none".into(),
        1 => "the scene stands still and has only frame 0".into(),
        _ => format!("the scene has frames 0 to {} (--frames 0..{count})", count - 1),
    }
}

fn suggestion(name: &str) -> String {
    let names: Vec<&str> = impinge_lab::all().iter().map(|scene| scene.name).chain(["hail"]).collect();
    match names.iter().find(|known| close(known, name)) {
        Some(known) => format!("did you mean '{known}'? (`impinge demo --list` shows all)"),
        None => format!("there are {}", names.join(", ")),
    }
}

/// Whether a name is another one mistyped: one begins the other, or at most two letters differ.
fn close(known: &str, typed: &str) -> bool {
    let typed = typed.to_lowercase();
    if typed.len() >= 3 && (known.starts_with(&typed) || typed.starts_with(known)) {
        return true;
    }
    let typed: Vec<char> = typed.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=typed.len()).collect();
    for (i, a) in known.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, &b) in typed.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[typed.len()] <= 2
}

/// File names and messages of other libraries may hold line breaks; an error is one line.
fn one_line(error: &impl std::fmt::Display) -> String {
    error.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_about_a_file_that_cannot_be_written_fits_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let say = |path: &str, kind: io::ErrorKind| {
            let path = folder.path().join(path);
            Error::from(IoError::Write { path, error: kind.into() }).to_string()
        };
        let missing = say("no/such/out.png", io::ErrorKind::NotFound);
        let named = format!("; there is no folder {}: make it", folder.path().join("no").display());
        assert!(missing.contains("out.png: cannot be written: ") && missing.contains(&named), "{missing}");
        let forbidden = say("out.png", io::ErrorKind::PermissionDenied);
        assert!(
            forbidden.contains(&format!("no permission to write in {}:", folder.path().display())),
            "{forbidden}"
        );
        assert!(say("out.png", io::ErrorKind::ReadOnlyFilesystem).contains("read-only: choose"));
        for full in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
            assert!(say("out.png", full).contains("the disk is full: free some room"));
        }
        assert!(say("", io::ErrorKind::IsADirectory).contains("it is a folder: name a file in it"));
        assert!(say("a/b", io::ErrorKind::NotADirectory).contains("in the way"));
        // Without a folder in the name it is the one that the program was started in.
        assert!(write_advice(Path::new("out.png"), io::ErrorKind::PermissionDenied).contains("write in .:"));
        assert_eq!(write_advice(Path::new("out.png"), io::ErrorKind::Other), "; choose another place");
    }

    #[test]
    fn mistyped_names_are_recognised() {
        assert!(close("creatures", "creature"));
        assert!(close("knots", "konts"));
        assert!(close("nested-shells", "nested"));
        assert!(!close("knots", "boxes"));
        assert!(!close("jets", ""));
    }
}
