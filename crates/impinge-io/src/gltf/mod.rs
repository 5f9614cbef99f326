//! glTF 2.0, JSON or GLB, to meshes: a body for every node with a mesh, its transform applied in `f64`.
//!
//! The crate `gltf` reads the same files, but underflows at an accessor of zero elements, takes index 2^32 for
//! index 0, holds 120 bytes for every byte of a hostile document, rounds transforms to `f32`, and refuses files
//! that require an extension of materials. What a mesh needs of the format is little.

mod accessor;
mod buffers;
mod document;
mod nodes;

use crate::bytes::{Bytes, Endian};
use crate::error::{Place, Problem, ReadError, clean_name, shown};
use crate::named_mesh::{NamedMesh, ParseOptions};
use crate::strip::{fan_triangles, strip_triangles};
use crate::weld::Welder;
use accessor::{Component, Reader};
use buffers::Buffers;
use document::{Document, Primitive};
use impinge::{Mesh, Pose};
use nodes::Instance;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

pub(crate) fn parse(
    bytes: &[u8],
    name_hint: &str,
    options: &ParseOptions,
) -> Result<Vec<NamedMesh>, ReadError> {
    let (json, blob) = if bytes.starts_with(b"glTF") { split_container(bytes)? } else { (bytes, None) };
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        let text = error.to_string();
        let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
        Problem::Malformed(format!("{}, column {}", one_line(problem), error.column()))
            .at(Place::Line(error.line()))
    })?;
    check_version_and_extensions(&document)?;

    let buffers = Buffers::new(&document, blob, options.resolve);
    let mut triangles_left = bytes.len().saturating_add(options.instanced_triangles);
    // A mesh used by many nodes is read once, and all uses are counted before any is made.
    let mut meshes: HashMap<usize, Part> = HashMap::new();
    let instances = nodes::instances(&document)?;
    for instance in &instances {
        element(&document.meshes, "mesh", instance.mesh, instance.place())?;
        match meshes.entry(instance.mesh) {
            Entry::Vacant(entry) => {
                entry.insert(read_mesh(&buffers, instance.mesh, &mut triangles_left)?);
            }
            Entry::Occupied(entry) => {
                let more = entry.get().triangles.len();
                triangles_left =
                    triangles_left.checked_sub(more).ok_or_else(|| too_many(instance.place()))?;
            }
        }
    }
    let mut bodies = Vec::new();
    for instance in &instances {
        let part = &meshes[&instance.mesh];
        if !part.triangles.is_empty() {
            let mesh = part.place(instance.world_from_mesh.as_ref());
            let mesh = mesh.map_err(|error| Problem::from(error).at(instance.place()))?;
            bodies.push(NamedMesh { name: name(&document, instance, name_hint), mesh });
        }
    }
    if bodies.is_empty() {
        return Err(Problem::NoTriangles { hint: None }.at(Place::File));
    }
    Ok(bodies)
}

/// Item `index` of a list, or an error at the place that refers to it.
fn element<'a, T>(list: &'a [T], what: &'static str, index: usize, from: Place) -> Result<&'a T, ReadError> {
    let error =
        || Problem::Index { what, index: i64::try_from(index).unwrap_or(i64::MAX), count: list.len() };
    list.get(index).ok_or_else(|| error().at(from))
}

fn one_line(text: &str) -> String {
    let quoted = shown(text.as_bytes());
    if text.len() < 200 && !text.contains(char::is_control) { text.into() } else { quoted }
}

fn too_many(place: Place) -> ReadError {
    let problem = "its instances together have more triangles than are read from a file of this size";
    Problem::Malformed(problem.into()).at(place)
}

/// The JSON and the binary chunk of a GLB container.
fn split_container(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ReadError> {
    const INSIDE: &str = "a GLB header";
    let mut data = Bytes::new(bytes, 4, Endian::Little);
    let version = data.u32(INSIDE)?;
    if version != 2 {
        return Err(Problem::Unsupported(format!("GLB version {version}")).at(Place::Byte(4)));
    }
    let length = data.u32(INSIDE)? as usize;
    if length > bytes.len() || length < 20 {
        let problem = format!("claims {length} bytes, but the file has {}", bytes.len());
        return Err(Problem::Malformed(problem).at(Place::Byte(8)));
    }
    let mut data = Bytes::new(&bytes[..length], 12, Endian::Little);
    let (mut json, mut blob) = (None, None);
    while data.left() > 0 {
        let place = data.place();
        let length = data.u32("a GLB chunk")? as usize;
        let kind = data.u32("a GLB chunk")?.to_le_bytes();
        let chunk = data.take(length, "a GLB chunk")?;
        match &kind {
            b"JSON" if json.is_none() => json = Some(chunk),
            _ if json.is_none() => return Err(Problem::expected("a JSON chunk first", &kind).at(place)),
            b"BIN\0" if blob.is_none() => blob = Some(chunk),
            _ => {} // the format asks to skip chunks of other kinds
        }
    }
    let json =
        json.ok_or_else(|| Problem::Malformed("the container has no JSON chunk".into()).at(Place::Byte(12)))?;
    Ok((json, blob))
}

/// Beginnings of extensions that change how a mesh looks, not where it is.
const HARMLESS: [&str; 7] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_xmp",
];

