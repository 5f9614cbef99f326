//! Keeps everything that rays meet with `fragments.wgsl` and finds pairs of near surfaces with `pairs.wgsl` (Jang, Han 2008).
//! The definition of both is `impinge::stages::a_buffer`.
//!
//! An image is looked at in strips of rows: what is kept of a strip, and its table of pairs, each fit in a binding. What a
//! strip needs more room for is done again with more, or in smaller strips.

mod inspect;
#[cfg(test)]
mod tests;

pub use inspect::KeptInspection;

use crate::bodies::Bodies;
use crate::buffers::Grown;
use crate::depth_peel::uniform;
use crate::device::Context;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::layout::{PartEntry, SheetCounters, SheetEntry};
use crate::recorder::{Recorder, Stage};
use crate::shaders;
use impinge::stages::View;
use impinge::stages::a_buffer::{Keeping, Part};
use std::ops::Range;
use wgpu::{Buffer, BufferUsages};

/// How much there is room for at first.
const AT_FIRST: Room = Room { fragments: 1 << 16, large: 1 << 12, slots: 1 << 14 };

/// Most pixels of a strip: their fragments are counted in 32 bits.
const MOST_PIXELS: u64 = 1 << 22;

/// Pixels that one thread gives their places; `PER_THREAD` of `shared/a_buffer.wgsl`.
const PER_THREAD: u32 = 16;

/// Workgroups that share the parts of large triangles.
const LARGE_GROUPS: u32 = 1024;

/// Bits of a cell that number fragments.
const MOST_FRAGMENTS: u32 = 1 << 30;

/// Comparisons that one thread makes at most: with all slots that are tried for a pair, some devices that run on a CPU end
/// loops that are longer. And `SPAN` of `pairs.wgsl`, less than that.
const MOST_COMPARED: u64 = 3000;
const SPAN: u32 = 2048;

/// Surfaces of the deepest list, whose every thread walks it whole.
const LONGEST_LIST: u32 = 20_000;

/// How much there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) fragments: u32,
    /// Parts of large triangles.
    pub(crate) large: u32,
    /// Slots of the table of pairs.
    pub(crate) slots: u32,
}

/// What a view is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub(crate) bodies: &'a Bodies,
    /// Vertices in the image.
    pub(crate) screen: &'a Buffer,
    pub(crate) view: &'a View,
    pub(crate) parts: &'a [Part],
    /// How many triangles there are, with those that are not there.
    pub(crate) triangles: u32,
    pub(crate) near: f32,
    pub(crate) keeping: Keeping,
}

/// What one view has found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// Pairs of triangles, sorted, each once.
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) fragments: u64,
    pub(crate) deepest: u32,
    pub(crate) rays: u32,
    pub(crate) bytes_read_back: u64,
    /// Fragments, or pairs, of the strip that had most.
    most_in_strip: u64,
}

/// Kernels and buffers of the method.
#[derive(Debug)]
pub(crate) struct ABuffer {
    count: [Kernel; 2],
    places: Kernel,
    put: [Kernel; 2],
    link: [Kernel; 2],
    measure: Kernel,
    pairs_of_runs: Kernel,
    pairs_of_long_runs: Kernel,
    pairs_of_lists: Kernel,
    uniform: Buffer,
    parts: Grown,
    counters: Grown,
    cells: Grown,
    fragments: Grown,
    large: Grown,
    table: Grown,
    pairs: Grown,
    /// What there was enough room with last.
    pub(crate) room: Room,
    /// Pixels of a strip that fitted last; no more than [`MOST_PIXELS`].
    strip: u64,
    /// What was looked at last.
    last: Option<Last>,
}

/// The last strip of the last view.
#[derive(Clone, Debug)]
struct Last {
    entry: SheetEntry,
    keeping: Keeping,
    fragments: u32,
    rows: Range<u32>,
    parts: Vec<Part>,
    pairs: Vec<[u32; 2]>,
}

