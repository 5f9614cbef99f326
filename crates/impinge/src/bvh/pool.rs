//! The active patches of one thread, pooled: read when a patch first meets another one, given back when its body moves.

use super::active::{Activate, ActivePatch, Vertices};
use super::body_cache::Kept;
use crate::scene::Scene;
use crate::simd::Machine;
use std::collections::VecDeque;

const NONE: u32 = u32::MAX;
/// So many places are never taken back: they fit a cache.
const FEW: usize = 224;
/// Batches after which a patch is not expected to be needed again in this frame.
const WHILE: u32 = 8;
/// Places that are made at once.
const CHUNK: usize = 16;

/// The patch behind a place, and whether its coordinates still have to be read.
#[derive(Clone, Copy, Debug)]
struct Owner {
    slot: u32,
    patch: u32,
    /// Where the patch stands among those its body uses.
    index: u32,
    /// When it was last used.
    tick: u32,
    fresh: bool,
    /// Nobody's.
    free: bool,
}

/// Which patches of one body are active.
#[derive(Debug, Default)]
struct Occupied {
    /// Place of every patch, or `NONE`.
    places: Vec<u32>,
    /// The patches that have one.
    used: Vec<u32>,
    /// They will be right in the next frame, too.
    stay: bool,
}

/// Places for active patches.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    /// In chunks, so that those that are there need not move to make room for more.
    chunks: Vec<Vec<ActivePatch>>,
    owners: Vec<Owner>,
    free: Vec<u32>,
    /// Counts batches of meetings; what it was when this frame and the one before began.
    tick: u32,
    frames: [u32; 2],
    /// Places of bodies that do not stay, those that were asked about longest ago first.
    passing: VecDeque<u32>,
    /// When it was last found that none of them can be taken back.
    exhausted: Option<u32>,
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
    /// Begins a frame with so many bodies.
    pub(crate) fn resize(&mut self, slots: usize) {
        for slot in slots..self.bodies.len() {
            self.release(slot);
        }
        self.bodies.resize_with(slots, Occupied::default);
        self.next_batch();
        self.frames = [self.tick, self.frames[0]];
    }

    /// Whether the active patches of a body will be right in the next frame, if it does nothing but change its pose.
    pub(crate) fn set_stay(&mut self, slot: usize, stay: bool) {
        self.bodies[slot].stay = stay;
    }

    /// From now on, what the last batch used may be taken back, in time.
    pub(crate) fn next_batch(&mut self) {
        self.tick = self.tick.wrapping_add(1);
    }

    /// Gives the active patches of a body back.
    pub(crate) fn release(&mut self, slot: usize) {
        if let Some(body) = self.bodies.get_mut(slot) {
            for patch in body.used.drain(..) {
                let place = std::mem::replace(&mut body.places[patch as usize], NONE);
                self.owners[place as usize].free = true;
                self.free.push(place);
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
        &self.chunks[place as usize / CHUNK][place as usize % CHUNK]
    }

    /// The place of a patch; a new one is fresh.
    #[inline]
    pub(crate) fn place(&mut self, slot: u32, patch: u32) -> u32 {
        let body = &mut self.bodies[slot as usize];
        match body.places.get(patch as usize) {
            Some(&place) if place != NONE => {
                self.owners[place as usize].tick = self.tick;
                place
            }
            _ => self.new_place(slot, patch),
        }
    }

    fn new_place(&mut self, slot: u32, patch: u32) -> u32 {
        let reused = self.free.pop().or_else(|| self.take_back());
        let index = self.bodies[slot as usize].used.len() as u32;
        let owner = Owner { slot, patch, index, tick: self.tick, fresh: true, free: false };
        let place = if let Some(place) = reused {
            self.owners[place as usize] = owner;
            place
        } else {
            if self.owners.len() == self.chunks.len() * CHUNK {
                self.chunks.push(vec![ActivePatch::BLANK; CHUNK]);
                self.passing.reserve(self.chunks.len() * CHUNK - self.passing.len());
            }
            self.owners.push(owner);
            self.owners.len() as u32 - 1
        };
        let body = &mut self.bodies[slot as usize];
        if body.places.len() <= patch as usize {
            body.places.resize(patch as usize + 1, NONE);
        }
        body.places[patch as usize] = place;
        body.used.push(patch);
        if !body.stay {
            self.passing.push_back(place);
        }
        place
    }

    /// After it is known which bodies stay: gives back what those have not used since the frame before, so that patches
    /// of rigid bodies, which stay right for ever, do not stay for ever.
    pub(crate) fn forget_unused(&mut self) {
        // Patches of bodies that do not stay were all given back by now.
        self.passing.clear();
        if self.owners.len() <= FEW {
            return;
        }
        for place in 0..self.owners.len() {
            let Owner { tick, free, .. } = self.owners[place];
            if !free && self.age(tick) > self.age(self.frames[1]) {
                self.vacate(place);
                self.owners[place].free = true;
                self.free.push(place as u32);
            }
        }
    }

    fn age(&self, tick: u32) -> u32 {
        self.tick.wrapping_sub(tick)
    }

    /// Takes a place from its patch.
    fn vacate(&mut self, place: usize) {
        let Owner { slot, patch, index, .. } = self.owners[place];
        let body = &mut self.bodies[slot as usize];
        body.places[patch as usize] = NONE;
        body.used.swap_remove(index as usize);
        if let Some(&moved) = body.used.get(index as usize) {
            self.owners[body.places[moved as usize] as usize].index = index;
        }
    }

    /// A place of a body that does not stay and that was not used for a while: patches that are still in a cache when
    /// they are needed again are worth more than many patches.
    fn take_back(&mut self) -> Option<u32> {
        if self.owners.len() < FEW || self.exhausted == Some(self.tick) {
            return None;
        }
        for _ in 0..self.passing.len() {
            let place = self.passing.pop_front()?;
            if self.age(self.owners[place as usize].tick) > WHILE {
                self.vacate(place as usize);
                return Some(place);
            }
            self.passing.push_back(place);
        }
        self.exhausted = Some(self.tick);
        None
    }

    /// Reads all patches of a body that keeps its shape, if there are places that nobody will take back.
    pub(crate) fn read_ahead(&mut self, slot: u32, from: Source<'_>) {
        let kept = &from.bodies[slot as usize];
        if self.owners.len() + kept.patches.len() > FEW {
            return;
        }
        for patch in 0..kept.patches.len() as u32 {
            let place = self.place(slot, patch);
            self.read(place, from);
        }
    }

    /// Reads a patch if it is fresh.
    #[inline]
    pub(crate) fn read(&mut self, place: u32, from: Source<'_>) {
        let owner = &mut self.owners[place as usize];
        if std::mem::take(&mut owner.fresh) {
            let active = &mut self.chunks[place as usize / CHUNK][place as usize % CHUNK];
            read(*owner, from, &mut self.vertices, active);
        }
    }
}

fn read(owner: Owner, from: Source<'_>, vertices: &mut Vertices, active: &mut ActivePatch) {
    let kept = &from.bodies[owner.slot as usize];
    if let Some((_, body)) = from.scene.at(owner.slot as usize) {
        let at = kept.at(body, from.unit);
        let (patches, patch, middle) = (&kept.patches, owner.patch, kept.middle(owner.patch));
        from.machine.run(Activate { at, patches, patch, middle, vertices, active });
    }
}
