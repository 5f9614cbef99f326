//! From triangles to collision rays (4.1, 4.2): draws layers and asks which rays are collision rays.
//!
//! What rays remember is kept in images, by blending, where the device can take the maximum of floats there ([`blending`]);
//! else in buffers, by atomics ([`atomics`]). Both find the same rays, and both are kept: every device has atomics, most
//! blend 32-bit floats. On software Vulkan blending is two to three times as fast (`impinge-lab table sampling`), because its
//! rasteriser does lanes side by side in images and one after the other in buffers.
//!
//! Images of keys are not cleared between draws: whatever fails between recording and submitting must call
//! `DepthPeel::forget`. A key of a ray sorts like its fragment because all fragments of a ray see the same state before them:
//! whoever adds a bit to the state must put it below the fragment.

mod atomics;
mod blending;
mod draw;
mod inspect;
mod layers;

pub use inspect::Inspection;

use crate::bodies::Bodies;
use crate::device::{Context, Growable, Kernel, Recorder, Stage, read_first, uniform};
use crate::error::GpuError;
use crate::image::Projector;
use crate::layout::{Counters, Details, Frame, LevelEntry, Packed};
use crate::shaders;
use draw::Drawing;
use impinge::contacts::{AtLimit, PeelOptions, Sides};
use impinge::stages::View;
use impinge::stages::depth_peel::peel::Rule;
use impinge::stages::depth_peel::ray_mipmap::levels;
use impinge::stages::gather::{Member, totals};
use layers::Layers;
use wgpu::{Buffer, BufferUsages};

/// Mipmap levels of the largest image.
const MAX_LEVELS: usize = 16;

/// Distance between uniforms in one buffer, on every device.
const UNIFORM_STRIDE: u64 = 256;

/// The result of one view.
#[derive(Debug, Default)]
pub(crate) struct ViewTriangles {
    pub(crate) packed: Vec<Packed>,
    /// For the last of those, of external bodies.
    pub(crate) details: Vec<Details>,
    pub(crate) rays: u32,
    pub(crate) deepest: u32,
    pub(crate) bytes_read_back: u64,
}

/// Pipelines and buffers of the method.
#[derive(Debug)]
pub(crate) struct DepthPeel {
    layers: Layers,
    widen: Kernel,
    merge: Kernel,
    separate: Kernel,
    running_count: Kernel,
    pack: Kernel,
    detail: Kernel,
    level_pairs: Vec<Buffer>,
    all_levels: Buffer,
    counters: Growable,
    rays: Growable,
    wide: Growable,
    boxes: Growable,
    sparse: Growable,
    flags: Growable,
    before: Growable,
    dense: Growable,
    details: Growable,
}

impl DepthPeel {
    /// With `atomics` even where blending is possible.
    pub(crate) fn new(context: &Context, atomics: bool) -> Self {
        let kernel = |source, entry, size| Kernel::new(context, source, entry, size);
        let read = BufferUsages::COPY_SRC;
        Self {
            layers: Layers::new(context, atomics),
            widen: kernel(shaders::RAYS, "widen", 64),
            merge: kernel(shaders::RAY_MIPMAP, "merge", 64),
            separate: kernel(shaders::SEPARATE, "separate", 256),
            running_count: kernel(shaders::PACK, "running_count", 256),
            pack: kernel(shaders::PACK, "pack", 64),
            detail: kernel(shaders::DETAILS, "detail", 64),
            level_pairs: (0..MAX_LEVELS).map(|_| uniform(context, "two levels", UNIFORM_STRIDE)).collect(),
            all_levels: uniform(context, "levels", (MAX_LEVELS * size_of::<LevelEntry>()) as u64),
            counters: Growable::new("counters", read),
            rays: Growable::new("rays", read),
            wide: Growable::new("widened rays", read),
            boxes: Growable::new("boxes of rays", read),
            sparse: Growable::new("rectangles of triangles", read),
            flags: Growable::new("flags of triangles", read),
            before: Growable::new("running counts of triangles", BufferUsages::empty()),
            dense: Growable::new("packed triangles", read),
            details: Growable::new("corners of packed triangles", read),
        }
    }

    /// Reads a few bytes back, as every frame does.
    pub(crate) fn try_out(&mut self, recorder: &mut Recorder) -> Result<(), GpuError> {
        self.counters.reserve(&recorder.context, size_of::<Counters>() as u64)?;
        self.read_counters(recorder).map(|_| ())
    }

