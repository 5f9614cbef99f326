//! Runs `upload.wgsl`: one external body from the caller's buffers.

use super::GpuBody;
use crate::device::{Context, Kernel, Recorder, write_uniform};
use crate::layout::UploadEntry;
use crate::shaders;
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

/// Vertices or triangles per thread.
const ITEMS_PER_THREAD: u32 = 16;

#[derive(Debug)]
pub(crate) struct UploadStage {
    vertices: Kernel,
    triangles: Kernel,
    /// One per body of a frame.
    uniforms: Vec<Buffer>,
    /// Bound in place of an optional buffer that a body does not have.
    nothing: Buffer,
}

impl UploadStage {
    pub(crate) fn new(context: &Context) -> Self {
        Self {
            vertices: Kernel::new(context, shaders::UPLOAD, "upload_vertices", 64),
            triangles: Kernel::new(context, shaders::UPLOAD, "upload_triangles", 64),
            uniforms: Vec::new(),
            nothing: context.device.create_buffer(&BufferDescriptor {
                label: Some("nothing"),
                size: 64,
                usage: BufferUsages::STORAGE,
                mapped_at_creation: false,
            }),
        }
    }

    pub(crate) fn forget(&mut self) {
        self.uniforms.clear();
    }

    /// `ours` are positions, triangles, tags, and results.
    pub(crate) fn record(
        &mut self,
        recorder: &mut Recorder,
        body: &GpuBody,
        upload: &UploadEntry,
        [positions, triangles, tags, results]: [&Buffer; 4],
    ) {
        let at = upload.slot as usize;
        write_uniform(&recorder.context, &mut self.uniforms, at, "upload", upload);
        let uniform = &self.uniforms[at];
        let vertices = [(0, uniform), (1, &body.positions), (5, positions), (8, results)];
        self.vertices.run(recorder, &vertices, body.vertices.div_ceil(ITEMS_PER_THREAD));
        let their = |buffer: &Option<(Buffer, u64)>| buffer.as_ref().map(|(buffer, _)| buffer.clone());
        let their_tags = their(&body.tags).unwrap_or_else(|| self.nothing.clone());
        let their_count = their(&body.live).unwrap_or_else(|| self.nothing.clone());
        let buffers = [
            (0, uniform),
            (2, &body.triangles),
            (3, &their_tags),
            (4, &their_count),
            (6, triangles),
            (7, tags),
            (8, results),
        ];
        self.triangles.run(recorder, &buffers, body.triangle_count.div_ceil(ITEMS_PER_THREAD));
    }
}
