//! What hides what: which items were visible in full in the views, and the boxes of the parts that are left.

use super::field::{Field, NOTHING, mix};
use super::items::{self, Words};
use super::views::Named;
use super::{Seen, SeenImage};
use crate::names::counted;
use crate::picture::{BODIES, CONTACT};
use impinge::Scene;
use impinge::contacts::CullideOptions;
use impinge::stages::cullide::{Canvas, Culling, Image, Item, Order, Visibility};
use impinge::stages::{BroadPhase, CandidateSink, Completeness, FrameBodies};
use std::convert::Infallible;

/// Looks that are shown from the first on, and up to the last: bodies at first, their parts in the end.
const SHOWN: usize = 3;

/// The definition, with somebody who looks over its shoulder.
#[derive(Default)]
struct Watched {
    canvas: Canvas,
    looks: usize,
    /// What the first pass of the present look found.
    first: Vec<bool>,
    /// A picture, and the number of its look.
    first_looks: Vec<(usize, SeenImage)>,
    last_looks: Vec<(usize, SeenImage)>,
}

impl Visibility for Watched {
    type Error = Infallible;

    fn look(&mut self, scene: &Scene, image: &Image, items: &[Item]) -> Result<(), Infallible> {
        self.looks += 1;
        self.canvas.look(scene, image, items)
    }

    fn pass(
        &mut self,
        image: &Image,
        items: &[Item],
        asked: &[bool],
        order: Order,
    ) -> Result<Vec<bool>, Infallible> {
        let visible = self.canvas.pass(image, items, asked, order)?;
        match order {
            // Where nothing is visible in full there is no second pass.
            Order::Forward if visible.contains(&true) => self.first.clone_from(&visible),
            Order::Forward => self.keep(image, items, &vec![false; items.len()]),
            Order::Backward => {
                let goes: Vec<bool> = self.first.iter().zip(&visible).map(|(p, q)| *p && *q).collect();
                self.keep(image, items, &goes);
            }
        }
        Ok(visible)
    }
}

impl Watched {
    /// Draws what was looked at, and keeps the picture while it is one of the first or of the last.
    fn keep(&mut self, image: &Image, items: &[Item], goes: &[bool]) {
        let picture = (self.looks, self.picture(image, items, goes));
        if self.first_looks.len() < SHOWN {
            self.first_looks.push(picture);
            return;
        }
        if self.last_looks.len() == SHOWN {
            self.last_looks.remove(0);
        }
        self.last_looks.push(picture);
    }

    fn picture(&self, image: &Image, items: &[Item], goes: &[bool]) -> SeenImage {
        let named = Named::one(&image.view);
        let width = image.view.width as usize;
        // The nearest of every pixel: depth, body, whether it goes.
        let mut field = Field::<(f32, u32, bool)>::new([image.view.width, image.view.height], named.size());
        for (item, &goes) in items.iter().zip(goes) {
            self.canvas.each_pixel(image, item, |pixel, depth| {
                let there = field.at((pixel % width) as u32, (pixel / width) as u32);
                if there.is_none_or(|(nearest, ..)| depth < nearest) {
                    *there = Some((depth, item.member, goes));
                }
            });
        }
        let count = |wanted: bool| goes.iter().filter(|goes| **goes == wanted).count();
        let bodies = items.chunk_by(|p, q| p.id == q.id).count();
        let what = if bodies == items.len() { "bodies" } else { "parts of bodies" };
        SeenImage {
            id: format!("look-{}", self.looks),
            title: format!("Look {}: what hides nothing", self.looks),
            about: format!(
                "Of {} {what}, {}: {} visible in full, whichever is drawn first, and cannot touch the others (dim colours of \
                 the bodies); {} left, in red.",
                crate::names::count(items.len()),
                named.from(),
                counted(count(true), "is", "are"),
                counted(count(false), "is", "are"),
            ),
            corners: named.corners(),
            ..field.paint(|(_, body, goes)| {
                let own = BODIES[body as usize % BODIES.len()];
                if goes { mix(own, NOTHING, 0.5) } else { mix(CONTACT, own, 0.25) }
            })
        }
    }
}

pub(super) fn see(scene: &Scene, options: &CullideOptions) -> Option<Seen> {
    let mut seen = Seen::default();
    let (mut culling, mut watched) = (Culling::default(), Watched::default());
    culling.options = *options;
    let (mut bodies, mut broad_phase) = (FrameBodies::default(), BroadPhase::default());
    culling.update(scene, &mut bodies);
    let frame = broad_phase.frame(scene, &bodies, culling.reach());
    let mut sink = CandidateSink::default();
    sink.begin(&frame);
    let Ok(completeness) = culling.cull(&frame, &mut watched, &mut sink);
    if completeness == Completeness::Beyond {
        return None;
    }
    let Watched { looks, first_looks, last_looks, .. } = watched;
    seen.images.extend(first_looks.into_iter().chain(last_looks).map(|(number, image)| SeenImage {
        title: format!("{} ({number} of {looks})", image.title),
        ..image
    }));
    let mut boxes = items::boxes();
    culling.left().iter().for_each(|item| boxes.push(item.bounds));
    let about = format!(
        "Boxes of the {} of bodies that no view showed apart from all others, each of up to {}.",
        counted(boxes.given(), "part", "parts"),
        counted(options.sub_body.max(1) as usize, "triangle", "triangles")
    );
    seen.overlays.push(boxes.overlay(Words::new("parts", "Parts that are left", about)));
    Some(seen)
}
