//! The results of the last view, for comparison with the CPU's.

use super::DepthPeel;
use crate::bodies::Bodies;
use crate::device::{Recorder, read};
use crate::error::GpuError;
use crate::image::{Projector, screen_vertex};
use impinge::stages::ScreenVertex;
use impinge::stages::depth_peel::pack::PackedTriangle;
use impinge::stages::depth_peel::ray_mipmap::levels;

/// The results of the stages of a view: for comparison with their twins, and for pictures.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// Rays across.
    pub width: u32,
    /// Rays down.
    pub height: u32,
    /// The depth distance, in steps, within which open surfaces collide.
    pub near: u32,
    /// Passes done.
    pub passes: u32,
    /// Vertices in the image.
    pub vertices: Vec<ScreenVertex>,
    /// Triangles over them.
    pub triangles: Vec<[u32; 3]>,
    /// The keys of every ray after the first pass, see `shaders/depth_peel/shared/layers.wgsl`; empty after
    /// more passes.
    pub layers: Vec<[u32; 2]>,
    /// Fragments of every ray.
    pub counts: Vec<u32>,
    /// Collision rays, as `impinge::stages::depth_peel::Rays` has them.
    pub rays: Vec<u32>,
    /// The same, widened.
    pub wide: Vec<u32>,
    /// Boxes of ray bundles, level after level.
    pub boxes: Vec<[u32; 2]>,
    /// For every triangle, the rectangle that collision rays may pass.
    pub rectangles: Vec<Option<[f32; 4]>>,
    /// The triangles that were read back.
    pub packed: Vec<PackedTriangle>,
}

impl DepthPeel {
    /// The results of every stage of the last view.
    pub(crate) fn inspect(
        &mut self,
        recorder: &mut Recorder,
        (bodies, image): (&Bodies, &Projector),
    ) -> Result<Inspection, GpuError> {
        let frame = image.frame;
        let (layers, counts) = self.layers.inspect(recorder, frame.passes)?;
        let words = u64::from(frame.words * frame.height) * 4;
        let levels = levels(frame.width, frame.height);
        let boxes = levels.last().map_or(0, |last| u64::from(last.first + last.width * last.height)) * 8;
        let triangles = u64::from(frame.triangles);
        let screen = read(recorder, image.vertices.get(), u64::from(frame.vertices) * 16)?;
        let sparse: Vec<[f32; 4]> = read(recorder, self.sparse.get(), triangles * 16)?;
        let flags: Vec<u32> = read(recorder, self.flags.get(), triangles / 8)?;
        let is_there = |k: usize| flags[k / 32] >> (k % 32) & 1 == 1;
        Ok(Inspection {
            width: frame.width,
            height: frame.height,
            near: frame.near,
            passes: frame.passes,
            vertices: screen.into_iter().map(|v: [f32; 4]| screen_vertex(v)).collect(),
            triangles: read(recorder, bodies.triangles.get(), triangles * 12)?,
            layers,
            counts,
            rays: read(recorder, self.rays.get(), words)?,
            wide: read(recorder, self.wide.get(), words)?,
            boxes: read(recorder, self.boxes.get(), boxes)?,
            rectangles: sparse.into_iter().enumerate().map(|(k, r)| is_there(k).then_some(r)).collect(),
            packed: Vec::new(),
        })
    }
}
