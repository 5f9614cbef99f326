//! Contacts by trees of boxes over patches of 64 triangles: the fused method. It takes a frame through the stages, on any
//! number of threads.
//!
//! 1. **Update** (`prepare.rs`, `crate::bvh`): boxes of patches of bodies that moved. A body seen for the first time gets
//!    patches of only those triangles that can matter, unless it has a pose and will stay; from the second frame on, of all.
//! 2. **Traverse** (`crate::bvh::traverse`): pairs of patches whose boxes meet; for bodies that keep their
//!    shape, of blocks of 8 triangles, so that nothing of a patch is read before blocks of it meet.
//! 3. **Activate** the patches that meet: coordinates side by side as floats, triangle boxes as bytes.
//! 4. **Filter** (`filters.rs`, `flat.rs`, `edges.rs`): byte boxes, triangles in one plane across an axis or with a corner in
//!    common, plane of `a`, plane of `b`, all fifteen signs, eight pairs at a time, through queues (`queues.rs`). **Which bound
//!    proves that nothing is missed stands at the top of `filters.rs`**: a float drops a pair, or calls it a contact, only where
//!    its error bound proves it.
//! 5. **Test** what floats leave in doubt: eight pairs at a time without rounding error where coordinates have few enough bits
//!    (`crate::exact::batch`), else the exact test.
//! 6. **Sort** (`contacts/sort.rs`): a contact is one packed integer from the moment it is found.
//!
//! Every thread takes steps 2 to 5 for its part of the trees, 64 patch pairs at a time, with a pool and queues of its own:
//! nothing is collected in between, and threads meet only at the end. This is why the pipeline is drawn fused: there is no
//! list of candidates.
//!
//! A yes/no query tests first where most blocks meet, transforms only those blocks, and stops at the first contact.
//!
//! Neighbours within a body never enter the filters. A whole vertex star at a time is certified not to touch itself beyond
//! what it shares (`crate::bvh::stars`); only failing stars are tested pair by pair.
//!
//! Invariants: byte boxes need no outward rounding because every pass uses the same monotone function of a coordinate; a
//! neighbour pair belongs to the star of the lowest vertex both triangles have, and the filters must leave out exactly the
//! pairs that share a vertex; an active patch is valid only for the patches and the frame it was read from, so whoever
//! changes either must release it.
//!
//! What was tried and dropped: `docs/decisions/bvh.md`.

mod edges;
mod filters;
mod flat;
mod prepare;
mod queues;
pub(crate) mod test_batch;

use self::prepare::MIN_BLOCK_BOX_TRIANGLES;
use self::test_batch::{Scratch, test_neighbours};
use crate::broad_phase::{BodyPair, Frame, FrameBodies};
use crate::bvh::block_mask::PatchPair;
use crate::bvh::body_cache::BodyCache;
use crate::bvh::frame_input::{FrameInput, TreePair};
use crate::bvh::inspect;
use crate::bvh::inspect::Visits;
use crate::bvh::placement::unit;
use crate::bvh::pool::Pool;
use crate::bvh::rebuild::Rebuild;
use crate::bvh::traverse::Traversal;
use crate::contacts::{CandidateSink, Completeness, Culler};
use crate::scene::Bounds;
use crate::scene::Scene;
use crate::simd::Machine;
use crate::util::threads;
use rayon::prelude::*;
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Rebuild budget per frame: 1/N of the scene's triangles, at least MIN.
const REBUILD_SHARE: usize = 16;
const MIN_REBUILD_TRIANGLES: usize = 8192;
/// Parts of a body's vertex stars, for threads to share.
const STAR_TASKS: usize = 64;

/// Yes/no queries: build block boxes after this many traversals; in scenes of up to this many triangles at once.
const MAX_TRAVERSALS_BEFORE_BLOCK_BOXES: u32 = 128;
const MAX_EAGER_BLOCK_BOX_TRIANGLES: usize = 1 << 14;

/// Patches that a body lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatchRequest {
    None,
    /// Of the triangles that the voxel filter leaves.
    Filtered,
    All,
}

/// The culler and its memory.
#[derive(Debug)]
pub(crate) struct Engine {
    machine: Machine,
    /// A power of two that takes every coordinate of the scene to at most 1.
    unit: f64,
    bodies: Vec<BodyCache>,
    boxes: Vec<Bounds>,
    /// By slot: bodies that moved, and patches to be cut.
    moved: Vec<bool>,
    requests: Vec<PatchRequest>,
    rebuild: Rebuild,
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
            requests: Vec::new(),
            rebuild: Rebuild::default(),
            scratch: Vec::new(),
        }
    }
}

