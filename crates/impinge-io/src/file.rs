//! Files to bytes: ordinary files of a bounded size, and nothing outside the folder a file may refer to.

use crate::error::IoError;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Largest mesh or track file that is read. A reader takes a small multiple of it in memory.
pub const MAX_FILE_BYTES: u64 = 4 << 30;

/// The whole of a file.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, IoError> {
    let system = |error| IoError::System { path: path.into(), action: "read", error };
    // Before it is opened: opening a pipe waits for its other end.
    let metadata = std::fs::metadata(path).map_err(system)?;
    if !metadata.is_file() {
        return Err(IoError::NotAFile { path: path.into() });
    }
    let too_large = |bytes| IoError::TooLarge { path: path.into(), bytes, limit };
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::new();
    let room = metadata.len() as usize;
    bytes.try_reserve_exact(room).map_err(|_| system(std::io::ErrorKind::OutOfMemory.into()))?;
    // A file may grow, and those of /proc say they are empty.
    File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)).map_err(system)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// What a URI within a file refers to, if it stays in the file's own folder.
pub(crate) fn below(folder: &Path, uri: &str) -> Result<PathBuf, String> {
    let decoded = percent_decode(uri).ok_or("is not a valid URI")?;
    let relative = Path::new(&decoded);
    let stays = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    // A backslash or a colon is part of a name here but leads elsewhere on other systems.
    if decoded.is_empty() || !stays || decoded.contains(['\\', ':', '\0']) {
        return Err("leads out of the file's folder; only names below it are read".into());
    }
    Ok(folder.join(relative))
}

fn percent_decode(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_stays_in_its_folder() {
        let folder = Path::new("models");
        assert_eq!(below(folder, "a/b%20c.bin").unwrap(), Path::new("models/a/b c.bin"));
        assert_eq!(below(folder, "./a.bin").unwrap(), Path::new("models/./a.bin"));
        for uri in [
            "../a.bin",
            "a/../../b",
            "%2e%2e/a",
            "/etc/passwd",
            "C:\\a",
            "file:///a",
            "http://a/b",
            "",
            "%zz",
            "%f",
            "a%00b",
        ] {
            assert!(below(folder, uri).is_err(), "{uri}");
        }
    }

    #[test]
    fn only_ordinary_files_of_a_bounded_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(read(folder.path(), 10), Err(IoError::NotAFile { .. })));
        assert!(matches!(read(&folder.path().join("none"), 10), Err(IoError::System { .. })));
        let path = folder.path().join("a");
        std::fs::write(&path, b"0123456789").unwrap();
        assert_eq!(read(&path, 10).unwrap(), b"0123456789");
        let error = read(&path, 9).unwrap_err().to_string();
        assert!(error.ends_with("has 10 bytes; at most 9 are read"), "{error}");
        // Sparse: it takes no room on the disk.
        File::create(&path).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
        assert!(matches!(read(&path, MAX_FILE_BYTES), Err(IoError::TooLarge { .. })));
    }
}
