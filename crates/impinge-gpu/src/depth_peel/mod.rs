//! Draws with `depth_peel.wgsl` and asks `rays.wgsl`: from triangles to collision rays (4.1, 4.2).
//!
//! What rays remember is kept in images, by blending, where the device can take the maximum of floats there
//! ([`blending`]); else in buffers, by atomics ([`atomics`]). Both find the same rays. On software Vulkan the first is
//! three times as fast, because its rasteriser does lanes side by side in images and one after the other in buffers.

mod atomics;
mod blending;
mod draw;

pub(crate) use draw::Drawing;

use crate::device::Context;
use crate::error::GpuError;
use crate::recorder::Recorder;
use atomics::Atomics;
use blending::Blending;
use draw::{Kept, Pipelines, Target};
use wgpu::{Buffer, RenderPipeline};

/// Layers of rays, and a plain render to compare with.
#[derive(Debug)]
pub(crate) struct DepthPeel {
    memory: Memory,
    plain: RenderPipeline,
    depth: Kept,
    pixels: [u32; 2],
}

/// Where what rays remember is kept.
#[derive(Debug)]
enum Memory {
    Blending(Box<Blending>),
    Atomics(Box<Atomics>),
}

impl DepthPeel {
    /// By blending where the device can, unless atomics are asked for.
    pub(crate) fn new(context: &Context, atomics: bool) -> Self {
        let pipelines = Pipelines::new(context);
        let blendable = context.device.features().contains(wgpu::Features::FLOAT32_BLENDABLE);
        let memory = if blendable && !atomics {
            Memory::Blending(Box::new(Blending::new(context, &pipelines)))
        } else {
            Memory::Atomics(Box::new(Atomics::new(context, &pipelines)))
        };
        Self { memory, plain: pipelines.make(Target::Depth), depth: Kept::new(draw::DEPTH), pixels: [0; 2] }
    }

    /// Room for an image of this size.
    pub(crate) fn hold(&mut self, context: &Context, pixels: [u32; 2]) -> Result<(), GpuError> {
        let limit = context.device.limits().max_texture_dimension_2d;
        if pixels.iter().any(|&n| n > limit) {
            return Err(GpuError::TooWide { width: pixels[0], height: pixels[1], limit });
        }
        self.pixels = pixels;
        match &mut self.memory {
            Memory::Blending(blending) => blending.hold(context, pixels),
            Memory::Atomics(atomics) => atomics.hold(context, pixels),
        }
    }

    /// Counts the fragments of every ray, peels the first layers, and leaves the most of any ray among the counters.
    pub(crate) fn count_and_peel(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        counters: &Buffer,
        words: u32,
    ) {
        match &mut self.memory {
            Memory::Blending(blending) => blending.count_and_peel(recorder, drawing, counters, words),
            Memory::Atomics(atomics) => atomics.count_and_peel(recorder, drawing, counters, words),
        }
    }

    /// Whether rays may have more fragments than could be counted. Then [`Self::count_further`] helps.
    pub(crate) fn is_overflowing(&self, deepest: u32) -> bool {
        matches!(self.memory, Memory::Blending(_)) && deepest >= blending::MOST_COUNTED
    }

    /// From now on, counts as far as 32 bits go.
    pub(crate) fn count_further(&mut self, context: &Context) -> Result<(), GpuError> {
        let pixels = self.pixels;
        *self = Self::new(context, true);
        self.hold(context, pixels)
    }

    /// Peels further layers, so that `passes` are done, and leaves the collision rays and their number.
    pub(crate) fn peel(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        passes: u32,
        found: [&Buffer; 2],
        words: u32,
    ) {
        match &mut self.memory {
            Memory::Blending(blending) => blending.peel(recorder, drawing, passes, found, words),
            Memory::Atomics(atomics) => atomics.peel(recorder, drawing, passes, found, words),
        }
    }

    /// What was drawn may not have arrived: nothing that is kept may be relied on.
    pub(crate) fn forget(&mut self) {
        if let Memory::Blending(blending) = &mut self.memory {
            blending.forget();
        }
    }

    /// What rays remember after the first draw, from the front and from the back (nothing is told when there were more
    /// draws), and how many fragments they have.
    pub(crate) fn inspect(
        &self,
        recorder: &mut Recorder,
        passes: u32,
    ) -> Result<(Vec<[u32; 2]>, Vec<u32>), GpuError> {
        match &self.memory {
            Memory::Blending(blending) => blending.inspect(recorder, passes),
            Memory::Atomics(atomics) => atomics.inspect(recorder, passes, self.pixels),
        }
    }

    /// One plain render of depth alone, the yardstick of sampling.
    pub(crate) fn plain(&mut self, recorder: &mut Recorder, drawing: &Drawing) {
        self.depth.hold(&recorder.context, self.pixels);
        if let Some(depth) = self.depth.view() {
            draw::render_depth(recorder, &self.plain, drawing, depth);
        }
    }
}
