//! The complete method on a GPU: `place_all.wgsl`, `keep.wgsl`, `grid.wgsl`, `box_pairs.wgsl`, `glance.wgsl`, `decide.wgsl`, one after the other without
//! waiting, then a look at the counters; `settle.wgsl` where much is in doubt. The definition of every stage, and the proof that nothing is missed, is
//! `impinge::stages::grid`.
//!
//! A list that was too short is made longer, and everything is done over. Where a device binds no buffer that long, the region
//! is cut in two along its longest side: a triangle is looked at in every part that its box reaches, a pair in the part
//! where the lower corner of what their boxes share is.

mod batches;
mod judge;
mod lists;
mod settle;
mod stars;

use crate::bodies::Bodies;
use crate::buffers::Grown;
use crate::depth_peel::uniform;
use crate::device::Context;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::layout::{CullCounters, CullEntry, PartyEntry};
use crate::recorder::{Recorder, Stage};
use crate::shaders;
use impinge::Scene;
use impinge::stages::gather::{Member, totals};
use impinge::stages::grid::triangle_filter::{most_voxels, voxels};
use impinge::stages::grid::{ConservativeOptions, Found, Party, Region, Run, Sifted};
use lists::{Lists, Sizes};
use settle::Settle;
use stars::Stars;
use wgpu::{Buffer, BufferUsages};

/// Most threads of stages that go through a list of unknown length.
const THREADS: u32 = 256 * 64;

/// Threads for a list with no more than so many items, each taken by so many threads: a small scene starts few.
fn threads(items: u32, each: u32) -> u32 {
    items.max(1).saturating_mul(each).min(THREADS)
}

/// Workgroups of stages that take a chunk or a block at a time.
const GROUPS: u32 = 2048;

/// Times that a part of a region is cut in two, at most.
const CUTS: u32 = 12;

/// Times that lists are made longer: each of the seven may wait for the one before it, and then a few.
const RERUNS: usize = 12;

/// Kernels and buffers of the method.
#[derive(Debug)]
pub(crate) struct Conservative {
    place: Kernel,
    stars: Stars,
    keep: Kernel,
    mark_wide: Kernel,
    filter: Kernel,
    choose: Kernel,
    count: Kernel,
    allocate: Kernel,
    scatter: Kernel,
    describe: Kernel,
    pairs: Kernel,
    block_boxes: Kernel,
    large_blocks: Kernel,
    large_pairs: Kernel,
    glance: Kernel,
    decide: Kernel,
    settle: Settle,
    lanes: u32,
    entry: Buffer,
    told: Buffer,
    parties: Grown,
    placed: Grown,
    voxels: Grown,
    grid: Grown,
    counters: Grown,
    lists: Lists,
}

/// What a run is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) bodies: &'a Bodies,
    pub(crate) members: &'a [Member],
    /// How many members, the last ones, live on the GPU.
    pub(crate) external: usize,
    pub(crate) run: &'a Run,
    pub(crate) options: ConservativeOptions,
}

/// What pairs are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Items {
    /// Chunks of cells.
    Chunks,
    /// Blocks that large triangles meet.
    Blocks,
}

/// A part of a region along an axis.
#[derive(Clone, Copy, Debug)]
struct Part {
    axis: usize,
    low: f32,
    high: f32,
    /// How often the region was cut.
    cuts: u32,
}

