//! Colliders in the layout of the shader.

use super::tree::tree;
use crate::error::GpuError;
use crate::layout::particles::ColliderEntry;
use impinge::particles::{Clip, Collider, Constraint, Region, Response, Shape};

/// Corners of the polygons and bounds of one collider, at most: a thread tests all of them in one loop.
const MAX_BOUNDS: usize = 4096;

/// Largest coordinate, and largest inverse: squares and cubes of what is computed from these do not overflow.
pub(super) const MAX_COORDINATE: f64 = 1e9;

/// Stands for infinity, which shaders do not need.
const UNBOUNDED: f32 = 3.0e38;

/// Growth of boxes, relative to the largest coordinate: above the error of places of hits. 2^-20.
const OUTWARD: f64 = 1.0 / (1u32 << 20) as f64;

const RECTANGLE: u32 = 0;
const DISC: u32 = 1;
const POLYGON: u32 = 2;
const HALF_SPACE: u32 = 3;
const CLIP_BOX: u32 = 4;
const OUTSIDE: u32 = 256;

/// All colliders, and the rows of words that they refer to.
#[derive(Default)]
pub(super) struct Solids {
    pub(super) entries: Vec<ColliderEntry>,
    pub(super) numbers: Vec<[u32; 4]>,
}

pub(super) fn solids(colliders: &[Collider]) -> Result<Solids, GpuError> {
    let mut all = Solids::default();
    for collider in colliders {
        let entry = all.entry(collider)?;
        all.entries.push(entry);
    }
    Ok(all)
}

impl Solids {
    fn entry(&mut self, collider: &Collider) -> Result<ColliderEntry, GpuError> {
        let beyond = || GpuError::ColliderBeyondFloats { collider: collider.name().into() };
        let mut entry = ColliderEntry { first: self.numbers.len() as u32, ..ColliderEntry::default() };
        (entry.response, entry.restitution, entry.friction) = match *collider.response() {
            Response::Eliminate => (0, 0.0, 0.0),
            Response::Stick => (1, 0.0, 0.0),
            Response::Bounce { restitution, friction } => (2, restitution as f32, friction as f32),
        };
        entry.low = [-UNBOUNDED; 3];
        entry.high = [UNBOUNDED; 3];
        let mut magnitude = 0.0f64;
        if let Some(bounds) = collider.bounds() {
            magnitude = bounds.min.iter().chain(&bounds.max).fold(0.0, |most: f64, c| most.max(c.abs()));
            let slack = OUTWARD * magnitude;
            entry.low = bounds.min.map(|c| ((c - slack) as f32).next_down());
            entry.high = bounds.max.map(|c| ((c + slack) as f32).next_up());
        }
        if let Some(from_world) = collider.from_world() {
            let rows: [[f32; 4]; 3] = std::array::from_fn(|k| {
                let [x, y, z] = from_world.linear[k];
                [x, y, z, from_world.origin[k]].map(|c| c as f32)
            });
            [entry.row_x, entry.row_y, entry.row_z] = rows;
            let numbers = from_world.linear.iter().flatten().chain(&from_world.origin);
            magnitude = numbers.fold(magnitude, |most, c| most.max(c.abs()));
        }
        if magnitude > MAX_COORDINATE {
            return Err(beyond());
        }
        match collider.shape() {
            Shape::Plane(constraints) => {
                entry.count = constraints.len() as u32;
                self.bounds(collider, constraints.len(), constraints.iter().map(constraint_rows))?;
            }
            Shape::Quadric { matrix, clips, .. } => {
                entry.kind = 1;
                entry.count = clips.len() as u32;
                self.bounds(collider, clips.len(), clips.iter().map(clip_rows))?;
                // Scaled so that entries are about 1: any multiple is the same surface.
                let largest = |rows: usize| {
                    matrix[..rows]
                        .iter()
                        .flat_map(|row| &row[..3])
                        .fold(0.0, |most: f64, c| most.max(c.abs()))
                };
                let scale = if largest(3) > 0.0 { largest(3) } else { largest(4) };
                let row = |k: usize| matrix[k].map(|c| (c / scale) as f32);
                [entry.quadric_x, entry.quadric_y, entry.quadric_z] = [row(0), row(1), row(2)];
                entry.constant = row(3)[3];
                let rows = [entry.quadric_x, entry.quadric_y, entry.quadric_z, [entry.constant; 4]];
                if rows.iter().flatten().any(|c| f64::from(c.abs()) > MAX_COORDINATE * MAX_COORDINATE) {
                    return Err(beyond());
                }
            }
            Shape::Box { half } => {
                entry.kind = 2;
                let [x, y, z] = half.map(|c| c as f32);
                entry.quadric_x = [x, y, z, 0.0];
            }
            Shape::Mesh(mesh) => {
                entry.kind = 3;
                let pose = collider.pose();
                let corners: Vec<[[f32; 3]; 3]> = (0..mesh.triangles().len())
                    .map(|t| mesh.corners(t).map(|p| pose.apply(p).map(|c| c as f32)))
                    .collect();
                if corners.len() >= 1 << 28 {
                    return Err(GpuError::TooMany);
                }
                let tree = tree(&corners);
                entry.count = (tree.nodes.len() / 2) as u32;
                self.numbers.extend(tree.nodes);
                entry.triangles = self.numbers.len() as u32;
                self.numbers.extend(tree.triangles);
            }
        }
        Ok(entry)
    }

