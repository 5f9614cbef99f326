//! What the arguments mean: every default and every combination of flags is decided here and nowhere else.

use crate::args::{AtLimitArg, BenchArgs, CheckArgs, DemoArgs, DepthPeelArgs, MachineryArgs, MethodArg};
use crate::error::Error;
use crate::names;
use crate::picture::Up;
use impinge::image_space::{AtLimit, Direction, PeelOptions};
use impinge::{Method, Options, Point, Query};
use std::ops::Range;
use std::path::PathBuf;

/// Rows of a table, and frames listed, in text output when `--limit` does not say otherwise.
const ROWS: usize = 20;

/// What `check` is to do.
#[derive(Debug)]
pub(crate) struct CheckOptions {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) collider: Options,
    pub(crate) place: Place,
    pub(crate) self_collision: bool,
    pub(crate) weld: bool,
    pub(crate) frames: FrameRange,
    pub(crate) format: Format,
    pub(crate) png: Option<PathBuf>,
    pub(crate) up: Up,
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
        let (mut collider, place) = machinery(&args.machinery)?;
        collider.containment = !args.no_containment;
        let format = if args.json {
            Format::Json { limit: args.limit }
        } else {
            Format::Text { rows: args.limit.unwrap_or(ROWS) }
        };
        // Nothing in a mesh says which way is up; STL and scenes come from workshops and simulations, the other
        // formats from where y is.
        let z_up = |file: &PathBuf| {
            file.extension().is_some_and(|e| e.eq_ignore_ascii_case("stl") || e.eq_ignore_ascii_case("toml"))
        };
        Ok(Self {
            up: if args.files.iter().all(z_up) { Up::Z } else { Up::Y },
            files: args.files,
            collider,
            place,
            self_collision: args.self_collision,
            weld: args.weld,
            frames: args.frames.as_deref().map_or(Ok(FrameRange::ALL), FrameRange::parse)?,
            format,
            png: args.png,
        })
    }
}

/// What `demo` is to do.
#[derive(Debug)]
pub(crate) struct DemoOptions {
    pub(crate) name: String,
    pub(crate) triangles: usize,
    pub(crate) seed: u64,
    pub(crate) out: PathBuf,
}

impl From<DemoArgs> for DemoOptions {
    fn from(args: DemoArgs) -> Self {
        let name = args.name.unwrap_or_else(|| DEMO.to_owned());
        let out = args.out.unwrap_or_else(|| PathBuf::from("impinge-out").join(&name));
        Self { triangles: demo_triangles(args.triangles), seed: args.seed, out, name }
    }
}

/// The scene of a plain `impinge demo`.
const DEMO: &str = "knots";

/// Enough to look smooth in a picture, few enough to be checked while one waits.
fn demo_triangles(given: Option<u32>) -> usize {
    given.unwrap_or(60_000) as usize
}

/// What `bench` is to do.
#[derive(Debug)]
pub(crate) struct BenchOptions {
    pub(crate) scene: String,
    pub(crate) collider: Options,
    pub(crate) place: Place,
    pub(crate) cold: bool,
    pub(crate) json: bool,
    pub(crate) triangles: usize,
    pub(crate) seed: u64,
}

impl TryFrom<BenchArgs> for BenchOptions {
    type Error = Error;

    fn try_from(args: BenchArgs) -> Result<Self, Error> {
        let (mut collider, place) = machinery(&args.machinery)?;
        collider.containment = args.containment;
        collider.query = if args.boolean { Query::Any } else { Query::All };
        Ok(Self {
            scene: args.scene,
            collider,
            place,
            cold: args.cold,
            json: args.json,
            triangles: demo_triangles(args.triangles),
            seed: args.seed,
        })
    }
}

/// Where a method runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Cpu,
    /// On the adapter of that name, or on the best there is.
    Gpu(Option<String>),
}

impl Place {
    /// Of a method that runs on a GPU. A variable speaks where the command line does not.
    pub(crate) fn of_gpu_method(typed: Option<String>) -> Self {
        let variable =
            || std::env::var(impinge_gpu::ADAPTER_VARIABLE).ok().filter(|name| !name.trim().is_empty());
        match typed.or_else(variable) {
            Some(name) if name.trim().eq_ignore_ascii_case("none") => Self::Cpu,
            name => Self::Gpu(name),
        }
    }
}

