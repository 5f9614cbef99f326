//! One frame, for any method, on the CPU or a GPU: bodies, pairs of bodies, pairs of triangles, contacts, what lies inside what,
//! what pairs of bodies are to each other, shapes and responses.

use super::culler::{Completeness, Culler};
use super::method::{Method, Options};
use super::report::Report;
use super::sink::CandidateSink;
use crate::broad_phase::{BodyPair, BroadPhase, Frame, FrameBodies};
use crate::exact::{PairContacts, responses, shapes};
use crate::scene::{BodyId, Element, Point, Scene, counts};
use crate::solid::Containments;
use crate::util::clock::Clock;
use crate::util::query::Query;

/// What every method shares between frames.
#[derive(Debug, Default)]
pub struct Driver {
    broad_phase: BroadPhase,
    bodies: FrameBodies,
    sink: CandidateSink,
    containments: Containments,
    /// The answer of the last frame.
    pub report: Report,
}

impl Driver {
    /// The last frame's pairs of bodies, sorted.
    pub fn pairs(&self) -> &[BodyPair] {
        self.broad_phase.pairs()
    }

    /// Takes a frame through `culler`, which is what `method` names. The answer is in [`Self::report`]; `false` where the scene
    /// is beyond the method, and nothing is there then.
    pub fn run<C: Culler>(
        &mut self,
        culler: &mut C,
        method: Method,
        scene: &Scene,
        options: &Options,
    ) -> Result<bool, C::Error> {
        let answered = self.frame(culler, method, scene, options);
        if !matches!(answered, Ok(true)) {
            self.report.contacts.clear();
        }
        answered
    }

    fn frame<C: Culler>(
        &mut self,
        culler: &mut C,
        method: Method,
        scene: &Scene,
        options: &Options,
    ) -> Result<bool, C::Error> {
        let mut clock = Clock::start();
        // Whether anything touches is found so fast that reading the time at every border would be a tenth of it.
        let every_stage = options.query == Query::All;
        let Self { broad_phase, bodies, sink, containments, report } = self;
        report.begin(method);
        culler.update(scene, bodies)?;
        [report.stages.bodies, report.stages.triangles] = counts(scene, &bodies.external);
        if every_stage {
            clock.lap(&mut report.stages.update);
        }

        let frame = broad_phase.frame(scene, bodies, culler.reach());
        report.stages.body_pairs = frame.pairs.len();
        if every_stage {
            clock.lap(&mut report.stages.broad_phase);
        }

        sink.ask(options.query, options.threads);
        culler.prepare(&frame, sink);
        clock.lap(&mut report.stages.update);
        sink.begin(&frame);
        let completeness = culler.candidates(&frame, sink)?;
        if completeness == Completeness::Beyond {
            return Ok(false);
        }
        report.complete = completeness == Completeness::Complete;
        report.stats = culler.stats();
        if every_stage {
            // Finding pairs and deciding them take turns: the time is divided as they were seen to divide it.
            clock.lap_without(&mut report.stages.culling, sink.testing);
        }
        sink.finish(&frame, &mut report.contacts, &mut report.stages);
        report.summarise_pairs();
        clock.lap(&mut report.stages.narrow_phase);

        let relations = options.relations && options.query == Query::All && report.complete;
        if relations || options.containment && !(options.query == Query::Any && report.collides()) {
            find_containments(containments, &frame, report);
            if relations {
                find_relations(containments, &frame, report);
            }
            clock.lap(&mut report.stages.containment);
        }
        if options.query == Query::Any {
            report.keep_one();
        }
        if options.shapes || options.responses {
            describe(&frame, sink, options, report);
            clock.lap(&mut report.stages.shapes);
        }
        report.stages.contacts = report.contacts.len();
        report.stages.total = clock.total();
        Ok(true)
    }
}

/// Bodies inside others. That asks for every contact of a pair: a body may touch from inside the one that holds it. A sampled
/// list may lack some, but a pair whose list is empty most likely has none; a body that pokes out between rays is taken for one
/// inside. Of what is held elsewhere there is too little here to tell what is inside it.
fn find_containments(containments: &mut Containments, frame: &Frame<'_>, report: &mut Report) {
    let listed = |pair: &BodyPair| {
        let slots = |pair: &PairContacts| (pair.a.index() as u32, pair.b.index() as u32);
        report.pairs.binary_search_by(|listed| slots(listed).cmp(&(pair.a, pair.b))).is_ok()
    };
    let here = |pair: &BodyPair| {
        !frame.external.iter().any(|body| [pair.a, pair.b].contains(&(body.id.index() as u32)))
    };
    let asked = |pair: &&BodyPair| (report.complete || !listed(pair)) && here(pair);
    let contacts = |a, b| {
        let range = report.pairs.binary_search_by(|listed| (listed.a, listed.b).cmp(&(a, b)));
        range.map_or(&[][..], |at| &report.contacts[report.pairs[at].contacts.clone()])
    };
    let pairs = frame.pairs.iter().filter(asked);
    containments.find(frame.scene, pairs, frame.boxes, &contacts, &mut report.containments);
}

/// What pairs of bodies are to each other, but for those that are held elsewhere.
fn find_relations(containments: &mut Containments, frame: &Frame<'_>, report: &mut Report) {
    let is_here = |id: BodyId| frame.external.iter().all(|body| body.id != id);
    let pairs: Vec<PairContacts> =
        report.pairs.iter().filter(|pair| is_here(pair.a) && is_here(pair.b)).cloned().collect();
    let is_listed = |[a, b]: [BodyId; 2]| {
        report.pairs.binary_search_by_key(&(a, b), |listed| (listed.a, listed.b)).is_ok()
    };
    let ids =
        |pair: &BodyPair| Some([frame.scene.at(pair.a as usize)?.0, frame.scene.at(pair.b as usize)?.0]);
    let apart = frame.pairs.iter().filter_map(ids);
    let apart = apart.filter(|&[a, b]| a != b && is_here(a) && is_here(b) && !is_listed([a, b]));
    let Report { contacts, containments: known, relations, .. } = report;
    containments.relate(frame.scene, &pairs, apart, contacts, known, relations);
}

/// Shapes and responses of all contacts.
fn describe(frame: &Frame<'_>, sink: &CandidateSink, options: &Options, report: &mut Report) {
    // Every contact was found in the scene or elsewhere.
    let corners = |element| sink.triangle(frame, element).map_or([[0.0; 3]; 3], |triangle| triangle.corners);
    let pairs: Vec<[[Point; 3]; 2]> =
        report.contacts.iter().map(|contact| [corners(contact.a), corners(contact.b)]).collect();
    if options.shapes {
        shapes(&pairs, &mut report.shapes);
    }
    if options.responses {
        // A mirror turns triangles around, and their normals with them.
        let mirrored =
            |element: Element| frame.scene.body(element.body).is_some_and(|body| body.pose().is_mirror());
        let outward = |element, [a, b, c]: [Point; 3]| if mirrored(element) { [a, c, b] } else { [a, b, c] };
        let outward: Vec<[[Point; 3]; 2]> = report
            .contacts
            .iter()
            .zip(&pairs)
            .map(|(contact, &[a, b])| [outward(contact.a, a), outward(contact.b, b)])
            .collect();
        responses(&report.contacts, &outward, &mut report.responses);
    }
}
