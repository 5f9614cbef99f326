//! Keeps every surface that rays meet with `fragments.wgsl` and finds pairs of near surfaces with `pairs.wgsl` (Jang, Han
//! 2008). The definition of both is `impinge::stages::a_buffer`.
//!
//! Surfaces are covered by a compute shader, large triangles in tiles of 64 x 64 pixels. They are kept in runs (counted,
//! given places, written) or in linked lists (`Keeping`): lists are written faster and searched slower, and runs are faster
//! in total. Pairs go into a hash table with open addressing, whose two words a slot are each written once by
//! compare-exchange: all threads that bring a pair try the same slots, so whoever comes second finds it, and whoever comes
//! first appends it to the list that is read back. Nothing about memory order is needed beyond one word at a time.
//!
//! An image is looked at in strips of rows: what is kept of a strip, and its table of pairs, each fit in a binding. What a
//! strip needs more room for is done again with more, then in smaller strips; only a row that does not fit is an error.
//!
//! Software Vulkan ends a thread's loops after 65,535 iterations and says nothing: large triangles are cut into tiles and
//! deep rays shared among threads so that none comes near.

mod inspect;

pub use inspect::KeptInspection;

use crate::bodies::Bodies;
use crate::device::{Context, Growable, Kernel, Recorder, Stage, read, read_first, uniform};
use crate::error::GpuError;
use crate::layout::{RegionEntry, SheetCounters, SheetEntry};
use crate::shaders;
use impinge::stages::View;
use impinge::stages::a_buffer::{Keeping, RegionOfInterest};
use std::ops::Range;
use wgpu::{Buffer, BufferUsages};

/// Initial capacities.
const AT_FIRST: Room = Room { fragments: 1 << 16, large: 1 << 12, slots: 1 << 14 };

/// Pixels of a strip: their fragments are counted in 32 bits.
const MAX_STRIP_PIXELS: u64 = 1 << 22;

/// Pixels per thread of the running sum; `PIXELS_PER_THREAD` of `a_buffer/shared/sheet.wgsl`.
const PIXELS_PER_THREAD: u32 = 16;

/// Workgroups that share the tiles of large triangles.
const LARGE_GROUPS: u32 = 1024;

/// Fragments that the bits of a cell can number.
const MAX_FRAGMENTS: u32 = 1 << 30;

/// Comparisons per thread: with all slots probed for a pair, some devices that run on a CPU end longer loops.
/// And `SPAN` of `pairs.wgsl`, below it.
const MAX_COMPARISONS: u64 = 3000;
const SPAN: u32 = 2048;

/// Fragments of the deepest list: every thread of a ray walks it whole.
const MAX_LIST_FRAGMENTS: u32 = 20_000;

/// Capacities of the buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) fragments: u32,
    /// Tiles of large triangles.
    pub(crate) large: u32,
    /// Slots of the hash table of pairs.
    pub(crate) slots: u32,
}

/// The input of one view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ViewInput<'a> {
    pub(crate) bodies: &'a Bodies,
    /// Vertices in the image.
    pub(crate) screen: &'a Buffer,
    pub(crate) view: &'a View,
    pub(crate) regions: &'a [RegionOfInterest],
    /// The number of triangles, with padding.
    pub(crate) triangles: u32,
    pub(crate) near: f32,
    pub(crate) keeping: Keeping,
}

/// The result of one view.
#[derive(Clone, Debug, Default)]
pub(crate) struct ViewPairs {
    /// Pairs of triangles, sorted, each once.
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) fragments: u64,
    pub(crate) deepest: u32,
    pub(crate) rays: u32,
    pub(crate) bytes_read_back: u64,
    /// Fragments, or pairs, of the fullest strip.
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
    regions: Growable,
    counters: Growable,
    cells: Growable,
    fragments: Growable,
    large: Growable,
    table: Growable,
    pairs: Growable,
    /// Capacities that sufficed last.
    pub(crate) room: Room,
    /// Pixels of the last strip that fitted; at most [`MAX_STRIP_PIXELS`].
    strip: u64,
    /// The last strip.
    last: Option<Last>,
}

/// The last strip of the last view.
#[derive(Clone, Debug)]
struct Last {
    entry: SheetEntry,
    keeping: Keeping,
    fragments: u32,
    rows: Range<u32>,
    regions: Vec<RegionOfInterest>,
    pairs: Vec<[u32; 2]>,
}

