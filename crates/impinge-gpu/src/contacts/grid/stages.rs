//! The dispatches of a run, stage by stage, each with its bindings.

use super::Grid;
use super::lists::Sizes;
use crate::bodies::Bodies;
use crate::device::{Recorder, Stage};
use crate::error::GpuError;
use crate::layout::{CullCounters, CullEntry};

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
        let boxed = [
            (0, &self.entry),
            (1, self.in_region.get()),
            (2, bodies.triangles.get()),
            (3, self.placed.get()),
            (4, lists.boxes.get()),
            (5, self.voxels.get()),
            (6, lists.records.get()),
            (7, counters),
            (8, lists.wide.get()),
        ];
        self.triangle_filter.run(recorder, &boxed, triangles / 8);
        if entry.meets != 0 {
            self.snapshot_counters(recorder);
            let wide = [
                (0, &self.entry),
                (1, self.in_region.get()),
                (2, bodies.triangles.get()),
                (3, self.placed.get()),
                (4, lists.boxes.get()),
                (5, self.voxels.get()),
                (7, counters),
                (8, lists.wide.get()),
                (9, &self.counted),
            ];
            self.mark_wide.run(recorder, &wide, threads(triangles, 64));
            let filtered = [
                (0, &self.entry),
                (1, self.in_region.get()),
                (2, bodies.triangles.get()),
                (3, self.placed.get()),
                (4, lists.boxes.get()),
                (5, self.voxels.get()),
                (6, lists.records.get()),
                (7, counters),
                (9, &self.counted),
            ];
            self.voxel_filter.run(recorder, &filtered, threads(triangles.div_ceil(8), 1));
        }

        recorder.stage(Stage::Merge)?;
        self.snapshot_counters(recorder);
        let lattice = self.lattice.get();
        self.choose.run(recorder, &[(0, &self.entry), (1, &self.counted), (2, lattice)], 1);
        let counted = [
            (0, &self.entry),
            (1, &self.counted),
            (2, lattice),
            (3, lists.records.get()),
            (4, lists.counts.get()),
            (8, counters),
            (9, lists.large.get()),
        ];
        self.count.run(recorder, &counted, threads(triangles, 1));
        let allocated = [
            (0, &self.entry),
            (2, lattice),
            (4, lists.counts.get()),
            (5, lists.ends.get()),
            (7, lists.chunks.get()),
            (8, counters),
        ];
        self.allocate.run(recorder, &allocated, threads(entry.cells.div_ceil(8), 1));
        let scattered = [
            (0, &self.entry),
            (1, &self.counted),
            (2, lattice),
            (3, lists.records.get()),
            (5, lists.ends.get()),
            (6, lists.list.get()),
            (8, counters),
        ];
        self.scatter.run(recorder, &scattered, threads(triangles, 1));
        self.snapshot_counters(recorder);
        let described = [
            (0, &self.entry),
            (1, &self.counted),
            (2, lattice),
            (3, lists.records.get()),
            (6, lists.list.get()),
            (8, counters),
        ];
        self.describe.run(recorder, &described, threads(entry.list, 1));

        recorder.stage(Stage::Separate)?;
        let blocks =
            [(0, &self.entry), (1, &self.counted), (2, lists.records.get()), (8, lists.blocks.get())];
        self.block_boxes.run(recorder, &blocks, threads(triangles.div_ceil(64), 1));
        let large_blocks = [
            (0, &self.entry),
            (1, &self.counted),
            (2, lists.records.get()),
            (7, counters),
            (8, lists.blocks.get()),
            (9, lists.large.get()),
            (10, lists.block_pairs.get()),
        ];
        self.large_blocks.run(recorder, &large_blocks, threads(triangles, 1));
        self.snapshot_counters(recorder);
        Ok(())
    }

    /// Pairs from the chunks or blocks in the range of the entry.
    pub(super) fn pair_up(&self, recorder: &mut Recorder, items: Items) {
        let (lists, counters) = (&self.lists, self.counters.get());
        match items {
            Items::Chunks => {
                let paired = [
                    (0, &self.entry),
                    (1, &self.counted),
                    (2, lists.records.get()),
                    (3, lists.list.get()),
                    (4, lists.chunks.get()),
                    (5, lists.candidates.get()),
                    (7, counters),
                ];
                self.pairs.run(recorder, &paired, MAX_GROUPS.min(self.lists.sizes().chunks) * self.lanes);
            }
            Items::Blocks => {
                let large_pairs = [
                    (0, &self.entry),
                    (1, &self.counted),
                    (2, lists.records.get()),
                    (5, lists.candidates.get()),
                    (7, counters),
                    (10, lists.block_pairs.get()),
                ];
                self.large_pairs.run(
                    recorder,
                    &large_pairs,
                    MAX_GROUPS.min(self.lists.sizes().block_pairs) * self.lanes,
                );
            }
        }
    }

    /// The float filters, and the resulting counters.
    pub(super) fn filter_pairs(&self, recorder: &mut Recorder) -> Result<CullCounters, GpuError> {
        recorder.stage(Stage::Pack)?;
        let Sizes { candidates, tests, .. } = self.lists.sizes();
        self.filter_candidates(recorder, [candidates, tests]);
        let bytes = size_of::<CullCounters>() as u64;
        recorder.read(&[(self.counters.get(), bytes)], bytemuck::pod_read_unaligned)
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
