//! What a collider found: contacts, containments, and the count and time of every stage.

use super::cullide::Culled;
use super::grid::GridStats;
use super::method::Method;
use super::ray_stats::RayStats;
use crate::exact::{Contact, ContactShape, PairContacts, Response};
use crate::scene::{BodyId, Bounds};
use crate::solid::{Containment, PairRelation, Relation};
use crate::util::hash::hash;
use crate::util::stages::Stages;

/// What a method counted on the way, and what else it can tell.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum MethodStats {
    /// No more than [`Report::stages`].
    #[default]
    None,
    /// Of [`Method::Grid`].
    Grid(GridStats),
    /// Of [`Method::DepthPeel`] and [`Method::ABuffer`].
    Rays(RayStats),
    /// Of [`Method::Cullide`]: what is left after culling.
    Cullide(Box<Culled>),
}

/// The answer for one scene. Owned by the collider and overwritten by its next call.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Report {
    /// The method that ran (never `Auto`).
    pub method: Method,
    /// Whether the method misses nothing. A sampled method says `false`.
    pub complete: bool,
    /// All contacts, sorted by body of `a`, body of `b`, triangle of `a`, triangle of `b`.
    pub contacts: Vec<Contact>,
    /// The pairs of bodies that have contacts, in the same order.
    pub pairs: Vec<PairContacts>,
    /// Bodies inside other bodies, sorted by outer body, then inner.
    pub containments: Vec<Containment>,
    /// What pairs of bodies are to each other, sorted by `a`, then `b`: every pair in contact and, of closed bodies, every other
    /// pair whose solids share a point. Empty unless asked for, and where the method misses something.
    pub relations: Vec<PairRelation>,
    /// The points shared by each contact, parallel to `contacts`; empty unless asked for.
    pub shapes: Vec<ContactShape>,
    /// Which way every triangle in contact should go, sorted; empty unless asked for.
    pub responses: Vec<Response>,
    /// Time and count of every stage.
    pub stages: Stages,
    /// What the method counted.
    pub stats: MethodStats,
    /// The GPU that did a part of the work.
    pub adapter: Option<String>,
}

impl Report {
    /// Starts over, keeping the memory; contacts are written over.
    pub(crate) fn begin(&mut self, method: Method) {
        self.method = method;
        self.complete = false;
        self.pairs.clear();
        self.containments.clear();
        self.relations.clear();
        self.shapes.clear();
        self.responses.clear();
        self.stages = Stages::default();
        self.stats = MethodStats::None;
        self.adapter = None;
    }

    /// What [`Method::Grid`] counted, if it ran.
    pub fn grid(&self) -> Option<&GridStats> {
        if let MethodStats::Grid(stats) = &self.stats { Some(stats) } else { None }
    }

    /// What rays saw, if the method has some.
    pub fn rays(&self) -> Option<&RayStats> {
        if let MethodStats::Rays(stats) = &self.stats { Some(stats) } else { None }
    }

    /// What [`Method::Cullide`] left, if it ran.
    pub fn culled(&self) -> Option<&Culled> {
        if let MethodStats::Cullide(culled) = &self.stats { Some(culled) } else { None }
    }

    /// Fills `pairs` from the sorted contacts.
    pub(crate) fn summarise_pairs(&mut self) {
        PairContacts::list(&self.contacts, &mut self.pairs);
    }

    /// Keeps the first contact, or else the first containment.
    pub(crate) fn keep_one(&mut self) {
        self.contacts.truncate(1);
        self.pairs.clear();
        self.summarise_pairs();
        self.containments.truncate(usize::from(self.contacts.is_empty()));
    }

    /// The smallest box of all points where two bodies meet; `None` unless shapes were asked for.
    pub fn region(&self, pair: &PairContacts) -> Option<Bounds> {
        let shapes = self.shapes.get(pair.contacts.clone())?;
        Some(Bounds::of(shapes.iter().flat_map(|shape| shape.points().iter().copied())))
    }

    /// What two bodies in contact are to each other, if that was asked for.
    pub fn relation(&self, a: BodyId, b: BodyId) -> Option<Relation> {
        let at = self.relations.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b));
        at.ok().map(|at| self.relations[at].relation)
    }

    /// Whether anything touches or lies inside anything, or overlaps it, where relations were asked for.
    pub fn collides(&self) -> bool {
        !self.contacts.is_empty() || !self.containments.is_empty() || !self.relations.is_empty()
    }

    /// A number that two reports share exactly when they list the same contacts and containments (FNV-1a; for comparing runs,
    /// threads and machines, not for security).
    pub fn hash(&self) -> u64 {
        let contacts = self.contacts.iter().flat_map(Contact::numbers);
        hash(contacts.chain(self.containments.iter().flat_map(Containment::numbers)))
    }
}
