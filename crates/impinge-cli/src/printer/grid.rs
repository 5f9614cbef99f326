//! What `grid` counted on the way, as docs/json.md has it and for people.

use crate::names::{count, counted};
use impinge::stages::grid::GridStats;
use serde::{Deserialize, Serialize};

/// `check` and `bench` print the same object.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct GridJson {
    pub(crate) kept: usize,
    pub(crate) candidates: usize,
    pub(crate) tested: usize,
    pub(crate) doubtful: usize,
    #[serde(rename = "settled")]
    pub(crate) exact_signs: usize,
    pub(crate) large: usize,
    pub(crate) reruns: usize,
    pub(crate) bytes_read_back: usize,
}

impl From<&GridStats> for GridJson {
    fn from(stats: &GridStats) -> Self {
        let GridStats { kept, candidates, tested, doubtful, exact_signs, large, reruns, bytes_read_back } =
            *stats;
        Self { kept, candidates, tested, doubtful, exact_signs, large, reruns, bytes_read_back }
    }
}

/// What was looked at, for a line of counts.
pub(crate) fn grid_counts(stats: &GridJson, adapter: Option<&str>) -> String {
    let large = counted(stats.large, "large one", "large ones");
    let reruns = counted(stats.reruns, "time", "times");
    let bytes = counted(stats.bytes_read_back, "byte", "bytes");
    // What is usually none is not worth a word then.
    let seldom = [
        (stats.exact_signs, format!(", {} of them by the GPU", count(stats.exact_signs))),
        (stats.large, format!(", {large} held against all others")),
        (stats.reruns, format!(", begun again {reruns} with longer buffers")),
        (stats.bytes_read_back, format!(", {bytes} read back")),
    ];
    let seldom: String = seldom.into_iter().filter(|(n, _)| *n > 0).map(|(_, words)| words).collect();
    format!(
        "{} of them kept, boxes of {} meet, {} tested, {} decided exactly{seldom}, on {}",
        count(stats.kept),
        counted(stats.candidates, "pair", "pairs"),
        count(stats.tested),
        count(stats.doubtful + stats.exact_signs),
        adapter.unwrap_or("the CPU"),
    )
}
