//! What a collider found: contacts, containments, and the count and time of every stage.

use super::cullide::Culled;
use super::depth_peel::peel::Rule;
use super::grid::Sifted;
use super::response::responses;
use super::{Method, Options, Query};
use crate::exact::Contact;
use crate::scene::Element;
use crate::solid::Containment;
use crate::util::clock::Clock;

use crate::exact::{ContactShape, contact_shape};
use crate::image::gather;
use crate::interference::Interference;
use crate::overlap_cells::{Answer, Sliced};
use crate::scene::Bounds;
use crate::scene::Point;
use crate::scene::{BodyId, Scene};
use crate::util::threads;
use rayon::prelude::*;
use std::ops::Range;
use std::time::Duration;

/// Which way a triangle in contact should go to come free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// The triangle.
    pub element: Element,
    /// Of length 1; zero where normals cancel or there are none. A plain `f64` construction.
    pub direction: Point,
}

/// Two bodies in contact, or one in contact with itself (`a == b`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairContacts {
    /// The first body.
    pub a: BodyId,
    /// The second body.
    pub b: BodyId,
    /// Where the pair's contacts stand in [`Report::contacts`].
    pub contacts: Range<usize>,
}

/// Time and numbers of every stage of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// Finding what changed and bringing boxes and hierarchies up to date; for [`crate::Query::Any`] with the broad phase.
    pub update: Duration,
    /// Sweep and prune over body boxes.
    pub broad_phase: Duration,
    /// Culling: from body pairs to patches of triangles whose boxes meet. Takes turns with the narrow phase, and the time
    /// is divided as the threads measured it; for [`crate::Query::Any`] all of it counts as narrow phase.
    pub culling: Duration,
    /// Float filters, exact triangle tests and sorting.
    pub narrow_phase: Duration,
    /// Containment of closed bodies.
    pub containment: Duration,
    /// Contact points and normals, when asked for.
    pub shapes: Duration,
    /// The whole call.
    pub total: Duration,
    /// Bodies in the scene.
    pub bodies: usize,
    /// Triangles in the scene.
    pub triangles: usize,
    /// Pairs of bodies whose boxes overlap, and bodies that look at themselves.
    pub body_pairs: usize,
    /// Triangle pairs whose boxes met (neighbours within a body apart, which are certified together).
    pub candidates: usize,
    /// Pairs that floats could not decide and exact arithmetic did, neighbours included.
    pub exact: usize,
    /// Contacts found.
    pub contacts: usize,
}

/// What a method saw that looks at the scene along rays, and the time of its stages, all views
/// together. Where a GPU did the work, times are what the CPU waited for, unless it says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageStages {
    /// Rays across and down.
    pub resolution: [u32; 2],
    /// Views looked from.
    pub views: usize,
    /// Most surfaces any ray meets: the depth complexity.
    pub deepest: u32,
    /// Layers peeled, at most.
    pub layers: u32,
    /// Whether some ray had more layers than were peeled: a limit of the caller was reached.
    pub limited: bool,
    /// Surfaces that all rays together meet where bodies may collide, for a method that keeps them all.
    pub fragments: usize,
    /// Collision rays; for [`Method::ABuffer`], rays that meet two surfaces near each other.
    pub rays: usize,
    /// Triangles that collision rays may pass; from a GPU, only these are read back.
    pub read_back: usize,
    /// Bytes of triangles and counters read back from a GPU.
    pub bytes_read_back: usize,
    /// Triangles that took part in an exact test.
    pub involved: usize,
    /// Exact tests.
    pub tests: usize,
    /// Vertices to image coordinates.
    pub project: Duration,
    /// From triangles to collision rays.
    pub sample: Duration,
    /// From collision rays to boxes of ray bundles.
    pub merge: Duration,
    /// From boxes to rectangles of triangles.
    pub separate: Duration,
    /// From the sparse list to the dense one; from a GPU, with the time to read it back.
    pub pack: Duration,
}

impl ImageStages {
    /// Adds what one view saw.
    pub fn saw(&mut self, rule: &Rule, deepest: u32, rays: usize) {
        self.deepest = self.deepest.max(deepest);
        self.layers = self.layers.max(rule.layers().min(deepest));
        self.limited |= rule.layers() < deepest;
        self.rays += rays;
    }
}

/// The answer for one scene. Owned by the collider and overwritten by its next call.
#[derive(Clone, Debug, Default)]
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
    /// The points shared by each contact, parallel to `contacts`; empty unless asked for.
    pub shapes: Vec<ContactShape>,
    /// Which way every triangle in contact should go, sorted; empty unless asked for.
    pub responses: Vec<Response>,
    /// Time and count of every stage.
    pub stages: Stages,
    /// What rays saw, for a method that has some.
    pub image: Option<ImageStages>,
    /// What [`Method::Conservative`] counted on the way.
    pub sifted: Option<Sifted>,
    /// What edges inside bodies tell, for [`Method::RayCast`], which lists no contacts.
    pub interference: Option<Interference>,
    /// What cells of space tell, for [`Method::DepthSlices`], which lists contacts only if asked for.
    pub sliced: Option<Sliced>,
    /// What is left after culling, for [`Method::Cullide`].
    pub culled: Option<Culled>,
    /// The GPU that did a part of the work.
    pub adapter: Option<String>,
}

