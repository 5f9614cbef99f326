//! What one body's surface meets of another's solid, from the signs of their contacts and a few located points.
//!
//! **Layers.** The *layer* of a triangle is what lies just behind it: infinitely close to its inside, on the side that the body
//! is on. A triangle of the other body may touch without reaching into that layer:
//! 1. it only meets the border of the triangle, or
//! 2. none of its corners is behind the triangle's plane.
//!
//! Where that holds for every contact of a triangle (it is *free*), its layer is in one place of the other body: inside, or
//! outside; and what of the triangle is not on the other surface is in the same place. Across an edge, the layers of two free
//! triangles are in the same place where the other surface does not come between them:
//! 1. no triangle that meets both has the edge in its plane (then it meets the edge in a point at most), or
//! 2. none of its corners is behind either, or
//! 3. the body is convex there, and both triangles are on the same side of its plane.
//!
//! So one point tells for every free triangle that hangs together with others. A corner of a triangle in contact that is not on
//! the other surface tells for all triangles without contacts around it; what is left are the parts of the body that nothing
//! touches. Nothing is assumed of either body: it may run through itself. What is not free is *blocked*, and looked at closely.

use super::cells::for_each_cell;
use super::germ::{Germ, Rational, Scale, minus, normal};
use super::hollow::cutters;
use super::locate::Place;
use super::meeting::{Kind, Meeting, are_mixed, share_an_area};
use super::surface::Surface;
use crate::exact::coplanar::{Hull, flatten, flattening_axis};
use crate::exact::predicates::{Sign, orient2d, orient3d};
use crate::scene::topology::DisjointSets;
use crate::scene::{Bounds, Point};
use num_bigint::BigInt;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// One contact, as one of its bodies sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    own: u32,
    other: u32,
    /// Where its [`Meeting`] stands.
    meeting: u32,
}

/// One body of a pair, and its contacts with the other.
pub(super) struct Half<'a> {
    own: Surface<'a>,
    other: Surface<'a>,
    meetings: &'a [Meeting],
    /// Which of the triangles of a meeting is of this body.
    role: usize,
    /// Where the outside of a triangle is, as a sign of `orient3d`, of either body.
    outer: [Sign; 2],
    /// Sorted.
    links: Vec<Link>,
    /// Where the links of each triangle in contact end.
    ends: Vec<usize>,
    scale: Scale,
}

/// What is known so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Some point is in the interior of both solids.
    pub(super) overlap: bool,
    /// Some point of one surface is in the interior of the other solid.
    pub(super) reach: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Free,
    Blocked,
    /// A triangle that is a segment or a point has no layer, and comes between nothing.
    Flat,
}

/// What has to be looked at triangle by triangle.
#[derive(Default)]
struct Open {
    /// Triangles in contact.
    blocked: Vec<usize>,
    /// Whether points of the surface away from contacts are in the other's interior.
    all: bool,
}

