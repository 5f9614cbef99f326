//! The active patches of all bodies, pooled: read when a patch first meets another one, given back when its body moves.

use super::active::{Activate, ActivePatch, Vertices};
use super::kept::Kept;
use super::place::Placement;
use crate::object_space::lanes::Machine;
use crate::scene::Scene;
use rayon::prelude::*;

const NONE: u32 = u32::MAX;

/// The patch behind a place, and whether its coordinates still have to be read.
#[derive(Clone, Copy, Debug)]
struct Owner {
    slot: u32,
    patch: u32,
    fresh: bool,
}

/// Which patches of one body are active.
#[derive(Debug, Default)]
struct Occupied {
    /// Place of every patch, or `NONE`.
    places: Vec<u32>,
    /// The patches that have one.
    used: Vec<u32>,
}

/// Places for active patches.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    patches: Vec<ActivePatch>,
    owners: Vec<Owner>,
    free: Vec<u32>,
    bodies: Vec<Occupied>,
    vertices: Vertices,
}

/// What is needed to read a patch.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) bodies: &'a [Kept],
    pub(crate) unit: f64,
    pub(crate) machine: Machine,
}

impl Pool {
    /// Makes room for so many bodies.
    pub(crate) fn resize(&mut self, slots: usize) {
        for slot in slots..self.bodies.len() {
            self.release(slot);
        }
        self.bodies.resize_with(slots, Occupied::default);
    }

    /// Gives the active patches of a body back.
    pub(crate) fn release(&mut self, slot: usize) {
        if let Some(body) = self.bodies.get_mut(slot) {
            for patch in body.used.drain(..) {
                self.free.push(std::mem::replace(&mut body.places[patch as usize], NONE));
            }
        }
    }

    pub(crate) fn release_all(&mut self) {
        for slot in 0..self.bodies.len() {
            self.release(slot);
        }
    }

    #[inline]
    pub(crate) fn get(&self, place: u32) -> &ActivePatch {
        &self.patches[place as usize]
    }

    /// The place of a patch; a new one is fresh.
    #[inline]
    pub(crate) fn place(&mut self, slot: u32, patch: u32) -> u32 {
        let body = &mut self.bodies[slot as usize];
        match body.places.get(patch as usize) {
            Some(&place) if place != NONE => place,
            _ => self.new_place(slot, patch),
        }
    }

    fn new_place(&mut self, slot: u32, patch: u32) -> u32 {
        let owner = Owner { slot, patch, fresh: true };
        let place = if let Some(place) = self.free.pop() {
            self.owners[place as usize] = owner;
            place
        } else {
            self.patches.push(ActivePatch::BLANK);
            self.owners.push(owner);
            self.patches.len() as u32 - 1
        };
        let body = &mut self.bodies[slot as usize];
        if body.places.len() <= patch as usize {
            body.places.resize(patch as usize + 1, NONE);
        }
        body.places[patch as usize] = place;
        body.used.push(patch);
        place
    }

    /// Reads a patch if it is fresh.
    #[inline]
    pub(crate) fn read(&mut self, place: u32, from: Source<'_>) {
        let owner = &mut self.owners[place as usize];
        if std::mem::take(&mut owner.fresh) {
            read(*owner, from, &mut self.vertices, &mut self.patches[place as usize]);
        }
    }

    /// Reads all fresh patches, on all threads.
    pub(crate) fn read_all(&mut self, from: Source<'_>) {
        let patches = self.patches.par_iter_mut().zip(&mut self.owners).with_min_len(16);
        patches.for_each_init(Vertices::default, |vertices, (active, owner)| {
            if std::mem::take(&mut owner.fresh) {
                read(*owner, from, vertices, active);
            }
        });
    }
}

fn read(owner: Owner, from: Source<'_>, vertices: &mut Vertices, active: &mut ActivePatch) {
    let kept = &from.bodies[owner.slot as usize];
    if let Some((_, body)) = from.scene.at(owner.slot as usize) {
        let at = Placement { body, identity: kept.identity, unit: from.unit };
        from.machine.run(Activate { at, patches: &kept.patches, patch: owner.patch, vertices, active });
    }
}
