//! Which items are fully visible, asked with occlusion queries: boxes of triangles from `offsets.wgsl`, drawn by the device's
//! own rasteriser (Govindaraju, Lin, Manocha: CULLIDE and FAR). What is asked, and what is made of the answers, is the CPU's
//! `impinge::stages::cullide::Culler`; the definition of the answers is its `Canvas`. 8 bytes are read back for each query.
//!
//! Halves of boxes are drawn by indices, not by the device's face culling: sides are turned so that none goes towards the
//! eye, so the same corners are in front in every box; half of the vertices are spared too, and no device has to say which
//! way a sliver faces.

use crate::bodies::Bodies;
use crate::device::{
    CachedImage, Context, Growable, Kernel, QUERIES_PER_SET, Queries, Recorder, RenderRecipe, Stage,
    begin_pass, bind, check_size, depth_stencil, module, render_pipeline, uniform,
};
use crate::error::GpuError;
use crate::image::Projector;
use crate::layout::OffsetEntry;
use crate::shaders;
use impinge::Scene;
use impinge::stages::cullide::offsets::{BACK, FRONT};
use impinge::stages::cullide::{Image, Item, Order, Visibility};
use impinge::stages::gather::{Member, totals};
use std::ops::Range;
use wgpu::{Buffer, BufferUsages, CompareFunction, LoadOp, RenderPass, RenderPipeline, TextureFormat};

/// Exact for floats, like the CPU's buffer.
const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Corners per box.
const CORNERS: u64 = 8;

/// Indices of half a box.
const HALF: usize = 18;

/// Pipelines and buffers of the method.
#[derive(Debug)]
pub(crate) struct Cullide {
    offsets: Kernel,
    /// The query: is anything as deep as, or deeper than, what was drawn?
    ask: RenderPipeline,
    /// The fill: keeps the nearest depth.
    fill: RenderPipeline,
    uniform: Buffer,
    corners: Growable,
    /// Indices of back faces and of front faces, box after box.
    backs: Growable,
    fronts: Growable,
    /// The number of boxes these are for.
    patterns: usize,
    depth: CachedImage,
    queries: Queries,
    pub(crate) bytes_read_back: usize,
}

impl Cullide {
    pub(crate) fn new(context: &Context) -> Self {
        let shader = module(context, "cullide", shaders::CANVAS);
        Self {
            offsets: Kernel::new(context, shaders::OFFSETS, "offsets", 64),
            ask: pipeline(context, &shader, CompareFunction::GreaterEqual, false),
            fill: pipeline(context, &shader, CompareFunction::LessEqual, true),
            uniform: uniform(context, "offset", size_of::<OffsetEntry>() as u64),
            corners: Growable::new("boxes of triangles", BufferUsages::VERTEX),
            backs: Growable::new("backs of boxes", BufferUsages::INDEX),
            fronts: Growable::new("fronts of boxes", BufferUsages::INDEX),
            patterns: 0,
            depth: CachedImage::new(DEPTH),
            queries: Queries::new(),
            bytes_read_back: 0,
        }
    }

    /// Discards everything.
    pub(crate) fn forget(&mut self) {
        [&mut self.corners, &mut self.backs, &mut self.fronts].into_iter().for_each(Growable::forget);
        self.patterns = 0;
        self.depth.forget();
        self.queries.forget();
    }

    /// Index buffers of the faces of `boxes` boxes: the same pattern for each, offset by its first corner.
    fn reserve_patterns(&mut self, context: &Context, boxes: usize) -> Result<(), GpuError> {
        if self.patterns >= boxes {
            return Ok(());
        }
        let boxes = boxes + boxes / 2;
        for (buffer, half) in [(&mut self.backs, BACK), (&mut self.fronts, FRONT)] {
            let pattern: Vec<u32> = half.as_flattened().iter().map(|corner| *corner as u32).collect();
            let all: Vec<u32> =
                (0..boxes as u32).flat_map(|k| pattern.iter().map(move |corner| 8 * k + corner)).collect();
            buffer.reserve(context, (all.len() * 4) as u64)?;
            context.queue.write_buffer(buffer.get(), 0, bytemuck::cast_slice(&all));
        }
        self.patterns = boxes;
        Ok(())
    }
}

/// Draws halves of boxes, or triangles; `keeps` writes depth.
fn pipeline(
    context: &Context,
    shader: &wgpu::ShaderModule,
    compare: CompareFunction,
    keeps: bool,
) -> RenderPipeline {
    let recipe = RenderRecipe {
        label: "cullide",
        module: shader,
        vertex: "corner",
        has_corners: true,
        fragment: None,
        targets: &[],
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(keeps),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
    };
    render_pipeline(context, recipe)
}

/// Answers the visibility queries of the CPU's algorithm.
pub(crate) struct OcclusionBackend<'a> {
    pub(crate) cullide: &'a mut Cullide,
    recorder: &'a mut Recorder,
    bodies: &'a Bodies,
    projector: &'a mut Projector,
}

