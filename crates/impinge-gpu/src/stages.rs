//! The stages of one view, each with its buffers: `project`, `depth_peel`, `rays`, `ray_mipmap`, `separate`, `pack`. A
//! stage is a shader of the same name; its definition is the CPU's function of the same name.

use crate::bodies::Bodies;
use crate::buffers::Grown;
use crate::depth_peel::{DepthPeel, Drawing};
use crate::device::Context;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::layout::{Counters, Details, Frame, LevelEntry, Packed};
use crate::recorder::{Recorder, Stage};
use crate::shaders;
use impinge::contacts::{AtLimit, PeelOptions, Sides};
use impinge::stages::depth_peel::pack::PackedTriangle;
use impinge::stages::depth_peel::peel::Rule;
use impinge::stages::depth_peel::ray_mipmap::levels;
use impinge::stages::gather::{Member, totals};
use impinge::stages::{ScreenVertex, View};
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

/// Levels of the largest image.
const MOST_LEVELS: usize = 16;

/// Distance between uniforms in one buffer, as every device takes it.
const UNIFORM_STRIDE: u64 = 256;

/// What one view has found on the GPU.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) packed: Vec<Packed>,
    /// For the last of those, of bodies that live on the GPU.
    pub(crate) details: Vec<Details>,
    pub(crate) rays: u32,
    pub(crate) deepest: u32,
    pub(crate) bytes_read_back: u64,
}

/// Pipelines and buffers of all stages.
#[derive(Debug)]
pub(crate) struct Stages {
    project: Kernel,
    pub(crate) depth_peel: DepthPeel,
    widen: Kernel,
    merge: Kernel,
    separate: Kernel,
    running_count: Kernel,
    pack: Kernel,
    detail: Kernel,
    detail_listed: Kernel,
    uniform: Buffer,
    level_pairs: Vec<Buffer>,
    all_levels: Buffer,
    pub(crate) screen: Grown,
    pub(crate) counters: Grown,
    pub(crate) rays: Grown,
    pub(crate) wide: Grown,
    pub(crate) boxes: Grown,
    pub(crate) sparse: Grown,
    pub(crate) flags: Grown,
    before: Grown,
    dense: Grown,
    details: Grown,
    listed: Grown,
    /// The last frame, for whoever draws it again.
    pub(crate) frame: Frame,
}