impl ABuffer {
    pub(crate) fn new(context: &Context) -> Self {
        let read = BufferUsages::COPY_SRC;
        let of_fragments = |entry| Kernel::new(context, shaders::FRAGMENTS, entry, 64);
        let keeping = |what: &str| {
            let source = shaders::FRAGMENTS.replace("const WHAT = COUNT;", &format!("const WHAT = {what};"));
            ["keep", "keep_large"].map(|entry| Kernel::new(context, source.clone(), entry, 64))
        };
        let of_pairs = |entry| Kernel::new(context, shaders::PAIRS, entry, 64);
        Self {
            count: keeping("COUNT"),
            places: of_fragments("places"),
            put: keeping("PUT"),
            link: keeping("LINK"),
            measure: of_fragments("measure"),
            pairs_of_runs: of_pairs("pairs_of_runs"),
            pairs_of_long_runs: of_pairs("pairs_of_long_runs"),
            pairs_of_lists: of_pairs("pairs_of_lists"),
            uniform: uniform(context, "sheet", size_of::<SheetEntry>() as u64),
            regions: Growable::new("regions of interest", BufferUsages::empty()),
            counters: Growable::new("counters of surfaces", read),
            cells: Growable::new("places of surfaces", read),
            fragments: Growable::new("surfaces that rays meet", read),
            large: Growable::new("parts of large triangles", BufferUsages::empty()),
            table: Growable::new("table of pairs", BufferUsages::empty()),
            pairs: Growable::new("pairs of triangles", read),
            room: AT_FIRST,
            strip: MAX_STRIP_PIXELS,
            last: None,
        }
    }

    /// Whether there is anything to inspect.
    pub(crate) fn has_looked(&self) -> bool {
        self.last.is_some()
    }

    /// Starts a call: drops the last result.
    pub(crate) fn start(&mut self) {
        self.last = None;
    }

    /// Discards everything.
    pub(crate) fn forget(&mut self) {
        self.last = None;
        let buffers = [
            &mut self.regions,
            &mut self.counters,
            &mut self.cells,
            &mut self.fragments,
            &mut self.large,
            &mut self.table,
            &mut self.pairs,
        ];
        buffers.into_iter().for_each(Growable::forget);
    }

    /// From vertices in the image to pairs of triangles that may collide.
    pub(crate) fn run(&mut self, recorder: &mut Recorder, input: &ViewInput) -> Result<ViewPairs, GpuError> {
        let context = recorder.context.clone();
        self.last = None;
        let entries: Vec<RegionEntry> = input.regions.iter().map(entry_of).collect();
        self.regions.fill(&context, &entries)?;
        self.counters.reserve(&context, size_of::<SheetCounters>() as u64)?;
        let View { width, height, .. } = *input.view;
        // Rows outside all regions of interest are skipped.
        let looked_at = |region: &&RegionOfInterest| region.rows[0] < region.rows[1];
        let end = input.regions.iter().filter(looked_at).map(|region| region.rows[1]).max().unwrap_or(0);
        let mut row = input.regions.iter().filter(looked_at).map(|region| region.rows[0]).min().unwrap_or(0);
        let mut strip = (self.strip.min(context.max_binding() / 5) / u64::from(width)).max(1) as u32;
        let mut found = ViewPairs::default();
        let mut rows = 0..0;
        while row < end.min(height) {
            rows = row..(row + strip).min(end).min(height);
            if self.run_strip(recorder, input, &rows, &mut found)? {
                row = rows.end;
            } else {
                strip = (rows.len() as u32 / 2).max(1);
                self.strip = u64::from(strip) * u64::from(width);
            }
        }
        // Larger strips are tried again once smaller ones are less than half full.
        if found.most_in_strip * 16 < context.max_binding() / 2 {
            self.strip = (self.strip * 2).min(MAX_STRIP_PIXELS);
        }
        // Different strips may find the same pair.
        found.pairs.sort_unstable();
        found.pairs.dedup();
        if let Some(last) = &mut self.last {
            last.pairs.clone_from(&found.pairs);
            last.rows = rows;
        }
        Ok(found)
    }

