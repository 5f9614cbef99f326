//! What views left, for people: how much of it, and which boxes are near.

use super::text::TextPrinter;
use crate::error::Error;
use crate::names::{coordinate, count, counted};
use impinge::stages::cullide::{Culled, CullideStages};
use std::io::Write;

impl<W: Write> TextPrinter<'_, W> {
    /// The pairs of bodies with boxes nearer to each other than was asked for.
    pub(super) fn near(&mut self, culled: &Culled) -> Result<(), Error> {
        let Some(distance) = self.distance else { return Ok(()) };
        let distance = coordinate(distance);
        let pairs = culled.body_pairs.len();
        if pairs == 0 {
            return Ok(writeln!(self.out, "\nno two bodies are nearer to each other than {distance}")?);
        }
        writeln!(
            self.out,
            "\n{} with parts whose boxes are nearer than {distance} (candidates: distances are not computed):",
            counted(pairs, "pair of bodies", "pairs of bodies")
        )?;
        for [a, b] in culled.body_pairs.iter().take(self.rows) {
            writeln!(self.out, "{}, {}", self.name(a.index()), self.name(b.index()))?;
        }
        self.left_out(pairs, "more pair", "more pairs")
    }

    /// What the answers are worth.
    pub(super) fn culling(&mut self) -> Result<(), Error> {
        let Some(culling) = &self.culling else { return Ok(()) };
        if culling.sampled {
            writeln!(
                self.out,
                "sampled, contacts may be missed between pixels: --plain draws triangles as they are"
            )?;
        }
        if let (Some(distance), true) = (self.distance, self.frames > 1) {
            let most = counted(culling.most_pairs, "pair of bodies", "pairs of bodies");
            let distance = coordinate(distance);
            writeln!(
                self.out,
                "at most {most} a frame with parts whose boxes are nearer than {distance}: candidates, distances are not \
                 computed (--json lists them)"
            )?;
        }
        Ok(())
    }
}

/// What was looked at and what was left, for the line of counts.
pub(super) fn counts(culled: &Culled, adapter: Option<&str>) -> String {
    let CullideStages { box_pairs, looks, resolution: [across, down], .. } = culled.stages;
    if box_pairs == 0 {
        return "no boxes of bodies are near each other, so nothing was drawn".into();
    }
    let images = match looks {
        0 => "nothing had to be drawn".to_owned(),
        looks => format!(
            "{} of at most {across} x {down} pixels, on {}",
            counted(looks, "image", "images"),
            adapter.unwrap_or("the CPU")
        ),
    };
    format!(
        "boxes leave {}, views {}: {}, {}, {}; {images}",
        counted(box_pairs, "pair of bodies", "pairs of bodies"),
        count(culled.body_pairs.len()),
        counted(culled.bodies.len(), "body", "bodies"),
        counted(culled.sub_bodies, "part", "parts"),
        counted(culled.triangle_pairs, "pair of triangles", "pairs of triangles"),
    )
}

/// What the answers are worth: of several frames, all together.
#[derive(Default)]
pub(super) struct Culling {
    sampled: bool,
    most_pairs: usize,
}

impl Culling {
    pub(super) fn add(&mut self, culled: &Culled, plain: bool) {
        self.sampled |= plain;
        self.most_pairs = self.most_pairs.max(culled.body_pairs.len());
    }

    /// Whether there may be more than was found.
    pub(super) fn misses(&self) -> bool {
        self.sampled
    }
}
