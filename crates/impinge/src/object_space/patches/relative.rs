//! Boxes of two bodies with poses: each node is tested in the frame of either body (six of the fifteen axes of two
//! oriented boxes), so that a rigid body's boxes stay as they are however it moves.
//!
//! **Slack.** A vertex's world position is its pose applied and rounded, so it lies within `4 * 2^-53 * world` of the
//! exact image, where `world` bounds all intermediate results. `back` is an approximate inverse of a's pose with
//! `|back * linear - 1| <= rho` (measured, and only used below `LARGEST_RHO`), so taking a world point back into a's
//! frame is off by at most `|back| * world * (2 rho + 64 * 2^-53)`. The float arithmetic of the test itself is off by at
//! most 12 roundoffs of the largest coordinates involved.

use super::tree::NodeBox;
use crate::pose::Pose;
use crate::tolerance::{FLOAT_ROUNDOFF, LARGEST_RHO, UNIT_ROUNDOFF};

type Rows = [[f64; 4]; 3];

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

    /// How far a world point may be off after it is taken back, when no coordinate on the way exceeds `world`.
    pub(crate) fn slack(&self, world: f64) -> f64 {
        self.norm * world * (2.0 * self.rho + 64.0 * UNIT_ROUNDOFF)
    }
}

/// One body's side of the test: the map from the other body's frame into its own.
#[derive(Clone, Copy, Debug)]
struct Side {
    rows: [[f32; 4]; 3],
    /// Absolute values of the linear part.
    size: [[f32; 3]; 3],
    slack: f32,
}

impl Side {
    /// `mine` and `other` bound the coordinates of the bodies in their own frames, `world` in the world's.
    fn new(inverse: &Inverse, pose: &Pose, [mine, other, world]: [f64; 3]) -> Self {
        let (back, m) = (&inverse.back, pose.rows());
        let mut rows = [[0.0f32; 4]; 3];
        let mut size = [[0.0f32; 3]; 3];
        let mut reach = mine;
        for r in 0..3 {
            let entry = |c: usize| (0..3).map(|k| back[r][k] * m[k][c]).sum::<f64>();
            let linear = [entry(0), entry(1), entry(2)];
            let shift = entry(3) + back[r][3];
            reach =
                reach.max((linear[0].abs() + linear[1].abs() + linear[2].abs()) * other + shift.abs() + mine);
            rows[r] = [linear[0] as f32, linear[1] as f32, linear[2] as f32, shift as f32];
            size[r] = linear.map(|x| x.abs() as f32);
        }
        let slack = inverse.slack(world) + 16.0 * f64::from(FLOAT_ROUNDOFF) * reach;
        Self { rows, size, slack: (slack * 1.0001) as f32 + f32::MIN_POSITIVE }
    }

    /// Whether the other body's box, seen from here, is apart from this body's.
    #[inline(always)]
    fn apart(&self, mine: &NodeBox, other: &NodeBox) -> bool {
        let centre: [f32; 3] = std::array::from_fn(|i| 0.5 * (other.min[i] + other.max[i]));
        let half: [f32; 3] = std::array::from_fn(|i| 0.5 * (other.max[i] - other.min[i]));
        let mut apart = false;
        for r in 0..3 {
            let row = &self.rows[r];
            let at = row[0] * centre[0] + row[1] * centre[1] + row[2] * centre[2] + row[3];
            let size = &self.size[r];
            let reach = size[0] * half[0] + size[1] * half[1] + size[2] * half[2] + self.slack;
            // Written so that a NaN is not apart.
            apart |= at - reach > mine.max[r];
            apart |= at + reach < mine.min[r];
        }
        apart
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
    pub(crate) fn meet(&self, a: &NodeBox, b: &NodeBox) -> bool {
        !self.a.apart(a, b) && !self.b.apart(b, a)
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
