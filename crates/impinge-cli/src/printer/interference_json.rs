//! What `ray_cast` found and how, as docs/json.md has it. Edges and points, of which there may be millions, have the indices of bodies alone.

use super::{BodyFacts, NamedIndex};
use crate::names;
use impinge::stages::interference::{CastStages, Interference, InterferencePoint, InterferingEdge};
use impinge::{Point, Scene};
use serde::{Deserialize, Serialize, Serializer};

#[derive(Serialize)]
pub(super) struct InterferenceJson<'a> {
    any: bool,
    bodies: Vec<NamedIndex<'a>>,
    pairs: Vec<PenetrationJson<'a>>,
    edge_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    edges_listed: Option<usize>,
    edges: Edges<'a>,
    point_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    points_listed: Option<usize>,
    points: Points<'a>,
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
            edges: Edges { scene, edges: &found.edges[..edges] },
            point_count: found.stages.points,
            points_listed: (limit.is_some() || points < found.stages.points).then_some(points),
            points: Points(&found.points[..points]),
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
struct Edges<'a> {
    scene: &'a Scene,
    edges: &'a [InterferingEdge],
}

impl Serialize for Edges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.edges.iter().map(|edge| EdgeJson {
            body: edge.body.index(),
            triangle: edge.triangle,
            side: edge.side,
            vertices: self.scene.body(edge.body).and_then(|body| edge.vertices(body.mesh())),
        }))
    }
}

#[derive(Serialize)]
struct EdgeJson {
    body: usize,
    triangle: u32,
    side: u8,
    vertices: Option<[u32; 2]>,
}

struct Points<'a>(&'a [InterferencePoint]);

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|point| PointJson {
            position: point.position,
            edge: point.edge,
            inside: point.inside.index(),
        }))
    }
}

#[derive(Serialize)]
struct PointJson {
    position: Point,
    edge: usize,
    inside: usize,
}

/// What was drawn, and how long it took; `bench` prints the same object.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct CastJson {
    pub(crate) resolution: [u32; 2],
    pub(crate) views: usize,
    pub(crate) edges: usize,
    pub(crate) layers: usize,
    pub(crate) limited: bool,
    pub(crate) pixels: usize,
    pub(crate) marked: usize,
    pub(crate) crossings: usize,
    pub(crate) bytes_read_back: usize,
    pub(crate) prepare_ms: f64,
    pub(crate) render_ms: f64,
    pub(crate) read_ms: f64,
    pub(crate) parse_ms: f64,
}

impl From<&CastStages> for CastJson {
    fn from(stages: &CastStages) -> Self {
        Self {
            resolution: stages.resolution,
            views: stages.views,
            edges: stages.edges,
            layers: stages.layers as usize,
            limited: stages.limited,
            pixels: stages.pixels,
            marked: stages.marked,
            crossings: stages.crossings,
            bytes_read_back: stages.bytes_read_back,
            prepare_ms: names::milliseconds(stages.prepare),
            render_ms: names::milliseconds(stages.render),
            read_ms: names::milliseconds(stages.read),
            parse_ms: names::milliseconds(stages.parse),
        }
    }
}
