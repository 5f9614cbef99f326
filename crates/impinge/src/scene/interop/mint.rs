//! `mint`: matrices to poses and back, lists of points to positions. A [`Point3`] is made from an array, and turned into
//! one, by `mint` itself. Any crate that speaks `mint` can be used through it.

use super::super::{Pose, PoseError, Positions};
use super::columns;
use mint::{ColumnMatrix3x4, ColumnMatrix4, Point3, RowMatrix3x4, RowMatrix4, Vector3};

impl<T: Copy + Into<f64>> TryFrom<ColumnMatrix3x4<T>> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: ColumnMatrix3x4<T>) -> Result<Self, PoseError> {
        columns::from_columns(world_from_body.into())
    }
}

impl<T: Copy + Into<f64>> TryFrom<RowMatrix3x4<T>> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: RowMatrix3x4<T>) -> Result<Self, PoseError> {
        ColumnMatrix3x4::from(world_from_body).try_into()
    }
}

impl<T: Copy + Into<f64>> TryFrom<ColumnMatrix4<T>> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: ColumnMatrix4<T>) -> Result<Self, PoseError> {
        columns::from_square(world_from_body.into())
    }
}

impl<T: Copy + Into<f64>> TryFrom<RowMatrix4<T>> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: RowMatrix4<T>) -> Result<Self, PoseError> {
        ColumnMatrix4::from(world_from_body).try_into()
    }
}

impl From<Pose> for ColumnMatrix3x4<f64> {
    fn from(pose: Pose) -> Self {
        columns::columns(&pose).into()
    }
}

impl From<Pose> for RowMatrix3x4<f64> {
    fn from(pose: Pose) -> Self {
        (*pose.rows()).into()
    }
}

impl From<Pose> for ColumnMatrix4<f64> {
    fn from(pose: Pose) -> Self {
        columns::square(&pose).into()
    }
}

impl From<Pose> for RowMatrix4<f64> {
    fn from(pose: Pose) -> Self {
        ColumnMatrix4::from(pose).into()
    }
}

impl<T> From<Vec<Point3<T>>> for Positions
where
    Vec<[T; 3]>: Into<Self>,
{
    fn from(positions: Vec<Point3<T>>) -> Self {
        positions.into_iter().map(<[T; 3]>::from).collect::<Vec<_>>().into()
    }
}

impl<T> From<Vec<Vector3<T>>> for Positions
where
    Vec<[T; 3]>: Into<Self>,
{
    fn from(positions: Vec<Vector3<T>>) -> Self {
        positions.into_iter().map(<[T; 3]>::from).collect::<Vec<_>>().into()
    }
}