impl<'a> Half<'a> {
    /// `pairs` are the triangles in contact, `meetings` what they are. `outer` is a guess that decides how much has to be looked at
    /// closely, no more.
    pub(super) fn new(
        [own, other]: [Surface<'a>; 2],
        pairs: impl Iterator<Item = [u32; 2]>,
        meetings: &'a [Meeting],
        role: usize,
        outer: [Sign; 2],
        scale: Scale,
    ) -> Self {
        let link = |(meeting, [own, other]): (usize, [u32; 2])| Link { own, other, meeting: meeting as u32 };
        let mut links: Vec<Link> = pairs.enumerate().map(link).collect();
        if !links.is_sorted() {
            links.sort_unstable();
        }
        let ends = links.chunk_by(|p, q| p.own == q.own).scan(0, |end, run| {
            *end += run.len();
            Some(*end)
        });
        let ends = ends.collect();
        Self { own, other, meetings, role, outer, links, ends, scale }
    }

    fn links(&self, k: usize) -> &[Link] {
        let from = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.links[from..self.ends[k]]
    }

    fn triangle(&self, k: usize) -> u32 {
        self.links(k)[0].own
    }

    fn kind(&self, link: Link) -> Kind {
        self.meetings[link.meeting as usize].kind
    }

    /// Of this body's triangle about the other's plane.
    fn own_sides(&self, link: Link) -> [Sign; 3] {
        self.meetings[link.meeting as usize].sides[self.role]
    }

    /// Of the other's triangle about this one's plane; positive outside.
    fn other_sides(&self, link: Link) -> [Sign; 3] {
        self.meetings[link.meeting as usize].sides[1 - self.role].map(|side| side * self.outer[self.role])
    }

    fn state(&self, k: usize) -> State {
        let is_flat = |&link: &Link| matches!(self.kind(link), Kind::Flat(flat) if flat[self.role]);
        if self.links(k).iter().any(is_flat) {
            return State::Flat;
        }
        if self.links(k).iter().all(|&link| self.leaves_free(link)) { State::Free } else { State::Blocked }
    }

    /// Whether the contact keeps out of the layer of this body's triangle, which is not flat.
    fn leaves_free(&self, link: Link) -> bool {
        match self.kind(link) {
            Kind::Flat(_) => true,
            Kind::Through => false,
            Kind::Beside => {
                !are_mixed(self.own_sides(link))
                    || are_mixed(self.other_sides(link))
                    || !self.other_sides(link).contains(&-1)
            }
            // Behind one and the same border, both bodies may be: there, either layer is asked about the other body only.
            Kind::Flush(facing) => {
                facing * self.outer[0] * self.outer[1] < 0
                    || !self.other.is_closed()
                    || !self.own.is_closed()
                    || !share_an_area(&self.own.corners(link.own), &self.other.corners(link.other))
            }
        }
    }

    /// Looks at everything; stops at what is in the interior of both.
    pub(super) fn look(&self, found: &mut Found) {
        let states: Vec<State> = (0..self.ends.len()).map(|k| self.state(k)).collect();
        let mut open = Open::default();
        self.look_at_layers(&states, &mut open, found);
        if !found.overlap {
            self.look_at_corners(&states, &mut open, found);
        }
        if !found.overlap {
            self.look_at_parts(&mut open, found);
        }
        if !self.is_settled(*found) {
            self.look_closely(&open, found);
        }
    }

    /// How many triangles in contact are not free.
    pub(super) fn blocked(&self) -> usize {
        (0..self.ends.len()).filter(|&k| self.state(k) != State::Free).count()
    }

    /// Only what is closed has an interior that may be shared.
    fn is_settled(&self, found: Found) -> bool {
        found.overlap || found.reach && !self.own.is_closed()
    }

    /// One point for all free triangles that hang together.
    fn look_at_layers(&self, states: &[State], open: &mut Open, found: &mut Found) {
        let mut sets = self.free_layers(states);
        let mut members: Vec<(usize, usize)> =
            (0..states.len()).filter(|&k| states[k] == State::Free).map(|k| (sets.root(k), k)).collect();
        members.sort_unstable();
        for set in members.chunk_by(|p, q| p.0 == q.0) {
            let corner =
                set.iter().take(MAX_CORNERS_TRIED).find_map(|&(_, k)| Some((k, self.corner_off(k)?)));
            let (k, place, vertex) = match corner {
                Some((k, vertex)) => (k, self.locate_vertex(vertex), Some(vertex)),
                // In its interior nothing meets a free triangle but from outside.
                None => (set[0].1, self.other.locate(&self.behind(self.triangle(set[0].1))), None),
            };
            if place != Place::Inside {
                continue;
            }
            let triangle = self.triangle(k);
            match vertex {
                Some(vertex) => self.found_inside(triangle, vertex, found),
                None => found.overlap |= self.own.locate(&self.behind(triangle)) == Place::Inside,
            }
            open.all |= vertex.is_some();
            open.blocked.extend(set.iter().map(|&(_, k)| k));
            if found.overlap {
                return;
            }
        }
    }

    /// Corners of blocked triangles that are not on the other surface: what nothing touches may begin there.
    fn look_at_corners(&self, states: &[State], open: &mut Open, found: &mut Found) {
        let mut seen = BTreeSet::new();
        for (k, _) in states.iter().enumerate().filter(|(_, state)| **state != State::Free) {
            open.blocked.push(k);
            for corner in 0..3 {
                let vertex = self.own.triangles()[self.triangle(k) as usize][corner];
                if seen.insert(vertex)
                    && self.is_off(k, corner)
                    && self.locate_vertex(vertex) == Place::Inside
                {
                    self.found_inside(self.triangle(k), vertex, found);
                    open.all = true;
                    if found.overlap {
                        return;
                    }
                }
            }
        }
    }

    /// Parts that nothing touches.
    fn look_at_parts(&self, open: &mut Open, found: &mut Found) {
        let parts = self.own.parts();
        if parts.len() == 1 && (!self.links.is_empty() || !self.other.bounds().contains(&self.own.bounds())) {
            return;
        }
        let mut touched = vec![false; parts.len()];
        for k in 0..self.ends.len() {
            let vertex = self.own.triangles()[self.triangle(k) as usize][0];
            touched[self.own.part_of()[vertex as usize] as usize] = true;
        }
        self.other.expect_queries(touched.iter().filter(|touched| !**touched).count());
        for (&vertex, _) in parts.iter().zip(touched).filter(|(_, touched)| !touched) {
            if self.locate_vertex(vertex) == Place::Inside {
                let triangle = self.own.triangles().iter().position(|t| t.contains(&vertex));
                self.found_inside(triangle.unwrap_or(0) as u32, vertex, found);
                open.all = true;
                if found.overlap {
                    return;
                }
            }
        }
    }

    /// A vertex of a triangle is in the other's interior: so is all around it, and what is behind the triangle there.
    fn found_inside(&self, triangle: u32, vertex: u32, found: &mut Found) {
        found.reach = true;
        if !self.own.is_closed() {
            return;
        }
        let corners = self.own.corners(triangle).map(|p| self.scale.vector(p));
        let at = self.scale.vector(self.own.world()[vertex as usize]);
        // Towards the middle of the triangle, so that the germ is beside its inside.
        let sum = [0, 1, 2].map(|i| &corners[0][i] + &corners[1][i] + &corners[2][i]);
        let toward = minus(&sum, &at.each_ref().map(|x| x * BigInt::from(3)));
        let across = normal(&corners);
        for side in [across.clone(), across.map(|x| -x)] {
            let germ = Germ::new(at.clone().into(), vec![toward.clone(), side], self.scale);
            found.overlap |= self.own.locate(&germ) == Place::Inside;
        }
    }

    /// Just behind the middle of a triangle.
    fn behind(&self, triangle: u32) -> Germ {
        let corners = self.own.corners(triangle).map(|p| self.scale.vector(p));
        let numerator = [0, 1, 2].map(|i| &corners[0][i] + &corners[1][i] + &corners[2][i]);
        let at = Rational { numerator, denominator: BigInt::from(3) };
        // The sign of `orient3d` is negative on the side that the normal points to.
        let outward = normal(&corners).map(|x| if self.outer[self.role] < 0 { x } else { -x });
        Germ::new(at, vec![outward.map(|x| -x)], self.scale)
    }

    /// Cell by cell, what is left; the definition, and slow.
    fn look_closely(&self, open: &Open, found: &mut Found) {
        let mut pending: Vec<u32> = open.blocked.iter().map(|&k| self.triangle(k)).collect();
        if open.all {
            pending = (0..self.own.triangles().len() as u32).collect();
            self.other.expect_queries(pending.len());
        }
        pending.sort_unstable();
        pending.dedup();
        for triangle in pending {
            let from = self.links.partition_point(|link| link.own < triangle);
            let links = self.links[from..].iter().take_while(|link| link.own == triangle);
            let mut cut: Vec<[Point; 3]> = links.map(|link| self.other.corners(link.other)).collect();
            let vertex = self.own.triangles()[triangle as usize][0];
            if cut.is_empty() && self.locate_vertex(vertex) != Place::Inside {
                continue; // nor is any point of it
            }
            if self.own.is_closed() {
                cut.extend(cutters(&self.own, triangle).into_iter().map(|own| self.own.corners(own)));
            }
            if self.look_at_cells(triangle, &cut, found).is_break() {
                return;
            }
        }
    }

    /// Whether cells of a triangle, cut by others, are in the other's interior, or beside what is in both.
    fn look_at_cells(&self, triangle: u32, cutters: &[[Point; 3]], found: &mut Found) -> ControlFlow<()> {
        for_each_cell(self.own.corners(triangle), cutters, self.scale, |germ, across| {
            found.reach |= self.other.locate(&germ) == Place::Inside;
            if self.own.is_closed() && self.other.is_closed() {
                for side in [across.clone(), across.clone().map(|x| -x)] {
                    let beside = germ.then(side);
                    found.overlap |= self.other.locate(&beside) == Place::Inside
                        && self.own.locate(&beside) == Place::Inside;
                }
            }
            if self.is_settled(*found) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    /// What the surroundings of one contact show.
    pub(super) fn look_at_contact(&self, pair: [u32; 2], found: &mut Found) {
        let _ = self.look_at_cells(pair[0], &[self.other.corners(pair[1])], found);
    }

    fn locate_vertex(&self, vertex: u32) -> Place {
        self.other.locate(&self.own.world()[vertex as usize])
    }

    /// A vertex of a triangle that is not on the other surface.
    fn corner_off(&self, k: usize) -> Option<u32> {
        let corner = (0..3).find(|&corner| self.is_off(k, corner))?;
        Some(self.own.triangles()[self.triangle(k) as usize][corner])
    }

    /// Whether a corner is not on the other surface: whatever holds it meets the triangle.
    fn is_off(&self, k: usize, corner: usize) -> bool {
        let at = self.own.corners(self.triangle(k))[corner];
        let holds = |&link: &Link| {
            let other = self.other.corners(link.other);
            self.own_sides(link)[corner] == 0
                && Bounds::of(other).contains(&Bounds::of([at]))
                && Hull::Point(at).touches(Hull::new(other))
        };
        !self.links(k).iter().any(holds)
    }

    /// Free triangles whose layers hang together.
    fn free_layers(&self, states: &[State]) -> DisjointSets {
        let mut sets = DisjointSets::new(states.len());
        // Lower vertex, higher vertex, triangle in contact, whether it has the edge from the lower to the higher.
        let mut edges: Vec<(u32, u32, usize, bool)> = Vec::with_capacity(3 * states.len());
        for (k, _) in states.iter().enumerate().filter(|(_, state)| **state == State::Free) {
            let [a, b, c] = self.own.triangles()[self.triangle(k) as usize];
            edges.extend([[a, b], [b, c], [c, a]].map(|[p, q]| (p.min(q), p.max(q), k, p < q)));
        }
        edges.sort_unstable();
        for pair in edges.windows(2) {
            let [(a, b, p, p_up), (c, d, q, q_up)] = [pair[0], pair[1]];
            if [a, b] == [c, d]
                && p_up != q_up
                && sets.root(p) != sets.root(q)
                && self.hang_together([p, q], [a, b])
            {
                sets.join(p, q);
            }
        }
        sets
    }

    /// Whether the layers of two free triangles are in the same place, across the edge that they share.
    fn hang_together(&self, [p, q]: [usize; 2], edge: [u32; 2]) -> bool {
        let corners = |k: usize| self.own.triangles()[self.triangle(k) as usize];
        let apex = |k: usize| corners(k).iter().position(|v| !edge.contains(v));
        let (Some(p_apex), Some(q_apex)) = (apex(p), apex(q)) else { return false };
        let has_edge = |sides: [Sign; 3], apex: usize| (0..3).all(|i| i == apex || sides[i] == 0);
        let mut convex = None;
        let (mut left, mut right) = (self.links(p).iter().peekable(), self.links(q).iter().peekable());
        while let (Some(&&l), Some(&&r)) = (left.peek(), right.peek()) {
            if l.other != r.other {
                if l.other < r.other {
                    left.next()
                } else {
                    right.next()
                };
                continue;
            }
            left.next();
            right.next();
            let [l_sides, r_sides] = [l, r].map(|link| self.own_sides(link));
            // What is flat comes between nothing.
            if [l, r].iter().any(|&link| matches!(self.kind(link), Kind::Flat(_)))
                || !has_edge(l_sides, p_apex)
            {
                continue;
            }
            let convex = *convex.get_or_insert_with(|| self.fold([p, q], edge, [p_apex, q_apex]));
            let is_before = [l, r].iter().all(|&link| !self.other_sides(link).contains(&-1));
            let is_beside = convex == Fold::Convex && l_sides[p_apex] * r_sides[q_apex] >= 0;
            if convex == Fold::Shut || !is_before && !is_beside {
                return false;
            }
        }
        true
    }

    fn fold(&self, [p, q]: [usize; 2], edge: [u32; 2], [p_apex, q_apex]: [usize; 2]) -> Fold {
        let t = self.own.corners(self.triangle(p));
        let end = self.own.corners(self.triangle(q))[q_apex];
        let side = orient3d(t[0], t[1], t[2], end) * self.outer[self.role];
        if side != 0 {
            return if side < 0 { Fold::Convex } else { Fold::Open };
        }
        // A free triangle is not flat.
        let Some(axis) = flattening_axis(t) else { return Fold::Shut };
        let [u, v] = edge.map(|vertex| flatten(self.own.world()[vertex as usize], axis));
        let beside = |at: Point| orient2d(u, v, flatten(at, axis));
        if beside(t[p_apex]) == beside(end) { Fold::Shut } else { Fold::Open }
    }
}

/// How two triangles meet in an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fold {
    Convex,
    /// In one plane, on one side of the edge.
    Shut,
    /// Flat or reflex.
    Open,
}

/// Where more triangles than this have all their corners on the other surface, one is asked about what is behind it.
const MAX_CORNERS_TRIED: usize = 64;
