//! Which items are fully visible, asked with occlusion queries: boxes of triangles from `offsets.wgsl`, drawn by the device's own
//! rasteriser with `cullide.wgsl` (Govindaraju, Lin, Manocha: CULLIDE and FAR). What is asked, and what is made of the answers, is
//! the CPU's `impinge::stages::cullide::Culler`; the definition of the answers is its `Canvas`.

mod queries;

use crate::bodies::Bodies;
use crate::buffers::Grown;
use crate::depth_peel::{uniform, writes};
use crate::device::Context;
use crate::error::GpuError;
use crate::images::{Kept, check_size};
use crate::kernel::{Kernel, bind, module};
use crate::layout::OffsetEntry;
use crate::recorder::{Recorder, Stage};
use crate::shaders;
use crate::stages::Stages;
use impinge::Scene;
use impinge::stages::cullide::offsets::{BACK, FRONT};
use impinge::stages::cullide::{Image, Item, Order, Visibility};
use impinge::stages::gather::{Member, totals};
use queries::{MOST_QUERIES, Queries};
use std::ops::Range;
use wgpu::{
    Buffer, BufferUsages, CompareFunction, LoadOp, Operations, RenderPass, RenderPipeline, StoreOp,
    TextureFormat, TextureView,
};

/// Exact for floats, as the CPU's buffer is.
const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Corners of a box.
const CORNERS: u64 = 8;

/// Indices of half a box.
const HALF: usize = 18;

/// Pipelines and buffers of the method.
#[derive(Debug)]
pub(crate) struct Cullide {
    offsets: Kernel,
    /// Asks: is anything as deep as, or deeper than, what was drawn?
    ask: RenderPipeline,
    /// Keeps the nearest.
    fill: RenderPipeline,
    uniform: Buffer,
    corners: Grown,
    /// Indices of backs and of fronts, box after box.
    backs: Grown,
    fronts: Grown,
    /// How many boxes these are for.
    patterns: usize,
    depth: Kept,
    queries: Queries,
    pub(crate) bytes_read_back: usize,
}

impl Cullide {
    pub(crate) fn new(context: &Context) -> Self {
        let shader = module(context, "cullide", shaders::CULLIDE);
        Self {
            offsets: Kernel::new(context, shaders::OFFSETS, "offsets", 64),
            ask: pipeline(context, &shader, CompareFunction::GreaterEqual, false),
            fill: pipeline(context, &shader, CompareFunction::LessEqual, true),
            uniform: uniform(context, "offset", size_of::<OffsetEntry>() as u64),
            corners: Grown::new("boxes of triangles", BufferUsages::VERTEX),
            backs: Grown::new("backs of boxes", BufferUsages::INDEX),
            fronts: Grown::new("fronts of boxes", BufferUsages::INDEX),
            patterns: 0,
            depth: Kept::new(DEPTH),
            queries: Queries::new(),
            bytes_read_back: 0,
        }
    }

    /// Nothing that was stored or drawn may be relied on.
    pub(crate) fn forget(&mut self) {
        [&mut self.corners, &mut self.backs, &mut self.fronts].into_iter().for_each(Grown::forget);
        self.patterns = 0;
        self.depth.forget();
        self.queries.forget();
    }

    /// Which corners the triangles of so many boxes have: the same for each, from its own first corner on.
    fn hold_patterns(&mut self, context: &Context, boxes: usize) -> Result<(), GpuError> {
        if self.patterns >= boxes {
            return Ok(());
        }
        let boxes = boxes + boxes / 2;
        for (buffer, half) in [(&mut self.backs, BACK), (&mut self.fronts, FRONT)] {
            let pattern: Vec<u32> = half.as_flattened().iter().map(|corner| *corner as u32).collect();
            let all: Vec<u32> =
                (0..boxes as u32).flat_map(|k| pattern.iter().map(move |corner| 8 * k + corner)).collect();
            buffer.hold(context, (all.len() * 4) as u64)?;
            context.queue.write_buffer(buffer.get(), 0, bytemuck::cast_slice(&all));
        }
        self.patterns = boxes;
        Ok(())
    }
}

