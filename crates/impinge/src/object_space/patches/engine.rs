//! Keeps the patches of all bodies between frames and takes a frame through the stages.

use super::active::{Activate, ActivePatch};
use super::filters::{BATCH, Except, Filter, Filters, PatchPair};
use super::kept::{Kept, NONE, Seen};
use super::neighbours::Queue;
use super::order;
use super::place::{self, Placement};
use super::regions::{self, Side};
use super::relative::{Inverse, Relative};
use super::sort::sort;
use super::tree::{Boxes, Compare, NodeBox, Part};
use crate::body_pairs::BodyPair;
use crate::bounds::Bounds;
use crate::collide::Query;
use crate::narrow_phase::is_contact;
use crate::object_space::lanes::Machine;
use crate::pose::Pose;
use crate::report::{Contact, Element, Report};
use crate::scene::Scene;
use crate::threads;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Parts that the vertex stars of a body are dealt out in.
const STAR_TASKS: usize = 64;

/// Two patches of two bodies (or of one) whose boxes meet.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    /// Index into the body pairs.
    bodies: u32,
    patches: [u32; 2],
    /// Places in the pool.
    active: [u32; 2],
}

impl Meeting {
    fn new(bodies: usize, p: u32, q: u32) -> Self {
        Self { bodies: bodies as u32, patches: [p, q], active: [NONE; 2] }
    }
}

/// A contact before it is sorted: index of the body pair; triangle of `a` above triangle of `b`.
pub(crate) type Found = (u32, u64);

/// The patch behind a place in the pool, and whether its coordinates still have to be read.
#[derive(Clone, Copy, Debug)]
struct Owner {
    slot: u32,
    patch: u32,
    fresh: bool,
}

/// What one thread needs.
#[derive(Debug, Default)]
struct Scratch {
    filters: Filters,
    found: Vec<Found>,
    exact: usize,
    meetings: Vec<Meeting>,
    neighbours: Queue,
    /// Vertices whose stars are not certified.
    failed: Vec<u32>,
}

/// The culler and its memory.
#[derive(Debug)]
pub(crate) struct Engine {
    machine: Machine,
    /// A power of two that takes every coordinate of the scene to at most 1.
    unit: f64,
    bodies: Vec<Kept>,
    boxes: Vec<Bounds>,
    centres: Vec<order::Centre>,
    /// Active patches, whose they are, and places that are free.
    pool: Vec<ActivePatch>,
    owners: Vec<Owner>,
    free: Vec<u32>,
    meetings: Vec<Meeting>,
    scratch: Vec<Mutex<Scratch>>,
    found: Vec<Found>,
    /// Room for sorting.
    keys: [Vec<u64>; 2],
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            machine: Machine::detect(),
            unit: 0.0,
            bodies: Vec::new(),
            boxes: Vec::new(),
            centres: Vec::new(),
            pool: Vec::new(),
            owners: Vec::new(),
            free: Vec::new(),
            meetings: Vec::new(),
            scratch: Vec::new(),
            found: Vec::new(),
            keys: Default::default(),
        }
    }
}

impl Engine {
    /// The box of every body, by slot, possibly a little too large; empty where there is none.
    pub(crate) fn boxes(&self) -> &[Bounds] {
        &self.boxes
    }

