//! Which bodies get patches this frame, and of which of their triangles.

use super::{Engine, PatchRequest};
use crate::broad_phase::BodyPair;
use crate::bvh::body_cache::{BodyAge, BodyCache};
use crate::bvh::boxes::NodeBox;
use crate::bvh::frame_input::FrameInput;
use crate::bvh::voxel_filter::{MAX_BODIES, NewBody, Regions, voxel_filter};
use crate::scene::Positions;
use crate::scene::Scene;
use crate::util::threads;
use rayon::prelude::*;
use std::sync::PoisonError;

/// Bodies of up to this many triangles get patches before they meet another one; larger ones when they do.
const MAX_AHEAD_TRIANGLES: usize = 1 << 16;
/// Budget for patches ahead of need per frame: 1/N of the scene's triangles, plus a quarter of those needed now; the
/// last body may exceed it.
const AHEAD_SHARE: usize = 64;
/// Budget for block boxes per frame: 1/N of the scene's triangles, at least MIN.
const BLOCK_BOX_SHARE: usize = 16;
pub(crate) const MIN_BLOCK_BOX_TRIANGLES: usize = 8192;

impl Engine {
    /// Cuts patches for bodies that may touch something and have none.
    pub(crate) fn build_patches(&mut self, scene: &Scene, body_pairs: &[BodyPair], one: bool) {
        self.requests.clear();
        self.requests.resize(self.bodies.len(), PatchRequest::None);
        for pair in body_pairs {
            for slot in [pair.a as usize, pair.b as usize] {
                let Some((_, body)) = scene.at(slot) else { continue };
                let cache = &self.bodies[slot];
                let all = cache.age == BodyAge::Known || !cache.may_filter_triangles(body);
                let lacks_stars = body.self_collision() && cache.stars.is_none();
                if cache.lacks_patches(all) || lacks_stars {
                    self.requests[slot] = if all { PatchRequest::All } else { PatchRequest::Filtered };
                }
            }
        }
        let all = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
        self.prepare_ahead(scene, all);
        if self.requests.iter().filter(|&&request| request == PatchRequest::Filtered).count() > MAX_BODIES {
            self.requests
                .iter_mut()
                .filter(|request| **request != PatchRequest::None)
                .for_each(|request| *request = PatchRequest::All);
        }
        if self.requests.contains(&PatchRequest::All) {
            let machine = self.machine;
            let build = |((slot, cache), request): ((usize, &mut BodyCache), &PatchRequest)| {
                if let (PatchRequest::All, Some((_, body))) = (request, scene.at(slot)) {
                    cache.build_all(body, machine);
                }
            };
            if threads::many() {
                self.bodies.par_iter_mut().enumerate().zip(&self.requests).for_each(build);
            } else {
                self.bodies.iter_mut().enumerate().zip(&self.requests).for_each(build);
            }
        }
        if self.requests.contains(&PatchRequest::Filtered) {
            self.filter_new_bodies(scene, body_pairs);
        }
        // A yes/no query tests only a few of the pairs.
        let mut budget = if one { 0 } else { (all / BLOCK_BOX_SHARE).max(MIN_BLOCK_BOX_TRIANGLES) as isize };
        for pair in body_pairs {
            let [a, b] = [pair.a as usize, pair.b as usize];
            if a != b && !(self.bodies[a].is_in_world() && self.bodies[b].is_in_world()) {
                for slot in [a, b] {
                    self.bodies[slot].ensure_centred_boxes();
                    self.request_block_boxes(slot, scene, &mut budget);
                }
            }
        }
    }

    /// Builds block boxes of a body that keeps its shape, within the budget.
    pub(crate) fn request_block_boxes(&mut self, slot: usize, scene: &Scene, budget: &mut isize) {
        if *budget > 0
            && self.bodies[slot].may_build_block_boxes()
            && let Some((_, body)) = scene.at(slot)
        {
            self.bodies[slot].build_block_boxes(body, self.machine);
            *budget -= body.mesh().triangles().len() as isize;
            // If they fit, a body's patches are read now, too, so that no later frame has to.
            let input = FrameInput { scene, bodies: &self.bodies, unit: self.unit, machine: self.machine };
            if let [scratch] = &mut *self.scratch {
                scratch.get_mut().unwrap_or_else(PoisonError::into_inner).pool.read_ahead(slot as u32, input);
            }
        }
    }

    /// Persistent bodies get patches before they meet anything, a few per frame, so that no later frame has to build
    /// many at once.
    fn prepare_ahead(&mut self, scene: &Scene, all: usize) {
        let mut needed = 0;
        for (id, body) in scene.bodies() {
            if self.requests[id.index()] == PatchRequest::All {
                needed += body.mesh().triangles().len();
            }
        }
        let mut budget = (all / AHEAD_SHARE + needed / 4) as isize;
        for (slot, cache) in self.bodies.iter().enumerate() {
            if budget < 0 {
                break;
            }
            if let Some((_, body)) = scene.at(slot)
                && cache.is_persistent()
                && cache.lacks_patches(true)
                && self.requests[slot] == PatchRequest::None
                && body.mesh().triangles().len() <= MAX_AHEAD_TRIANGLES
            {
                self.requests[slot] = PatchRequest::All;
                budget -= body.mesh().triangles().len() as isize;
            }
        }
    }

    /// Cuts patches of only those triangles of new bodies that the voxel filter leaves.
    fn filter_new_bodies(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let is_new = |slot: usize| self.requests[slot] == PatchRequest::Filtered;
        let slots: Vec<usize> = (0..self.bodies.len()).filter(|&slot| is_new(slot)).collect();
        // Bodies that meet one that is not filtered keep every triangle in their regions.
        let mut near_known = vec![false; slots.len()];
        let mut regions = vec![Regions::default(); slots.len()];
        for pair in body_pairs.iter().filter(|pair| pair.a != pair.b) {
            let [a, b] = [pair.a as usize, pair.b as usize];
            let region = NodeBox::from(&self.boxes[a]).intersection(&NodeBox::from(&self.boxes[b]));
            for (slot, other) in [(a, b), (b, a)] {
                if let Ok(at) = slots.binary_search(&slot) {
                    near_known[at] |= !is_new(other);
                    regions[at].add(region);
                }
            }
        }
        let mut new_bodies = Vec::with_capacity(slots.len());
        for ((&slot, regions), keeps_all) in slots.iter().zip(regions).zip(near_known) {
            if let Some((_, body)) = scene.at(slot)
                && let Positions::F32(positions) = body.mesh().positions()
            {
                new_bodies.push(NewBody { positions, corners: body.mesh().triangles(), regions, keeps_all });
            }
        }
        let lists = voxel_filter(&new_bodies, self.machine);
        drop(new_bodies);
        let machine = self.machine;
        let mut lists_by_slot: Vec<Option<Vec<u32>>> = vec![None; self.bodies.len()];
        for (&slot, list) in slots.iter().zip(lists) {
            lists_by_slot[slot] = Some(list);
        }
        let build = |((slot, cache), list): ((usize, &mut BodyCache), &Option<Vec<u32>>)| {
            if let (Some(list), Some((_, body))) = (list, scene.at(slot)) {
                cache.build(body, Some(list), machine);
            }
        };
        if threads::many() {
            self.bodies.par_iter_mut().enumerate().zip(&lists_by_slot).for_each(build);
        } else {
            self.bodies.iter_mut().enumerate().zip(&lists_by_slot).for_each(build);
        }
    }
}