/// Depth alone, compared in some way, and kept or not. No face is left out: which ones are drawn is in the indices.
fn pipeline(
    context: &Context,
    shader: &wgpu::ShaderModule,
    compare: CompareFunction,
    keeps: bool,
) -> RenderPipeline {
    let attributes = wgpu::vertex_attr_array![0 => Float32x4];
    let vertices = wgpu::VertexBufferLayout {
        array_stride: 16,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &attributes,
    };
    context.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("cullide"),
        layout: None,
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some("corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[Some(vertices)],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(keeps),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: None,
        multiview_mask: None,
        cache: None,
    })
}

/// What looks for the CPU's flow.
pub(crate) struct Eye<'a> {
    pub(crate) cullide: &'a mut Cullide,
    recorder: &'a mut Recorder,
    bodies: &'a Bodies,
    stages: &'a mut Stages,
}

impl<'a> Eye<'a> {
    /// For one call; compiles the shaders when there are none yet. Images are at most so large.
    pub(crate) fn new(
        cullide: &'a mut Option<Box<Cullide>>,
        recorder: &'a mut Recorder,
        bodies: &'a Bodies,
        stages: &'a mut Stages,
        most: [u32; 2],
    ) -> Result<Self, GpuError> {
        let cullide = cullide.get_or_insert_with(|| Box::new(Cullide::new(&recorder.context)));
        check_size(&recorder.context, most)?;
        // As large as any image of the call: views have shapes of their own, and take a part of it.
        cullide.depth.hold(&recorder.context, most);
        cullide.bytes_read_back = 0;
        Ok(Self { cullide, recorder, bodies, stages })
    }

    /// Boxes of all triangles between the first that is drawn and the last.
    fn offsets(&mut self, image: &Image) -> Result<(), GpuError> {
        let Some(offset) = &image.offset else { return Ok(()) };
        let context = self.recorder.context.clone();
        let active = || image.members.iter().filter(|member| member.active);
        let first = active().map(|member| member.first_triangle).min().unwrap_or(0);
        let end = active().map(|member| member.first_triangle + member.triangles).max().unwrap_or(0);
        let entry = OffsetEntry {
            first,
            count: end.saturating_sub(first),
            half: offset.half,
            apart: offset.apart,
            deep: image.deep,
            ..OffsetEntry::default()
        };
        let cullide = &mut *self.cullide;
        cullide.corners.hold(&context, u64::from(totals(&image.members)[1]) * CORNERS * 16)?;
        let most = active().map(|member| member.triangles).max().unwrap_or(0);
        cullide.hold_patterns(&context, most as usize)?;
        context.queue.write_buffer(&cullide.uniform, 0, bytemuck::bytes_of(&entry));
        let (_, screen) = self.stages.shown();
        let buffers = [
            (0, &cullide.uniform),
            (1, self.bodies.triangles.get()),
            (2, screen),
            (3, cullide.corners.get()),
        ];
        cullide.offsets.run(self.recorder, &buffers, entry.count);
        Ok(())
    }
}

