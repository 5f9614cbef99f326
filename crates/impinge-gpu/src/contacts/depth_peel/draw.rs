//! Pipelines, images and passes shared by all draws.

use crate::device::{
    Context, Recorder, RenderRecipe, begin_pass, bind, depth_stencil, module, render_pipeline, write_uniform,
};
use crate::layout::PassEntry;
use crate::shaders;
use std::ops::Range;
use wgpu::{
    BlendComponent, BlendFactor, BlendOperation, Buffer, Color, ColorWrites, CompareFunction, LoadOp,
    RenderPass, RenderPipeline, StencilFaceState, StencilOperation, TextureFormat, TextureView,
};

/// Keys of rays: from the front and from the back.
pub(super) const KEYS: TextureFormat = TextureFormat::Rg32Float;
/// Number of fragments of rays.
pub(super) const COUNTS: TextureFormat = TextureFormat::Stencil8;
/// A pass needs an attachment: nothing is written.
pub(super) const UNUSED: TextureFormat = TextureFormat::R8Unorm;
pub(super) const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// The input of a draw.
#[derive(Clone, Copy)]
pub(super) struct Drawing<'a> {
    pub(crate) frame: &'a Buffer,
    pub(crate) vertices: &'a Buffer,
    pub(crate) triangles: &'a Buffer,
    /// Ranges of triangles.
    pub(crate) drawn: &'a [Range<u32>],
    /// Layers per draw: 1 or 2.
    pub(crate) sides: u32,
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

/// The attachments of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Keys, blended with a maximum; the stencil counts.
    CountedKeys,
    /// Keys, of rays whose stencil exceeds the reference.
    Keys,
    /// Buffers, written by this fragment shader.
    Buffers(&'static str),
    /// Depth alone.
    Depth,
}

impl Target {
    fn fragment(self) -> Option<&'static str> {
        match self {
            Self::CountedKeys => Some("count_and_blend"),
            Self::Keys => Some("blend"),
            Self::Buffers(entry) => Some(entry),
            Self::Depth => None,
        }
    }

    fn color(self) -> Option<wgpu::ColorTargetState> {
        let largest = BlendComponent {
            src_factor: BlendFactor::One,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Max,
        };
        let keys = wgpu::ColorTargetState {
            format: KEYS,
            blend: Some(wgpu::BlendState { color: largest, alpha: largest }),
            write_mask: ColorWrites::ALL,
        };
        let unused = wgpu::ColorTargetState { format: UNUSED, blend: None, write_mask: ColorWrites::empty() };
        match self {
            Self::CountedKeys | Self::Keys => Some(keys),
            Self::Buffers(_) => Some(unused),
            Self::Depth => None,
        }
    }

    fn depth_stencil(self) -> Option<wgpu::DepthStencilState> {
        let face = |compare, pass_op| StencilFaceState {
            compare,
            fail_op: StencilOperation::Keep,
            depth_fail_op: StencilOperation::Keep,
            pass_op,
        };
        let stencil = |face: StencilFaceState, write_mask| wgpu::DepthStencilState {
            format: COUNTS,
            depth_write_enabled: Some(false),
            depth_compare: Some(CompareFunction::Always),
            stencil: wgpu::StencilState { front: face, back: face, read_mask: 0xff, write_mask },
            bias: wgpu::DepthBiasState::default(),
        };
        match self {
            Self::CountedKeys => {
                Some(stencil(face(CompareFunction::Always, StencilOperation::IncrementClamp), 0xff))
            }
            // The reference is the left operand: it must be less than the count.
            Self::Keys => Some(stencil(face(CompareFunction::Less, StencilOperation::Keep), 0)),
            Self::Buffers(_) => None,
            Self::Depth => Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(CompareFunction::Less),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
        }
    }
}

/// Creates the pipelines of `peel.wgsl`.
pub(super) struct Pipelines<'a> {
    context: &'a Context,
    module: wgpu::ShaderModule,
}

impl<'a> Pipelines<'a> {
    pub(super) fn new(context: &'a Context) -> Self {
        Self { context, module: module(context, "depth_peel", shaders::PEEL) }
    }

    pub(super) fn make(&self, target: Target) -> RenderPipeline {
        let recipe = RenderRecipe {
            label: target.fragment().unwrap_or("plain"),
            module: &self.module,
            vertex: "corner",
            has_corners: true,
            fragment: target.fragment(),
            targets: &[target.color()],
            depth_stencil: target.depth_stencil(),
        };
        render_pipeline(self.context, recipe)
    }
}

/// Buffers and images, by binding number.
pub(super) type Bound<'a> = (&'a [(u32, &'a Buffer)], &'a [(u32, &'a TextureView)]);

/// The stencil of a draw: the image, the load operation (read-only without one), and the reference.
pub(super) type Stencil<'a> = (&'a TextureView, Option<LoadOp<u32>>, u32);

/// One draw; the frame is bound in addition to `bound`.
pub(super) fn render(
    recorder: &mut Recorder,
    pipeline: &RenderPipeline,
    drawing: &Drawing,
    (buffers, images): Bound,
    (target, load): (&TextureView, LoadOp<Color>),
    stencil: Option<Stencil>,
) {
    let buffers = [&[(0, drawing.frame)], buffers].concat();
    let group = bind(&recorder.context, "depth_peel", &pipeline.get_bind_group_layout(0), &buffers, images);
    let attached = stencil.map(|(view, load, _)| depth_stencil(view, None, load));
    let mut pass = begin_pass(recorder, "depth_peel", &[(target, load)], attached, None);
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, &group, &[]);
    if let Some((_, _, reference)) = stencil {
        pass.set_stencil_reference(reference);
    }
    drawing.draw(&mut pass);
}

/// One draw of depth alone.
pub(super) fn render_depth(
    recorder: &mut Recorder,
    pipeline: &RenderPipeline,
    drawing: &Drawing,
    depth: &TextureView,
) {
    let layout = pipeline.get_bind_group_layout(0);
    let group = bind(&recorder.context, "plain", &layout, &[(0, drawing.frame)], &[]);
    let depth = depth_stencil(depth, Some(LoadOp::Clear(1.0)), None);
    let mut pass = begin_pass(recorder, "plain", &[], Some(depth), None);
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, &group, &[]);
    drawing.draw(&mut pass);
}

/// The `Pass` uniforms of a view.
#[derive(Debug, Default)]
pub(super) struct Passes {
    last: PassEntry,
    buffers: Vec<Buffer>,
}

impl Passes {
    pub(super) fn forget(&mut self) {
        self.buffers.clear();
    }

    pub(super) fn begin(&mut self, context: &Context, base: u32) {
        self.last = PassEntry { number: 0, base_before: 0, base_after: base, padding: 0 };
        self.write(context);
    }

    pub(super) fn next(&mut self, context: &Context, base: u32) {
        let PassEntry { number, base_after, .. } = self.last;
        self.last = PassEntry { number: number + 1, base_before: base_after, base_after: base, padding: 0 };
        self.write(context);
    }

    pub(super) fn last(&self) -> &PassEntry {
        &self.last
    }

    pub(super) fn get(&self, pass: u32) -> &Buffer {
        &self.buffers[pass as usize]
    }

    fn write(&mut self, context: &Context) {
        write_uniform(context, &mut self.buffers, self.last.number as usize, "draw", &self.last);
    }
}
