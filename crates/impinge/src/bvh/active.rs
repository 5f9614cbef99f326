//! An active patch, ready for testing: corner coordinates of its 64 triangles as floats, side by side, and their boxes
//! as bytes. Read when the patch is first in a pair, valid until its body moves.

use super::PATCH;
use super::cut::Patches;
use super::placement::Placement;
use crate::scene::Pose;
use crate::scene::{Point, Positions};
use crate::simd::wide3 as wide;
use crate::simd::{ByteBoxes, Kernel, Lanes};
use crate::util::tolerance::{FLOAT_ROUNDOFF, TINY};

/// Coordinates are `(p - origin) * unit`, rounded to floats, with `p` in the world or, for a rigid body, in the body's
/// frame. What every patch pair reads comes first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct ActivePatch {
    /// The origin of the coordinates, times the unit.
    pub(crate) origin: Point,
    /// The bounding box of all corners, not widened by `error`.
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
    /// A coordinate as a byte: `(x - base) * scale`, truncated.
    pub(crate) base: [f32; 3],
    pub(crate) scale: [f32; 3],
    /// Upper bound on one step of the byte boxes.
    pub(crate) step: f32,
    /// Upper bound on the extent of one triangle along an axis.
    pub(crate) extent: f32,
    /// Upper bound on the absolute value of any coordinate.
    pub(crate) reach: f32,
    /// Upper bound on the error of a coordinate.
    pub(crate) error: f32,
    /// Coordinates are exact, and relative to the world's origin.
    pub(crate) exact: bool,
    /// They are, to the last bit: none was rounded by underflow when it was scaled.
    pub(crate) lossless: bool,
    /// The lanes that hold a triangle.
    pub(crate) present: u64,
    /// By axis, the lanes whose three corners have the same stored coordinate.
    pub(crate) flat: [u64; 3],
    pub(crate) boxes: ByteBoxes,
    /// By corner, axis, lane.
    pub(crate) corners: [[[f32; PATCH]; 3]; 3],
}

/// Reads the vertices of one patch into an active patch.
pub(crate) struct Activate<'a> {
    pub(crate) at: Placement<'a>,
    pub(crate) patches: &'a Patches,
    pub(crate) patch: u32,
    /// The centre of its box; in the body's frame, and used only if coordinates are read there.
    pub(crate) middle: Point,
    /// Scratch space.
    pub(crate) vertices: &'a mut Vertices,
    /// Overwritten.
    pub(crate) active: &'a mut ActivePatch,
}

/// Scratch space for the vertices of one patch: up to 192 (a byte numbers them), four floats each.
#[derive(Debug)]
pub(crate) struct Vertices(Box<[[f32; 4]; 256]>);

impl Default for Vertices {
    fn default() -> Self {
        Self(Box::new([[0.0; 4]; 256]))
    }
}

impl Kernel for Activate<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let patch = self.patch as usize;
        let vertices = self.patches.vertices_of(patch);
        let Placement { body, unit, .. } = self.at;
        let into = &mut *self.vertices.0;
        // The smallest that a coordinate other than zero was scaled to.
        let mut smallest = 1.0f32;
        let mut note = |p: [f32; 3], scaled: [f32; 3]| {
            for axis in 0..3 {
                let size = if p[axis] == 0.0 { 1.0 } else { scaled[axis].abs() };
                smallest = if size < smallest { size } else { smallest };
            }
        };
        let (origin, exact) = if let Some((p, unit)) = self.at.exact() {
            for (at, &v) in into.iter_mut().zip(vertices) {
                let p = p[v as usize];
                let scaled = [p[0] * unit, p[1] * unit, p[2] * unit];
                note(p, scaled);
                *at = [scaled[0], scaled[1], scaled[2], 0.0];
            }
            ([0.0; 3], true)
        } else if let Some(unit) = self.at.exact_when_moved() {
            for (at, &v) in into.iter_mut().zip(vertices) {
                let p = body.world_position(v as usize).map(|x| x as f32);
                let scaled = [p[0] * unit, p[1] * unit, p[2] * unit];
                note(p, scaled);
                *at = [scaled[0], scaled[1], scaled[2], 0.0];
            }
            ([0.0; 3], true)
        } else {
            let place = Columns::new(self.at.pose(), unit);
            // For `f64` vertices the centre of a box of floats may be far from every vertex.
            let positions = body.mesh().positions();
            let [x, y, z, _] = match positions {
                Positions::F32(_) if self.at.in_body_frame => place.apply(self.middle),
                _ => place.apply(vertices.first().map_or([0.0; 3], |&v| positions.get(v as usize))),
            };
            let origin = [x, y, z, 0.0];
            match positions {
                Positions::F32(p) => {
                    for (at, &v) in into.iter_mut().zip(vertices) {
                        let p = p[v as usize];
                        place.read([f64::from(p[0]), f64::from(p[1]), f64::from(p[2])], &origin, at);
                    }
                }
                Positions::F64(p) => {
                    for (at, &v) in into.iter_mut().zip(vertices) {
                        place.read(p[v as usize], &origin, at);
                    }
                }
            }
            ([x, y, z], false)
        };
        let lossless = exact && smallest >= f32::MIN_POSITIVE;
        self.fill(lanes, origin, exact, lossless);
    }
}