impl<'a> OcclusionBackend<'a> {
    /// For one call; compiles the shaders on first use. `most` is the largest size of an image.
    pub(crate) fn new(
        cullide: &'a mut Option<Box<Cullide>>,
        recorder: &'a mut Recorder,
        bodies: &'a Bodies,
        projector: &'a mut Projector,
        most: [u32; 2],
    ) -> Result<Self, GpuError> {
        let cullide = cullide.get_or_insert_with(|| Box::new(Cullide::new(&recorder.context)));
        check_size(&recorder.context, most)?;
        // As large as any image of the call: views differ in shape, and each uses a part of it.
        cullide.depth.reserve(&recorder.context, most);
        cullide.bytes_read_back = 0;
        Ok(Self { cullide, recorder, bodies, projector })
    }

    /// Boxes of all triangles from the first to the last that is drawn.
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
        cullide.corners.reserve(&context, u64::from(totals(&image.members)[1]) * CORNERS * 16)?;
        let most = active().map(|member| member.triangles).max().unwrap_or(0);
        cullide.reserve_patterns(&context, most as usize)?;
        context.queue.write_buffer(&cullide.uniform, 0, bytemuck::bytes_of(&entry));
        let (_, screen) = self.projector.shown();
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

impl Visibility for OcclusionBackend<'_> {
    type Error = GpuError;

    fn look(&mut self, scene: &Scene, image: &Image, _: &[Item]) -> Result<(), GpuError> {
        let ranges = vec![[0.0; 2]; image.members.len()];
        let context = self.recorder.context.clone();
        self.bodies.place(&context, scene, (&image.members, &ranges), &image.view);
        self.recorder.stage(Stage::Project)?;
        self.projector.show(self.recorder, self.bodies, &image.members, &image.view)?;
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
        self.cullide.queries.reserve(self.recorder, count)?;
        self.recorder.stage(Stage::Sample)?;
        let cullide = &*self.cullide;
        let (frame, screen) = self.projector.shown();
        let view = cullide.depth.view().ok_or(GpuError::TooMany)?;
        let group = |pipeline: &RenderPipeline| {
            let layout = pipeline.get_bind_group_layout(0);
            bind(&self.recorder.context, "cullide", &layout, &[(0, frame)], &[])
        };
        let groups = [group(&cullide.ask), group(&cullide.fill)];
        let drawer = ItemDrawer {
            image,
            items,
            cullide,
            vertices: if image.offset.is_some() { cullide.corners.get() } else { screen },
            triangles: self.bodies.triangles.get(),
            groups,
        };
        // The item of every query.
        let mut queried: Vec<usize> = Vec::with_capacity(count);
        let mut bodies = order.bodies(items).into_iter().peekable();
        let mut load = LoadOp::Clear(1.0);
        // A body whose items did not all fit into one query set.
        let mut rest: Option<(Range<usize>, usize)> = None;
        while rest.is_some() || bodies.peek().is_some() {
            let (depth, queries) =
                (depth_stencil(view, Some(load), None), cullide.queries.set(queried.len()));
            let mut pass = begin_pass(self.recorder, "cullide", &[], Some(depth), queries);
            load = LoadOp::Load;
            pass.set_viewport(0.0, 0.0, image.view.width as f32, image.view.height as f32, 0.0, 1.0);
            pass.set_scissor_rect(0, 0, image.view.width, image.view.height);
            pass.set_vertex_buffer(0, drawer.vertices.slice(..));
            let end = (queried.len() / QUERIES_PER_SET + 1) * QUERIES_PER_SET;
            while let Some((body, from)) = rest.take().or_else(|| bodies.next().map(|b| (b.clone(), b.start)))
            {
                drawer.set(&mut pass, true);
                let mut next = from;
                while next < body.end && queried.len() < end {
                    if asked[next] {
                        pass.begin_occlusion_query((queried.len() % QUERIES_PER_SET) as u32);
                        drawer.draw(&mut pass, next..next + 1);
                        pass.end_occlusion_query();
                        queried.push(next);
                    }
                    next += 1;
                }
                if body.clone().skip(next - body.start).any(|k| asked[k]) {
                    rest = Some((body, next));
                    break;
                }
                drawer.set(&mut pass, false);
                drawer.draw(&mut pass, body);
                if queried.len() == end {
                    break;
                }
            }
        }
        let mut visible = vec![true; items.len()];
        if count > 0 {
            let drawn = cullide.queries.read(self.recorder, count)?;
            for (item, drawn) in queried.into_iter().zip(drawn) {
                visible[item] = drawn == 0;
            }
        } else {
            self.recorder.read(&[], |_| ())?;
        }
        self.cullide.bytes_read_back += count * 8;
        Ok(visible)
    }
}

/// Draws items with one of two pipelines.
struct ItemDrawer<'a> {
    image: &'a Image,
    items: &'a [Item],
    cullide: &'a Cullide,
    vertices: &'a Buffer,
    triangles: &'a Buffer,
    /// For queries, and for filling.
    groups: [wgpu::BindGroup; 2],
}

impl ItemDrawer<'_> {
    /// Switches to queries, or to filling.
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

    /// Draws some items of one body; consecutive ones in one call.
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
                // No overflow: the buffer of corners has fewer than 2^31 bytes.
                let base = (CORNERS * u64::from(first)) as i32;
                pass.draw_indexed(0..(end - first) * HALF as u32, base, 0..1);
            } else {
                pass.draw_indexed(3 * first..3 * end, 0, 0..1);
            }
        }
    }
}
