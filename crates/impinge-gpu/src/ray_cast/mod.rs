//! Casts rays at edges with `edges.wgsl`, `ray_cast.wgsl` and `marked.wgsl` (Knott 2003, chapter 4): from bodies to pixels
//! whose edge is inside something, and from those to bodies. The thesis' own algorithms are in [`algorithms`].
//!
//! The definition of every stage is `impinge::stages::interference`.

mod algorithms;
mod draw;
mod inspect;
mod list;
mod pipelines;
mod queries;

pub use inspect::CastInspection;

use crate::bodies::Bodies;
use crate::buffers::Grown;
use crate::depth_peel::uniform;
use crate::device::Context;
use crate::error::GpuError;
use crate::images::{Kept, check_size};
use crate::kernel::Kernel;
use crate::layout::{CastCounters, CastEntry, MarkedEntry};
use crate::recorder::{Recorder, Stage};
use crate::shaders;
use draw::{DepthStencil, begin, draw_surfaces, group, set_surfaces};
use impinge::stages::View;
use impinge::stages::gather::{Member, totals};
use impinge::stages::interference::count::{Marked, Whose};
use impinge::stages::interference::judge;
use impinge::stages::interference::{Cast, Identify, RayCastOptions, RayCaster};
use pipelines::{COUNTS, DEPTH_STENCIL, NUMBERS, Pipelines, UNUSED, ZERO_COUNT};
use std::ops::Range;
use std::time::Instant;
use wgpu::{Buffer, BufferUsages, Color, LoadOp, RenderPass, RenderPipeline};

/// Pixels that are gone through at a time, so that there is always room for all of them.
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
    /// One for every batch of lines; the first is for everything else too.
    uniforms: Vec<Buffer>,
    entry: CastEntry,
    outward: Grown,
    sides: Grown,
    /// Which edition of the edges was uploaded.
    edition: Option<u64>,
    corners: Grown,
    indices: Grown,
    /// Lines that there are indices for.
    indexed: u32,
    counters: Grown,
    marked: Grown,
    crossings: Grown,
    /// Crossings that there is room for.
    capacity: u32,
    /// Edges that pixels show, of even and of odd layers.
    lines: Kept,
    owners: Kept,
    depth_stencil: Kept,
    counts: Kept,
    /// What the thesis' algorithms identify: edges, bodies.
    named: Kept,
    unused: Kept,
    pixels: [u32; 2],
    /// Lines in a batch, and rows that are gone through at a time, at most.
    batch: u32,
    strip: u32,
    layer: u32,
}

