//! A motion of the lab -> the same scene as files describe it: meshes, tracks of positions, tracks of poses.

use impinge::Pose;
use impinge_io::{PositionsTrack, SceneBody, SceneFile, TrackError};
use impinge_lab::{Actor, Motion, Track};

/// All frames of a motion that is recordable: one mesh and one track tell everything about each body.
pub(crate) fn motion(name: &str, motion: &Motion) -> Result<SceneFile, TrackError> {
    let frames = motion.frames;
    let body = |actor: &Actor| {
        let mut body = SceneBody::fixed(actor.name.clone(), (*actor.mesh).clone());
        body.self_collision = actor.self_collision;
        match &actor.track {
            Track::Deforming(positions) => {
                let points = (0..frames).flat_map(|frame| positions(frame)).collect();
                // A motion that moves a vertex too many or too few could not have been set up.
                body.positions = PositionsTrack::from_f32(body.mesh.positions().len(), points).ok();
            }
            Track::Rigid(pose) => body.poses = Some((0..frames).map(|frame| pose(frame)).collect()),
            _ => {}
        }
        body
    };
    SceneFile::new(name, motion.actors().iter().map(body).filter(has_triangles).collect())
}

/// The frame at which a motion stands, as a scene that does not move.
pub(crate) fn still(name: &str, motion: &Motion) -> Result<SceneFile, TrackError> {
    let bodies = motion.scene.bodies().map(|(_, body)| {
        let mut still = SceneBody::fixed(body.name(), body.mesh().clone());
        still.self_collision = body.self_collision();
        still.poses = Some(vec![*body.pose()]).filter(|poses| poses[0] != Pose::IDENTITY);
        still
    });
    SceneFile::new(name, bodies.filter(has_triangles).collect())
}

/// A body without triangles touches nothing, and a file without them is taken for a mistake by whoever reads it.
fn has_triangles(body: &SceneBody) -> bool {
    !body.mesh.triangles().is_empty()
}