fn machinery(args: &MachineryArgs) -> Result<(Options, Place), Error> {
    let method = match args.method {
        MethodArg::Auto => Method::Auto,
        MethodArg::Bvh => Method::Bvh,
        MethodArg::BruteForce => Method::BruteForce,
        MethodArg::DepthPeel => Method::DepthPeel,
    };
    let options = Options { method, threads: usize::from(args.threads), ..Options::default() };
    if method == Method::DepthPeel {
        let peel = peel(&args.depth_peel)?;
        return Ok((Options { peel, ..options }, Place::of_gpu_method(args.depth_peel.adapter.clone())));
    }
    let DepthPeelArgs { adapter, resolution, views, passes, at_limit, open_threshold } = &args.depth_peel;
    let rays = "has no rays";
    let given = [
        ("--adapter", adapter.is_some(), "does not run on a GPU"),
        ("--resolution", resolution.is_some(), rays),
        ("--views", views.is_some(), rays),
        ("--passes", passes.is_some(), rays),
        ("--at-limit", at_limit.is_some(), rays),
        ("--open-threshold", open_threshold.is_some(), rays),
    ];
    match given.into_iter().find(|(_, given, _)| *given) {
        Some((option, _, why)) => Err(Error::OtherMethod { option, method: names::method(method), why }),
        None => Ok((options, Place::Cpu)),
    }
}

fn peel(args: &DepthPeelArgs) -> Result<PeelOptions, Error> {
    let default = PeelOptions::default();
    let wrong = |option, text: &str, expected| Error::Value { option, text: text.to_owned(), expected };
    let resolution = |text: &str| {
        parse_resolution(text)
            .ok_or_else(|| wrong("--resolution", text, "1024 or 640x480, each from 8 to 16384"))
    };
    let direction = |text: &str| {
        parse_views(text).ok_or_else(|| wrong("--views", text, "auto, axes, or a direction such as 0,0,1"))
    };
    let threshold = |text: &str| {
        let distance = text.trim().parse().ok().filter(|d: &f64| d.is_finite() && *d >= 0.0);
        distance.ok_or_else(|| wrong("--open-threshold", text, "a distance of 0 or more"))
    };
    Ok(PeelOptions {
        resolution: args.resolution.as_deref().map_or(Ok(default.resolution), resolution)?,
        direction: args.views.as_deref().map_or(Ok(default.direction), direction)?,
        passes: args.passes,
        at_limit: match args.at_limit {
            Some(AtLimitArg::Stop) => AtLimit::Stop,
            Some(AtLimitArg::Mark) => AtLimit::Mark,
            None => default.at_limit,
        },
        open_threshold: args.open_threshold.as_deref().map(threshold).transpose()?,
        ..default
    })
}

/// `N`, or `WxH`; in the range of the library, which would change other numbers without a word.
fn parse_resolution(text: &str) -> Option<[u32; 2]> {
    let (across, down) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let number = |part: &str| part.trim().parse::<u32>().ok();
    let options = PeelOptions { resolution: [number(across)?, number(down)?], ..PeelOptions::default() };
    (options.pixels() == options.resolution).then_some(options.resolution)
}

fn parse_views(text: &str) -> Option<Direction> {
    match text.trim() {
        "auto" => Some(Direction::Auto),
        "axes" => Some(Direction::Axes),
        vector => {
            let parts: Vec<f64> = vector.split(',').map(|c| c.trim().parse().ok()).collect::<Option<_>>()?;
            let vector = Point::try_from(parts).ok()?;
            let points_somewhere = vector.iter().all(|c| c.is_finite()) && vector.iter().any(|&c| c != 0.0);
            points_somewhere.then_some(Direction::Along(vector))
        }
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
    fn a_resolution_is_one_number_or_two_in_range() {
        assert_eq!(parse_resolution("1024"), Some([1024, 1024]));
        assert_eq!(parse_resolution("640x480"), Some([640, 480]));
        assert_eq!(parse_resolution("8X16384"), Some([8, 16_384]));
        for text in ["", "x", "640x", "7", "8x16385", "-8", "1024.0", "8x8x8", "99999999999"] {
            assert_eq!(parse_resolution(text), None, "{text}");
        }
    }

    #[test]
    fn views_are_chosen_or_along_a_vector_that_points_somewhere() {
        assert_eq!(parse_views("auto"), Some(Direction::Auto));
        assert_eq!(parse_views("axes"), Some(Direction::Axes));
        assert_eq!(parse_views("0, -1.5,1e-3"), Some(Direction::Along([0.0, -1.5, 1e-3])));
        for text in ["", "z", "0,0,0", "1,2", "1,2,3,4", "nan,0,1", "1,inf,0", "1,,0"] {
            assert_eq!(parse_views(text), None, "{text}");
        }
    }

    #[test]
    fn none_is_the_cpu_and_other_names_are_adapters() {
        assert_eq!(Place::of_gpu_method(Some(" None".into())), Place::Cpu);
        assert_eq!(Place::of_gpu_method(Some("radeon".into())), Place::Gpu(Some("radeon".into())));
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
