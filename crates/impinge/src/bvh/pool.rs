//! Active patches of one thread, pooled: read when a patch is first in a pair, released when its body moves.

use super::active::{Activate, ActivePatch, Vertices};
use super::frame_input::FrameInput;
use std::collections::VecDeque;

const NONE: u32 = u32::MAX;
/// Slots never evicted; this many fit in L2.
const MAX_RESIDENT_SLOTS: usize = 224;
/// Batches after which a patch is not expected to be used again in this frame.
const MIN_IDLE_BATCHES: u32 = 8;
/// Slots allocated at once.
const CHUNK_SLOTS: usize = 16;

/// The patch in a slot, and whether its coordinates still have to be read.
#[derive(Clone, Copy, Debug)]
struct Owner {
    body: u32,
    patch: u32,
    /// Index of the patch in [`BodySlots::used`].
    index: u32,
    /// Batch of its last use.
    tick: u32,
    fresh: bool,
    /// The slot is in the free list.
    free: bool,
}

/// The active patches of one body.
#[derive(Debug, Default)]
struct BodySlots {
    /// Slot of every patch, or `NONE`.
    slots: Vec<u32>,
    /// The patches that have a slot.
    used: Vec<u32>,
    /// They stay valid in the next frame.
    persistent: bool,
}

/// Slots for active patches.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    /// In chunks, so that growing moves nothing.
    chunks: Vec<Vec<ActivePatch>>,
    owners: Vec<Owner>,
    free: Vec<u32>,
    /// Counts batches; its values at the start of this frame and of the previous one.
    tick: u32,
    frames: [u32; 2],
    /// Slots of bodies that are not persistent, least recently checked first.
    evictable: VecDeque<u32>,
    /// Batch in which none of them could be evicted.
    exhausted: Option<u32>,
    bodies: Vec<BodySlots>,
    vertices: Vertices,
}

impl Pool {
    /// Begins a frame with this many bodies.
    pub(crate) fn resize(&mut self, bodies: usize) {
        for body in bodies..self.bodies.len() {
            self.release(body);
        }
        self.bodies.resize_with(bodies, BodySlots::default);
        self.next_batch();
        self.frames = [self.tick, self.frames[0]];
    }

    /// Whether the active patches of a body stay valid if only its pose changes.
    pub(crate) fn set_persistent(&mut self, body: usize, persistent: bool) {
        self.bodies[body].persistent = persistent;
    }

    /// What the last batch used may now be evicted, once it is old enough.
    pub(crate) fn next_batch(&mut self) {
        self.tick = self.tick.wrapping_add(1);
    }

    /// Frees the slots of a body.
    pub(crate) fn release(&mut self, body: usize) {
        if let Some(body_slots) = self.bodies.get_mut(body) {
            for patch in body_slots.used.drain(..) {
                let slot = std::mem::replace(&mut body_slots.slots[patch as usize], NONE);
                self.owners[slot as usize].free = true;
                self.free.push(slot);
            }
        }
    }

    pub(crate) fn release_all(&mut self) {
        for body in 0..self.bodies.len() {
            self.release(body);
        }
    }

    #[inline]
    pub(crate) fn get(&self, slot: u32) -> &ActivePatch {
        &self.chunks[slot as usize / CHUNK_SLOTS][slot as usize % CHUNK_SLOTS]
    }

    /// The slot of a patch; a new one is fresh.
    #[inline]
    pub(crate) fn slot(&mut self, body: u32, patch: u32) -> u32 {
        let body_slots = &mut self.bodies[body as usize];
        match body_slots.slots.get(patch as usize) {
            Some(&slot) if slot != NONE => {
                self.owners[slot as usize].tick = self.tick;
                slot
            }
            _ => self.new_slot(body, patch),
        }
    }

