//! From pairs of closed bodies, and the contacts between them, to the pairs where one contains the other: exactly,
//! never within a tolerance.
//!
//! The **solid** of a closed body is its surface and every point about which the surface winds (the winding
//! number is not zero), or, where its triangles are not consistently oriented, every point that a ray leaves
//! through an odd number of crossings. `outer` **contains** `inner` when the solid of `inner` is part of the solid
//! of `outer` and some point of the surface of `inner` is not on the surface of `outer`. So a body in a hollow is
//! not contained, one that touches from inside is, and of two bodies with the same surface neither contains the other.
//!
//! Call the complement of the solid of `outer` its *outside*; it is open. The solid of `inner` keeps clear of it
//! exactly when
//! 1. no point of the surface of `inner` is outside ([`surface_within`]), and
//! 2. no hollow of `outer`, a bounded component of its outside, lies in the solid of `inner`
//!    ([`hollow`]): given 1, each component lies in that solid as a whole or not at all.

mod cells;
mod crossing;
mod germ;
mod hollow;
mod layers;
mod locate;
mod meeting;
mod relation;
mod surface;
#[cfg(test)]
mod tests;
pub(crate) mod thickness;

use self::germ::Scale;
use self::locate::Place;
pub use self::relation::{PairRelation, Relation};
use self::surface::{Solid, Surface};
use crate::broad_phase::BodyPair;
use crate::exact::Contact;
use crate::exact::coplanar::Hull;
use crate::scene::{Body, BodyId, Bounds, Scene};
use crate::util::threads;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// A closed body that lies inside another closed body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Containment {
    /// The body inside.
    pub inner: BodyId,
    /// The body around it.
    pub outer: BodyId,
}

impl Containment {
    /// For hashes of answers.
    pub(crate) fn numbers(&self) -> [u32; 3] {
        [u32::MAX, self.inner.index() as u32, self.outer.index() as u32]
    }
}

/// Finds containments; keeps what can be reused, by slot of the body.
#[derive(Debug, Default)]
pub(crate) struct Containments {
    solids: Vec<Solid>,
    /// Pairs that boxes leave, and the bodies in them, by slot.
    possible: Vec<Containment>,
    wanted: Vec<bool>,
}

impl Containments {
    /// Appends every containment among the pairs, sorted by outer, then inner body. `contacts` has all contacts of two bodies,
    /// the lower first. `boxes` hold the bodies, by slot, and may be too large.
    pub(crate) fn find<'a>(
        &mut self,
        scene: &Scene,
        pairs: impl Iterator<Item = &'a BodyPair>,
        boxes: &[Bounds],
        contacts: &(dyn Fn(BodyId, BodyId) -> &'a [Contact] + Sync),
        containments: &mut Vec<Containment>,
    ) {
        self.possible.clear();
        self.wanted.clear();
        self.wanted.resize(scene.slots(), false);
        for &BodyPair { a, b } in pairs.filter(|pair| pair.a != pair.b) {
            for (inner, outer) in [(a as usize, b as usize), (b as usize, a as usize)] {
                let (Some((inner_id, body)), Some((outer_id, _))) = (scene.at(inner), scene.at(outer)) else {
                    continue;
                };
                if stays_within(body, boxes.get(outer)) {
                    self.possible.push(Containment { inner: inner_id, outer: outer_id });
                    (self.wanted[inner], self.wanted[outer]) = (true, true);
                }
            }
        }
        self.possible.sort_unstable_by_key(|c| (c.outer, c.inner));
        self.update(scene, self.possible.len() > 1);
        let holds = |&Containment { inner, outer }: &Containment| {
            self.contained(scene, inner, outer, contacts(inner.min(outer), inner.max(outer)))
        };
        if threads::many() && self.possible.len() > 1 {
            let found: Vec<Containment> = self.possible.par_iter().copied().filter(holds).collect();
            containments.extend(found);
        } else {
            containments.extend(self.possible.iter().copied().filter(holds));
        }
    }

    /// Brings the wanted bodies up to date; nothing is kept of bodies that are gone.
    fn update(&mut self, scene: &Scene, several: bool) {
        self.solids.resize_with(scene.slots(), Solid::default);
        let update = |((slot, solid), wanted): ((usize, &mut Solid), &bool)| match scene.at(slot) {
            Some((_, body)) if *wanted => solid.update(body),
            Some(_) => {}
            None => *solid = Solid::default(),
        };
        if threads::many() && several {
            self.solids.par_iter_mut().enumerate().zip(&self.wanted).for_each(update);
        } else {
            self.solids.iter_mut().enumerate().zip(&self.wanted).for_each(update);
        }
    }

