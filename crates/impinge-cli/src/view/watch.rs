//! Tells when a file of the scene has changed, by looking at sizes and times again and again: that works on every system
//! and every file system.

use super::frame_service::Client;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Between two looks. A change is believed when two looks agree: whoever writes a file may not be done yet.
const PAUSE: Duration = Duration::from_millis(300);

/// Size and time of every file, none of one that is not there.
type Fingerprint = Vec<Option<(u64, Option<SystemTime>)>>;

/// Looks until the program ends.
pub(crate) fn start(files: Vec<PathBuf>, client: Client) {
    let mut read = fingerprint(&files);
    std::thread::spawn(move || {
        let mut before = read.clone();
        loop {
            std::thread::sleep(PAUSE);
            let now = fingerprint(&files);
            if now != read && now == before {
                read.clone_from(&now);
                client.reload();
            }
            before = now;
        }
    });
}

fn fingerprint(files: &[PathBuf]) -> Fingerprint {
    let of = |path: PathBuf| {
        let metadata = std::fs::metadata(path).ok()?;
        Some((metadata.len(), metadata.modified().ok()))
    };
    files.iter().flat_map(|file| named_by(file)).map(of).collect()
}

/// The file, and those that it names if it is a scene.
fn named_by(file: &Path) -> Vec<PathBuf> {
    let mut files = vec![file.to_owned()];
    let is_scene = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let size = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
    if !is_scene || size > impinge_io::MAX_SCENE_BYTES {
        return files;
    }
    let Some(scene) = std::fs::read(file).ok().and_then(|text| impinge_io::parse_scene(&text).ok()) else {
        return files;
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    for body in scene.bodies {
        let names = [Some(body.mesh), body.positions, body.poses];
        files.extend(names.into_iter().flatten().map(|name| folder.join(name)));
    }
    files
}
