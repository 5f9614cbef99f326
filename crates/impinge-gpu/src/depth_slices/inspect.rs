//! What the last draw left on the device, for whoever compares it with the CPU's.

use super::{DepthSlices, Drawn};
use crate::error::GpuError;
use crate::recorder::Recorder;
use impinge::stages::overlap_cells::planes::{Bits, Plane};
use impinge::stages::overlap_cells::{Fill, Grid, Planes};
use impinge::{BodyId, Scene};

/// What the last draw of `impinge::Method::DepthSlices` left on the device.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceInspection {
    /// The bits.
    pub planes: Planes,
    /// The two bodies.
    pub bodies: [BodyId; 2],
    /// Their triangles as they were drawn last, in cells: where they stood, and where they went to, if they moved.
    pub triangles: [Vec<[[[f32; 3]; 3]; 2]>; 2],
    /// The cells.
    pub grid: Grid,
    /// By how many of them surfaces were widened.
    pub wide: [f32; 3],
    /// Which cells surfaces took.
    pub fill: Fill,
    /// Whether what is inside, and what is sure, was found out.
    pub proven: bool,
}

impl DepthSlices {
    /// Reads everything back.
    pub(crate) fn inspect(
        &self,
        recorder: &mut Recorder,
        scene: &Scene,
    ) -> Result<Option<SliceInspection>, GpuError> {
        let Some(Drawn { entry, grid, wide, fill, parties, vertices, swept, .. }) = &self.last else {
            return Ok(None);
        };
        let proven = entry.flags & super::PlotEntry::PROVEN != 0;
        let planes = if proven { 4 } else { 1 };
        let words = entry.words as usize;
        let bytes = 2 * planes * u64::from(entry.plane) * 4;
        let bits: Vec<Bits> = recorder.read(&[(self.bits.get(), bytes)], |bytes| {
            let word =
                |(k, word): (usize, &[u8])| Bits::from(bytemuck::pod_read_unaligned::<u32>(word)) << (32 * k);
            bytes
                .chunks_exact(4 * words)
                .map(|pixel| pixel.chunks_exact(4).enumerate().map(word).sum())
                .collect()
        })?;
        let mut next = bits.chunks_exact(entry.plane as usize / words).map(<[Bits]>::to_vec);
        let mut take = |wanted: bool| if wanted { next.next().unwrap_or_default() } else { Vec::new() };
        let mut plane =
            || Plane { touched: take(true), inside: take(proven), sure: take(proven), unknown: take(proven) };
        let planes = Planes { cells: entry.cells, planes: [plane(), plane()] };
        let twice = if *swept { 2 } else { 1 };
        let bytes = twice * u64::from(*vertices) * 16;
        let placed: Vec<[f32; 4]> = recorder.read(&[(self.placed.get(), bytes)], |bytes| {
            bytes.chunks_exact(16).map(bytemuck::pod_read_unaligned).collect()
        })?;
        let at = |vertex: u32| {
            let [x, y, z, _] = placed[vertex as usize];
            [x, y, z]
        };
        let to = if *swept { *vertices } else { 0 };
        let triangles = parties.map(|member| {
            let Some(body) = scene.body(member.id) else { return Vec::new() };
            let global = body.mesh().triangles().iter().map(|t| t.map(|vertex| vertex + member.first_vertex));
            global.map(|t| [t.map(at), t.map(|vertex| at(vertex + to))]).collect()
        });
        let bodies = parties.map(|member| member.id);
        Ok(Some(SliceInspection { planes, bodies, triangles, grid: *grid, wide: *wide, fill: *fill, proven }))
    }
}