impl Culler for Engine {
    type Error = Infallible;

    fn update(&mut self, scene: &Scene, bodies: &mut FrameBodies) -> Result<(), Infallible> {
        self.follow(scene);
        bodies.boxes.clear();
        bodies.boxes.extend_from_slice(&self.boxes);
        Ok(())
    }

    fn prepare(&mut self, frame: &Frame<'_>, sink: &CandidateSink) {
        self.build_patches(frame.scene, frame.pairs, sink.wants_one());
    }

    fn candidates(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut CandidateSink,
    ) -> Result<Completeness, Infallible> {
        let one = sink.wants_one();
        // Every thread's sink is in its scratch memory for the frame.
        let count = self.scratch.len();
        for (scratch, thread) in self.scratch.iter_mut().zip(sink.threads(count)) {
            let scratch = scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
            scratch.transformed.begin_frame(one);
            scratch.measure = !one;
            scratch.sink = std::mem::take(thread);
        }
        if one {
            self.find_any(frame.scene, frame.pairs);
        } else {
            self.find_all(frame.scene, frame.pairs);
        }
        let mut testing = Duration::ZERO;
        for (scratch, thread) in self.scratch.iter_mut().zip(sink.threads(count)) {
            let scratch = scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
            scratch.sink.candidates += std::mem::take(&mut scratch.filters.candidates);
            scratch.sink.exact += std::mem::take(&mut scratch.filters.exact);
            testing += std::mem::take(&mut scratch.testing);
            *thread = std::mem::take(&mut scratch.sink);
        }
        sink.testing = testing / count.max(1) as u32;
        Ok(Completeness::Complete)
    }
}