    /// Discards everything.
    pub(crate) fn forget(&mut self) {
        self.layers.forget();
        let buffers = [
            &mut self.counters,
            &mut self.rays,
            &mut self.wide,
            &mut self.boxes,
            &mut self.sparse,
            &mut self.flags,
            &mut self.before,
            &mut self.dense,
            &mut self.details,
        ];
        buffers.into_iter().for_each(Growable::forget);
    }

    /// Room for a view.
    fn reserve(&mut self, context: &Context, view: &View, triangles: u32) -> Result<(), GpuError> {
        let words = u64::from(view.width.div_ceil(32)) * u64::from(view.height);
        let levels = levels(view.width, view.height);
        let boxes = levels.last().map_or(0, |last| u64::from(last.first + last.width * last.height));
        self.counters.reserve(context, size_of::<Counters>() as u64)?;
        self.rays.reserve(context, words * 4)?;
        self.wide.reserve(context, words * 4)?;
        self.boxes.reserve(context, boxes * 8)?;
        self.sparse.reserve(context, u64::from(triangles) * 16)?;
        self.flags.reserve(context, u64::from(triangles) / 8)?;
        self.before.reserve(context, u64::from(triangles) / 8)?;
        self.layers.reserve(context, [view.width, view.height])
    }

    /// From bodies to packed triangles, for one view.
    pub(crate) fn run(
        &mut self,
        recorder: &mut Recorder,
        (bodies, image): (&Bodies, &mut Projector),
        members: &[Member],
        external: usize,
        view: &View,
        options: &PeelOptions,
    ) -> Result<ViewTriangles, GpuError> {
        let context = recorder.context.clone();
        let totals = totals(members);
        self.reserve(&context, view, totals[1])?;
        let first_external =
            members[members.len() - external..].first().map_or(totals[1], |m| m.first_triangle);
        let mut found = ViewTriangles::default();

        // The number of passes is known once fragments are counted.
        let rule = Rule::new(options, view, 0);
        let frame = Frame {
            width: view.width,
            height: view.height,
            words: view.width.div_ceil(32),
            near: rule.near,
            vertices: totals[0],
            triangles: totals[1],
            sides: if options.sides == Sides::Both { 2 } else { 1 },
            passes: 0,
            mark: u32::from(options.at_limit == AtLimit::Mark),
            margin: options.widening(),
            external_word: first_external / 32,
            perspective: 0,
        };
        image.project(recorder, bodies, frame)?;

        recorder.stage(Stage::Sample)?;
        recorder.encoder().clear_buffer(self.counters.get(), 0, None);
        let drawn = runs(members);
        let drawing = Drawing {
            frame: &image.uniform,
            vertices: image.vertices.get(),
            triangles: bodies.triangles.get(),
            drawn: &drawn,
            sides: frame.sides,
        };
        let words = frame.words * frame.height;
        self.layers.count_and_peel(recorder, &drawing, self.counters.get(), words);
        let mut counters = self.read_counters(recorder)?;
        if self.layers.count_further(&context, counters.deepest)? {
            recorder.encoder().clear_buffer(self.counters.get(), 0, None);
            self.layers.count_and_peel(recorder, &drawing, self.counters.get(), words);
            counters = self.read_counters(recorder)?;
        }
        found.bytes_read_back += size_of::<Counters>() as u64;
        found.deepest = counters.deepest;
        if counters.deepest == 0 {
            return Ok(found);
        }
        let rule = Rule::new(options, view, counters.deepest);
        image.frame.passes = rule.passes;
        image.write_frame(&context);
        let outputs = [self.rays.get(), self.counters.get()];
        self.layers.peel(recorder, &drawing, rule.passes, outputs, words)?;

        recorder.stage(Stage::Merge)?;
        self.widen.run(recorder, &[(0, &image.uniform), (3, self.rays.get()), (4, self.wide.get())], words);
        self.merge_levels(recorder, image, view);

        recorder.stage(Stage::Separate)?;
        recorder.encoder().clear_buffer(self.flags.get(), 0, None);
        let separated = [
            (0, &image.uniform),
            (1, bodies.entries.get()),
            (2, image.vertices.get()),
            (3, bodies.triangles.get()),
            (4, self.wide.get()),
            (5, self.boxes.get()),
            (6, &self.all_levels),
            (7, self.sparse.get()),
            (8, self.flags.get()),
        ];
        self.separate.run(recorder, &separated, totals[1]);

        recorder.stage(Stage::Pack)?;
        let counted =
            [(0, &image.uniform), (1, self.flags.get()), (2, self.before.get()), (3, self.counters.get())];
        self.running_count.run(recorder, &counted, 256);
        let counters = self.read_counters(recorder)?;
        found.bytes_read_back += size_of::<Counters>() as u64;
        found.rays = counters.rays;
        if counters.packed > 0 {
            self.read_packed(recorder, (bodies, image), &counters, &mut found)?;
        }
        Ok(found)
    }

