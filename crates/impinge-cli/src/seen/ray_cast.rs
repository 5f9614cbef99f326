//! Rays cast at edges: the image of edges, the pixels whose edge is inside a body, and these edges and points in the scene.

use super::field::{BODY, Colour, Field, mix};
use super::items::{self, Words};
use super::views::Named;
use super::{MAX_VIEWS, Seen, SeenImage};
use crate::names::{coordinate, count, counted};
use crate::picture::{BODIES, CONTACT};
use impinge::interference::RayCastOptions;
use impinge::stages::View;
use impinge::stages::interference::count::Whose;
use impinge::stages::interference::judge::Verdict;
use impinge::stages::interference::{Interference, Layer, RayCaster};
use impinge::{Bounds, Scene};

/// Pixels whose ray told that a body is not closed.
const NOT_CLOSED: Colour = [0xff, 0xb0, 0x20];

/// What the edges in a pixel tell; the most that any of them does counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Nothing,
    NotClosed,
    Inside,
}

/// What is shown of one image: edges among others, or of bodies that look at themselves.
struct Shown {
    look: usize,
    view: View,
    itself: bool,
    layers: u32,
    /// The body of the edge that was drawn last.
    edges: Field<u32>,
    told: Field<Told>,
    inside: usize,
    not_closed: usize,
}

impl Shown {
    fn new(layer: &Layer) -> Self {
        let named = Named::one(layer.view);
        let pixels = [layer.view.width, layer.view.height];
        Self {
            look: layer.look,
            view: *layer.view,
            itself: layer.cast.whose == Whose::Own,
            layers: 0,
            edges: Field::new(pixels, named.size()),
            told: Field::new(pixels, named.size()),
            inside: 0,
            not_closed: 0,
        }
    }

    fn add(&mut self, layer: &Layer) {
        let width = layer.view.width;
        self.layers += 1;
        let targets = layer.targets.lines.iter().zip(&layer.targets.bodies);
        for (pixel, (_, &body)) in (0u32..).zip(targets).filter(|(_, (line, _))| **line != 0) {
            self.edges.at(pixel % width, pixel / width).get_or_insert(body);
            self.told.at(pixel % width, pixel / width).get_or_insert(Told::Nothing);
        }
        for judged in layer.judged {
            let pixel = layer.marked[judged.marked].pixel;
            let (told, number) = match judged.verdict {
                Verdict::Inside => (Told::Inside, &mut self.inside),
                Verdict::NotClosed => (Told::NotClosed, &mut self.not_closed),
            };
            *number += 1;
            let there = self.told.at(pixel % width, pixel / width);
            *there = (*there).max(Some(told));
        }
    }

    fn images(&self, looks: usize) -> [SeenImage; 2] {
        let named = Named::of(&self.view, self.look, looks);
        let (id, of) = if self.itself { ("own-", " of bodies that look at themselves") } else { ("", "") };
        let layers = counted(self.layers as usize, "edge", "edges");
        let open = match self.not_closed {
            0 => String::new(),
            number => {
                format!(" Yellow: {} tell of a body that is not closed.", counted(number, "ray", "rays"))
            }
        };
        let about = format!(
            "Red where the edge{of} in a pixel is inside a body: {}, {}.{open}",
            counted(self.inside, "time", "times"),
            named.from()
        );
        let picture = self.told.paint(|told| match told {
            Told::Nothing => BODY,
            Told::NotClosed => NOT_CLOSED,
            Told::Inside => CONTACT,
        });
        let inside = named.image(&format!("{id}inside"), &format!("Interfering pixels{of}"), about, picture);
        let about = format!(
            "The edges{of} that rays are cast at, in the colours of their bodies, {}: up to {layers} in every pixel.",
            named.from()
        );
        let picture = self.edges.paint(|body| mix(BODIES[body as usize % BODIES.len()], [0; 3], 0.15));
        [inside, named.image(&format!("{id}edges"), &format!("Edges{of}"), about, picture)]
    }
}

pub(super) fn see(scene: &Scene, options: &RayCastOptions) -> Option<Seen> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut caster = RayCaster::new(*options);
    let watched = caster.watch(scene, &mut |layer| {
        let itself = layer.cast.whose == Whose::Own;
        let known = shown.iter().position(|one| one.look == layer.look && one.itself == itself);
        if known.is_none() && shown.len() < MAX_VIEWS {
            shown.push(Shown::new(layer));
        }
        if let Some(one) = known.or(shown.len().checked_sub(1)).and_then(|at| shown.get_mut(at))
            && (one.look, one.itself) == (layer.look, itself)
        {
            one.add(layer);
        }
    });
    let interference = watched.ok()?;
    let mut seen = Seen::default();
    let looks = interference.stages.views;
    for one in &shown {
        seen.images.extend(one.images(looks));
    }
    overlays(scene, interference, &mut seen);
    Some(seen)
}

fn overlays(scene: &Scene, interference: &Interference, seen: &mut Seen) {
    let mut edges = items::segments();
    for edge in &interference.edges {
        let body = scene.body(edge.body);
        if let Some((body, ends)) = body.and_then(|body| Some((body, edge.vertices(body.mesh())?))) {
            edges.push(ends.map(|vertex| body.world_position(vertex as usize)));
        }
    }
    let about = format!(
        "{} somewhere inside another body, in their whole length.",
        counted(edges.given(), "edge that is", "edges that are")
    );
    seen.overlays.push(edges.overlay(Words::new("edges", "Interfering edges", about)));
    let mut points = items::boxes();
    let reach = interference.reach;
    for point in &interference.points {
        let [min, max] = [-reach, reach].map(|by| point.position.map(|c| c + by));
        points.push(Bounds { min, max });
    }
    let all = interference.stages.points;
    let kept = if all > points.given() {
        format!(" Of {} points so many were kept.", count(all))
    } else {
        String::new()
    };
    let about = format!(
        "{} inside another body, each in a box as large as pixels are exact: {} to every side, in world units.{kept}",
        counted(points.given(), "point of an edge", "points of edges"),
        coordinate(reach)
    );
    seen.overlays.push(points.overlay(Words::new("points", "Interfering points", about)));
}
