//! One frame for the page: where bodies are, what was found, and the lines that show it.

use super::container::Container;
use super::scene_data::Told;
use super::space::world_bounds;
use crate::error::Error;
use crate::found::{meeting, mutual};
use crate::printer::{FrameJson, remarks};
use crate::question::{Findings, Question};
use crate::relations;
use impinge::stages::overlap_cells::Answer;
use impinge::stages::{ClosedSurface, thickness};
use impinge::{Body, BodyId, Bounds, Point, Scene};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// Limit of the line segments sent with a frame. Counts are never cut; the page reports what it does not draw.
const MAX_LINES: usize = 1 << 20;

/// Budget for sampling depths, in triangles, about a second; pairs with the most contacts come first.
const MAX_TRIANGLES: usize = 8_000_000;

/// Minimum cost of a pair, in triangles.
const MIN_PAIR_TRIANGLES: usize = 2_000;

#[derive(Serialize)]
struct FrameHead<'a> {
    report: FrameJson<'a>,
    /// What the answer is worth, in words.
    remarks: Vec<String>,
    pairs: Vec<Pair>,
    /// Bodies whose positions are sent, because they are not what the scene told.
    moved: Vec<usize>,
    /// How many contacts and lines there are, where not all were sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<Cut>,
}

#[derive(Serialize)]
struct Cut {
    contacts: usize,
    lines: usize,
}

/// Two bodies, or one and itself, and what was found about them.
#[derive(Serialize)]
struct Pair {
    a: usize,
    b: usize,
    kind: Kind,
    /// Contacts, pixels or cells, as the kind has it.
    count: usize,
    /// What the two are to each other, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'static str>,
    /// Where its contacts and its lines stand in the arrays.
    contacts: Range<usize>,
    lines: Range<usize>,
    /// Where it is, in world coordinates.
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<[Point; 2]>,
    /// Thickness of what both share, in world units.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
}

impl Pair {
    fn of([a, b]: [BodyId; 2], kind: Kind, count: usize) -> Self {
        let (a, b) = (a.index(), b.index());
        Self { a, b, kind, count, relation: None, contacts: 0..0, lines: 0..0, region: None, depth: None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Contacts,
    /// The first lies inside the second.
    Inside,
    /// Pixels show edges of one inside the other.
    Interferes,
    /// Both take the same cells, and surfaces meet.
    Meets,
    /// Both take the same cells, and surfaces may meet.
    MayMeet,
}

/// A frame as the page is sent it.
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    /// How deep its deepest pair is, in world units, 0 where no pair has a depth; `None` where not all pairs were looked at.
    pub(crate) deepest: Option<f64>,
}

/// The answer about the scene as it stands; shapes must have been asked for.
pub(crate) fn encode(
    frame: usize,
    scene: &Scene,
    report: Findings<'_>,
    told: &Told,
    question: &Question,
) -> Result<Encoded, Error> {
    let mut container = Container::default();
    let bodies = || scene.bodies().zip(&told.bodies);
    container.floats("poses", bodies().flat_map(|((_, body), known)| told.space.pose(body, known.middle)));
    let moved = || bodies().filter(|((_, body), known)| body.positions_version() != known.positions);
    let positions = moved().flat_map(|((_, body), known)| {
        body.mesh().positions().iter().flat_map(|p| told.space.local(known.middle, p))
    });
    container.floats("positions", positions);

    let mut lines = Lines::default();
    let mut pairs = contact_pairs(report, &mut lines);
    pairs.extend(inside(scene, report));
    interference(scene, report, &mut pairs, &mut lines);
    slices(report, &mut pairs, &mut lines);
    let deepest = depths(scene, report, told, &mut pairs);

    let contacts = &report.contacts[..report.contacts.len().min(MAX_LINES)];
    let numbers = contacts
        .iter()
        .flat_map(|c| [c.a.body.index() as u32, c.a.triangle, c.b.body.index() as u32, c.b.triangle]);
    container.integers("contacts", numbers);
    let ends = lines.ends.iter().flatten().flat_map(|&p| told.space.point(p));
    container.floats("lines", ends);
    let cut = contacts.len() < report.contacts.len() || lines.ends.len() < lines.count;
    let distance = question.distance();
    let bytes = container.finish(&FrameHead {
        report: FrameJson::new(frame, &told.facts, scene, report, Some(0), distance),
        remarks: remarks(report),
        pairs,
        moved: moved().map(|((id, _), _)| id.index()).collect(),
        cut: cut.then_some(Cut { contacts: report.contacts.len(), lines: lines.count }),
    })?;
    Ok(Encoded { bytes, deepest })
}

/// Segments; a point is one without length.
#[derive(Default)]
struct Lines {
    ends: Vec<[Point; 2]>,
    count: usize,
}

impl Lines {
    fn add(&mut self, segment: [Point; 2]) {
        self.count += 1;
        if self.ends.len() < MAX_LINES {
            self.ends.push(segment);
        }
    }