fn check_version_and_extensions(document: &Document) -> Result<(), ReadError> {
    let version = &document.asset.version;
    if !version.starts_with("2.") {
        let version = shown(version.as_bytes());
        return Err(Problem::Unsupported(format!("glTF version {version}")).at(Place::File));
    }
    for (index, extension) in document.extensions_required.iter().enumerate() {
        let harmless = HARMLESS.iter().any(|prefix| extension.starts_with(prefix));
        if !harmless && extension != "KHR_mesh_quantization" {
            let problem =
                Problem::Unsupported(format!("the required extension {}", shown(extension.as_bytes())));
            return Err(problem.at(Place::Element("extensionsRequired", index)));
        }
    }
    Ok(())
}

fn name(document: &Document, instance: &Instance, name_hint: &str) -> String {
    let node = instance.node.and_then(|node| document.nodes[node].name.as_deref());
    let name =
        node.or(document.meshes[instance.mesh].name.as_deref()).map(|name| clean_name(name.as_bytes()));
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| name_hint.into())
}

/// `f32`, or the integers of `KHR_mesh_quantization`.
const POSITION_TYPES: [Component; 5] =
    [Component::F32, Component::I8, Component::U8, Component::I16, Component::U16];

/// A mesh before it is placed.
struct Part {
    positions: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    /// Whether every coordinate is exactly an `f32`.
    fits_f32: bool,
}

/// The triangles of all primitives over welded vertices: the seams of normals and materials are the format's,
/// not the surface's.
fn read_mesh(buffers: &Buffers, mesh: usize, triangles_left: &mut usize) -> Result<Part, ReadError> {
    let mut welder = Welder::<f64>::default();
    let mut triangles = Vec::new();
    let mut fits_f32 = true;
    for (index, primitive) in buffers.document.meshes[mesh].primitives.iter().enumerate() {
        let place = Place::Nested("mesh", mesh, "primitive", index);
        let mode = primitive.mode;
        if mode < 4 {
            continue; // points and lines
        }
        if mode > 6 {
            return Err(Problem::Malformed(format!("has the mode {mode}; modes are 0 to 6")).at(place));
        }
        let Some(position) = primitive.attributes.position else { continue };
        let positions = Reader::new(buffers, position, ("VEC3", 3), &POSITION_TYPES, place.clone())?;
        fits_f32 &= positions.component == Component::F32 || !positions.normalized;
        let corners = corners(buffers, primitive, &positions, &place, triangles_left)?;
        let mut weld = |corner: u32| {
            let point: [f64; 3] = positions.get(corner as usize);
            match point.iter().position(|c| !c.is_finite()) {
                None => Ok(welder.add(point)),
                Some(axis) => {
                    let place = Place::Nested("accessor", position, "vertex", corner as usize);
                    Err(Problem::NotFinite { axis, value: point[axis] }.at(place))
                }
            }
        };
        let mut add = |[a, b, c]: [u32; 3]| {
            triangles.push([weld(a)?, weld(b)?, weld(c)?]);
            Ok(())
        };
        match mode {
            4 => corners.chunks_exact(3).try_for_each(|corners| add([corners[0], corners[1], corners[2]]))?,
            5 => strip_triangles(&corners).try_for_each(add)?,
            _ => fan_triangles(&corners).try_for_each(add)?,
        }
    }
    Ok(Part { positions: welder.into_points(), triangles, fits_f32 })
}

/// The vertex numbers that a primitive's triangles are made of, in order.
fn corners(
    buffers: &Buffers,
    primitive: &Primitive,
    positions: &Reader,
    place: &Place,
    triangles_left: &mut usize,
) -> Result<Vec<u32>, ReadError> {
    const INDEX_TYPES: [Component; 3] = [Component::U8, Component::U16, Component::U32];
    let indices = match primitive.indices {
        Some(indices) => Some(Reader::new(buffers, indices, ("SCALAR", 1), &INDEX_TYPES, place.clone())?),
        None => None,
    };
    let count = indices.as_ref().map_or(positions.count, |indices| indices.count);
    if primitive.mode == 4 && count % 3 != 0 {
        return Err(Problem::Malformed(format!("has {count} corners, which is not a multiple of 3"))
            .at(place.clone()));
    }
    let triangles = if primitive.mode == 4 { count / 3 } else { count.saturating_sub(2) };
    // Those of a strip that turn out to be stitches count too: they take time.
    match triangles_left.checked_sub(triangles) {
        Some(left) if u32::try_from(count).is_ok() => *triangles_left = left,
        _ => return Err(too_many(place.clone())),
    }
    let Some(indices) = indices else { return Ok((0..count as u32).collect()) };
    let mut corners = Vec::with_capacity(count);
    for index in 0..count {
        let [corner] = indices.get::<1>(index);
        if corner >= positions.count as f64 {
            let problem = Problem::Index { what: "vertex", index: corner as i64, count: positions.count };
            return Err(problem.at(place.clone()));
        }
        corners.push(corner as u32);
    }
    Ok(corners)
}

impl Part {
    fn place(&self, world_from_mesh: Option<&Pose>) -> Result<Mesh, impinge::MeshError> {
        let mut triangles = self.triangles.clone();
        match world_from_mesh {
            Some(pose) => {
                if nodes::mirrors(pose) {
                    for corners in &mut triangles {
                        corners.swap(1, 2);
                    }
                }
                let positions: Vec<[f64; 3]> =
                    self.positions.iter().map(|&point| pose.apply(point)).collect();
                Mesh::new(positions, triangles)
            }
            None if self.fits_f32 => {
                let positions: Vec<[f32; 3]> =
                    self.positions.iter().map(|point| point.map(|c| c as f32)).collect();
                Mesh::new(positions, triangles)
            }
            None => Mesh::new(self.positions.clone(), triangles),
        }
    }
}
