//! The flow around the stages that run on the CPU or on the GPU: where contacts can be, then exact arithmetic for what is in
//! doubt.

use super::box_pairs::{Glance, cells, each_pair, glance, is_candidate};
use super::places::{of_one_place, of_one_size};
use super::region::{Near, Party, Region};
use super::signs::{Verdict, decide};
use super::stars::{Known, is_certified};
use super::triangle_filter::{Record, filter, most_voxels, voxels};
use crate::broad_phase::BodyPair;
use crate::contacts::Report;
use crate::contacts::{Method, Options};
use crate::exact::Contact;
use crate::exact::{is_contact, neighbours_touch, triangles_touch};
use crate::image::External;
use crate::image::flow::Flow;
use crate::image::gather::{Member, owner, totals};
use crate::scene::Bounds;
use crate::scene::Element;
use crate::scene::Point;
use crate::scene::Scene;
use crate::util::tolerance::{LARGEST_ERROR, MOST_VAST, SMALLEST_SCENE};

/// Bodies of about one size, near each other: what is looked at in one go.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Where.
    pub region: Region,
    /// How every member takes part.
    pub parties: Vec<Party>,
}

/// What is to be done in a frame.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Every body of the scene, in the order of their ids, but for those held elsewhere, which come last.
    pub members: Vec<Member>,
    /// One after the other; a pair found by two counts once.
    pub runs: Vec<Run>,
}

/// Two triangles that touch, or that exact arithmetic must tell about; numbered through all bodies, the lower first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// The first.
    pub a: u32,
    /// The second.
    pub b: u32,
    /// Whether floats could not tell.
    pub doubtful: bool,
}

/// What was counted on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sifted {
    /// Triangles that were left by boxes of bodies and voxels.
    pub kept: usize,
    /// Pairs of those whose boxes share a point, but for neighbours of which a whole star was certified ([`super::stars`]).
    pub candidates: usize,
    /// Pairs of which all fifteen signs were looked at.
    pub tested: usize,
    /// Pairs left to exact arithmetic on the CPU.
    pub doubtful: usize,
    /// Pairs that floats left in doubt and a GPU told about by exact arithmetic.
    pub settled: usize,
    /// Triangles in more cells than one may be in, which were held against all others.
    pub large: usize,
    /// Times that the GPU did it all over because a buffer was too small.
    pub reruns: usize,
    /// Bytes read back from a GPU.
    pub bytes_read_back: usize,
}

impl Sifted {
    /// Adds what another run counted.
    pub fn add(&mut self, other: &Self) {
        self.kept += other.kept;
        self.candidates += other.candidates;
        self.tested += other.tested;
        self.doubtful += other.doubtful;
        self.settled += other.settled;
        self.large += other.large;
        self.reruns += other.reruns;
        self.bytes_read_back += other.bytes_read_back;
    }
}

/// A triangle whose corners the scene does not hold.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// World positions of its corners.
    pub corners: [Point; 3],
    /// Its vertices.
    pub vertices: [u32; 3],
}

/// Machinery of the method around its stages; keeps what it can between frames.
#[derive(Debug, Default)]
pub struct Sifter {
    flow: Flow,
    known: Known,
}

impl Sifter {
    /// Every stage, on the CPU. `false` where floats cannot hold the scene, or a `u32` cannot number it; nothing was done then.
    pub(crate) fn run(&mut self, scene: &Scene, options: &Options, report: &mut Report) -> bool {
        self.start();
        let Some(members) = Flow::arrange(scene, &[]) else { return false };
        let nears = nears(scene, &members);
        let Some(plan) = self.begin(scene, &[], &nears, report) else { return false };
        self.known.update(scene, &plan.members, false);
        let mut found = Vec::new();
        for run in &plan.runs {
            let certified = certified(scene, &plan.members, &nears, run, &self.known);
            let stages = sift(scene, (&plan.members, &nears), run, &certified, options, &mut found);
            report.sifted.get_or_insert_default().add(&stages);
        }
        self.finish(scene, &plan.members, &found, &|_| None, options, report);
        true
    }

    /// Starts the clock of a frame.
    pub fn start(&mut self) {
        self.flow.start();
    }

