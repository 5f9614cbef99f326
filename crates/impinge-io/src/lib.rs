//! Files to meshes and scenes, and back: OBJ, STL, PLY, OFF, glTF, `scene.toml` with `.npy` tracks.
//!
//! ```no_run
//! use std::path::PathBuf;
//! let file = impinge_io::load(&[PathBuf::from("cloth.ply"), PathBuf::from("ball.glb")])?;
//! let (mut scene, ids) = file.to_scene()?;
//! for frame in 0..file.frames() {
//!     file.apply_frame(&mut scene, &ids, frame)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Any file.** A malformed, truncated or hostile one gives an error that names the file and the place in it.
//! Counts that a file claims are checked against its size before memory is taken for them; what is taken is a
//! small multiple of the size. `fuzz/` holds every reader to both.
//!
//! **Nothing is rounded.** Single precision stays so (binary STL, PLY `float`, glTF without transforms), decimal
//! numbers become the nearest `f64`. Vertices keep their numbers, except in STL and glTF, whose corners at
//! exactly the same place become one vertex, and where an OBJ is split into several bodies.

mod bytes;
mod error;
mod file;
mod format;
mod gltf;
mod mesh_file;
mod named_mesh;
mod npy;
mod obj;
mod off;
mod particles;
mod ply;
mod polygon;
mod scene;
mod stl;
mod strip;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
mod weld;
mod write;

pub use error::{FrameError, IoError, ParticlesError, Place, Problem, ReadError, TrackError};
pub use file::{MAX_FILE_BYTES, make_folder, write_file};
pub use format::Format;
pub use mesh_file::{load_mesh_file, parse_mesh};
pub use named_mesh::{NamedMesh, ParseOptions, Resolve};
pub use npy::{Array, Values, parse_npy};
pub use particles::{
    ClipDescription, ColliderDescription, EmitterDescription, MAX_MAP_SIDE, MAX_PARTICLES, MAX_STEPS,
    MapRequest, ParticleDescription, ParticleScene, ParticlesDescription, RebirthDescription,
    RegionDescription, SpreadDescription, StepsDescription, build_particles, load_particles, parse_particles,
    write_particles,
};
pub use scene::{
    BodyDescription, FramePositions, MAX_SCENE_BYTES, PositionsTrack, SceneBody, SceneDescription, SceneFile,
    load, load_scene_file, parse_poses, parse_positions, parse_scene,
};
pub use weld::weld;
pub use write::{write_obj, write_ply, write_poses, write_positions, write_scene};
