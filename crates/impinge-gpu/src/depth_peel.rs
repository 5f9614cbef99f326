//! Draws with `depth_peel.wgsl` and asks `rays.wgsl`: from triangles to collision rays.
//!
//! What rays remember is kept in images, by blending, where the device can take the maximum of floats there; else in
//! buffers, by atomics. Both hold the same numbers. Software rasterisers are several times faster at the first.

use crate::buffers::Grown;
use crate::device::Context;
use crate::error::GpuError;
use crate::kernel::{Kernel, bind, module};
use crate::layout::PassEntry;
use crate::recorder::Recorder;
use crate::shaders;
use std::ops::Range;
use wgpu::{
    BlendComponent, BlendFactor, BlendOperation, Buffer, BufferUsages, Color, ColorWrites, Extent3d, LoadOp,
    Operations, RenderPass, RenderPipeline, StoreOp, TextureDescriptor, TextureFormat, TextureUsages,
    TextureView,
};

/// What is drawn into, and how what comes is put together with what is there.
#[derive(Clone, Copy, Debug)]
struct Image {
    format: TextureFormat,
    blend: Option<BlendOperation>,
}

/// How many fragments rays have.
const COUNTED: Image = Image { format: TextureFormat::R8Unorm, blend: Some(BlendOperation::Add) };
/// What rays remember.
const BLENDED: Image = Image { format: TextureFormat::Rg32Float, blend: Some(BlendOperation::Max) };
/// Nothing is drawn into it, but an image must have a size.
const UNUSED: Image = Image { format: TextureFormat::R8Unorm, blend: None };
const DEPTH: TextureFormat = TextureFormat::Depth32Float;
/// What every draw adds to its keys, and how often, before the image must be cleared: `LIMIT` of `shared/layers.wgsl`.
const BASE: u32 = 0x1040_0000;
const BASES: u32 = 7;
/// A count that may stand for more. Atomics count further.
const MOST_COUNTED: u32 = 255;
/// What is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Drawing<'a> {
    pub(crate) frame: &'a Buffer,
    pub(crate) vertices: &'a Buffer,
    pub(crate) triangles: &'a Buffer,
    /// Runs of triangles.
    pub(crate) drawn: &'a [Range<u32>],
}

impl Drawing<'_> {
    fn draw(&self, pass: &mut RenderPass) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.triangles.slice(..), wgpu::IndexFormat::Uint32);
        for range in self.drawn {
            pass.draw_indexed(3 * range.start..3 * range.end, 0, 0..1);
        }
    }
}

#[derive(Debug)]
pub(crate) struct DepthPeel {
    memory: Memory,
    plain: RenderPipeline,
    depth: Kept,
    passes: Passes,
    pixels: [u32; 2],
}

/// Where what rays remember is kept.
#[derive(Debug)]
enum Memory {
    Images(Box<Images>),
    Buffers(Box<Buffers>),
}

#[derive(Debug)]
struct Images {
    count_and_blend: RenderPipeline,
    blend: RenderPipeline,
    deepest: Kernel,
    classify: Kernel,
    counted: Kept,
    /// Before and after a draw, in turn.
    blended: [Kept; 2],
    /// How often each was drawn into since it was clear.
    draws: [u32; 2],
}

impl Images {
    /// The image that a draw goes into, what must be done with what it holds, and the base of its keys.
    fn next(&mut self, pass: u32) -> (LoadOp<Color>, u32) {
        let draws = &mut self.draws[pass as usize % 2];
        let load = if *draws == 0 { LoadOp::Clear(Color::TRANSPARENT) } else { LoadOp::Load };
        let base = *draws * BASE;
        *draws = (*draws + 1) % BASES;
        (load, base)
    }
}

#[derive(Debug)]
struct Buffers {
    count_and_peel: RenderPipeline,
    peel: RenderPipeline,
    deepest: Kernel,
    classify: Kernel,
    rings: [Grown; 2],
    counts: Grown,
    target: Kept,
}

