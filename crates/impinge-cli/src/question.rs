//! What is asked, and what was found: one type each for the questions of the library, so that printers, pictures and the page
//! need not know which one it was.

use impinge::contacts::{Culled, GridStats, PairRelation, RayStats, Relation};
use impinge::interference::{Interference, RayCastOptions};
use impinge::overlap_cells::{Overlaps, SliceOptions};
use impinge::{Bounds, Contact, ContactShape, Containment, Options, PairContacts, Query, Report, Stages};

/// A question with its choices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Question {
    /// Which triangles touch.
    Contacts(Options),
    /// Which edges are inside which solids.
    Interference(RayCastOptions),
    /// Which cells two bodies share.
    Overlap(SliceOptions),
}

impl Question {
    /// The method, as users type it.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Contacts(options) => options.method.name(),
            Self::Interference(_) => "ray_cast",
            Self::Overlap(_) => "depth_slices",
        }
    }

    /// The choices of contacts; `None` for another question.
    pub(crate) fn contacts(&self) -> Option<&Options> {
        if let Self::Contacts(options) = self { Some(options) } else { None }
    }

    /// What bodies may be nearer than, where that is asked.
    pub(crate) fn distance(&self) -> Option<f64> {
        match self.contacts()?.method {
            impinge::Method::Cullide(options) => options.distance,
            _ => None,
        }
    }

    pub(crate) fn threads(&self) -> usize {
        match self {
            Self::Contacts(options) => options.threads,
            Self::Interference(options) => options.threads,
            Self::Overlap(options) => options.threads,
        }
    }

    pub(crate) fn query(&self) -> Query {
        match self {
            Self::Contacts(options) => options.query,
            Self::Interference(options) => options.query,
            Self::Overlap(options) => options.query,
        }
    }

    pub(crate) fn set_query(&mut self, query: Query) {
        match self {
            Self::Contacts(options) => options.query = query,
            Self::Interference(options) => options.query = query,
            Self::Overlap(options) => options.query = query,
        }
    }

    /// Whether bodies inside others are looked for; interference always tells.
    pub(crate) fn containment(&self) -> bool {
        match self {
            Self::Contacts(options) => options.containment,
            Self::Interference(_) => true,
            Self::Overlap(options) => options.containment,
        }
    }

    pub(crate) fn set_containment(&mut self, on: bool) {
        match self {
            Self::Contacts(options) => options.containment = on,
            Self::Interference(_) => {}
            Self::Overlap(options) => options.containment = on,
        }
    }

    /// Whether to tell what pairs are to each other; contacts know.
    pub(crate) fn set_relations(&mut self, on: bool) {
        if let Self::Contacts(options) = self {
            options.relations = on;
        }
    }

    /// The same question, with the points of contacts or without.
    pub(crate) fn with_shapes(&self, on: bool) -> Self {
        match self {
            Self::Contacts(options) => Self::Contacts(Options { shapes: on, ..options.clone() }),
            Self::Interference(options) => Self::Interference(*options),
            Self::Overlap(options) => Self::Overlap(SliceOptions { shapes: on, ..*options }),
        }
    }

    /// The same question, with contacts and their points: what can be seen.
    pub(crate) fn to_be_seen(&self) -> Self {
        match self {
            Self::Overlap(options) => {
                Self::Overlap(SliceOptions { shapes: true, triangles: true, ..*options })
            }
            other => other.with_shapes(true),
        }
    }

    /// The same question by the method that answered it.
    pub(crate) fn answered_by(&self, findings: &Findings<'_>) -> Self {
        match (self, findings.source) {
            (Self::Contacts(options), Source::Contacts(report)) => {
                Self::Contacts(Options { method: report.method, ..options.clone() })
            }
            _ => self.clone(),
        }
    }
}

/// Where findings come from.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    Contacts(&'a Report),
    Interference(&'a Interference),
    Overlap(&'a Overlaps),
}

/// What was found in one frame: what all answers have, and through functions what only some do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Findings<'a> {
    /// The method that ran.
    pub(crate) method: &'static str,
    /// Whether nothing is missing.
    pub(crate) complete: bool,
    pub(crate) contacts: &'a [Contact],
    pub(crate) pairs: &'a [PairContacts],
    pub(crate) containments: &'a [Containment],
    pub(crate) relations: &'a [PairRelation],
    pub(crate) shapes: &'a [ContactShape],
    pub(crate) stages: &'a Stages,
    /// The GPU that did a part of the work.
    pub(crate) adapter: Option<&'a str>,
    source: Source<'a>,
}

impl<'a> From<&'a Report> for Findings<'a> {
    fn from(report: &'a Report) -> Self {
        Self {
            method: report.method.name(),
            complete: report.complete,
            contacts: &report.contacts,
            pairs: &report.pairs,
            containments: &report.containments,
            relations: &report.relations,
            shapes: &report.shapes,
            stages: &report.stages,
            adapter: report.adapter.as_deref(),
            source: Source::Contacts(report),
        }
    }
}

impl<'a> From<&'a Interference> for Findings<'a> {
    fn from(found: &'a Interference) -> Self {
        Self {
            method: "ray_cast",
            complete: false,
            contacts: &[],
            pairs: &[],
            containments: &[],
            relations: &[],
            shapes: &[],
            stages: &found.timing,
            adapter: found.adapter.as_deref(),
            source: Source::Interference(found),
        }
    }
}

impl<'a> From<&'a Overlaps> for Findings<'a> {
    fn from(overlaps: &'a Overlaps) -> Self {
        Self {
            method: "depth_slices",
            complete: overlaps.complete,
            contacts: &overlaps.contacts,
            pairs: &overlaps.contact_pairs,
            containments: &overlaps.containments,
            relations: &[],
            shapes: &overlaps.shapes,
            stages: &overlaps.timing,
            adapter: overlaps.adapter.as_deref(),
            source: Source::Overlap(overlaps),
        }
    }
}

impl<'a> Findings<'a> {
    pub(crate) fn collides(&self) -> bool {
        match self.source {
            Source::Contacts(report) => report.collides(),
            Source::Interference(found) => found.collides(),
            Source::Overlap(overlaps) => overlaps.collides(),
        }
    }

    /// What a pair of bodies is to each other, where that is known.
    pub(crate) fn relation(&self, pair: &PairContacts) -> Option<Relation> {
        let at = self.relations.binary_search_by_key(&(pair.a, pair.b), |found| (found.a, found.b));
        at.ok().map(|at| self.relations[at].relation)
    }

    pub(crate) fn interference(&self) -> Option<&'a Interference> {
        if let Source::Interference(found) = self.source { Some(found) } else { None }
    }

    pub(crate) fn overlaps(&self) -> Option<&'a Overlaps> {
        if let Source::Overlap(overlaps) = self.source { Some(overlaps) } else { None }
    }

    fn report(&self) -> Option<&'a Report> {
        if let Source::Contacts(report) = self.source { Some(report) } else { None }
    }

    pub(crate) fn rays(&self) -> Option<&'a RayStats> {
        self.report()?.rays()
    }

    pub(crate) fn grid(&self) -> Option<&'a GridStats> {
        self.report()?.grid()
    }

    pub(crate) fn culled(&self) -> Option<&'a Culled> {
        self.report()?.culled()
    }

    /// The smallest box of all points where two bodies meet; `None` unless shapes were asked for.
    pub(crate) fn region(&self, pair: &PairContacts) -> Option<Bounds> {
        let shapes = self.shapes.get(pair.contacts.clone())?;
        Some(Bounds::of(shapes.iter().flat_map(|shape| shape.points().iter().copied())))
    }
}