impl Conservative {
    pub(crate) fn new(context: &Context) -> Self {
        // A processor takes eight lanes at a time, and more of them would only wait for each other.
        let on_cpu = context.device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let lanes = if on_cpu { 8 } else { 32 };
        // Where lanes can hand each other what they read, each reads another item of a cell instead of all the same one.
        let box_pairs =
            if on_cpu && shuffles(context, lanes) { shaders::BOX_PAIRS_SHUFFLED } else { shaders::BOX_PAIRS };
        let kernel = |source: &str, entry, size| {
            let source = source.replace("const LANES = 32u;", &format!("const LANES = {lanes}u;"));
            Kernel::new(context, source, entry, size)
        };
        Self {
            place: kernel(shaders::PLACE_ALL, "place_all", 256),
            stars: Stars::new(context),
            keep: kernel(shaders::KEEP, "keep", 64),
            mark_wide: kernel(shaders::KEEP, "mark_wide", 64),
            filter: kernel(shaders::KEEP, "filter_boxes", 64),
            choose: kernel(shaders::GRID, "choose", 1),
            count: kernel(shaders::GRID, "count", 64),
            allocate: kernel(shaders::GRID, "allocate", 64),
            scatter: kernel(shaders::GRID, "scatter", 64),
            describe: kernel(shaders::GRID, "describe", 64),
            pairs: kernel(box_pairs, "pairs", lanes),
            block_boxes: kernel(shaders::BOX_PAIRS, "block_boxes", 64),
            large_blocks: kernel(shaders::BOX_PAIRS, "large_blocks", 64),
            large_pairs: kernel(shaders::BOX_PAIRS, "large_pairs", lanes),
            glance: kernel(shaders::GLANCE, "glance", 64),
            decide: kernel(shaders::DECIDE, "decide", 64),
            settle: Settle::new(context),
            lanes,
            entry: uniform(context, "what to cull", size_of::<CullEntry>() as u64),
            told: uniform(context, "counters so far", size_of::<CullCounters>() as u64),
            parties: Grown::new("bodies that take part", BufferUsages::empty()),
            placed: Grown::new("vertices in the region", BufferUsages::COPY_SRC),
            voxels: Grown::new("voxels", BufferUsages::empty()),
            grid: Grown::new("the grid", BufferUsages::COPY_SRC),
            counters: Grown::new("counters", BufferUsages::COPY_SRC),
            lists: Lists::new(),
        }
    }

    /// Lists start with room for so few items from now on: for tests of what happens when they are too short.
    pub(crate) fn start_small(&mut self) {
        self.lists.start_small();
    }

    /// Nothing that was stored may be relied on.
    pub(crate) fn forget(&mut self) {
        let buffers =
            [&mut self.parties, &mut self.placed, &mut self.voxels, &mut self.grid, &mut self.counters];
        buffers.into_iter().for_each(Grown::forget);
        self.lists.forget();
        self.stars.forget();
        self.settle.forget();
    }

    /// What is known of the bodies of a frame, the last so many of which live on the GPU: once, before its runs.
    pub(crate) fn follow(
        &mut self,
        recorder: &Recorder,
        scene: &Scene,
        members: &[Member],
        external: usize,
    ) -> Result<(), GpuError> {
        self.stars.update(&recorder.context, scene, members, external)
    }