/// A pose by columns, so that the three coordinates of a vertex are computed side by side, by the same operations as in
/// [`crate::Pose::apply`].
struct Columns {
    columns: [[f64; 4]; 4],
    unit: f64,
}

impl Columns {
    #[inline(always)]
    fn new(pose: &Pose, unit: f64) -> Self {
        let rows = pose.rows();
        let mut columns = [[0.0; 4]; 4];
        for column in 0..4 {
            for row in 0..3 {
                columns[column][row] = rows[row][column];
            }
        }
        Self { columns, unit }
    }

    /// World coordinates times the unit; scaled at once, so that no later step overflows.
    #[inline(always)]
    fn apply(&self, p: Point) -> [f64; 4] {
        let [x, y, z, t] = &self.columns;
        let mut world = [0.0; 4];
        for row in 0..4 {
            world[row] = (p[0] * x[row] + p[1] * y[row] + p[2] * z[row] + t[row]) * self.unit;
        }
        world
    }

    /// One vertex relative to the origin.
    #[inline(always)]
    fn read(&self, p: Point, origin: &[f64; 4], relative: &mut [f32; 4]) {
        let world = self.apply(p);
        for row in 0..4 {
            relative[row] = (world[row] - origin[row]) as f32;
        }
    }
}

impl Activate<'_> {
    #[inline(always)]
    fn fill<L: Lanes>(self, lanes: L, origin: Point, exact: bool, lossless: bool) {
        let patch = self.patch as usize;
        let count = self.patches.triangles_of(patch).len();
        let at = &*self.vertices.0;
        let ActivePatch { corners, .. } = &mut *self.active;
        // Four vertices at a time, transposed from rows into columns.
        for (rows, numbers) in corners.iter_mut().zip(&self.patches.corners[patch]) {
            for (four, numbers) in numbers.as_chunks::<4>().0.iter().enumerate() {
                let p = lanes.load4(&at[numbers[0] as usize]);
                let q = lanes.load4(&at[numbers[1] as usize]);
                let r = lanes.load4(&at[numbers[2] as usize]);
                let s = lanes.load4(&at[numbers[3] as usize]);
                let columns = lanes.columns4(p, q, r, s);
                for axis in 0..3 {
                    rows[axis].as_chunks_mut::<4>().0[four] = lanes.store4(columns[axis]);
                }
            }
        }
        let active = self.active;
        active.present = if count == PATCH { u64::MAX } else { (1 << count) - 1 };
        (active.origin, active.lossless) = (origin, lossless);
        active.finish::<L, true>(lanes, exact, 0.0, u8::MAX);
    }
}

