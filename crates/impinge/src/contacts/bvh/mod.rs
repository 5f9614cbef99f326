//! Keeps the patches of all bodies between frames and takes a frame through the stages.

mod edges;
mod filters;
mod prepare;
mod queues;
mod sort;
pub(crate) mod test_batch;

use self::prepare::LEAST_FINER;
use self::sort::{MERGED, Packing, Unsorted, sort_all};
use self::test_batch::{Meeting, Scratch, decide_neighbours, walk};
use super::Query;
use super::Report;
use crate::broad_phase::BodyPair;
use crate::bvh::body_cache::Kept;
use crate::bvh::inspect;
use crate::bvh::inspect::Visits;
use crate::bvh::placement::unit;
use crate::bvh::pool::{Pool, Source};
use crate::bvh::rebuild::Renewal;
use crate::bvh::tree::{Boxes, Part};
use crate::exact::Contact;
use crate::scene::Bounds;
use crate::scene::Element;
use crate::scene::Scene;
use crate::simd::Machine;
use crate::util::clock::Clock;
use crate::util::threads;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How much of decayed patches is made anew in one frame: this part of all triangles, taken one step on; but not less
/// than this.
const RENEWED: usize = 16;
const LEAST_RENEWED: usize = 8192;
/// Parts that the vertex stars of a body are dealt out in.
const STAR_TASKS: usize = 64;

/// Where one contact will do, a body gets finer boxes after its tree was walked over so often; in a scene of up to so many
/// triangles at once.
const FINER_PATIENCE: u32 = 128;
const SMALL_SCENE: usize = 1 << 14;

/// Patches that a body lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Nothing,
    /// Of what can matter this frame.
    WhatMatters,
    All,
}

