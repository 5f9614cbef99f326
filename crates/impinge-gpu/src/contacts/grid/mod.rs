//! The grid method on a GPU: the stages of `impinge::stages::grid` one after the other in one submission, then a look at 256
//! bytes of counters, and 8 bytes for each pair that touches or is in doubt. The definition of every stage, and the proof
//! that nothing is missed, is there.
//!
//! A list that was too short is made longer, and everything is done over. Where a device binds no buffer that long, the
//! region is cut in two along its longest side: a triangle is looked at in every part that its box reaches, a pair in the
//! part where the lower corner of what their boxes share is.
//!
//! Where floats leave more than one candidate of 125 in doubt, the device decides them itself before the list comes back:
//! faces that coincide, lattices, flat triangles, where signs are exactly zero and no bound can tell. Positions go there in
//! doubles when this happens first, and stay while they are the same. Poses are applied by integer arithmetic, with the
//! roundings of `Pose::apply`; coordinates of a pair become whole numbers of one unit, and signs are computed without any
//! rounding, in words of 32, 64 and 96 bits where they fit, else in digits of 16 bits, up to 128 bits a difference. What
//! needs more bits, or subnormal numbers, stays in doubt for the CPU. `cargo xtask soak --filter` holds it against the exact
//! test on every family of pairs, standing anywhere.
//!
//! The cell of a coordinate must be computed by one function in one kernel; what later stages compare are the numbers it
//! stored. What software Vulkan decided about these shaders is in `docs/decisions/grid.md`.

mod batches;
mod exact_signs;
mod inspect;
mod lists;
mod stages;
mod stars;

use crate::bodies::Bodies;
use crate::device::{Context, Growable, Kernel, Recorder, Stage, uniform};
use crate::error::GpuError;
use crate::layout::{BodyInRegionEntry, CullCounters, CullEntry, Sizes};
use crate::shaders;
use exact_signs::ExactSigns;
use impinge::Scene;
use impinge::stages::gather::{Member, totals};
use impinge::stages::grid::triangle_filter::{max_voxels, voxels};
use impinge::stages::grid::{BodyInRegion, Found, GridOptions, GridStats, Region, Run};
use lists::Lists;
use stages::Items;
use stars::Stars;
use wgpu::{Buffer, BufferUsages};

/// Times that a region is halved, at most.
const MAX_CUTS: u32 = 12;

/// Times that lists are enlarged, at most: each of the seven may wait for the one before it, with room.
const MAX_RERUNS: usize = 12;

/// Kernels and buffers of the method.
#[derive(Debug)]
pub(crate) struct Grid {
    place: Kernel,
    stars: Stars,
    triangle_filter: Kernel,
    mark_wide: Kernel,
    voxel_filter: Kernel,
    choose: Kernel,
    count: Kernel,
    allocate: Kernel,
    scatter: Kernel,
    describe: Kernel,
    pairs: Kernel,
    block_boxes: Kernel,
    large_blocks: Kernel,
    large_pairs: Kernel,
    plane_filter: Kernel,
    decide: Kernel,
    exact_signs: ExactSigns,
    lanes: u32,
    entry: Buffer,
    counted: Buffer,
    in_region: Growable,
    placed: Growable,
    voxels: Growable,
    lattice: Growable,
    counters: Growable,
    lists: Lists,
}

/// The input of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunInput<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) bodies: &'a Bodies,
    pub(crate) members: &'a [Member],
    /// How many members, the last ones, are external.
    pub(crate) external: usize,
    pub(crate) run: &'a Run,
    pub(crate) options: GridOptions,
}

/// A part of a region along an axis.
#[derive(Clone, Copy, Debug)]
struct Subregion {
    axis: usize,
    low: f32,
    high: f32,
    /// How often the region was halved.
    cuts: u32,
}

