//! The results of the last draw, for comparison with the CPU's.

use super::{Drawn, OverlapCells};
use crate::device::{Recorder, read};
use crate::error::GpuError;
use impinge::stages::overlap_cells::planes::{Bits, Plane};
use impinge::stages::overlap_cells::{Fill, Grid, Planes};
use impinge::{BodyId, Scene};

/// The results of the last draw of `impinge::Method::DepthSlices`.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceInspection {
    /// The bits.
    pub planes: Planes,
    /// The two bodies.
    pub bodies: [BodyId; 2],
    /// Their triangles as they were drawn last, in cells: at the begin and at the end of the step.
    pub triangles: [Vec<[[[f32; 3]; 3]; 2]>; 2],
    /// The cells.
    pub grid: Grid,
    /// The widening of surfaces in cells.
    pub wide: [f32; 3],
    /// Which cells surfaces take.
    pub fill: Fill,
    /// Whether inside and certainty were determined.
    pub proven: bool,
}

impl OverlapCells {
    /// Reads everything back.
    pub(crate) fn inspect(
        &self,
        recorder: &mut Recorder,
        scene: &Scene,
    ) -> Result<Option<SliceInspection>, GpuError> {
        let Some(Drawn { entry, grid, wide, fill, members, vertices, swept, .. }) = &self.last else {
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
        let placed: Vec<[f32; 4]> = read(recorder, self.placed.get(), bytes)?;
        let at = |vertex: u32| {
            let [x, y, z, _] = placed[vertex as usize];
            [x, y, z]
        };
        let to = if *swept { *vertices } else { 0 };
        let triangles = members.map(|member| {
            let Some(body) = scene.body(member.id) else { return Vec::new() };
            let global = body.mesh().triangles().iter().map(|t| t.map(|vertex| vertex + member.first_vertex));
            global.map(|t| [t.map(at), t.map(|vertex| at(vertex + to))]).collect()
        });
        let bodies = members.map(|member| member.id);
        Ok(Some(SliceInspection { planes, bodies, triangles, grid: *grid, wide: *wide, fill: *fill, proven }))
    }
}
