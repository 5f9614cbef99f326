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
mod germ;
mod hollow;
mod locate;
mod surface;
#[cfg(test)]
mod tests;

use super::flat::Hull;
use crate::body_pairs::BodyPair;
use crate::report::{Contact, Containment, Report};
use crate::scene::{BodyId, Scene};
use crate::threads;
use germ::Scale;
use locate::Place;
use rayon::prelude::*;
use std::ops::ControlFlow;
use surface::{Solid, Surface};

/// Finds containments; keeps what can be reused, by slot of the body.
#[derive(Debug, Default)]
pub(crate) struct Containments {
    solids: Vec<Solid>,
}

impl Containments {
    /// Appends every containment among the pairs to `report.containments`, sorted by outer, then inner body. The
    /// contacts between the pairs are in the report already.
    pub(crate) fn find(&mut self, scene: &Scene, pairs: &[BodyPair], report: &mut Report) {
        let mut ids = vec![None; scene.slots()];
        scene.bodies().for_each(|(id, _)| ids[id.index()] = Some(id));
        let mut wanted = vec![false; scene.slots()];
        for pair in pairs.iter().filter(|pair| pair.a != pair.b) {
            wanted[pair.a as usize] = true;
            wanted[pair.b as usize] = true;
        }
        self.update(scene, &ids, |slot| wanted[slot]);
        let test = |pair: &BodyPair| {
            let [a, b] = [ids[pair.a as usize], ids[pair.b as usize]];
            let (Some(a), Some(b)) = (a, b) else { return [None; 2].into_iter().flatten() };
            let range = report.pairs.binary_search_by(|listed| (listed.a, listed.b).cmp(&(a, b)));
            let contacts = range.map_or(0..0, |at| report.pairs[at].contacts.clone());
            let contacts = &report.contacts[contacts];
            [[a, b], [b, a]]
                .map(|[inner, outer]| {
                    self.contained(scene, inner, outer, contacts).then_some(Containment { inner, outer })
                })
                .into_iter()
                .flatten()
        };
        let is_of_two = |pair: &&BodyPair| pair.a != pair.b;
        let mut found: Vec<_> = if threads::many() {
            pairs.par_iter().filter(is_of_two).flat_map_iter(test).collect()
        } else {
            pairs.iter().filter(is_of_two).flat_map(test).collect()
        };
        found.sort_unstable_by_key(|c| (c.outer, c.inner));
        report.containments.extend(found);
    }

    /// Brings the wanted bodies up to date; nothing is kept of bodies that are gone.
    fn update(&mut self, scene: &Scene, ids: &[Option<BodyId>], wanted: impl Fn(usize) -> bool + Sync) {
        self.solids.resize_with(scene.slots(), Solid::default);
        let update = |(slot, solid): (usize, &mut Solid)| match ids[slot].and_then(|id| scene.body(id)) {
            Some(body) if wanted(slot) => solid.update(body),
            Some(_) => {}
            None => *solid = Solid::default(),
        };
        if threads::many() {
            self.solids.par_iter_mut().enumerate().for_each(update);
        } else {
            self.solids.iter_mut().enumerate().for_each(update);
        }
    }

    /// Whether `outer` contains `inner`; both are up to date, and `contacts` are all contacts between the two.
    fn contained(&self, scene: &Scene, inner: BodyId, outer: BodyId, contacts: &[Contact]) -> bool {
        let surface = |id: BodyId| Surface::new(scene.body(id)?, &self.solids[id.index()]);
        let (Some(inner_surface), Some(outer_surface)) = (surface(inner), surface(outer)) else {
            return false; // not closed
        };
        if !outer_surface.bounds().contains(&inner_surface.bounds()) {
            return false;
        }
        let by_role = |c: &Contact| if c.a.body == inner { [c.a, c.b] } else { [c.b, c.a] };
        let mut touching: Vec<[u32; 2]> = contacts.iter().map(|c| by_role(c).map(|e| e.triangle)).collect();
        touching.sort_unstable();
        contains(&outer_surface, &inner_surface, &touching)
    }
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
