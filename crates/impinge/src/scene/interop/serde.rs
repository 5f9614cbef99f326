//! `serde`: what is read is checked as what is built is, so that no stored mesh or pose holds what they promise not to.

use super::super::{Mesh, MeshError, Pose, PoseError, Positions};
use serde::Deserialize;

/// A mesh before it is checked.
#[derive(Deserialize)]
#[serde(rename = "Mesh")]
pub(in super::super) struct Unchecked {
    positions: Positions,
    triangles: Vec<[u32; 3]>,
}

impl TryFrom<Unchecked> for Mesh {
    type Error = MeshError;

    fn try_from(Unchecked { positions, triangles }: Unchecked) -> Result<Self, MeshError> {
        Self::new(positions, triangles)
    }
}

impl TryFrom<[[f64; 4]; 3]> for Pose {
    type Error = PoseError;

    fn try_from(rows: [[f64; 4]; 3]) -> Result<Self, PoseError> {
        Self::from_rows(rows)
    }
}

impl From<Pose> for [[f64; 4]; 3] {
    fn from(pose: Pose) -> Self {
        *pose.rows()
    }
}