/// The culler and its memory.
#[derive(Debug)]
pub(crate) struct Engine {
    machine: Machine,
    /// A power of two that takes every coordinate of the scene to at most 1.
    unit: f64,
    bodies: Vec<Kept>,
    boxes: Vec<Bounds>,
    /// Bodies that moved, and what patches are wanted, by slot.
    moved: Vec<bool>,
    wanted: Vec<Wanted>,
    renewal: Renewal,
    scratch: Vec<Mutex<Scratch>>,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            machine: Machine::detect(),
            unit: 0.0,
            bodies: Vec::new(),
            boxes: Vec::new(),
            moved: Vec::new(),
            wanted: Vec::new(),
            renewal: Renewal::default(),
            scratch: Vec::new(),
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
        let threads = if threads::many() { rayon::current_num_threads() } else { 1 };
        self.scratch.resize_with(threads, Mutex::default);
        self.choose_unit(scene);
        self.for_each_pool(|pool| pool.resize(scene.slots()));
        self.bodies.resize_with(scene.slots(), Kept::default);
        self.boxes.resize(scene.slots(), Bounds::EMPTY);
        self.moved.clear();
        for slot in 0..scene.slots() {
            let body = scene.at(slot);
            let current = body.is_some_and(|(_, body)| self.bodies[slot].is_current(body));
            self.moved.push(!current);
        }
        let machine = self.machine;
        let follow = |(((slot, kept), bounds), moved): (((usize, &mut Kept), &mut Bounds), &bool)| {
            if *moved {
                if let Some((_, body)) = scene.at(slot) {
                    kept.follow(body, machine);
                    *bounds = kept.world_box(body);
                } else {
                    (*kept, *bounds) = (Kept::default(), Bounds::EMPTY);
                }
            }
        };
        if threads::many() {
            let bodies = self.bodies.par_iter_mut().enumerate();
            bodies.zip(&mut self.boxes).zip(&self.moved).for_each(follow);
        } else {
            self.bodies.iter_mut().enumerate().zip(&mut self.boxes).zip(&self.moved).for_each(follow);
        }
        for (slot, kept) in self.bodies.iter().enumerate() {
            let stay = !self.moved[slot] || kept.keeps_active;
            for scratch in &mut self.scratch {
                let pool = &mut scratch.get_mut().unwrap_or_else(PoisonError::into_inner).pool;
                pool.set_stay(slot, stay);
                if !stay {
                    pool.release(slot);
                }
            }
        }
        self.renew(scene);
        self.for_each_pool(Pool::forget_unused);
    }

    fn for_each_pool(&mut self, mut work: impl FnMut(&mut Pool)) {
        for scratch in &mut self.scratch {
            work(&mut scratch.get_mut().unwrap_or_else(PoisonError::into_inner).pool);
        }
    }

    /// Goes on with new patches for what has decayed, one body after the other.
    fn renew(&mut self, scene: &Scene) {
        let topology = |slot: usize| scene.at(slot).map(|(_, body)| body.topology_version());
        let mut budget = 0;
        loop {
            let slot = self.renewal.slot(topology);
            let Some(slot) = slot.or_else(|| self.bodies.iter().position(Kept::has_decayed)) else { return };
            let Some((_, body)) = scene.at(slot) else { return };
            if budget == 0 {
                let triangles: usize = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
                budget = (triangles / RENEWED).max(LEAST_RENEWED) as isize;
            }
            if self.renewal.slot(topology).is_none() {
                self.renewal.begin(slot, body.topology_version(), body.mesh());
            }
            let done = self.renewal.go_on(body.mesh(), self.machine, &mut budget);
            if done {
                self.bodies[slot].adopt(&mut self.renewal, body, self.machine);
                self.for_each_pool(|pool| pool.release(slot));
            }
            if budget <= 0 {
                return;
            }
        }
    }

    fn choose_unit(&mut self, scene: &Scene) {
        let largest = scene.bodies().map(|(_, body)| body.world_magnitude()).fold(0.0, f64::max);
        // Room to grow by 2^4 before the unit must change again, and to shrink by 2^12.
        if largest * self.unit <= 1.0 && largest * self.unit >= 2f64.powi(-12) {
            return;
        }
        self.unit = unit(largest);
        self.for_each_pool(Pool::release_all);
    }

    /// All contacts of the body pairs, or the first that is found, appended to the report in order.
    pub(crate) fn contacts(
        &mut self,
        scene: &Scene,
        body_pairs: &[BodyPair],
        query: Query,
        clock: &mut Clock,
        report: &mut Report,
    ) {
        let triangles = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).max().unwrap_or(0);
        let packing = Packing::new(body_pairs.len(), triangles);
        for scratch in &mut self.scratch {
            let scratch = scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
            scratch.turned.forget(query == Query::Any);
            scratch.measure = query == Query::All;
            scratch.found.begin(packing);
        }
        if query == Query::Any {
            self.find_any(scene, body_pairs);
        } else {
            self.find_all(scene, body_pairs);
            // Walking and deciding take turns: the time is divided as they were seen to divide it.
            let deciding = self.scratch.iter_mut().map(|scratch| {
                std::mem::take(&mut scratch.get_mut().unwrap_or_else(PoisonError::into_inner).deciding)
            });
            let deciding = deciding.sum::<Duration>() / self.scratch.len().max(1) as u32;
            clock.lap_without(&mut report.stages.culling, deciding);
        }
        self.collect(scene, body_pairs, report);
        clock.lap(&mut report.stages.narrow_phase);
    }

    /// All contacts.
    fn find_all(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let from = Source { scene, bodies: &self.bodies, unit: self.unit, machine: self.machine };
        let looks_at_itself =
            (0..body_pairs.len()).filter(|&index| body_pairs[index].a == body_pairs[index].b);
        if threads::many() {
            let engine = &*self;
            body_pairs.par_iter().enumerate().for_each(|(index, &pair)| {
                let Some((part, boxes)) = walk(from, pair) else { return };
                part.split(&boxes, &|part: Part| {
                    engine.with_scratch(|scratch| walk_part(from, body_pairs, index, part, &boxes, scratch));
                });
            });
            engine.scratch.par_iter().for_each(|scratch| {
                let mut scratch = scratch.lock().unwrap_or_else(PoisonError::into_inner);
                scratch.decide_waiting(from, body_pairs);
            });
            for index in looks_at_itself {
                (0..STAR_TASKS).into_par_iter().for_each(|part| {
                    engine.with_scratch(|scratch| {
                        decide_neighbours(from, index, body_pairs[index].a, [part, STAR_TASKS], scratch);
                    });
                });
            }
        } else {
            let scratch = only(&mut self.scratch);
            for (index, &pair) in body_pairs.iter().enumerate() {
                if let Some((part, boxes)) = walk(from, pair) {
                    walk_part(from, body_pairs, index, part, &boxes, scratch);
                }
            }
            scratch.decide_waiting(from, body_pairs);
            for index in looks_at_itself {
                decide_neighbours(from, index, body_pairs[index].a, [0, 1], scratch);
            }
        }
    }

    /// What the walks over the trees of these pairs visit, as they stand since the last frame.
    pub(crate) fn visits(&self, scene: &Scene, body_pairs: &[BodyPair]) -> Visits {
        let from = Source { scene, bodies: &self.bodies, unit: self.unit, machine: self.machine };
        inspect::visits(from, body_pairs)
    }

    /// Stops at the first contact.
    fn find_any(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let triangles: usize = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
        let patience = if triangles <= SMALL_SCENE { 0 } else { FINER_PATIENCE };
        let mut budget = LEAST_FINER as isize;
        for (index, &pair) in body_pairs.iter().enumerate() {
            if !(self.bodies[pair.a as usize].is_in_world() && self.bodies[pair.b as usize].is_in_world()) {
                for slot in [pair.a as usize, pair.b as usize] {
                    if self.bodies[slot].was_walked() > patience {
                        self.want_finer(slot, scene, &mut budget);
                    }
                }
            }
            let from = Source { scene, bodies: &self.bodies, unit: self.unit, machine: self.machine };
            let scratch = only(&mut self.scratch);
            if let Some((part, boxes)) = walk(from, pair) {
                part.walk(&boxes, from.machine, &mut |p, q, blocks| {
                    let meeting = Meeting { bodies: index as u32, patches: [p, q], blocks };
                    scratch.meet_likely(from, body_pairs, meeting)
                });
                scratch.meet_unlikely(from, body_pairs);
            }
            if pair.a == pair.b && scratch.found.is_empty() {
                decide_neighbours(from, index, pair.a, [0, 1], scratch);
            }
            if !scratch.found.is_empty() {
                return;
            }
        }
    }

    /// Gathers what the threads found, sorts it, and writes the contacts.
    fn collect(&mut self, scene: &Scene, body_pairs: &[BodyPair], report: &mut Report) {
        // A few lists are merged; what other threads found is put into those before.
        let mut lists: [Unsorted; MERGED] = Default::default();
        for (thread, scratch) in self.scratch.iter_mut().enumerate() {
            let scratch = scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
            match lists.get_mut(thread) {
                Some(list) => *list = std::mem::take(&mut scratch.found),
                None => lists[thread % MERGED].append(&mut scratch.found),
            }
            report.stages.exact += std::mem::take(&mut scratch.exact);
            report.stages.candidates += std::mem::take(&mut scratch.filters.candidates);
        }
        let count = self.scratch.len().min(MERGED);
        let contacts = &mut report.contacts;
        contacts.reserve_exact(lists.iter().map(Unsorted::len).sum());
        // Contacts of one pair come one after the other: look its bodies up once.
        let mut last = (u32::MAX, None);
        sort_all(&mut lists[..count], |(pair, i, j)| {
            if last.0 != pair {
                let BodyPair { a, b } = body_pairs[pair as usize];
                last = (pair, scene.at(a as usize).zip(scene.at(b as usize)));
            }
            // Pairs name bodies that are in the scene.
            if let Some(((a, _), (b, _))) = last.1 {
                contacts.push(Contact {
                    a: Element { body: a, triangle: i },
                    b: Element { body: b, triangle: j },
                });
            }
        });
        for (scratch, list) in self.scratch.iter_mut().zip(lists) {
            scratch.get_mut().unwrap_or_else(PoisonError::into_inner).found = list;
        }
    }

    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.scratch.len();
        // A scratch is only its own thread's; a panic elsewhere leaves nothing in it that matters.
        let mut scratch = self.scratch[thread].lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut scratch)
    }
}