    /// Adds the result of some rows; `false` if they do not fit and can be divided.
    fn run_strip(
        &mut self,
        recorder: &mut Recorder,
        input: &ViewInput,
        rows: &Range<u32>,
        found: &mut ViewPairs,
    ) -> Result<bool, GpuError> {
        let Some(counters) = self.accumulate(recorder, input, rows, found)? else { return Ok(false) };
        if counters.deepest > 1 {
            let Some(counters) = self.pair_up(recorder, input, rows, counters.deepest, found)? else {
                return Ok(false);
            };
            let bytes = u64::from(counters.pairs) * 8;
            if bytes > 0 {
                found.pairs.append(&mut read(recorder, self.pairs.get(), bytes)?);
            }
            found.bytes_read_back += bytes;
            found.rays += counters.rays;
            found.most_in_strip = found.most_in_strip.max(u64::from(self.room.slots) / 2);
        }
        found.fragments += u64::from(counters.fragments);
        found.most_in_strip = found.most_in_strip.max(u64::from(counters.fragments));
        found.deepest = found.deepest.max(counters.deepest);
        self.last = Some(Last {
            entry: self.entry(input, rows),
            keeping: input.keeping,
            fragments: counters.fragments,
            rows: rows.clone(),
            regions: input.regions.to_vec(),
            pairs: Vec::new(),
        });
        Ok(true)
    }

    /// Stores the fragments of some rows; `None` if they do not fit.
    fn accumulate(
        &mut self,
        recorder: &mut Recorder,
        input: &ViewInput,
        rows: &Range<u32>,
        found: &mut ViewPairs,
    ) -> Result<Option<SheetCounters>, GpuError> {
        let context = recorder.context.clone();
        let node = if input.keeping == Keeping::Runs { 8 } else { 12 };
        let pixels = input.view.width * rows.len() as u32;
        self.cells
            .reserve(&context, (u64::from(pixels) + u64::from(pixels.div_ceil(PIXELS_PER_THREAD))) * 4)?;
        let most = (context.max_binding() / node).min(u64::from(MAX_FRAGMENTS)) as u32;
        let most_large = (context.max_binding() / 8) as u32;
        loop {
            self.room.fragments = self.room.fragments.clamp(1, most);
            self.room.large = self.room.large.clamp(1, most_large);
            self.fragments.reserve(&context, u64::from(self.room.fragments) * node)?;
            self.large.reserve(&context, u64::from(self.room.large) * 8)?;
            recorder.stage(Stage::Sample)?;
            self.write(&context, self.entry(input, rows));
            recorder.encoder().clear_buffer(self.counters.get(), 0, None);
            self.dispatch_fragments(recorder, input, pixels);
            recorder.stage(Stage::Pack)?;
            let counters = self.read_counters(recorder, found)?;
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

    /// Finds the pairs of some rows; `None` if they do not fit.
    fn pair_up(
        &mut self,
        recorder: &mut Recorder,
        input: &ViewInput,
        rows: &Range<u32>,
        deepest: u32,
        found: &mut ViewPairs,
    ) -> Result<Option<SheetCounters>, GpuError> {
        let context = recorder.context.clone();
        let pixels = input.view.width * rows.len() as u32;
        let (lanes, spans) = lanes(deepest);
        let threads = u64::from(pixels) * u64::from(lanes) * u64::from(spans);
        if threads > u64::from(u32::MAX) || (input.keeping == Keeping::Lists && deepest > MAX_LIST_FRAGMENTS)
        {
            return too_much("surfaces that one ray meets", u64::from(deepest) * 12, rows, &context);
        }
        loop {
            self.room.slots = self.room.slots.next_power_of_two();
            let bytes = u64::from(self.room.slots) * 8;
            if bytes > context.max_binding() {
                return too_much("pairs of triangles in a row of rays", bytes, rows, &context);
            }
            self.table.reserve(&context, bytes)?;
            self.pairs.reserve(&context, bytes)?;
            recorder.stage(Stage::Separate)?;
            self.write(&context, SheetEntry { lanes, spans, ..self.entry(input, rows) });
            recorder.encoder().clear_buffer(self.table.get(), 0, Some(bytes));
            // Threads that share a ray mark it once it is counted.
            let shared = input.keeping == Keeping::Lists || lanes * spans > 1;
            let kept_counters = std::mem::offset_of!(SheetCounters, rays) as u64;
            let from = kept_counters + if shared { 4 } else { 0 };
            recorder.encoder().clear_buffer(self.counters.get(), from, None);
            self.find_pairs(recorder, input, pixels, (lanes, spans));
            recorder.stage(Stage::Pack)?;
            let counters = self.read_counters(recorder, found)?;
            if counters.lost == 0 {
                return Ok(Some(counters));
            }
            self.room.slots = self.room.slots.saturating_mul(4).min(1 << 31);
        }
    }

    fn entry(&self, input: &ViewInput, rows: &Range<u32>) -> SheetEntry {
        SheetEntry {
            width: input.view.width,
            first_row: rows.start,
            end_row: rows.end,
            triangles: input.triangles,
            capacity: self.room.fragments,
            slots: self.room.slots,
            near: input.near,
            large: self.room.large,
            lanes: 1,
            spans: 1,
            ..SheetEntry::default()
        }
    }

    /// A buffer keeps the last write before a submission; every strip has a submission of its own.
    fn write(&self, context: &Context, entry: SheetEntry) {
        context.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&entry));
    }