/// What is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
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
            outward: Grown::new("normals of vertices", read),
            sides: Grown::new("edges", BufferUsages::empty()),
            edition: None,
            corners: Grown::new("corners of edges", read | BufferUsages::VERTEX),
            indices: Grown::new("indices of edges", BufferUsages::INDEX),
            indexed: 0,
            counters: Grown::new("counters", read),
            marked: Grown::new("pixels inside something", read),
            crossings: Grown::new("surfaces under such pixels", read),
            capacity: 0,
            lines: Kept::twofold(NUMBERS),
            owners: Kept::new(NUMBERS),
            depth_stencil: Kept::new(DEPTH_STENCIL),
            counts: Kept::new(COUNTS),
            named: Kept::twofold(NUMBERS),
            unused: Kept::new(UNUSED),
            pixels: [0; 2],
            batch: 0,
            strip: 0,
            layer: 0,
        }
    }

    /// Nothing that was stored or drawn may be relied on.
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
        buffers.into_iter().for_each(Grown::forget);
        let images = [
            &mut self.lines,
            &mut self.owners,
            &mut self.depth_stencil,
            &mut self.counts,
            &mut self.named,
            &mut self.unused,
        ];
        images.into_iter().for_each(Kept::forget);
    }

    /// One view, for edges of some bodies and surfaces of some.
    pub(crate) fn cast(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        caster: &mut RayCaster,
    ) -> Result<(), GpuError> {
        self.prepare(recorder, given, caster)?;
        if given.options.identify == Identify::Everything {
            self.everything(recorder, given, caster)
        } else {
            self.algorithm(recorder, given, caster)
        }
    }

    /// Makes room, uploads edges that changed, and finds which way vertices are moved.
    fn prepare(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        caster: &RayCaster,
    ) -> Result<(), GpuError> {
        let context = recorder.context.clone();
        let pixels = [given.view.width, given.view.height];
        check_size(&context, pixels)?;
        self.pixels = pixels;
        self.lines.hold(&context, pixels);
        self.owners.hold(&context, pixels);
        self.depth_stencil.hold(&context, pixels);
        let (sides, edition) = caster.sides(given.options.identify);
        let lines = sides.len() as u32;
        if self.sides.hold(&context, u64::from(lines) * 4)? || self.edition != Some(edition) {
            context.queue.write_buffer(self.sides.get(), 0, bytemuck::cast_slice(sides));
            self.edition = Some(edition);
        }
        let limits = context.device.limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        self.batch = lines.min((most / LINE_BYTES).min(u64::from(u32::MAX / 6)) as u32).max(1);
        self.corners.hold(&context, u64::from(self.batch) * LINE_BYTES)?;
        if self.indices.hold(&context, u64::from(self.batch) * 24)? || self.indexed < self.batch {
            let strip = |line: u32| [0, 1, 2, 2, 1, 3].map(|corner| 4 * line + corner);
            let indices: Vec<[u32; 6]> = (0..self.batch).map(strip).collect();
            context.queue.write_buffer(self.indices.get(), 0, bytemuck::cast_slice(&indices));
            self.indexed = self.batch;
        }
        let [vertices, triangles] = totals(&given.cast.members);
        self.counters.hold(&context, size_of::<CastCounters>() as u64)?;
        let each = size_of::<MarkedEntry>() as u64;
        let at_a_time = PIXELS_AT_A_TIME.min((most / each).min(u64::from(u32::MAX)) as u32);
        self.strip = (at_a_time / pixels[0]).clamp(1, pixels[1]);
        self.marked.hold(&context, u64::from(self.strip) * u64::from(pixels[0]) * each)?;

        let metric = &given.cast.metric;
        self.entry = CastEntry {
            pixels_deep: metric.pixels_deep,
            clearance: metric.clearance,
            nearest: metric.depths[0],
            farthest: metric.depths[1],
            whose: match given.cast.whose {
                Whose::All => 0,
                Whose::Others => 1,
                Whose::Own => 2,
            },
            end_row: self.strip,
            ..CastEntry::default()
        };
        for (index, batch) in self.batches(lines).enumerate() {
            if index == self.uniforms.len() {
                self.uniforms.push(uniform(&context, "cast", size_of::<CastEntry>() as u64));
            }
            let entry = CastEntry { first_line: batch.start, lines: batch.len() as u32, ..self.entry };
            context.queue.write_buffer(&self.uniforms[index], 0, bytemuck::bytes_of(&entry));
        }
        (self.entry.first_line, self.entry.lines) = (0, lines.min(self.batch));
        recorder.encoder().clear_buffer(self.counters.get(), 0, None);
        self.outward.hold(&context, u64::from(vertices) * 16)?;
        if metric.moves() {
            recorder.encoder().clear_buffer(self.outward.get(), 0, None);
            let buffers = [
                (0, given.frame),
                (1, &self.uniforms[0]),
                (2, given.bodies.entries.get()),
                (3, given.vertices),
                (4, given.bodies.triangles.get()),
                (5, self.outward.get()),
            ];
            self.sum_normals.run(recorder, &buffers, triangles);
            self.measure_sharpness.run(recorder, &buffers, triangles);
        }
        Ok(())
    }

    /// Lines that are drawn together; one batch at least.
    fn batches(&self, lines: u32) -> impl Iterator<Item = Range<u32>> + use<> {
        let batch = self.batch;
        (0..lines.div_ceil(batch).max(1)).map(move |k| k * batch..((k + 1) * batch).min(lines))
    }

    /// Calls for every batch of lines, with its uniform; its corners are in their buffer then.
    fn for_each_batch(
        &self,
        recorder: &mut Recorder,
        given: &Given,
        lines: u32,
        again: bool,
        mut draw: impl FnMut(&mut Recorder, usize, Range<u32>),
    ) {
        let alone = lines <= self.batch;
        for (index, batch) in self.batches(lines).enumerate() {
            // The corners of a single batch stay.
            if !(alone && again) {
                let buffers = [
                    (0, given.frame),
                    (1, &self.uniforms[index]),
                    (2, given.bodies.entries.get()),
                    (3, given.vertices),
                    (4, given.bodies.triangles.get()),
                    (5, self.outward.get()),
                    (6, self.sides.get()),
                    (7, self.corners.get()),
                    (8, self.counters.get()),
                ];
                self.draw_lines.run(recorder, &buffers, batch.len() as u32);
            }
            draw(recorder, index, batch);
        }
    }

    /// Pass 1: edges, of one layer.
    fn show(&mut self, recorder: &mut Recorder, given: &Given, lines: u32, layer: u32) {
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
        self.for_each_batch(recorder, given, lines, layer > 0, |recorder, index, batch| {
            let buffers = [(0, given.frame), (1, &self.uniforms[index])];
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
    fn count(&self, recorder: &mut Recorder, given: &Given) {
        let Some(depth_stencil) = self.depth_stencil.view() else { return };
        let pair = &self.pipelines.count;
        let groups = pair.each_ref().map(|pipeline| group(recorder, pipeline, &[(0, given.frame)], &[]));
        let mut pass = begin(recorder, &[], DepthStencil::kept(depth_stencil), None);
        set_surfaces(&mut pass, given);
        for (mirrored, (pipeline, group)) in [false, true].into_iter().zip(pair.iter().zip(&groups)) {
            let alike =
                |member: &Member| Member { active: member.active && member.mirrored == mirrored, ..*member };
            let members: Vec<Member> = given.cast.members.iter().map(alike).collect();
            draw_surfaces(&mut pass, (pipeline, group), &members);
        }
    }

    /// Passes 2 and 3 in an image, of those bodies that count.
    fn count_some(&mut self, recorder: &mut Recorder, given: &Given) {
        self.counts.hold(&recorder.context, self.pixels);
        let (Some(owners), Some(depth_stencil)) = (self.owners.view(), self.depth_stencil.view()) else {
            return;
        };
        let Some(counts) = self.counts.view() else { return };
        let pipeline = &self.pipelines.count_some;
        let buffers = [(0, given.frame), (1, &self.uniforms[0])];
        let group = group(recorder, pipeline, &buffers, &[(3, owners)]);
        let colors = [(counts, LoadOp::Clear(Color::TRANSPARENT))];
        let mut pass = begin(recorder, &colors, DepthStencil::kept(depth_stencil), None);
        set_surfaces(&mut pass, given);
        draw_surfaces(&mut pass, (pipeline, &group), &given.cast.members);
    }

    /// Layer after layer: marked pixels, and in which bodies their edges are.
    fn everything(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        caster: &mut RayCaster,
    ) -> Result<(), GpuError> {
        let lines = caster.sides(given.options.identify).0.len() as u32;
        for layer in 0..=given.options.most_layers() {
            if given.one && caster.findings().any() {
                break;
            }
            // Another layer is only looked for, not looked at, after the last.
            let beyond = layer == given.options.most_layers();
            recorder.stage(Stage::Sample)?;
            self.show(recorder, given, lines, layer);
            if !beyond {
                self.count_some(recorder, given);
            }
            let (shown, marked) = self.marked(recorder, given, caster, !beyond)?;
            if shown == 0 {
                break;
            }
            let stages = &mut caster.findings().stages;
            if beyond {
                stages.limited = true;
                break;
            }
            stages.layers = stages.layers.max(layer + 1);
            stages.pixels += shown as usize;
            stages.marked += marked.len();
            if !marked.is_empty() || !given.options.early_answer {
                self.judge(recorder, given, caster, &marked)?;
            }
        }
        Ok(())
    }

    /// In which bodies the edges of marked pixels are.
    fn judge(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        caster: &mut RayCaster,
        marked: &[Marked],
    ) -> Result<(), GpuError> {
        let mut judged = Vec::new();
        let mut crossings = 0;
        self.crossings(recorder, given, 0..self.pixels[1], &mut |list| {
            crossings += list.len();
            judge::judge(marked, list, &mut judged);
        })?;
        let start = Instant::now();
        let (sides, findings) = caster.parts(given.options.identify);
        findings.stages.crossings += crossings;
        findings.stages.bytes_read_back += crossings * size_of::<[u32; 2]>();
        let members = &given.cast.members;
        if given.options.identify == Identify::Everything {
            findings.judged(given.view, members, sides, marked, &judged);
        }
        let open = judged.iter().filter(|judged| judged.verdict == judge::Verdict::NotClosed);
        open.for_each(|judged| findings.saw_open(members[judged.body as usize].id));
        findings.stages.parse += start.elapsed();
        recorder.restart(Stage::Sample);
        Ok(())
    }
}