impl DepthPeel {
    /// By blending where the device can, unless atomics are asked for.
    pub(crate) fn new(context: &Context, atomics: bool) -> Self {
        let pipelines = Pipelines { context, module: module(context, "depth_peel", shaders::DEPTH_PEEL) };
        let kernel = |entry| Kernel::new(context, shaders::RAYS, entry, 64);
        let blendable = context.device.features().contains(wgpu::Features::FLOAT32_BLENDABLE);
        let memory = if blendable && !atomics {
            Memory::Images(Box::new(Images {
                count_and_blend: pipelines.make(Some(("count_and_blend", &[BLENDED, COUNTED]))),
                blend: pipelines.make(Some(("blend", &[BLENDED]))),
                deepest: kernel("deepest_in_image"),
                classify: kernel("classify_image"),
                counted: Kept::new(COUNTED.format),
                blended: [Kept::new(BLENDED.format), Kept::new(BLENDED.format)],
                draws: [0; 2],
            }))
        } else {
            let ring = || Grown::new("layers of rays", BufferUsages::COPY_SRC);
            Memory::Buffers(Box::new(Buffers {
                count_and_peel: pipelines.make(Some(("count_and_peel", &[UNUSED]))),
                peel: pipelines.make(Some(("peel", &[UNUSED]))),
                deepest: kernel("deepest"),
                classify: kernel("classify"),
                rings: [ring(), ring()],
                counts: Grown::new("fragments of rays", BufferUsages::COPY_SRC),
                target: Kept::new(UNUSED.format),
            }))
        };
        Self {
            memory,
            plain: pipelines.make(None),
            depth: Kept::new(DEPTH),
            passes: Passes::default(),
            pixels: [0; 2],
        }
    }

    pub(crate) fn hold(&mut self, context: &Context, pixels: [u32; 2], rays: u64) -> Result<(), GpuError> {
        let limit = context.device.limits().max_texture_dimension_2d;
        if pixels.iter().any(|&n| n > limit) {
            return Err(GpuError::TooWide { width: pixels[0], height: pixels[1], limit });
        }
        self.pixels = pixels;
        match &mut self.memory {
            Memory::Images(images) => {
                images.counted.hold(context, pixels);
                for (image, draws) in images.blended.iter_mut().zip(&mut images.draws) {
                    if image.hold(context, pixels) {
                        *draws = 0;
                    }
                }
            }
            Memory::Buffers(buffers) => {
                for ring in &mut buffers.rings {
                    ring.hold(context, rays * 8)?;
                }
                buffers.counts.hold(context, rays * 4)?;
                buffers.target.hold(context, pixels);
            }
        }
        Ok(())
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
            Memory::Images(images) => {
                let (load, base) = images.next(0);
                self.passes.begin(&recorder.context, base);
                let (Some(counted), Some(first)) = (images.counted.view(), images.blended[0].view()) else {
                    return;
                };
                let targets = [(first, load), (counted, LoadOp::Clear(Color::TRANSPARENT))];
                render(recorder, &images.count_and_blend, drawing, &[(7, self.passes.get(0))], &[], &targets);
                let buffers = [(0, drawing.frame), (5, counters)];
                images.deepest.run_with_images(recorder, &buffers, &[(6, counted)], words);
            }
            Memory::Buffers(buffers) => {
                self.passes.begin(&recorder.context, 0);
                let Some(target) = buffers.target.view() else { return };
                for buffer in [&buffers.counts, &buffers.rings[0]] {
                    recorder.encoder().clear_buffer(buffer.get(), 0, None);
                }
                let bound = [(4, buffers.rings[0].get()), (5, buffers.counts.get())];
                let targets = [(target, LoadOp::Clear(Color::TRANSPARENT))];
                render(recorder, &buffers.count_and_peel, drawing, &bound, &[], &targets);
                let bound = [(0, drawing.frame), (2, buffers.counts.get()), (5, counters)];
                buffers.deepest.run(recorder, &bound, words);
            }
        }
    }

    /// What was drawn may not have arrived: images must be cleared before they are used again.
    pub(crate) fn forget(&mut self) {
        if let Memory::Images(images) = &mut self.memory {
            images.draws = [0; 2];
        }
    }

    /// Whether rays may have more fragments than could be counted. Then [`Self::count_further`] helps.
    pub(crate) fn is_overflowing(&self, deepest: u32) -> bool {
        matches!(self.memory, Memory::Images(_)) && deepest >= MOST_COUNTED
    }

    /// From now on, counts as far as 32 bits go.
    pub(crate) fn count_further(&mut self, context: &Context) {
        *self = Self::new(context, true);
    }

    /// Peels further layers, so that `passes` are done, and leaves the collision rays and their number.
    pub(crate) fn peel(
        &mut self,
        recorder: &mut Recorder,
        drawing: &Drawing,
        passes: u32,
        [rays, counters]: [&Buffer; 2],
        words: u32,
    ) {
        match &mut self.memory {
            Memory::Images(images) => {
                let last = passes.max(1) - 1;
                for pass in 1..passes {
                    let (load, base) = images.next(pass);
                    self.passes.next(&recorder.context, base);
                    let [before, after] =
                        [pass - 1, pass].map(|pass| images.blended[pass as usize % 2].view());
                    let (Some(before), Some(after)) = (before, after) else { return };
                    let number = [(7, self.passes.get(pass))];
                    render(recorder, &images.blend, drawing, &number, &[(6, before)], &[(after, load)]);
                }
                let views = images.counted.view().zip(images.blended[last as usize % 2].view());
                let Some((counted, blended)) = views else { return };
                let buffers = [(0, drawing.frame), (3, rays), (5, counters), (8, self.passes.get(last))];
                images.classify.run_with_images(recorder, &buffers, &[(6, counted), (7, blended)], words);
            }
            Memory::Buffers(buffers) => {
                let Some(target) = buffers.target.view() else { return };
                for pass in 1..passes {
                    self.passes.next(&recorder.context, 0);
                    let [before, after] = [(pass + 1) % 2, pass % 2].map(|k| buffers.rings[k as usize].get());
                    recorder.encoder().clear_buffer(after, 0, None);
                    let bound = [(3, before), (4, after), (7, self.passes.get(pass))];
                    let targets = [(target, LoadOp::Clear(Color::TRANSPARENT))];
                    render(recorder, &buffers.peel, drawing, &bound, &[], &targets);
                }
                let last = buffers.rings[(passes.max(1) as usize - 1) % 2].get();
                let counts = buffers.counts.get();
                let bound = [(0, drawing.frame), (1, last), (2, counts), (3, rays), (5, counters)];
                buffers.classify.run(recorder, &bound, words);
            }
        }
    }

    /// What rays remember after so many draws, from the front and from the back, and how many fragments they have.
    pub(crate) fn inspect(
        &self,
        recorder: &mut Recorder,
        passes: u32,
    ) -> Result<(Vec<[u32; 2]>, Vec<u32>), GpuError> {
        let last = passes.max(1) - 1;
        let rays = self.pixels[0] as usize * self.pixels[1] as usize;
        match &self.memory {
            Memory::Images(images) => {
                let zero = self.passes.last.base_after + 0x0080_0000;
                let keys = read_image(recorder, &images.blended[last as usize % 2], 8)?;
                let counts = read_image(recorder, &images.counted, 1)?;
                let stored = |bits: u32| bits.max(zero) - zero;
                let keys = keys.chunks_exact(8).map(|pair| {
                    let [front, rear]: [u32; 2] = bytemuck::pod_read_unaligned(pair);
                    [stored(front), stored(rear)]
                });
                Ok((keys.collect(), counts.into_iter().map(u32::from).collect()))
            }
            Memory::Buffers(buffers) => {
                let sources = [
                    (buffers.rings[last as usize % 2].get(), rays as u64 * 8),
                    (buffers.counts.get(), rays as u64 * 4),
                ];
                recorder.read(&sources, |bytes| {
                    let (keys, counts) = bytes.split_at(rays * 8);
                    let keys = keys.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
                    (keys, counts.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect())
                })
            }
        }
    }

    /// One plain render of depth alone, the yardstick of sampling.
    pub(crate) fn plain(&mut self, recorder: &mut Recorder, drawing: &Drawing) {
        self.depth.hold(&recorder.context, self.pixels);
        let Some(depth) = self.depth.view() else { return };
        let layout = self.plain.get_bind_group_layout(0);
        let group = bind(&recorder.context, "plain", &layout, &[(0, drawing.frame)], &[]);
        let (encoder, timestamps) = recorder.pass();
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("plain"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(Operations { load: LoadOp::Clear(1.0), store: StoreOp::Store }),
                stencil_ops: None,
            }),
            timestamp_writes: timestamps.map(writes),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&self.plain);
        pass.set_bind_group(0, &group, &[]);
        drawing.draw(&mut pass);
    }
}

