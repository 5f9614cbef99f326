//! The JSON of `check --json` (docs/json.md). Frames are written as they come: none is kept.

use super::culled_json::CulledJson;
use super::grid::GridJson;
use super::interference_json::InterferenceJson;
use super::sliced_json::SlicedJson;
use super::{BodyFacts, NamedIndex, SCHEMA};
use crate::error::Error;
use crate::names::milliseconds;
use crate::question::Findings;
use crate::relations;
use impinge::contacts::{RayStats, Relation};
use impinge::{Contact, ContactShape, Element, Point, Scene, Stages};
use serde::{Serialize, Serializer};
use std::io::Write;

pub(crate) struct JsonPrinter<'a, W: Write> {
    bodies: Vec<BodyFacts>,
    limit: Option<usize>,
    distance: Option<f64>,
    collides: bool,
    first: bool,
    out: &'a mut W,
}

impl<'a, W: Write> JsonPrinter<'a, W> {
    pub(super) fn begin(
        bodies: Vec<BodyFacts>,
        limit: Option<usize>,
        distance: Option<f64>,
        out: &'a mut W,
    ) -> Result<Self, Error> {
        write!(out, "{{\"schema\":{SCHEMA},\n\"bodies\":")?;
        serde_json::to_writer(&mut *out, &bodies)?;
        write!(out, ",\n\"frames\":[")?;
        Ok(Self { bodies, limit, distance, collides: false, first: true, out })
    }

    pub(super) fn frame(&mut self, frame: usize, scene: &Scene, report: Findings<'_>) -> Result<(), Error> {
        self.collides |= report.collides();
        write!(self.out, "{}", if std::mem::take(&mut self.first) { "\n" } else { ",\n" })?;
        let frame = FrameJson::new(frame, &self.bodies, scene, report, self.limit, self.distance);
        Ok(serde_json::to_writer(&mut *self.out, &frame)?)
    }

    /// `collides` stands last, because only now it is known.
    pub(super) fn finish(self) -> Result<(), Error> {
        Ok(writeln!(self.out, "\n],\n\"collides\":{}}}", self.collides)?)
    }
}

/// One frame; the page is told the same.
#[derive(Serialize)]
pub(crate) struct FrameJson<'a> {
    frame: usize,
    method: &'static str,
    complete: bool,
    contact_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<usize>,
    pairs: Vec<PairJson<'a>>,
    containments: Vec<ContainmentJson<'a>>,
    #[serde(serialize_with = "contacts")]
    contacts: (&'a [Contact], &'a [ContactShape]),
    stages: StagesJson,
    adapter: Option<&'a str>,
    image: Option<ImageJson>,
    interference: Option<InterferenceJson<'a>>,
    sliced: Option<SlicedJson<'a>>,
    #[serde(rename = "sifted")]
    grid: Option<GridJson>,
    culled: Option<CulledJson<'a>>,
}

impl<'a> FrameJson<'a> {
    /// At most `limit` contacts, edges and points are listed; `distance` is what boxes may be nearer than.
    pub(crate) fn new(
        frame: usize,
        bodies: &'a [BodyFacts],
        scene: &'a Scene,
        report: Findings<'a>,
        limit: Option<usize>,
        distance: Option<f64>,
    ) -> Self {
        let body = |id| NamedIndex::of(bodies, id);
        let listed = limit.unwrap_or(usize::MAX).min(report.contacts.len());
        Self {
            frame,
            method: report.method,
            complete: report.complete,
            contact_count: report.contacts.len(),
            listed: limit.map(|_| listed),
            pairs: relations::pairs_and_overlaps(report)
                .iter()
                .map(|pair| PairJson {
                    a: body(pair.a),
                    b: body(pair.b),
                    contacts: pair.contacts.len(),
                    relation: report.relation(pair).map(relations::word),
                    inner: match report.relation(pair) {
                        Some(Relation::Inside { inner }) => Some(inner.index()),
                        _ => None,
                    },
                })
                .collect(),
            containments: report
                .containments
                .iter()
                .map(|c| ContainmentJson { inner: body(c.inner), outer: body(c.outer) })
                .collect(),
            contacts: (&report.contacts[..listed], report.shapes),
            stages: StagesJson::from(report.stages),
            adapter: report.adapter,
            image: report.rays().map(ImageJson::from),
            interference: report
                .interference()
                .map(|found| InterferenceJson::new(found, bodies, scene, limit)),
            sliced: report.overlaps().map(|overlaps| SlicedJson::new(overlaps, bodies)),
            grid: report.grid().map(GridJson::from),
            culled: report.culled().map(|culled| CulledJson::new(culled, bodies, distance)),
        }
    }
}

#[derive(Serialize)]
struct PairJson<'a> {
    a: NamedIndex<'a>,
    b: NamedIndex<'a>,
    contacts: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<usize>,
}

#[derive(Serialize)]
struct ContainmentJson<'a> {
    inner: NamedIndex<'a>,
    outer: NamedIndex<'a>,
}

/// Written one by one: there may be millions.
fn contacts<S: Serializer>(
    (contacts, shapes): &(&[Contact], &[ContactShape]),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let element = |of: Element| ElementJson { body: of.body.index(), triangle: of.triangle };
    serializer.collect_seq(contacts.iter().zip(*shapes).map(|(contact, shape)| ContactJson {
        a: element(contact.a),
        b: element(contact.b),
        segment: shape.segment(),
        polygon: Some(shape.points()).filter(|points| points.len() > 2),
    }))
}

#[derive(Serialize)]
struct ContactJson<'a> {
    a: ElementJson,
    b: ElementJson,
    segment: [Point; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    polygon: Option<&'a [Point]>,
}

#[derive(Serialize)]
struct ElementJson {
    body: usize,
    triangle: u32,
}

json_of! {
    /// Time and count of every stage; `bench` prints the same object.
    StagesJson of |stages: Stages| {
        update_ms: f64 = milliseconds(stages.update),
        broad_phase_ms: f64 = milliseconds(stages.broad_phase),
        culling_ms: f64 = milliseconds(stages.culling),
        narrow_phase_ms: f64 = milliseconds(stages.narrow_phase),
        containment_ms: f64 = milliseconds(stages.containment),
        shapes_ms: f64 = milliseconds(stages.shapes),
        total_ms: f64 = milliseconds(stages.total),
        bodies: usize = stages.bodies,
        triangles: usize = stages.triangles,
        body_pairs: usize = stages.body_pairs,
        candidates: usize = stages.candidates,
        exact: usize = stages.exact,
        contacts: usize = stages.contacts,
    }
}

json_of! {
    /// What rays saw, and when; `bench` prints the same object.
    ImageJson of |image: RayStats| {
        resolution: [u32; 2] = image.resolution,
        views: usize = image.views,
        deepest: usize = image.deepest as usize,
        layers: usize = image.layers as usize,
        limited: bool = image.limited,
        fragments: usize = image.fragments,
        rays: usize = image.rays,
        read_back: usize = image.read_back,
        bytes_read_back: usize = image.bytes_read_back,
        involved: usize = image.involved,
        tests: usize = image.tests,
        project_ms: f64 = milliseconds(image.project),
        sample_ms: f64 = milliseconds(image.sample),
        merge_ms: f64 = milliseconds(image.merge),
        separate_ms: f64 = milliseconds(image.separate),
        pack_ms: f64 = milliseconds(image.pack),
    }
}
