//! What the last view left on the device, for whoever compares it with the CPU's.

use super::{ABuffer, Last, PER_THREAD};
use crate::bodies::Bodies;
use crate::error::GpuError;
use crate::recorder::Recorder;
use crate::stages::{read, screen_vertex};
use impinge::stages::ScreenVertex;
use impinge::stages::a_buffer::{Fragment, Fragments, Keeping, Part};
use std::ops::Range;
use wgpu::Buffer;

/// What the last view of `impinge::Method::ABuffer` left on the device.
#[derive(Clone, Debug, Default)]
pub struct KeptInspection {
    /// Rays across.
    pub width: u32,
    /// Rows that were looked at last: all that matter, or the last strip of them.
    pub rows: Range<u32>,
    /// Surfaces that so far apart may collide.
    pub near: f32,
    /// Vertices in the image.
    pub vertices: Vec<ScreenVertex>,
    /// Triangles over them.
    pub triangles: Vec<[u32; 3]>,
    /// Where surfaces of every body were kept.
    pub parts: Vec<Part>,
    /// What rays in those rows meet, sorted.
    pub fragments: Fragments,
    /// Pairs of triangles that the whole view has found.
    pub pairs: Vec<[u32; 2]>,
}

impl ABuffer {
    /// Reads everything back.
    pub(crate) fn inspect(
        &self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        (screen, vertices): (&Buffer, u32),
    ) -> Result<Option<KeptInspection>, GpuError> {
        let Some(last) = &self.last else { return Ok(None) };
        let pixels = last.entry.width * last.rows.len() as u32;
        let groups = pixels.div_ceil(PER_THREAD);
        let mut cells: Vec<u32> = read(recorder, self.cells.get(), u64::from(pixels + groups) * 4)?;
        for cell in &mut cells {
            *cell &= !IS_NEAR;
        }
        let words = if last.keeping == Keeping::Runs { 2 } else { 3 };
        let kept: Vec<u32> =
            read(recorder, self.fragments.get(), u64::from(last.fragments) * 4 * words as u64)?;
        let vertices: Vec<[f32; 4]> = read(recorder, screen, u64::from(vertices) * 16)?;
        Ok(Some(KeptInspection {
            width: last.entry.width,
            rows: last.rows.clone(),
            near: last.entry.near,
            vertices: vertices.into_iter().map(screen_vertex).collect(),
            triangles: read(recorder, bodies.triangles.get(), u64::from(last.entry.triangles) * 12)?,
            parts: last.parts.clone(),
            fragments: sorted(last, pixels, &cells, &kept),
            pairs: last.pairs.clone(),
        }))
    }
}

/// `IS_NEAR` of `pairs.wgsl`.
const IS_NEAR: u32 = 1 << 31;

/// What every ray meets, out of runs or lists.
fn sorted(last: &Last, pixels: u32, cells: &[u32], kept: &[u32]) -> Fragments {
    let words = if last.keeping == Keeping::Runs { 2 } else { 3 };
    let fragment = |at: u32| {
        let at = words * at as usize;
        Fragment { depth: f32::from_bits(kept[at]), surface: kept[at + 1] }
    };
    let mut all = Fragments { first: vec![0], fragments: Vec::new() };
    let mut begin = 0;
    for pixel in 0..pixels {
        let mut met: Vec<Fragment> = if last.keeping == Keeping::Runs {
            if pixel % PER_THREAD == 0 {
                begin = cells[(pixels + pixel / PER_THREAD) as usize];
            }
            let end = cells[pixel as usize];
            std::mem::replace(&mut begin, end)..end
        } else {
            0..0
        }
        .map(fragment)
        .collect();
        let mut node = if last.keeping == Keeping::Lists { cells[pixel as usize] } else { 0 };
        while node != 0 {
            met.push(fragment(node - 1));
            node = kept[words * (node as usize - 1) + 2];
        }
        met.sort_unstable_by(|p, q| p.depth.total_cmp(&q.depth).then(p.surface.cmp(&q.surface)));
        all.fragments.append(&mut met);
        all.first.push(all.fragments.len());
    }
    all
}
