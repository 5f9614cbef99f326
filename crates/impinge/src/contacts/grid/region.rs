//! The region where contacts can be, in coordinates near 1 for floats, and the transform of each body into
//! it.
//!
//! **The error of a vertex as floats.** A body stores `s`, its own coordinates near 1, rounded to a float:
//!  with an error of at most `u = 2^-24` of it. The three rows that take `s` to the region are rounded from
//!  doubles, each entry by at most `u` of it; four products and three sums each have an error of at most `2u`
//!  of the result, whichever way a device rounds: a term has an error of `1 + 1 + 2` of `u` of itself, and
//!  every sum of `2u` of at most the sum of the absolute values of the terms. But exact operations do not
//!  round: an entry that is a float, a product with a power of two, a sum with 0. A body that deforms without
//!  a pose has an error little above that of its stored coordinates (`RowError` counts). [`PLACING_ROOM`]
//!  covers second-order errors. World coordinates are themselves rounded ([`crate::Pose::apply`]), and the
//!  rows are computed, in doubles: below [`BOX_SLACK`] of the largest number on the way. [`MIN_PLACED_ERROR`]
//!  covers underflow.
//!
//! **A vast body** is so much larger than its overlap with others that no digit of its coordinates would be
//!  left in the region. All its vertices are placed at 0 with an error of [`VAST_ERROR`], more than any other
//!  coordinate. So its boxes contain the region, the float filters skip its triangles, and exact arithmetic
//!  decides them; the filters still decide all others. Each of its triangles is a candidate with everything,
//!  so it must have few ([`crate::util::tolerance::MAX_VAST_TRIANGLES`]).

use crate::broad_phase::BodyPair;
use crate::image::view::power_of_two;
use crate::scene::{Bounds, Point, Pose};
use crate::util::tolerance::{
    BOX_SLACK, FLOAT_ROUNDOFF, MAX_PLACED_COORDINATE, MAX_PLACED_ERROR, MIN_PLACED_ERROR, MIN_REGION_SIZE,
    PLACING_ROOM, VAST_ERROR,
};

/// The normalisation of a body's coordinates to about 1, for floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Maps to 0.
    pub centre: Point,
    /// Maps to 1: a power of two.
    pub scale: f64,
    /// Largest stored coordinate along each axis.
    pub reach: [f32; 3],
}

impl Near {
    /// Coordinates stored unchanged, the largest of which is `reach`.
    pub fn as_is(reach: f32) -> Self {
        Self { centre: [0.0; 3], scale: 1.0, reach: [reach; 3] }
    }

    /// For a body with this box.
    pub fn of(bounds: &Bounds) -> Self {
        if bounds.is_empty() {
            return Self::as_is(1.0);
        }
        let centre = std::array::from_fn(|k| bounds.min[k] / 2.0 + bounds.max[k] / 2.0);
        let halves: [f64; 3] = std::array::from_fn(|k| bounds.max[k] / 2.0 - bounds.min[k] / 2.0);
        let half = halves.into_iter().fold(0.0, f64::max);
        let scale = if half > 0.0 { half.log2().ceil().clamp(-1000.0, 1000.0).exp2() } else { 1.0 };
        // Rounding of the centre is covered by `BOX_SLACK`, as the rest of the rounding in doubles is.
        let reach = halves.map(|half| ((half / scale) as f32).next_up());
        Self { centre, scale, reach }
    }

    /// A coordinate as it is stored.
    #[inline]
    pub fn store(&self, p: Point) -> [f32; 3] {
        std::array::from_fn(|k| ((p[k] - self.centre[k]) / self.scale) as f32)
    }
}

/// The part of the world where contacts can be: the intersections of boxes of bodies, and the whole boxes of
/// bodies with self-collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Maps to 0.
    pub centre: Point,
    /// Maps to 1: a power of two.
    pub unit: f64,
    /// Its box, in these coordinates, rounded outward.
    pub low: [f32; 3],
    /// The other corner.
    pub high: [f32; 3],
}

/// A body in a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyInRegion {
    /// Three rows that take its stored coordinates to those of the region.
    pub rows: [[f32; 4]; 3],
    /// The largest error of a coordinate of a vertex that is computed by these rows in floats.
    pub error: f32,
    /// Where it can meet other bodies: a box in region coordinates, empty if it meets none.
    pub low: [f32; 3],
    /// The other corner.
    pub high: [f32; 3],
    /// Whether self-collision is on.
    pub self_collision: bool,
}

