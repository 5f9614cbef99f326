//! Depth peeling with `peel.wgsl` and classification with `rays.wgsl`: from triangles to collision rays (4.1,
//! 4.2).
//!
//! Keys are kept in images, by blending, where the device can blend floats with a maximum
//! ([`super::blending`]); else in buffers, by atomics ([`super::atomics`]). Both find the same rays. On
//! software Vulkan the first is two to three times as fast (`impinge-lab table sampling`), because its
//! rasteriser runs lanes in parallel on images and serially on buffers.

use super::atomics::Atomics;
use super::blending::{self, Blending};
use super::draw::{self, Drawing, Pipelines, Target};
use crate::device::{CachedImage, Context, Recorder, check_size};
use crate::error::GpuError;
use wgpu::{Buffer, RenderPipeline};

/// Layers of rays, and a plain render to compare with.
#[derive(Debug)]
pub(super) struct Layers {
    blending: Option<Blending>,
    /// Created when the counts exceed the stencil.
    atomics: Option<Atomics>,
    /// Whether the last view exceeded the stencil, and whether the one after it would not have.
    is_deep: bool,
    is_shallow_again: bool,
    plain: RenderPipeline,
    depth: CachedImage,
    pixels: [u32; 2],
}

/// Where the keys are kept.
enum Memory<'a> {
    Blending(&'a mut Blending),
    Atomics(&'a mut Atomics),
}

impl Layers {
    /// By blending if the device can, unless atomics are requested.
    pub(super) fn new(context: &Context, atomics: bool) -> Self {
        let pipelines = Pipelines::new(context);
        let blendable = context.device.features().contains(wgpu::Features::FLOAT32_BLENDABLE);
        let blending = (blendable && !atomics).then(|| Blending::new(context, &pipelines));
        Self {
            atomics: blending.is_none().then(|| Atomics::new(context, &pipelines)),
            blending,
            is_deep: false,
            is_shallow_again: false,
            plain: pipelines.make(Target::Depth),
            depth: CachedImage::new(draw::DEPTH),
            pixels: [0; 2],
        }
    }

    fn memory(&mut self) -> Memory<'_> {
        let is_deep = self.is_deep;
        match (&mut self.blending, &mut self.atomics) {
            (Some(blending), atomics) if !is_deep || atomics.is_none() => Memory::Blending(blending),
            (_, Some(atomics)) => Memory::Atomics(atomics),
            (_, None) => unreachable!("one of the two is made at the start, and neither is ever taken away"),
        }
    }

    /// Room for an image of this size.
    pub(super) fn reserve(&mut self, context: &Context, pixels: [u32; 2]) -> Result<(), GpuError> {
        check_size(context, pixels)?;
        self.pixels = pixels;
        self.is_deep &= !std::mem::take(&mut self.is_shallow_again);
        match self.memory() {
            Memory::Blending(blending) => blending.reserve(context, pixels),
            Memory::Atomics(atomics) => atomics.reserve(context, pixels),
        }
    }

    /// Counts the fragments of every ray, peels the first layers, and leaves the maximum count among the
    /// counters.
    pub(super) fn count_and_peel(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        counters: &Buffer,
        words: u32,
    ) {
        match self.memory() {
            Memory::Blending(blending) => blending.count_and_peel(recorder, drawing, counters, words),
            Memory::Atomics(atomics) => atomics.count_and_peel(recorder, drawing, counters, words),
        }
    }

    /// Whether counts may have saturated, and the view must be counted again: from now on in 32 bits, until a
    /// view is shallow.
    pub(super) fn count_further(&mut self, context: &Context, deepest: u32) -> Result<bool, GpuError> {
        let deep = deepest >= blending::MAX_STENCIL_COUNT;
        if self.is_deep {
            self.is_shallow_again = !deep;
        }
        if self.blending.is_none() || self.is_deep || !deep {
            return Ok(false);
        }
        self.atomics.get_or_insert_with(|| Atomics::new(context, &Pipelines::new(context)));
        self.is_deep = true;
        let held = self.reserve(context, self.pixels);
        self.is_deep = held.is_ok();
        held.map(|()| true)
    }

    /// Peels further layers, until `passes` are done or no ray has any left, and leaves the collision rays
    /// and their number.
    pub(super) fn peel(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        passes: u32,
        found: [&Buffer; 2],
        words: u32,
    ) -> Result<(), GpuError> {
        match self.memory() {
            Memory::Blending(blending) => {
                blending.peel(recorder, drawing, passes, found, words);
                Ok(())
            }
            Memory::Atomics(atomics) => atomics.peel(recorder, drawing, passes, found, words),
        }
    }

    /// Discards everything.
    pub(super) fn forget(&mut self) {
        self.depth.forget();
        if let Some(blending) = &mut self.blending {
            blending.forget();
        }
        if let Some(atomics) = &mut self.atomics {
            atomics.forget();
        }
    }

    /// The keys after the first draw, from the front and from the back (empty if there were more draws), and
    /// the number of fragments of every ray.
    pub(super) fn inspect(
        &mut self,
        recorder: &mut Recorder,
        passes: u32,
    ) -> Result<(Vec<[u32; 2]>, Vec<u32>), GpuError> {
        let pixels = self.pixels;
        match self.memory() {
            Memory::Blending(blending) => blending.inspect(recorder, passes),
            Memory::Atomics(atomics) => atomics.inspect(recorder, passes, pixels),
        }
    }

    /// One plain depth render, the yardstick of sampling.
    pub(super) fn plain(&mut self, recorder: &mut Recorder, drawing: &Drawing) {
        self.depth.reserve(&recorder.context, self.pixels);
        if let Some(depth) = self.depth.view() {
            draw::render_depth(recorder, &self.plain, drawing, depth);
        }
    }
}