impl Engine {
    /// The instruction set of the lanes.
    pub(crate) fn lanes(&self) -> &'static str {
        self.machine.name()
    }

    /// Follows the scene: refits bodies that moved, and bounds new ones.
    fn follow(&mut self, scene: &Scene) {
        let threads = if threads::many() { rayon::current_num_threads() } else { 1 };
        self.scratch.resize_with(threads, Mutex::default);
        self.choose_unit(scene);
        self.for_each_pool(|pool| pool.resize(scene.slots()));
        self.bodies.resize_with(scene.slots(), BodyCache::default);
        self.boxes.resize(scene.slots(), Bounds::EMPTY);
        self.moved.clear();
        for slot in 0..scene.slots() {
            let body = scene.at(slot);
            let current = body.is_some_and(|(_, body)| self.bodies[slot].is_current(body));
            self.moved.push(!current);
        }
        let machine = self.machine;
        let follow = |(((slot, cache), bounds), moved): (((usize, &mut BodyCache), &mut Bounds), &bool)| {
            if *moved {
                if let Some((_, body)) = scene.at(slot) {
                    cache.follow(body, machine);
                    *bounds = cache.world_box(body);
                } else {
                    (*cache, *bounds) = (BodyCache::default(), Bounds::EMPTY);
                }
            }
        };
        if threads::many() {
            let bodies = self.bodies.par_iter_mut().enumerate();
            bodies.zip(&mut self.boxes).zip(&self.moved).for_each(follow);
        } else {
            self.bodies.iter_mut().enumerate().zip(&mut self.boxes).zip(&self.moved).for_each(follow);
        }
        for (slot, cache) in self.bodies.iter().enumerate() {
            let stay = !self.moved[slot] || cache.keeps_active;
            for scratch in &mut self.scratch {
                let pool = &mut scratch.get_mut().unwrap_or_else(PoisonError::into_inner).pool;
                pool.set_persistent(slot, stay);
                if !stay {
                    pool.release(slot);
                }
            }
        }
        self.continue_rebuild(scene);
        self.for_each_pool(Pool::evict_unused);
    }

    fn for_each_pool(&mut self, mut work: impl FnMut(&mut Pool)) {
        for scratch in &mut self.scratch {
            work(&mut scratch.get_mut().unwrap_or_else(PoisonError::into_inner).pool);
        }
    }

    /// Continues the rebuild of degraded patches, one body after the other.
    fn continue_rebuild(&mut self, scene: &Scene) {
        let topology = |slot: usize| scene.at(slot).map(|(_, body)| body.topology_version());
        let mut budget = 0;
        loop {
            let slot = self.rebuild.slot(topology);
            let Some(slot) = slot.or_else(|| self.bodies.iter().position(BodyCache::needs_rebuild)) else {
                return;
            };
            let Some((_, body)) = scene.at(slot) else { return };
            if budget == 0 {
                let triangles: usize = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
                budget = (triangles / REBUILD_SHARE).max(MIN_REBUILD_TRIANGLES) as isize;
            }
            if self.rebuild.slot(topology).is_none() {
                self.rebuild.begin(slot, body.topology_version(), body.mesh());
            }
            let done = self.rebuild.step(body.mesh(), self.machine, &mut budget);
            if done {
                self.bodies[slot].adopt(&mut self.rebuild, body, self.machine);
                self.for_each_pool(|pool| pool.release(slot));
            }
            if budget <= 0 {
                return;
            }
        }
    }

    fn choose_unit(&mut self, scene: &Scene) {
        let largest = scene.bodies().map(|(_, body)| body.world_magnitude()).fold(0.0, f64::max);
        // Coordinates may grow by 2^4 before the unit must change again, and shrink by 2^12.
        if largest * self.unit <= 1.0 && largest * self.unit >= 2f64.powi(-12) {
            return;
        }
        self.unit = unit(largest);
        self.for_each_pool(Pool::release_all);
    }

    /// All contacts.
    fn find_all(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let input = FrameInput { scene, bodies: &self.bodies, unit: self.unit, machine: self.machine };
        let self_pairs = (0..body_pairs.len()).filter(|&index| body_pairs[index].a == body_pairs[index].b);
        if threads::many() {
            let engine = &*self;
            body_pairs.par_iter().enumerate().for_each(|(index, &pair)| {
                let Some((traversal, trees)) = input.traversal(pair) else { return };
                trees.split(traversal, &|traversal: Traversal| {
                    engine.with_scratch(|scratch| {
                        traverse_part(input, body_pairs, index, traversal, &trees, scratch);
                    });
                });
            });
            engine.scratch.par_iter().for_each(|scratch| {
                let mut scratch = scratch.lock().unwrap_or_else(PoisonError::into_inner);
                scratch.flush(input, body_pairs);
            });
            for index in self_pairs {
                (0..STAR_TASKS).into_par_iter().for_each(|task| {
                    engine.with_scratch(|scratch| {
                        test_neighbours(input, index, body_pairs[index].a, [task, STAR_TASKS], scratch);
                    });
                });
            }
        } else {
            let scratch = first_scratch(&mut self.scratch);
            for (index, &pair) in body_pairs.iter().enumerate() {
                if let Some((traversal, trees)) = input.traversal(pair) {
                    traverse_part(input, body_pairs, index, traversal, &trees, scratch);
                }
            }
            scratch.flush(input, body_pairs);
            for index in self_pairs {
                test_neighbours(input, index, body_pairs[index].a, [0, 1], scratch);
            }
        }
    }

    /// What the traversals of these pairs visit, as of the last frame.
    pub(crate) fn visits(&self, scene: &Scene, body_pairs: &[BodyPair]) -> Visits {
        let input = FrameInput { scene, bodies: &self.bodies, unit: self.unit, machine: self.machine };
        inspect::visits(input, body_pairs)
    }

    /// The first contact.
    fn find_any(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let triangles: usize = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
        let patience =
            if triangles <= MAX_EAGER_BLOCK_BOX_TRIANGLES { 0 } else { MAX_TRAVERSALS_BEFORE_BLOCK_BOXES };
        let mut budget = MIN_BLOCK_BOX_TRIANGLES as isize;
        for (index, &pair) in body_pairs.iter().enumerate() {
            if !(self.bodies[pair.a as usize].is_in_world() && self.bodies[pair.b as usize].is_in_world()) {
                for slot in [pair.a as usize, pair.b as usize] {
                    if self.bodies[slot].count_traversal() > patience {
                        self.request_block_boxes(slot, scene, &mut budget);
                    }
                }
            }
            let input = FrameInput { scene, bodies: &self.bodies, unit: self.unit, machine: self.machine };
            let scratch = first_scratch(&mut self.scratch);
            if let Some((traversal, trees)) = input.traversal(pair) {
                trees.run(traversal, input.machine, &mut |p, q, blocks| {
                    let patch_pair = PatchPair { pair_index: index as u32, patches: [p, q], blocks };
                    scratch.push_likely(input, body_pairs, patch_pair)
                });
                scratch.test_unlikely(input, body_pairs);
            }
            if pair.a == pair.b && scratch.sink.is_empty() {
                test_neighbours(input, index, pair.a, [0, 1], scratch);
            }
            if !scratch.sink.is_empty() {
                return;
            }
        }
    }

    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.scratch.len();
        // Only its own thread uses a scratch; a panic elsewhere leaves nothing in it that matters.
        let mut scratch = self.scratch[thread].lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut scratch)
    }
}

