//! `glam`: affine maps and matrices to poses and back, lists of vectors to positions. A [`Vec3`] or [`DVec3`] is made from
//! an array, and turned into one, by `glam` itself.

use super::super::{Pose, PoseError, Positions};
use super::columns;
use glam::{Affine3A, DAffine3, DMat4, DVec3, Mat4, Vec3, Vec3A};

impl TryFrom<DAffine3> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: DAffine3) -> Result<Self, PoseError> {
        columns::from_columns(world_from_body.to_cols_array_2d())
    }
}

impl TryFrom<Affine3A> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: Affine3A) -> Result<Self, PoseError> {
        columns::from_columns(world_from_body.to_cols_array_2d())
    }
}

impl TryFrom<DMat4> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: DMat4) -> Result<Self, PoseError> {
        columns::from_square(world_from_body.to_cols_array_2d())
    }
}

impl TryFrom<Mat4> for Pose {
    type Error = PoseError;

    fn try_from(world_from_body: Mat4) -> Result<Self, PoseError> {
        columns::from_square(world_from_body.to_cols_array_2d())
    }
}

impl From<Pose> for DAffine3 {
    fn from(pose: Pose) -> Self {
        Self::from_cols_array_2d(&columns::columns(&pose))
    }
}

impl From<Pose> for DMat4 {
    fn from(pose: Pose) -> Self {
        Self::from_cols_array_2d(&columns::square(&pose))
    }
}

impl From<Vec<DVec3>> for Positions {
    fn from(positions: Vec<DVec3>) -> Self {
        Self::F64(positions.into_iter().map(Into::into).collect())
    }
}

impl From<Vec<Vec3>> for Positions {
    fn from(positions: Vec<Vec3>) -> Self {
        Self::F32(positions.into_iter().map(Into::into).collect())
    }
}

impl From<Vec<Vec3A>> for Positions {
    fn from(positions: Vec<Vec3A>) -> Self {
        Self::F32(positions.into_iter().map(Into::into).collect())
    }
}