    /// Every pair of one run that touches or is in doubt, added to a list.
    pub(crate) fn sift(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        found: &mut Vec<Found>,
    ) -> Result<Sifted, GpuError> {
        let Given { bodies, members, run, options, .. } = *given;
        let context = recorder.context.clone();
        let [vertices, triangles] = totals(members);
        if triangles > u32::MAX / 2 {
            return Err(GpuError::TooMany);
        }
        self.parties.hold(&context, (run.parties.len() * size_of::<PartyEntry>()) as u64)?;
        self.placed.hold(&context, u64::from(vertices) * 16)?;
        self.grid.hold(&context, 64)?;
        self.counters.hold(&context, size_of::<CullCounters>() as u64)?;
        let parties: Vec<PartyEntry> = run.parties.iter().map(PartyEntry::from).collect();
        context.queue.write_buffer(self.parties.get(), 0, bytemuck::cast_slice(&parties));
        let triangles_of = |takes_part: fn(&Party) -> bool| -> u32 {
            let taking_part = members.iter().zip(&run.parties).filter(|(_, party)| takes_part(party));
            taking_part.map(|(member, _)| member.triangles).sum()
        };
        let counts = [triangles_of(Party::is_active), triangles_of(|party| party.self_collision)];
        recorder.stage(Stage::Project)?;
        let meets = run.parties.iter().any(|party| party.low[0] <= party.high[0]);
        let mut stages = Sifted::default();
        let region = &run.region;
        let axis = longest(region);
        let everything = Part { axis, low: f32::MIN, high: f32::MAX, cuts: 0 };
        let mut parts = vec![everything];
        let mut is_placed = false;
        while let Some(part) = parts.pop() {
            let mut reruns = 0;
            loop {
                let most = (lists::longest(&context) / 4).min(most_voxels(counts[0] as usize) as u64);
                let voxels = voxels(&within(region, &part), most as f32);
                self.voxels.hold(&context, voxels.count() as u64 * 4)?;
                if !self.lists.hold(&context, counts, meets)? {
                    break self.cut(&part, region, &mut parts)?;
                }
                let entry = self.lists.entry(region, &part, &voxels, options, [vertices, triangles], meets);
                context.queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&entry));
                if !is_placed {
                    let (parties, placed) = (self.parties.get(), self.placed.get());
                    let buffers = [(0, &self.entry), (1, parties), (2, bodies.positions.get()), (3, placed)];
                    self.place.run(recorder, &buffers, vertices);
                    self.stars.run(recorder, &self.entry, parties, placed);
                    is_placed = true;
                }
                let counters = self.submit(recorder, bodies, &entry, triangles)?;
                stages.bytes_read_back += size_of::<CullCounters>();
                if counters.beyond == 0 && self.lists.held(&counters) {
                    self.read(recorder, given, &counters, found, &mut stages)?;
                    stages.kept += counters.records as usize;
                    stages.candidates += counters.noted as usize;
                    stages.tested += counters.tests as usize;
                    stages.large += counters.large as usize;
                    break;
                }
                reruns += 1;
                stages.reruns += 1;
                let crowded = counters.beyond == 0 && self.lists.held_but_for_pairs(&counters);
                let fits = counters.beyond == 0 && self.lists.grow(&context, &counters);
                if crowded && !fits && self.lists.hold(&context, counts, meets)? {
                    let entry =
                        self.lists.entry(region, &part, &voxels, options, [vertices, triangles], meets);
                    let counted = self.in_batches(recorder, given, &entry, triangles, found)?;
                    break stages.add(&counted);
                }
                if !fits || reruns > RERUNS {
                    break self.cut(&part, region, &mut parts)?;
                }
            }
        }
        Ok(stages)
    }

    /// Halves a part that takes too much room.
    fn cut(&self, part: &Part, region: &Region, parts: &mut Vec<Part>) -> Result<(), GpuError> {
        let whole = within(region, part);
        let middle = 0.5 * whole.low[part.axis] + 0.5 * whole.high[part.axis];
        let is_thin = middle <= whole.low[part.axis] || middle >= whole.high[part.axis];
        if part.cuts >= CUTS || is_thin {
            let Sizes { records, .. } = self.lists.sizes();
            return Err(GpuError::TooCrowded { triangles: records });
        }
        let cuts = part.cuts + 1;
        parts.push(Part { low: middle, cuts, ..*part });
        parts.push(Part { high: middle, cuts, ..*part });
        Ok(())
    }

    /// All stages, and the counters they leave.
    fn submit(
        &self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        entry: &CullEntry,
        triangles: u32,
    ) -> Result<CullCounters, GpuError> {
        self.fill_cells(recorder, bodies, entry, triangles)?;
        self.pair_up(recorder, Items::Chunks);
        self.pair_up(recorder, Items::Blocks);
        self.look(recorder)
    }

    /// The stages up to chunks of cells, and blocks that large triangles meet.
    fn fill_cells(
        &self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        entry: &CullEntry,
        triangles: u32,
    ) -> Result<(), GpuError> {
        let lists = &self.lists;
        let counters = self.counters.get();
        recorder.encoder().clear_buffer(counters, 0, None);
        recorder.encoder().clear_buffer(lists.counts.get(), 0, Some(u64::from(entry.cells) * 4));

        recorder.stage(Stage::Sample)?;
        if entry.meets != 0 {
            let count: u32 = entry.voxels.iter().product();
            recorder.encoder().clear_buffer(self.voxels.get(), 0, Some(u64::from(count) * 4));
        }
        let keep = [
            (0, &self.entry),
            (1, self.parties.get()),
            (2, bodies.triangles.get()),
            (3, self.placed.get()),
            (4, lists.boxes.get()),
            (5, self.voxels.get()),
            (6, lists.records.get()),
            (7, counters),
            (8, lists.wide.get()),
        ];
        self.keep.run(recorder, &keep, triangles / 8);
        if entry.meets != 0 {
            self.tell(recorder);
            let wide = [
                (0, &self.entry),
                (1, self.parties.get()),
                (2, bodies.triangles.get()),
                (3, self.placed.get()),
                (4, lists.boxes.get()),
                (5, self.voxels.get()),
                (7, counters),
                (8, lists.wide.get()),
                (9, &self.told),
            ];
            self.mark_wide.run(recorder, &wide, threads(triangles, 64));
            let filtered = [
                (0, &self.entry),
                (1, self.parties.get()),
                (2, bodies.triangles.get()),
                (3, self.placed.get()),
                (4, lists.boxes.get()),
                (5, self.voxels.get()),
                (6, lists.records.get()),
                (7, counters),
                (9, &self.told),
            ];
            self.filter.run(recorder, &filtered, threads(triangles.div_ceil(8), 1));
        }

        recorder.stage(Stage::Merge)?;
        self.tell(recorder);
        let grid = self.grid.get();
        self.choose.run(recorder, &[(0, &self.entry), (1, &self.told), (2, grid)], 1);
        let counted = [
            (0, &self.entry),
            (1, &self.told),
            (2, grid),
            (3, lists.records.get()),
            (4, lists.counts.get()),
            (8, counters),
            (9, lists.large.get()),
        ];
        self.count.run(recorder, &counted, threads(triangles, 1));
        let allocated = [
            (0, &self.entry),
            (2, grid),
            (4, lists.counts.get()),
            (5, lists.ends.get()),
            (7, lists.chunks.get()),
            (8, counters),
        ];
        self.allocate.run(recorder, &allocated, threads(entry.cells.div_ceil(8), 1));
        let scattered = [
            (0, &self.entry),
            (1, &self.told),
            (2, grid),
            (3, lists.records.get()),
            (5, lists.ends.get()),
            (6, lists.list.get()),
            (8, counters),
        ];
        self.scatter.run(recorder, &scattered, threads(triangles, 1));
        self.tell(recorder);
        let described = [
            (0, &self.entry),
            (1, &self.told),
            (2, grid),
            (3, lists.records.get()),
            (6, lists.list.get()),
            (8, counters),
        ];
        self.describe.run(recorder, &described, threads(entry.list, 1));

        recorder.stage(Stage::Separate)?;
        let blocks = [(0, &self.entry), (1, &self.told), (2, lists.records.get()), (8, lists.blocks.get())];
        self.block_boxes.run(recorder, &blocks, threads(triangles.div_ceil(64), 1));
        let large_blocks = [
            (0, &self.entry),
            (1, &self.told),
            (2, lists.records.get()),
            (7, counters),
            (8, lists.blocks.get()),
            (9, lists.large.get()),
            (10, lists.block_pairs.get()),
        ];
        self.large_blocks.run(recorder, &large_blocks, threads(triangles, 1));
        self.tell(recorder);
        Ok(())
    }

    /// Pairs of the chunks, or of the blocks, that the entry names.
    fn pair_up(&self, recorder: &mut Recorder, items: Items) {
        let (lists, counters) = (&self.lists, self.counters.get());
        match items {
            Items::Chunks => {
                let paired = [
                    (0, &self.entry),
                    (1, &self.told),
                    (2, lists.records.get()),
                    (3, lists.list.get()),
                    (4, lists.chunks.get()),
                    (5, lists.candidates.get()),
                    (7, counters),
                ];
                self.pairs.run(recorder, &paired, GROUPS.min(self.lists.sizes().chunks) * self.lanes);
            }
            Items::Blocks => {
                let large_pairs = [
                    (0, &self.entry),
                    (1, &self.told),
                    (2, lists.records.get()),
                    (5, lists.candidates.get()),
                    (7, counters),
                    (10, lists.block_pairs.get()),
                ];
                self.large_pairs.run(
                    recorder,
                    &large_pairs,
                    GROUPS.min(self.lists.sizes().block_pairs) * self.lanes,
                );
            }
        }
    }

    /// What floats say about the pairs, and the counters.
    fn look(&self, recorder: &mut Recorder) -> Result<CullCounters, GpuError> {
        recorder.stage(Stage::Pack)?;
        let Sizes { candidates, tests, .. } = self.lists.sizes();
        self.look_at_candidates(recorder, [candidates, tests]);
        let bytes = size_of::<CullCounters>() as u64;
        recorder.read(&[(self.counters.get(), bytes)], bytemuck::pod_read_unaligned)
    }

    /// Later stages see the counters as they are now.
    fn tell(&self, recorder: &mut Recorder) {
        let bytes = size_of::<CullCounters>() as u64;
        recorder.encoder().copy_buffer_to_buffer(self.counters.get(), 0, &self.told, 0, bytes);
    }

    /// What was found; the device settles it first where much of it is in doubt.
    fn read(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        counters: &CullCounters,
        found: &mut Vec<Found>,
        stages: &mut Sifted,
    ) -> Result<(), GpuError> {
        let before = found.len();
        let settles = self.settle.is_worth_it(counters);
        if settles {
            self.settle.run(recorder, given, self.lists.found.get(), counters.found)?;
        }
        stages.bytes_read_back += self.read_found(recorder, counters.found, found)?;
        let doubtful = found[before..].iter().filter(|pair| pair.doubtful).count();
        stages.settled += (counters.doubts as usize).saturating_sub(doubtful) * usize::from(settles);
        stages.doubtful += doubtful;
        Ok(())
    }

    /// So many pairs, of which some may be nothing, and how many bytes that was.
    fn read_found(
        &self,
        recorder: &mut Recorder,
        count: u32,
        found: &mut Vec<Found>,
    ) -> Result<usize, GpuError> {
        if count == 0 {
            return Ok(0);
        }
        let bytes = u64::from(count) * 8;
        recorder.read(&[(self.lists.found.get(), bytes)], |bytes| {
            let pairs = bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned::<[u32; 2]>);
            let pairs = pairs.filter(|[_, b]| *b != u32::MAX);
            found.extend(pairs.map(|[a, b]| Found { a: a & (u32::MAX >> 1), b, doubtful: a >> 31 == 1 }));
        })?;
        Ok(bytes as usize)
    }
}

/// Whether a workgroup of so many lanes is one subgroup for certain.
fn shuffles(context: &Context, lanes: u32) -> bool {
    let info = context.device.adapter_info();
    context.device.features().contains(wgpu::Features::SUBGROUP)
        && [info.subgroup_min_size, info.subgroup_max_size] == [lanes; 2]
}

/// The axis along which a region is longest.
fn longest(region: &Region) -> usize {
    let size = |k: usize| region.high[k] - region.low[k];
    (0..3).fold(0, |longest, k| if size(k) > size(longest) { k } else { longest })
}

/// What a part has of a region.
fn within(region: &Region, part: &Part) -> Region {
    let mut cut = *region;
    cut.low[part.axis] = cut.low[part.axis].max(part.low);
    cut.high[part.axis] = cut.high[part.axis].min(part.high);
    cut
}
