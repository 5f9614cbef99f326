//! Boxes of two posed bodies: each node is tested in the frame of either body (six of the fifteen axes of the
//! separating axis test of two oriented boxes), so a rigid body's boxes never change.
//!
//! **Slack.** A vertex's world position is its pose applied and rounded, so it lies within `4 * 2^-53 * world` of the
//! exact image, where `world` bounds all intermediate results. `back` is an approximate inverse of a's pose with
//! `|back * linear - 1| <= rho` (measured, and only used below `LARGEST_RHO`), so mapping a world point back into a's
//! frame is off by at most `|back| * world * (2 rho + 64 * 2^-53)`. The float arithmetic of the test itself is off by at
//! most 12 roundoffs of the largest coordinates involved, and by what entries of the map lose to underflow.

use super::boxes::CentredBox;
use super::tree::Subtree;
use super::volumes::Volumes;
use crate::scene::Pose;
use crate::simd::Lanes;
use crate::util::tolerance::{FLOAT_ROUNDOFF, LARGEST_RHO, UNIT_ROUNDOFF};

pub(crate) type Rows = [[f64; 4]; 3];

/// The inverse of a pose, and a bound on its error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inverse {
    back: Rows,
    /// Maximum norm of the linear part of `back`.
    norm: f64,
    rho: f64,
}

impl Inverse {
    /// The identity's, exact.
    pub(crate) const IDENTITY: Self = Self {
        back: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        norm: 1.0,
        rho: 0.0,
    };

    /// `None` for poses too close to singular.
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

    /// Bound on the error of a world point mapped back, where no coordinate on the way exceeds `world`.
    pub(crate) fn slack(&self, world: f64) -> f64 {
        self.norm * world * (2.0 * self.rho + 64.0 * UNIT_ROUNDOFF)
    }
}

/// The map from the other body's frame into this one's, with absolute values for half extents.
struct Side {
    /// Columns of the map, the translation last; the fourth row is zero.
    columns: [[f32; 4]; 4],
    /// Absolute values of the linear part, and the slack.
    sizes: [[f32; 4]; 4],
}

impl Side {
    /// `mine` and `other` bound the coordinates in the bodies' frames, `world` those in the world.
    #[inline]
    fn new(inverse: &Inverse, pose: &Pose, [mine, other, world]: [f64; 3]) -> Self {
        let (back, m) = (&inverse.back, pose.rows());
        let mut columns = [[0.0f32; 4]; 4];
        let mut sizes = [[0.0f32; 4]; 4];
        let mut reach = mine;
        for r in 0..3 {
            let entry = |c: usize| back[r][0] * m[0][c] + back[r][1] * m[1][c] + back[r][2] * m[2][c];
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
        // An entry too small for a float is off by less than the smallest normal one.
        let slack = inverse.slack(world)
            + 16.0 * f64::from(FLOAT_ROUNDOFF) * reach
            + f64::from(f32::MIN_POSITIVE) * other;
        // Near the largest floats, sums could overflow to the wrong side: then nothing is apart.
        let slack = if reach < f64::from(f32::MAX) / 16.0 { slack * 1.0001 } else { f64::INFINITY };
        sizes[3] = [slack as f32 + f32::MIN_POSITIVE; 4];
        Self { columns, sizes }
    }
}

/// The maps between the frames of two bodies: b's boxes into a's frame in the first four lanes, a's into b's in the
/// others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    pub(crate) columns: [[f32; 8]; 4],
    pub(crate) sizes: [[f32; 8]; 4],
}

/// A body's pose and its bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    pub(crate) pose: &'a Pose,
    pub(crate) inverse: &'a Inverse,
    /// Bound on coordinates in the body's frame.
    pub(crate) body_bound: f64,
    /// Bound on world coordinates and all intermediate results.
    pub(crate) world_bound: f64,
}

impl Relative {
    pub(crate) fn new(a: Placed<'_>, b: Placed<'_>) -> Self {
        let world = a.world_bound + b.world_bound;
        let in_a = Side::new(a.inverse, b.pose, [a.body_bound, b.body_bound, world]);
        let in_b = Side::new(b.inverse, a.pose, [b.body_bound, a.body_bound, world]);
        let (mut columns, mut sizes) = ([[0.0; 8]; 4], [[0.0; 8]; 4]);
        for i in 0..4 {
            columns[i][..4].copy_from_slice(&in_a.columns[i]);
            columns[i][4..].copy_from_slice(&in_b.columns[i]);
            sizes[i][..4].copy_from_slice(&in_a.sizes[i]);
            sizes[i][4..].copy_from_slice(&in_b.sizes[i]);
        }
        Self { columns, sizes }
    }
}

/// The boxes of two bodies, each in the body's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PosedBoxes<'a> {
    pub(crate) relative: Relative,
    pub(crate) a: &'a [CentredBox],
    pub(crate) b: &'a [CentredBox],
}

impl Volumes for PosedBoxes<'_> {
    type Bound = ();

    /// `false` where the boxes are apart in either frame. NaN is never apart.
    #[inline(always)]
    fn meet<L: Lanes>(&self, lanes: L, a: Subtree, b: Subtree) -> bool {
        let (a, b) = (&self.a[a.node as usize], &self.b[b.node as usize]);
        let (mine, others) = (lanes.pair4(&a.centre, &b.centre), lanes.pair4(&b.centre, &a.centre));
        let (my_half, other_half) = (lanes.pair4(&a.half, &b.half), lanes.pair4(&b.half, &a.half));
        let [x, y, z, shift] = &self.relative.columns;
        let [along_x, along_y, along_z, slack] = &self.relative.sizes;
        let mut at = lanes.sub(lanes.load(shift), mine);
        at = lanes.mul_add(lanes.load(x), lanes.each4::<0>(others), at);
        at = lanes.mul_add(lanes.load(y), lanes.each4::<1>(others), at);
        at = lanes.mul_add(lanes.load(z), lanes.each4::<2>(others), at);
        let mut reach = lanes.add(lanes.load(slack), my_half);
        reach = lanes.mul_add(lanes.load(along_x), lanes.each4::<0>(other_half), reach);
        reach = lanes.mul_add(lanes.load(along_y), lanes.each4::<1>(other_half), reach);
        reach = lanes.mul_add(lanes.load(along_z), lanes.each4::<2>(other_half), reach);
        lanes.bits(lanes.gt(lanes.abs(at), reach)) == 0
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
