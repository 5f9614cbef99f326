//! Statistics of `grid`: as JSON (docs/json.md) and as text.

use crate::names::{count, counted};
use impinge::stages::grid::GridStats;

json_of! {
    /// The `sifted` object of `check` and `bench`.
    GridJson of |stats: GridStats| {
        kept: usize = stats.kept,
        candidates: usize = stats.candidates,
        tested: usize = stats.tested,
        doubtful: usize = stats.doubtful,
        #[serde(rename = "settled")]
        exact_signs: usize = stats.exact_signs,
        large: usize = stats.large,
        reruns: usize = stats.reruns,
        bytes_read_back: usize = stats.bytes_read_back,
    }
}

/// The statistics in one line of text.
pub(crate) fn grid_counts(stats: &GridJson, adapter: Option<&str>) -> String {
    let large = counted(stats.large, "large one", "large ones");
    let reruns = counted(stats.reruns, "time", "times");
    let bytes = counted(stats.bytes_read_back, "byte", "bytes");
    // Counts that are usually zero are left out when they are.
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