    /// Which bodies, and where. `nears` has how each member is stored. `None` where floats cannot hold the scene, or a `u32`
    /// cannot number it.
    pub fn begin(
        &mut self,
        scene: &Scene,
        external: &[External],
        nears: &[Near],
        report: &mut Report,
    ) -> Option<Plan> {
        let members = self.flow.survey(scene, external, Method::Conservative, false, report)?;
        report.complete = true;
        report.sifted = Some(Sifted::default());
        let (pairs, boxes) = (self.flow.pairs(), self.flow.boxes());
        // Of every body the largest number on the way to its world coordinates, and how many triangles it has.
        let mut sizes = vec![(0.0, 0); boxes.len()];
        for member in &members {
            let Some(body) = scene.body(member.id) else { continue };
            let other = external.iter().find(|other| other.id == member.id);
            let magnitude = other.map_or_else(
                || body.world_magnitude(),
                |other| body.pose().magnitude(other.local.magnitude()),
            );
            sizes[member.id.index()] = (magnitude, member.triangles);
        }
        let mut runs = Vec::new();
        for pairs in of_one_size(pairs, boxes) {
            for pairs in of_one_place(pairs, boxes) {
                let mut slots: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
                slots.sort_unstable();
                slots.dedup();
                let here = |slot: u32| slots.binary_search(&slot).is_ok();
                // What bodies can have in common is no farther out than the nearer of two. But one with many triangles must be
                // placed, not vast; and numbers too small for parts of them are held against larger ones, if there are any.
                let of_pair = |pair: &BodyPair| {
                    let (a, b) = (sizes[pair.a as usize], sizes[pair.b as usize]);
                    if a.0 <= b.0 { (a, b) } else { (b, a) }
                };
                let nearer = |pair: &BodyPair| {
                    let (smaller, larger) = of_pair(pair);
                    if larger.1 > MOST_VAST { larger.0 } else { smaller.0 }
                };
                let nearer = pairs.iter().map(nearer).fold(0.0, f64::max);
                let farther = || pairs.iter().map(|pair| of_pair(pair).1.0).fold(0.0, f64::max);
                let magnitude = if nearer < SMALLEST_SCENE { farther() } else { nearer };
                let Some(region) = Region::of(&pairs, boxes, magnitude) else { continue };
                let party = |(member, near): (&Member, &Near)| {
                    let slot = member.id.index();
                    let Some(body) = scene.body(member.id).filter(|_| here(slot as u32)) else {
                        return Party::NOBODY;
                    };
                    let itself = pairs.binary_search(&BodyPair::same(slot)).is_ok();
                    let magnitude = magnitude.max(sizes[slot].0);
                    region.party((body.pose(), near, itself), slot, &pairs, boxes, magnitude)
                };
                let parties: Vec<Party> = members.iter().zip(nears).map(party).collect();
                let fits = |party: &Party| {
                    (party.error < LARGEST_ERROR || party.is_vast())
                        && party.rows.iter().flatten().all(|x| x.is_finite())
                };
                if magnitude < SMALLEST_SCENE && magnitude > 0.0 || !parties.iter().all(fits) {
                    return None;
                }
                runs.push(Run { region, parties });
            }
        }
        Some(Plan { members, runs })
    }

    /// Exact arithmetic for what is in doubt, containments, and the end of the report. `elsewhere` has triangles that the scene
    /// does not hold.
    pub fn finish(
        &mut self,
        scene: &Scene,
        members: &[Member],
        found: &[Found],
        elsewhere: &dyn Fn(Element) -> Option<Elsewhere>,
        options: &Options,
        report: &mut Report,
    ) {
        self.flow.culled(report);
        let element = |triangle: u32| {
            let member = &members[owner(members, triangle)];
            Element { body: member.id, triangle: triangle - member.first_triangle }
        };
        // Numbers are sorted faster than contacts are, and within two bodies that is the order of contacts.
        let mut sorted = found.to_vec();
        sorted.sort_unstable_by_key(|pair| u64::from(pair.a) << 32 | u64::from(pair.b));
        report.contacts.reserve(sorted.len());
        for pair in &sorted {
            let (a, b) = (element(pair.a), element(pair.b));
            // Bodies held elsewhere are numbered last, whatever their ids.
            let (a, b) = if (a.body, a.triangle) <= (b.body, b.triangle) { (a, b) } else { (b, a) };
            if !pair.doubtful || touch(scene, a, b, elsewhere) {
                report.contacts.push(Contact { a, b });
            }
        }
        if let Some(stages) = &report.sifted {
            report.stages.candidates = stages.candidates;
            report.stages.exact = stages.doubtful;
        }
        self.flow.finish(scene, options, &|element| elsewhere(element).map(|other| other.corners), report);
    }
}

/// Exact arithmetic.
fn touch(scene: &Scene, a: Element, b: Element, elsewhere: &dyn Fn(Element) -> Option<Elsewhere>) -> bool {
    let (there_a, there_b) = (elsewhere(a), elsewhere(b));
    if there_a.is_none() && there_b.is_none() {
        return match (scene.body(a.body), scene.body(b.body)) {
            (Some(body_a), Some(body_b)) => {
                is_contact(body_a, a.triangle, body_b, b.triangle, a.body == b.body)
            }
            _ => false,
        };
    }
    let here = |element: Element| {
        let body = scene.body(element.body)?;
        let vertices = *body.mesh().triangles().get(element.triangle as usize)?;
        Some(Elsewhere { corners: body.world_corners(element.triangle as usize), vertices })
    };
    match (there_a.or_else(|| here(a)), there_b.or_else(|| here(b))) {
        (Some(p), Some(q)) if a.body == b.body => {
            neighbours_touch([p.corners, q.corners], [p.vertices, q.vertices])
        }
        (Some(p), Some(q)) => triangles_touch(&p.corners, &q.corners),
        _ => false,
    }
}

