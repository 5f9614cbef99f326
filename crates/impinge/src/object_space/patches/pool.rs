//! The active patches of all bodies, pooled: read when a patch first meets another one, given back when its body moves.

use super::active::{Activate, ActivePatch, Vertices};
use super::kept::Kept;
use super::place::Placement;
use crate::object_space::lanes::Machine;
use crate::scene::Scene;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

const NONE: u32 = u32::MAX;
/// Places per task.
const TASK: usize = 16;

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
    /// One for each thread.
    vertices: Vec<Mutex<Vertices>>,
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
    /// Makes room for so many bodies and threads.
    pub(crate) fn resize(&mut self, slots: usize, threads: usize) {
        self.vertices.resize_with(threads, Mutex::default);
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
            let vertices = self.vertices[0].get_mut().unwrap_or_else(PoisonError::into_inner);
            read(*owner, from, vertices, &mut self.patches[place as usize]);
        }
    }

    /// Reads all fresh patches, on all threads.
    pub(crate) fn read_all(&mut self, from: Source<'_>) {
        let Self { patches, owners, vertices, .. } = self;
        patches.par_chunks_mut(TASK).zip(owners.par_chunks_mut(TASK)).for_each(|(patches, owners)| {
            let thread = rayon::current_thread_index().unwrap_or(0) % vertices.len();
            let mut vertices = vertices[thread].lock().unwrap_or_else(PoisonError::into_inner);
            for (active, owner) in patches.iter_mut().zip(owners) {
                if std::mem::take(&mut owner.fresh) {
                    read(*owner, from, &mut vertices, active);
                }
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
