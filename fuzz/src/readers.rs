//! Every file reader under libFuzzer: no panic, no arithmetic overflow, no more memory than a small multiple of
//! the file. The first byte of an input chooses the reader, the rest is the file.
//!
//! `cargo run --release -- CORPUS -max_total_time=SECONDS`, in this folder. The valid files of the tests are
//! written to `CORPUS` first.
#![no_main]

use impinge_io::testing::{Kind, hostile_files, samples};
use impinge_io::{Format, ParseOptions, parse_mesh, parse_poses, parse_positions, parse_scene};
use libfuzzer_sys::fuzz_target;
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes of memory a reader may hold at once: so many for each byte of the file, and so many besides.
fn allowed_memory(kind: Kind, file_bytes: usize) -> usize {
    let (per_byte, besides) = match kind {
        // A node of glTF is three bytes in the file and a hundred in memory.
        Kind::Mesh(Format::Gltf) => (112, 16 << 10),
        // A corner of a polygon is one byte in a PLY; seen flat, it is forty.
        Kind::Mesh(_) => (64, 16 << 10),
        Kind::Positions | Kind::Poses => (4, 16 << 10),
        // What the TOML parser takes; a scene of more than MAX_SCENE_BYTES is not parsed.
        Kind::Scene => (200, 256 << 10),
    };
    per_byte * file_bytes + besides
}

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grow(bytes: usize) {
    let held = HELD.fetch_add(bytes, Relaxed).wrapping_add(bytes);
    PEAK.fetch_max(held, Relaxed);
}

// The one way to see every allocation. Each call is passed on as it came, so the system's allocator keeps its
// own promises.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While it is copied, both are held.
        grow(size);
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the first byte of an input stands for.
const READERS: [Kind; 8] = [
    Kind::Mesh(Format::Obj),
    Kind::Mesh(Format::Stl),
    Kind::Mesh(Format::Ply),
    Kind::Mesh(Format::Off),
    Kind::Mesh(Format::Gltf),
    Kind::Positions,
    Kind::Poses,
    Kind::Scene,
];

fn read(kind: Kind, bytes: &[u8]) -> Result<(), String> {
    let options = ParseOptions { instanced_triangles: 0, ..ParseOptions::default() };
    let result = match kind {
        Kind::Mesh(format) => parse_mesh(bytes, format, "fuzz", &options).map(|bodies| {
            assert!(bodies.iter().all(|body| !body.mesh.triangles().is_empty()));
        }),
        Kind::Positions => parse_positions(bytes).map(|_| ()),
        Kind::Poses => parse_poses(bytes).map(|_| ()),
        Kind::Scene => parse_scene(bytes).map(|_| ()),
    };
    result.map_err(|error| error.to_string())
}

fn check(input: &[u8]) {
    let Some((&first, bytes)) = input.split_first() else { return };
    let kind = READERS[first as usize % READERS.len()];
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = read(kind, bytes);
    let peak = PEAK.load(Relaxed) - before;
    let allowed = allowed_memory(kind, bytes.len());
    assert!(peak <= allowed, "{kind:?} took {peak} bytes of memory for a file of {}", bytes.len());
    if let Err(message) = result {
        assert!(!message.contains(char::is_control), "{kind:?}: the error is more than a line: {message:?}");
    }
}

/// Writes the tests' files to the first folder among the arguments.
fn write_seeds() {
    let Some(corpus) =
        std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from)
    else {
        return;
    };
    if corpus.is_file() {
        return; // one input to run again
    }
    std::fs::create_dir_all(&corpus).expect("the corpus can be made");
    let write = |name: &str, kind: Kind, bytes: &[u8]| {
        let first = READERS.iter().position(|reader| *reader == kind).expect("every kind has a reader") as u8;
        std::fs::write(corpus.join(name), [&[first], bytes].concat()).expect("a seed can be written");
    };
    for sample in samples() {
        write(sample.name, sample.kind, &sample.bytes);
    }
    // Hostile files are near what breaks readers; long ones only slow the search.
    const LONGEST_SEED: usize = 4096;
    for file in hostile_files() {
        for (name, bytes) in file.files.iter().filter(|(_, bytes)| bytes.len() <= LONGEST_SEED) {
            let kind = match Path::new(name).extension().and_then(|extension| extension.to_str()) {
                Some("toml") => Kind::Scene,
                Some("npy") if file.name.contains("poses") => Kind::Poses,
                Some("npy") => Kind::Positions,
                _ => Kind::Mesh(Format::from_extension(Path::new(name)).expect("a known extension")),
            };
            write(&format!("{}-{name}", file.name), kind, bytes);
        }
    }
}

fuzz_target!(init: write_seeds(), |input: &[u8]| check(input));
