//! Casts rays at edges (Knott 2003, chapter 4): from bodies to pixels whose edge is inside something, and from those to
//! bodies. The thesis' own algorithms are in [`algorithms`]. The definition of every stage is
//! `impinge::stages::interference`.
//!
//! An edge is drawn as a strip one pixel wide, two triangles: devices may draw lines as they like, but triangles by one rule.
//!
//! Counts of some bodies only (all but the edge's own; its own alone) are added up in an image by blending, because a shader
//! that discards fragments makes the stencil test wait for it. Bodies that are not closed have a channel of their own, or
//! their signs would hide others. The thesis' algorithms count all bodies in the stencil. What the rays to marked pixels meet
//! is listed in one pass (of closed bodies only those that reach as deep as the edge; the stencil spares all other pixels
//! where a device can be told to ask it first), and the CPU sums it up for each body: what the thesis does with three passes
//! a body.

mod algorithms;
mod draw;
mod inspect;
mod list;
mod pipelines;
mod queries;

pub use inspect::CastInspection;

use crate::bodies::Bodies;
use crate::device::{CachedImage, Context, Growable, Kernel, Recorder, Stage, check_size, write_uniform};
use crate::error::GpuError;
use crate::layout::{CastCounters, CastEntry, MarkedEntry};
use crate::shaders;
use draw::{DepthStencil, begin, draw_surfaces, group, set_surfaces};
use impinge::stages::View;
use impinge::stages::gather::{Member, totals};
use impinge::stages::interference::count::Whose;
use impinge::stages::interference::marked::Marked;
use impinge::stages::interference::{Cast, Casting, Identify, RayCastOptions, judge};
use pipelines::{COUNTS, DEPTH_STENCIL, NUMBERS, Pipelines, UNUSED, ZERO_COUNT};
use std::ops::Range;
use std::time::Instant;
use wgpu::{Buffer, BufferUsages, Color, LoadOp, RenderPass, RenderPipeline};

/// Pixels listed at a time, so that there is always room for all of them.
const PIXELS_AT_A_TIME: u32 = 1 << 21;

/// Bytes of the corners of a line.
const LINE_BYTES: u64 = 64;

/// Pipelines, buffers and images of the method.
#[derive(Debug)]
pub(crate) struct RayCast {
    pipelines: Pipelines,
    sum_normals: Kernel,
    measure_sharpness: Kernel,
    draw_lines: Kernel,
    mark: Kernel,
    /// One per batch of lines; the first is for everything else too.
    uniforms: Vec<Buffer>,
    entry: CastEntry,
    outward: Growable,
    sides: Growable,
    /// The uploaded edition of the edges.
    edition: Option<u64>,
    corners: Growable,
    indices: Growable,
    /// Lines that have indices.
    indexed: u32,
    counters: Growable,
    marked: Growable,
    crossings: Growable,
    /// Capacity in crossings.
    capacity: u32,
    /// The edges shown by pixels, of even and of odd layers.
    lines: CachedImage,
    owners: CachedImage,
    depth_stencil: CachedImage,
    counts: CachedImage,
    /// What the thesis' algorithms identify: edges, bodies.
    named: CachedImage,
    unused: CachedImage,
    pixels: [u32; 2],
    /// Lines per batch, and rows per listing, at most.
    batch: u32,
    strip: u32,
    layer: u32,
}

/// The input of a cast.
#[derive(Clone, Copy)]
pub(crate) struct CastInput<'a> {
    pub(crate) bodies: &'a Bodies,
    pub(crate) frame: &'a Buffer,
    pub(crate) vertices: &'a Buffer,
    pub(crate) view: &'a View,
    pub(crate) cast: &'a Cast,
    pub(crate) options: &'a RayCastOptions,
    /// Whether one answer is enough.
    pub(crate) one: bool,
}

