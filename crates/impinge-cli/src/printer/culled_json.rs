//! What `cullide` left and how, as docs/json.md has it.

use super::{BodyFacts, NamedIndex};
use crate::names;
use impinge::stages::cullide::{Culled, CullideStages};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
pub(super) struct CulledJson<'a> {
    bodies: Vec<NamedIndex<'a>>,
    distance: Option<f64>,
    pairs: Vec<PairJson<'a>>,
    parts: usize,
    part_pairs: usize,
    triangle_pairs: usize,
    stages: CullideJson,
}

#[derive(Serialize)]
struct PairJson<'a> {
    a: NamedIndex<'a>,
    b: NamedIndex<'a>,
}

impl<'a> CulledJson<'a> {
    pub(super) fn new(culled: &Culled, bodies: &'a [BodyFacts], distance: Option<f64>) -> Self {
        Self {
            bodies: NamedIndex::all(bodies, &culled.bodies),
            distance,
            pairs: culled
                .body_pairs
                .iter()
                .map(|&[a, b]| PairJson { a: NamedIndex::of(bodies, a), b: NamedIndex::of(bodies, b) })
                .collect(),
            parts: culled.sub_bodies,
            part_pairs: culled.sub_body_pairs,
            triangle_pairs: culled.triangle_pairs,
            stages: CullideJson::from(&culled.stages),
        }
    }
}

/// What was drawn, and how long it took; `bench` prints the same object.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct CullideJson {
    pub(crate) resolution: [u32; 2],
    pub(crate) box_pairs: usize,
    pub(crate) first_pairs: usize,
    pub(crate) images: usize,
    pub(crate) passes: usize,
    pub(crate) queries: usize,
    pub(crate) bytes_read_back: usize,
    pub(crate) draw_ms: f64,
    pub(crate) exact_ms: f64,
}

impl From<&CullideStages> for CullideJson {
    fn from(stages: &CullideStages) -> Self {
        Self {
            resolution: stages.resolution,
            box_pairs: stages.box_pairs,
            first_pairs: stages.first_pairs,
            images: stages.looks,
            passes: stages.passes,
            queries: stages.queries,
            bytes_read_back: stages.bytes_read_back,
            draw_ms: names::milliseconds(stages.draw),
            exact_ms: names::milliseconds(stages.exact),
        }
    }
}