impl Stages {
    /// With atomics even where blending would do, if asked for.
    pub(crate) fn new(context: &Context, atomics: bool) -> Self {
        let kernel = |source, entry, size| Kernel::new(context, source, entry, size);
        let read = BufferUsages::COPY_SRC;
        let uniform = |label, size| {
            let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
            context.device.create_buffer(&BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            project: kernel(shaders::PROJECT, "project", 256),
            depth_peel: DepthPeel::new(context, atomics),
            widen: kernel(shaders::RAYS, "widen", 64),
            merge: kernel(shaders::RAY_MIPMAP, "merge", 64),
            separate: kernel(shaders::SEPARATE, "separate", 256),
            running_count: kernel(shaders::PACK, "running_count", 256),
            pack: kernel(shaders::PACK, "pack", 64),
            detail: kernel(shaders::DETAILS, "detail", 64),
            detail_listed: kernel(shaders::DETAILS, "detail_listed", 64),
            uniform: uniform("frame", size_of::<Frame>() as u64),
            level_pairs: (0..MOST_LEVELS).map(|_| uniform("two levels", UNIFORM_STRIDE)).collect(),
            all_levels: uniform("levels", (MOST_LEVELS * size_of::<LevelEntry>()) as u64),
            screen: Grown::new("vertices in the image", read | BufferUsages::VERTEX),
            counters: Grown::new("counters", read),
            rays: Grown::new("rays", read),
            wide: Grown::new("widened rays", read),
            boxes: Grown::new("boxes of rays", read),
            sparse: Grown::new("rectangles of triangles", read),
            flags: Grown::new("flags of triangles", read),
            before: Grown::new("running counts of triangles", BufferUsages::empty()),
            dense: Grown::new("packed triangles", read),
            details: Grown::new("corners of packed triangles", read),
            listed: Grown::new("list of triangles", BufferUsages::empty()),
            frame: Frame::default(),
        }
    }

    /// Reads a few bytes back, as every frame does.
    pub(crate) fn try_out(&mut self, recorder: &mut Recorder) -> Result<(), GpuError> {
        self.counters.hold(&recorder.context, size_of::<Counters>() as u64)?;
        self.read_counters(recorder).map(|_| ())
    }

    /// Nothing that was stored or drawn may be relied on.
    pub(crate) fn forget(&mut self) {
        self.depth_peel.forget();
        self.frame = Frame::default();
        let buffers = [
            &mut self.screen,
            &mut self.counters,
            &mut self.rays,
            &mut self.wide,
            &mut self.boxes,
            &mut self.sparse,
            &mut self.flags,
            &mut self.before,
            &mut self.dense,
            &mut self.details,
            &mut self.listed,
        ];
        buffers.into_iter().for_each(Grown::forget);
    }

    /// Room for a view of these bodies.
    fn hold(
        &mut self,
        context: &Context,
        view: &View,
        [vertices, triangles]: [u32; 2],
    ) -> Result<(), GpuError> {
        let words = u64::from(view.width.div_ceil(32)) * u64::from(view.height);
        let levels = levels(view.width, view.height);
        let boxes = levels.last().map_or(0, |last| u64::from(last.first + last.width * last.height));
        self.screen.hold(context, u64::from(vertices) * 16)?;
        self.counters.hold(context, size_of::<Counters>() as u64)?;
        self.rays.hold(context, words * 4)?;
        self.wide.hold(context, words * 4)?;
        self.boxes.hold(context, boxes * 8)?;
        self.sparse.hold(context, u64::from(triangles) * 16)?;
        self.flags.hold(context, u64::from(triangles) / 8)?;
        self.before.hold(context, u64::from(triangles) / 8)?;
        self.depth_peel.hold(context, [view.width, view.height])
    }

    /// From bodies to packed triangles, for one view.
    pub(crate) fn look(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        members: &[Member],
        external: usize,
        view: &View,
        options: &PeelOptions,
    ) -> Result<Seen, GpuError> {
        let context = recorder.context.clone();
        let totals = totals(members);
        self.hold(&context, view, totals)?;
        let first_external =
            members[members.len() - external..].first().map_or(totals[1], |m| m.first_triangle);
        let mut seen = Seen::default();

        // How many passes there will be is known once fragments are counted.
        let rule = Rule::new(options, view, 0);
        self.frame = Frame {
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
        self.project(recorder, bodies);

        recorder.stage(Stage::Sample)?;
        recorder.encoder().clear_buffer(self.counters.get(), 0, None);
        let drawn = runs(members);
        let drawing = Drawing {
            frame: &self.uniform,
            vertices: self.screen.get(),
            triangles: bodies.triangles.get(),
            drawn: &drawn,
            sides: self.frame.sides,
        };
        let words = self.frame.words * self.frame.height;
        self.depth_peel.count_and_peel(recorder, &drawing, self.counters.get(), words);
        let mut counters = self.read_counters(recorder)?;
        if self.depth_peel.count_further(&context, counters.deepest)? {
            recorder.encoder().clear_buffer(self.counters.get(), 0, None);
            self.depth_peel.count_and_peel(recorder, &drawing, self.counters.get(), words);
            counters = self.read_counters(recorder)?;
        }
        seen.bytes_read_back += size_of::<Counters>() as u64;
        seen.deepest = counters.deepest;
        if counters.deepest == 0 {
            return Ok(seen);
        }
        let rule = Rule::new(options, view, counters.deepest);
        self.frame.passes = rule.passes;
        self.write_frame(&context);
        let found = [self.rays.get(), self.counters.get()];
        self.depth_peel.peel(recorder, &drawing, rule.passes, found, words)?;

        recorder.stage(Stage::Merge)?;
        self.widen.run(recorder, &[(0, &self.uniform), (3, self.rays.get()), (4, self.wide.get())], words);
        self.merge_levels(recorder, view);

        recorder.stage(Stage::Separate)?;
        recorder.encoder().clear_buffer(self.flags.get(), 0, None);
        let separated = [
            (0, &self.uniform),
            (1, bodies.entries.get()),
            (2, self.screen.get()),
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
            [(0, &self.uniform), (1, self.flags.get()), (2, self.before.get()), (3, self.counters.get())];
        self.running_count.run(recorder, &counted, 256);
        let counters = self.read_counters(recorder)?;
        seen.bytes_read_back += size_of::<Counters>() as u64;
        seen.rays = counters.rays;
        if counters.packed > 0 {
            self.read_packed(recorder, bodies, &counters, &mut seen)?;
        }
        Ok(seen)
    }

    /// From vertices of bodies to those of the image that `frame` describes.
    fn project(&self, recorder: &mut Recorder, bodies: &Bodies) {
        self.write_frame(&recorder.context);
        recorder.restart(Stage::Project);
        let buffers = [
            (0, &self.uniform),
            (1, bodies.entries.get()),
            (2, bodies.positions.get()),
            (3, self.screen.get()),
        ];
        self.project.run(recorder, &buffers, self.frame.vertices);
    }

    /// Vertices as a view shows them, for a method that goes on by itself: the frame and the vertices.
    pub(crate) fn show(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        members: &[Member],
        view: &View,
    ) -> Result<(&Buffer, &Buffer), GpuError> {
        let [vertices, triangles] = totals(members);
        self.screen.hold(&recorder.context, u64::from(vertices) * 16)?;
        self.frame = Frame {
            width: view.width,
            height: view.height,
            vertices,
            triangles,
            perspective: u32::from(view.away.is_some()),
            ..Frame::default()
        };
        self.project(recorder, bodies);
        Ok((&self.uniform, self.screen.get()))
    }

    /// What [`Self::show`] left.
    pub(crate) fn shown(&self) -> (&Buffer, &Buffer) {
        (&self.uniform, self.screen.get())
    }

    /// Every level from the one below it.
    fn merge_levels(&self, recorder: &mut Recorder, view: &View) {
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
            let buffers = [(0, &self.uniform), (1, pair), (2, self.wide.get()), (3, self.boxes.get())];
            self.merge.run(recorder, &buffers, level.width * level.height);
        }
    }

    /// Room for exactly what was counted, then the dense lists and their way to the CPU.
    fn read_packed(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        counters: &Counters,
        seen: &mut Seen,
    ) -> Result<(), GpuError> {
        let external = counters.packed - counters.packed_before_external;
        let dense_bytes = u64::from(counters.packed) * size_of::<Packed>() as u64;
        let detail_bytes = u64::from(external) * size_of::<Details>() as u64;
        self.dense.hold(&recorder.context, dense_bytes)?;
        let words = self.frame.triangles / 32;
        let packed = [
            (0, &self.uniform),
            (1, self.flags.get()),
            (2, self.before.get()),
            (4, self.sparse.get()),
            (5, self.dense.get()),
        ];
        self.pack.run(recorder, &packed, words);
        let mut sources = vec![(self.dense.get(), dense_bytes)];
        if external > 0 {
            self.details.hold(&recorder.context, detail_bytes)?;
            let detailed = [
                (0, &self.uniform),
                (1, bodies.entries.get()),
                (2, self.flags.get()),
                (3, self.before.get()),
                (4, bodies.positions.get()),
                (5, bodies.triangles.get()),
                (6, bodies.tags.get()),
                (7, self.details.get()),
            ];
            self.detail.run(recorder, &detailed, words - self.frame.external_word);
            sources.push((self.details.get(), detail_bytes));
        }
        seen.bytes_read_back += dense_bytes + detail_bytes;
        recorder.read(&sources, |bytes| {
            let (dense, details) = bytes.split_at(dense_bytes as usize);
            seen.packed
                .extend(dense.chunks_exact(size_of::<Packed>()).map(bytemuck::pod_read_unaligned::<Packed>));
            let details = details.chunks_exact(size_of::<Details>());
            seen.details.extend(details.map(bytemuck::pod_read_unaligned::<Details>));
        })
    }

    /// What the exact test asks about some triangles of bodies that live on the GPU, by their numbers among all. The first such
    /// triangle is given too.
    pub(crate) fn details_of(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        first_external: u32,
        triangles: &[u32],
    ) -> Result<Vec<Details>, GpuError> {
        let context = recorder.context.clone();
        let bytes = triangles.len() as u64 * size_of::<Details>() as u64;
        self.details.hold(&context, bytes)?;
        self.listed.hold(&context, (triangles.len() as u64 + 1) * 4)?;
        let list: Vec<u32> = [triangles.len() as u32].iter().chain(triangles).copied().collect();
        context.queue.write_buffer(self.listed.get(), 0, bytemuck::cast_slice(&list));
        self.frame.external_word = first_external / 32;
        self.write_frame(&context);
        let buffers = [
            (0, &self.uniform),
            (1, bodies.entries.get()),
            (4, bodies.positions.get()),
            (5, bodies.triangles.get()),
            (6, bodies.tags.get()),
            (7, self.details.get()),
            (8, self.listed.get()),
        ];
        self.detail_listed.run(recorder, &buffers, triangles.len() as u32);
        read(recorder, self.details.get(), bytes)
    }

    fn read_counters(&self, recorder: &mut Recorder) -> Result<Counters, GpuError> {
        let bytes = size_of::<Counters>() as u64;
        recorder.read(&[(self.counters.get(), bytes)], bytemuck::pod_read_unaligned::<Counters>)
    }

    fn write_frame(&self, context: &Context) {
        context.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&self.frame));
    }

