//! What a cast left on the device: for comparing with its definition, and for looking at.

use super::{Given, RayCast};
use crate::error::GpuError;
use crate::recorder::{Recorder, Stage};
use crate::stages::{read, screen_vertex};
use impinge::stages::ScreenVertex;
use impinge::stages::gather::{Member, totals};
use impinge::stages::interference::count::{Crossing, Marked, Whose};
use impinge::stages::interference::edges::{Line, Metric, Outward, Side};
use impinge::stages::interference::{Cast, RayCaster};

/// The first layer of the last view, drawn again: what every stage gives.
#[derive(Clone, Debug)]
pub struct CastInspection {
    /// Pixels across and down.
    pub pixels: [u32; 2],
    /// Whose surfaces count.
    pub whose: Whose,
    /// How far edges stand off.
    pub metric: Metric,
    /// The bodies.
    pub members: Vec<Member>,
    /// From where to where each of them reaches along the rays.
    pub ranges: Vec<[f32; 2]>,
    /// Vertices in the image.
    pub vertices: Vec<ScreenVertex>,
    /// Triangles over them.
    pub triangles: Vec<[u32; 3]>,
    /// Edges, each once.
    pub sides: Vec<Side>,
    /// Which way every vertex is moved; empty when none is.
    pub outward: Vec<Outward>,
    /// Lines of the edges.
    pub lines: Vec<Line>,
    /// For every layer, the line that every pixel shows, from 1; 0 for none.
    pub shown: Vec<Vec<u32>>,
    /// For every layer, front faces less back faces before it.
    pub counts: Vec<Vec<i32>>,
    /// Pixels of the first layer whose count is not zero, sorted.
    pub marked: Vec<Marked>,
    /// Everything that rays to those meet.
    pub crossings: Vec<Crossing>,
}

impl RayCast {
    /// Draws a cast again and keeps what every stage gives, in so many layers.
    pub(crate) fn inspect(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        caster: &mut RayCaster,
        layers: u32,
    ) -> Result<CastInspection, GpuError> {
        self.prepare(recorder, given, caster)?;
        let sides = caster.sides(given.options.identify).0.to_vec();
        let count = sides.len() as u32;
        let Cast { whose, members, metric } = given.cast.clone();
        let [vertices, triangles] = totals(&members).map(u64::from);
        let mut inspection = CastInspection {
            pixels: self.pixels,
            whose,
            metric,
            members,
            ranges: Vec::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
            sides,
            outward: Vec::new(),
            lines: Vec::new(),
            shown: Vec::new(),
            counts: Vec::new(),
            marked: Vec::new(),
            crossings: Vec::new(),
        };
        recorder.restart(Stage::Sample);
        for layer in 0..layers {
            self.show(recorder, given, count, layer);
            if whose == Whose::All {
                self.count(recorder, given);
            }
            self.count_some(recorder, given);
            let numbers = self.lines.read_layer(recorder, self.layer, 4)?;
            let numbers = numbers.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>);
            inspection.shown.push(numbers.collect());
            // The thesis' algorithms count in the stencil.
            inspection.counts.push(if whose == Whose::All {
                let stencil = self.depth_stencil.read(recorder, 1)?;
                stencil.iter().map(|&stencil| i32::from(stencil) - super::ZERO_COUNT as i32).collect()
            } else {
                let counts = self.counts.read(recorder, 4)?;
                let halves = counts.chunks_exact(4).map(bytemuck::pod_read_unaligned::<[u16; 2]>);
                halves.map(|[closed, open]| whole(closed) + whole(open)).collect()
            });
            if layer == 0 {
                inspection.marked = self.marked(recorder, given, caster, true)?.1;
                let crossings = &mut inspection.crossings;
                self.crossings(recorder, given, 0..self.pixels[1], &mut |list| crossings.append(list))?;
            }
        }
        let screen: Vec<[f32; 4]> = read(recorder, given.vertices, vertices * 16)?;
        inspection.vertices = screen.into_iter().map(screen_vertex).collect();
        inspection.triangles = read(recorder, given.bodies.triangles.get(), triangles * 12)?;
        if metric.moves() {
            let outward: Vec<[i32; 4]> = read(recorder, self.outward.get(), vertices * 16)?;
            let outward =
                outward.into_iter().map(|[x, y, z, sharpness]| Outward { normal: [x, y, z], sharpness });
            inspection.outward = outward.collect();
        }
        // Corners of the last batch; scenes that are compared have one.
        let corners: Vec<[[f32; 4]; 4]> =
            read(recorder, self.corners.get(), u64::from(count.min(self.batch)) * super::LINE_BYTES)?;
        inspection.lines = corners.iter().map(line).collect();
        Ok(inspection)
    }
}

/// The line in the middle of a strip.
fn line([a, b, c, d]: &[[f32; 4]; 4]) -> Line {
    let middle = |p: &[f32; 4], q: &[f32; 4]| [0, 1, 2].map(|k| p[k] / 2.0 + q[k] / 2.0);
    let ends = [middle(a, b), middle(c, d)];
    let body = screen_vertex(*a).body;
    if a == d { Line::NONE } else { Line { ends, body } }
}

/// A whole number that a 16-bit float holds.
fn whole(half: u16) -> i32 {
    let (exponent, fraction) = (i32::from(half >> 10 & 31), i32::from(half & 1023));
    // 1.fraction times two to the exponent less 15; nothing below 1 is counted.
    let size = if exponent < 15 { 0 } else { (fraction | 1024) << (exponent - 15) >> 10 };
    if half >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    #[test]
    fn whole_numbers_come_back_from_half_floats() {
        for (half, expected) in
            [(0, 0), (0x3c00, 1), (0xbc00, -1), (0x4000, 2), (0x4200, 3), (0xc500, -5), (0x6800, 2048)]
        {
            assert_eq!(super::whole(half), expected, "{half:x}");
        }
    }
}
