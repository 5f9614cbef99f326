//! Draws with `depth_peel.wgsl` and asks `rays.wgsl`: from triangles to collision rays (4.1, 4.2).
//!
//! What rays remember is kept in images, by blending, where the device can take the maximum of floats there
//! ([`blending`]); else in buffers, by atomics ([`atomics`]). Both find the same rays. On software Vulkan the first is
//! two to three times as fast (`impinge-lab table sampling`), because its rasteriser does lanes side by side in images and one after the other in buffers.

mod atomics;
mod blending;
mod draw;

pub(crate) use draw::{Drawing, uniform, writes};

use crate::device::Context;
use crate::error::GpuError;
use crate::images::Kept;
use crate::recorder::Recorder;
use atomics::Atomics;
use blending::Blending;
use draw::{Pipelines, Target};
use wgpu::{Buffer, RenderPipeline};

/// Layers of rays, and a plain render to compare with.
#[derive(Debug)]
pub(crate) struct DepthPeel {
    blending: Option<Blending>,
    /// Made when blending cannot count so far.
    atomics: Option<Atomics>,
    /// Whether blending could not, in the last view, and whether it could have in the one after.
    is_deep: bool,
    is_shallow_again: bool,
    plain: RenderPipeline,
    depth: Kept,
    pixels: [u32; 2],
}

/// Where what rays remember is kept.
enum Memory<'a> {
    Blending(&'a mut Blending),
    Atomics(&'a mut Atomics),
}

impl DepthPeel {
    /// By blending where the device can, unless atomics are asked for.
    pub(crate) fn new(context: &Context, atomics: bool) -> Self {
        let pipelines = Pipelines::new(context);
        let blendable = context.device.features().contains(wgpu::Features::FLOAT32_BLENDABLE);
        let blending = (blendable && !atomics).then(|| Blending::new(context, &pipelines));
        Self {
            atomics: blending.is_none().then(|| Atomics::new(context, &pipelines)),
            blending,
            is_deep: false,
            is_shallow_again: false,
            plain: pipelines.make(Target::Depth),
            depth: Kept::new(draw::DEPTH),
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
    pub(crate) fn hold(&mut self, context: &Context, pixels: [u32; 2]) -> Result<(), GpuError> {
        crate::images::check_size(context, pixels)?;
        self.pixels = pixels;
        self.is_deep &= !std::mem::take(&mut self.is_shallow_again);
        match self.memory() {
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
        match self.memory() {
            Memory::Blending(blending) => blending.count_and_peel(recorder, drawing, counters, words),
            Memory::Atomics(atomics) => atomics.count_and_peel(recorder, drawing, counters, words),
        }
    }

    /// Whether rays may have more fragments than were counted, and the view must be counted again: from now on, as far as
    /// 32 bits go, until a view is shallow.
    pub(crate) fn count_further(&mut self, context: &Context, deepest: u32) -> Result<bool, GpuError> {
        let deep = deepest >= blending::MOST_COUNTED;
        if self.is_deep {
            self.is_shallow_again = !deep;
        }
        if self.blending.is_none() || self.is_deep || !deep {
            return Ok(false);
        }
        self.atomics.get_or_insert_with(|| Atomics::new(context, &Pipelines::new(context)));
        self.is_deep = true;
        let held = self.hold(context, self.pixels);
        self.is_deep = held.is_ok();
        held.map(|()| true)
    }

    /// Peels further layers, so that `passes` are done or no ray has any left, and leaves the collision rays and their
    /// number.
    pub(crate) fn peel(
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

    /// What was drawn may not have arrived, and what was made may not be there: nothing that is kept may be relied on.
    pub(crate) fn forget(&mut self) {
        self.depth.forget();
        if let Some(blending) = &mut self.blending {
            blending.forget();
        }
        if let Some(atomics) = &mut self.atomics {
            atomics.forget();
        }
    }

    /// What rays remember after the first draw, from the front and from the back (nothing is told when there were more
    /// draws), and how many fragments they have.
    pub(crate) fn inspect(
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

    /// One plain render of depth alone, the yardstick of sampling.
    pub(crate) fn plain(&mut self, recorder: &mut Recorder, drawing: &Drawing) {
        self.depth.hold(&recorder.context, self.pixels);
        if let Some(depth) = self.depth.view() {
            draw::render_depth(recorder, &self.plain, drawing, depth);
        }
    }
}
