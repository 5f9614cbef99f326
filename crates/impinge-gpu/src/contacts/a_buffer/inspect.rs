//! The results of the last view, for comparison with the CPU's.

use super::{ABuffer, Last, PIXELS_PER_THREAD};
use crate::bodies::Bodies;
use crate::device::{Recorder, read};
use crate::error::GpuError;
use crate::image::screen_vertex;
use impinge::stages::ScreenVertex;
use impinge::stages::a_buffer::{Fragment, Fragments, Keeping, RegionOfInterest};
use std::ops::Range;
use wgpu::Buffer;

/// The results of the last view of `impinge::Method::ABuffer`.
#[derive(Clone, Debug, Default)]
pub struct KeptInspection {
    /// Rays across.
    pub width: u32,
    /// The rows of the last strip.
    pub rows: Range<u32>,
    /// The depth distance within which surfaces may collide.
    pub near: f32,
    /// Vertices in the image.
    pub vertices: Vec<ScreenVertex>,
    /// Triangles over them.
    pub triangles: Vec<[u32; 3]>,
    /// Where fragments of every body were stored.
    pub regions: Vec<RegionOfInterest>,
    /// The fragments of the rays in those rows, sorted.
    pub fragments: Fragments,
    /// The pairs of triangles of the whole view.
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
        let groups = pixels.div_ceil(PIXELS_PER_THREAD);
        let mut cells: Vec<u32> = read(recorder, self.cells.get(), u64::from(pixels + groups) * 4)?;
        for cell in &mut cells {
            *cell &= !IS_NEAR;
        }
        let words = if last.keeping == Keeping::Runs { 2 } else { 3 };
        let nodes: Vec<u32> =
            read(recorder, self.fragments.get(), u64::from(last.fragments) * 4 * words as u64)?;
        let vertices: Vec<[f32; 4]> = read(recorder, screen, u64::from(vertices) * 16)?;
        Ok(Some(KeptInspection {
            width: last.entry.width,
            rows: last.rows.clone(),
            near: last.entry.near,
            vertices: vertices.into_iter().map(screen_vertex).collect(),
            triangles: read(recorder, bodies.triangles.get(), u64::from(last.entry.triangles) * 12)?,
            regions: last.regions.clone(),
            fragments: sorted(last, pixels, &cells, &nodes),
            pairs: last.pairs.clone(),
        }))
    }
}

/// `IS_NEAR` of `pairs.wgsl`.
const IS_NEAR: u32 = 1 << 31;

/// The sorted fragments of every ray, from runs or lists.
fn sorted(last: &Last, pixels: u32, cells: &[u32], nodes: &[u32]) -> Fragments {
    let words = if last.keeping == Keeping::Runs { 2 } else { 3 };
    let fragment = |at: u32| {
        let at = words * at as usize;
        Fragment { depth: f32::from_bits(nodes[at]), surface: nodes[at + 1] }
    };
    let mut all = Fragments { first: vec![0], fragments: Vec::new() };
    let mut begin = 0;
    for pixel in 0..pixels {
        let mut met: Vec<Fragment> = if last.keeping == Keeping::Runs {
            if pixel % PIXELS_PER_THREAD == 0 {
                begin = cells[(pixels + pixel / PIXELS_PER_THREAD) as usize];
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
            node = nodes[words * (node as usize - 1) + 2];
        }
        met.sort_unstable_by(|p, q| p.depth.total_cmp(&q.depth).then(p.surface.cmp(&q.surface)));
        all.fragments.append(&mut met);
        all.first.push(all.fragments.len());
    }
    all
}
