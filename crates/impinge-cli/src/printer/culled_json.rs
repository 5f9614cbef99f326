//! What `cullide` left and how, as docs/json.md has it.

use super::{BodyFacts, NamedIndex};
use crate::names::milliseconds;
use impinge::stages::cullide::{Culled, CullideStages};
use serde::Serialize;

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

json_of! {
    /// What was drawn, and how long it took; `bench` prints the same object.
    CullideJson of |stages: CullideStages| {
        resolution: [u32; 2] = stages.resolution,
        box_pairs: usize = stages.box_pairs,
        first_pairs: usize = stages.first_pairs,
        images: usize = stages.looks,
        passes: usize = stages.passes,
        queries: usize = stages.queries,
        bytes_read_back: usize = stages.bytes_read_back,
        draw_ms: f64 = milliseconds(stages.draw),
        exact_ms: f64 = milliseconds(stages.exact),
    }
}
