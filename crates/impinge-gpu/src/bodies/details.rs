//! Runs `details.wgsl`: corners of triangles of external bodies, for the exact test on the CPU.

use super::Bodies;
use crate::device::{Context, Growable, Kernel, Recorder, read, uniform};
use crate::error::GpuError;
use crate::layout::{Details, Frame};
use crate::shaders;
use wgpu::{Buffer, BufferUsages};

#[derive(Debug)]
pub(super) struct DetailsStage {
    kernel: Kernel,
    uniform: Buffer,
    list: Growable,
    details: Growable,
}

impl DetailsStage {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            kernel: Kernel::new(context, shaders::DETAILS, "detail_listed", 64),
            uniform: uniform(context, "frame of details", size_of::<Frame>() as u64),
            list: Growable::new("list of triangles", BufferUsages::empty()),
            details: Growable::new("corners of triangles", BufferUsages::COPY_SRC),
        }
    }

    pub(super) fn forget(&mut self) {
        self.list.forget();
        self.details.forget();
    }
}

impl Bodies {
    /// What the exact test needs of some triangles of external bodies, by their numbers across all bodies;
    /// `first_external` is the first such triangle.
    pub(crate) fn details_of(
        &mut self,
        recorder: &mut Recorder,
        first_external: u32,
        triangles: &[u32],
    ) -> Result<Vec<Details>, GpuError> {
        let context = recorder.context.clone();
        let bytes = triangles.len() as u64 * size_of::<Details>() as u64;
        let stage = &mut self.details;
        stage.details.reserve(&context, bytes)?;
        let list: Vec<u32> = [triangles.len() as u32].iter().chain(triangles).copied().collect();
        stage.list.fill(&context, &list)?;
        let frame = Frame { external_word: first_external / 32, ..Frame::default() };
        context.queue.write_buffer(&stage.uniform, 0, bytemuck::bytes_of(&frame));
        let buffers = [
            (0, &stage.uniform),
            (1, self.entries.get()),
            (4, self.positions.get()),
            (5, self.triangles.get()),
            (6, self.tags.get()),
            (7, stage.details.get()),
            (8, stage.list.get()),
        ];
        stage.kernel.run(recorder, &buffers, triangles.len() as u32);
        read(recorder, stage.details.get(), bytes)
    }
}
