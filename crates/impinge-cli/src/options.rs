//! What the arguments mean: every default and every combination of flags is decided here and nowhere else, those of
//! the methods in `method_options.rs`.

use crate::args::{BenchArgs, CheckArgs, DemoArgs, OutputArgs, SubjectArgs, ViewArgs};
use crate::error::Error;
use crate::method_options::{Place, question_and_place};
use crate::particle_args::ParticlesArgs;
use crate::picture::Up;
use crate::question::Question;
use crate::source::Source;
use impinge::Query;
use std::ops::Range;
use std::path::PathBuf;

/// Rows of a table, and frames listed, in text output when `--limit` does not say otherwise.
const ROWS: usize = 20;

/// What is looked at, and how.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) question: Question,
    pub(crate) place: Place,
    self_collision: bool,
    weld: bool,
    pub(crate) frames: FrameRange,
    pub(crate) up: Up,
}

impl Subject {
    /// Reads the files.
    pub(crate) fn load(&self) -> Result<Source, Error> {
        let mut source = Source::load(&self.files, self.weld)?;
        if self.self_collision {
            let ids: Vec<_> = source.scene.bodies().map(|(id, _)| id).collect();
            for id in ids {
                let set = source.scene.set_self_collision(id, true);
                set.map_err(|error| Error::scene(&source.name, error))?;
            }
        }
        Ok(source)
    }
}

impl TryFrom<SubjectArgs> for Subject {
    type Error = Error;

    fn try_from(args: SubjectArgs) -> Result<Self, Error> {
        let (mut question, place) =
            question_and_place(&args.method_args, ("--triangles", args.contacts.triangles))?;
        if args.contacts.no_containment && matches!(question, Question::Interference(_)) {
            return Err(Error::OtherChoice {
                option: "--no-containment",
                chosen: "--method ray_cast".into(),
                why: "does not tell bodies inside others from those that only reach into them",
                instead: "another method",
            });
        }
        question.set_containment(!args.contacts.no_containment);
        question.set_relations(!args.contacts.no_containment);
        // Nothing in a mesh says which way is up; STL and scenes come from workshops and simulations, the other
        // formats from where y is.
        let z_up = |file: &PathBuf| {
            file.extension().is_some_and(|e| e.eq_ignore_ascii_case("stl") || e.eq_ignore_ascii_case("toml"))
        };
        Ok(Self {
            up: if args.input.files.iter().all(z_up) { Up::Z } else { Up::Y },
            files: args.input.files,
            question,
            place,
            self_collision: args.input.self_collision,
            weld: args.input.weld,
            frames: args.input.frames.as_deref().map_or(Ok(FrameRange::ALL), FrameRange::parse)?,
        })
    }
}

/// What `check` is to do.
#[derive(Debug)]
pub(crate) struct CheckOptions {
    pub(crate) subject: Subject,
    pub(crate) format: Format,
    pub(crate) png: Option<PathBuf>,
    pub(crate) html: Option<PathBuf>,
    pub(crate) seen: Option<PathBuf>,
}

/// What `view` is to do.
#[derive(Debug)]
pub(crate) struct ViewOptions {
    pub(crate) subject: Subject,
    pub(crate) host: Option<String>,
    /// 0 for any that is free.
    pub(crate) port: u16,
    pub(crate) open: bool,
}

impl TryFrom<ViewArgs> for ViewOptions {
    type Error = Error;

    fn try_from(args: ViewArgs) -> Result<Self, Error> {
        let ViewArgs { subject, port, host, no_open } = args;
        Ok(Self { subject: subject.try_into()?, host, port: port.unwrap_or(0), open: !no_open })
    }
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Tables of at most `rows` rows.
    Text { rows: usize },
    /// One object; at most `limit` contacts listed a frame.
    Json { limit: Option<usize> },
}

impl Format {
    fn new(json: bool, limit: Option<usize>) -> Self {
        if json { Self::Json { limit } } else { Self::Text { rows: limit.unwrap_or(ROWS) } }
    }

    /// Whether the points of contacts are printed: text tells of one frame where bodies touch, JSON lists them.
    pub(crate) fn shows_points(self, frames: usize) -> bool {
        match self {
            Self::Text { .. } => frames == 1,
            Self::Json { limit } => limit != Some(0),
        }
    }
}

impl TryFrom<CheckArgs> for CheckOptions {
    type Error = Error;

    fn try_from(args: CheckArgs) -> Result<Self, Error> {
        let CheckArgs { subject, output: OutputArgs { json, limit, png, html, seen } } = args;
        Ok(Self { subject: subject.try_into()?, format: Format::new(json, limit), png, html, seen })
    }
}

/// What `demo` is to do.
#[derive(Debug)]
pub(crate) struct DemoOptions {
    pub(crate) name: String,
    pub(crate) triangles: usize,
    pub(crate) seed: u64,
    pub(crate) stones: u32,
    pub(crate) out: PathBuf,
}

