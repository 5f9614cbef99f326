//! Files to bytes: ordinary files of a bounded size, and nothing outside the folder a file may refer to. And back: a file
//! is written whole or not at all.

use crate::error::IoError;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Largest mesh or track file that is read. A reader takes a small multiple of it in memory.
pub const MAX_FILE_BYTES: u64 = 4 << 30;

/// The whole of a file.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, IoError> {
    let system = |error| IoError::System { path: path.into(), error };
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

/// Writes a file whole or not at all: into a new file beside it, which takes its place once everything is in it. Whatever
/// fails on the way leaves what was there before. A link stays a link, permissions stay; a device or a pipe is written to
/// as it is.
pub fn write_file(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), IoError> {
    replace(path, content).map_err(|error| IoError::Write { path: path.into(), error })
}

/// Makes a folder and those above it, where they do not exist.
pub fn make_folder(path: &Path) -> Result<(), IoError> {
    std::fs::create_dir_all(path).map_err(|error| IoError::Write { path: path.into(), error })
}

fn replace(path: &Path, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let (place, permissions) = match std::fs::metadata(path) {
        Ok(before) => {
            // Whoever may not write to a file may not replace it either.
            let file = OpenOptions::new().write(true).open(path)?;
            if !before.is_file() {
                return fill(file, content).map(drop);
            }
            (std::fs::canonicalize(path)?, Some(before.permissions()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => (path.to_owned(), None),
        Err(error) => return Err(error),
    };
    let (unfinished, file) = Unfinished::beside(&place)?;
    let file = fill(file, content)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    drop(file);
    std::fs::rename(&unfinished.0, &place)
}

fn fill(file: File, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<File> {
    let mut out = BufWriter::new(file);
    content(&mut out)?;
    out.flush()?;
    Ok(out.into_inner()?)
}

/// A file in the making. It is removed unless it has got its name.
struct Unfinished(PathBuf);

impl Unfinished {
    /// In the same folder, or it could not take the other's place in one step.
    fn beside(place: &Path) -> io::Result<(Self, File)> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = place.with_file_name(format!(".impinge-{}-{number}.part", std::process::id()));
        let file = File::create_new(&path)?;
        Ok((Self(path), file))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // There is none any more where all went well, and nothing to be done where it cannot be removed.
        let _ = std::fs::remove_file(&self.0);
    }
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

/// The name of a file without its extension, as a name of a body or a scene.
pub(crate) fn file_stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    crate::error::clean_name(stem.as_bytes())
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

    /// Everything that is in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_write_that_breaks_off_leaves_the_old_file_whole_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for old in [None, Some("old")] {
            let broken = write_file(&path, |out| {
                out.write_all(&vec![b'x'; 1 << 20])?;
                Err(ErrorKind::StorageFull.into())
            });
            assert!(
                matches!(broken, Err(IoError::Write { error, .. }) if error.kind() == ErrorKind::StorageFull)
            );
            assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), old);
            assert_eq!(names(folder.path()).len(), usize::from(old.is_some()));
            write_file(&path, |out| out.write_all(b"old")).unwrap();
        }
        let panicked = std::panic::catch_unwind(|| write_file(&path, |_| panic!("in the middle")));
        assert!(panicked.is_err());
        assert_eq!((std::fs::read(&path).unwrap(), names(folder.path()).len()), (b"old".to_vec(), 1));
        write_file(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!((std::fs::read(&path).unwrap(), names(folder.path()).len()), (b"new".to_vec(), 1));
    }

    #[test]
    fn a_folder_that_is_not_there_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let missing = write_file(&folder.path().join("no/such/file"), |_| Ok(()));
        assert!(matches!(missing, Err(IoError::Write { error, .. }) if error.kind() == ErrorKind::NotFound));
        assert!(write_file(folder.path(), |_| Ok(())).is_err(), "a folder is no file");
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        std::fs::write(&file, "old").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write_file(&link, |out| out.write_all(b"new")).unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        write_file(Path::new("/dev/null"), |out| out.write_all(b"nothing")).unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
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