impl ABuffer {
    pub(crate) fn new(context: &Context) -> Self {
        let read = BufferUsages::COPY_SRC;
        let of_fragments = |entry| Kernel::new(context, shaders::FRAGMENTS, entry, 64);
        let of_pairs = |entry| Kernel::new(context, shaders::PAIRS, entry, 64);
        Self {
            count: ["count", "count_large"].map(of_fragments),
            places: of_fragments("places"),
            put: ["put", "put_large"].map(of_fragments),
            link: ["link", "link_large"].map(of_fragments),
            measure: of_fragments("measure"),
            pairs_of_runs: of_pairs("pairs_of_runs"),
            pairs_of_long_runs: of_pairs("pairs_of_long_runs"),
            pairs_of_lists: of_pairs("pairs_of_lists"),
            uniform: uniform(context, "sheet", size_of::<SheetEntry>() as u64),
            parts: Grown::new("parts of bodies", BufferUsages::empty()),
            counters: Grown::new("counters of surfaces", read),
            cells: Grown::new("places of surfaces", read),
            fragments: Grown::new("surfaces that rays meet", read),
            large: Grown::new("parts of large triangles", BufferUsages::empty()),
            table: Grown::new("table of pairs", BufferUsages::empty()),
            pairs: Grown::new("pairs of triangles", read),
            room: AT_FIRST,
            strip: MOST_PIXELS,
            last: None,
        }
    }

    /// Whether there is anything to inspect.
    pub(crate) fn has_looked(&self) -> bool {
        self.last.is_some()
    }

    /// Starts a call: what the last one looked at is gone.
    pub(crate) fn start(&mut self) {
        self.last = None;
    }

    /// Nothing that was stored may be relied on.
    pub(crate) fn forget(&mut self) {
        self.last = None;
        let buffers = [
            &mut self.parts,
            &mut self.counters,
            &mut self.cells,
            &mut self.fragments,
            &mut self.large,
            &mut self.table,
            &mut self.pairs,
        ];
        buffers.into_iter().for_each(Grown::forget);
    }

    /// From vertices in the image to pairs of triangles that may collide.
    pub(crate) fn look(&mut self, recorder: &mut Recorder, given: &Given) -> Result<Kept, GpuError> {
        let context = recorder.context.clone();
        self.last = None;
        let entries: Vec<PartEntry> = given.parts.iter().map(entry_of).collect();
        self.parts.hold(&context, (entries.len() * size_of::<PartEntry>()) as u64)?;
        context.queue.write_buffer(self.parts.get(), 0, bytemuck::cast_slice(&entries));
        self.counters.hold(&context, size_of::<SheetCounters>() as u64)?;
        let View { width, height, .. } = *given.view;
        // Rows that nothing is kept of are not looked at.
        let looked_at = |part: &&Part| part.rows[0] < part.rows[1];
        let end = given.parts.iter().filter(looked_at).map(|part| part.rows[1]).max().unwrap_or(0);
        let mut row = given.parts.iter().filter(looked_at).map(|part| part.rows[0]).min().unwrap_or(0);
        let mut strip = (self.strip.min(binding(&context) / 5) / u64::from(width)).max(1) as u32;
        let mut kept = Kept::default();
        let mut rows = 0..0;
        while row < end.min(height) {
            rows = row..(row + strip).min(end).min(height);
            if self.look_at(recorder, given, &rows, &mut kept)? {
                row = rows.end;
            } else {
                strip = (rows.len() as u32 / 2).max(1);
                self.strip = u64::from(strip) * u64::from(width);
            }
        }
        // Larger strips are tried again when smaller ones have become half empty.
        if kept.most_in_strip * 16 < binding(&context) / 2 {
            self.strip = (self.strip * 2).min(MOST_PIXELS);
        }
        // Strips see some pairs again.
        kept.pairs.sort_unstable();
        kept.pairs.dedup();
        if let Some(last) = &mut self.last {
            last.pairs.clone_from(&kept.pairs);
            last.rows = rows;
        }
        Ok(kept)
    }

