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

pub use error::{FrameError, IoError, Place, Problem, ReadError, TrackError};
pub use file::{MAX_FILE_BYTES, make_folder, write_file};
pub use format::Format;
pub use npy::{Array, Values, parse_npy};
pub use particles::{
    ClipDescription, ColliderDescription, EmitterDescription, MAX_MAP_SIDE, MAX_PARTICLES, MAX_STEPS,
    MapRequest, ParticleDescription, ParticleScene, ParticlesDescription, ParticlesError, RebirthDescription,
    RegionDescription, SpreadDescription, StepsDescription, build_particles, load_particles, parse_particles,
    write_particles,
};
pub use scene::{
    BodyDescription, FramePositions, MAX_SCENE_BYTES, PositionsTrack, SceneBody, SceneDescription, SceneFile,
    load, load_scene_file, parse_poses, parse_positions, parse_scene,
};
pub use weld::weld;
pub use write::{write_obj, write_ply, write_poses, write_positions, write_scene};

use impinge::{Mesh, Positions};
use std::collections::HashSet;
use std::path::Path;

/// A mesh and what its file calls it.
#[derive(Clone, Debug)]
pub struct NamedMesh {
    /// The object's or node's name; the file's where it has none.
    pub name: String,
    /// The mesh.
    pub mesh: Mesh,
}

/// Gives the bytes of a file that another refers to by `uri`, or says why not.
pub type Resolve<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// How to read the bytes of a file.
#[derive(Clone, Copy)]
pub struct ParseOptions<'a> {
    /// All triangles as one body, the vertices numbered as in the file where it numbers them throughout.
    pub one_body: bool,
    /// Finds the external buffers of glTF.
    pub resolve: Resolve<'a>,
    /// A few bytes of glTF can place a mesh many times. So many triangles may be read in addition to one for
    /// every byte of the file.
    pub instanced_triangles: usize,
}

impl Default for ParseOptions<'_> {
    fn default() -> Self {
        Self {
            one_body: false,
            resolve: &|_| Err("other files are not read here".into()),
            instanced_triangles: 1 << 24,
        }
    }
}

/// Bytes of a known format to one or several bodies, at least one triangle each. No file is opened.
///
/// ```
/// use impinge_io::{Format, ParseOptions, parse_mesh};
/// let bodies = parse_mesh(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Format::Obj, "leaf", &ParseOptions::default())?;
/// assert_eq!((bodies[0].name.as_str(), bodies[0].mesh.triangles()), ("leaf", &[[0, 1, 2]][..]));
/// let error = parse_mesh(b"v 0 0 0\nf 1 2 3\n", Format::Obj, "leaf", &ParseOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: refers to vertex 2, but there are 1");
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
pub fn parse_mesh(
    bytes: &[u8],
    format: Format,
    name_hint: &str,
    options: &ParseOptions,
) -> Result<Vec<NamedMesh>, ReadError> {
    let bodies = match format {
        Format::Obj => obj::parse(bytes, name_hint, options),
        Format::Stl => stl::parse(bytes, name_hint),
        Format::Ply => ply::parse(bytes, name_hint),
        Format::Off => off::parse(bytes, name_hint),
        Format::Gltf => gltf::parse(bytes, name_hint, options),
    }?;
    if !options.one_body || bodies.len() == 1 {
        return Ok(bodies);
    }
    let mesh = merge(bodies).map_err(|error| Problem::from(error).at(Place::File))?;
    Ok(vec![NamedMesh { name: name_hint.into(), mesh }])
}

/// One file to one or several bodies. The format is that of the content where the content tells, else of the
/// extension.
pub fn load_mesh_file(path: &Path) -> Result<Vec<NamedMesh>, IoError> {
    let stem = scene::file_stem(path);
    let mut bodies = load_file(path, &stem, false)?;
    if let [body] = &mut bodies[..] {
        body.name = stem;
    }
    Ok(bodies)
}

/// One file as one mesh, however many objects it has.
pub(crate) fn load_one_body(path: &Path) -> Result<Mesh, IoError> {
    let mut bodies = load_file(path, "", true)?;
    Ok(bodies.swap_remove(0).mesh)
}

/// At least one body, and one exactly if asked for.
fn load_file(path: &Path, name_hint: &str, one_body: bool) -> Result<Vec<NamedMesh>, IoError> {
    let bytes = file::read(path, MAX_FILE_BYTES)?;
    let format = Format::detect(path, &bytes).ok_or_else(|| IoError::UnknownFormat { path: path.into() })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let resolve = |uri: &str| {
        let path = file::below(folder, uri)?;
        file::read(&path, MAX_FILE_BYTES).map_err(|error| match error {
            IoError::System { error, .. } => error.to_string(),
            other => other.to_string(),
        })
    };
    let options = ParseOptions { one_body, resolve: &resolve, ..ParseOptions::default() };
    parse_mesh(&bytes, format, name_hint, &options)
        .map_err(|error| IoError::Read { path: path.into(), error: error.into() })
}

/// Bodies one after the other in one mesh, in `f32` only if all of them are.
fn merge(bodies: Vec<NamedMesh>) -> Result<Mesh, impinge::MeshError> {
    let all_f32 = bodies.iter().all(|body| matches!(body.mesh.positions(), Positions::F32(_)));
    let (mut narrow, mut wide, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for NamedMesh { mesh, .. } in bodies {
        let before = (narrow.len() + wide.len()) as u32;
        match mesh.positions() {
            Positions::F32(points) if all_f32 => narrow.extend_from_slice(points),
            points => wide.extend(points.iter()),
        }
        triangles.extend(
            mesh.triangles().iter().map(|corners| corners.map(|corner| corner.saturating_add(before))),
        );
    }
    if all_f32 { Mesh::new(narrow, triangles) } else { Mesh::new(wide, triangles) }
}

/// Gives every name after the first of its kind a number: `wheel`, `wheel-2`, `wheel-3`.
fn unique_names<'a>(names: impl Iterator<Item = &'a mut String>) {
    let mut taken = HashSet::new();
    // Where to go on counting for each name, so that ten thousand equal ones do not count from 2 each.
    let mut next: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for name in names {
        if taken.contains(name.as_str()) {
            let number = next.entry(name.clone()).or_insert(2);
            let numbered = loop {
                let numbered = format!("{name}-{number}");
                *number += 1;
                if !taken.contains(&numbered) {
                    break numbered;
                }
            };
            *name = numbered;
        }
        taken.insert(name.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_get_numbers() {
        let mut names = ["wheel", "wheel", "wheel-2", "axle", "wheel"].map(String::from);
        unique_names(names.iter_mut());
        assert_eq!(names, ["wheel", "wheel-2", "wheel-2-2", "axle", "wheel-3"]);
    }
}