impl RayCast {
    pub(crate) fn new(context: &Context) -> Self {
        let edges = |entry| Kernel::new(context, shaders::EDGES, entry, 256);
        let read = BufferUsages::COPY_SRC;
        Self {
            pipelines: Pipelines::new(context),
            sum_normals: edges("sum_normals"),
            measure_sharpness: edges("measure_sharpness"),
            draw_lines: edges("draw_lines"),
            mark: Kernel::new(context, shaders::MARKED, "mark", 64),
            uniforms: Vec::new(),
            entry: CastEntry::default(),
            outward: Growable::new("normals of vertices", read),
            sides: Growable::new("edges", BufferUsages::empty()),
            edition: None,
            corners: Growable::new("corners of edges", read | BufferUsages::VERTEX),
            indices: Growable::new("indices of edges", BufferUsages::INDEX),
            indexed: 0,
            counters: Growable::new("counters", read),
            marked: Growable::new("pixels inside something", read),
            crossings: Growable::new("surfaces under such pixels", read),
            capacity: 0,
            lines: CachedImage::two_layers(NUMBERS),
            owners: CachedImage::new(NUMBERS),
            depth_stencil: CachedImage::new(DEPTH_STENCIL),
            counts: CachedImage::new(COUNTS),
            named: CachedImage::two_layers(NUMBERS),
            unused: CachedImage::new(UNUSED),
            pixels: [0; 2],
            batch: 0,
            strip: 0,
            layer: 0,
        }
    }

    /// Discards everything.
    pub(crate) fn forget(&mut self) {
        self.uniforms.clear();
        self.edition = None;
        self.indexed = 0;
        self.capacity = 0;
        self.pixels = [0; 2];
        let buffers = [
            &mut self.outward,
            &mut self.sides,
            &mut self.corners,
            &mut self.indices,
            &mut self.counters,
            &mut self.marked,
            &mut self.crossings,
        ];
        buffers.into_iter().for_each(Growable::forget);
        let images = [
            &mut self.lines,
            &mut self.owners,
            &mut self.depth_stencil,
            &mut self.counts,
            &mut self.named,
            &mut self.unused,
        ];
        images.into_iter().for_each(CachedImage::forget);
    }

    /// One view, for the edges of some bodies and the surfaces of some.
    pub(crate) fn cast(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
    ) -> Result<(), GpuError> {
        self.prepare(recorder, input, casting)?;
        if input.options.identify == Identify::Everything {
            self.everything(recorder, input, casting)
        } else {
            self.algorithm(recorder, input, casting)
        }
    }

    /// Reserves memory, uploads edges that changed, and computes the displacement of vertices.
    fn prepare(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &Casting,
    ) -> Result<(), GpuError> {
        let context = recorder.context.clone();
        let pixels = [input.view.width, input.view.height];
        check_size(&context, pixels)?;
        self.pixels = pixels;
        self.lines.reserve(&context, pixels);
        self.owners.reserve(&context, pixels);
        self.depth_stencil.reserve(&context, pixels);
        let (sides, edition) = casting.sides(input.options.identify);
        let lines = sides.len() as u32;
        if self.sides.reserve(&context, u64::from(lines) * 4)? || self.edition != Some(edition) {
            context.queue.write_buffer(self.sides.get(), 0, bytemuck::cast_slice(sides));
            self.edition = Some(edition);
        }
        let most = context.max_binding();
        self.batch = lines.min((most / LINE_BYTES).min(u64::from(u32::MAX / 6)) as u32).max(1);
        self.corners.reserve(&context, u64::from(self.batch) * LINE_BYTES)?;
        if self.indices.reserve(&context, u64::from(self.batch) * 24)? || self.indexed < self.batch {
            let strip = |line: u32| [0, 1, 2, 2, 1, 3].map(|corner| 4 * line + corner);
            let indices: Vec<[u32; 6]> = (0..self.batch).map(strip).collect();
            context.queue.write_buffer(self.indices.get(), 0, bytemuck::cast_slice(&indices));
            self.indexed = self.batch;
        }
        let [vertices, triangles] = totals(&input.cast.members);
        self.counters.reserve(&context, size_of::<CastCounters>() as u64)?;
        let each = size_of::<MarkedEntry>() as u64;
        let at_a_time = PIXELS_AT_A_TIME.min((most / each).min(u64::from(u32::MAX)) as u32);
        self.strip = (at_a_time / pixels[0]).clamp(1, pixels[1]);
        self.marked.reserve(&context, u64::from(self.strip) * u64::from(pixels[0]) * each)?;

        let metric = &input.cast.metric;
        self.entry = CastEntry {
            pixels_deep: metric.pixels_deep,
            clearance: metric.clearance,
            nearest: metric.depths[0],
            farthest: metric.depths[1],
            whose: match input.cast.whose {
                Whose::All => 0,
                Whose::Others => 1,
                Whose::Own => 2,
            },
            end_row: self.strip,
            ..CastEntry::default()
        };
        for (index, batch) in self.batches(lines).enumerate() {
            let entry = CastEntry { first_line: batch.start, lines: batch.len() as u32, ..self.entry };
            write_uniform(&context, &mut self.uniforms, index, "cast", &entry);
        }
        (self.entry.first_line, self.entry.lines) = (0, lines.min(self.batch));
        recorder.encoder().clear_buffer(self.counters.get(), 0, None);
        self.outward.reserve(&context, u64::from(vertices) * 16)?;
        if metric.moves() {
            recorder.encoder().clear_buffer(self.outward.get(), 0, None);
            let buffers = self.of_edges(input, 0);
            self.sum_normals.run(recorder, &buffers, triangles);
            self.measure_sharpness.run(recorder, &buffers, triangles);
        }
        Ok(())
    }

