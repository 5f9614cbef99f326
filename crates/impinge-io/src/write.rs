//! Meshes, tracks and scenes to files that any other tool reads.

use crate::error::IoError;
use crate::file::{make_folder, write_file};
use crate::named_mesh::unique_names;
use crate::npy::npy_header;
use crate::scene::{BodyDescription, FramePositions, PositionsTrack, SceneDescription, SceneFile};
use impinge::{Mesh, Pose, Positions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// One OBJ file with an object for every body. Numbers have as many digits as it takes to read them back exactly,
/// as `f64` or as `f32`.
pub fn write_obj<'a>(
    path: &Path,
    bodies: impl IntoIterator<Item = (&'a str, &'a Mesh)>,
) -> Result<(), IoError> {
    write_file(path, |file| {
        let mut first = 1;
        for (name, mesh) in bodies {
            writeln!(file, "o {}", name.replace(char::is_control, " "))?;
            for [x, y, z] in mesh.positions().iter() {
                writeln!(file, "v {x} {y} {z}")?;
            }
            for corners in mesh.triangles() {
                let [a, b, c] = corners.map(|corner| u64::from(corner) + first);
                writeln!(file, "f {a} {b} {c}")?;
            }
            first += mesh.positions().len() as u64;
        }
        Ok(())
    })
}

/// A binary little-endian PLY, `float` or `double` as the mesh has it.
pub fn write_ply(path: &Path, mesh: &Mesh) -> Result<(), IoError> {
    write_file(path, |file| {
        let scalar = if matches!(mesh.positions(), Positions::F32(_)) { "float" } else { "double" };
        let (vertices, faces) = (mesh.positions().len(), mesh.triangles().len());
        writeln!(file, "ply\nformat binary_little_endian 1.0\nelement vertex {vertices}")?;
        ["x", "y", "z"].iter().try_for_each(|axis| writeln!(file, "property {scalar} {axis}"))?;
        writeln!(file, "element face {faces}\nproperty list uchar uint vertex_indices\nend_header")?;
        match mesh.positions() {
            Positions::F32(points) => write_f32(file, points)?,
            Positions::F64(points) => write_f64(file, points)?,
        }
        for corners in mesh.triangles() {
            file.write_all(&[3])?;
            corners.iter().try_for_each(|corner| file.write_all(&corner.to_le_bytes()))?;
        }
        Ok(())
    })
}

fn write_f32(file: &mut impl Write, points: &[[f32; 3]]) -> io::Result<()> {
    points.as_flattened().iter().try_for_each(|coordinate| file.write_all(&coordinate.to_le_bytes()))
}

fn write_f64(file: &mut impl Write, points: &[[f64; 3]]) -> io::Result<()> {
    points.as_flattened().iter().try_for_each(|coordinate| file.write_all(&coordinate.to_le_bytes()))
}

/// A track of positions as `.npy`, `[frames, vertices, 3]`.
pub fn write_positions(path: &Path, track: &PositionsTrack) -> Result<(), IoError> {
    write_file(path, |file| {
        let wide = matches!(track.frame(0), Some(FramePositions::F64(_)));
        let shape = [track.frames(), track.vertices(), 3];
        file.write_all(&npy_header(if wide { "<f8" } else { "<f4" }, &shape))?;
        for frame in (0..track.frames()).filter_map(|frame| track.frame(frame)) {
            match frame {
                FramePositions::F32(points) => write_f32(file, points)?,
                FramePositions::F64(points) => write_f64(file, points)?,
            }
        }
        Ok(())
    })
}

/// A track of poses as `.npy`, `[frames, 4, 4]`, row-major `world_from_body`.
pub fn write_poses(path: &Path, poses: &[Pose]) -> Result<(), IoError> {
    write_file(path, |file| {
        file.write_all(&npy_header("<f8", &[poses.len(), 4, 4]))?;
        let numbers = poses.iter().flat_map(|pose| pose.rows().iter().flatten().chain(&[0.0, 0.0, 0.0, 1.0]));
        numbers.map(|number| number.to_le_bytes()).try_for_each(|bytes| file.write_all(&bytes))
    })
}

/// A folder with `scene.toml`, a PLY for every body, and the tracks beside them; returns the path of the
/// `scene.toml`. The folder is made where it does not exist.
pub fn write_scene(folder: &Path, scene: &SceneFile) -> Result<PathBuf, IoError> {
    make_folder(folder)?;
    let mut stems: Vec<String> = scene.bodies().iter().map(|body| file_name(&body.name)).collect();
    unique_names(stems.iter_mut());
    let mut bodies = Vec::with_capacity(stems.len());
    for (body, stem) in scene.bodies().iter().zip(stems) {
        let mesh = format!("{stem}.ply");
        write_ply(&folder.join(&mesh), &body.mesh)?;
        let mut described = BodyDescription {
            name: body.name.clone(),
            mesh,
            positions: None,
            poses: None,
            self_collision: body.self_collision,
        };
        if let Some(track) = &body.positions {
            let name = format!("{stem}_positions.npy");
            write_positions(&folder.join(&name), track)?;
            described.positions = Some(name);
        }
        if let Some(poses) = &body.poses {
            let name = format!("{stem}_poses.npy");
            write_poses(&folder.join(&name), poses)?;
            described.poses = Some(name);
        }
        bodies.push(described);
    }
    let path = folder.join("scene.toml");
    let text = toml::to_string(&SceneDescription { name: Some(scene.name.clone()), bodies })
        .map_err(|error| IoError::Request(format!("{}: {error}", path.display())))?;
    write_file(&path, |file| file.write_all(text.as_bytes()))?;
    Ok(path)
}

/// A body's name as a file name on every system: case is lost on some, so it is given up here.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.chars().take(60).map(plain).collect();
    if name.trim_matches('-').is_empty() { "body".into() } else { name }
}
