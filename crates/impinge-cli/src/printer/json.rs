//! The JSON of `check --json` (docs/json.md). Frames are written as they come: none is kept.

use super::culled_json::CulledJson;
use super::interference_json::InterferenceJson;
use super::sifted::SiftedJson;
use super::sliced_json::SlicedJson;
use super::{BodyFacts, NamedIndex, SCHEMA};
use crate::error::Error;
use crate::names;
use crate::question::Findings;
use crate::relations;
use impinge::contacts::{RayStats, Relation};
use impinge::{Contact, ContactShape, Point, Scene, Stages};
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
    contacts: Contacts<'a>,
    stages: StagesJson,
    adapter: Option<&'a str>,
    image: Option<ImageJson>,
    interference: Option<InterferenceJson<'a>>,
    sliced: Option<SlicedJson<'a>>,
    sifted: Option<SiftedJson>,
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
            contacts: Contacts { contacts: &report.contacts[..listed], shapes: report.shapes },
            stages: StagesJson::from(report.stages),
            adapter: report.adapter,
            image: report.rays().map(ImageJson::from),
            interference: report
                .interference()
                .map(|found| InterferenceJson::new(found, bodies, scene, limit)),
            sliced: report.overlaps().map(|overlaps| SlicedJson::new(overlaps, bodies)),
            sifted: report.grid().map(SiftedJson::from),
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
struct Contacts<'a> {
    contacts: &'a [Contact],
    shapes: &'a [ContactShape],
}

impl Serialize for Contacts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.contacts.iter().zip(self.shapes).map(|(contact, shape)| ContactJson {
            a: ElementJson { body: contact.a.body.index(), triangle: contact.a.triangle },
            b: ElementJson { body: contact.b.body.index(), triangle: contact.b.triangle },
            segment: shape.segment(),
            polygon: Some(shape.points()).filter(|points| points.len() > 2),
        }))
    }
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

/// Time and count of every stage; `bench` prints the same object.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct StagesJson {
    pub(crate) update_ms: f64,
    pub(crate) broad_phase_ms: f64,
    pub(crate) culling_ms: f64,
    pub(crate) narrow_phase_ms: f64,
    pub(crate) containment_ms: f64,
    pub(crate) shapes_ms: f64,
    pub(crate) total_ms: f64,
    pub(crate) bodies: usize,
    pub(crate) triangles: usize,
    pub(crate) body_pairs: usize,
    pub(crate) candidates: usize,
    pub(crate) exact: usize,
    pub(crate) contacts: usize,
}

impl From<&Stages> for StagesJson {
    fn from(stages: &Stages) -> Self {
        Self {
            update_ms: names::milliseconds(stages.update),
            broad_phase_ms: names::milliseconds(stages.broad_phase),
            culling_ms: names::milliseconds(stages.culling),
            narrow_phase_ms: names::milliseconds(stages.narrow_phase),
            containment_ms: names::milliseconds(stages.containment),
            shapes_ms: names::milliseconds(stages.shapes),
            total_ms: names::milliseconds(stages.total),
            bodies: stages.bodies,
            triangles: stages.triangles,
            body_pairs: stages.body_pairs,
            candidates: stages.candidates,
            exact: stages.exact,
            contacts: stages.contacts,
        }
    }
}

/// What rays saw, and when; `bench` prints the same object.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ImageJson {
    pub(crate) resolution: [u32; 2],
    pub(crate) views: usize,
    pub(crate) deepest: usize,
    pub(crate) layers: usize,
    pub(crate) limited: bool,
    pub(crate) fragments: usize,
    pub(crate) rays: usize,
    pub(crate) read_back: usize,
    pub(crate) bytes_read_back: usize,
    pub(crate) involved: usize,
    pub(crate) tests: usize,
    pub(crate) project_ms: f64,
    pub(crate) sample_ms: f64,
    pub(crate) merge_ms: f64,
    pub(crate) separate_ms: f64,
    pub(crate) pack_ms: f64,
}

impl From<&RayStats> for ImageJson {
    fn from(image: &RayStats) -> Self {
        Self {
            resolution: image.resolution,
            views: image.views,
            deepest: image.deepest as usize,
            layers: image.layers as usize,
            limited: image.limited,
            fragments: image.fragments,
            rays: image.rays,
            read_back: image.read_back,
            bytes_read_back: image.bytes_read_back,
            involved: image.involved,
            tests: image.tests,
            project_ms: names::milliseconds(image.project),
            sample_ms: names::milliseconds(image.sample),
            merge_ms: names::milliseconds(image.merge),
            separate_ms: names::milliseconds(image.separate),
            pack_ms: names::milliseconds(image.pack),
        }
    }
}
