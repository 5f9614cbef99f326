//! Render passes of the method: attachments, bind groups, surfaces.

use super::CastInput;
use crate::contacts::depth_peel::runs;
use crate::device::{Recorder, begin_pass, bind, depth_stencil};
use impinge::stages::gather::Member;
use wgpu::{Buffer, Color, LoadOp, RenderPass, RenderPipeline, TextureView};

/// Depth and stencil of a pass.
#[derive(Clone, Copy)]
pub(super) enum DepthStencil<'a> {
    /// Written, after these load operations.
    With(&'a TextureView, LoadOp<f32>, LoadOp<u32>),
    /// Tested only: they may be sampled too.
    Asks(&'a TextureView),
}

impl<'a> DepthStencil<'a> {
    /// Written, with their content loaded.
    pub(super) fn kept(view: &'a TextureView) -> Self {
        Self::With(view, LoadOp::Load, LoadOp::Load)
    }

    fn attachment(self) -> wgpu::RenderPassDepthStencilAttachment<'a> {
        match self {
            Self::With(view, depth, stencil) => depth_stencil(view, Some(depth), Some(stencil)),
            Self::Asks(view) => depth_stencil(view, None, None),
        }
    }
}

/// Begins a render pass.
pub(super) fn begin<'a>(
    recorder: &'a mut Recorder,
    colors: &[(&TextureView, LoadOp<Color>)],
    depth_stencil: DepthStencil,
    queries: Option<&wgpu::QuerySet>,
) -> RenderPass<'a> {
    begin_pass(recorder, "ray_cast", colors, Some(depth_stencil.attachment()), queries)
}

pub(super) fn group(
    recorder: &Recorder,
    pipeline: &RenderPipeline,
    buffers: &[(u32, &Buffer)],
    images: &[(u32, &TextureView)],
) -> wgpu::BindGroup {
    bind(&recorder.context, "ray_cast", &pipeline.get_bind_group_layout(0), buffers, images)
}

pub(super) fn set_surfaces(pass: &mut RenderPass, input: &CastInput) {
    pass.set_vertex_buffer(0, input.vertices.slice(..));
    pass.set_index_buffer(input.bodies.triangles.get().slice(..), wgpu::IndexFormat::Uint32);
}

/// Draws the surfaces of all active bodies.
pub(super) fn draw_surfaces(
    pass: &mut RenderPass,
    (pipeline, group): (&RenderPipeline, &wgpu::BindGroup),
    members: &[Member],
) {
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, group, &[]);
    for range in runs(members) {
        pass.draw_indexed(3 * range.start..3 * range.end, 0, 0..1);
    }
}
