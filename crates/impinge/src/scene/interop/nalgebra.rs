//! `nalgebra`: isometries, similarities, affine maps and matrices to poses and back, lists of points to positions. A
//! rotation becomes the matrix that `nalgebra` makes of it. A [`Point3`] or [`Vector3`] is made from an array, and turned
//! into one, by `nalgebra` itself.

use super::super::{Pose, PoseError, Positions};
use super::columns;
use nalgebra::{Affine3, Isometry3, Matrix3x4, Matrix4, Point3, RealField, Scalar, Similarity3, Vector3};

impl<T: RealField + Copy + Into<f64>> TryFrom<Isometry3<T>> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: Isometry3<T>) -> Result<Self, PoseError> {
        world_from_body.to_homogeneous().try_into()
    }
}

impl<T: RealField + Copy + Into<f64>> TryFrom<Similarity3<T>> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: Similarity3<T>) -> Result<Self, PoseError> {
        world_from_body.to_homogeneous().try_into()
    }
}

impl<T: RealField + Copy + Into<f64>> TryFrom<Affine3<T>> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: Affine3<T>) -> Result<Self, PoseError> {
        world_from_body.into_inner().try_into()
    }
}

impl<T: Scalar + Copy + Into<f64>> TryFrom<Matrix4<T>> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: Matrix4<T>) -> Result<Self, PoseError> {
        columns::from_square(world_from_body.into())
    }
}

impl<T: Scalar + Copy + Into<f64>> TryFrom<Matrix3x4<T>> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: Matrix3x4<T>) -> Result<Self, PoseError> {
        columns::from_columns(world_from_body.into())
    }
}

impl From<Pose> for Affine3<f64> {
    fn from(pose: Pose) -> Self {
        Self::from_matrix_unchecked(pose.into())
    }
}

impl From<Pose> for Matrix4<f64> {
    fn from(pose: Pose) -> Self {
        columns::square(&pose).into()
    }
}

impl From<Pose> for Matrix3x4<f64> {
    fn from(pose: Pose) -> Self {
        columns::columns(&pose).into()
    }
}

impl<T: Scalar> From<Vec<Point3<T>>> for Positions
where
    Vec<[T; 3]>: Into<Self>,
{
    fn from(positions: Vec<Point3<T>>) -> Self {
        positions.into_iter().map(<[T; 3]>::from).collect::<Vec<_>>().into()
    }
}

impl<T: Scalar> From<Vec<Vector3<T>>> for Positions
where
    Vec<[T; 3]>: Into<Self>,
{
    fn from(positions: Vec<Vector3<T>>) -> Self {
        positions.into_iter().map(<[T; 3]>::from).collect::<Vec<_>>().into()
    }
}