    /// Adds what some rows show; `false` when that is more than fits and there are rows to take away.
    fn look_at(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        rows: &Range<u32>,
        kept: &mut Kept,
    ) -> Result<bool, GpuError> {
        let Some(counters) = self.keep_all(recorder, given, rows, kept)? else { return Ok(false) };
        if counters.deepest > 1 {
            let Some(counters) = self.pair_all(recorder, given, rows, counters.deepest, kept)? else {
                return Ok(false);
            };
            let bytes = u64::from(counters.pairs) * 8;
            if bytes > 0 {
                recorder.read(&[(self.pairs.get(), bytes)], |bytes| {
                    kept.pairs.extend(bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned::<[u32; 2]>));
                })?;
            }
            kept.bytes_read_back += bytes;
            kept.rays += counters.rays;
            kept.most_in_strip = kept.most_in_strip.max(u64::from(self.room.slots) / 2);
        }
        kept.fragments += u64::from(counters.fragments);
        kept.most_in_strip = kept.most_in_strip.max(u64::from(counters.fragments));
        kept.deepest = kept.deepest.max(counters.deepest);
        self.last = Some(Last {
            entry: self.entry(given, rows),
            keeping: given.keeping,
            fragments: counters.fragments,
            rows: rows.clone(),
            parts: given.parts.to_vec(),
            pairs: Vec::new(),
        });
        Ok(true)
    }

    /// Keeps everything that rays in some rows meet; `None` when that is more than fits.
    fn keep_all(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        rows: &Range<u32>,
        kept: &mut Kept,
    ) -> Result<Option<SheetCounters>, GpuError> {
        let context = recorder.context.clone();
        let node = if given.keeping == Keeping::Runs { 8 } else { 12 };
        let pixels = given.view.width * rows.len() as u32;
        self.cells.hold(&context, (u64::from(pixels) + u64::from(pixels.div_ceil(PER_THREAD))) * 4)?;
        let most = (binding(&context) / node).min(u64::from(MOST_FRAGMENTS)) as u32;
        let most_large = (binding(&context) / 8) as u32;
        loop {
            self.room.fragments = self.room.fragments.clamp(1, most);
            self.room.large = self.room.large.clamp(1, most_large);
            self.fragments.hold(&context, u64::from(self.room.fragments) * node)?;
            self.large.hold(&context, u64::from(self.room.large) * 8)?;
            recorder.stage(Stage::Sample)?;
            self.write(&context, self.entry(given, rows));
            recorder.encoder().clear_buffer(self.counters.get(), 0, None);
            self.keep(recorder, given, pixels);
            recorder.stage(Stage::Pack)?;
            let counters = self.read_counters(recorder, kept)?;
            let needed = u64::from(counters.fragments) + (u64::from(counters.wrapped) << 32);
            if needed > u64::from(most) {
                return too_much("surfaces that rays in a row meet", needed * node, rows, &context);
            }
            if counters.large > most_large {
                let bytes = u64::from(counters.large) * 8;
                return too_much("parts of large triangles", bytes, rows, &context);
            }
            let fits = counters.fragments <= self.room.fragments && counters.large <= self.room.large;
            if fits {
                return Ok(Some(counters));
            }
            let more = |needed: u32| needed.saturating_add(needed / 4);
            self.room.fragments = self.room.fragments.max(more(counters.fragments));
            self.room.large = self.room.large.max(more(counters.large));
        }
    }

    /// Finds the pairs of some rows; `None` when there are more than fit.
    fn pair_all(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        rows: &Range<u32>,
        deepest: u32,
        kept: &mut Kept,
    ) -> Result<Option<SheetCounters>, GpuError> {
        let context = recorder.context.clone();
        let pixels = given.view.width * rows.len() as u32;
        let (lanes, parts) = lanes(deepest);
        let threads = u64::from(pixels) * u64::from(lanes) * u64::from(parts);
        if threads > u64::from(u32::MAX) || (given.keeping == Keeping::Lists && deepest > LONGEST_LIST) {
            return too_much("surfaces that one ray meets", u64::from(deepest) * 12, rows, &context);
        }
        loop {
            self.room.slots = self.room.slots.next_power_of_two();
            let bytes = u64::from(self.room.slots) * 8;
            if bytes > binding(&context) {
                return too_much("pairs of triangles in a row of rays", bytes, rows, &context);
            }
            self.table.hold(&context, bytes)?;
            self.pairs.hold(&context, bytes)?;
            recorder.stage(Stage::Separate)?;
            self.write(&context, SheetEntry { lanes, parts, ..self.entry(given, rows) });
            recorder.encoder().clear_buffer(self.table.get(), 0, Some(bytes));
            // Threads that share a ray remember which of them was counted.
            let shared = given.keeping == Keeping::Lists || lanes * parts > 1;
            let kept_counters = std::mem::offset_of!(SheetCounters, rays) as u64;
            let from = kept_counters + if shared { 4 } else { 0 };
            recorder.encoder().clear_buffer(self.counters.get(), from, None);
            self.find_pairs(recorder, given, pixels, (lanes, parts));
            recorder.stage(Stage::Pack)?;
            let counters = self.read_counters(recorder, kept)?;
            if counters.lost == 0 {
                return Ok(Some(counters));
            }
            self.room.slots = self.room.slots.saturating_mul(4).min(1 << 31);
        }
    }

    fn entry(&self, given: &Given, rows: &Range<u32>) -> SheetEntry {
        SheetEntry {
            width: given.view.width,
            first_row: rows.start,
            end_row: rows.end,
            triangles: given.triangles,
            capacity: self.room.fragments,
            slots: self.room.slots,
            near: given.near,
            large: self.room.large,
            lanes: 1,
            parts: 1,
            ..SheetEntry::default()
        }
    }

    /// The last word before a submission counts, and every strip has one of its own.
    fn write(&self, context: &Context, entry: SheetEntry) {
        context.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&entry));
    }

    /// Everything that rays meet: counted, given places and put there; or linked.
    fn keep(&self, recorder: &mut Recorder, given: &Given, pixels: u32) {
        recorder.encoder().clear_buffer(self.cells.get(), 0, Some(u64::from(pixels) * 4));
        let buffers = [
            (0, &self.uniform),
            (1, given.bodies.triangles.get()),
            (2, given.screen),
            (3, self.parts.get()),
            (4, self.counters.get()),
            (5, self.cells.get()),
            (6, self.fragments.get()),
            (7, self.large.get()),
        ];
        let both = |recorder: &mut Recorder, [small, large]: &[Kernel; 2]| {
            small.run(recorder, &buffers, given.triangles);
            large.run(recorder, &buffers, LARGE_GROUPS * 64);
        };
        if given.keeping == Keeping::Lists {
            both(recorder, &self.link);
            let measured = [buffers[0], buffers[4], buffers[5], buffers[6]];
            self.measure.run(recorder, &measured, pixels);
            return;
        }
        both(recorder, &self.count);
        let placed = [(0, &self.uniform), (4, self.counters.get()), (5, self.cells.get())];
        self.places.run(recorder, &placed, pixels.div_ceil(PER_THREAD));
        both(recorder, &self.put);
    }

    /// Pairs of near surfaces, each once.
    fn find_pairs(&self, recorder: &mut Recorder, given: &Given, pixels: u32, (lanes, parts): (u32, u32)) {
        let buffers = [
            (0, &self.uniform),
            (1, given.bodies.triangles.get()),
            (2, given.screen),
            (3, self.parts.get()),
            (4, self.counters.get()),
            (5, self.cells.get()),
            (6, self.fragments.get()),
            (7, self.table.get()),
            (8, self.pairs.get()),
        ];
        let kernel = match given.keeping {
            Keeping::Lists => &self.pairs_of_lists,
            Keeping::Runs if lanes * parts == 1 => &self.pairs_of_runs,
            Keeping::Runs => &self.pairs_of_long_runs,
        };
        kernel.run(recorder, &buffers, pixels * lanes * parts);
    }

    fn read_counters(&self, recorder: &mut Recorder, kept: &mut Kept) -> Result<SheetCounters, GpuError> {
        let bytes = size_of::<SheetCounters>() as u64;
        kept.bytes_read_back += bytes;
        recorder.read(&[(self.counters.get(), bytes)], bytemuck::pod_read_unaligned)
    }
}

/// How many threads share the surfaces of a ray, and in how many parts what follows a surface is looked through.
fn lanes(deepest: u32) -> (u32, u32) {
    let parts = deepest.div_ceil(SPAN).max(1);
    let each = u64::from(deepest.min(SPAN));
    let mut lanes = 1u32;
    while u64::from(deepest.div_ceil(lanes)) * each > MOST_COMPARED && lanes < deepest {
        lanes *= 2;
    }
    (lanes, parts)
}

/// Bytes that a buffer may have.
fn binding(context: &Context) -> u64 {
    let limits = context.device.limits();
    limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
}

/// Fewer rows, if there are any to take away.
fn too_much<T>(
    what: &'static str,
    bytes: u64,
    rows: &Range<u32>,
    context: &Context,
) -> Result<Option<T>, GpuError> {
    if rows.len() > 1 { Ok(None) } else { Err(GpuError::TooLarge { what, bytes, limit: binding(context) }) }
}

fn entry_of(part: &Part) -> PartEntry {
    let Part { columns, rows, depths, with_itself } = *part;
    PartEntry { columns, rows, depths, with_itself: u32::from(with_itself), padding: 0 }
}