impl Report {
    /// Starts over, keeping the memory.
    pub(crate) fn begin(&mut self, scene: &Scene, method: Method) {
        self.method = method;
        self.complete = true;
        self.contacts.clear();
        self.pairs.clear();
        self.containments.clear();
        self.shapes.clear();
        self.responses.clear();
        self.stages = Stages::default();
        self.image = None;
        self.sifted = None;
        self.interference = None;
        self.sliced = None;
        self.culled = None;
        self.adapter = None;
        for (_, body) in scene.bodies() {
            self.stages.bodies += 1;
            self.stages.triangles += body.mesh().triangles().len();
        }
    }

    /// Fills `pairs` from the sorted contacts.
    pub(crate) fn summarise_pairs(&mut self) {
        let same_pair = |p: &Contact, q: &Contact| p.a.body == q.a.body && p.b.body == q.b.body;
        let mut first = 0;
        for run in self.contacts.chunk_by(same_pair) {
            let contacts = first..first + run.len();
            first = contacts.end;
            self.pairs.push(PairContacts { a: run[0].a.body, b: run[0].b.body, contacts });
        }
    }

    /// Keeps the first contact, or else the first containment.
    pub(crate) fn keep_one(&mut self) {
        self.contacts.truncate(1);
        self.pairs.clear();
        self.summarise_pairs();
        self.containments.truncate(usize::from(self.contacts.is_empty()));
    }

    /// The last steps of every method: one answer where one was asked for, shapes, responses, counts and time.
    /// `elsewhere` has the world corners of triangles that the scene does not hold.
    pub(crate) fn conclude(
        &mut self,
        scene: &Scene,
        options: &Options,
        elsewhere: &dyn Fn(Element) -> Option<[Point; 3]>,
        mut clock: Clock,
    ) {
        if options.query == Query::Any {
            self.keep_one();
        }
        if options.shapes || options.responses {
            let in_scene = |element: Element| {
                let body = scene.body(element.body)?;
                let there = (element.triangle as usize) < body.mesh().triangles().len();
                there.then(|| body.world_corners(element.triangle as usize))
            };
            // Every contact was found in the scene or elsewhere.
            let corners = |element| elsewhere(element).or_else(|| in_scene(element)).unwrap_or_default();
            let pairs: Vec<[[Point; 3]; 2]> =
                self.contacts.iter().map(|contact| [corners(contact.a), corners(contact.b)]).collect();
            if options.shapes {
                let shape = |[a, b]: &[[Point; 3]; 2]| contact_shape(a, b);
                if threads::many() {
                    pairs.par_iter().map(shape).collect_into_vec(&mut self.shapes);
                } else {
                    self.shapes.extend(pairs.iter().map(shape));
                }
            }
            if options.responses {
                // A mirror turns triangles around, and their normals with them.
                let mirrored = |element: Element| scene.body(element.body).is_some_and(gather::is_mirror);
                let outward =
                    |element, [a, b, c]: [Point; 3]| if mirrored(element) { [a, c, b] } else { [a, b, c] };
                let outward: Vec<[[Point; 3]; 2]> = self
                    .contacts
                    .iter()
                    .zip(&pairs)
                    .map(|(contact, &[a, b])| [outward(contact.a, a), outward(contact.b, b)])
                    .collect();
                responses(&self.contacts, &outward, &mut self.responses);
            }
            clock.lap(&mut self.stages.shapes);
        }
        self.stages.contacts = self.contacts.len();
        self.stages.total = clock.total();
    }

    /// The smallest box of all points where two bodies meet; `None` unless shapes were asked for.
    pub fn region(&self, pair: &PairContacts) -> Option<Bounds> {
        let shapes = self.shapes.get(pair.contacts.clone())?;
        Some(Bounds::of(shapes.iter().flat_map(|shape| shape.points().iter().copied())))
    }

    /// Whether anything touches or lies inside anything.
    pub fn collides(&self) -> bool {
        let interferes = self.interference.as_ref().is_some_and(Interference::collides);
        let meet = self.sliced.as_ref().is_some_and(Sliced::collides);
        !self.contacts.is_empty() || !self.containments.is_empty() || interferes || meet
    }

    /// A number that two reports share exactly when they list the same contacts, containments and bodies inside bodies
    /// (FNV-1a; for comparing runs, threads and machines, not for security).
    pub fn hash(&self) -> u64 {
        let contacts = self
            .contacts
            .iter()
            .flat_map(|c| [c.a.body.index() as u32, c.a.triangle, c.b.body.index() as u32, c.b.triangle]);
        let containments =
            self.containments.iter().flat_map(|c| [u32::MAX, c.inner.index() as u32, c.outer.index() as u32]);
        let interfering = self.interference.iter().flat_map(|interference| &interference.pairs);
        let interfering = interfering
            .flat_map(|p| [u32::MAX - 1, p.penetrating.index() as u32, p.penetrated.index() as u32]);
        let meeting = self.sliced.iter().flat_map(|sliced| &sliced.pairs);
        let meeting = meeting
            .filter(|pair| pair.answer != Answer::No)
            .flat_map(|pair| [u32::MAX - 2, pair.a.index() as u32, pair.b.index() as u32]);
        contacts
            .chain(containments)
            .chain(interfering)
            .chain(meeting)
            .flat_map(u32::to_le_bytes)
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}