impl BodyInRegion {
    /// A body that is not in the region.
    pub const NOBODY: Self = Self {
        rows: [[0.0; 4]; 3],
        error: 0.0,
        low: [f32::INFINITY; 3],
        high: [f32::NEG_INFINITY; 3],
        self_collision: false,
    };

    /// Whether any of its triangles can be in a contact.
    pub fn is_active(&self) -> bool {
        self.self_collision || self.low[0] <= self.high[0]
    }

    /// Whether floats do not resolve its position.
    pub fn is_vast(&self) -> bool {
        self.error >= VAST_ERROR
    }

    /// A stored vertex in region coordinates.
    #[inline]
    pub fn place(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        self.rows.map(|[a, b, c, t]| x * a + y * b + z * c + t)
    }
}

/// The error of a row, as counted above.
struct RowError {
    /// The largest sum of the absolute values of the terms.
    sum: f32,
    /// The largest error of a coordinate.
    off: f32,
}

impl RowError {
    /// Of a row whose factors are at most these; the last factor is 1, and not stored.
    fn of(row: [f64; 4], factors: [f32; 4]) -> Self {
        let (mut sum, mut roundoffs, mut terms) = (0.0, 0.0, 0);
        for (k, exact) in row.into_iter().enumerate() {
            let entry = exact as f32;
            let term = entry.abs() * factors[k];
            let is_power_of_two = entry.to_bits().trailing_zeros() >= 23;
            let stored = if k < 3 { 1.0 } else { 0.0 };
            let rounded = if f64::from(entry) == exact { 0.0 } else { 1.0 };
            let multiplied = if k < 3 && !is_power_of_two { 2.0 } else { 0.0 };
            sum += term;
            roundoffs += (stored + rounded + multiplied) * term;
            // An entry that underflowed to 0 has an error below the smallest float, which `MIN_PLACED_ERROR`
            // covers.
            terms += i32::from(entry != 0.0);
        }
        roundoffs += 2.0 * (terms - 1).max(0) as f32 * sum;
        Self { sum, off: PLACING_ROOM * FLOAT_ROUNDOFF * roundoffs }
    }
}

impl Region {
    /// The region of these pairs; `None` if none can meet. `magnitude` is the largest number on the way to
    /// the world coordinates of any body among them, or of the one of each pair with the smaller ones.
    pub fn of(pairs: &[BodyPair], boxes: &[Bounds], magnitude: f64) -> Option<Self> {
        let common = |pair: &BodyPair| boxes[pair.a as usize].common(&boxes[pair.b as usize]);
        let whole =
            pairs.iter().map(common).filter(|bounds| !bounds.is_empty()).fold(Bounds::EMPTY, Bounds::union);
        if whole.is_empty() {
            return None;
        }
        let centre = std::array::from_fn(|k| whole.min[k] / 2.0 + whole.max[k] / 2.0);
        let half = (0..3).map(|k| whole.max[k] / 2.0 - whole.min[k] / 2.0).fold(0.0, f64::max);
        // Not so small that doubles could not resolve it, nor that rows would overflow.
        let unit = power_of_two(half.max(magnitude * MIN_REGION_SIZE).max(f64::MIN_POSITIVE));
        let mut region = Self { centre, unit, low: [0.0; 3], high: [0.0; 3] };
        (region.low, region.high) = region.outward(&whole, magnitude);
        Some(region)
    }

    /// A box in region coordinates, rounded outward.
    fn outward(&self, bounds: &Bounds, magnitude: f64) -> ([f32; 3], [f32; 3]) {
        let slack = BOX_SLACK * (magnitude / self.unit) + f64::from(4.0 * FLOAT_ROUNDOFF);
        let at = |corner: Point, k: usize| (corner[k] - self.centre[k]) / self.unit;
        let low = std::array::from_fn(|k| (at(bounds.min, k) - slack).next_down() as f32);
        let high = std::array::from_fn(|k| (at(bounds.max, k) + slack).next_up() as f32);
        (low.map(f32::next_down), high.map(f32::next_up))
    }

