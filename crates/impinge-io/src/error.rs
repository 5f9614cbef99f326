//! What is wrong with a file, and where in it: one line, whatever the file holds.

use impinge::{MeshError, PoseError, SceneError};
use std::fmt;
use std::path::PathBuf;

/// Where in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A line of text, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
    /// An element by kind and number, counted from 0, as the format itself counts ("face 3").
    Element(&'static str, usize),
    /// An element of an element ("mesh 0, primitive 2").
    Nested(&'static str, usize, &'static str, usize),
    /// The file as a whole.
    File,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Element(kind, index) => write!(f, "{kind} {index}"),
            Self::Nested(outer, i, inner, j) => write!(f, "{outer} {i}, {inner} {j}"),
            Self::File => write!(f, "whole file"),
        }
    }
}

/// What is wrong there.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file ends too early.
    #[error("the file ends inside {inside}")]
    Truncated {
        /// What was being read.
        inside: &'static str,
    },
    /// A claimed count needs more bytes than there are.
    #[error("claims {claimed} {what}, but the file has room for at most {room}")]
    Count {
        /// What is counted.
        what: &'static str,
        /// The count in the file.
        claimed: u64,
        /// How many the rest of the file can hold.
        room: u64,
    },
    /// Something else was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the format asks for.
        expected: &'static str,
        /// What is there, shortened and with control characters escaped.
        found: String,
    },
    /// A coordinate is infinite or not a number.
    #[error("coordinate {} is {value}; coordinates must be finite", ["x", "y", "z"][*axis % 3])]
    NotFinite {
        /// 0, 1, 2 for x, y, z.
        axis: usize,
        /// The coordinate.
        value: f64,
    },
    /// An index that names nothing.
    #[error("refers to {what} {index}, but there are {count}")]
    Index {
        /// What the index counts.
        what: &'static str,
        /// The index as the file has it.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// A polygon with fewer than three corners.
    #[error("a face has {corners} corners; at least 3 are needed")]
    Corners {
        /// How many it has.
        corners: usize,
    },
    /// A polygon that cannot be triangulated in reasonable time.
    #[error("a face with {corners} corners is not convex; at most {limit} are triangulated, split it first")]
    LargePolygon {
        /// How many it has.
        corners: usize,
        /// How many it may have.
        limit: usize,
    },
    /// Nothing to collide with.
    #[error("no triangles{}", hint.as_deref().unwrap_or(""))]
    NoTriangles {
        /// What may explain it.
        hint: Option<String>,
    },
    /// A feature of the format that this reader does not have.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// Anything else, in words.
    #[error("{0}")]
    Malformed(String),
    /// The mesh is not valid.
    #[error("{0}")]
    Mesh(#[from] MeshError),
    /// A pose is not valid.
    #[error("{0}")]
    Pose(#[from] PoseError),
}

impl Problem {
    pub(crate) fn at(self, place: Place) -> ReadError {
        ReadError { place, problem: self }
    }

    pub(crate) fn expected(expected: &'static str, found: &[u8]) -> Self {
        Self::Expected { expected, found: shown(found) }
    }
}

/// What is wrong with the bytes of a file, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ReadError {
    /// Where.
    pub place: Place,
    /// What.
    pub problem: Problem,
}

/// What is wrong with a file or a scene.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IoError {
    /// The operating system does not let it be read.
    #[error("{}: cannot be read: {error}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// The operating system does not let it be written. What was there before is whole.
    #[error("{}: cannot be written: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// A folder, a device, a pipe.
    #[error("{}: is not a file", path.display())]
    NotAFile {
        /// What was given.
        path: PathBuf,
    },
    /// Larger than this program reads.
    #[error("{}: has {bytes} bytes; at most {limit} are read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// Neither the extension nor the content is of a known format.
    #[error("{}: unknown format; OBJ, STL, PLY, OFF, glTF and GLB are known", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The content of a file is wrong.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        #[source]
        error: Box<ReadError>,
    },
    /// The bodies of a scene and their tracks do not fit together.
    #[error("{}: {error}", path.display())]
    Tracks {
        /// The scene file.
        path: PathBuf,
        /// What does not fit.
        #[source]
        error: TrackError,
    },
    /// A scene of particles that cannot be.
    #[error("{}: {error}", path.display())]
    Particles {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the name of the collider or the number of the particle.
        #[source]
        error: Box<ParticlesError>,
    },
    /// Nothing was asked for, or a scene was mixed with other files.
    #[error("{0}")]
    Request(String),
}

