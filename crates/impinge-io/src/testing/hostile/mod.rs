//! Files that must be refused, each with what the error must say.

mod binary;
mod gltf;
mod scene;
mod text;

use super::HostileFile;

/// Name of the case, extension, content, a part of the error message.
type Case = (&'static str, &'static str, Vec<u8>, &'static str);

/// Hostile files of every format; each is to be loaded on its own and refused in one line.
pub fn hostile_files() -> Vec<HostileFile> {
    let cases = [text::obj(), text::stl(), text::off(), binary::stl(), binary::ply(), gltf::gltf()].concat();
    let file = |(name, extension, bytes, expected): Case| HostileFile {
        name: format!("{extension}-{name}"),
        files: vec![(format!("mesh.{extension}"), bytes)],
        expected,
    };
    cases.into_iter().map(file).chain(scene::scenes()).collect()
}
