//! What everybody measured -> one Markdown table, and below it everything that a number in a cell does not say.

use crate::common::{grouped, median};
use crate::run::{ANY, Measured, Outcome, PEERS, Peer};
use crate::scenes::Written;
use std::process::Command;

/// One scene with one number of threads: a cell for each of [`PEERS`].
pub(crate) struct Row {
    pub(crate) scene: Written,
    pub(crate) threads: usize,
    pub(crate) cells: Vec<Outcome>,
}

impl Row {
    /// What a peer's number is compared with.
    fn reference(&self, peer: &Peer) -> Option<&Measured> {
        match &self.cells[if peer.yes_or_no { ANY } else { 0 }] {
            Outcome::Measured(measured) => Some(measured),
            _ => None,
        }
    }

    fn exact(&self) -> Option<&Measured> {
        self.reference(&PEERS[0])
    }
}

pub(crate) fn print(rows: &[Row]) {
    let names: Vec<&str> = PEERS.iter().map(|peer| peer.name).collect();
    println!("| scene | triangles | exact pairs | threads | {} |", names.join(" | "));
    println!("|{}", "---|".repeat(4 + names.len()));
    let mut notes = Vec::new();
    for row in rows {
        let Written { name, about, triangles, .. } = row.scene;
        let pairs = row.exact().map_or("?".into(), |exact| {
            grouped(median(&exact.pairs.iter().map(|&n| n as f64).collect::<Vec<_>>()) as usize)
        });
        let cells: Vec<String> = PEERS
            .iter()
            .zip(&row.cells)
            .map(|(peer, outcome)| cell(row, peer, outcome, &mut notes))
            .collect();
        let triangles = grouped(triangles);
        println!("| {name} ({about}) | {triangles} | {pairs} | {} | {} |", row.threads, cells.join(" | "));
    }
    println!(
        "\nMilliseconds per frame, the median, from new positions or poses to all intersecting triangle pairs; how \
         many times as long as impinge with as many threads takes for the same question; and pairs too many or too \
         few, in all frames, against impinge's."
    );
    println!("{}\n", machine());
    first_frames(rows);
    for (place, peer) in PEERS.iter().enumerate() {
        let version = rows.iter().find_map(|row| match &row.cells[place] {
            Outcome::Measured(measured) => Some(measured.version.as_str()),
            _ => None,
        });
        println!("- {} {}: {}", peer.name, version.unwrap_or("(no result)"), peer.note);
    }
    for note in notes {
        println!("- {note}");
    }
}

/// What a library takes for the first frame: trees and whatever else it builds included.
fn first_frames(rows: &[Row]) {
    let names: Vec<&str> = PEERS.iter().map(|peer| peer.name).collect();
    println!(
        "First frames, with everything that is built for them, in milliseconds; beside it, of impinge, the longest later frame:\n"
    );
    println!("| scene | threads | {} |", names.join(" | "));
    println!("|{}", "---|".repeat(2 + names.len()));
    for row in rows {
        let cells: Vec<String> = row
            .cells
            .iter()
            .enumerate()
            .map(|(place, outcome)| match outcome {
                Outcome::Measured(Measured { first, ms, .. }) if place == 0 || place == ANY => {
                    format!("{first:.2}, {:.2}", ms.iter().copied().fold(0.0, f64::max))
                }
                Outcome::Measured(measured) => format!("{:.2}", measured.first),
                Outcome::Cannot(why) => (*why).into(),
                Outcome::Failed(_) => "failed".into(),
            })
            .collect();
        println!("| {} | {} | {} |", row.scene.name, row.threads, cells.join(" | "));
    }
    println!();
}

fn cell(row: &Row, peer: &Peer, outcome: &Outcome, notes: &mut Vec<String>) -> String {
    let measured = match outcome {
        Outcome::Measured(measured) => measured,
        Outcome::Cannot(why) => return (*why).into(),
        Outcome::Failed(why) => {
            let place = (row.scene.name, peer.name);
            note(notes, format!("{}, {}: failed, {why}", place.0, place.1));
            return "failed".into();
        }
    };
    let ms = median(&measured.ms);
    let Some(reference) = row.reference(peer) else { return format!("{ms:.2}") };
    if std::ptr::eq(reference, measured) {
        return format!("{ms:.2}");
    }
    let ratio = format!("{ms:.2} ({:.1}x)", ms / median(&reference.ms));
    match difference(row, peer, measured) {
        None => ratio,
        Some((short, long)) => {
            note(notes, format!("{}, {}: {long}", row.scene.name, peer.name));
            format!("{ratio}, {short}")
        }
    }
}

/// Two threads seldom differ from one.
fn note(notes: &mut Vec<String>, text: String) {
    if !notes.contains(&text) {
        notes.push(text);
    }
}

/// By how much a peer's pairs are not ours: for the cell, and in words.
fn difference(row: &Row, peer: &Peer, measured: &Measured) -> Option<(String, String)> {
    let exact = row.exact()?;
    // The slower of the two may have done fewer frames.
    let frames = || measured.pairs.iter().zip(&exact.pairs);
    let count = frames().count();
    if peer.yes_or_no {
        let wrong = frames().filter(|&(&found, &exact)| (found > 0) != (exact > 0)).count();
        let long = format!("another answer than ours in {wrong} of {count} frames");
        return (wrong > 0).then(|| (format!("differs in {wrong} frames"), long));
    }
    let wrong = frames().filter(|(found, exact)| found != exact).count();
    if wrong == 0 {
        return None;
    }
    let (found, exact) =
        frames().fold((0, 0), |(f, e), (found, exact)| (f + *found as i64, e + *exact as i64));
    let percent = 100.0 * (found - exact) as f64 / exact.max(1) as f64;
    let short = format!("{:+} pair{}", found - exact, if (found - exact).abs() == 1 { "" } else { "s" });
    Some((
        short,
        format!("{found} pairs, exact {exact} ({percent:+.2} %); {wrong} of {count} frames are wrong"),
    ))
}

/// Processor, cores and date, as far as this system tells.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let date = Command::new("date").arg("+%Y-%m-%d").output().ok();
    let date = date.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model);
    format!("{model}, {cores} cores, {}.", date.trim())
}