    /// Whether `outer` contains `inner`; both are up to date, and `contacts` are all contacts between the two.
    fn contained(&self, scene: &Scene, inner: BodyId, outer: BodyId, contacts: &[Contact]) -> bool {
        let surface = |id: BodyId| Surface::new(scene.body(id)?, &self.solids[id.index()]);
        let (Some(inner_surface), Some(outer_surface)) = (surface(inner), surface(outer)) else {
            return false; // not closed
        };
        if !outer_surface.bounds().contains(&inner_surface.bounds())
            || inner_surface.is_copy_of(&outer_surface)
        {
            return false;
        }
        let by_role = |c: &Contact| if c.a.body == inner { [c.a, c.b] } else { [c.b, c.a] };
        let mut touching: Vec<[u32; 2]> = contacts.iter().map(|c| by_role(c).map(|e| e.triangle)).collect();
        // Contacts are sorted already where `inner` is the lower body.
        if !touching.is_sorted() {
            touching.sort_unstable();
        }
        contains(&outer_surface, &inner_surface, &touching)
    }
}

/// Whether no corner of the body lies outside the box; bodies that merely overlap are found out after a few corners.
fn stays_within(body: &Body, bounds: Option<&Bounds>) -> bool {
    let holds = |bounds: &Bounds| {
        (0..body.mesh().triangles().len())
            .all(|triangle| bounds.contains(&Bounds::of(body.world_corners(triangle))))
    };
    bounds.is_none_or(holds)
}

/// `touching` are the triangles of `inner` and `outer` in contact, sorted.
fn contains(outer: &Surface, inner: &Surface, touching: &[[u32; 2]]) -> bool {
    surface_within(inner, outer, touching) == Some(true) && !hollow::holds_hollow(inner, outer, touching)
}

/// Whether some point of the surface of `inner` is not on that of `outer`, or `None` if one is outside.
///
/// Away from contacts, what hangs together is inside or outside as a whole: one vertex tells. Where triangles
/// are in contact, each vertex is looked at, then each cell into which the contacts cut a triangle.
fn surface_within(inner: &Surface, outer: &Surface, touching: &[[u32; 2]]) -> Option<bool> {
    let mut any_inside = false;
    let mut note = |place: Place| match place {
        Place::Outside => ControlFlow::Break(()),
        Place::Inside => {
            any_inside = true;
            ControlFlow::Continue(())
        }
        Place::On => ControlFlow::Continue(()),
    };
    if touching.is_empty() {
        outer.expect_queries(inner.parts().len());
        for &vertex in inner.parts() {
            note(outer.locate(&inner.world()[vertex as usize])).continue_value()?;
        }
        return Some(any_inside);
    }

    let (on_outer, uncovered) = lying_on(inner, outer, touching);
    let mut pieces = inner.pieces(touching.iter().map(|pair| pair[0]));
    pieces.representatives.retain(|&vertex| !on_outer[vertex as usize]);
    outer.expect_queries(pieces.representatives.len());
    for vertex in pieces.representatives {
        note(outer.locate(&inner.world()[vertex as usize])).continue_value()?;
    }

    if uncovered.is_empty() {
        return Some(any_inside);
    }
    outer.by_x();
    let scale = Scale::of(inner.world().iter().chain(outer.world()));
    for triangle in uncovered {
        let from = touching.partition_point(|pair| pair[0] < triangle);
        let cutters = touching[from..].iter().take_while(|pair| pair[0] == triangle);
        let cutters: Vec<_> = cutters.map(|pair| outer.corners(pair[1])).collect();
        cells::for_each_cell(inner.corners(triangle), &cutters, scale, |germ, _| note(outer.locate(&germ)))
            .continue_value()?;
    }
    Some(any_inside)
}

/// Which vertices of `inner` lie on triangles of `outer`, and which touching triangles do not wholly lie in one.
fn lying_on(inner: &Surface, outer: &Surface, touching: &[[u32; 2]]) -> (Vec<bool>, Vec<u32>) {
    let mut on_outer = vec![false; inner.world().len()];
    let mut uncovered = Vec::new();
    for run in touching.chunk_by(|p, q| p[0] == q[0]) {
        let triangle = run[0][0];
        let corners = inner.corners(triangle);
        let vertices = inner.triangles()[triangle as usize].map(|vertex| vertex as usize);
        // Most surfaces that lie on each other are copies: equal corners need no arithmetic.
        let mut covered = run.iter().any(|pair| {
            let other = outer.corners(pair[1]);
            corners.iter().all(|corner| other.contains(corner))
        });
        if covered {
            for vertex in vertices {
                on_outer[vertex] = true;
            }
            continue;
        }
        for &[_, other] in run {
            let other = Hull::new(outer.corners(other));
            let on = corners.map(|corner| Hull::Point(corner).touches(other));
            for (vertex, on) in vertices.into_iter().zip(on) {
                on_outer[vertex] |= on;
            }
            // A triangle is convex: it holds all of another as soon as it holds the corners.
            covered |= on == [true; 3];
        }
        if !covered {
            uncovered.push(triangle);
        }
    }
    (on_outer, uncovered)
}
