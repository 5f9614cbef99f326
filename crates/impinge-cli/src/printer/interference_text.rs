//! Interference for people: which bodies have edges inside which, how many, and where.

use super::text::{NAMED, TextPrinter, first};
use crate::error::Error;
use crate::found::mutual;
use crate::names::{centre, count, counted, extent};
use impinge::stages::interference::{CastStages, Interference, Penetration};
use impinge::{Body, BodyId, Bounds, Scene};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// Where edges of one body are inside another.
struct Place {
    edges: BTreeSet<usize>,
    region: Bounds,
}

impl<W: Write> TextPrinter<'_, W> {
    /// What collides, in one line. How much is told depends on what was to be identified.
    pub(super) fn interfering(&self, found: &Interference) -> String {
        let all = counted(self.bodies.len(), "body", "bodies");
        let of = format!("{} of {all}", count(found.bodies.len()));
        let (collide, have) = if found.bodies.len() == 1 { ("collides", "has") } else { ("collide", "have") };
        let names = || first(found.bodies.iter().map(|id| self.name(id.index())), found.bodies.len());
        let within = || {
            let selves = &found.self_interfering;
            let names = first(selves.iter().map(|id| self.name(id.index())), selves.len());
            let have =
                if selves.len() == 1 { "has edges inside itself" } else { "have edges inside themselves" };
            format!("{} of {all} {have}: {names}", count(selves.len()))
        };
        if !found.any {
            return within();
        }
        let answer = if found.bodies.is_empty() {
            format!("collision seen among {all} (--identify everything tells between which)")
        } else if !found.pairs.is_empty() {
            format!("{of} {collide}: {}", self.interfering_pairs(found))
        } else if found.edges.is_empty() {
            format!("{of} {collide}: {}", names())
        } else {
            format!("{of} {have} edges inside others: {}", names())
        };
        match found.self_interfering.len() {
            0 => answer,
            _ => format!("{answer}; {}", within()),
        }
    }

    fn interfering_pairs(&self, found: &Interference) -> String {
        let mut pairs: Vec<([BodyId; 2], usize)> = mutual(found).into_iter().collect();
        // Stable: pairs with the same number stay in the order of their bodies.
        pairs.sort_by_key(|&(_, pixels)| std::cmp::Reverse(pixels));
        let total = pairs.len();
        let pairs = pairs.into_iter().map(|(pair, pixels)| {
            let [a, b] = pair.map(|id| self.name(id.index()));
            format!("{a} and {b} ({})", counted(pixels, "pixel", "pixels"))
        });
        first(pairs, total)
    }

    /// Who penetrates whom, as far as it was found out; and what was noticed beside.
    pub(super) fn interference(&mut self, scene: &Scene, found: &Interference) -> Result<(), Error> {
        let rows = if found.pairs.is_empty() { self.penetrating(found) } else { self.penetrations(found) };
        // Bodies alone are named in the first line, if it has room for all.
        if !found.edges.is_empty() || rows.len() > NAMED {
            let total = rows.len();
            self.table(["pixels", "edges", "body", "inside", "centre", "size"], rows, 2)?;
            self.left_out(total, "more row", "more rows")?;
        }
        self.listed(
            "edges inside their own body, or parts of it too near each other for these pixels:",
            &found.self_interfering.iter().map(|id| self.name(id.index())).collect::<Vec<_>>(),
        )?;
        let open: Vec<String> = found.not_closed.iter().map(|&id| self.not_closed(scene, id)).collect();
        self.listed("not closed, so what is inside them, or behind, may be missed:", &open)
    }

    fn penetrations(&self, found: &Interference) -> Vec<[String; 6]> {
        let mut places: BTreeMap<[BodyId; 2], Place> = BTreeMap::new();
        for point in &found.points {
            let Some(edge) = found.edges.get(point.edge) else { continue };
            let place = places
                .entry([edge.body, point.inside])
                .or_insert(Place { edges: BTreeSet::new(), region: Bounds::EMPTY });
            place.edges.insert(point.edge);
            place.region = place.region.with(point.position);
        }
        let mut pairs = found.pairs.clone();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.pixels));
        let row = |pair: &Penetration| {
            let place = places.get(&[pair.penetrating, pair.penetrated]);
            let tell = |of: fn(&Place) -> String| place.map_or_else(String::new, of);
            [
                count(pair.pixels),
                tell(|place| count(place.edges.len())),
                self.name(pair.penetrating.index()),
                self.name(pair.penetrated.index()),
                tell(|place| centre(&place.region)),
                tell(|place| extent(&place.region)),
            ]
        };
        pairs.iter().map(row).collect()
    }

    /// Bodies without those around them.
    fn penetrating(&self, found: &Interference) -> Vec<[String; 6]> {
        let mut edges: BTreeMap<BodyId, usize> = found.bodies.iter().map(|&id| (id, 0)).collect();
        for edge in &found.edges {
            *edges.entry(edge.body).or_default() += 1;
        }
        let mut bodies: Vec<(BodyId, usize)> = edges.into_iter().collect();
        bodies.sort_by_key(|&(_, edges)| std::cmp::Reverse(edges));
        let row = |(id, edges): (BodyId, usize)| {
            let edges = if edges > 0 { count(edges) } else { String::new() };
            [String::new(), edges, self.name(id.index()), String::new(), String::new(), String::new()]
        };
        bodies.into_iter().map(row).collect()
    }

    /// Why a body is not closed, and what may help.
    fn not_closed(&self, scene: &Scene, id: BodyId) -> String {
        let name = self.name(id.index());
        let Some(reason) = self.bodies.get(id.index()).and_then(|body| body.open_reason.as_deref()) else {
            return format!("{name}: some of its triangles, or all, are turned inside out");
        };
        let closes = |body: &Body| impinge_io::weld(body.mesh()).topology().open().is_none();
        let advice = if scene.body(id).is_some_and(closes) { "; --weld closes it" } else { "" };
        format!("{name}: {reason}{advice}")
    }

    fn listed(&mut self, what: &str, lines: &[String]) -> Result<(), Error> {
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "\n{}", self.paint.dim(what))?;
        for line in lines.iter().take(self.rows) {
            writeln!(self.out, "{line}")?;
        }
        self.left_out(lines.len(), "more body", "more bodies")
    }
}

/// What was looked at, for the line of counts.
pub(super) fn counts(found: &Interference) -> String {
    let CastStages { edges, marked, .. } = found.stages;
    let inside = match (found.edges.len(), found.stages.points) {
        (0, _) => String::new(),
        (edges, 0) => format!(", {} of them inside others", count(edges)),
        (edges, points) => {
            format!(", {} of them inside others at {}", count(edges), counted(points, "point", "points"))
        }
    };
    let edges = counted(edges, "edge", "edges");
    // The thesis' algorithms do not tell.
    let closely = match marked {
        0 => String::new(),
        marked => format!(", {} looked at closely", counted(marked, "pixel", "pixels")),
    };
    format!("{edges}{inside}{closely}")
}
