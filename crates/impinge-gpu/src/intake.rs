//! Runs `intake.wgsl`: one body from the caller's buffers to ours.

use crate::bodies::GpuBody;
use crate::device::Context;
use crate::kernel::Kernel;
use crate::layout::Intake;
use crate::recorder::Recorder;
use crate::shaders;
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

fn buffer(context: &Context, label: &str, size: u64, usage: BufferUsages) -> Buffer {
    let label = Some(label);
    context.device.create_buffer(&BufferDescriptor { label, size, usage, mapped_at_creation: false })
}

/// Vertices or triangles that one thread takes.
const PER_THREAD: u32 = 16;

#[derive(Debug)]
pub(crate) struct IntakeStage {
    vertices: Kernel,
    triangles: Kernel,
    /// One for every body of a frame.
    uniforms: Vec<Buffer>,
    /// Stands for a buffer that a body does not have.
    nothing: Buffer,
}

impl IntakeStage {
    pub(crate) fn new(context: &Context) -> Self {
        Self {
            vertices: Kernel::new(context, shaders::INTAKE, "take_vertices", 64),
            triangles: Kernel::new(context, shaders::INTAKE, "take_triangles", 64),
            uniforms: Vec::new(),
            nothing: buffer(context, "nothing", 64, BufferUsages::STORAGE),
        }
    }

    pub(crate) fn forget(&mut self) {
        self.uniforms.clear();
    }

    /// `ours` are positions, triangles, tags, and what was found.
    pub(crate) fn record(
        &mut self,
        recorder: &mut Recorder,
        body: &GpuBody,
        intake: &Intake,
        [positions, triangles, tags, found]: [&Buffer; 4],
    ) {
        let at = intake.place as usize;
        if at == self.uniforms.len() {
            let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
            self.uniforms.push(buffer(&recorder.context, "intake", size_of::<Intake>() as u64, usage));
        }
        let uniform = &self.uniforms[at];
        recorder.context.queue.write_buffer(uniform, 0, bytemuck::bytes_of(intake));
        let vertices = [(0, uniform), (1, &body.positions), (5, positions), (8, found)];
        self.vertices.run(recorder, &vertices, body.vertices.div_ceil(PER_THREAD));
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
            (8, found),
        ];
        self.triangles.run(recorder, &buffers, body.triangle_count.div_ceil(PER_THREAD));
    }
}
