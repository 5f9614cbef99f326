//! What `conservative` counted on the way, as docs/json.md has it and for people.

use crate::names::{count, counted};
use impinge::stages::grid::GridStats;
use serde::Serialize;

/// `check` and `bench` print the same object.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct SiftedJson {
    pub(crate) kept: usize,
    pub(crate) candidates: usize,
    pub(crate) tested: usize,
    pub(crate) doubtful: usize,
    pub(crate) settled: usize,
    pub(crate) large: usize,
    pub(crate) reruns: usize,
    pub(crate) bytes_read_back: usize,
}

impl From<&GridStats> for SiftedJson {
    fn from(sifted: &GridStats) -> Self {
        let GridStats { kept, candidates, tested, doubtful, settled, large, reruns, bytes_read_back } =
            *sifted;
        Self { kept, candidates, tested, doubtful, settled, large, reruns, bytes_read_back }
    }
}

/// What was looked at, for a line of counts.
pub(crate) fn sifted_counts(sifted: &SiftedJson, adapter: Option<&str>) -> String {
    let large = counted(sifted.large, "large one", "large ones");
    let reruns = counted(sifted.reruns, "time", "times");
    let bytes = counted(sifted.bytes_read_back, "byte", "bytes");
    // What is usually none is not worth a word then.
    let seldom = [
        (sifted.settled, format!(", {} of them by the GPU", count(sifted.settled))),
        (sifted.large, format!(", {large} held against all others")),
        (sifted.reruns, format!(", begun again {reruns} with longer buffers")),
        (sifted.bytes_read_back, format!(", {bytes} read back")),
    ];
    let seldom: String = seldom.into_iter().filter(|(n, _)| *n > 0).map(|(_, words)| words).collect();
    format!(
        "{} of them kept, boxes of {} meet, {} tested, {} decided exactly{seldom}, on {}",
        count(sifted.kept),
        counted(sifted.candidates, "pair", "pairs"),
        count(sifted.tested),
        count(sifted.doubtful + sifted.settled),
        adapter.unwrap_or("the CPU"),
    )
}
