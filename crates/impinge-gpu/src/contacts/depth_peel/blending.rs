//! Depth peeling by blending: keys as floats in two images, in turn, and the stencil.
//!
//! 1. The first draw counts the fragments of every ray in the stencil, and in every later draw the stencil
//!    passes only rays that have layers left: most rays have few, and what is behind them costs nothing then.
//!    A ray's last keys stay in the image of the last draw it took part in.
//! 2. An image is not cleared for every draw: keys of each draw lie above all earlier ones (`Pass` in
//!    `depth_peel/shared/layers.wgsl`). When the range is used up, rays are classified before the image is
//!    cleared.

use super::draw::{COUNTS, Drawing, KEYS, Passes, Pipelines, Target, render};
use crate::device::{CachedImage, Context, Growable, Kernel, Recorder, write_uniform};
use crate::error::GpuError;
use crate::layout::SpanEntry;
use crate::shaders;
use wgpu::{Buffer, BufferUsages, Color, LoadOp, RenderPipeline};

/// Where the stencil saturates: a count that may stand for more. Atomics count further.
pub(super) const MAX_STENCIL_COUNT: u32 = 255;
/// Added to the keys by every draw, `LIMIT` of `depth_peel/shared/layers.wgsl`, and how often that fits.
const BASE: u32 = 0x1040_0000;
const BASES: u32 = 7;
/// The smallest normal float: no key.
const ZERO: u32 = 0x0080_0000;

#[derive(Debug)]
pub(super) struct Blending {
    count_and_blend: RenderPipeline,
    blend: RenderPipeline,
    deepest: Kernel,
    classify: Kernel,
    counts: CachedImage,
    /// A copy of it, rows padded.
    count_bytes: Growable,
    /// One layer for draws of even number, one for odd.
    keys: CachedImage,
    /// Draws into each since it was cleared.
    draws: [u32; 2],
    passes: Passes,
    /// The ranges of draws that are classified, one per classification.
    spans: Vec<Buffer>,
}

impl Blending {
    pub(super) fn new(context: &Context, pipelines: &Pipelines) -> Self {
        let kernel = |entry| Kernel::new(context, shaders::RAYS, entry, 64);
        Self {
            count_and_blend: pipelines.make(Target::CountedKeys),
            blend: pipelines.make(Target::Keys),
            deepest: kernel("deepest_of_bytes"),
            classify: kernel("classify_images"),
            counts: CachedImage::new(COUNTS),
            count_bytes: Growable::new("fragments of rays", BufferUsages::COPY_SRC),
            keys: CachedImage::two_layers(KEYS),
            draws: [0; 2],
            passes: Passes::default(),
            spans: Vec::new(),
        }
    }

    pub(super) fn reserve(&mut self, context: &Context, pixels: [u32; 2]) -> Result<(), GpuError> {
        self.counts.reserve(context, pixels);
        self.count_bytes.reserve(context, self.counts.bytes(1))?;
        if self.keys.reserve(context, pixels) {
            self.draws = [0; 2];
        }
        Ok(())
    }

    /// Everything is recreated before it is used again.
    pub(super) fn forget(&mut self) {
        self.counts.forget();
        self.keys.forget();
        self.count_bytes.forget();
        self.passes.forget();
        self.spans.clear();
    }

    /// Whether the image of a draw must be cleared for it.
    fn is_full(&self, pass: u32) -> bool {
        self.draws[pass as usize % 2] == 0
    }

    /// The base of the keys of a draw.
    fn base(&self, pass: u32) -> u32 {
        self.draws[pass as usize % 2] * BASE
    }

    /// The load operation of a draw; counts the draw.
    fn load(&mut self, pass: u32) -> LoadOp<Color> {
        let load = if self.is_full(pass) { LoadOp::Clear(Color::TRANSPARENT) } else { LoadOp::Load };
        let draws = &mut self.draws[pass as usize % 2];
        *draws = (*draws + 1) % BASES;
        load
    }

    pub(super) fn count_and_peel(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        counters: &Buffer,
        words: u32,
    ) {
        self.passes.begin(&recorder.context, self.base(0));
        let load = self.load(0);
        let (Some(counts), Some(keys)) = (self.counts.view(), self.keys.layer(0)) else { return };
        let number = [(7, self.passes.get(0))];
        let stencil = (counts, Some(LoadOp::Clear(0)), 0);
        render(recorder, &self.count_and_blend, drawing, (&number, &[]), (keys, load), Some(stencil));
        self.counts.copy(recorder, 1, self.count_bytes.get());
        let buffers = [(0, drawing.frame), (5, counters), (6, self.count_bytes.get())];
        self.deepest.run(recorder, &buffers, words);
    }

    pub(super) fn peel(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        passes: u32,
        found: [&Buffer; 2],
        words: u32,
    ) {
        let mut span = SpanEntry {
            first: 0,
            end: 1,
            first_base: self.passes.last().base_after,
            second_base: self.base(1),
        };
        let mut asked = 0;
        for pass in 1..passes {
            if self.is_full(pass) && pass > 1 {
                self.ask(recorder, drawing, found, words, (asked, span));
                asked += 1;
                let (first_base, second_base) = (self.base(pass), self.base(pass + 1));
                span = SpanEntry { first: pass, end: pass, first_base, second_base };
            }
            self.passes.next(&recorder.context, self.base(pass));
            let load = self.load(pass);
            span.end = pass + 1;
            let [before, after] = [pass - 1, pass].map(|pass| self.keys.layer(pass % 2));
            let (Some(before), Some(after), Some(counts)) = (before, after, self.counts.view()) else {
                return;
            };
            let number = [(7, self.passes.get(pass))];
            let stencil = (counts, None, drawing.sides * pass);
            render(recorder, &self.blend, drawing, (&number, &[(6, before)]), (after, load), Some(stencil));
        }
        self.ask(recorder, drawing, found, words, (asked, span));
    }

    /// Classifies the rays whose last draw is in a span.
    fn ask(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        [rays, counters]: [&Buffer; 2],
        words: u32,
        (asked, span): (usize, SpanEntry),
    ) {
        write_uniform(&recorder.context, &mut self.spans, asked, "draws", &span);
        let Some(keys) = self.keys.view() else { return };
        let counts = self.count_bytes.get();
        let buffers = [(0, drawing.frame), (3, rays), (5, counters), (6, counts), (8, &self.spans[asked])];
        self.classify.run_with_images(recorder, &buffers, &[(7, keys)], words);
    }

    pub(super) fn inspect(
        &self,
        recorder: &mut Recorder,
        passes: u32,
    ) -> Result<(Vec<[u32; 2]>, Vec<u32>), GpuError> {
        let counts = self.counts.read(recorder, 1)?.into_iter().map(u32::from).collect();
        if passes != 1 {
            return Ok((Vec::new(), counts));
        }
        let zero = self.passes.last().base_after + ZERO;
        let stored = |bits: u32| bits.max(zero) - zero;
        let keys = self.keys.read(recorder, 8)?;
        let pairs = keys.chunks_exact(8).map(bytemuck::pod_read_unaligned::<[u32; 2]>);
        Ok((pairs.map(|pair| pair.map(stored)).collect(), counts))
    }
}