    fn outline(&mut self, points: &[Point]) {
        match *points {
            [] => {}
            [p] => self.add([p; 2]),
            [p, q] => self.add([p, q]),
            _ => (0..points.len()).for_each(|i| self.add([points[i], points[(i + 1) % points.len()]])),
        }
    }
}

fn corners(bounds: Bounds) -> Option<[Point; 2]> {
    (!bounds.is_empty()).then_some([bounds.min, bounds.max])
}

fn contact_pairs(report: Findings<'_>, lines: &mut Lines) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(report.pairs.len());
    for pair in &relations::pairs_and_overlaps(report) {
        let first = lines.ends.len();
        let shapes = report.shapes.get(pair.contacts.clone()).unwrap_or_default();
        for shape in shapes {
            lines.outline(shape.points());
        }
        pairs.push(Pair {
            relation: report.relation(pair).map(relations::word),
            contacts: pair.contacts.start.min(MAX_LINES)..pair.contacts.end.min(MAX_LINES),
            lines: first..lines.ends.len(),
            region: report.region(pair).and_then(corners),
            ..Pair::of([pair.a, pair.b], Kind::Contacts, pair.contacts.len())
        });
    }
    pairs
}

fn inside<'a>(scene: &'a Scene, report: Findings<'a>) -> impl Iterator<Item = Pair> + 'a {
    report.containments.iter().map(|found| Pair {
        region: scene.body(found.inner).and_then(|body| corners(world_bounds(body))),
        ..Pair::of([found.inner, found.outer], Kind::Inside, 0)
    })
}

/// Pairs of which pixels show edges of one inside the other, with these pixels, or else the edges, as lines.
fn interference(scene: &Scene, report: Findings<'_>, pairs: &mut Vec<Pair>, lines: &mut Lines) {
    let Some(found) = report.interference() else { return };
    let mut points: BTreeMap<[BodyId; 2], Vec<[Point; 2]>> = BTreeMap::new();
    for point in &found.points {
        let Some(edge) = found.edges.get(point.edge) else { continue };
        let pair = [edge.body.min(point.inside), edge.body.max(point.inside)];
        points.entry(pair).or_default().push([point.position; 2]);
    }
    for (ids, pixels) in mutual(found) {
        let first = lines.ends.len();
        let seen = points.remove(&ids).unwrap_or_default();
        let region = Bounds::of(seen.iter().flatten().copied());
        for segment in seen {
            lines.add(segment);
        }
        pairs.push(Pair {
            lines: first..lines.ends.len(),
            region: corners(region),
            ..Pair::of(ids, Kind::Interferes, pixels)
        });
    }
    if found.points.is_empty() {
        for edge in &found.edges {
            let Some(body) = scene.body(edge.body) else { continue };
            let Some(ends) = edge.vertices(body.mesh()) else { continue };
            lines.add(ends.map(|vertex| body.world_position(vertex as usize)));
        }
    }
}

/// Pairs that take the same cells and are not listed with contacts, with their volumes as lines.
fn slices(report: Findings<'_>, pairs: &mut Vec<Pair>, lines: &mut Lines) {
    let Some(sliced) = report.overlaps() else { return };
    for found in meeting(sliced) {
        let [a, b] = [found.a.index(), found.b.index()];
        if pairs.iter().any(|pair| pair.kind == Kind::Contacts && pair.a == a && pair.b == b) {
            continue;
        }
        let first = lines.ends.len();
        if let Some(volume) = &found.volume {
            let corner = volume.corners();
            for (from, to) in (0..8).flat_map(|c| [1, 2, 4].map(|bit| (c, c | bit))) {
                if from != to {
                    lines.add([corner[from], corner[to]]);
                }
            }
        }
        let kind = if matches!(found.answer, Answer::Maybe { .. }) { Kind::MayMeet } else { Kind::Meets };
        pairs.push(Pair {
            lines: first..lines.ends.len(),
            region: found.bounds.and_then(corners),
            ..Pair::of([found.a, found.b], kind, found.cells as usize)
        });
    }
}

/// Samples the depths of the largest pairs of closed bodies. Returns the maximum if no pair was left out.
fn depths(scene: &Scene, report: Findings<'_>, told: &Told, pairs: &mut [Pair]) -> Option<f64> {
    let bodies: Vec<_> = scene.bodies().map(|(_, body)| body).collect();
    let solids: Vec<OnceLock<Option<ClosedSurface>>> = bodies.iter().map(|_| OnceLock::new()).collect();
    let solid = |index: usize| {
        let body: &Body = bodies.get(index)?;
        let vertices = 0..body.mesh().positions().len();
        let positions = || vertices.map(|v| told.space.point(body.world_position(v))).collect();
        solids[index].get_or_init(|| ClosedSurface::new(body.mesh(), positions)).as_ref()
    };
    let mut largest: Vec<&mut Pair> = pairs.iter_mut().filter(|pair| pair.a != pair.b).collect();
    largest.sort_by_key(|pair| std::cmp::Reverse(pair.count));
    let (all, mut looked_at) = (largest.len(), 0);
    largest.retain(|pair| {
        let triangles = |index: usize| bodies.get(index).map_or(0, |body| body.mesh().triangles().len());
        looked_at += (triangles(pair.a) + triangles(pair.b)).max(MIN_PAIR_TRIANGLES);
        looked_at <= MAX_TRIANGLES
    });
    let is_whole = largest.len() == all;
    largest.into_par_iter().for_each(|pair| {
        let (Some(a), Some(b)) = (solid(pair.a), solid(pair.b)) else { return };
        let shapes = report.shapes.get(pair.contacts.clone()).unwrap_or_default();
        let normals = shapes.iter().map(|shape| [shape.normal_a, shape.normal_b]);
        let region = pair.region.map(|ends| ends.map(|end| told.space.point(end)));
        pair.depth = thickness(a, b, normals, region).map(|thickness| thickness * told.space.scale());
    });
    is_whole.then(|| pairs.iter().filter_map(|pair| pair.depth).fold(0.0, f64::max))
}