/// One draw into images; the frame is bound beside what is given.
fn render(
    recorder: &mut Recorder,
    pipeline: &RenderPipeline,
    drawing: &Drawing,
    buffers: &[(u32, &Buffer)],
    images: &[(u32, &TextureView)],
    targets: &[(&TextureView, LoadOp<Color>)],
) {
    let buffers = [&[(0, drawing.frame)], buffers].concat();
    let group = bind(&recorder.context, "depth_peel", &pipeline.get_bind_group_layout(0), &buffers, images);
    let attachment = |(view, load)| {
        Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: Operations { load, store: StoreOp::Store },
        })
    };
    let attachments: Vec<_> = targets.iter().copied().map(attachment).collect();
    let (encoder, timestamps) = recorder.pass();
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("depth_peel"),
        color_attachments: &attachments,
        timestamp_writes: timestamps.map(writes),
        ..wgpu::RenderPassDescriptor::default()
    });
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, &group, &[]);
    drawing.draw(&mut pass);
}

/// The bytes of an image, row by row.
fn read_image(recorder: &mut Recorder, image: &Kept, bytes: u32) -> Result<Vec<u8>, GpuError> {
    let Some((pixels, view)) = &image.image else { return Ok(Vec::new()) };
    let row = (pixels[0] * bytes).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let size = u64::from(row) * u64::from(pixels[1]);
    let mut rows = Grown::new("an image", BufferUsages::COPY_SRC);
    rows.hold(&recorder.context, size)?;
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: rows.get(), layout };
    let extent = Extent3d { width: pixels[0], height: pixels[1], depth_or_array_layers: 1 };
    recorder.encoder().copy_texture_to_buffer(view.texture().as_image_copy(), to, extent);
    recorder.read(&[(rows.get(), size)], |all| {
        let rows = all.chunks_exact(row as usize);
        rows.flat_map(|row| &row[..(pixels[0] * bytes) as usize]).copied().collect()
    })
}

