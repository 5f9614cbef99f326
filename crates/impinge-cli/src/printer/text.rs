//! The answer in one line, then what stands behind it: pairs, bodies inside bodies, open bodies, times.

use super::culled_text::{self, Culling};
use super::grid::{GridJson, grid_counts};
use super::interference_text::counts;
use super::paint::Paint;
use super::sampling::Sampling;
use super::sliced_text::Slicing;
use super::{BodyFacts, sliced_text};
use crate::error::Error;
use crate::found::Found;
use crate::names::{centre, count, counted, duration, extent, median, milliseconds};
use crate::question::{Findings, Question};
use crate::relations;
use impinge::interference::Interference;
use impinge::stages::overlap_cells::Overlaps;
use impinge::{BodyId, Containment, PairContacts, Scene};
use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

/// Pairs named in the first line; the table has the rest.
pub(super) const NAMED: usize = 3;

/// Longest name in a table. A name comes from a file and may be any length.
const NAME_CHARS: usize = 40;

pub(crate) struct TextPrinter<'a, W: Write> {
    pub(super) bodies: Vec<BodyFacts>,
    pub(super) frames: usize,
    pub(super) rows: usize,
    containment: bool,
    /// What boxes may be nearer than, where that was asked.
    pub(super) distance: Option<f64>,
    /// Whether `cullide` was told to draw triangles as they are.
    plain: bool,
    pub(super) paint: Paint,
    /// Lines of the first frames that collide, at most `rows`.
    lines: Vec<String>,
    colliding: usize,
    first: usize,
    most: Option<(Found, usize)>,
    times: Vec<Duration>,
    sampling: Option<Sampling>,
    slicing: Option<Slicing>,
    pub(super) culling: Option<Culling>,
    pub(super) out: &'a mut W,
}

impl<'a, W: Write> TextPrinter<'a, W> {
    pub(super) fn begin(
        bodies: Vec<BodyFacts>,
        frames: usize,
        rows: usize,
        question: &Question,
        out: &'a mut W,
    ) -> Self {
        let paint = Paint::of_stdout();
        let (lines, times) = (Vec::new(), Vec::new());
        Self {
            bodies,
            frames,
            rows,
            containment: question.containment(),
            distance: question.distance(),
            plain: question.contacts().is_some_and(|options| !options.method.is_complete()),
            paint,
            lines,
            colliding: 0,
            first: 0,
            most: None,
            times,
            sampling: None,
            slicing: None,
            culling: None,
            out,
        }
    }

