//! What `depth_slices` found and how, as docs/json.md has it.

use super::{BodyFacts, NamedIndex};
use crate::names::milliseconds;
use impinge::stages::overlap_cells::{Answer, DecidedBy, Overlaps, PairOverlap, SliceStages, Volume};
use impinge::{Bounds, Point};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct SlicedJson<'a> {
    pairs: Vec<PairOverlapJson<'a>>,
    not_looked_at: Vec<NamedIndex<'a>>,
    stages: SlicesJson,
}

impl<'a> SlicedJson<'a> {
    pub(super) fn new(sliced: &'a Overlaps, bodies: &'a [BodyFacts]) -> Self {
        Self {
            pairs: sliced.pairs.iter().map(|pair| PairOverlapJson::new(pair, bodies)).collect(),
            not_looked_at: NamedIndex::all(bodies, &sliced.not_looked_at),
            stages: SlicesJson::from(&sliced.stages),
        }
    }
}

#[derive(Serialize)]
struct PairOverlapJson<'a> {
    a: NamedIndex<'a>,
    b: NamedIndex<'a>,
    answer: &'static str,
    decided_by: &'static str,
    certain: bool,
    volume: Option<VolumeJson>,
    cells: u64,
    points: &'a [Point],
    facing: Point,
    renderings: u32,
}

impl<'a> PairOverlapJson<'a> {
    fn new(pair: &'a PairOverlap, bodies: &'a [BodyFacts]) -> Self {
        Self {
            a: NamedIndex::of(bodies, pair.a),
            b: NamedIndex::of(bodies, pair.b),
            answer: match pair.answer {
                Answer::No => "no",
                Answer::Yes => "yes",
                Answer::Maybe { .. } => "maybe",
            },
            decided_by: match pair.by {
                DecidedBy::Boxes => "boxes",
                DecidedBy::Slices => "slices",
                DecidedBy::NarrowPhase => "narrow_phase",
                // The library may learn other ways that this program does not name yet.
                _ => "other",
            },
            // Nothing was decided.
            certain: pair.certain && !matches!(pair.answer, Answer::Maybe { .. }),
            volume: pair.volume.zip(pair.bounds).map(VolumeJson::from),
            cells: pair.cells,
            points: &pair.points,
            facing: pair.facing,
            renderings: pair.renderings,
        }
    }
}

#[derive(Serialize)]
struct VolumeJson {
    axes: [Point; 3],
    low: [f64; 3],
    high: [f64; 3],
    min: Point,
    max: Point,
}

impl From<(Volume, Bounds)> for VolumeJson {
    fn from((volume, Bounds { min, max }): (Volume, Bounds)) -> Self {
        Self { axes: volume.axes, low: volume.low, high: volume.high, min, max }
    }
}

json_of! {
    /// What was drawn, and how long it took; `bench` prints the same object.
    SlicesJson of |stages: SliceStages| {
        cells: [u32; 3] = stages.cells,
        drawn: usize = stages.drawn,
        renderings: usize = stages.renderings,
        bytes_read_back: usize = stages.bytes_read_back,
        handed_over: usize = stages.handed_over,
        draw_ms: f64 = milliseconds(stages.draw),
        exact_ms: f64 = milliseconds(stages.exact),
    }
}