impl ActivePatch {
    /// Everything that follows from the corners. Unless `exact`, these are off by `off` in addition to their last
    /// rounding. Without `WHOLE`, of the blocks in `blocks` only, and no lane of another block may be present.
    #[inline(always)]
    pub(crate) fn finish<L: Lanes, const WHOLE: bool>(
        &mut self,
        lanes: L,
        exact: bool,
        off: f32,
        blocks: u8,
    ) {
        let Self { corners, boxes, .. } = &mut *self;
        // Boxes of the triangles, eight at a time; then the box of all.
        let mut min = [0.0f32; 3];
        let mut max = [0.0f32; 3];
        let mut extent = lanes.splat(0.0);
        let mut flat = [0u64; 3];
        let mut low = [[lanes.splat(0.0); 8]; 3];
        let mut high = low;
        for axis in 0..3 {
            let (mut all_low, mut all_high) = (lanes.splat(f32::INFINITY), lanes.splat(f32::NEG_INFINITY));
            for block in 0..8 {
                if !WHOLE && blocks >> block & 1 == 0 {
                    continue;
                }
                let a = lanes.load(&corners[0][axis].as_chunks::<8>().0[block]);
                let b = lanes.load(&corners[1][axis].as_chunks::<8>().0[block]);
                let c = lanes.load(&corners[2][axis].as_chunks::<8>().0[block]);
                let (l, h) = (lanes.min(lanes.min(a, b), c), lanes.max(lanes.max(a, b), c));
                low[axis][block] = l;
                high[axis][block] = h;
                all_low = lanes.min(all_low, l);
                all_high = lanes.max(all_high, h);
                extent = lanes.max(extent, lanes.sub(h, l));
                flat[axis] |= u64::from(lanes.eq(l, h)) << (8 * block);
            }
            min[axis] = wide::least(lanes, all_low);
            max[axis] = wide::greatest(lanes, all_high);
        }
        // The subtraction above may have rounded down.
        let extent = wide::greatest(lanes, extent) * (1.0 + 4.0 * FLOAT_ROUNDOFF);
        let mut reach = 0.0f32;
        for axis in 0..3 {
            reach = reach.max(max[axis]).max(-min[axis]);
        }
        // Exact floats times a power of two lose nothing but to underflow. Otherwise the difference from the origin is
        // rounded once to f64 and once to f32: at most (1 + 2^-28) roundoffs of its size.
        let error = if exact { TINY } else { off + 1.01 * FLOAT_ROUNDOFF * reach + TINY };

        // Along an axis on which the patch is flat, a step is a fraction of its widest extent, so that boxes beside it
        // are still told apart. The map is monotone under rounding, so overlapping intervals stay overlapping.
        let mut range = [0.0f32; 3];
        for axis in 0..3 {
            range[axis] = max[axis] - min[axis] + 2.0 * error;
        }
        let widest = range[0].max(range[1]).max(range[2]);
        let (mut base, mut scale) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            base[axis] = min[axis] - error;
            scale[axis] = 255.0 / range[axis].max(widest * MIN_RANGE_SHARE).max(TINY);
        }
        let step = widest / 254.0 + TINY;
        let widen = lanes.splat(if exact { 0.0 } else { error });
        for axis in 0..3 {
            let (base, scale) = (lanes.splat(base[axis]), lanes.splat(scale[axis]));
            for block in 0..8 {
                if !WHOLE && blocks >> block & 1 == 0 {
                    continue;
                }
                let l = lanes.quantise(lanes.sub(low[axis][block], widen), base, scale);
                let h = lanes.quantise(lanes.add(high[axis][block], widen), base, scale);
                boxes.min[axis].as_chunks_mut::<8>().0[block] = l;
                boxes.max[axis].as_chunks_mut::<8>().0[block] = h;
            }
        }
        (self.min, self.max, self.base, self.scale, self.step) = (min, max, base, scale, step);
        (self.extent, self.reach, self.error, self.exact) = (extent, reach, error, exact);
        self.flat = flat;
    }

    /// Holds no triangle.
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
        exact: false,
        lossless: false,
        present: 0,
        flat: [0; 3],
        boxes: ByteBoxes { min: [[0; PATCH]; 3], max: [[0; PATCH]; 3] },
        corners: [[[0.0; PATCH]; 3]; 3],
    };
}

/// Least range of the byte boxes along an axis, as a fraction of the patch's widest extent.
const MIN_RANGE_SHARE: f32 = 1.0 / 1024.0;