/// How every member is stored whose mesh the scene holds.
pub fn nears(scene: &Scene, members: &[Member]) -> Vec<Near> {
    let near = |member: &Member| {
        let positions = scene.body(member.id).map(|body| body.mesh().positions());
        Near::of(&Bounds::of(positions.into_iter().flat_map(crate::scene::Positions::iter)))
    };
    members.iter().map(near).collect()
}

/// The stages of one run.
fn sift(
    scene: &Scene,
    (members, nears): (&[Member], &[Near]),
    run: &Run,
    certified: &[bool],
    options: &Options,
    found: &mut Vec<Found>,
) -> Sifted {
    let (mut records, others) = records(scene, members, nears, run);
    if others.contains(&true) {
        let most = most_voxels(records.len());
        filter(&mut records, &others, &voxels(&run.region, most as f32));
    }
    let options = &options.conservative;
    let lattice = cells(&run.region, &records, options);
    let is_large =
        |record: &&Record| super::triangle_filter::volume(lattice.span(record)) > options.most_cells;
    let mut stages =
        Sifted { kept: records.len(), large: records.iter().filter(is_large).count(), ..Sifted::default() };
    each_pair(&records, &lattice, options, |i, j| {
        let (mut a, mut b) = (&records[i], &records[j]);
        let side_by_side = || a.vertices.iter().any(|v| certified[*v as usize] && b.vertices.contains(v));
        if !is_candidate(a, b) || side_by_side() {
            return;
        }
        // Rounding depends on the order.
        if a.triangle > b.triangle {
            (a, b) = (b, a);
        }
        stages.candidates += 1;
        let verdict = match glance(a, b) {
            Glance::Apart => Verdict::Apart,
            Glance::Doubtful => Verdict::Doubtful,
            Glance::Test => {
                stages.tested += 1;
                decide(a, b)
            }
        };
        if verdict != Verdict::Apart {
            let doubtful = verdict == Verdict::Doubtful;
            stages.doubtful += usize::from(doubtful);
            found.push(Found { a: a.triangle, b: b.triangle, doubtful });
        }
    });
    stages
}

/// For every vertex whether its triangles are certified to share nothing but it and their edges.
fn certified(scene: &Scene, members: &[Member], nears: &[Near], run: &Run, known: &Known) -> Vec<bool> {
    let mut certified = vec![false; totals(members)[0] as usize];
    let parties = members.iter().zip(nears).zip(&run.parties).filter(|(_, party)| party.self_collision);
    for ((member, near), party) in parties {
        let (Some(body), Some((_, rings))) = (scene.body(member.id), known.of_body(member.id)) else {
            continue;
        };
        let placed: Vec<[f32; 3]> =
            body.mesh().positions().iter().map(|p| party.place(near.store(p))).collect();
        let mut ring = Vec::new();
        for vertex in 0..placed.len() {
            let around = rings.of(vertex);
            ring.clear();
            ring.extend(around.iter().map(|v| placed[*v as usize]));
            let closed = around.first() == around.last();
            certified[member.first_vertex as usize + vertex] =
                is_certified(placed[vertex], &ring, closed, 2.0 * party.error);
        }
    }
    certified
}

/// Triangles whose boxes meet what their body has in common with others, and all of those that look at themselves; and whether
/// each meets others.
pub fn records(scene: &Scene, members: &[Member], nears: &[Near], run: &Run) -> (Vec<Record>, Vec<bool>) {
    let (mut records, mut others) = (Vec::new(), Vec::new());
    for (index, ((member, near), party)) in members.iter().zip(nears).zip(&run.parties).enumerate() {
        let Some(body) = scene.body(member.id).filter(|_| party.is_active()) else { continue };
        let placed: Vec<[f32; 3]> =
            body.mesh().positions().iter().map(|p| party.place(near.store(p))).collect();
        for (triangle, vertices) in body.mesh().triangles().iter().enumerate() {
            let corners = vertices.map(|vertex| placed[vertex as usize]);
            let global = vertices.map(|vertex| vertex + member.first_vertex);
            let number = member.first_triangle + triangle as u32;
            let record = Record::new(corners, global, number, (index as u32, party));
            let meets = record.meets_others(party);
            if meets || party.self_collision {
                records.push(record);
                others.push(meets);
            }
        }
    }
    (records, others)
}
