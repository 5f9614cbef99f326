//! What views left, for people: how much of it, what may be near, and what was not looked at.

use super::text::{TextPrinter, first};
use crate::error::Error;
use crate::names::{coordinate, count, counted};
use impinge::BodyId;
use impinge::stages::cullide::{Culled, CullideStages};
use std::collections::BTreeSet;
use std::io::Write;

impl<W: Write> TextPrinter<'_, W> {
    /// The pairs of bodies that may be nearer to each other than was asked for.
    pub(super) fn near(&mut self, culled: &Culled) -> Result<(), Error> {
        let Some(distance) = self.distance else { return Ok(()) };
        let distance = coordinate(distance);
        let pairs = culled.body_pairs.len();
        if pairs == 0 {
            return Ok(writeln!(self.out, "\nno two bodies are nearer to each other than {distance}")?);
        }
        writeln!(self.out, "\n{} may be nearer than {distance}:", counted(pairs, "pair", "pairs"))?;
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
        let not_looked_at = &culling.not_looked_at;
        if !not_looked_at.is_empty() {
            let names = first(not_looked_at.iter().map(|id| self.name(id.index())), not_looked_at.len());
            let warning = format!(
                "self-collision of {names} was not looked for: cullide looks at two bodies, --method bvh at one too"
            );
            writeln!(self.out, "{}", self.paint.bad(&warning))?;
        }
        if let (Some(distance), true) = (self.distance, self.frames > 1) {
            let most = counted(culling.most_pairs, "pair", "pairs");
            let distance = coordinate(distance);
            writeln!(self.out, "at most {most} a frame may be nearer than {distance} (--json lists them)")?;
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
    not_looked_at: BTreeSet<BodyId>,
    most_pairs: usize,
}

impl Culling {
    pub(super) fn add(&mut self, culled: &Culled, plain: bool) {
        self.sampled |= plain;
        self.not_looked_at.extend(&culled.not_looked_at);
        self.most_pairs = self.most_pairs.max(culled.body_pairs.len());
    }

    /// Whether there may be more than was found.
    pub(super) fn misses(&self) -> bool {
        self.sampled || !self.not_looked_at.is_empty()
    }
}
