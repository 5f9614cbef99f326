//! Mesh files, or a `scene.toml` with its tracks, to bodies that move frame by frame.

mod description;
mod track;

pub(crate) use description::from_toml;
pub use description::{BodyDescription, MAX_SCENE_BYTES, SceneDescription, parse_scene};
pub use track::{FramePositions, PositionsTrack, parse_poses, parse_positions};

use crate::error::{FrameError, IoError, ReadError, TrackError};
use crate::file::{self, MAX_FILE_BYTES, file_stem};
use crate::mesh_file::{load_mesh_file, load_one_body};
use crate::named_mesh::unique_names;
use impinge::{BodyId, Mesh, Pose, Scene};
use std::path::{Path, PathBuf};

/// A body of a scene and how it moves.
#[derive(Clone, Debug)]
pub struct SceneBody {
    /// Different from every other body's.
    pub name: String,
    /// The mesh as its file has it.
    pub mesh: Mesh,
    /// New positions for every vertex, frame by frame, in body coordinates.
    pub positions: Option<PositionsTrack>,
    /// `world_from_body`, frame by frame; never empty.
    pub poses: Option<Vec<Pose>>,
    /// Whether the body may collide with itself.
    pub self_collision: bool,
}

impl SceneBody {
    /// A body that stays where its mesh is.
    pub fn fixed(name: impl Into<String>, mesh: Mesh) -> Self {
        Self { name: name.into(), mesh, positions: None, poses: None, self_collision: false }
    }

    /// The frames of each of its tracks.
    fn frame_counts(&self) -> impl Iterator<Item = usize> {
        let positions = self.positions.as_ref().map(PositionsTrack::frames);
        positions.into_iter().chain(self.poses.as_ref().map(Vec::len))
    }
}

/// A scene as files describe it: bodies and their tracks.
#[derive(Clone, Debug)]
pub struct SceneFile {
    /// The scene's name.
    pub name: String,
    bodies: Vec<SceneBody>,
    frames: usize,
}

impl SceneFile {
    /// From bodies whose tracks fit their meshes and each other.
    pub fn new(name: impl Into<String>, bodies: Vec<SceneBody>) -> Result<Self, TrackError> {
        if bodies.is_empty() {
            return Err(TrackError::NoBodies);
        }
        let mut longest: Option<(&SceneBody, usize)> = None;
        for body in &bodies {
            let expected = body.mesh.positions().len();
            if let Some(given) =
                body.positions.as_ref().map(PositionsTrack::vertices).filter(|&n| n != expected)
            {
                return Err(TrackError::Vertices { body: body.name.clone(), given, expected });
            }
            for frames in body.frame_counts() {
                match longest {
                    _ if frames == 0 => return Err(TrackError::NoFrames { body: body.name.clone() }),
                    _ if frames == 1 => {}
                    Some((other, other_frames)) if other_frames != frames => {
                        return Err(TrackError::Frames {
                            a: other.name.clone(),
                            a_frames: other_frames,
                            b: body.name.clone(),
                            b_frames: frames,
                        });
                    }
                    _ => longest = Some((body, frames)),
                }
            }
        }
        let frames = longest.map_or(1, |(_, frames)| frames);
        Ok(Self { name: name.into(), bodies, frames })
    }

    /// The bodies, in the order of the file.
    pub fn bodies(&self) -> &[SceneBody] {
        &self.bodies
    }

    /// Turns self-collision on or off for every body.
    pub fn set_self_collision(&mut self, on: bool) {
        self.bodies.iter_mut().for_each(|body| body.self_collision = on);
    }

