//! One file, or its bytes, to meshes: which reader, and where files are that it refers to.

use crate::error::{IoError, Place, Problem, ReadError};
use crate::file::{self, MAX_FILE_BYTES, file_stem};
use crate::format::Format;
use crate::named_mesh::{NamedMesh, ParseOptions};
use crate::{gltf, obj, off, ply, stl};
use impinge::{Mesh, Positions};
use std::path::Path;

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
    let stem = file_stem(path);
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
