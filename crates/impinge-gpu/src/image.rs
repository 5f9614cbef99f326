//! Vertices of bodies in the image of a view: `gather.wgsl`.

use crate::bodies::Bodies;
use crate::device::{Context, Growable, Kernel, Recorder, Stage, uniform};
use crate::error::GpuError;
use crate::layout::Frame;
use crate::shaders;
use impinge::stages::gather::{Member, totals};
use impinge::stages::{ScreenVertex, View};
use wgpu::{Buffer, BufferUsages};

/// Kernel and buffers of the stage, and the last view.
#[derive(Debug)]
pub(crate) struct Projector {
    kernel: Kernel,
    /// Holds `frame`.
    pub(crate) uniform: Buffer,
    pub(crate) vertices: Growable,
    pub(crate) frame: Frame,
}

impl Projector {
    pub(crate) fn new(context: &Context) -> Self {
        let usage = BufferUsages::COPY_SRC | BufferUsages::VERTEX;
        Self {
            kernel: Kernel::new(context, shaders::GATHER, "project", 256),
            uniform: uniform(context, "frame", size_of::<Frame>() as u64),
            vertices: Growable::new("vertices in the image", usage),
            frame: Frame::default(),
        }
    }

    /// Discards everything.
    pub(crate) fn forget(&mut self) {
        self.frame = Frame::default();
        self.vertices.forget();
    }

    /// Vertices from body coordinates to the image that `frame` describes.
    pub(crate) fn project(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        frame: Frame,
    ) -> Result<(), GpuError> {
        self.vertices.reserve(&recorder.context, u64::from(frame.vertices) * 16)?;
        self.frame = frame;
        self.write_frame(&recorder.context);
        recorder.restart(Stage::Project);
        let buffers = [
            (0, &self.uniform),
            (1, bodies.entries.get()),
            (2, bodies.positions.get()),
            (3, self.vertices.get()),
        ];
        self.kernel.run(recorder, &buffers, frame.vertices);
        Ok(())
    }

    /// The same for a view of a method without further parameters; returns the frame and the vertices.
    pub(crate) fn show(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        members: &[Member],
        view: &View,
    ) -> Result<(&Buffer, &Buffer), GpuError> {
        let [vertices, triangles] = totals(members);
        let frame = Frame {
            width: view.width,
            height: view.height,
            vertices,
            triangles,
            perspective: u32::from(view.away.is_some()),
            ..Frame::default()
        };
        self.project(recorder, bodies, frame)?;
        Ok(self.shown())
    }

    /// The frame and the vertices of the last view.
    pub(crate) fn shown(&self) -> (&Buffer, &Buffer) {
        (&self.uniform, self.vertices.get())
    }

    /// Uploads `frame` after a change.
    pub(crate) fn write_frame(&self, context: &Context) {
        context.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&self.frame));
    }
}

/// `OWNER_BODY` and `NOBODY` of `shared/frame.wgsl`.
const OWNER_BODY: u32 = 0x0fff_ffff;

pub(crate) fn screen_vertex([x, y, depth, owner]: [f32; 4]) -> ScreenVertex {
    let body = owner.to_bits() & OWNER_BODY;
    ScreenVertex { x, y, depth, body: if body == OWNER_BODY { u32::MAX } else { body } }
}