    /// Every level from the one below it.
    fn merge_levels(&self, recorder: &mut Recorder, image: &Projector, view: &View) {
        let entry = |level: &impinge::stages::depth_peel::ray_mipmap::Level| LevelEntry {
            first: level.first,
            width: level.width,
            height: level.height,
            padding: 0,
        };
        let entries: Vec<LevelEntry> = levels(view.width, view.height).iter().map(entry).collect();
        recorder.context.queue.write_buffer(&self.all_levels, 0, bytemuck::cast_slice(&entries));
        for (k, level) in entries.iter().enumerate() {
            let below = if k == 0 { LevelEntry::default() } else { entries[k - 1] };
            let pair = &self.level_pairs[k];
            recorder.context.queue.write_buffer(pair, 0, bytemuck::cast_slice(&[*level, below]));
            let buffers = [(0, &image.uniform), (1, pair), (2, self.wide.get()), (3, self.boxes.get())];
            self.merge.run(recorder, &buffers, level.width * level.height);
        }
    }

    /// Reserves exactly what was counted, packs, and reads the lists back.
    fn read_packed(
        &mut self,
        recorder: &mut Recorder,
        (bodies, image): (&Bodies, &Projector),
        counters: &Counters,
        found: &mut ViewTriangles,
    ) -> Result<(), GpuError> {
        let external = counters.packed - counters.packed_before_external;
        let dense_bytes = u64::from(counters.packed) * size_of::<Packed>() as u64;
        let detail_bytes = u64::from(external) * size_of::<Details>() as u64;
        self.dense.reserve(&recorder.context, dense_bytes)?;
        let words = image.frame.triangles / 32;
        let packed = [
            (0, &image.uniform),
            (1, self.flags.get()),
            (2, self.before.get()),
            (4, self.sparse.get()),
            (5, self.dense.get()),
        ];
        self.pack.run(recorder, &packed, words);
        let mut sources = vec![(self.dense.get(), dense_bytes)];
        if external > 0 {
            self.details.reserve(&recorder.context, detail_bytes)?;
            let detailed = [
                (0, &image.uniform),
                (1, bodies.entries.get()),
                (2, self.flags.get()),
                (3, self.before.get()),
                (4, bodies.positions.get()),
                (5, bodies.triangles.get()),
                (6, bodies.tags.get()),
                (7, self.details.get()),
            ];
            self.detail.run(recorder, &detailed, words - image.frame.external_word);
            sources.push((self.details.get(), detail_bytes));
        }
        found.bytes_read_back += dense_bytes + detail_bytes;
        recorder.read(&sources, |bytes| {
            let (dense, details) = bytes.split_at(dense_bytes as usize);
            found
                .packed
                .extend(dense.chunks_exact(size_of::<Packed>()).map(bytemuck::pod_read_unaligned::<Packed>));
            let details = details.chunks_exact(size_of::<Details>());
            found.details.extend(details.map(bytemuck::pod_read_unaligned::<Details>));
        })
    }

    fn read_counters(&self, recorder: &mut Recorder) -> Result<Counters, GpuError> {
        read_first(recorder, self.counters.get())
    }

    /// Draws the last view again, depth alone.
    pub(crate) fn plain(
        &mut self,
        recorder: &mut Recorder,
        (bodies, image): (&Bodies, &Projector),
        drawn: &[std::ops::Range<u32>],
    ) {
        let (frame, vertices) = image.shown();
        let sides = image.frame.sides;
        let drawing = Drawing { frame, vertices, triangles: bodies.triangles.get(), drawn, sides };
        self.layers.plain(recorder, &drawing);
    }
}

/// Contiguous ranges of triangles of active bodies.
pub(crate) fn runs(members: &[Member]) -> Vec<std::ops::Range<u32>> {
    let mut runs: Vec<std::ops::Range<u32>> = Vec::new();
    for member in members.iter().filter(|member| member.active && member.triangles > 0) {
        let range = member.first_triangle..member.first_triangle + member.triangles;
        match runs.last_mut() {
            Some(last) if last.end.next_multiple_of(32) == range.start => last.end = range.end,
            _ => runs.push(range),
        }
    }
    runs
}