fn writes((query_set, begin): (&wgpu::QuerySet, u32)) -> wgpu::RenderPassTimestampWrites<'_> {
    wgpu::RenderPassTimestampWrites {
        query_set,
        beginning_of_pass_write_index: Some(begin),
        end_of_pass_write_index: Some(begin + 1),
    }
}

/// What the shader is told about every draw of a view.
#[derive(Debug, Default)]
struct Passes {
    last: PassEntry,
    buffers: Vec<Buffer>,
}

impl Passes {
    fn begin(&mut self, context: &Context, base: u32) {
        self.last = PassEntry { number: 0, base_before: 0, base_after: base, padding: 0 };
        self.write(context);
    }

    fn next(&mut self, context: &Context, base: u32) {
        let PassEntry { number, base_after, .. } = self.last;
        self.last = PassEntry { number: number + 1, base_before: base_after, base_after: base, padding: 0 };
        self.write(context);
    }

    fn get(&self, pass: u32) -> &Buffer {
        &self.buffers[pass as usize]
    }

    fn write(&mut self, context: &Context) {
        let at = self.last.number as usize;
        if at == self.buffers.len() {
            self.buffers.push(context.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("draw"),
                size: size_of::<PassEntry>() as u64,
                usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        context.queue.write_buffer(&self.buffers[at], 0, bytemuck::bytes_of(&self.last));
    }
}

struct Pipelines<'a> {
    context: &'a Context,
    module: wgpu::ShaderModule,
}

impl Pipelines<'_> {
    /// A fragment shader and what it draws into; depth alone without one.
    fn make(&self, fragment: Option<(&str, &[Image])>) -> RenderPipeline {
        let component = |operation| BlendComponent {
            src_factor: BlendFactor::One,
            dst_factor: BlendFactor::One,
            operation,
        };
        let target = |image: &Image| {
            Some(wgpu::ColorTargetState {
                format: image.format,
                blend: image.blend.map(|operation| wgpu::BlendState {
                    color: component(operation),
                    alpha: component(operation),
                }),
                write_mask: if image.blend.is_some() { ColorWrites::ALL } else { ColorWrites::empty() },
            })
        };
        let targets: Vec<_> = fragment.iter().flat_map(|(_, images)| images.iter().map(target)).collect();
        let options = wgpu::PipelineCompilationOptions::default;
        let attributes = wgpu::vertex_attr_array![0 => Float32x4];
        let vertices = wgpu::VertexBufferLayout {
            array_stride: 16,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        };
        self.context.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(fragment.map_or("plain", |(entry, _)| entry)),
            layout: None,
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some("corner"),
                compilation_options: options(),
                buffers: &[Some(vertices)],
            },
            // What faces the viewer turns left, as everywhere; no face is left out.
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: fragment.is_none().then(|| wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState::default(),
            fragment: fragment.map(|(entry, _)| wgpu::FragmentState {
                module: &self.module,
                entry_point: Some(entry),
                compilation_options: options(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// An image, kept while its size stays.
#[derive(Debug)]
struct Kept {
    format: TextureFormat,
    image: Option<([u32; 2], TextureView)>,
}

impl Kept {
    fn new(format: TextureFormat) -> Self {
        Self { format, image: None }
    }

    fn view(&self) -> Option<&TextureView> {
        self.image.as_ref().map(|(_, view)| view)
    }

    /// Makes it this large; `true` when it is a new one.
    fn hold(&mut self, context: &Context, pixels: [u32; 2]) -> bool {
        if self.image.as_ref().is_some_and(|(size, _)| *size == pixels) {
            return false;
        }
        let texture = context.device.create_texture(&TextureDescriptor {
            label: Some("image"),
            size: Extent3d { width: pixels[0], height: pixels[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.format,
            usage: TextureUsages::RENDER_ATTACHMENT
                | if self.format == DEPTH {
                    TextureUsages::empty()
                } else {
                    TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC
                },
            view_formats: &[],
        });
        self.image = Some((pixels, texture.create_view(&wgpu::TextureViewDescriptor::default())));
        true
    }
}
