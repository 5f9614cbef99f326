//! Depth peeling by atomics: keys in two buffers, in turn, and counts in a third. Every WebGPU device has
//! these.

use super::draw::{Drawing, Passes, Pipelines, Target, UNUSED, render};
use crate::device::{CachedImage, Context, Growable, Kernel, Recorder, read_first};
use crate::error::GpuError;
use crate::layout::Counters;
use crate::shaders;
use std::mem::offset_of;
use wgpu::{Buffer, BufferUsages, Color, LoadOp, RenderPipeline};

/// Draws between two checks whether any ray has layers left.
const PASSES_A_SUBMISSION: u32 = 64;

#[derive(Debug)]
pub(super) struct Atomics {
    count_and_peel: RenderPipeline,
    peel: RenderPipeline,
    deepest: Kernel,
    classify: Kernel,
    unfinished: Kernel,
    /// Before and after a draw, in turn.
    keys: [Growable; 2],
    counts: Growable,
    target: CachedImage,
    passes: Passes,
}

impl Atomics {
    pub(super) fn new(context: &Context, pipelines: &Pipelines) -> Self {
        let kernel = |entry| Kernel::new(context, shaders::RAYS, entry, 64);
        let keys = || Growable::new("layers of rays", BufferUsages::COPY_SRC);
        Self {
            count_and_peel: pipelines.make(Target::Buffers("count_and_peel")),
            peel: pipelines.make(Target::Buffers("peel")),
            deepest: kernel("deepest"),
            classify: kernel("classify"),
            unfinished: kernel("unfinished"),
            keys: [keys(), keys()],
            counts: Growable::new("fragments of rays", BufferUsages::COPY_SRC),
            target: CachedImage::new(UNUSED),
            passes: Passes::default(),
        }
    }

    pub(super) fn reserve(&mut self, context: &Context, pixels: [u32; 2]) -> Result<(), GpuError> {
        let rays = u64::from(pixels[0]) * u64::from(pixels[1]);
        for keys in &mut self.keys {
            keys.reserve(context, rays * 8)?;
        }
        self.counts.reserve(context, rays * 4)?;
        self.target.reserve(context, pixels);
        Ok(())
    }

    pub(super) fn count_and_peel(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        counters: &Buffer,
        words: u32,
    ) {
        self.passes.begin(&recorder.context, 0);
        for buffer in [&self.counts, &self.keys[0]] {
            recorder.encoder().clear_buffer(buffer.get(), 0, None);
        }
        let bound = [(4, self.keys[0].get()), (5, self.counts.get())];
        self.render(recorder, &self.count_and_peel, drawing, &bound);
        let bound = [(0, drawing.frame), (2, self.counts.get()), (5, counters)];
        self.deepest.run(recorder, &bound, words);
    }

    /// Everything is recreated before it is used again.
    pub(super) fn forget(&mut self) {
        self.keys.iter_mut().for_each(Growable::forget);
        self.counts.forget();
        self.target.forget();
        self.passes.forget();
    }

    /// Coincident surfaces are counted each, but are one layer: where there are many, rays are finished long
    /// before as many draws as were counted. An occasional check ends the loop, and keeps submissions short
    /// enough for drivers.
    pub(super) fn peel(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        passes: u32,
        [rays, counters]: [&Buffer; 2],
        words: u32,
    ) -> Result<(), GpuError> {
        let mut done = 1;
        for pass in 1..passes {
            if pass.is_multiple_of(PASSES_A_SUBMISSION) {
                let keys = self.keys[(pass as usize - 1) % 2].get();
                recorder.encoder().clear_buffer(counters, offset_of!(Counters, left) as u64, Some(4));
                let bound = [(0, drawing.frame), (1, keys), (2, self.counts.get()), (5, counters)];
                self.unfinished.run(recorder, &bound, words);
                if read_first::<Counters>(recorder, counters)?.left == 0 {
                    break;
                }
            }
            done = pass + 1;
            self.passes.next(&recorder.context, 0);
            let [before, after] = [pass - 1, pass].map(|pass| self.keys[pass as usize % 2].get());
            recorder.encoder().clear_buffer(after, 0, None);
            let bound = [(3, before), (4, after), (7, self.passes.get(pass))];
            self.render(recorder, &self.peel, drawing, &bound);
        }
        let last = self.keys[(done as usize - 1) % 2].get();
        let bound = [(0, drawing.frame), (1, last), (2, self.counts.get()), (3, rays), (5, counters)];
        self.classify.run(recorder, &bound, words);
        Ok(())
    }

    fn render(
        &self,
        recorder: &mut Recorder,
        pipeline: &RenderPipeline,
        drawing: &Drawing,
        bound: &[(u32, &Buffer)],
    ) {
        if let Some(target) = self.target.view() {
            let target = (target, LoadOp::Clear(Color::TRANSPARENT));
            render(recorder, pipeline, drawing, (bound, &[]), target, None);
        }
    }

    pub(super) fn inspect(
        &self,
        recorder: &mut Recorder,
        passes: u32,
        pixels: [u32; 2],
    ) -> Result<(Vec<[u32; 2]>, Vec<u32>), GpuError> {
        let rays = u64::from(pixels[0]) * u64::from(pixels[1]);
        let sources = [(self.keys[0].get(), rays * 8), (self.counts.get(), rays * 4)];
        recorder.read(&sources, |bytes| {
            let (keys, counts) = bytes.split_at(rays as usize * 8);
            let keys = if passes == 1 { keys } else { &[] };
            let keys = keys.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
            (keys, counts.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect())
        })
    }
}
