//! Files for tests: valid ones of every format, and hostile ones with what their error must say. For the tests
//! of this crate and of the program, and as seeds for fuzzing.

mod hostile;
mod samples;

pub use hostile::hostile_files;
pub use samples::samples;

use crate::Format;
use crate::npy::npy_header;
use std::io;
use std::path::{Path, PathBuf};

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A mesh.
    Mesh(Format),
    /// A track of positions, `.npy`.
    Positions,
    /// A track of poses, `.npy`.
    Poses,
    /// A `scene.toml`.
    Scene,
}

/// A valid file.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its name, with an extension.
    pub name: &'static str,
    /// What it is for.
    pub kind: Kind,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A file that must be refused, with the files it needs beside it.
#[derive(Clone, Debug)]
pub struct HostileFile {
    /// What is wrong with it; also the name of its folder.
    pub name: String,
    /// Names and contents; the first is the one to load.
    pub files: Vec<(String, Vec<u8>)>,
    /// A part of the error message: the place and the problem.
    pub expected: &'static str,
}

impl HostileFile {
    /// Writes the files to a folder of their own in `folder`; returns the path of the one to load.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        let folder = folder.join(&self.name);
        std::fs::create_dir_all(&folder)?;
        for (name, bytes) in &self.files {
            std::fs::write(folder.join(name), bytes)?;
        }
        Ok(folder.join(&self.files[0].0))
    }
}

/// A binary STL with the header `header` that claims `claimed` triangles.
pub(crate) fn stl(header: &str, claimed: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(80, 0);
    bytes.extend(claimed.to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        bytes.extend(triangle.as_flattened().iter().flat_map(|c| c.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// A GLB container of two chunks.
pub(crate) fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let json = json.to_string() + &" ".repeat(json.len().next_multiple_of(4) - json.len());
    let length = 12 + 8 + json.len() + 8 + binary.len();
    let length_of = |part: usize| (part as u32).to_le_bytes();
    let header: &[&[u8]] = &[b"glTF", &2u32.to_le_bytes(), &length_of(length)];
    let chunks: &[&[u8]] =
        &[&length_of(json.len()), b"JSON", json.as_bytes(), &length_of(binary.len()), b"BIN\0", binary];
    [header, chunks].concat().concat()
}

/// A glTF document of one triangle; [`triangle_binary`] is its buffer.
pub(crate) const TRIANGLE_JSON: &str = concat!(
    r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"#,
    r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"#,
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},"#,
    r#"{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],"#,
    r#""bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],"#,
    r#""buffers":[{"byteLength":44}]}"#
);

/// Three positions, three indices of two bytes, two bytes to fill up.
pub(crate) fn triangle_binary() -> Vec<u8> {
    let positions = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut bytes: Vec<u8> = positions.as_flattened().iter().flat_map(|c| c.to_le_bytes()).collect();
    bytes.extend([0, 0, 1, 0, 2, 0, 0, 0]);
    bytes
}

/// A `.npy` file of doubles.
pub(crate) fn npy(shape: &[usize], values: &[f64]) -> Vec<u8> {
    let mut bytes = npy_header("<f8", shape);
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}
