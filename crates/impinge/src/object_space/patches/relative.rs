//! Boxes of two bodies with poses: each node is tested in the frame of either body (six of the fifteen axes of two
//! oriented boxes), so that a rigid body's boxes stay as they are however it moves.
//!
//! **Slack.** A vertex's world position is its pose applied and rounded, so it lies within `4 * 2^-53 * world` of the
//! exact image, where `world` bounds all intermediate results. `back` is an approximate inverse of a's pose with
//! `|back * linear - 1| <= rho` (measured, and only used below `LARGEST_RHO`), so taking a world point back into a's
//! frame is off by at most `|back| * world * (2 rho + 64 * 2^-53)`. The float arithmetic of the test itself is off by at
//! most 12 roundoffs of the largest coordinates involved.

use super::tree::NodeBox;
use crate::object_space::lanes::Lanes;
use crate::pose::Pose;
use crate::tolerance::{FLOAT_ROUNDOFF, LARGEST_RHO, UNIT_ROUNDOFF};

pub(crate) type Rows = [[f64; 4]; 3];

/// A pose, its inverse, and how well the inverse is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inverse {
    back: Rows,
    /// Maximum norm of the linear part of `back`.
    norm: f64,
    rho: f64,
}

impl Inverse {
    /// Of the identity, known exactly.
    pub(crate) const IDENTITY: Self = Self {
        back: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        norm: 1.0,
        rho: 0.0,
    };

    /// `None` when the pose is too close to singular to be worth inverting.
    pub(crate) fn new(pose: &Pose) -> Option<Self> {
        let m = pose.rows();
        let minor = |r: usize, c: usize| {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        };
        let det = (0..3).map(|c| m[0][c] * minor(0, c)).sum::<f64>();
        let mut back = [[0.0; 4]; 3];
        for r in 0..3 {
            for c in 0..3 {
                back[r][c] = minor(c, r) / det;
            }
            back[r][3] = -(0..3).map(|c| back[r][c] * m[c][3]).sum::<f64>();
        }
        let norm =
            |rows: &Rows| rows.iter().map(|r| r[0].abs() + r[1].abs() + r[2].abs()).fold(0.0, f64::max);
        let mut rho = 16.0 * UNIT_ROUNDOFF * norm(&back) * norm(m);
        for r in 0..3 {
            for c in 0..3 {
                let product = (0..3).map(|k| back[r][k] * m[k][c]).sum::<f64>();
                rho = rho.max(3.0 * (product - f64::from(u8::from(r == c))).abs());
            }
        }
        let finite = back.as_flattened().iter().all(|x| x.is_finite());
        (finite && rho < LARGEST_RHO).then(|| Self { back, norm: norm(&back), rho })
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.back
    }

    /// How far a world point may be off after it is taken back, when no coordinate on the way exceeds `world`.
    pub(crate) fn slack(&self, world: f64) -> f64 {
        self.norm * world * (2.0 * self.rho + 64.0 * UNIT_ROUNDOFF)
    }
}

/// One body's side of the test: the map from the other body's frame into its own.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// Columns of the map, the translation last; the fourth row is zero.
    columns: [[f32; 4]; 4],
    /// Absolute values of the linear part, and the slack.
    sizes: [[f32; 4]; 4],
}

impl Side {
    /// `mine` and `other` bound the coordinates of the bodies in their own frames, `world` in the world's.
    fn new(inverse: &Inverse, pose: &Pose, [mine, other, world]: [f64; 3]) -> Self {
        let (back, m) = (&inverse.back, pose.rows());
        let mut columns = [[0.0f32; 4]; 4];
        let mut sizes = [[0.0f32; 4]; 4];
        let mut reach = mine;
        for r in 0..3 {
            let entry = |c: usize| (0..3).map(|k| back[r][k] * m[k][c]).sum::<f64>();
            let linear = [entry(0), entry(1), entry(2)];
            let shift = entry(3) + back[r][3];
            reach =
                reach.max((linear[0].abs() + linear[1].abs() + linear[2].abs()) * other + shift.abs() + mine);
            for c in 0..3 {
                columns[c][r] = linear[c] as f32;
                sizes[c][r] = linear[c].abs() as f32;
            }
            columns[3][r] = shift as f32;
        }
        let slack = inverse.slack(world) + 16.0 * f64::from(FLOAT_ROUNDOFF) * reach;
        // Near the end of the floats, sums could overflow to the wrong side: then nothing is apart.
        let slack = if reach < f64::from(f32::MAX) / 16.0 { slack * 1.0001 } else { f64::INFINITY };
        sizes[3] = [slack as f32 + f32::MIN_POSITIVE; 4];
        Self { columns, sizes }
    }

    /// Whether the other body's box, seen from here, is apart from this body's. A NaN is not.
    #[inline(always)]
    fn apart<L: Lanes>(&self, lanes: L, mine: &NodeBox, other: &NodeBox) -> bool {
        let mut at = lanes.load4(&self.columns[3]);
        let mut reach = lanes.load4(&self.sizes[3]);
        for i in 0..3 {
            let centre = lanes.splat4(0.5 * (other.min[i] + other.max[i]));
            let half = lanes.splat4(0.5 * (other.max[i] - other.min[i]));
            at = lanes.mul_add4(lanes.load4(&self.columns[i]), centre, at);
            reach = lanes.mul_add4(lanes.load4(&self.sizes[i]), half, reach);
        }
        let (low, high) = (lanes.sub4(at, reach), lanes.add4(at, reach));
        lanes.any_gt4(low, lanes.load4(&mine.max), lanes.load4(&mine.min), high)
    }
}

/// Two bodies' frames, each seen from the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    a: Side,
    b: Side,
}

/// A body's pose for this purpose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    pub(crate) pose: &'a Pose,
    pub(crate) inverse: &'a Inverse,
    /// Bound on the body's own coordinates.
    pub(crate) own: f64,
    /// Bound on its world coordinates and all intermediate results.
    pub(crate) world: f64,
}

impl Relative {
    pub(crate) fn new(a: Placed<'_>, b: Placed<'_>) -> Self {
        let world = a.world + b.world;
        Self {
            a: Side::new(a.inverse, b.pose, [a.own, b.own, world]),
            b: Side::new(b.inverse, a.pose, [b.own, a.own, world]),
        }
    }

    #[inline(always)]
    pub(crate) fn meet<L: Lanes>(&self, lanes: L, a: &NodeBox, b: &NodeBox) -> bool {
        !self.a.apart(lanes, a, b) && !self.b.apart(lanes, b, a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singular_poses_have_no_inverse() {
        let flat =
            Pose::from_rows([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 3.0]]).unwrap();
        assert!(Inverse::new(&flat).is_none());
        let thin =
            Pose::from_rows([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1e-12, 3.0]]).unwrap();
        assert!(Inverse::new(&thin).is_none());
        assert!(
            Inverse::new(&Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [1e3, 0.0, 0.0]).unwrap()).is_some()
        );
    }
}