    /// The rows of a body and their error.
    fn rows(&self, pose: &Pose, near: &Near, magnitude: f64) -> ([[f32; 4]; 3], f32) {
        // The unit of a region is at least half of that.
        if magnitude * MIN_REGION_SIZE > 2.0 * self.unit {
            return ([[0.0; 4]; 3], VAST_ERROR);
        }
        let middle = pose.apply(near.centre);
        let exact: [[f64; 4]; 3] = std::array::from_fn(|i| {
            let column = |k: usize| pose.rows()[i][k] * (near.scale / self.unit);
            let offset = (middle[i] - self.centre[i]) / self.unit;
            [column(0), column(1), column(2), offset]
        });
        let [x, y, z] = near.reach;
        let errors = exact.map(|row| RowError::of(row, [x, y, z, 1.0]));
        let most = errors.iter().fold(0.0, |most: f32, error| most.max(error.sum));
        let off = errors.iter().fold(0.0, |off: f32, error| off.max(error.off));
        let rounding = (BOX_SLACK * (magnitude / self.unit)) as f32;
        // Coordinates too large for products of three differences get an error that excludes the method.
        let off = if most < MAX_PLACED_COORDINATE { off } else { MAX_PLACED_ERROR };
        (exact.map(|row| row.map(|x| x as f32)), off + rounding + MIN_PLACED_ERROR)
    }

    /// A body in this region. `pairs` and `boxes` are of all bodies; `magnitude` is the largest number on the
    /// way to its own world coordinates, and at least that of the region.
    pub fn body(
        &self,
        (pose, near, self_collision): (&Pose, &Near, bool),
        slot: usize,
        pairs: &[BodyPair],
        boxes: &[Bounds],
        magnitude: f64,
    ) -> BodyInRegion {
        let here = slot as u32;
        let mut meets = Bounds::EMPTY;
        for pair in pairs.iter().filter(|pair| pair.a != pair.b && (pair.a == here || pair.b == here)) {
            let common = boxes[pair.a as usize].common(&boxes[pair.b as usize]);
            if !common.is_empty() {
                meets = meets.union(common);
            }
        }
        let self_collision = self_collision && !boxes[slot].is_empty();
        if meets.is_empty() && !self_collision {
            return BodyInRegion::NOBODY;
        }
        let (rows, error) = self.rows(pose, near, magnitude);
        let (low, high) = if meets.is_empty() {
            (BodyInRegion::NOBODY.low, BodyInRegion::NOBODY.high)
        } else {
            self.outward(&meets, magnitude)
        };
        BodyInRegion { rows, error, low, high, self_collision }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The bound on the error of a vertex holds, near the origin and far from it, for large and for small
    /// bodies.
    #[test]
    fn vertices_are_off_by_less_than_the_bound() {
        let mut state = 7;
        let mut worst_of = [0.0f64; 3];
        for round in 0..9000 {
            let mut next = || random(&mut state) * 2.0 - 1.0;
            let (size, far) = (10f64.powf(6.0 * next()), 10f64.powf(6.0 * next()));
            let points: Vec<Point> = (0..8).map(|_| std::array::from_fn(|_| size * next() + far)).collect();
            let turn = [next(), next(), next()];
            let turned = Pose::from_axis_angle(turn, 3.0 * next(), [far * next(), size, far]).unwrap();
            // Without a pose, moved by a power of two, or turned and moved anywhere.
            let moved = [[1.0, 0.0, 0.0, 0.5], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 2.0, -4.0]];
            let pose = [Pose::IDENTITY, Pose::from_rows(moved).unwrap(), turned][round % 3];
            let world: Vec<Point> = points.iter().map(|&p| pose.apply(p)).collect();
            let boxes = [Bounds::of(world.iter().copied())];
            let magnitude = pose.magnitude(Bounds::of(points.iter().copied()).magnitude());
            let pairs = [BodyPair { a: 0, b: 0 }];
            let region = Region::of(&pairs, &boxes, magnitude).unwrap();
            let near = Near::of(&Bounds::of(points.iter().copied()));
            let in_region = region.body((&pose, &near, true), 0, &pairs, &boxes, magnitude);
            for (p, world) in points.iter().zip(&world) {
                let placed = in_region.place(near.store(*p));
                for k in 0..3 {
                    let exact = (world[k] - region.centre[k]) / region.unit;
                    let off = (f64::from(placed[k]) - exact).abs() / f64::from(in_region.error);
                    worst_of[round % 3] = worst_of[round % 3].max(off);
                    assert!(off <= 1.0, "{off} at size {size}, {far} away");
                    assert!(f64::from(region.low[k]) <= exact && exact <= f64::from(region.high[k]));
                }
            }
        }
        assert!(worst_of.iter().all(|worst| *worst > 0.05), "used {worst_of:?}: too loose to mean anything");
    }
}