    /// What every stage of the last view left.
    pub(crate) fn inspect(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
    ) -> Result<Inspection, GpuError> {
        let frame = self.frame;
        let (layers, counts) = self.depth_peel.inspect(recorder, frame.passes)?;
        let words = u64::from(frame.words * frame.height) * 4;
        let levels = levels(frame.width, frame.height);
        let boxes = levels.last().map_or(0, |last| u64::from(last.first + last.width * last.height)) * 8;
        let triangles = u64::from(frame.triangles);
        let screen = read(recorder, self.screen.get(), u64::from(frame.vertices) * 16)?;
        let sparse: Vec<[f32; 4]> = read(recorder, self.sparse.get(), triangles * 16)?;
        let flags: Vec<u32> = read(recorder, self.flags.get(), triangles / 8)?;
        let is_there = |k: usize| flags[k / 32] >> (k % 32) & 1 == 1;
        Ok(Inspection {
            width: frame.width,
            height: frame.height,
            near: frame.near,
            passes: frame.passes,
            vertices: screen.into_iter().map(|v: [f32; 4]| screen_vertex(v)).collect(),
            triangles: read(recorder, bodies.triangles.get(), triangles * 12)?,
            layers,
            counts,
            rays: read(recorder, self.rays.get(), words)?,
            wide: read(recorder, self.wide.get(), words)?,
            boxes: read(recorder, self.boxes.get(), boxes)?,
            rectangles: sparse.into_iter().enumerate().map(|(k, r)| is_there(k).then_some(r)).collect(),
            packed: Vec::new(),
        })
    }

