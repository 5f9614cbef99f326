//! What `ray_cast` found and how, as docs/json.md has it. Edges and points, of which there may be millions, have the indices of bodies alone.

use super::{BodyFacts, NamedIndex};
use crate::names::milliseconds;
use impinge::stages::interference::{CastStages, Interference, InterferencePoint, InterferingEdge};
use impinge::{Point, Scene};
use serde::{Serialize, Serializer};

#[derive(Serialize)]
pub(super) struct InterferenceJson<'a> {
    any: bool,
    bodies: Vec<NamedIndex<'a>>,
    pairs: Vec<PenetrationJson<'a>>,
    edge_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    edges_listed: Option<usize>,
    #[serde(serialize_with = "edges")]
    edges: (&'a Scene, &'a [InterferingEdge]),
    point_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    points_listed: Option<usize>,
    #[serde(serialize_with = "points")]
    points: &'a [InterferencePoint],
    self_interfering: Vec<NamedIndex<'a>>,
    not_closed: Vec<NamedIndex<'a>>,
    reach: f64,
    stages: CastJson,
}

impl<'a> InterferenceJson<'a> {
    pub(super) fn new(
        found: &'a Interference,
        bodies: &'a [BodyFacts],
        scene: &'a Scene,
        limit: Option<usize>,
    ) -> Self {
        let listed = |count: usize| limit.unwrap_or(usize::MAX).min(count);
        let (edges, points) = (listed(found.edges.len()), listed(found.points.len()));
        let pairs = found.pairs.iter().map(|pair| PenetrationJson {
            penetrating: NamedIndex::of(bodies, pair.penetrating),
            penetrated: NamedIndex::of(bodies, pair.penetrated),
            pixels: pair.pixels,
        });
        Self {
            any: found.any,
            bodies: NamedIndex::all(bodies, &found.bodies),
            pairs: pairs.collect(),
            edge_count: found.edges.len(),
            edges_listed: limit.map(|_| edges),
            edges: (scene, &found.edges[..edges]),
            point_count: found.stages.points,
            points_listed: (limit.is_some() || points < found.stages.points).then_some(points),
            points: &found.points[..points],
            self_interfering: NamedIndex::all(bodies, &found.self_interfering),
            not_closed: NamedIndex::all(bodies, &found.not_closed),
            reach: found.reach,
            stages: CastJson::from(&found.stages),
        }
    }
}

#[derive(Serialize)]
struct PenetrationJson<'a> {
    penetrating: NamedIndex<'a>,
    penetrated: NamedIndex<'a>,
    pixels: usize,
}

/// Written one by one, as contacts are.
fn edges<S: Serializer>(
    (scene, edges): &(&Scene, &[InterferingEdge]),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(edges.iter().map(|edge| EdgeJson {
        body: edge.body.index(),
        triangle: edge.triangle,
        side: edge.side,
        vertices: scene.body(edge.body).and_then(|body| edge.vertices(body.mesh())),
    }))
}

#[derive(Serialize)]
struct EdgeJson {
    body: usize,
    triangle: u32,
    side: u8,
    vertices: Option<[u32; 2]>,
}

fn points<S: Serializer>(points: &[InterferencePoint], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(points.iter().map(|point| PointJson {
        position: point.position,
        edge: point.edge,
        inside: point.inside.index(),
    }))
}

#[derive(Serialize)]
struct PointJson {
    position: Point,
    edge: usize,
    inside: usize,
}

json_of! {
    /// What was drawn, and how long it took; `bench` prints the same object.
    CastJson of |stages: CastStages| {
        resolution: [u32; 2] = stages.resolution,
        views: usize = stages.views,
        edges: usize = stages.edges,
        layers: usize = stages.layers as usize,
        limited: bool = stages.limited,
        pixels: usize = stages.pixels,
        marked: usize = stages.marked,
        crossings: usize = stages.crossings,
        bytes_read_back: usize = stages.bytes_read_back,
        prepare_ms: f64 = milliseconds(stages.prepare),
        render_ms: f64 = milliseconds(stages.render),
        read_ms: f64 = milliseconds(stages.read),
        parse_ms: f64 = milliseconds(stages.parse),
    }
}