    pub(super) fn frame(&mut self, frame: usize, scene: &Scene, report: Findings<'_>) -> Result<(), Error> {
        if let Some(sliced) = report.overlaps() {
            self.slicing.get_or_insert_default().add(sliced, report.adapter);
        } else if let Some(culled) = report.culled() {
            self.culling.get_or_insert_default().add(culled, self.plain);
        } else if !report.complete {
            self.sampling.get_or_insert_default().add(report);
        }
        if self.frames == 1 {
            return self.whole(scene, report);
        }
        self.times.push(report.stages.total);
        if report.collides() {
            self.colliding += 1;
            if self.colliding == 1 {
                self.first = frame;
            }
            let found = Found::of(report);
            if self.most.is_none_or(|(most, _)| found > most) {
                self.most = Some((found, frame));
            }
            if self.lines.len() < self.rows {
                self.lines.push(format!("frame {frame}: {}", self.answer(scene, report)));
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        if self.frames == 1 {
            return Ok(());
        }
        let among = counted(self.bodies.len(), "body", "bodies");
        let Some((found, frame)) = self.most else {
            let answer = format!("{} among {among} in {} frames", self.nothing(), count(self.frames));
            writeln!(self.out, "{}", self.paint.good(&answer))?;
            return self.frame_times();
        };
        let unsure = self.slicing.as_ref().is_some_and(Slicing::leaves_maybes);
        let have = if unsure { "have collisions or may have some" } else { "have collisions" };
        let answer = format!("{} of {} frames {have}", count(self.colliding), count(self.frames));
        let most = found.words().map(|most| format!(", frame {frame} has the most ({most})"));
        writeln!(
            self.out,
            "{}: the first is frame {}{}",
            self.paint.bad(&answer),
            self.first,
            most.unwrap_or_default()
        )?;
        for line in &self.lines {
            writeln!(self.out, "{line}")?;
        }
        let left_out = self.colliding - self.lines.len();
        if left_out > 0 {
            let frames = counted(left_out, "more frame has", "more frames have");
            writeln!(
                self.out,
                "{frames} collisions (--limit N lists more, --json all, --frames {frame} tells more of one)"
            )?;
        }
        self.frame_times()
    }

    fn frame_times(mut self) -> Result<(), Error> {
        self.sampling()?;
        let sum: Duration = self.times.iter().sum();
        let middle = median(self.times.iter().map(|&time| milliseconds(time)));
        let middle = duration(Duration::from_secs_f64(middle / 1e3));
        let line = format!("{} frames in {}, median {middle} a frame", count(self.frames), duration(sum));
        Ok(writeln!(self.out, "{}", self.paint.dim(&line))?)
    }

    /// Everything about one frame.
    fn whole(&mut self, scene: &Scene, report: Findings<'_>) -> Result<(), Error> {
        let answer = self.answer(scene, report);
        let answer = if report.collides() { self.paint.bad(&answer) } else { self.paint.good(&answer) };
        writeln!(self.out, "{answer}")?;
        if let Some(found) = report.interference() {
            self.interference(scene, found)?;
        } else {
            if let Some(sliced) = report.overlaps() {
                self.meetings(sliced)?;
            }
            self.pairs(report)?;
            self.seams(scene, report)?;
            self.containments(report)?;
            if let Some(culled) = report.culled() {
                self.near(culled)?;
            }
            self.open_bodies()?;
        }
        writeln!(self.out)?;
        self.sampling()?;
        let complete = match report.overlaps() {
            Some(sliced) => sliced_text::worth(sliced),
            None if report.complete => "complete",
            None => "sampled",
        };
        let stages = report.stages;
        let counts = format!(
            "{}, {complete}: {} in {}, {}",
            report.method,
            counted(stages.triangles, "triangle", "triangles"),
            counted(stages.bodies, "body", "bodies"),
            looked_at(report),
        );
        writeln!(self.out, "{}", self.paint.dim(&counts))?;
        Ok(writeln!(self.out, "{}", self.paint.dim(&stage_times(report)))?)
    }

    fn answer(&self, scene: &Scene, report: Findings<'_>) -> String {
        let bodies = self.bodies.len();
        if !report.collides() {
            let looked_within = scene.bodies().any(|(_, body)| body.self_collision());
            return match (bodies, looked_within) {
                (1, true) if report.complete => {
                    format!("no collision: {} does not intersect itself", self.name(0))
                }
                (1, true) if report.overlaps().is_some() || report.culled().is_some() => {
                    format!("no collision seen: {} is alone, and was not looked at", self.name(0))
                }
                (1, true) => format!("{} of {} with itself", self.nothing(), self.name(0)),
                (1, false) if report.overlaps().is_some() || report.culled().is_some() => {
                    format!("no collision: {} is alone (--self --method bvh looks within it)", self.name(0))
                }
                (1, false) => {
                    format!("no collision: {} is alone (--self looks for contacts within it)", self.name(0))
                }
                _ => format!("{} among {} bodies", self.nothing(), count(bodies)),
            };
        }
        if let Some(found) = report.interference() {
            return self.interfering(found);
        }
        if let Some(sliced) = report.overlaps() {
            return self.meeting(sliced, report);
        }
        let of_pairs = report.pairs.iter().map(|pair| [pair.a, pair.b]);
        let of_relations = report.relations.iter().map(|pair| [pair.a, pair.b]);
        let (of, colliding) = self.colliding(of_pairs.chain(of_relations), report);
        let verb = if colliding == 1 { "collides" } else { "collide" };
        let sorted = relations::pairs_by_weight(report);
        let pairs = sorted.iter().map(|pair| {
            let contacts = counted(pair.contacts.len(), "contact", "contacts");
            let [a, b] = relations::in_order(report, pair).map(|id| self.name(id.index()));
            let words = report.relation(pair).map(|relation| relations::sentence(relation, [&a, &b]));
            format!("{} ({contacts})", words.unwrap_or_else(|| self.pair(pair, " and ")))
        });
        // Those that touch what they are in were told among the pairs.
        let untold: Vec<&Containment> = report
            .containments
            .iter()
            .filter(|c| !relations::is_told_with_contacts(report, c.inner, c.outer))
            .collect();
        let total = sorted.len() + untold.len();
        let inside = untold.iter().map(|c| self.one_inside(c));
        let tally = relations::tally(report).map(|tally| format!(", {tally}")).unwrap_or_default();
        format!("{of} {verb}{tally}: {}", first(pairs.chain(inside), total))
    }

    /// How many of all bodies are in pairs or containments: in words, and as a number.
    pub(super) fn colliding(
        &self,
        pairs: impl Iterator<Item = [BodyId; 2]>,
        report: Findings<'_>,
    ) -> (String, usize) {
        let containments = report.containments.iter().map(|c| [c.inner, c.outer]);
        let colliding = pairs.chain(containments).flatten().collect::<BTreeSet<BodyId>>().len();
        let all = counted(self.bodies.len(), "body", "bodies");
        (format!("{} of {all}", count(colliding)), colliding)
    }

    /// The containments in words.
    pub(super) fn inside<'b>(&'b self, report: Findings<'b>) -> impl Iterator<Item = String> + 'b {
        report.containments.iter().map(|c| self.one_inside(c))
    }

    fn one_inside(&self, found: &Containment) -> String {
        format!("{} inside {}", self.name(found.inner.index()), self.name(found.outer.index()))
    }

    /// Whoever looks at samples cannot say that there is nothing.
    fn nothing(&self) -> &'static str {
        let missed = self.slicing.as_ref().is_some_and(Slicing::misses)
            || self.culling.as_ref().is_some_and(Culling::misses);
        if self.sampling.is_some() || missed { "no collision seen" } else { "no collision" }
    }

    /// What the answer of a sampled method is worth.
    fn sampling(&mut self) -> Result<(), Error> {
        self.slicing()?;
        self.culling()?;
        let Some(sampling) = &self.sampling else { return Ok(()) };
        for remark in sampling.remarks(self.frames) {
            writeln!(self.out, "{remark}")?;
        }
        if let Some(warning) = sampling.warning() {
            writeln!(self.out, "{}", self.paint.bad(&warning))?;
        }
        let open = sampling.not_closed();
        if self.frames > 1 && open.len() > 0 {
            let total = open.len();
            let names = first(open.map(|id| self.name(id.index())), total);
            writeln!(self.out, "not closed, so what is inside them may be missed: {names}")?;
        }
        Ok(())
    }

    fn slicing(&mut self) -> Result<(), Error> {
        let Some(slicing) = &self.slicing else { return Ok(()) };
        for remark in slicing.remarks(self.frames) {
            writeln!(self.out, "{remark}")?;
        }
        let not_looked_at = slicing.not_looked_at();
        if not_looked_at.len() > 0 {
            let total = not_looked_at.len();
            let names = first(not_looked_at.map(|id| self.name(id.index())), total);
            let warning = format!(
                "self-collision of {names} was not looked for: depth_slices looks at two bodies, --method bvh at one too"
            );
            writeln!(self.out, "{}", self.paint.bad(&warning))?;
        }
        Ok(())
    }

    fn pairs(&mut self, report: Findings<'_>) -> Result<(), Error> {
        let sorted = relations::pairs_by_weight(report);
        if sorted.is_empty() {
            return Ok(());
        }
        let rows = sorted.iter().map(|pair| {
            let region = report.region(pair).filter(|region| !region.is_empty());
            let (centre, extent) = region.map_or_else(Default::default, |r| (centre(&r), extent(&r)));
            let relation = report.relation(pair).map(relations::word).unwrap_or_default();
            let [a, b] = relations::in_order(report, pair);
            let pair = PairContacts { a, b, ..pair.clone() };
            [count(pair.contacts.len()), relation.to_owned(), self.pair(&pair, ", "), centre, extent]
        });
        let rows = rows.take(self.rows).collect();
        self.table(["contacts", "relation", "bodies", "centre", "size"], rows, 1)?;
        self.left_out(sorted.len(), "more pair", "more pairs")
    }

    /// The first rows of a table, the first columns of which are numbers. Columns without an entry are left out.
    pub(super) fn table<const N: usize>(
        &mut self,
        header: [&str; N],
        rows: Vec<[String; N]>,
        numbers: usize,
    ) -> Result<(), Error> {
        let used: Vec<usize> = (0..N).filter(|&i| rows.iter().any(|row| !row[i].is_empty())).collect();
        let shown = std::iter::once(header.map(str::to_owned)).chain(rows.into_iter().take(self.rows));
        let table: Vec<[String; N]> = shown.collect();
        let width = |i: usize| table.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
        let widths: [usize; N] = std::array::from_fn(width);
        writeln!(self.out)?;
        for (number, row) in table.iter().enumerate() {
            let cell = |&i: &usize| {
                let (text, width) = (&row[i], widths[i]);
                if i < numbers { format!("{text:>width$}") } else { format!("{text:width$}") }
            };
            let line = used.iter().map(cell).collect::<Vec<_>>().join("  ");
            let line = line.trim_end();
            writeln!(self.out, "{}", if number == 0 { self.paint.dim(line) } else { line.to_owned() })?;
        }
        Ok(())
    }

    /// Triangles on either side of a seam touch without being neighbours: often not what was meant.
    fn seams(&mut self, scene: &Scene, report: Findings<'_>) -> Result<(), Error> {
        for pair in report.pairs.iter().filter(|pair| pair.a == pair.b).take(self.rows) {
            let Some(body) = scene.body(pair.a) else { continue };
            let vertices = body.mesh().positions().len();
            let repeated = vertices - impinge_io::weld(body.mesh()).positions().len();
            if repeated > 0 {
                let what = counted(
                    repeated,
                    "vertex repeats the place of another",
                    "vertices repeat the place of others",
                );
                let name = self.name(pair.a.index());
                writeln!(
                    self.out,
                    "{name}: {what}; --weld makes neighbours of the triangles along such seams"
                )?;
            }
        }
        Ok(())
    }

    fn containments(&mut self, report: Findings<'_>) -> Result<(), Error> {
        if report.containments.is_empty() {
            return Ok(());
        }
        writeln!(self.out)?;
        for c in report.containments.iter().take(self.rows) {
            writeln!(self.out, "{} lies inside {}", self.name(c.inner.index()), self.name(c.outer.index()))?;
        }
        self.left_out(report.containments.len(), "more lies inside another", "more lie inside others")
    }

    /// Open bodies have no inside: nothing can be said to lie in them, and that is said.
    fn open_bodies(&mut self) -> Result<(), Error> {
        let open: Vec<(usize, &str)> = self
            .bodies
            .iter()
            .enumerate()
            .filter_map(|(index, body)| Some((index, body.open_reason.as_deref()?)))
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        let what = if self.containment && self.bodies.len() > 1 {
            "open, so what lies inside or around it cannot be told:"
        } else {
            "open:"
        };
        writeln!(self.out, "\n{}", self.paint.dim(what))?;
        for &(index, reason) in open.iter().take(self.rows) {
            writeln!(self.out, "{}: {reason}", self.name(index))?;
        }
        let total = open.len();
        self.left_out(total, "more open body", "more open bodies")
    }

    pub(super) fn left_out(&mut self, total: usize, one: &str, many: &str) -> Result<(), Error> {
        let left = total.saturating_sub(self.rows);
        if left > 0 {
            writeln!(self.out, "{} (--limit {total} lists all)", counted(left, one, many))?;
        }
        Ok(())
    }

    fn pair(&self, pair: &PairContacts, between: &str) -> String {
        let [a, b] = [pair.a, pair.b].map(|id| self.name(id.index()));
        if pair.a == pair.b {
            format!("{a}{}itself", if between == ", " { between } else { " with " })
        } else {
            format!("{a}{between}{b}")
        }
    }

    pub(super) fn name(&self, index: usize) -> String {
        let name = self.bodies.get(index).map_or("", |body| body.name.as_str());
        if name.chars().count() <= NAME_CHARS {
            return name.to_owned();
        }
        name.chars().take(NAME_CHARS - 3).chain("...".chars()).collect()
    }
}

/// The first few of so many.
pub(super) fn first(names: impl Iterator<Item = String>, total: usize) -> String {
    let mut named: Vec<String> = names.take(NAMED).collect();
    if total > named.len() {
        named.push(format!("and {} more", count(total - named.len())));
    }
    named.join(", ")
}

/// What was looked at, in a few words.
fn looked_at(report: Findings<'_>) -> String {
    let (stages, adapter) = (report.stages, report.adapter);
    let pairs = |one, many| counted(stages.candidates, one, many);
    match (report.interference(), report.overlaps(), report.culled(), report.grid()) {
        (Some(found), ..) => counts(found),
        (_, Some(sliced), ..) => sliced_text::counts(sliced, adapter),
        (_, _, Some(culled), _) => culled_text::counts(culled, adapter),
        (_, _, _, Some(stats)) => grid_counts(&GridJson::from(stats), adapter),
        _ if report.method == "a_buffer" => {
            format!("{} of triangles near each other along rays, all decided exactly", pairs("pair", "pairs"))
        }
        _ => format!("boxes of {} meet, {} decided exactly", pairs("pair", "pairs"), count(stages.exact)),
    }
}

/// A stage that took less than this part of the whole is not worth a word.
const WORTH_TELLING: f64 = 0.005;

/// The whole time, and that of every stage worth telling, in one line.
fn stage_times(report: Findings<'_>) -> String {
    let stages = report.stages;
    let mut parts = vec![("update", stages.update), ("broad phase", stages.broad_phase)];
    match (report.interference(), report.overlaps()) {
        (Some(Interference { stages: cast, .. }), _) => parts.extend([
            ("prepare", cast.prepare),
            ("render", cast.render),
            ("read", cast.read),
            ("parse", cast.parse),
        ]),
        (_, Some(Overlaps { stages: cells, .. })) => parts.extend([
            ("draw", cells.draw),
            ("exact tests", cells.exact),
            ("containment", stages.containment),
            ("contact points", stages.shapes),
        ]),
        _ => parts.extend([
            ("culling", stages.culling),
            ("narrow phase", stages.narrow_phase),
            ("containment", stages.containment),
            ("contact points", stages.shapes),
        ]),
    }
    let parts: Vec<String> = parts
        .iter()
        .filter(|(_, time)| time.as_secs_f64() >= WORTH_TELLING * stages.total.as_secs_f64())
        .map(|(stage, time)| format!("{stage} {}", duration(*time)))
        .collect();
    format!("{} ({})", duration(stages.total), parts.join(", "))
}