    fn new_slot(&mut self, body: u32, patch: u32) -> u32 {
        let reused = self.free.pop().or_else(|| self.evict());
        let index = self.bodies[body as usize].used.len() as u32;
        let owner = Owner { body, patch, index, tick: self.tick, fresh: true, free: false };
        let slot = if let Some(slot) = reused {
            self.owners[slot as usize] = owner;
            slot
        } else {
            if self.owners.len() == self.chunks.len() * CHUNK_SLOTS {
                self.chunks.push(vec![ActivePatch::BLANK; CHUNK_SLOTS]);
                self.evictable.reserve(self.chunks.len() * CHUNK_SLOTS - self.evictable.len());
            }
            self.owners.push(owner);
            self.owners.len() as u32 - 1
        };
        let body_slots = &mut self.bodies[body as usize];
        if body_slots.slots.len() <= patch as usize {
            body_slots.slots.resize(patch as usize + 1, NONE);
        }
        body_slots.slots[patch as usize] = slot;
        body_slots.used.push(patch);
        if !body_slots.persistent {
            self.evictable.push_back(slot);
        }
        slot
    }

    /// After [`Self::set_persistent`] of all bodies: frees the slots of persistent bodies that were not used since the
    /// previous frame, which would otherwise never be freed.
    pub(crate) fn evict_unused(&mut self) {
        // Patches of other bodies were all released by now.
        self.evictable.clear();
        if self.owners.len() <= MAX_RESIDENT_SLOTS {
            return;
        }
        for slot in 0..self.owners.len() {
            let Owner { tick, free, .. } = self.owners[slot];
            if !free && self.age(tick) > self.age(self.frames[1]) {
                self.vacate(slot);
                self.owners[slot].free = true;
                self.free.push(slot as u32);
            }
        }
    }

    fn age(&self, tick: u32) -> u32 {
        self.tick.wrapping_sub(tick)
    }

    /// Removes the patch from a slot.
    fn vacate(&mut self, slot: usize) {
        let Owner { body, patch, index, .. } = self.owners[slot];
        let body_slots = &mut self.bodies[body as usize];
        body_slots.slots[patch as usize] = NONE;
        body_slots.used.swap_remove(index as usize);
        if let Some(&moved) = body_slots.used.get(index as usize) {
            self.owners[body_slots.slots[moved as usize] as usize].index = index;
        }
    }

    /// Evicts a slot of a body that is not persistent, idle for some batches: patches still in the cache when they are
    /// needed again are worth more than many patches.
    fn evict(&mut self) -> Option<u32> {
        if self.owners.len() < MAX_RESIDENT_SLOTS || self.exhausted == Some(self.tick) {
            return None;
        }
        for _ in 0..self.evictable.len() {
            let slot = self.evictable.pop_front()?;
            if self.age(self.owners[slot as usize].tick) > MIN_IDLE_BATCHES {
                self.vacate(slot as usize);
                return Some(slot);
            }
            self.evictable.push_back(slot);
        }
        self.exhausted = Some(self.tick);
        None
    }

    /// Reads all patches of a body that keeps its shape, if they fit into slots that are never evicted.
    pub(crate) fn read_ahead(&mut self, body: u32, input: FrameInput<'_>) {
        let cache = &input.bodies[body as usize];
        if self.owners.len() + cache.patches.len() > MAX_RESIDENT_SLOTS {
            return;
        }
        for patch in 0..cache.patches.len() as u32 {
            let slot = self.slot(body, patch);
            self.read(slot, input);
        }
    }

    /// Reads a patch if it is fresh.
    #[inline]
    pub(crate) fn read(&mut self, slot: u32, input: FrameInput<'_>) {
        let owner = &mut self.owners[slot as usize];
        if std::mem::take(&mut owner.fresh) {
            let active = &mut self.chunks[slot as usize / CHUNK_SLOTS][slot as usize % CHUNK_SLOTS];
            read(*owner, input, &mut self.vertices, active);
        }
    }
}

fn read(owner: Owner, input: FrameInput<'_>, vertices: &mut Vertices, active: &mut ActivePatch) {
    let cache = &input.bodies[owner.body as usize];
    if let Some((_, body)) = input.scene.at(owner.body as usize) {
        let at = cache.placement(body, input.unit);
        let (patches, patch, middle) = (&cache.patches, owner.patch, cache.middle(owner.patch));
        input.machine.run(Activate { at, patches, patch, middle, vertices, active });
    }
}