    /// Bounds one after the other: a header row with kind, number of corners and row count; then its numbers.
    fn bounds(
        &mut self,
        collider: &Collider,
        count: usize,
        bounds: impl Iterator<Item = (u32, usize, Vec<[f32; 4]>)>,
    ) -> Result<(), GpuError> {
        let mut all = count;
        for (kind, corners, rows) in bounds {
            all += corners;
            self.numbers.push([kind, corners as u32, rows.len() as u32 + 1, 0]);
            self.numbers.extend(rows.iter().map(|row| row.map(|c| c.clamp(-UNBOUNDED, UNBOUNDED).to_bits())));
        }
        if all > MAX_BOUNDS {
            let collider = collider.name().into();
            return Err(GpuError::TooManyBounds { collider, bounds: all, most: MAX_BOUNDS });
        }
        Ok(())
    }
}

fn constraint_rows(constraint: &Constraint) -> (u32, usize, Vec<[f32; 4]>) {
    let (outside, region) = match constraint {
        Constraint::Inside(region) => (0, region),
        Constraint::Outside(region) => (OUTSIDE, region),
    };
    match region {
        Region::Rectangle { min, max } => {
            (outside + RECTANGLE, 0, vec![[min[0], min[1], max[0], max[1]].map(|c| c as f32)])
        }
        Region::Disc { centre, radius } => {
            (outside + DISC, 0, vec![[centre[0], centre[1], *radius, 0.0].map(|c| c as f32)])
        }
        Region::Polygon(corners) => {
            let float = |c: Option<&[f64; 2]>| c.map_or([0.0; 2], |c| c.map(|c| c as f32));
            let rows = corners.chunks(2).map(|two| {
                let [[a, b], [c, d]] = [float(two.first()), float(two.get(1))];
                [a, b, c, d]
            });
            (outside + POLYGON, corners.len(), rows.collect())
        }
    }
}

fn clip_rows(clip: &Clip) -> (u32, usize, Vec<[f32; 4]>) {
    match *clip {
        Clip::HalfSpace { normal: [x, y, z], offset } => {
            (HALF_SPACE, 0, vec![[x, y, z, offset].map(|c| c as f32)])
        }
        Clip::Box { min, max } => {
            let row = |[x, y, z]: [f64; 3]| [x, y, z, 0.0].map(|c| c as f32);
            (CLIP_BOX, 0, vec![row(min), row(max)])
        }
    }
}