/// Why bodies and tracks do not make a scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrackError {
    /// There is nothing in the scene.
    #[error("a scene needs at least one body")]
    NoBodies,
    /// A track of no frames.
    #[error("body '{body}': a track has no frames")]
    NoFrames {
        /// Name of the body.
        body: String,
    },
    /// A track of positions is of another mesh.
    #[error("body '{body}': its positions are of {given} vertices, but its mesh has {expected}")]
    Vertices {
        /// Name of the body.
        body: String,
        /// How many the track has in every frame.
        given: usize,
        /// How many the mesh has.
        expected: usize,
    },
    /// Two tracks have different lengths.
    #[error(
        "body '{a}' has {a_frames} frames and body '{b}' has {b_frames}; tracks are equally long, or of one frame"
    )]
    Frames {
        /// One body.
        a: String,
        /// Frames of its track.
        a_frames: usize,
        /// Another, or the same with another track.
        b: String,
        /// Frames of its track.
        b_frames: usize,
    },
}

/// Why a frame cannot be applied to a scene.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The frame does not exist.
    #[error("there is no frame {frame}; frames are 0 to {}", frames - 1)]
    NoSuchFrame {
        /// The frame asked for.
        frame: usize,
        /// How many there are, at least one.
        frames: usize,
    },
    /// The ids are not those of this file's bodies.
    #[error("{given} body ids given for {expected} bodies")]
    WrongBodies {
        /// How many were given.
        given: usize,
        /// How many bodies the file has.
        expected: usize,
    },
    /// The scene refuses.
    #[error("frame {frame}: {error}")]
    Scene {
        /// The frame.
        frame: usize,
        /// Why.
        #[source]
        error: SceneError,
    },
}

/// Longest excerpt of a file in a message.
const EXCERPT_CHARS: usize = 40;

/// A piece of a file as part of a one-line message: quoted, shortened, control characters escaped.
pub(crate) fn shown(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "nothing".into();
    }
    // A character of UTF-8 has at most four bytes.
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * EXCERPT_CHARS)]);
    let mut text: String = head.chars().take(EXCERPT_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().count() > EXCERPT_CHARS || head.len() < bytes.len() {
        text = text.chars().take(EXCERPT_CHARS).collect();
        text.push_str("...");
    }
    format!("'{text}'")
}

/// A name from a file as it may appear in messages and lists: one line, no control characters.
pub(crate) fn clean_name(bytes: &[u8]) -> String {
    const NAME_CHARS: usize = 100;
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * NAME_CHARS)]);
    head.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(NAME_CHARS)
        .collect::<String>()
        .trim()
        .into()
}

/// Why a description is no scene of particles.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParticlesError {
    /// The library refuses a particle or a collider, and names it.
    #[error("{}{error}", whose.as_deref().unwrap_or_default())]
    Particle {
        /// The emitter that it is of, with a colon.
        whose: Option<String>,
        /// What is wrong.
        error: impinge::particles::ParticleError,
    },
    /// Words of a collider that do not fit together.
    #[error("collider '{name}': {what}")]
    Collider {
        /// Its name.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Words(String),
    /// A mesh that cannot be read.
    #[error(transparent)]
    Mesh(Box<IoError>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(shown(b"abc"), "'abc'");
        assert_eq!(shown(b"a\nb\x1b[0m"), "'a\\nb\\u{1b}[0m'");
        assert!(shown(&[0xff; 10_000]).chars().count() < 50);
        assert!(shown(&[b'\n'; 10_000]).chars().count() < 50);
        assert_eq!(shown(b""), "nothing");
    }

    #[test]
    fn a_name_has_no_line_breaks() {
        assert_eq!(clean_name(b" left\twing\x07 \r"), "left wing");
    }
}
