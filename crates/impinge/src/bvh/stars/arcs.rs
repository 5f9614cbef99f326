//! Pairs around a vertex of many triangles and no certificate: which can share more than the vertex?
//!
//! Projected onto a sphere around the vertex, a triangle is an arc of a great circle between the directions of its
//! other two corners, and two triangles share a point other than the vertex only if their arcs do. An arc stays within
//! `1 - sqrt(1 - c^2 / 4) <= c^2 / 4` of its chord of length `c`, so the box of the two directions, widened by that,
//! contains it. Boxes are swept along x.

use crate::bvh::placement::Placement;

/// Up to this many triangles are compared pair by pair.
pub(crate) const MAX_PAIRWISE_TRIANGLES: usize = 64;
/// Generous bound on the error of directions: each is computed in f64 and rounded to f32.
const SLACK: f32 = 1e-6;
/// Shorter spokes, in the body's unit, have no reliable direction.
const MIN_SPOKE_LENGTH: f64 = 1e-140;

#[derive(Clone, Copy, Debug)]
struct Arc {
    min: [f32; 3],
    max: [f32; 3],
    triangle: u32,
}

/// The arcs around one vertex.
#[derive(Debug, Default)]
pub(crate) struct Arcs(Vec<Arc>);

impl Arcs {
    /// Overwrites these arcs.
    pub(crate) fn read(&mut self, at: Placement<'_>, vertex: u32, triangles: impl Iterator<Item = [u32; 3]>) {
        let scaled = |v: u32| at.body.world_position(v as usize).map(|x| x * at.unit);
        let middle = scaled(vertex);
        let direction = |v: u32| {
            let p = scaled(v);
            let d = [p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]];
            let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
            (length > MIN_SPOKE_LENGTH).then(|| d.map(|x| (x / length) as f32))
        };
        self.0.clear();
        self.0.extend(triangles.enumerate().map(|(i, corners)| {
            let at = corners.iter().position(|&v| v == vertex).unwrap_or(0);
            let ends = (direction(corners[(at + 1) % 3]), direction(corners[(at + 2) % 3]));
            // Without a direction the box is the whole sphere's.
            let (mut min, mut max) = ([-2.0f32; 3], [2.0f32; 3]);
            if let (Some(p), Some(q)) = ends {
                let chord = (0..3).map(|axis| (p[axis] - q[axis]) * (p[axis] - q[axis])).sum::<f32>();
                let wider = 0.2501 * chord + SLACK;
                min = [0, 1, 2].map(|axis| p[axis].min(q[axis]) - wider);
                max = [0, 1, 2].map(|axis| p[axis].max(q[axis]) + wider);
            }
            Arc { min, max, triangle: i as u32 }
        }));
    }

    /// Every pair whose boxes meet, the lower triangle first.
    pub(crate) fn for_each_meeting(&mut self, mut visit: impl FnMut(usize, usize)) {
        self.0.sort_unstable_by(|a, b| a.min[0].total_cmp(&b.min[0]).then(a.triangle.cmp(&b.triangle)));
        for (i, a) in self.0.iter().enumerate() {
            for b in self.0[i + 1..].iter().take_while(|b| b.min[0] <= a.max[0]) {
                if (1..3).all(|axis| a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis]) {
                    visit(a.triangle.min(b.triangle) as usize, a.triangle.max(b.triangle) as usize);
                }
            }
        }
    }
}