    /// Draws the last view again, depth alone.
    pub(crate) fn plain(&mut self, recorder: &mut Recorder, bodies: &Bodies, drawn: &[std::ops::Range<u32>]) {
        let (frame, vertices) = (&self.uniform, self.screen.get());
        let sides = self.frame.sides;
        let drawing = Drawing { frame, vertices, triangles: bodies.triangles.get(), drawn, sides };
        self.depth_peel.plain(recorder, &drawing);
    }
}

/// What the stages of a view left on the device: for comparing with their twins, and for looking at.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// Rays across.
    pub width: u32,
    /// Rays down.
    pub height: u32,
    /// Steps of depth within which surfaces that are not closed collide.
    pub near: u32,
    /// Passes done.
    pub passes: u32,
    /// Vertices in the image.
    pub vertices: Vec<ScreenVertex>,
    /// Triangles over them.
    pub triangles: Vec<[u32; 3]>,
    /// What peeling remembers of every ray after the first pass, see `shaders/shared/layers.wgsl`; empty when there were more.
    pub layers: Vec<[u32; 2]>,
    /// Fragments of every ray.
    pub counts: Vec<u32>,
    /// Collision rays, as `impinge::stages::depth_peel::Rays` has them.
    pub rays: Vec<u32>,
    /// The same, widened.
    pub wide: Vec<u32>,
    /// Boxes of ray bundles, level after level.
    pub boxes: Vec<[u32; 2]>,
    /// For every triangle, where collision rays may pass it.
    pub rectangles: Vec<Option<[f32; 4]>>,
    /// The triangles that came back.
    pub packed: Vec<PackedTriangle>,
}

/// `OWNER_BODY` and `NOBODY` of `shared/frame.wgsl`.
const OWNER_BODY: u32 = 0x0fff_ffff;

pub(crate) fn screen_vertex([x, y, depth, owner]: [f32; 4]) -> ScreenVertex {
    let body = owner.to_bits() & OWNER_BODY;
    ScreenVertex { x, y, depth, body: if body == OWNER_BODY { u32::MAX } else { body } }
}

pub(crate) fn read<T: bytemuck::AnyBitPattern>(
    recorder: &mut Recorder,
    buffer: &Buffer,
    bytes: u64,
) -> Result<Vec<T>, GpuError> {
    recorder.read(&[(buffer, bytes)], |bytes| {
        bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
    })
}

/// Runs of triangles of active bodies that lie side by side.
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