impl Visibility for Eye<'_> {
    type Error = GpuError;

    fn look(&mut self, scene: &Scene, image: &Image, _: &[Item]) -> Result<(), GpuError> {
        let ranges = vec![[0.0; 2]; image.members.len()];
        let context = self.recorder.context.clone();
        self.bodies.place(&context, scene, (&image.members, &ranges), &image.view);
        self.recorder.stage(Stage::Project)?;
        self.stages.show(self.recorder, self.bodies, &image.members, &image.view)?;
        self.offsets(image)
    }

    fn pass(
        &mut self,
        image: &Image,
        items: &[Item],
        asked: &[bool],
        order: Order,
    ) -> Result<Vec<bool>, GpuError> {
        let count = asked.iter().filter(|asked| **asked).count();
        self.cullide.queries.hold(self.recorder, count)?;
        self.recorder.stage(Stage::Sample)?;
        let cullide = &*self.cullide;
        let (frame, screen) = self.stages.shown();
        let view = cullide.depth.view().ok_or(GpuError::TooMany)?;
        let group = |pipeline: &RenderPipeline| {
            let layout = pipeline.get_bind_group_layout(0);
            bind(&self.recorder.context, "cullide", &layout, &[(0, frame)], &[])
        };
        let groups = [group(&cullide.ask), group(&cullide.fill)];
        let brush = Brush {
            image,
            items,
            cullide,
            vertices: if image.offset.is_some() { cullide.corners.get() } else { screen },
            triangles: self.bodies.triangles.get(),
            groups,
        };
        // Which item every query is about.
        let mut queried: Vec<usize> = Vec::with_capacity(count);
        let mut bodies = order.bodies(items).into_iter().peekable();
        let mut load = LoadOp::Clear(1.0);
        // A body of which a set of queries left something to ask.
        let mut rest: Option<(Range<usize>, usize)> = None;
        while rest.is_some() || bodies.peek().is_some() {
            let mut pass = begin(self.recorder, (view, load), cullide.queries.set(queried.len()));
            load = LoadOp::Load;
            pass.set_viewport(0.0, 0.0, image.view.width as f32, image.view.height as f32, 0.0, 1.0);
            pass.set_scissor_rect(0, 0, image.view.width, image.view.height);
            pass.set_vertex_buffer(0, brush.vertices.slice(..));
            let end = (queried.len() / MOST_QUERIES + 1) * MOST_QUERIES;
            while let Some((body, from)) = rest.take().or_else(|| bodies.next().map(|b| (b.clone(), b.start)))
            {
                brush.set(&mut pass, true);
                let mut next = from;
                while next < body.end && queried.len() < end {
                    if asked[next] {
                        pass.begin_occlusion_query((queried.len() % MOST_QUERIES) as u32);
                        brush.draw(&mut pass, next..next + 1);
                        pass.end_occlusion_query();
                        queried.push(next);
                    }
                    next += 1;
                }
                if body.clone().skip(next - body.start).any(|k| asked[k]) {
                    rest = Some((body, next));
                    break;
                }
                brush.set(&mut pass, false);
                brush.draw(&mut pass, body);
                if queried.len() == end {
                    break;
                }
            }
        }
        let mut visible = vec![true; items.len()];
        if count > 0 {
            let drawn = cullide.queries.read(self.recorder, count)?;
            for (item, drawn) in queried.into_iter().zip(drawn) {
                visible[item] = !drawn;
            }
        } else {
            self.recorder.read(&[], |_| ())?;
        }
        self.cullide.bytes_read_back += count * 8;
        Ok(visible)
    }
}

/// What is drawn with.
struct Brush<'a> {
    image: &'a Image,
    items: &'a [Item],
    cullide: &'a Cullide,
    vertices: &'a Buffer,
    triangles: &'a Buffer,
    /// For asking, and for filling.
    groups: [wgpu::BindGroup; 2],
}

impl Brush<'_> {
    /// From now on asks, or fills.
    fn set(&self, pass: &mut RenderPass, asks: bool) {
        let cullide = self.cullide;
        let (pipeline, group, half) = if asks {
            (&cullide.ask, &self.groups[0], &cullide.backs)
        } else {
            (&cullide.fill, &self.groups[1], &cullide.fronts)
        };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, group, &[]);
        let indices = if self.image.offset.is_some() { half.get() } else { self.triangles };
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
    }

    /// Draws some items of one body: those that follow each other at once.
    fn draw(&self, pass: &mut RenderPass, items: Range<usize>) {
        let member: &Member = &self.image.members[self.items[items.start].member as usize];
        let mut runs = self.items[items].iter().flat_map(|item| &item.triangles).peekable();
        while let Some(run) = runs.next() {
            let mut end = run.end;
            while let Some(next) = runs.next_if(|next| next.start == end) {
                end = next.end;
            }
            let [first, end] = [run.start, end].map(|triangle| member.first_triangle + triangle);
            if self.image.offset.is_some() {
                // Fits: the buffer of corners has fewer than 2^31 bytes.
                let base = (CORNERS * u64::from(first)) as i32;
                pass.draw_indexed(0..(end - first) * HALF as u32, base, 0..1);
            } else {
                pass.draw_indexed(3 * first..3 * end, 0, 0..1);
            }
        }
    }
}

/// Begins to draw.
fn begin<'a>(
    recorder: &'a mut Recorder,
    (view, load): (&TextureView, LoadOp<f32>),
    queries: Option<&wgpu::QuerySet>,
) -> RenderPass<'a> {
    let (encoder, timestamps) = recorder.pass();
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("cullide"),
        color_attachments: &[],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(Operations { load, store: StoreOp::Store }),
            stencil_ops: None,
        }),
        timestamp_writes: timestamps.map(writes),
        occlusion_query_set: queries,
        multiview_mask: None,
    })
}
