//! Which format a file has: by its extension, unless the content says otherwise.

use std::path::Path;

/// A mesh file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL, ascii or binary.
    Stl,
    /// PLY, ascii or binary.
    Ply,
    /// Geomview OFF and its relatives COFF, NOFF, STOFF.
    Off,
    /// glTF 2.0, as JSON or as a GLB container.
    Gltf,
}

impl Format {
    /// Every format, in a fixed order.
    pub const ALL: [Self; 5] = [Self::Obj, Self::Stl, Self::Ply, Self::Off, Self::Gltf];

    /// By extension, in any case.
    pub fn from_extension(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::Stl),
            "ply" => Some(Self::Ply),
            "off" | "coff" | "noff" | "cnoff" | "stoff" => Some(Self::Off),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }

    /// The usual extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Stl => "stl",
            Self::Ply => "ply",
            Self::Off => "off",
            Self::Gltf => "glb",
        }
    }

    /// By content, where the content is telling. `None` is no verdict: OBJ, for one, has no mark of its own.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        // First, because the 80 free bytes that open a binary STL may imitate any of the marks below.
        if is_binary_stl(bytes) {
            return Some(Self::Stl);
        }
        let text = &bytes[..bytes.len().min(4096)];
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        match first {
            _ if bytes.starts_with(b"glTF") => Some(Self::Gltf),
            b"ply" => {
                words.next().filter(|word| *word == b"format" || *word == b"comment").map(|_| Self::Ply)
            }
            _ if first.eq_ignore_ascii_case(b"solid") => Some(Self::Stl),
            _ if is_off_header(first) => Some(Self::Off),
            _ if first.starts_with(b"{") => Some(Self::Gltf),
            _ => None,
        }
    }

    /// The format to read a file with. The content wins where it contradicts the extension.
    pub fn detect(path: &Path, bytes: &[u8]) -> Option<Self> {
        let by_content = Self::sniff(bytes);
        by_content
            .or_else(|| Self::from_extension(path))
            .or_else(|| looks_like_obj(bytes).then_some(Self::Obj))
    }
}

/// Whether the size is exactly that of a binary STL with the number of triangles it claims.
pub(crate) fn is_binary_stl(bytes: &[u8]) -> bool {
    bytes.get(80..84).is_some_and(|count| {
        let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]);
        count > 0 && bytes.len() as u64 == 84 + 50 * u64::from(count)
    })
}

/// `OFF` with any of the prefixes `ST`, `C`, `N`, `4`, `n` that Geomview allows.
pub(crate) fn is_off_header(word: &[u8]) -> bool {
    let mut rest = word;
    for prefix in ["ST", "C", "N", "4", "n"] {
        rest = rest.strip_prefix(prefix.as_bytes()).unwrap_or(rest);
    }
    rest == b"OFF"
}

fn looks_like_obj(bytes: &[u8]) -> bool {
    const LINES: usize = 200;
    let head = &bytes[..bytes.len().min(1 << 16)];
    head.split(|&b| b == b'\n').take(LINES).any(|line| {
        let line = line.trim_ascii_start();
        line.starts_with(b"v ") || line.starts_with(b"f ") || line.starts_with(b"v\t")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_wins_over_the_extension() {
        let binary_stl = [b"solid but binary".as_slice(), &[b' '; 64], &[1, 0, 0, 0], &[0; 50]].concat();
        for (path, bytes, format) in [
            ("a.obj", &b"v 0 0 0\n"[..], Some(Format::Obj)),
            ("a.obj", b"ply\nformat ascii 1.0\n", Some(Format::Ply)),
            ("a.ply", b"solid x\nfacet", Some(Format::Stl)),
            ("a.STL", b"junk", Some(Format::Stl)),
            ("a.txt", &binary_stl, Some(Format::Stl)),
            ("a", b"OFF\n3 1 0", Some(Format::Off)),
            ("a", b"STCN4OFF 3 1 0", Some(Format::Off)),
            ("a", b"OFFSET", None),
            ("a", b"glTF\x02\0\0\0", Some(Format::Gltf)),
            ("a.gltf", b" {\"asset\":{}}", Some(Format::Gltf)),
            ("a", b"# model\nv 0 0 0\n", Some(Format::Obj)),
            ("a", b"\0\0\0", None),
            ("a", b"", None),
        ] {
            assert_eq!(
                Format::detect(Path::new(path), bytes),
                format,
                "{path} {}",
                String::from_utf8_lossy(bytes)
            );
        }
    }
}
