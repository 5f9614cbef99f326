//! In dense regions the pairs may exceed the buffers of a device, however small the region: then cells are
//! filled once, and a few chunks of them at a time are paired, tested and read back.

use super::{Grid, Items, RunInput};
use crate::device::{Recorder, Stage};
use crate::error::GpuError;
use crate::layout::{CullCounters, CullEntry};
use impinge::stages::grid::{Found, GridStats};
use std::mem::offset_of;

impl Grid {
    /// All stages; those from pairs on in batches. Lists have the largest size the device allows, and all but
    /// those of pairs suffice.
    pub(super) fn in_batches(
        &mut self,
        recorder: &mut Recorder,
        input: &RunInput,
        entry: &CullEntry,
        triangles: u32,
        found: &mut Vec<Found>,
    ) -> Result<GridStats, GpuError> {
        let queue = recorder.context.queue.clone();
        // The first submission pairs nothing.
        queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&CullEntry { last: 0, ..*entry }));
        self.fill_cells(recorder, input.bodies, entry, triangles)?;
        let filled = self.filter_pairs(recorder)?;
        let mut stages = GridStats {
            kept: filled.sizes.records as usize,
            large: filled.sizes.large as usize,
            bytes_read_back: size_of::<CullCounters>(),
            ..GridStats::default()
        };
        let crowded = || GpuError::TooCrowded { triangles: filled.sizes.records };
        if filled.beyond != 0 || !self.lists.held_but_for_pairs(&filled) {
            return Err(crowded());
        }
        for (items, count) in
            [(Items::Chunks, filled.sizes.chunks), (Items::Blocks, filled.sizes.block_pairs)]
        {
            let (mut first, mut size) = (0, count.div_ceil(2));
            while first < count {
                let last = count.min(first.saturating_add(size));
                queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&CullEntry { first, last, ..*entry }));
                // Reset for every batch; the counts of earlier stages stay.
                for counter in [
                    offset_of!(CullCounters, sizes.candidates),
                    offset_of!(CullCounters, noted),
                    offset_of!(CullCounters, sizes.tests),
                    offset_of!(CullCounters, sizes.found),
                    offset_of!(CullCounters, doubts),
                    offset_of!(CullCounters, beyond),
                ] {
                    queue.write_buffer(self.counters.get(), counter as u64, &[0; 4]);
                }
                recorder.stage(Stage::Separate)?;
                self.snapshot_counters(recorder);
                self.pair_up(recorder, items);
                let counters = self.filter_pairs(recorder)?;
                stages.bytes_read_back += size_of::<CullCounters>();
                if counters.beyond != 0 || !self.lists.held(&counters) {
                    if size == 1 {
                        return Err(crowded());
                    }
                    size /= 2;
                    continue;
                }
                self.read(recorder, input, &counters, found, &mut stages)?;
                stages.candidates += counters.noted as usize;
                stages.tested += counters.sizes.tests as usize;
                first = last;
            }
        }
        Ok(stages)
    }
}
