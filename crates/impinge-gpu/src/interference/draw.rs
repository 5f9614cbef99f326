//! Render passes of the method: attachments, bind groups, surfaces.

use super::CastInput;
use crate::contacts::depth_peel::runs;
use crate::device::{Recorder, bind, writes};
use impinge::stages::gather::Member;
use wgpu::{Buffer, Color, LoadOp, Operations, RenderPass, RenderPipeline, StoreOp, TextureView};

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
        let (view, load) = match self {
            Self::With(view, depth, stencil) => (view, Some((depth, stencil))),
            Self::Asks(view) => (view, None),
        };
        wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: load.map(|(load, _)| Operations { load, store: StoreOp::Store }),
            stencil_ops: load.map(|(_, load)| Operations { load, store: StoreOp::Store }),
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
    let mut attachments = Vec::with_capacity(colors.len());
    for &(view, load) in colors {
        let ops = Operations { load, store: StoreOp::Store };
        let attachment =
            wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops };
        attachments.push(Some(attachment));
    }
    let (encoder, timestamps) = recorder.pass();
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("ray_cast"),
        color_attachments: &attachments,
        depth_stencil_attachment: Some(depth_stencil.attachment()),
        timestamp_writes: timestamps.map(writes),
        occlusion_query_set: queries,
        multiview_mask: None,
    })
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
