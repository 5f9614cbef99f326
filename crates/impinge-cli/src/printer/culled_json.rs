//! What `cullide` left and how, as docs/json.md has it. Bodies are indices into the list of bodies.

use crate::names;
use impinge::BodyId;
use impinge::stages::cullide::{Culled, CullideStages};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct CulledJson {
    bodies: Vec<usize>,
    distance: Option<f64>,
    pairs: Vec<PairJson>,
    parts: usize,
    part_pairs: usize,
    triangle_pairs: usize,
    not_looked_at: Vec<usize>,
    stages: CullideJson,
}

#[derive(Serialize)]
struct PairJson {
    a: usize,
    b: usize,
}

impl CulledJson {
    pub(super) fn new(culled: &Culled, distance: Option<f64>) -> Self {
        let indices = |ids: &[BodyId]| ids.iter().map(|id| id.index()).collect();
        let pair = |[a, b]: &[BodyId; 2]| PairJson { a: a.index(), b: b.index() };
        Self {
            bodies: indices(&culled.bodies),
            distance,
            pairs: culled.body_pairs.iter().map(pair).collect(),
            parts: culled.sub_bodies,
            part_pairs: culled.sub_body_pairs,
            triangle_pairs: culled.triangle_pairs,
            not_looked_at: indices(&culled.not_looked_at),
            stages: CullideJson::from(&culled.stages),
        }
    }
}

/// What was drawn, and how long it took; `bench` prints the same object.
#[derive(Clone, Copy, Debug, Serialize)]
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
