//! Between the world and the frame of a collider.

use super::error::ColliderFault;
use super::particle::Path;
use crate::scene::{Point, Pose};
use crate::util::tolerance::{BORDER_ERROR, MIN_POSE_DETERMINANT};

/// From the world to a collider's own frame: `linear (p - origin)`. The difference first, so that colliders far from
/// the world's origin lose nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FromWorld {
    /// Rows of the inverse of the pose's linear part.
    pub linear: [[f64; 3]; 3],
    /// Where the collider's origin is in the world.
    pub origin: Point,
}

impl FromWorld {
    pub(crate) fn of(pose: &Pose) -> Result<Self, ColliderFault> {
        let rows = pose.rows();
        let m = rows.map(|[a, b, c, _]| [a, b, c]);
        let minor = |r: usize, c: usize| {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        };
        let determinant: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
        let lengths: f64 = m.iter().map(|row| row.iter().map(|x| x * x).sum::<f64>().sqrt()).product::<f64>();
        let upright = determinant.is_finite() && determinant.abs() > MIN_POSE_DETERMINANT * lengths;
        if !upright {
            return Err(ColliderFault::Flat { determinant });
        }
        let linear = std::array::from_fn(|r| std::array::from_fn(|c| minor(c, r) / determinant));
        Ok(Self { linear, origin: rows.map(|row| row[3]) })
    }

    /// A point.
    #[inline]
    #[must_use]
    pub fn point(&self, p: Point) -> Point {
        self.vector(std::array::from_fn(|k| p[k] - self.origin[k]))
    }

    /// A direction.
    #[inline]
    #[must_use]
    pub fn vector(&self, v: Point) -> Point {
        self.linear.map(|row| dot(row, v))
    }

    /// A path.
    #[inline]
    pub(crate) fn path(&self, path: &Path) -> Path {
        Path {
            start: path.start,
            position: self.point(path.position),
            velocity: self.vector(path.velocity),
            acceleration: self.vector(path.acceleration),
        }
    }

    /// How wrong a place of a path may be in this frame, after so long.
    pub(crate) fn place_error(&self, path: &Path, elapsed: f64) -> f64 {
        let reach: Point = std::array::from_fn(|k| {
            let way = path.velocity[k].abs() + 0.5 * elapsed * path.acceleration[k].abs();
            self.origin[k].abs() + path.position[k].abs() + elapsed * way
        });
        let most = self.linear.iter().map(|row| dot(row.map(f64::abs), reach)).fold(0.0, f64::max);
        BORDER_ERROR * most
    }

    /// A gradient of the frame, in the world.
    #[inline]
    pub(crate) fn gradient_to_world(&self, g: Point) -> Point {
        std::array::from_fn(|c| (0..3).map(|r| self.linear[r][c] * g[r]).sum())
    }
}

#[inline]
pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a + s b`.
#[inline]
pub(crate) fn along(a: Point, s: f64, b: Point) -> Point {
    std::array::from_fn(|k| a[k] + s * b[k])
}
