//! Where triangles crowd, pairs may be more than a device has buffers for, however small the region: then cells are filled once, and
//! a few chunks of them at a time are paired, looked at and read back.

use super::{Conservative, Given, Items};
use crate::error::GpuError;
use crate::layout::{CullCounters, CullEntry};
use crate::recorder::{Recorder, Stage};
use impinge::stages::grid::{Found, Sifted};
use std::mem::offset_of;

impl Conservative {
    /// All stages, the last ones again and again. Lists have the room that the device has, and all but those of pairs are long
    /// enough.
    pub(super) fn in_batches(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        entry: &CullEntry,
        triangles: u32,
        found: &mut Vec<Found>,
    ) -> Result<Sifted, GpuError> {
        let queue = recorder.context.queue.clone();
        // Nothing is paired in the first go.
        queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&CullEntry { last: 0, ..*entry }));
        self.fill_cells(recorder, given.bodies, entry, triangles)?;
        let filled = self.look(recorder)?;
        let mut stages = Sifted {
            kept: filled.records as usize,
            large: filled.large as usize,
            bytes_read_back: size_of::<CullCounters>(),
            ..Sifted::default()
        };
        let crowded = || GpuError::TooCrowded { triangles: filled.records };
        if filled.beyond != 0 || !self.lists.held_but_for_pairs(&filled) {
            return Err(crowded());
        }
        for (items, count) in [(Items::Chunks, filled.chunks), (Items::Blocks, filled.block_pairs)] {
            let (mut first, mut size) = (0, count.div_ceil(2));
            while first < count {
                let last = count.min(first.saturating_add(size));
                queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&CullEntry { first, last, ..*entry }));
                // Counted anew; what earlier stages counted stays.
                for counter in [
                    offset_of!(CullCounters, candidates),
                    offset_of!(CullCounters, noted),
                    offset_of!(CullCounters, tests),
                    offset_of!(CullCounters, found),
                    offset_of!(CullCounters, doubts),
                    offset_of!(CullCounters, beyond),
                ] {
                    queue.write_buffer(self.counters.get(), counter as u64, &[0; 4]);
                }
                recorder.stage(Stage::Separate)?;
                self.tell(recorder);
                self.pair_up(recorder, items);
                let counters = self.look(recorder)?;
                stages.bytes_read_back += size_of::<CullCounters>();
                if counters.beyond != 0 || !self.lists.held(&counters) {
                    if size == 1 {
                        return Err(crowded());
                    }
                    size /= 2;
                    continue;
                }
                self.read(recorder, given, &counters, found, &mut stages)?;
                stages.candidates += counters.noted as usize;
                stages.tested += counters.tests as usize;
                first = last;
            }
        }
        Ok(stages)
    }
}
