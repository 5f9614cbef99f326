//! Render pipelines and passes: corners of triangles as four floats each, everything that is drawn is stored.

use super::recorder::writes;
use super::{Context, Recorder};
use wgpu::{
    Color, ColorTargetState, DepthStencilState, LoadOp, Operations, QuerySet, RenderPass,
    RenderPassColorAttachment, RenderPassDepthStencilAttachment, RenderPipeline, ShaderModule, StoreOp,
    TextureView,
};

/// What pipelines differ in.
pub(crate) struct RenderRecipe<'a> {
    pub(crate) label: &'a str,
    pub(crate) module: &'a ShaderModule,
    pub(crate) vertex: &'a str,
    /// Whether the vertex shader is given corners.
    pub(crate) has_corners: bool,
    pub(crate) fragment: Option<&'a str>,
    pub(crate) targets: &'a [Option<ColorTargetState>],
    pub(crate) depth_stencil: Option<DepthStencilState>,
}

/// Counter-clockwise is front, as everywhere; no culling.
pub(crate) fn render_pipeline(context: &Context, recipe: RenderRecipe) -> RenderPipeline {
    let RenderRecipe { label, module, vertex, has_corners, fragment, targets, depth_stencil } = recipe;
    let attributes = wgpu::vertex_attr_array![0 => Float32x4];
    let corners = [Some(wgpu::VertexBufferLayout {
        array_stride: 16,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &attributes,
    })];
    context.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: None,
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: if has_corners { &corners } else { &[] },
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil,
        multisample: wgpu::MultisampleState::default(),
        fragment: fragment.map(|entry| wgpu::FragmentState {
            module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// The depth and the stencil of a pass; what is not loaded is only asked.
pub(crate) fn depth_stencil(
    view: &TextureView,
    depth: Option<LoadOp<f32>>,
    stencil: Option<LoadOp<u32>>,
) -> RenderPassDepthStencilAttachment<'_> {
    RenderPassDepthStencilAttachment {
        view,
        depth_ops: depth.map(|load| Operations { load, store: StoreOp::Store }),
        stencil_ops: stencil.map(|load| Operations { load, store: StoreOp::Store }),
    }
}

/// Begins a pass.
pub(crate) fn begin_pass<'a>(
    recorder: &'a mut Recorder,
    label: &str,
    colors: &[(&TextureView, LoadOp<Color>)],
    depth_stencil: Option<RenderPassDepthStencilAttachment>,
    queries: Option<&QuerySet>,
) -> RenderPass<'a> {
    let attachment = |&(view, load)| {
        let ops = Operations { load, store: StoreOp::Store };
        Some(RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
    };
    let colors: Vec<_> = colors.iter().map(attachment).collect();
    let (encoder, timestamps) = recorder.pass();
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &colors,
        depth_stencil_attachment: depth_stencil,
        timestamp_writes: timestamps.map(writes),
        occlusion_query_set: queries,
        multiview_mask: None,
    })
}
