//! Surfaces that meet or may meet, for people: which, how that was decided, and in what volume.

use super::text::{TextPrinter, first};
use crate::error::Error;
use crate::found::meeting;
use crate::names::{corners, count, counted};
use crate::question::Findings;
use impinge::BodyId;
use impinge::stages::overlap_cells::{Answer, DecidedBy, Overlaps, PairOverlap, SliceStages};
use std::collections::BTreeSet;
use std::io::Write;

impl<W: Write> TextPrinter<'_, W> {
    /// What collides, in one line.
    pub(super) fn meeting(&self, sliced: &Overlaps, report: Findings<'_>) -> String {
        let pairs = sure_first(sliced);
        let (of, _) = self.colliding(pairs.iter().map(|pair| [pair.a, pair.b]), report);
        let unsure = pairs.iter().filter(|pair| is_maybe(pair)).count();
        let total = pairs.len() + report.containments.len();
        let verb = match unsure {
            0 => "collide",
            _ if unsure == total => "may collide",
            _ => "collide or may collide",
        };
        let told = pairs.iter().map(|pair| {
            let listed = report.pairs.iter().find(|listed| (listed.a, listed.b) == (pair.a, pair.b));
            let how = listed.map(|listed| counted(listed.contacts.len(), "contact", "contacts"));
            let [a, b] = [pair.a, pair.b].map(|id| self.name(id.index()));
            format!("{a} and {b} ({})", how.unwrap_or_else(|| surfaces(pair).into()))
        });
        format!("{of} {verb}: {}", first(told.chain(self.inside(report)), total))
    }

    /// A row for every pair whose surfaces meet or may meet.
    pub(super) fn meetings(&mut self, sliced: &Overlaps) -> Result<(), Error> {
        let pairs = sure_first(sliced);
        if pairs.is_empty() {
            return Ok(());
        }
        let row = |pair: &&PairOverlap| {
            let [a, b] = [pair.a, pair.b].map(|id| self.name(id.index()));
            let volume = pair.bounds.map(|bounds| corners(&bounds));
            [
                count(usize::try_from(pair.cells).unwrap_or(usize::MAX)),
                count(pair.renderings as usize),
                format!("{a}, {b}"),
                surfaces(pair).to_owned(),
                decided(pair),
                volume.unwrap_or_default(),
            ]
        };
        let rows = pairs.iter().take(self.rows).map(row).collect();
        let header = ["shared cells", "renderings", "bodies", "", "decided", "collision volume"];
        self.table(header, rows, 2)?;
        self.left_out(pairs.len(), "more pair", "more pairs")
    }
}

/// Those that meet, then those that may; in the order of their bodies.
fn sure_first(sliced: &Overlaps) -> Vec<&PairOverlap> {
    let mut pairs: Vec<&PairOverlap> = meeting(sliced).collect();
    pairs.sort_by_key(|pair| is_maybe(pair));
    pairs
}

fn is_maybe(pair: &PairOverlap) -> bool {
    matches!(pair.answer, Answer::Maybe { .. })
}

fn surfaces(pair: &PairOverlap) -> &'static str {
    if is_maybe(pair) { "surfaces may meet" } else { "surfaces meet" }
}

fn decided(pair: &PairOverlap) -> String {
    if is_maybe(pair) {
        return "not".into();
    }
    let by = match pair.by {
        DecidedBy::Boxes => "boxes",
        DecidedBy::Slices => "slices",
        DecidedBy::NarrowPhase => "exact test",
        // The library may learn other ways that this program does not name yet.
        _ => "other means",
    };
    format!("by {by}, {}", if pair.certain { "proven" } else { "sampled" })
}

/// Whether all was decided, and how.
pub(super) fn worth(sliced: &Overlaps) -> &'static str {
    if sliced.pairs.iter().any(|pair| !pair.certain) {
        "sampled"
    } else if sliced.is_certain() {
        "complete"
    } else {
        "not complete"
    }
}

/// What was looked at, for the line of counts.
pub(super) fn counts(sliced: &Overlaps, adapter: Option<&str>) -> String {
    let SliceStages { cells: [across, down, deep], drawn, renderings, handed_over, .. } = sliced.stages;
    if sliced.pairs.is_empty() {
        return "no boxes overlap, so nothing was drawn".into();
    }
    let overlapping =
        format!("boxes of {} overlap", counted(sliced.pairs.len(), "pair of bodies", "pairs of bodies"));
    if drawn == 0 {
        return format!("{overlapping}, nothing was drawn");
    }
    let renderings = counted(renderings, "rendering", "renderings");
    let handed_over = match handed_over {
        0 => String::new(),
        triangles => format!(", {} tested exactly", counted(triangles, "triangle", "triangles")),
    };
    let place = adapter.unwrap_or("the CPU");
    format!(
        "{overlapping}, {} drawn in {renderings} of {across} x {down} x {deep} cells{handed_over}, on {place}",
        count(drawn)
    )
}

/// What the answers are worth: of several frames, all together.
#[derive(Default)]
pub(super) struct Slicing {
    adapter: Option<String>,
    cells: [u32; 3],
    /// Most renderings of a frame.
    renderings: usize,
    sampled: bool,
    /// Pairs that may meet.
    maybes: usize,
    not_looked_at: BTreeSet<BodyId>,
}

impl Slicing {
    pub(super) fn add(&mut self, sliced: &Overlaps, adapter: Option<&str>) {
        self.adapter = adapter.map(str::to_owned);
        self.cells = sliced.stages.cells;
        self.renderings = self.renderings.max(sliced.stages.renderings);
        self.sampled |= sliced.pairs.iter().any(|pair| !pair.certain);
        self.maybes += sliced.pairs.iter().filter(|pair| is_maybe(pair)).count();
        self.not_looked_at.extend(&sliced.not_looked_at);
    }

    pub(super) fn leaves_maybes(&self) -> bool {
        self.maybes > 0
    }

    /// Whether there may be more than was found.
    pub(super) fn misses(&self) -> bool {
        self.sampled || !self.not_looked_at.is_empty()
    }

    /// Bodies of which it was asked whether they touch themselves.
    pub(super) fn not_looked_at(&self) -> impl ExactSizeIterator<Item = BodyId> {
        self.not_looked_at.iter().copied()
    }

    /// Lines for the end of the answer about so many frames.
    pub(super) fn remarks(&self, frames: usize) -> Vec<String> {
        let mut lines = Vec::new();
        if self.sampled {
            let [across, down, deep] = self.cells;
            let (each, most) = if frames == 1 { ("", "") } else { (" a frame", "at most ") };
            lines.push(format!(
                "sampled, collisions may be missed, and bodies near each other taken for some: {most}{} of \
                 {across} x {down} x {deep} cells{each}, on {}",
                counted(self.renderings, "rendering", "renderings"),
                self.adapter.as_deref().unwrap_or("the CPU")
            ));
        }
        if self.maybes > 0 {
            let pairs = counted(self.maybes, "pair", "pairs");
            lines.push(format!(
                "{pairs} not decided: --triangles tests exactly, and more --resolution or --refine leave less open"
            ));
        }
        lines
    }
}