    /// What both shaders have in common.
    fn buffers<'a>(&'a self, input: &ViewInput<'a>) -> [(u32, &'a Buffer); 7] {
        [
            (0, &self.uniform),
            (1, input.bodies.triangles.get()),
            (2, input.screen),
            (3, self.regions.get()),
            (4, self.counters.get()),
            (5, self.cells.get()),
            (6, self.fragments.get()),
        ]
    }

    /// All fragments: counted, allocated and stored in runs; or linked into lists.
    fn dispatch_fragments(&self, recorder: &mut Recorder, input: &ViewInput, pixels: u32) {
        recorder.encoder().clear_buffer(self.cells.get(), 0, Some(u64::from(pixels) * 4));
        let buffers = [&self.buffers(input)[..], &[(7, self.large.get())]].concat();
        let both = |recorder: &mut Recorder, [small, large]: &[Kernel; 2]| {
            small.run(recorder, &buffers, input.triangles);
            large.run(recorder, &buffers, LARGE_GROUPS * 64);
        };
        if input.keeping == Keeping::Lists {
            both(recorder, &self.link);
            self.measure.run_some(recorder, &buffers, &[0, 4, 5, 6], pixels);
            return;
        }
        both(recorder, &self.count);
        self.places.run_some(recorder, &buffers, &[0, 4, 5], pixels.div_ceil(PIXELS_PER_THREAD));
        both(recorder, &self.put);
    }

    /// Pairs of near surfaces, each once.
    fn find_pairs(
        &self,
        recorder: &mut Recorder,
        input: &ViewInput,
        pixels: u32,
        (lanes, spans): (u32, u32),
    ) {
        let found = [(7, self.table.get()), (8, self.pairs.get())];
        let buffers = [&self.buffers(input)[..], &found].concat();
        let kernel = match input.keeping {
            Keeping::Lists => &self.pairs_of_lists,
            Keeping::Runs if lanes * spans == 1 => &self.pairs_of_runs,
            Keeping::Runs => &self.pairs_of_long_runs,
        };
        kernel.run(recorder, &buffers, pixels * lanes * spans);
    }

    fn read_counters(
        &self,
        recorder: &mut Recorder,
        found: &mut ViewPairs,
    ) -> Result<SheetCounters, GpuError> {
        found.bytes_read_back += size_of::<SheetCounters>() as u64;
        read_first(recorder, self.counters.get())
    }
}

/// Threads per ray, and spans of the fragments that follow one.
fn lanes(deepest: u32) -> (u32, u32) {
    let spans = deepest.div_ceil(SPAN).max(1);
    let each = u64::from(deepest.min(SPAN));
    let mut lanes = 1u32;
    while u64::from(deepest.div_ceil(lanes)) * each > MAX_COMPARISONS && lanes < deepest {
        lanes *= 2;
    }
    (lanes, spans)
}

/// `None` if rows can be removed, else an error.
fn too_much<T>(
    what: &'static str,
    bytes: u64,
    rows: &Range<u32>,
    context: &Context,
) -> Result<Option<T>, GpuError> {
    if rows.len() > 1 {
        Ok(None)
    } else {
        Err(GpuError::TooLarge { what, bytes, limit: context.max_binding() })
    }
}

fn entry_of(region: &RegionOfInterest) -> RegionEntry {
    let RegionOfInterest { columns, rows, depths, with_itself } = *region;
    RegionEntry { columns, rows, depths, with_itself: u32::from(with_itself), padding: 0 }
}
