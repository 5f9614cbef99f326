//! A patch made ready for testing: corner coordinates of its 64 triangles side by side as floats, and their boxes
//! as bytes. Made when a patch first meets another one, kept as long as its body does not move.

use super::PATCH;
use super::cut::Patches;
use super::place::Placement;
use crate::mesh::{Point, Positions};
use crate::object_space::lanes::{ByteBoxes, Kernel, Lanes};
use crate::tolerance::{FLOAT_ROUNDOFF, TINY};

/// Coordinates are `(world - origin) * unit`, rounded to floats. What every meeting reads comes first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct ActivePatch {
    /// The world point that the coordinates are relative to, times the unit.
    pub(crate) origin: Point,
    /// The box of all corners, not widened by `error`.
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
    /// Byte of a coordinate: `(x - base) * scale`, cut.
    pub(crate) base: [f32; 3],
    pub(crate) scale: [f32; 3],
    /// Upper bound on the size of one step of the byte boxes.
    pub(crate) step: f32,
    /// Upper bound on the extent of one triangle along an axis.
    pub(crate) extent: f32,
    /// Upper bound on any coordinate.
    pub(crate) reach: f32,
    /// Upper bound on the distance of a coordinate from the exact value.
    pub(crate) error: f32,
    /// Lanes that hold a triangle.
    pub(crate) present: u64,
    pub(crate) boxes: ByteBoxes,
    /// Corner, axis, triangle.
    pub(crate) corners: [[[f32; PATCH]; 3]; 3],
}

/// Reads the vertices of one patch.
pub(crate) struct Activate<'a> {
    pub(crate) at: Placement<'a>,
    pub(crate) patches: &'a Patches,
    pub(crate) patch: u32,
    /// Overwritten.
    pub(crate) active: &'a mut ActivePatch,
}

impl Kernel for Activate<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let patch = self.patch as usize;
        let vertices = self.patches.vertices_of(patch);
        let mut at = [[0.0f32; 256]; 3];
        let positions = self.at.body.mesh().positions();
        let (origin, exact) = match positions {
            Positions::F32(p) if self.at.identity => {
                let unit = self.at.unit as f32;
                for (i, &v) in vertices.iter().enumerate() {
                    let p = p[v as usize];
                    for axis in 0..3 {
                        at[axis][i] = p[axis] * unit;
                    }
                }
                ([0.0; 3], true)
            }
            _ => {
                // Scaled first, so that nothing overflows.
                let first = self.at.body.world_position(vertices[0] as usize).map(|x| x * self.at.unit);
                for (i, &v) in vertices.iter().enumerate() {
                    let p = self.at.body.world_position(v as usize);
                    for axis in 0..3 {
                        at[axis][i] = (p[axis] * self.at.unit - first[axis]) as f32;
                    }
                }
                (first, false)
            }
        };
        self.fill(lanes, &at, origin, exact);
    }
}

impl Activate<'_> {
    #[inline(always)]
    fn fill<L: Lanes>(self, lanes: L, at: &[[f32; 256]; 3], origin: Point, exact: bool) {
        let patch = self.patch as usize;
        let count = self.patches.triangles_of(patch).len();
        let ActivePatch { corners, boxes, .. } = &mut *self.active;
        for (corner, numbers) in self.patches.corners[patch].iter().enumerate() {
            for axis in 0..3 {
                for lane in 0..PATCH {
                    corners[corner][axis][lane] = at[axis][numbers[lane] as usize];
                }
            }
        }
        // Boxes of the triangles, eight at a time; then the box of all.
        let mut min = [0.0f32; 3];
        let mut max = [0.0f32; 3];
        let mut extent = lanes.splat(0.0);
        let mut low = [[lanes.splat(0.0); 8]; 3];
        let mut high = low;
        for axis in 0..3 {
            let (mut all_low, mut all_high) = (lanes.splat(f32::INFINITY), lanes.splat(f32::NEG_INFINITY));
            for block in 0..8 {
                let [a, b, c] =
                    [0, 1, 2].map(|corner| lanes.load(&corners[corner][axis].as_chunks::<8>().0[block]));
                let (l, h) = (lanes.min(lanes.min(a, b), c), lanes.max(lanes.max(a, b), c));
                low[axis][block] = l;
                high[axis][block] = h;
                all_low = lanes.min(all_low, l);
                all_high = lanes.max(all_high, h);
                extent = lanes.max(extent, lanes.sub(h, l));
            }
            min[axis] = lanes.store(all_low).into_iter().fold(f32::INFINITY, f32::min);
            max[axis] = lanes.store(all_high).into_iter().fold(f32::NEG_INFINITY, f32::max);
        }
        // An ulp more than computed: the subtraction above may have rounded down.
        let extent = lanes.store(extent).into_iter().fold(0.0, f32::max) * (1.0 + 4.0 * FLOAT_ROUNDOFF);
        let reach =
            [0, 1, 2].map(|axis| min[axis].abs().max(max[axis].abs())).into_iter().fold(0.0, f32::max);
        // Exact floats times a power of two lose nothing but to underflow. Otherwise the difference from the origin
        // is rounded once in f64 and once to f32: at most (1 + 2^-28) roundoffs of its size.
        let error = if exact { TINY } else { 1.01 * FLOAT_ROUNDOFF * reach + TINY };

        // A patch flat along an axis gets steps of a small part of its size there, so that what is beside it is
        // still told apart. The map is monotone under rounding, so overlapping intervals stay overlapping.
        let range = [0, 1, 2].map(|axis| max[axis] - min[axis] + 2.0 * error);
        let widest = range[0].max(range[1]).max(range[2]);
        let range = range.map(|r| r.max(widest * SMALLEST_RANGE).max(TINY));
        let scale = range.map(|r| 255.0 / r);
        let base = min.map(|x| x - error);
        let step = widest / 254.0 + TINY;
        let widen = lanes.splat(if exact { 0.0 } else { error });
        for axis in 0..3 {
            let (base, scale) = (lanes.splat(base[axis]), lanes.splat(scale[axis]));
            for block in 0..8 {
                let l = lanes.quantise(lanes.sub(low[axis][block], widen), base, scale);
                let h = lanes.quantise(lanes.add(high[axis][block], widen), base, scale);
                boxes.min[axis].as_chunks_mut::<8>().0[block] = l;
                boxes.max[axis].as_chunks_mut::<8>().0[block] = h;
            }
        }
        let active = self.active;
        active.present = if count == PATCH { u64::MAX } else { (1 << count) - 1 };
        (active.origin, active.min, active.max) = (origin, min, max);
        (active.base, active.scale, active.step) = (base, scale, step);
        (active.extent, active.reach, active.error) = (extent, reach, error);
    }
}

impl ActivePatch {
    /// Holds nothing yet.
    pub(crate) const BLANK: Self = Self {
        origin: [0.0; 3],
        min: [0.0; 3],
        max: [0.0; 3],
        base: [0.0; 3],
        scale: [0.0; 3],
        step: 0.0,
        extent: 0.0,
        reach: 0.0,
        error: 0.0,
        present: 0,
        boxes: ByteBoxes { min: [[0; PATCH]; 3], max: [[0; PATCH]; 3] },
        corners: [[[0.0; PATCH]; 3]; 3],
    };
}

/// Part of a patch's widest extent that a flat axis is given.
const SMALLEST_RANGE: f32 = 1.0 / 1024.0;
