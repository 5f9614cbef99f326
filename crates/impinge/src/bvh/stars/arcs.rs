//! Triangles around one vertex, when there are many of them and no certificate: which can share more than the vertex?
//!
//! Seen from the vertex a triangle is an arc of a great circle between the directions of its other two corners, and two
//! triangles share a point beside the vertex only if their arcs do. An arc stays within `1 - sqrt(1 - c^2 / 4) <= c^2 / 4`
//! of its chord, `c` long, so the box of the two directions, widened by that, holds it. Boxes are swept along x.

use crate::bvh::placement::Placement;

/// Fewer triangles are looked at pair by pair.
pub(crate) const MANY: usize = 64;
/// What directions may be off by, generously: each is computed in f64 and rounded to f32.
const SLACK: f32 = 1e-6;
/// Spokes shorter than this, in the body's unit, have no direction that can be trusted.
const SHORTEST: f64 = 1e-140;

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
            (length > SHORTEST).then(|| d.map(|x| (x / length) as f32))
        };
        self.0.clear();
        self.0.extend(triangles.enumerate().map(|(i, corners)| {
            let at = corners.iter().position(|&v| v == vertex).unwrap_or(0);
            let ends = (direction(corners[(at + 1) % 3]), direction(corners[(at + 2) % 3]));
            // Without a direction, anywhere.
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

    /// Every two whose boxes meet, the lower first.
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