impl Grid {
    pub(crate) fn new(context: &Context) -> Self {
        // Software devices run eight lanes in lockstep; larger workgroups would only wait for each other.
        let on_cpu = context.device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let lanes = if on_cpu { 8 } else { 32 };
        // Where lanes can exchange values, each reads another item of a cell instead of all reading the same
        // one.
        let box_pairs =
            if on_cpu && shuffles(context, lanes) { shaders::BOX_PAIRS_SHUFFLED } else { shaders::BOX_PAIRS };
        let kernel = |source: &str, entry, size| {
            let source = source.replace("const LANES = 32u;", &format!("const LANES = {lanes}u;"));
            Kernel::new(context, source, entry, size)
        };
        Self {
            place: kernel(shaders::REGION, "place_all", 256),
            stars: Stars::new(context),
            triangle_filter: kernel(shaders::TRIANGLE_FILTER, "triangle_filter", 64),
            mark_wide: kernel(shaders::TRIANGLE_FILTER, "mark_wide", 64),
            voxel_filter: kernel(shaders::TRIANGLE_FILTER, "voxel_filter", 64),
            choose: kernel(shaders::CELLS, "choose", 1),
            count: kernel(shaders::CELLS, "count", 64),
            allocate: kernel(shaders::CELLS, "allocate", 64),
            scatter: kernel(shaders::CELLS, "scatter", 64),
            describe: kernel(shaders::CELLS, "describe", 64),
            pairs: kernel(box_pairs, "pairs", lanes),
            block_boxes: kernel(shaders::BOX_PAIRS, "block_boxes", 64),
            large_blocks: kernel(shaders::BOX_PAIRS, "large_blocks", 64),
            large_pairs: kernel(shaders::BOX_PAIRS, "large_pairs", lanes),
            plane_filter: kernel(shaders::PLANE_FILTER, "plane_filter", 64),
            decide: kernel(shaders::SIGNS, "decide", 64),
            exact_signs: ExactSigns::new(context),
            lanes,
            entry: uniform(context, "what to cull", size_of::<CullEntry>() as u64),
            counted: uniform(context, "counters so far", size_of::<CullCounters>() as u64),
            in_region: Growable::new("bodies that take part", BufferUsages::empty()),
            placed: Growable::new("vertices in the region", BufferUsages::COPY_SRC),
            voxels: Growable::new("voxels", BufferUsages::empty()),
            lattice: Growable::new("the grid", BufferUsages::COPY_SRC),
            counters: Growable::new("counters", BufferUsages::COPY_SRC),
            lists: Lists::new(),
        }
    }

    /// Sets minimal initial capacities: for tests of lists that are too short.
    pub(crate) fn start_small(&mut self) {
        self.lists.start_small();
    }

    /// Discards everything.
    pub(crate) fn forget(&mut self) {
        let buffers =
            [&mut self.in_region, &mut self.placed, &mut self.voxels, &mut self.lattice, &mut self.counters];
        buffers.into_iter().for_each(Growable::forget);
        self.lists.forget();
        self.stars.forget();
        self.exact_signs.forget();
    }

    /// Updates what is kept of the bodies, the last `external` of which are external: once per frame, before
    /// its runs.
    pub(crate) fn follow(
        &mut self,
        recorder: &Recorder,
        scene: &Scene,
        members: &[Member],
        external: usize,
    ) -> Result<(), GpuError> {
        self.stars.update(&recorder.context, scene, members, external)
    }

