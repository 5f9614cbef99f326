//! From images to lists: marked pixels, and the crossings of the rays to them.

use super::draw::{DepthStencil, begin, draw_surfaces, group, set_surfaces};
use super::pipelines::FLAGGED;
use super::{CastInput, RayCast};
use crate::device::{Recorder, Stage, read, read_first};
use crate::error::GpuError;
use crate::layout::{CastCounters, CastEntry, MarkedEntry};
use impinge::stages::interference::Casting;
use impinge::stages::interference::count::Crossing;
use impinge::stages::interference::marked::Marked;
use std::ops::Range;
use wgpu::LoadOp;

impl RayCast {
    /// The number of pixels that show an edge, and, if they were counted, those whose count is not zero,
    /// sorted. Submits what was recorded.
    pub(super) fn marked(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
        count: bool,
    ) -> Result<(u32, Vec<Marked>), GpuError> {
        let [width, height] = self.pixels;
        let (mut shown, mut all) = (0, Vec::new());
        let mut first_row = 0;
        while first_row < height {
            let end_row = (first_row + self.strip).min(height);
            self.write(recorder, CastEntry { first_row, end_row, ..self.entry });
            recorder.encoder().clear_buffer(self.counters.get(), 0, Some(12));
            let Some([depths, _]) = self.depth_stencil.aspects() else { break };
            let Some(counts) = self.counts.view() else { break };
            let Some(lines) = self.lines.layer(self.layer) else { break };
            let buffers =
                [(0, input.frame), (1, &self.uniforms[0]), (6, self.counters.get()), (7, self.marked.get())];
            let runs = width.div_ceil(32) * (end_row - first_row);
            self.mark.run_with_images(recorder, &buffers, &[(2, lines), (4, depths), (5, counts)], runs);
            recorder.stage(Stage::Pack)?;
            let counters = self.read_counters(recorder)?;
            shown += counters.shown;
            let bytes = if count { u64::from(counters.marked) * size_of::<MarkedEntry>() as u64 } else { 0 };
            if bytes > 0 {
                let entries: Vec<MarkedEntry> = read(recorder, self.marked.get(), bytes)?;
                all.extend(entries.into_iter().map(|MarkedEntry { pixel, line, depth, count }| Marked {
                    pixel,
                    line,
                    depth,
                    count,
                }));
            }
            recorder.stage(Stage::Sample)?;
            let findings = &mut casting.findings;
            findings.stages.bytes_read_back += size_of::<CastCounters>() + bytes as usize;
            findings.reaches(input.cast.whose, input.cast.metric.reach(counters.farthest));
            first_row = end_row;
        }
        all.sort_unstable_by_key(|at| at.pixel);
        Ok((shown, all))
    }

    fn write(&mut self, recorder: &Recorder, entry: CastEntry) {
        self.entry = entry;
        recorder.context.queue.write_buffer(&self.uniforms[0], 0, bytemuck::bytes_of(&entry));
    }

    pub(super) fn read_counters(&self, recorder: &mut Recorder) -> Result<CastCounters, GpuError> {
        read_first(recorder, self.counters.get())
    }

    /// Passes on the crossings of the rays to marked pixels of some rows: at once, or in parts if the device
    /// has no room for all.
    pub(super) fn crossings(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        rows: Range<u32>,
        take: &mut dyn FnMut(&mut Vec<Crossing>),
    ) -> Result<(), GpuError> {
        /// Enough for most frames; the buffer grows once more is needed.
        const AT_FIRST: u32 = 1 << 16;
        const EACH: u64 = size_of::<[u32; 2]>() as u64;
        let context = recorder.context.clone();
        let most = (context.max_binding() / EACH).min(u64::from(u32::MAX)) as u32;
        self.capacity = self.capacity.max(AT_FIRST).min(most);
        loop {
            self.crossings.reserve(&context, u64::from(self.capacity) * EACH)?;
            self.unused.reserve(&context, self.pixels);
            let (first_row, end_row) = (rows.start, rows.end);
            self.write(recorder, CastEntry { first_row, end_row, capacity: self.capacity, ..self.entry });
            recorder.encoder().clear_buffer(self.counters.get(), 8, Some(4));
            self.list(recorder, input);
            recorder.stage(Stage::Pack)?;
            let found = self.read_counters(recorder)?.crossings;
            if found <= self.capacity {
                let pairs = read(recorder, self.crossings.get(), u64::from(found) * EACH)?;
                recorder.stage(Stage::Sample)?;
                let crossing = |[pixel, surface]: [u32; 2]| Crossing { pixel, surface };
                take(&mut pairs.into_iter().map(crossing).collect());
                return Ok(());
            }
            recorder.stage(Stage::Sample)?;
            if found <= most {
                self.capacity = found;
            } else if rows.len() > 1 {
                let middle = rows.start + rows.len() as u32 / 2;
                self.crossings(recorder, input, rows.start..middle, take)?;
                return self.crossings(recorder, input, middle..rows.end, take);
            } else {
                let (bytes, limit) = (u64::from(found) * EACH, u64::from(most) * EACH);
                return Err(GpuError::TooLarge { what: "surfaces under one row of pixels", bytes, limit });
            }
        }
    }

    /// Flags marked pixels in the stencil, then lists the crossings there.
    fn list(&self, recorder: &mut Recorder, input: &CastInput) {
        let (Some(counts), Some(owners)) = (self.counts.view(), self.owners.view()) else { return };
        let (Some([depths, _]), Some(unused)) = (self.depth_stencil.aspects(), self.unused.view()) else {
            return;
        };
        let Some(depth_stencil) = self.depth_stencil.view() else { return };
        let flag = &self.pipelines.flag;
        let flag_group = group(recorder, flag, &[], &[(5, counts)]);
        let anew = DepthStencil::With(depth_stencil, LoadOp::Load, LoadOp::Clear(0));
        let mut pass = begin(recorder, &[], anew, None);
        pass.set_pipeline(flag);
        pass.set_bind_group(0, &flag_group, &[]);
        pass.set_stencil_reference(FLAGGED);
        pass.draw(0..3, 0..1);
        drop(pass);

        let buffers = [
            (0, input.frame),
            (1, &self.uniforms[0]),
            (6, self.counters.get()),
            (7, self.crossings.get()),
            (8, input.bodies.entries.get()),
        ];
        let images = [(3, owners), (4, depths), (5, counts)];
        let pipeline = &self.pipelines.list;
        let group = group(recorder, pipeline, &buffers, &images);
        let nowhere = [(unused, LoadOp::Load)];
        let mut pass = begin(recorder, &nowhere, DepthStencil::Asks(depth_stencil), None);
        pass.set_stencil_reference(FLAGGED);
        set_surfaces(&mut pass, input);
        draw_surfaces(&mut pass, (pipeline, &group), &input.cast.members);
    }
}
