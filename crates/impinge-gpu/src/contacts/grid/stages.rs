//! The dispatches of a run, stage by stage, each with its bindings.

use super::Grid;
use crate::bodies::Bodies;
use crate::device::{Recorder, Stage, read_first};
use crate::error::GpuError;
use crate::layout::{CullCounters, CullEntry, Sizes};
use wgpu::Buffer;

/// Threads of stages that iterate over a list of unknown length, at most.
const MAX_THREADS: u32 = 256 * 64;

/// Threads for at most `items` items with `each` threads per item: a small scene starts few.
fn threads(items: u32, each: u32) -> u32 {
    items.max(1).saturating_mul(each).min(MAX_THREADS)
}

/// Workgroups of stages that take a chunk or a block at a time, at most.
const MAX_GROUPS: u32 = 2048;

/// The source of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Items {
    /// Chunks of cells.
    Chunks,
    /// Blocks of records that large triangles intersect.
    Blocks,
}

impl Grid {
    /// The stages up to chunks of cells and blocks of large triangles.
    pub(super) fn fill_cells(
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
        let filters = [
            (0, &self.entry),
            (1, self.in_region.get()),
            (2, bodies.triangles.get()),
            (3, self.placed.get()),
            (4, lists.boxes.get()),
            (5, self.voxels.get()),
            (6, lists.records.get()),
            (7, counters),
            (8, lists.wide.get()),
            (9, &self.counted),
        ];
        self.triangle_filter.run(recorder, &filters[..9], triangles / 8);
        if entry.meets != 0 {
            self.snapshot_counters(recorder);
            let used = [0, 1, 2, 3, 4, 5, 7, 8, 9];
            self.mark_wide.run_some(recorder, &filters, &used, threads(triangles, 64));
            let used = [0, 1, 2, 3, 4, 5, 6, 7, 9];
            self.voxel_filter.run_some(recorder, &filters, &used, threads(triangles.div_ceil(8), 1));
        }

        recorder.stage(Stage::Merge)?;
        self.snapshot_counters(recorder);
        let cells = [
            (0, &self.entry),
            (1, &self.counted),
            (2, self.lattice.get()),
            (3, lists.records.get()),
            (4, lists.counts.get()),
            (5, lists.ends.get()),
            (6, lists.list.get()),
            (7, lists.chunks.get()),
            (8, counters),
            (9, lists.large.get()),
        ];
        let each_triangle = threads(triangles, 1);
        self.choose.run(recorder, &cells[..3], 1);
        self.count.run_some(recorder, &cells, &[0, 1, 2, 3, 4, 8, 9], each_triangle);
        let each_cell = threads(entry.cells.div_ceil(8), 1);
        self.allocate.run_some(recorder, &cells, &[0, 2, 4, 5, 7, 8], each_cell);
        self.scatter.run_some(recorder, &cells, &[0, 1, 2, 3, 5, 6, 8], each_triangle);
        self.snapshot_counters(recorder);
        self.describe.run_some(recorder, &cells, &[0, 1, 2, 3, 6, 8], threads(entry.sizes.list, 1));

        recorder.stage(Stage::Separate)?;
        let box_pairs = self.box_pairs();
        let each_block = threads(triangles.div_ceil(64), 1);
        self.block_boxes.run_some(recorder, &box_pairs, &[0, 1, 2, 8], each_block);
        self.large_blocks.run_some(recorder, &box_pairs, &[0, 1, 2, 7, 8, 9, 10], each_triangle);
        self.snapshot_counters(recorder);
        Ok(())
    }

    /// The buffers of `box_pairs.wgsl`.
    fn box_pairs(&self) -> [(u32, &Buffer); 10] {
        let lists = &self.lists;
        [
            (0, &self.entry),
            (1, &self.counted),
            (2, lists.records.get()),
            (3, lists.list.get()),
            (4, lists.chunks.get()),
            (5, lists.candidates.get()),
            (7, self.counters.get()),
            (8, lists.blocks.get()),
            (9, lists.large.get()),
            (10, lists.block_pairs.get()),
        ]
    }

    /// Pairs from the chunks or blocks in the range of the entry.
    pub(super) fn pair_up(&self, recorder: &mut Recorder, items: Items) {
        let (all, sizes) = (self.box_pairs(), self.lists.sizes());
        let threads = |items: u32| MAX_GROUPS.min(items) * self.lanes;
        match items {
            Items::Chunks => {
                self.pairs.run_some(recorder, &all, &[0, 1, 2, 3, 4, 5, 7], threads(sizes.chunks));
            }
            Items::Blocks => {
                self.large_pairs.run_some(recorder, &all, &[0, 1, 2, 5, 7, 10], threads(sizes.block_pairs));
            }
        }
    }

    /// The float filters, and the resulting counters.
    pub(super) fn filter_pairs(&self, recorder: &mut Recorder) -> Result<CullCounters, GpuError> {
        recorder.stage(Stage::Pack)?;
        let Sizes { candidates, tests, .. } = self.lists.sizes();
        self.filter_candidates(recorder, [candidates, tests]);
        read_first(recorder, self.counters.get())
    }

    /// Makes the current counters visible to later stages as a uniform.
    pub(super) fn snapshot_counters(&self, recorder: &mut Recorder) {
        let bytes = size_of::<CullCounters>() as u64;
        recorder.encoder().copy_buffer_to_buffer(self.counters.get(), 0, &self.counted, 0, bytes);
    }

    /// The stages from candidates to pairs found, for at most this many candidates and tests.
    pub(super) fn filter_candidates(&self, recorder: &mut Recorder, [candidates, tests]: [u32; 2]) {
        let (lists, counters) = (&self.lists, self.counters.get());
        self.snapshot_counters(recorder);
        let filtered = [
            (0, &self.entry),
            (1, &self.counted),
            (2, lists.records.get()),
            (3, lists.candidates.get()),
            (4, lists.tests.get()),
            (5, lists.found.get()),
            (6, counters),
        ];
        self.plane_filter.run(recorder, &filtered, threads(candidates, 1));
        self.snapshot_counters(recorder);
        let decided = [
            (0, &self.entry),
            (1, &self.counted),
            (2, lists.records.get()),
            (3, lists.tests.get()),
            (4, lists.found.get()),
            (5, counters),
        ];
        self.decide.run(recorder, &decided, threads(tests, 1));
    }
}
