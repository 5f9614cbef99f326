//! Which bodies are put into patches this frame, and which of their triangles.

use super::{Engine, Wanted};
use crate::broad_phase::BodyPair;
use crate::bvh::body_cache::{Kept, Seen};
use crate::bvh::pool::Source;
use crate::bvh::tree::NodeBox;
use crate::bvh::voxel_filter as regions;
use crate::bvh::voxel_filter::{Regions, Side};
use crate::contacts::Query;
use crate::scene::Positions;
use crate::scene::Scene;
use crate::util::threads;
use rayon::prelude::*;
use std::sync::PoisonError;

/// Bodies up to this many triangles are put into patches before they come near another one; larger ones then.
const AHEAD: usize = 1 << 16;
/// How much is done ahead in one frame: this part of all triangles, a quarter of what has to be done anyway, and the
/// rest of the last body.
const AHEAD_SHARE: usize = 64;
/// How many triangles get finer boxes in one frame: this part of all, but not less than this.
const FINER_SHARE: usize = 16;
pub(crate) const LEAST_FINER: usize = 8192;

impl Engine {
    /// Puts the bodies that may touch something, and have no patches yet, into patches.
    pub(crate) fn prepare(&mut self, scene: &Scene, body_pairs: &[BodyPair], query: Query) {
        self.wanted.clear();
        self.wanted.resize(self.bodies.len(), Wanted::Nothing);
        for pair in body_pairs {
            for slot in [pair.a as usize, pair.b as usize] {
                let Some((_, body)) = scene.at(slot) else { continue };
                let kept = &self.bodies[slot];
                let all = kept.seen == Seen::Before || !kept.is_worth_a_first_look(body);
                let lacks_stars = body.self_collision() && kept.stars.is_none();
                if kept.wants_patches(all) || lacks_stars {
                    self.wanted[slot] = if all { Wanted::All } else { Wanted::WhatMatters };
                }
            }
        }
        let all = scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum();
        self.prepare_ahead(scene, all);
        if self.wanted.iter().filter(|&&wanted| wanted == Wanted::WhatMatters).count() > regions::MOST_SIDES {
            self.wanted
                .iter_mut()
                .filter(|wanted| **wanted != Wanted::Nothing)
                .for_each(|w| *w = Wanted::All);
        }
        if self.wanted.contains(&Wanted::All) {
            let machine = self.machine;
            let build = |((slot, kept), wanted): ((usize, &mut Kept), &Wanted)| {
                if let (Wanted::All, Some((_, body))) = (wanted, scene.at(slot)) {
                    kept.build_all(body, machine);
                }
            };
            if threads::many() {
                self.bodies.par_iter_mut().enumerate().zip(&self.wanted).for_each(build);
            } else {
                self.bodies.iter_mut().enumerate().zip(&self.wanted).for_each(build);
            }
        }
        if self.wanted.contains(&Wanted::WhatMatters) {
            self.first_look(scene, body_pairs);
        }
        // Where one contact will do, most pairs are never looked at.
        let mut budget = if query == Query::All { (all / FINER_SHARE).max(LEAST_FINER) as isize } else { 0 };
        for pair in body_pairs {
            let [a, b] = [pair.a as usize, pair.b as usize];
            if a != b && !(self.bodies[a].is_in_world() && self.bodies[b].is_in_world()) {
                for slot in [a, b] {
                    self.bodies[slot].want_middles();
                    self.want_finer(slot, scene, &mut budget);
                }
            }
        }
    }

    /// Finer boxes for a body that has kept its shape, unless enough was done in this frame.
    pub(crate) fn want_finer(&mut self, slot: usize, scene: &Scene, budget: &mut isize) {
        if *budget > 0
            && self.bodies[slot].lacks_finer()
            && let Some((_, body)) = scene.at(slot)
        {
            self.bodies[slot].make_finer(body, self.machine);
            *budget -= body.mesh().triangles().len() as isize;
            // A small body's patches are read now, too, so that no later frame has to.
            let from = Source { scene, bodies: &self.bodies, unit: self.unit, machine: self.machine };
            if let [scratch] = &mut *self.scratch {
                scratch.get_mut().unwrap_or_else(PoisonError::into_inner).pool.read_ahead(slot as u32, from);
            }
        }
    }

    /// Bodies that stay are made ready before they come near anything, a few each frame, so that no later frame has to
    /// wait for many of them at once.
    fn prepare_ahead(&mut self, scene: &Scene, all: usize) {
        let mut needed = 0;
        for (id, body) in scene.bodies() {
            if self.wanted[id.index()] == Wanted::All {
                needed += body.mesh().triangles().len();
            }
        }
        let mut budget = (all / AHEAD_SHARE + needed / 4) as isize;
        for (slot, kept) in self.bodies.iter().enumerate() {
            if budget < 0 {
                break;
            }
            if let Some((_, body)) = scene.at(slot)
                && kept.will_stay()
                && kept.wants_patches(true)
                && self.wanted[slot] == Wanted::Nothing
                && body.mesh().triangles().len() <= AHEAD
            {
                self.wanted[slot] = Wanted::All;
                budget -= body.mesh().triangles().len() as isize;
            }
        }
    }

    /// Patches of only those triangles of new bodies that can matter this frame.
    fn first_look(&mut self, scene: &Scene, body_pairs: &[BodyPair]) {
        let is_new = |slot: usize| self.wanted[slot] == Wanted::WhatMatters;
        let slots: Vec<usize> = (0..self.bodies.len()).filter(|&slot| is_new(slot)).collect();
        // Bodies that meet one which has its patches already keep everything near it; the others share a grid.
        let mut near_old = vec![false; slots.len()];
        let mut regions = vec![Regions::default(); slots.len()];
        for pair in body_pairs.iter().filter(|pair| pair.a != pair.b) {
            let [a, b] = [pair.a as usize, pair.b as usize];
            let region = NodeBox::from(&self.boxes[a]).intersection(&NodeBox::from(&self.boxes[b]));
            for (slot, other) in [(a, b), (b, a)] {
                if let Ok(at) = slots.binary_search(&slot) {
                    near_old[at] |= !is_new(other);
                    regions[at].add(region);
                }
            }
        }
        let mut sides = Vec::with_capacity(slots.len());
        for ((&slot, regions), not_alone) in slots.iter().zip(regions).zip(near_old) {
            if let Some((_, body)) = scene.at(slot)
                && let Positions::F32(positions) = body.mesh().positions()
            {
                sides.push(Side { positions, corners: body.mesh().triangles(), regions, not_alone });
            }
        }
        let lists = regions::survivors(&sides, self.machine);
        drop(sides);
        let machine = self.machine;
        let mut lists_by_slot: Vec<Option<Vec<u32>>> = vec![None; self.bodies.len()];
        for (&slot, list) in slots.iter().zip(lists) {
            lists_by_slot[slot] = Some(list);
        }
        let build = |((slot, kept), list): ((usize, &mut Kept), &Option<Vec<u32>>)| {
            if let (Some(list), Some((_, body))) = (list, scene.at(slot)) {
                kept.build(body, Some(list), machine);
            }
        };
        if threads::many() {
            self.bodies.par_iter_mut().enumerate().zip(&lists_by_slot).for_each(build);
        } else {
            self.bodies.iter_mut().enumerate().zip(&lists_by_slot).for_each(build);
        }
    }
}