    /// What the lanes are made of.
    pub(crate) fn lanes(&self) -> &'static str {
        self.machine.name()
    }

    /// Follows the scene: moves what moved, and takes the box of what is new.
    pub(crate) fn update(&mut self, scene: &Scene) {
        self.choose_unit(scene);
        for slot in scene.slots()..self.bodies.len() {
            self.release(slot);
        }
        self.bodies.resize_with(scene.slots(), Kept::default);
        self.boxes.resize(scene.slots(), Bounds::EMPTY);
        for slot in 0..scene.slots() {
            let Some((_, body)) = scene.at(slot) else {
                self.release(slot);
                self.bodies[slot] = Kept::default();
                self.boxes[slot] = Bounds::EMPTY;
                continue;
            };
            if self.bodies[slot].is_current(body) {
                continue;
            }
            self.release(slot);
            let kept = &mut self.bodies[slot];
            kept.follow(body, self.machine);
            self.boxes[slot] = kept.world_box(body);
        }
    }

    fn choose_unit(&mut self, scene: &Scene) {
        let largest = scene.bodies().map(|(_, body)| body.world_magnitude()).fold(0.0, f64::max);
        // Room to grow by 2^4 before the unit must change again, and to shrink by 2^40.
        if largest * self.unit <= 1.0 && largest * self.unit >= 2f64.powi(-40) {
            return;
        }
        // Magnitudes are finite but for the doubling in them; an infinite one ends up at the largest exponent.
        let exponent = if largest > 0.0 { largest.log2().ceil().min(1016.0) as i32 + 4 } else { 0 };
        self.unit = 2f64.powi((-exponent).clamp(-1020, 1020));
        for slot in 0..self.bodies.len() {
            self.release(slot);
        }
    }

    /// Gives the active patches of a body back.
    fn release(&mut self, slot: usize) {
        let kept = &mut self.bodies[slot];
        for patch in kept.used.drain(..) {
            let place = std::mem::replace(&mut kept.active[patch as usize], NONE);
            self.free.push(place);
        }
    }

    /// Puts the bodies that may touch something, and have no patches yet, into patches.
    pub(crate) fn prepare(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let mut new = false;
        for pair in body_pairs {
            for slot in [pair.a as usize, pair.b as usize] {
                let Some((_, body)) = scene.at(slot) else { continue };
                let kept = &mut self.bodies[slot];
                let wants_all = body.self_collision() || kept.seen == Seen::Before || Kept::is_small(body);
                if kept.wants_patches(wants_all) {
                    if wants_all {
                        kept.build(body, None, &mut self.centres, self.machine);
                    } else {
                        new = true;
                    }
                }
                if body.self_collision() {
                    kept.build_stars(body);
                }
            }
        }
        if new {
            self.first_look(scene, body_pairs);
        }
    }

    /// Patches of only those triangles of new bodies that can matter this frame.
    fn first_look(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let is_new = |kept: &Kept| kept.wants_patches(false);
        let slots: Vec<usize> = (0..self.bodies.len()).filter(|&slot| is_new(&self.bodies[slot])).collect();
        let mut buffers = vec![Vec::new(); slots.len()];
        let mut sides = Vec::with_capacity(slots.len());
        // Bodies that meet one which has its patches already keep everything near it; the others share a grid.
        let mut near_old = Vec::with_capacity(slots.len());
        for (&slot, buffer) in slots.iter().zip(&mut buffers) {
            let Some((_, body)) = scene.at(slot) else { continue };
            let partners = body_pairs.iter().filter(|pair| pair.a != pair.b).filter_map(|pair| {
                let other = if pair.a as usize == slot { pair.b } else { pair.a };
                (pair.a as usize == slot || pair.b as usize == slot).then_some(other as usize)
            });
            let mut old = false;
            let mut common = Vec::new();
            for other in partners {
                old |= !is_new(&self.bodies[other]);
                let (a, b) = (NodeBox::from(&self.boxes[slot]), NodeBox::from(&self.boxes[other]));
                common.push(a.intersection(&b));
            }
            let (positions, error) = place::world_floats(body, self.bodies[slot].identity, buffer);
            sides.push(Side { positions, error, corners: body.mesh().triangles(), regions: common });
            near_old.push(old);
        }
        let lists = regions::survivors(&sides, &near_old);
        drop(sides);
        for (&slot, list) in slots.iter().zip(&lists) {
            if let Some((_, body)) = scene.at(slot) {
                self.bodies[slot].build(body, Some(list), &mut self.centres, self.machine);
            }
        }
    }

    /// All contacts of the body pairs, or the first that is found, appended to the report in order.
    pub(crate) fn contacts(
        &mut self,
        scene: &Scene,
        body_pairs: &[BodyPair],
        query: Query,
        report: &mut Report,
    ) {
        let start = Instant::now();
        self.scratch.resize_with(rayon::current_num_threads().max(1), Mutex::default);
        if query == Query::Any {
            self.find_any(scene, body_pairs);
            report.stages.culling = start.elapsed();
        } else {
            self.meet_all(scene, body_pairs);
            report.stages.culling = start.elapsed();
            let start = Instant::now();
            self.decide_all(scene, body_pairs);
            report.stages.narrow_phase = start.elapsed();
        }
        let start = Instant::now();
        self.collect(scene, body_pairs, report);
        report.stages.narrow_phase += start.elapsed();
    }

    fn decide_all(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let mut meetings = std::mem::take(&mut self.meetings);
        let looks_at_itself =
            (0..body_pairs.len()).filter(|&index| body_pairs[index].a == body_pairs[index].b);
        if threads::many() && meetings.len() > BATCH {
            for meeting in &mut meetings {
                self.give_places(meeting, body_pairs);
            }
            self.activate_fresh(scene);
            let engine = &*self;
            meetings.par_chunks(BATCH).for_each(|batch| {
                engine.with_scratch(|scratch| engine.decide(scene, batch, body_pairs, scratch));
            });
            for index in looks_at_itself {
                (0..STAR_TASKS).into_par_iter().for_each(|part| {
                    engine.with_scratch(|scratch| {
                        engine.decide_neighbours(
                            scene,
                            index,
                            body_pairs[index].a,
                            [part, STAR_TASKS],
                            scratch,
                        );
                    });
                });
            }
        } else {
            // Activated just before they are used, patches are still in the cache.
            for batch in meetings.chunks_mut(BATCH) {
                self.ready(scene, batch, body_pairs);
                self.with_scratch(|scratch| self.decide(scene, batch, body_pairs, scratch));
            }
            for index in looks_at_itself {
                self.with_scratch(|scratch| {
                    self.decide_neighbours(scene, index, body_pairs[index].a, [0, 1], scratch);
                });
            }
        }
        self.meetings = meetings;
    }

    /// Stops at the first contact.
    fn find_any(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        for (index, &pair) in body_pairs.iter().enumerate() {
            let mut meetings = std::mem::take(&mut self.meetings);
            meetings.clear();
            if let Some((part, boxes)) = self.walk(scene, pair) {
                part.walk(&boxes, &mut |p, q| meetings.push(Meeting::new(index, p, q)));
            }
            self.meetings = meetings;
            for at in 0..self.meetings.len() {
                let mut meeting = [self.meetings[at]];
                self.ready(scene, &mut meeting, body_pairs);
                let engine = &*self;
                let found = engine.with_scratch(|scratch| {
                    engine.decide(scene, &meeting, body_pairs, scratch);
                    !scratch.found.is_empty()
                });
                if found {
                    return;
                }
            }
            if pair.a == pair.b {
                let engine = &*self;
                let found = engine.with_scratch(|scratch| {
                    engine.decide_neighbours(scene, index, pair.a, [0, 1], scratch);
                    !scratch.found.is_empty()
                });
                if found {
                    return;
                }
            }
        }
    }

    /// Gathers what the threads found, sorts it, and writes the contacts.
    fn collect(&mut self, scene: &Scene, body_pairs: &[BodyPair], report: &mut Report) {
        let found = &mut self.found;
        found.clear();
        for scratch in &mut self.scratch {
            let scratch = scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
            found.append(&mut scratch.found);
            report.stages.exact += std::mem::take(&mut scratch.exact);
            report.stages.candidates += std::mem::take(&mut scratch.filters.candidates);
        }
        let triangles = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).max().unwrap_or(0);
        let [keys, spare] = &mut self.keys;
        let contacts = &mut report.contacts;
        sort(found, keys, spare, [body_pairs.len(), triangles], |(pair, triangles)| {
            let pair = body_pairs[pair as usize];
            // Pairs name bodies that are in the scene.
            if let (Some((a, _)), Some((b, _))) = (scene.at(pair.a as usize), scene.at(pair.b as usize)) {
                contacts.push(Contact {
                    a: Element { body: a, triangle: (triangles >> 32) as u32 },
                    b: Element { body: b, triangle: triangles as u32 },
                });
            }
        });
    }

    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.scratch.len();
        // A scratch is only its own thread's; a panic elsewhere leaves nothing in it that matters.
        let mut scratch = self.scratch[thread].lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut scratch)
    }

    /// Patches of all body pairs whose boxes meet.
    fn meet_all(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let mut meetings = std::mem::take(&mut self.meetings);
        meetings.clear();
        if threads::many() {
            let engine = &*self;
            body_pairs.par_iter().enumerate().for_each(|(index, &pair)| {
                let Some((part, boxes)) = engine.walk(scene, pair) else { return };
                part.split(&boxes, &|part: Part| {
                    engine.with_scratch(|scratch| {
                        part.walk(&boxes, &mut |p, q| scratch.meetings.push(Meeting::new(index, p, q)));
                    });
                });
            });
            for scratch in &mut self.scratch {
                meetings.append(&mut scratch.get_mut().unwrap_or_else(PoisonError::into_inner).meetings);
            }
        } else {
            for (index, &pair) in body_pairs.iter().enumerate() {
                if let Some((part, boxes)) = self.walk(scene, pair) {
                    part.walk(&boxes, &mut |p, q| meetings.push(Meeting::new(index, p, q)));
                }
            }
        }
        self.meetings = meetings;
    }

    /// The walk over the trees of two bodies, or of one; `None` when there is nothing to walk over.
    fn walk<'a>(&'a self, scene: &Scene, pair: BodyPair) -> Option<(Part, Boxes<'a>)> {
        let (a, b) = (&self.bodies[pair.a as usize], &self.bodies[pair.b as usize]);
        if a.patches.len() == 0 || b.patches.len() == 0 {
            return None;
        }
        let compare = if a.is_in_world() && b.is_in_world() {
            Compare::Same
        } else if pair.a == pair.b {
            Compare::Near(a.rounding_in_body())
        } else {
            let ((_, body_a), (_, body_b)) = (scene.at(pair.a as usize)?, scene.at(pair.b as usize)?);
            let identity = (Pose::IDENTITY, Inverse::IDENTITY);
            Compare::Posed(Relative::new(a.placed(body_a, &identity), b.placed(body_b, &identity)))
        };
        let part = Part::whole(a.patches.len(), b.patches.len(), pair);
        Some((part, Boxes { a: &a.nodes, b: &b.nodes, compare }))
    }

    /// Gives both patches of a meeting a place in the pool.
    fn give_places(&mut self, meeting: &mut Meeting, body_pairs: &[BodyPair]) {
        let pair = body_pairs[meeting.bodies as usize];
        for (side, slot) in [pair.a, pair.b].into_iter().enumerate() {
            let kept = &mut self.bodies[slot as usize];
            let patch = meeting.patches[side];
            let place = &mut kept.active[patch as usize];
            if *place == NONE {
                let owner = Owner { slot, patch, fresh: true };
                *place = if let Some(place) = self.free.pop() {
                    self.owners[place as usize] = owner;
                    place
                } else {
                    self.pool.push(ActivePatch::BLANK);
                    self.owners.push(owner);
                    self.pool.len() as u32 - 1
                };
                kept.used.push(patch);
            }
            meeting.active[side] = *place;
        }
    }

    /// Gives the patches of a batch places and reads those that are fresh.
    fn ready(&mut self, scene: &Scene, batch: &mut [Meeting], body_pairs: &[BodyPair]) {
        for meeting in batch {
            self.give_places(meeting, body_pairs);
            for place in meeting.active {
                let owner = &mut self.owners[place as usize];
                if std::mem::take(&mut owner.fresh) {
                    activate(
                        scene,
                        &self.bodies,
                        *owner,
                        self.unit,
                        self.machine,
                        &mut self.pool[place as usize],
                    );
                }
            }
        }
    }

    /// Reads all fresh patches, on all threads.
    fn activate_fresh(&mut self, scene: &Scene) {
        let (bodies, unit, machine) = (&self.bodies, self.unit, self.machine);
        self.pool.par_iter_mut().zip(&mut self.owners).with_min_len(16).for_each(|(active, owner)| {
            if std::mem::take(&mut owner.fresh) {
                activate(scene, bodies, *owner, unit, machine, active);
            }
        });
    }

    /// Filters and exact tests for one batch of meetings.
    fn decide(&self, scene: &Scene, batch: &[Meeting], body_pairs: &[BodyPair], scratch: &mut Scratch) {
        let ready = |meeting: &Meeting| {
            let pair = body_pairs[meeting.bodies as usize];
            let [a, b] = meeting.active.map(|place| &self.pool[place as usize]);
            PatchPair { a, b, except: self.except(pair, meeting.patches) }
        };
        let Some(first) = batch.first().map(ready) else { return };
        let mut pairs = [first; BATCH];
        for (pair, meeting) in pairs.iter_mut().zip(batch).skip(1) {
            *pair = ready(meeting);
        }
        let Scratch { filters, found, exact, .. } = scratch;
        filters.hits.clear();
        filters.doubts.clear();
        self.machine.run(Filter { pairs: &pairs[..batch.len().min(BATCH)], filters });
        *exact += filters.doubts.len();
        let certain = filters.hits.iter().map(|hit| (hit, true));
        for (lanes, certain) in certain.chain(filters.doubts.iter().map(|doubt| (doubt, false))) {
            let meeting = &batch[lanes.pair()];
            let pair = body_pairs[meeting.bodies as usize];
            let same = pair.a == pair.b;
            let triangle = |slot: u32, patch: u32, lane: usize| {
                self.bodies[slot as usize].patches.triangles_of(patch as usize)[lane]
            };
            let mut i = triangle(pair.a, meeting.patches[0], lanes.a());
            let mut j = triangle(pair.b, meeting.patches[1], lanes.b());
            if same && i > j {
                std::mem::swap(&mut i, &mut j);
            }
            let exactly = || {
                let bodies = scene.at(pair.a as usize).zip(scene.at(pair.b as usize));
                bodies.is_some_and(|((_, a), (_, b))| is_contact(a, i, b, j, same))
            };
            if certain || exactly() {
                found.push((meeting.bodies, u64::from(i) << 32 | u64::from(j)));
            }
        }
    }

    fn except(&self, pair: BodyPair, [p, q]: [u32; 2]) -> Except<'_> {
        match &self.bodies[pair.a as usize].stars {
            Some(stars) if pair.a == pair.b && p == q => Except::Within(&stars.within[p as usize]),
            Some(stars) if pair.a == pair.b => Except::Across(stars.across(p, q)),
            _ => Except::Nothing,
        }
    }

    fn decide_neighbours(
        &self,
        scene: &Scene,
        index: usize,
        slot: u32,
        part: [usize; 2],
        scratch: &mut Scratch,
    ) {
        let kept = &self.bodies[slot as usize];
        if let (Some(stars), Some((_, body))) = (&kept.stars, scene.at(slot as usize)) {
            let at = Placement { body, identity: kept.identity, unit: self.unit };
            let Scratch { found, exact, neighbours, failed, .. } = scratch;
            stars.uncertified(at, &kept.patches, self.machine, part, (failed, neighbours), |[i, j]| {
                *exact += 1;
                if is_contact(body, i, body, j, true) {
                    found.push((index as u32, u64::from(i) << 32 | u64::from(j)));
                }
            });
        }
    }
}

/// Reads the coordinates of one patch.
fn activate(
    scene: &Scene,
    bodies: &[Kept],
    owner: Owner,
    unit: f64,
    machine: Machine,
    active: &mut ActivePatch,
) {
    let kept = &bodies[owner.slot as usize];
    if let Some((_, body)) = scene.at(owner.slot as usize) {
        let at = Placement { body, identity: kept.identity, unit };
        machine.run(Activate { at, patches: &kept.patches, patch: owner.patch, active });
    }
}