/// Tests all patch pairs of a part of a traversal.
fn traverse_part(
    input: FrameInput<'_>,
    body_pairs: &[BodyPair],
    index: usize,
    traversal: Traversal,
    trees: &TreePair<'_>,
    scratch: &mut Scratch,
) {
    trees.run(traversal, input.machine, &mut |p, q, blocks| {
        scratch.push(input, body_pairs, PatchPair { pair_index: index as u32, patches: [p, q], blocks });
        true
    });
}

/// The scratch of the first thread, or of the only one.
fn first_scratch(scratch: &mut [Mutex<Scratch>]) -> &mut Scratch {
    scratch[0].get_mut().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::{Collider, Method, Options};
    use crate::scene::Mesh;
    use crate::scene::Pose;

    /// A wavy sheet that intersects itself.
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

    /// The sides of a box, cut into triangles along lines of a lattice; diagonals as `random` says. With `fraction`, coordinates
    /// are rounded thirds: floats of many bits.
    fn plates(
        size: u32,
        fraction: f32,
        random: &mut impl FnMut(u32) -> u32,
    ) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for axis in 0..3 {
            for side in [0, size] {
                let first = points.len() as u32;
                for i in 0..=size {
                    for j in 0..=size {
                        let mut p = [0.0; 3];
                        (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side as f32, i as f32, j as f32);
                        points.push(p.map(|x| x * fraction));
                    }
                }
                for i in 0..size {
                    for j in 0..size {
                        let at = first + i * (size + 1) + j;
                        let [a, b, c, d] = [at, at + 1, at + size + 2, at + size + 1];
                        match random(9) {
                            0 => triangles.push([a, b, b]), // no area
                            1..5 => triangles.extend([[a, b, c], [a, c, d]]),
                            _ => triangles.extend([[a, b, d], [b, c, d]]),
                        }
                    }
                }
            }
        }
        (points, triangles)
    }

    #[test]
    fn flat_and_flush_bodies_get_the_contacts_of_every_pair_tested_alone() {
        let mut state = 11u64;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as u32 % below
        };
        let brute_force = Options { containment: false, method: Method::BruteForce, ..Options::default() };
        let mut brute_force = Collider::new(brute_force);
        let options = Options { containment: false, ..Options::default() };
        let mut contacts = 0;
        for round in 0..24 {
            let fraction = [1.0, 1.0 / 3.0, 0.1][round % 3];
            let mut scene = Scene::new();
            let ids = [3, 4, 5, 4].map(|size| {
                let (points, triangles) = plates(size, fraction, &mut random);
                scene.add(format!("box of {size}"), Mesh::new(points, triangles).unwrap())
            });
            scene.set_self_collision(ids[round % 4], true).unwrap();
            let mut colliders: Vec<Collider> = Machine::all()
                .map(|machine| {
                    Collider::with_engine(options.clone(), Engine { machine, ..Engine::default() })
                })
                .collect();
            for frame in 0..4 {
                for (k, &id) in ids.iter().enumerate() {
                    // Moved by steps of half a cell, by positions or by a pose, some turned by a right angle or askew.
                    let mut step = || f64::from(random(9)) * 0.5 * f64::from(fraction);
                    let t = [step(), step(), step()];
                    let quarter = [[0.0, -1.0, 0.0, t[0]], [1.0, 0.0, 0.0, t[1]], [0.0, 0.0, 1.0, t[2]]];
                    let pose = match (k + frame) % 4 {
                        0 => Pose::from_rows(quarter),
                        1 => Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, t),
                        _ => Pose::from_translation(t),
                    };
                    scene.set_pose(id, pose.unwrap()).unwrap();
                    if k == 2 {
                        let moved = scene.body(id).unwrap().mesh().positions().len();
                        let world: Vec<[f32; 3]> = (0..moved)
                            .map(|v| scene.body(id).unwrap().world_position(v).map(|x| x as f32))
                            .collect();
                        scene.set_pose(id, Pose::IDENTITY).unwrap();
                        scene.set_positions(id, &world).unwrap();
                    }
                }
                let expected = brute_force.collide(&scene).unwrap().contacts.clone();
                for collider in &mut colliders {
                    let lanes = collider.lanes();
                    let found = &collider.collide(&scene).unwrap().contacts;
                    assert_eq!(found, &expected, "round {round}, frame {frame}, {lanes}");
                }
                contacts += expected.len();
            }
        }
        assert!(contacts > 20_000, "{contacts}");
    }

    /// Triangles of one plane with a corner on, or one rounding beside, an edge of the other body's; and planes one rounding apart.
    #[test]
    fn triangles_in_planes_that_all_but_touch_get_the_contacts_of_every_pair_tested_alone() {
        let mut state = 5u64;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1u64 << 24) as f32
        };
        let mut contacts = 0;
        for axis in 0..3 {
            let lift = |[u, v]: [f32; 2], height: f32| {
                let mut p = [0.0; 3];
                (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (height, u, v);
                p
            };
            let height = 0.3f32;
            let mut meshes = [Vec::new(), Vec::new()];
            for cell in 0..400u32 {
                let at = [(cell % 20) as f32 * 1.5, (cell / 20) as f32 * 1.5];
                let mut point = || [at[0] + random(), at[1] + random()];
                let [p, q, r] = [point(), point(), point()];
                // On the edge from `p` to `q`, rounded; the rest of the triangle away from `r`.
                let share = (cell % 7 + 1) as f32 / 8.0;
                let on = [0, 1].map(|k| p[k] + (q[k] - p[k]) * share);
                let beyond = |k: usize, by: f32| 2.0 * on[k] - r[k] + by * (q[k] - p[k]);
                let corners = [on, [beyond(0, 0.1), beyond(1, 0.1)], [beyond(0, -0.1), beyond(1, -0.1)]];
                let other = if cell % 5 == 0 { height.next_up() } else { height };
                meshes[0].extend([p, q, r].map(|p| lift(p, height)));
                meshes[1].extend(corners.map(|p| lift(p, other)));
            }
            let mut scene = Scene::new();
            for (name, points) in ["a", "b"].into_iter().zip(meshes) {
                let triangles = (0..points.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
                scene.add(name, Mesh::new(points, triangles).unwrap());
            }
            let options = Options { containment: false, method: Method::BruteForce, ..Options::default() };
            let expected = Collider::new(options).collide(&scene).unwrap().contacts.clone();
            for machine in Machine::all() {
                let engine = Engine { machine, ..Engine::default() };
                let mut collider = Collider::with_engine(Options::default(), engine);
                let lanes = collider.lanes();
                assert_eq!(collider.collide(&scene).unwrap().contacts, expected, "axis {axis}, {lanes}");
            }
            contacts += expected.len();
        }
        assert!((100..1100).contains(&contacts), "{contacts}");
    }

    /// A body far away makes the unit so small that these coordinates vanish when they are scaled.
    #[test]
    fn coordinates_that_scaling_rounds_away_are_still_told_apart() {
        // Two, so that boxes of bodies overlap where triangles do not.
        let plates = |at: f32, size: f32| {
            let plate = |at: f32| [[0.0, 0.0, at], [size, 0.0, at], [0.0, size, at]];
            let points = [plate(at), plate(at + 3.0 * size)].concat();
            Mesh::new(points, vec![[0, 1, 2], [3, 4, 5]]).unwrap()
        };
        for size in [1e-9, 1e-12, 1e-20] {
            let mut scene = Scene::new();
            scene.add("far", plates(1e36, 1e36));
            scene.add("low", plates(size, size));
            scene.add("high", plates(2.0 * size, size));
            scene.add("level", plates(size, size));
            for machine in Machine::all() {
                let engine = Engine { machine, ..Engine::default() };
                let mut collider = Collider::with_engine(Options::default(), engine);
                let pairs = &collider.collide(&scene).unwrap().pairs;
                let slots: Vec<_> = pairs.iter().map(|pair| (pair.a.index(), pair.b.index())).collect();
                assert_eq!(slots, [(1, 3)], "size {size}, {}", machine.name());
            }
        }
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
            let expected = brute_force.collide(&scene).unwrap().contacts.clone();
            for collider in &mut colliders {
                let lanes = collider.lanes();
                assert_eq!(collider.collide(&scene).unwrap().contacts, expected, "{lanes}");
            }
            contacts += expected.len();
        }
        assert!(contacts > 1000, "{contacts}");
    }
}