impl From<DemoArgs> for DemoOptions {
    fn from(args: DemoArgs) -> Self {
        let name = args.name.unwrap_or_else(|| DEMO.to_owned());
        let out = args.out.unwrap_or_else(|| PathBuf::from("impinge-out").join(&name));
        let stones = args.stones.unwrap_or(impinge_lab::hail::HailOptions::default().stones);
        let triangles = demo_triangles(args.triangles, &name);
        Self { triangles, seed: args.seed, stones, out, name }
    }
}

/// The scene of a plain `impinge demo`.
const DEMO: &str = "knots";

/// As many as were asked for, or as show the scene well while one waits.
fn demo_triangles(given: Option<u32>, name: &str) -> usize {
    let usual = || impinge_lab::find(name).map_or(0, |scene| scene.triangles);
    given.map_or_else(usual, |triangles| triangles as usize)
}

/// What `particles` is to do.
#[derive(Debug)]
pub(crate) struct ParticlesOptions {
    pub(crate) file: PathBuf,
    pub(crate) format: Format,
    pub(crate) place: Place,
    pub(crate) threads: usize,
    pub(crate) latency: Option<f64>,
    pub(crate) png: Option<PathBuf>,
    pub(crate) wav: Option<PathBuf>,
}

impl From<ParticlesArgs> for ParticlesOptions {
    fn from(args: ParticlesArgs) -> Self {
        // Doubles on the CPU are what is meant unless somebody asks for a GPU.
        let place = args.adapter.map_or(Place::Cpu, |name| Place::of_gpu_method(Some(name)));
        Self {
            file: args.file,
            format: Format::new(args.json, args.limit),
            place,
            threads: usize::from(args.threads),
            latency: args.latency,
            png: args.png,
            wav: args.wav,
        }
    }
}

/// What `bench` is to do.
#[derive(Debug)]
pub(crate) struct BenchOptions {
    pub(crate) scene: String,
    pub(crate) question: Question,
    pub(crate) place: Place,
    pub(crate) cold: bool,
    pub(crate) json: bool,
    pub(crate) triangles: usize,
    pub(crate) seed: u64,
}

impl TryFrom<BenchArgs> for BenchOptions {
    type Error = Error;

    fn try_from(args: BenchArgs) -> Result<Self, Error> {
        let (mut question, place) = question_and_place(&args.method_args, ("--contacts", args.contacts))?;
        question.set_containment(args.containment);
        question.set_query(if args.boolean { Query::Any } else { Query::All });
        Ok(Self {
            triangles: demo_triangles(args.triangles, &args.scene),
            scene: args.scene,
            question,
            place,
            cold: args.cold,
            json: args.json,
            seed: args.seed,
        })
    }
}

/// The frames asked for: `first..end`, the end excluded; open ends until the scene is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameRange {
    first: usize,
    end: Option<usize>,
}

impl FrameRange {
    pub(crate) const ALL: Self = Self { first: 0, end: None };

    fn parse(text: &str) -> Result<Self, Error> {
        let wrong = || Error::FrameSyntax { text: text.to_owned() };
        let number = |part: &str| part.trim().parse::<usize>().map_err(|_| wrong());
        let range = match text.split_once("..") {
            None => {
                let frame = number(text)?;
                Self { first: frame, end: Some(frame.checked_add(1).ok_or_else(wrong)?) }
            }
            Some((first, end)) => Self {
                first: if first.trim().is_empty() { 0 } else { number(first)? },
                end: if end.trim().is_empty() { None } else { Some(number(end)?) },
            },
        };
        if range.end.is_some_and(|end| end <= range.first) { Err(wrong()) } else { Ok(range) }
    }

    /// The frames of a scene that has `count` of them. Asking for one that is not there is an error: an answer for
    /// fewer frames would look whole.
    pub(crate) fn within(self, count: usize) -> Result<Range<usize>, Error> {
        let end = self.end.unwrap_or(count);
        if self.first < count && end <= count {
            Ok(self.first..end)
        } else {
            Err(Error::NoSuchFrame { frame: if self.first < count { end - 1 } else { self.first }, count })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_half_open_with_either_end_left_out() {
        let range = |text, count| FrameRange::parse(text).unwrap().within(count).unwrap();
        assert_eq!(range("3", 10), 3..4);
        assert_eq!(range("3..5", 10), 3..5);
        assert_eq!(range("3..", 10), 3..10);
        assert_eq!(range("..3", 10), 0..3);
        assert_eq!(range("..", 10), 0..10);
    }

    #[test]
    fn frames_that_are_not_there_are_refused() {
        for (text, count) in [("3", 3), ("0..4", 3), ("7..", 3), ("..", 0)] {
            let error = FrameRange::parse(text).unwrap().within(count).unwrap_err();
            assert!(matches!(error, Error::NoSuchFrame { .. }), "{text}: {error}");
        }
    }

    #[test]
    fn nonsense_is_not_a_range() {
        for text in
            ["", "a", "1..b", "-1", "2..2", "5..2", "1...3", "18446744073709551615", "99999999999999999999"]
        {
            assert!(matches!(FrameRange::parse(text), Err(Error::FrameSyntax { .. })), "{text}");
        }
    }
}