    /// Number of frames: 1 where nothing moves.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The scene at frame 0; its bodies are in the order of [`SceneFile::bodies`].
    pub fn to_scene(&self) -> Result<(Scene, Vec<BodyId>), FrameError> {
        let mut scene = Scene::new();
        let mut ids = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let id = scene.add(body.name.clone(), body.mesh.clone());
            scene
                .set_self_collision(id, body.self_collision)
                .map_err(|error| FrameError::Scene { frame: 0, error })?;
            ids.push(id);
        }
        self.apply_frame(&mut scene, &ids, 0)?;
        Ok((scene, ids))
    }

    /// Moves every body to where it is in a frame. A track of one frame holds for all.
    pub fn apply_frame(&self, scene: &mut Scene, ids: &[BodyId], frame: usize) -> Result<(), FrameError> {
        if frame >= self.frames {
            return Err(FrameError::NoSuchFrame { frame, frames: self.frames });
        }
        if ids.len() != self.bodies.len() {
            return Err(FrameError::WrongBodies { given: ids.len(), expected: self.bodies.len() });
        }
        for (body, &id) in self.bodies.iter().zip(ids) {
            let moved =
                match body.positions.as_ref().and_then(|track| track.frame(frame.min(track.frames() - 1))) {
                    Some(FramePositions::F32(points)) => scene.set_positions(id, points),
                    Some(FramePositions::F64(points)) => scene.set_positions(id, points),
                    None => Ok(()),
                };
            let pose = body.poses.as_ref().and_then(|poses| poses.get(frame.min(poses.len() - 1)));
            let posed = moved.and_then(|()| pose.map_or(Ok(()), |pose| scene.set_pose(id, *pose)));
            posed.map_err(|error| FrameError::Scene { frame, error })?;
        }
        Ok(())
    }
}

/// Reads a `scene.toml` and every file it names.
pub fn load_scene_file(path: &Path) -> Result<SceneFile, IoError> {
    let named = |path: &Path| {
        let path = path.to_path_buf();
        move |error: ReadError| IoError::Read { path, error: error.into() }
    };
    let scene = parse_scene(&file::read(path, MAX_SCENE_BYTES)?).map_err(named(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut bodies = Vec::with_capacity(scene.bodies.len());
    for body in scene.bodies {
        let mesh = load_one_body(&folder.join(&body.mesh))?;
        let track = |name: &str| {
            let path = folder.join(name);
            file::read(&path, MAX_FILE_BYTES).map(|bytes| (path, bytes))
        };
        let positions = match body.positions.as_deref().map(track).transpose()? {
            Some((path, bytes)) => Some(parse_positions(&bytes).map_err(named(&path))?),
            None => None,
        };
        let poses = match body.poses.as_deref().map(track).transpose()? {
            Some((path, bytes)) => Some(parse_poses(&bytes).map_err(named(&path))?),
            None => None,
        };
        bodies.push(SceneBody {
            name: body.name,
            mesh,
            positions,
            poses,
            self_collision: body.self_collision,
        });
    }
    let name = scene.name.unwrap_or_else(|| file_stem(path));
    SceneFile::new(name, bodies).map_err(|error| IoError::Tracks { path: path.into(), error })
}

/// Mesh files, each of one or several bodies, or one `scene.toml`.
///
/// A body has the name of its object where a file has several, else of its file; a second one of the same name
/// gets a number.
pub fn load(paths: &[PathBuf]) -> Result<SceneFile, IoError> {
    let is_scene =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    match paths {
        [] => return Err(IoError::Request("no files were given".into())),
        [path] if is_scene(path) => return load_scene_file(path),
        _ => {}
    }
    if let Some(path) = paths.iter().find(|path| is_scene(path)) {
        let problem =
            format!("{}: a scene is checked on its own, not together with other files", path.display());
        return Err(IoError::Request(problem));
    }
    let mut bodies = Vec::new();
    for path in paths {
        bodies.extend(load_mesh_file(path)?.into_iter().map(|body| SceneBody::fixed(body.name, body.mesh)));
    }
    unique_names(bodies.iter_mut().map(|body| &mut body.name));
    let name = match paths {
        [path] => file_stem(path),
        _ => "files".into(),
    };
    SceneFile::new(name, bodies).map_err(|error| IoError::Tracks { path: paths[0].clone(), error })
}