    /// Appends every pair of one run that is a contact or in doubt.
    pub(crate) fn run(
        &mut self,
        recorder: &mut Recorder,
        input: &RunInput,
        found: &mut Vec<Found>,
    ) -> Result<GridStats, GpuError> {
        let RunInput { bodies, members, run, options, .. } = *input;
        let context = recorder.context.clone();
        let [vertices, triangles] = totals(members);
        if triangles > u32::MAX / 2 {
            return Err(GpuError::TooMany);
        }
        self.placed.reserve(&context, u64::from(vertices) * 16)?;
        self.lattice.reserve(&context, 64)?;
        self.counters.reserve(&context, size_of::<CullCounters>() as u64)?;
        let entries: Vec<BodyInRegionEntry> = run.bodies.iter().map(BodyInRegionEntry::of).collect();
        self.in_region.fill(&context, &entries)?;
        let triangles_of = |takes_part: fn(&BodyInRegion) -> bool| -> u32 {
            let taking_part = members.iter().zip(&run.bodies).filter(|(_, body)| takes_part(body));
            taking_part.map(|(member, _)| member.triangles).sum()
        };
        let counts = [triangles_of(BodyInRegion::is_active), triangles_of(|body| body.self_collision)];
        recorder.stage(Stage::Project)?;
        let meets = run.bodies.iter().any(|body| body.low[0] <= body.high[0]);
        let mut stages = GridStats::default();
        let region = &run.region;
        let axis = longest(region);
        let everything = Subregion { axis, low: f32::MIN, high: f32::MAX, cuts: 0 };
        let mut subregions = vec![everything];
        let mut is_placed = false;
        while let Some(subregion) = subregions.pop() {
            let mut reruns = 0;
            loop {
                let most = (context.max_binding() / 4).min(max_voxels(counts[0] as usize) as u64);
                let voxels = voxels(&within(region, &subregion), most as f32);
                self.voxels.reserve(&context, voxels.count() as u64 * 4)?;
                if !self.lists.reserve(&context, counts, meets)? {
                    break self.cut(&subregion, region, &mut subregions)?;
                }
                let entry =
                    self.lists.entry(region, &subregion, &voxels, options, [vertices, triangles], meets);
                context.queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&entry));
                if !is_placed {
                    let (in_region, placed) = (self.in_region.get(), self.placed.get());
                    let buffers =
                        [(0, &self.entry), (1, in_region), (2, bodies.positions.get()), (3, placed)];
                    self.place.run(recorder, &buffers, vertices);
                    self.stars.run(recorder, &self.entry, in_region, placed);
                    is_placed = true;
                }
                let counters = self.submit(recorder, bodies, &entry, triangles)?;
                stages.bytes_read_back += size_of::<CullCounters>();
                if counters.beyond == 0 && self.lists.held(&counters) {
                    self.read(recorder, input, &counters, found, &mut stages)?;
                    stages.kept += counters.sizes.records as usize;
                    stages.candidates += counters.noted as usize;
                    stages.tested += counters.sizes.tests as usize;
                    stages.large += counters.sizes.large as usize;
                    break;
                }
                reruns += 1;
                stages.reruns += 1;
                let crowded = counters.beyond == 0 && self.lists.held_but_for_pairs(&counters);
                let fits = counters.beyond == 0 && self.lists.grow(&context, &counters);
                if crowded && !fits && self.lists.reserve(&context, counts, meets)? {
                    let entry =
                        self.lists.entry(region, &subregion, &voxels, options, [vertices, triangles], meets);
                    let counted = self.in_batches(recorder, input, &entry, triangles, found)?;
                    break stages.add(&counted);
                }
                if !fits || reruns > MAX_RERUNS {
                    break self.cut(&subregion, region, &mut subregions)?;
                }
            }
        }
        Ok(stages)
    }

    /// Halves a subregion whose lists do not fit.
    fn cut(
        &self,
        subregion: &Subregion,
        region: &Region,
        subregions: &mut Vec<Subregion>,
    ) -> Result<(), GpuError> {
        let whole = within(region, subregion);
        let middle = 0.5 * whole.low[subregion.axis] + 0.5 * whole.high[subregion.axis];
        let is_thin = middle <= whole.low[subregion.axis] || middle >= whole.high[subregion.axis];
        if subregion.cuts >= MAX_CUTS || is_thin {
            let Sizes { records, .. } = self.lists.sizes();
            return Err(GpuError::TooCrowded { triangles: records });
        }
        let cuts = subregion.cuts + 1;
        subregions.push(Subregion { low: middle, cuts, ..*subregion });
        subregions.push(Subregion { high: middle, cuts, ..*subregion });
        Ok(())
    }

    /// All stages, and the resulting counters.
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
        self.filter_pairs(recorder)
    }

    /// Reads the pairs found, after the device has decided doubtful ones if they are many.
    fn read(
        &mut self,
        recorder: &mut Recorder,
        input: &RunInput,
        counters: &CullCounters,
        found: &mut Vec<Found>,
        stages: &mut GridStats,
    ) -> Result<(), GpuError> {
        let before = found.len();
        let decides = self.exact_signs.pays_off(counters);
        if decides {
            self.exact_signs.run(recorder, input, self.lists.found.get(), counters.sizes.found)?;
        }
        stages.bytes_read_back += self.read_found(recorder, counters.sizes.found, found)?;
        let doubtful = found[before..].iter().filter(|pair| pair.doubtful).count();
        stages.exact_signs += (counters.doubts as usize).saturating_sub(doubtful) * usize::from(decides);
        stages.doubtful += doubtful;
        Ok(())
    }

    /// Appends `count` pairs, skipping cleared ones; returns the bytes read.
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

/// Whether a workgroup of this size is certainly one subgroup.
fn shuffles(context: &Context, lanes: u32) -> bool {
    let info = context.device.adapter_info();
    context.device.features().contains(wgpu::Features::SUBGROUP)
        && [info.subgroup_min_size, info.subgroup_max_size] == [lanes; 2]
}

/// The longest axis of a region.
fn longest(region: &Region) -> usize {
    let size = |k: usize| region.high[k] - region.low[k];
    (0..3).fold(0, |longest, k| if size(k) > size(longest) { k } else { longest })
}

/// The intersection of a region and a subregion.
fn within(region: &Region, subregion: &Subregion) -> Region {
    let mut cut = *region;
    cut.low[subregion.axis] = cut.low[subregion.axis].max(subregion.low);
    cut.high[subregion.axis] = cut.high[subregion.axis].min(subregion.high);
    cut
}
