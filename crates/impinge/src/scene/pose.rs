//! Where a body stands: the map from its own coordinates to the world's.

use super::Point;

/// An affine map `world = linear * point + translation`, three rows of four numbers. Rigid in ordinary use;
/// scale and shear work too.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "[[f64; 4]; 3]", try_from = "[[f64; 4]; 3]"))]
pub struct Pose {
    rows: [[f64; 4]; 3],
}

/// Why a matrix is not a pose.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// An entry is infinite or not a number.
    #[error("pose has the entry {value} in row {row}, column {column}; entries must be finite")]
    NotFinite {
        /// Row of the matrix.
        row: usize,
        /// Column of the matrix.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// The last row of a 4 x 4 matrix is not 0 0 0 1.
    #[error("pose has the last row {last:?}, expected [0, 0, 0, 1] (row-major world_from_body; transposed?)")]
    NotAffine {
        /// The last row.
        last: [f64; 4],
    },
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// The body's coordinates are the world's.
    pub const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };

    /// From three rows of `[r0 r1 r2 t]`.
    pub fn from_rows(rows: [[f64; 4]; 3]) -> Result<Self, PoseError> {
        for (row, entries) in rows.iter().enumerate() {
            if let Some(column) = entries.iter().position(|entry| !entry.is_finite()) {
                return Err(PoseError::NotFinite { row, column, value: entries[column] });
            }
        }
        Ok(Self { rows })
    }

    /// From a row-major 4 x 4 matrix `world_from_body`.
    pub fn from_matrix(matrix: [[f64; 4]; 4]) -> Result<Self, PoseError> {
        let [x, y, z, last] = matrix;
        if last != [0.0, 0.0, 0.0, 1.0] {
            return Err(PoseError::NotAffine { last });
        }
        Self::from_rows([x, y, z])
    }

    /// Moves without turning.
    pub fn from_translation(t: Point) -> Result<Self, PoseError> {
        Self::from_rows([[1.0, 0.0, 0.0, t[0]], [0.0, 1.0, 0.0, t[1]], [0.0, 0.0, 1.0, t[2]]])
    }

    /// Turns by `angle` radians about `axis` (any length), then moves by `t`.
    pub fn from_axis_angle(axis: Point, angle: f64, t: Point) -> Result<Self, PoseError> {
        // Scaled first, so that no square overflows or vanishes.
        let largest = axis.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        let axis = axis.map(|c| c / largest);
        let length = axis.iter().map(|c| c * c).sum::<f64>().sqrt();
        let [x, y, z] = axis.map(|c| c / length);
        let (s, c) = angle.sin_cos();
        let k = 1.0 - c;
        Self::from_rows([
            [c + x * x * k, x * y * k - z * s, x * z * k + y * s, t[0]],
            [y * x * k + z * s, c + y * y * k, y * z * k - x * s, t[1]],
            [z * x * k - y * s, z * y * k + x * s, c + z * z * k, t[2]],
        ])
    }

    /// The three rows of `[r0 r1 r2 t]`.
    pub fn rows(&self) -> &[[f64; 4]; 3] {
        &self.rows
    }

    /// Applies the pose. **This sequence of operations, each rounded to nearest, defines the world coordinates
    /// that every answer is exact for**: `((x*r0 + y*r1) + z*r2) + t`, never fused. The identity returns its
    /// argument (but for the sign of a zero, which no predicate sees).
    #[inline]
    pub fn apply(&self, p: Point) -> Point {
        self.rows.map(|[a, b, c, t]| p[0] * a + p[1] * b + p[2] * c + t)
    }

    /// Whether it turns left into right.
    pub(crate) fn is_mirror(&self) -> bool {
        // Scaled row by row, so that no product overflows; the sign is that of the determinant.
        let [a, b, c] = self.rows.map(|[a, b, c, _]| {
            let largest = a.abs().max(b.abs()).max(c.abs());
            if largest > 0.0 { [a / largest, b / largest, c / largest] } else { [0.0; 3] }
        });
        let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        determinant < 0.0
    }

    /// An upper bound on every coordinate, and every intermediate result, of points no larger than `magnitude`.
    pub(crate) fn magnitude(&self, magnitude: f64) -> f64 {
        if *self == Self::IDENTITY {
            return magnitude;
        }
        let row = |[a, b, c, t]: [f64; 4]| (a.abs() + b.abs() + c.abs()) * magnitude + t.abs();
        // Doubling covers the rounding of these few operations many times over.
        2.0 * self.rows.into_iter().map(row).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_changes_nothing() {
        let p = [1.0e-300, -7.5, 3.3e200];
        assert_eq!(Pose::IDENTITY.apply(p), p);
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let pose =
            Pose::from_axis_angle([0.0, 0.0, 2.0], std::f64::consts::FRAC_PI_2, [5.0, 0.0, 0.0]).unwrap();
        let [x, y, z] = pose.apply([1.0, 0.0, 0.0]);
        assert!((x - 5.0).abs() < 1e-15 && (y - 1.0).abs() < 1e-15 && z == 0.0);
    }

    #[test]
    fn the_axis_may_have_any_length() {
        for scale in [1e-300, 1.0, 1e300] {
            let pose = Pose::from_axis_angle([scale, 0.0, 0.0], 1.0, [0.0; 3]).unwrap();
            assert_eq!(pose.apply([3.0, 0.0, 0.0]), [3.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn a_matrix_in_the_wrong_order_is_refused() {
        let transposed =
            [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [3.0, 0.0, 0.0, 1.0]];
        assert!(matches!(Pose::from_matrix(transposed), Err(PoseError::NotAffine { .. })));
        assert!(matches!(Pose::from_axis_angle([0.0; 3], 1.0, [0.0; 3]), Err(PoseError::NotFinite { .. })));
    }
}
