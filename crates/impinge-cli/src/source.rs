//! Where the bodies of `check` and `bench` come from: files, or a scene of the lab held in memory.

use crate::error::Error;
use crate::record;
use impinge::{BodyId, Scene};
use impinge_io::{SceneBody, SceneFile};
use impinge_lab::Motion;
use std::path::{Path, PathBuf};

/// A scene and its frames.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) scene: Scene,
    frames: Frames,
}

enum Frames {
    Tracks {
        file: Box<SceneFile>,
        ids: Vec<BodyId>,
    },
    /// Bodies come, go or break: every frame is a scene of its own.
    Scenes(Vec<Scene>),
}

impl Source {
    pub(crate) fn load(paths: &[PathBuf], weld: bool) -> Result<Self, Error> {
        let file = impinge_io::load(paths)?;
        Self::of_file(if weld { welded(&file)? } else { file })
    }

    /// A file if there is one of that name or it looks like one, else a scene of the lab. Whatever moves is
    /// computed now, so that no time is spent on it later.
    pub(crate) fn find(name: &str, triangles: usize, seed: u64) -> Result<Self, Error> {
        let path = Path::new(name);
        if path.exists() || path.extension().is_some() {
            return Self::load(&[path.to_owned()], false);
        }
        let scene = impinge_lab::find(name).ok_or_else(|| Error::NoSuchInput { name: name.to_owned() })?;
        let motion = scene.build(triangles, seed);
        if motion.is_recordable() {
            Self::of_file(record::motion(name, &motion).map_err(|error| Error::scene(name, error))?)
        } else {
            Self::of_scenes(name, motion)
        }
    }

    fn of_file(file: SceneFile) -> Result<Self, Error> {
        let (scene, ids) = file.to_scene().map_err(|error| Error::scene(&file.name, error))?;
        Ok(Self { name: file.name.clone(), scene, frames: Frames::Tracks { file: Box::new(file), ids } })
    }

    fn of_scenes(name: &str, mut motion: Motion) -> Result<Self, Error> {
        let frames = 0..motion.frames;
        let scenes: Result<Vec<Scene>, _> =
            frames.map(|frame| motion.set_frame(frame).map(|()| motion.scene.clone())).collect();
        let scenes = scenes.map_err(|error| Error::scene(name, error))?;
        Ok(Self { name: name.to_owned(), scene: motion.scene, frames: Frames::Scenes(scenes) })
    }

    pub(crate) fn frames(&self) -> usize {
        match &self.frames {
            Frames::Tracks { file, .. } => file.frames(),
            Frames::Scenes(scenes) => scenes.len(),
        }
    }

    /// Puts new positions and poses into the scene.
    pub(crate) fn set_frame(&mut self, frame: usize) -> Result<(), Error> {
        match &self.frames {
            Frames::Tracks { file, ids } => {
                file.apply_frame(&mut self.scene, ids, frame).map_err(|error| Error::scene(&self.name, error))
            }
            Frames::Scenes(scenes) => {
                self.scene.clone_from(&scenes[frame]);
                Ok(())
            }
        }
    }
}

/// Every body with its coincident vertices merged.
fn welded(file: &SceneFile) -> Result<SceneFile, Error> {
    let weld = |body: &SceneBody| match body.positions {
        None => Ok(SceneBody { mesh: impinge_io::weld(&body.mesh), ..body.clone() }),
        Some(_) => Err(Error::WeldDeforming { scene: file.name.clone(), body: body.name.clone() }),
    };
    let bodies: Result<Vec<SceneBody>, Error> = file.bodies().iter().map(weld).collect();
    SceneFile::new(file.name.clone(), bodies?).map_err(|error| Error::scene(&file.name, error))
}
