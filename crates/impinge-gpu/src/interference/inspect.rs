//! The results of a cast, for comparison with its definition, and for pictures.

use super::{CastInput, RayCast};
use crate::device::{Recorder, Stage, read};
use crate::error::GpuError;
use crate::image::screen_vertex;
use impinge::stages::ScreenVertex;
use impinge::stages::gather::{Member, totals};
use impinge::stages::interference::count::{Crossing, Whose};
use impinge::stages::interference::edges::{Line, Metric, Outward, Side};
use impinge::stages::interference::marked::Marked;
use impinge::stages::interference::{Cast, Casting};

/// The first layer of the last view, drawn again: the result of every stage.
#[derive(Clone, Debug)]
pub struct CastInspection {
    /// Pixels across and down.
    pub pixels: [u32; 2],
    /// Whose surfaces count.
    pub whose: Whose,
    /// The displacement of edges.
    pub metric: Metric,
    /// The bodies.
    pub members: Vec<Member>,
    /// The depth range of each.
    pub ranges: Vec<[f32; 2]>,
    /// Vertices in the image.
    pub vertices: Vec<ScreenVertex>,
    /// Triangles over them.
    pub triangles: Vec<[u32; 3]>,
    /// Edges, each once.
    pub sides: Vec<Side>,
    /// The displacement of every vertex; empty if there is none.
    pub outward: Vec<Outward>,
    /// Lines of the edges.
    pub lines: Vec<Line>,
    /// For every layer, the line shown by every pixel, from 1; 0 for none.
    pub shown: Vec<Vec<u32>>,
    /// For every layer, front faces minus back faces before the edge.
    pub counts: Vec<Vec<i32>>,
    /// Pixels of the first layer whose count is not zero, sorted.
    pub marked: Vec<Marked>,
    /// All crossings of the rays to those.
    pub crossings: Vec<Crossing>,
}

impl RayCast {
    /// Draws a cast again and keeps the result of every stage, for `layers` layers.
    pub(crate) fn inspect(
        &mut self,
        recorder: &mut Recorder,
        input: &CastInput,
        casting: &mut Casting,
        layers: u32,
    ) -> Result<CastInspection, GpuError> {
        self.prepare(recorder, input, casting)?;
        let sides = casting.sides(input.options.identify).0.to_vec();
        let count = sides.len() as u32;
        let Cast { whose, members, metric } = input.cast.clone();
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
            self.show(recorder, input, count, layer);
            if whose == Whose::All {
                self.count(recorder, input);
            }
            self.count_some(recorder, input);
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
                inspection.marked = self.marked(recorder, input, casting, true)?.1;
                let crossings = &mut inspection.crossings;
                self.crossings(recorder, input, 0..self.pixels[1], &mut |list| crossings.append(list))?;
            }
        }
        let screen: Vec<[f32; 4]> = read(recorder, input.vertices, vertices * 16)?;
        inspection.vertices = screen.into_iter().map(screen_vertex).collect();
        inspection.triangles = read(recorder, input.bodies.triangles.get(), triangles * 12)?;
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

/// The centre line of a strip.
fn line([a, b, c, d]: &[[f32; 4]; 4]) -> Line {
    let middle = |p: &[f32; 4], q: &[f32; 4]| [0, 1, 2].map(|k| p[k] / 2.0 + q[k] / 2.0);
    let ends = [middle(a, b), middle(c, d)];
    let body = screen_vertex(*a).body;
    if a == d { Line::NONE } else { Line { ends, body } }
}

/// An integer stored as a 16-bit float.
fn whole(half: u16) -> i32 {
    let (exponent, fraction) = (i32::from(half >> 10 & 31), i32::from(half & 1023));
    // 1.fraction times two to the power of exponent - 15; counts are integers.
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