/// Decides all patches whose boxes meet in a part of a walk.
fn walk_part(
    from: Source<'_>,
    body_pairs: &[BodyPair],
    index: usize,
    part: Part,
    boxes: &Boxes<'_>,
    scratch: &mut Scratch,
) {
    part.walk(boxes, from.machine, &mut |p, q, blocks| {
        scratch.meet(from, body_pairs, Meeting { bodies: index as u32, patches: [p, q], blocks });
        true
    });
}

/// The scratch of the first thread, or of the only one.
fn only(scratch: &mut [Mutex<Scratch>]) -> &mut Scratch {
    scratch[0].get_mut().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::{Collider, Method, Options};
    use crate::scene::Mesh;
    use crate::scene::Pose;

    /// A wavy sheet that folds over itself.
    fn sheet(time: f32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        const SIDE: u32 = 24;
        let mut points = Vec::new();
        let mut triangles = Vec::new();
        for i in 0..=SIDE {
            for j in 0..=SIDE {
                let (u, v) = (i as f32 / SIDE as f32 - 0.5, j as f32 / SIDE as f32 - 0.5);
                let fold = (7.0 * u + time).sin();
                points.push([u + 0.4 * (9.0 * v).sin() * fold, v, 0.2 * fold + 0.05 * (40.0 * u * v).cos()]);
                if i < SIDE && j < SIDE {
                    let at = i * (SIDE + 1) + j;
                    triangles.push([at, at + 1, at + SIDE + 1]);
                    triangles.push([at + SIDE + 1, at + 1, at + SIDE + 2]);
                }
            }
        }
        (points, triangles)
    }

    #[test]
    fn every_kind_of_lanes_gives_the_same_contacts() {
        let mut scene = Scene::new();
        let ids = [0, 1, 2].map(|body| {
            let (points, triangles) = sheet(body as f32);
            let id = scene.add(format!("sheet {body}"), Mesh::new(points, triangles).unwrap());
            scene.set_self_collision(id, body != 1).unwrap();
            id
        });
        let mut colliders: Vec<Collider> = Machine::all()
            .into_iter()
            .map(|machine| {
                let engine = Engine { machine, ..Engine::default() };
                Collider::with_engine(Options { containment: false, ..Options::default() }, engine)
            })
            .collect();
        let options = Options { containment: false, method: Method::BruteForce, ..Options::default() };
        let mut brute_force = Collider::new(options);
        let mut contacts = 0;
        for frame in 0..4 {
            scene.set_positions(ids[0], &sheet(0.3 * frame as f32).0).unwrap();
            for (k, &id) in ids.iter().enumerate().skip(1) {
                let turn = Pose::from_axis_angle([0.1, 1.0, k as f64], 0.5 * frame as f64, [0.0, 0.05, 0.0]);
                scene.set_pose(id, turn.unwrap()).unwrap();
            }
            let expected = brute_force.collide(&scene).contacts.clone();
            for collider in &mut colliders {
                let lanes = collider.lanes();
                assert_eq!(collider.collide(&scene).contacts, expected, "{lanes}");
            }
            contacts += expected.len();
        }
        assert!(contacts > 1000, "{contacts}");
    }
}
