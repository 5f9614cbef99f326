//! Poses as the other crates keep matrices: column by column.

use super::super::{Pose, PoseError};

/// A pose from the columns of its matrix, the last one the translation.
pub(super) fn from_columns<T: Copy + Into<f64>>(columns: [[T; 3]; 4]) -> Result<Pose, PoseError> {
    Pose::from_rows(std::array::from_fn(|row| columns.map(|column| column[row].into())))
}

/// A pose from the columns of a 4 x 4 matrix.
pub(super) fn from_square<T: Copy + Into<f64>>(columns: [[T; 4]; 4]) -> Result<Pose, PoseError> {
    Pose::from_matrix(std::array::from_fn(|row| columns.map(|column| column[row].into())))
}

/// The columns of the matrix of a pose.
pub(super) fn columns(pose: &Pose) -> [[f64; 3]; 4] {
    std::array::from_fn(|column| pose.rows().map(|row| row[column]))
}

/// The columns of the 4 x 4 matrix of a pose.
pub(super) fn square(pose: &Pose) -> [[f64; 4]; 4] {
    let last = [0.0, 0.0, 0.0, 1.0];
    std::array::from_fn(|column| {
        let [x, y, z] = columns(pose)[column];
        [x, y, z, last[column]]
    })
}