    /// The buffers that all kernels of `edges.wgsl` have.
    fn of_edges<'a>(&'a self, input: &CastInput<'a>, batch: usize) -> [(u32, &'a Buffer); 6] {
        [
            (0, input.frame),
            (1, &self.uniforms[batch]),
            (2, input.bodies.entries.get()),
            (3, input.vertices),
            (4, input.bodies.triangles.get()),
            (5, self.outward.get()),
        ]
    }

    /// Ranges of lines that are drawn together; at least one.
    fn batches(&self, lines: u32) -> impl Iterator<Item = Range<u32>> + use<> {
        let batch = self.batch;
        (0..lines.div_ceil(batch).max(1)).map(move |k| k * batch..((k + 1) * batch).min(lines))
    }

    /// Calls `draw` for every batch of lines, with the index of its uniform, once its corners are in their
    /// buffer.
    fn for_each_batch(
        &self,
        recorder: &mut Recorder,
        input: &CastInput,
        lines: u32,
        again: bool,
        mut draw: impl FnMut(&mut Recorder, usize, Range<u32>),
    ) {
        let alone = lines <= self.batch;
        for (index, batch) in self.batches(lines).enumerate() {
            // The corners of a single batch stay.
            if !(alone && again) {
                let lines = [(6, self.sides.get()), (7, self.corners.get()), (8, self.counters.get())];
                let buffers = [&self.of_edges(input, index)[..], &lines].concat();
                self.draw_lines.run(recorder, &buffers, batch.len() as u32);
            }
            draw(recorder, index, batch);
        }
    }

    /// Pass 1: the edges of one layer.
    fn show(&mut self, recorder: &mut Recorder, input: &CastInput, lines: u32, layer: u32) {
        self.layer = layer % 2;
        let (Some(now), Some(before)) = (self.lines.layer(layer % 2), self.lines.layer(1 - layer % 2)) else {
            return;
        };
        let (Some(owners), Some(depth_stencil)) = (self.owners.view(), self.depth_stencil.view()) else {
            return;
        };
        let pipeline = if layer == 0 { &self.pipelines.show } else { &self.pipelines.show_below };
        let images = [(2, before)];
        let images = if layer == 0 { &images[..0] } else { &images[..] };
        self.for_each_batch(recorder, input, lines, layer > 0, |recorder, index, batch| {
            let buffers = [(0, input.frame), (1, &self.uniforms[index])];
            let group = group(recorder, pipeline, &buffers, images);
            let (clear, zero, stencil) = if index == 0 {
                (LoadOp::Clear(Color::TRANSPARENT), LoadOp::Clear(0.0), LoadOp::Clear(ZERO_COUNT))
            } else {
                (LoadOp::Load, LoadOp::Load, LoadOp::Load)
            };
            let colors = [(now, clear), (owners, LoadOp::Load)];
            let depth_stencil = DepthStencil::With(depth_stencil, zero, stencil);
            let mut pass = begin(recorder, &colors, depth_stencil, None);
            self.draw_edges(&mut pass, (pipeline, &group), 0..batch.len() as u32);
        });
    }

    /// Draws some lines of a batch.
    fn draw_edges(
        &self,
        pass: &mut RenderPass,
        (pipeline, group): (&RenderPipeline, &wgpu::BindGroup),
        lines: Range<u32>,
    ) {
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.set_stencil_reference(ZERO_COUNT);
        pass.set_vertex_buffer(0, self.corners.get().slice(..));
        pass.set_index_buffer(self.indices.get().slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(6 * lines.start..6 * lines.end, 0, 0..1);
    }

    /// Passes 2 and 3 in the stencil, of all bodies.
    fn count(&self, recorder: &mut Recorder, input: &CastInput) {
        let Some(depth_stencil) = self.depth_stencil.view() else { return };
        let pair = &self.pipelines.count;
        let groups = pair.each_ref().map(|pipeline| group(recorder, pipeline, &[(0, input.frame)], &[]));
        let mut pass = begin(recorder, &[], DepthStencil::kept(depth_stencil), None);
        set_surfaces(&mut pass, input);
        for (mirrored, (pipeline, group)) in [false, true].into_iter().zip(pair.iter().zip(&groups)) {
            let alike =
                |member: &Member| Member { active: member.active && member.mirrored == mirrored, ..*member };
            let members: Vec<Member> = input.cast.members.iter().map(alike).collect();
            draw_surfaces(&mut pass, (pipeline, group), &members);
        }
    }

    /// Passes 2 and 3 in an image, of those bodies that count.
    fn count_some(&mut self, recorder: &mut Recorder, input: &CastInput) {
        self.counts.reserve(&recorder.context, self.pixels);
        let (Some(owners), Some(depth_stencil)) = (self.owners.view(), self.depth_stencil.view()) else {
            return;
        };
        let Some(counts) = self.counts.view() else { return };
        let pipeline = &self.pipelines.count_some;
        let buffers = [(0, input.frame), (1, &self.uniforms[0])];
        let group = group(recorder, pipeline, &buffers, &[(3, owners)]);
        let colors = [(counts, LoadOp::Clear(Color::TRANSPARENT))];
        let mut pass = begin(recorder, &colors, DepthStencil::kept(depth_stencil), None);
        set_surfaces(&mut pass, input);
        draw_surfaces(&mut pass, (pipeline, &group), &input.cast.members);
    }

    /// Layer after layer: marked pixels, and the bodies around their edges.
    fn everything(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
    ) -> Result<(), GpuError> {
        let lines = casting.sides(input.options.identify).0.len() as u32;
        for layer in 0..=input.options.most_layers() {
            if input.one && casting.findings.any() {
                break;
            }
            // After the last layer it is only tested whether there is another.
            let beyond = layer == input.options.most_layers();
            recorder.stage(Stage::Sample)?;
            self.show(recorder, input, lines, layer);
            if !beyond {
                self.count_some(recorder, input);
            }
            let (shown, marked) = self.marked(recorder, input, casting, !beyond)?;
            if shown == 0 {
                break;
            }
            let stages = &mut casting.findings.stages;
            if beyond {
                stages.limited = true;
                break;
            }
            stages.layers = stages.layers.max(layer + 1);
            stages.pixels += shown as usize;
            stages.marked += marked.len();
            if !marked.is_empty() || !input.options.early_answer {
                self.judge(recorder, input, casting, &marked)?;
            }
        }
        Ok(())
    }

    /// The bodies around the edges of marked pixels.
    fn judge(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
        marked: &[Marked],
    ) -> Result<(), GpuError> {
        let mut judged = Vec::new();
        let mut crossings = 0;
        self.crossings(recorder, input, 0..self.pixels[1], &mut |list| {
            crossings += list.len();
            judge::judge(marked, list, &mut judged);
        })?;
        let start = Instant::now();
        let (sides, findings) = casting.parts(input.options.identify);
        findings.stages.crossings += crossings;
        findings.stages.bytes_read_back += crossings * size_of::<[u32; 2]>();
        let members = &input.cast.members;
        if input.options.identify == Identify::Everything {
            findings.judged(input.view, members, sides, marked, &judged);
        }
        let open = judged.iter().filter(|judged| judged.verdict == judge::Verdict::NotClosed);
        open.for_each(|judged| findings.saw_open(members[judged.body as usize].id));
        findings.stages.parse += start.elapsed();
        recorder.restart(Stage::Sample);
        Ok(())
    }
}
