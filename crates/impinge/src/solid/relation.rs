//! From the contacts of a pair of bodies to what the two are to each other: exactly, never within a tolerance.
//!
//! The *solid* of a closed body is defined above; its *interior* is the solid without the surface. With every triangle that
//! touches comes what its neighbourhood is (`meeting.rs`). Where two triangles pass through each other, or lie on each other
//! with both bodies on one side, a point just beside them is looked for in both solids: found, the interiors overlap. Where no
//! such pair is, `layers.rs` proves that they do not, with one located point for everything that hangs together; what it cannot
//! prove, it looks at cell by cell.
//!
//! Why points beside triangles are enough: the set that two interiors share is open and bounded. Its border is made of pieces of
//! both surfaces, and beside one of these pieces are points of the set.

use super::layers::{Found, Half};
use super::meeting::{Kind, Meeting, share_an_area};
use super::surface::Surface;
use super::{Containment, Containments, crossing, hollow, surface_within};
use crate::exact::predicates::Sign;
use crate::exact::{Contact, PairContacts};
use crate::scene::{BodyId, Point, Scene};
use crate::util::threads;
use rayon::prelude::*;

/// What two bodies are to each other, in the order of what matters.
///
/// ```
/// use impinge::contacts::Relation;
/// use impinge::{Collider, Mesh, Options, Pose, Scene};
///
/// // A tetrahedron of size 1 on the floor of another one, which has size 4.
/// let tetrahedron = |size: f64| {
///     let corners = vec![[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]];
///     Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
/// };
/// let mut scene = Scene::new();
/// scene.add("large", tetrahedron(4.0)?);
/// let small = scene.add("small", tetrahedron(1.0)?);
///
/// let mut collider = Collider::new(Options { relations: true, ..Options::default() });
/// let mut relation = |[x, y, z]: [f64; 3]| {
///     scene.set_pose(small, Pose::from_translation([x, y, z]).unwrap()).unwrap();
///     collider.collide(&scene).unwrap().relations.first().map(|pair| pair.relation)
/// };
/// assert_eq!(relation([0.5, 0.5, 0.0]), Some(Relation::Inside { inner: small }));
/// assert_eq!(relation([0.5, 0.5, -0.5]), Some(Relation::Overlapping));
/// assert_eq!(relation([0.5, 0.5, -1.0]), Some(Relation::Touching)); // its tip, from below
/// assert_eq!(relation([0.5, 0.5, (-1.0f64).next_down()]), None);
/// assert_eq!(relation([-1.0, 0.0, 0.0]), Some(Relation::Touching));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Relation {
    /// Closed bodies whose interiors share a point, and so a volume; neither is part of the other.
    Overlapping,
    /// The solid of one closed body is part of that of the other, and some point of it is in the other's interior.
    Inside {
        /// The one inside.
        inner: BodyId,
    },
    /// Closed bodies with one and the same solid, however it is cut into triangles.
    Equal,
    /// The surface of one body goes into the interior of the other, though no volume is shared: one of the two is open, or has no
    /// volume there. Of two open bodies: somewhere one goes from one side of the other to its other side.
    Crossing,
    /// They share points, and none of the above holds.
    Touching,
}

/// Two bodies that share a point of their surfaces or of their solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairRelation {
    /// The first body.
    pub a: BodyId,
    /// The second body.
    pub b: BodyId,
    /// What the two are to each other.
    pub relation: Relation,
}

/// Contacts that are taken as signs before the first are looked at closely: where solids overlap, some of these say so.
const FIRST_CONTACTS: usize = 256;

/// Contacts that are looked at closely, at most, before everything is.
const MAX_LOOKED_AT: usize = 4;

/// Contacts of a pair that pay for more than one thread.
const MIN_SHARED_CONTACTS: usize = 4096;

/// Pairs that a body is in from which on its triangles are put in order.
const MIN_ORDERED_PAIRS: usize = 8;

impl Containments {
    /// Appends the relation of every pair of bodies in contact, and of every other pair of `apart` whose solids share a point,
    /// sorted. `pairs` and `contacts` are all contacts; `containments` all containments, sorted.
    pub(crate) fn relate(
        &mut self,
        scene: &Scene,
        pairs: &[PairContacts],
        apart: impl Iterator<Item = [BodyId; 2]>,
        contacts: &[Contact],
        containments: &[Containment],
        relations: &mut Vec<PairRelation>,
    ) {
        let touching = pairs.iter().filter(|pair| pair.a != pair.b);
        let mut asked: Vec<(BodyId, BodyId, &[Contact])> =
            touching.map(|pair| (pair.a, pair.b, &contacts[pair.contacts.clone()])).collect();
        asked.extend(apart.map(|[a, b]| (a, b, &[][..])));
        asked.sort_unstable_by_key(|&(a, b, _)| (a, b));
        let mut uses = vec![0; scene.slots()];
        for &(a, b, _) in &asked {
            uses[a.index()] += 1;
            uses[b.index()] += 1;
        }
        self.wanted.clear();
        self.wanted.extend(uses.iter().map(|&count| count > 0));
        self.update(scene, asked.len() > 1);

        let holds =
            |inner, outer| containments.binary_search_by_key(&(outer, inner), |c| (c.outer, c.inner)).is_ok();
        let relation = |&(a, b, contacts): &(BodyId, BodyId, &[Contact])| {
            let surface = |id: BodyId| Some(Surface::of_any(scene.body(id)?, &self.solids[id.index()]));
            let pair = Pair {
                surfaces: [surface(a)?, surface(b)?],
                contacts,
                contained: [holds(a, b), holds(b, a)],
            };
            for (id, surface) in [a, b].into_iter().zip(&pair.surfaces) {
                if uses[id.index()] >= MIN_ORDERED_PAIRS {
                    surface.by_x();
                }
            }
            Some(PairRelation { a, b, relation: pair.relation([a, b])? })
        };
        if threads::many() && asked.len() > 1 {
            let found: Vec<PairRelation> = asked.par_iter().filter_map(relation).collect();
            relations.extend(found);
        } else {
            relations.extend(asked.iter().filter_map(relation));
        }
    }
}

struct Pair<'a> {
    surfaces: [Surface<'a>; 2],
    contacts: &'a [Contact],
    /// Whether the second contains the first, and the first the second.
    contained: [bool; 2],
}

impl Pair<'_> {
    fn relation(&self, ids: [BodyId; 2]) -> Option<Relation> {
        let [a, b] = &self.surfaces;
        match [a.is_closed(), b.is_closed()] {
            [true, true] => {}
            _ if self.contacts.is_empty() => return None,
            [false, false] => return Some(self.of_open()),
            [first_closed, _] => return Some(self.of_open_and_closed(usize::from(first_closed))),
        }
        if self.contacts.is_empty() {
            // Neither surface meets the other: what contains is larger.
            if let Some(inner) = (0..2).find(|&k| self.contained[k]) {
                return Some(Relation::Inside { inner: ids[inner] });
            }
            if !a.bounds().overlaps(&b.bounds()) {
                return None;
            }
        } else if a.triangles().len() == b.triangles().len() && a.bounds() == b.bounds() && self.are_copies()
        {
            return Some(Relation::Equal);
        }
        let found = if self.contained.contains(&true) { Found::default() } else { self.look() };
        let is_part = [0, 1].map(|k| self.contained[k] || self.is_part_on_surface(k));
        match is_part {
            [true, true] => Some(Relation::Equal),
            // What contains has points of the other's surface in its interior.
            [first, second]
                if (first || second) && (found.overlap || found.reach || self.contained.contains(&true)) =>
            {
                Some(Relation::Inside { inner: ids[usize::from(second)] })
            }
            _ if found.overlap => Some(Relation::Overlapping),
            _ if found.reach => Some(Relation::Crossing),
            _ => (!self.contacts.is_empty()).then_some(Relation::Touching),
        }
    }

    /// Of two closed bodies: whether their interiors overlap, or else the surface of one goes into the interior of the other.
    fn look(&self) -> Found {
        let [a, b] = self.surfaces;
        let outer = self.surfaces.map(|surface| if surface.is_turned_out() { -1 } else { 1 });
        let scale = a.scale().with(b.scale());
        let mut found = Found::default();
        let mut meetings = Vec::with_capacity(self.contacts.len());
        let first = FIRST_CONTACTS.min(self.contacts.len());
        let bare = Half::new([a, b], std::iter::empty(), &[], 0, outer, scale);
        for range in [0..first, first..self.contacts.len()] {
            let start = range.start;
            meetings.extend(self.meetings(&self.contacts[range]));
            let suspects = (start..meetings.len()).filter(|&at| self.is_suspect(at, meetings[at], outer));
            for at in suspects.take(MAX_LOOKED_AT) {
                bare.look_at_contact(self.triangles(at), &mut found);
                if found.overlap {
                    return found;
                }
            }
        }
        let pairs = || (0..self.contacts.len()).map(|at| self.triangles(at));
        Half::new([a, b], pairs(), &meetings, 0, outer, scale).look(&mut found);
        if !found.overlap {
            let swapped = pairs().map(|[a, b]| [b, a]);
            Half::new([b, a], swapped, &meetings, 1, outer, scale).look(&mut found);
        }
        found
    }

    /// What all contacts are, in their order.
    fn meetings(&self, contacts: &[Contact]) -> Vec<Meeting> {
        let [a, b] = &self.surfaces;
        let meeting =
            |contact: &Contact| Meeting::of(&a.corners(contact.a.triangle), &b.corners(contact.b.triangle));
        if threads::many() && contacts.len() >= MIN_SHARED_CONTACTS {
            contacts.par_iter().with_min_len(MIN_SHARED_CONTACTS / 4).map(meeting).collect()
        } else {
            contacts.iter().map(meeting).collect()
        }
    }

    fn triangles(&self, at: usize) -> [u32; 2] {
        [self.contacts[at].a.triangle, self.contacts[at].b.triangle]
    }

    /// Whether the interiors overlap at a contact, if both bodies are what they seem.
    fn is_suspect(&self, at: usize, meeting: Meeting, outer: [Sign; 2]) -> bool {
        let [a, b] = self.triangles(at);
        match meeting.kind {
            Kind::Through => true,
            Kind::Flush(facing) => {
                facing * outer[0] * outer[1] > 0
                    && share_an_area(&self.surfaces[0].corners(a), &self.surfaces[1].corners(b))
            }
            Kind::Beside | Kind::Flat(_) => false,
        }
    }

    fn of_open(&self) -> Relation {
        let meetings = self.meetings(self.contacts);
        let pairs = (0..meetings.len()).map(|at| self.triangles(at));
        if crossing::cross(self.surfaces.each_ref(), pairs, &meetings) {
            Relation::Crossing
        } else {
            Relation::Touching
        }
    }

    /// Whether the surface of the open one goes into the interior of the closed one.
    fn of_open_and_closed(&self, open: usize) -> Relation {
        let closed = 1 - open;
        let (own, other) = (self.surfaces[open], self.surfaces[closed]);
        let scale = own.scale().with(other.scale());
        let meetings = self.meetings(self.contacts);
        let pair = |at: usize| [self.triangles(at)[open], self.triangles(at)[closed]];
        let mut found = Found::default();
        // The closed one lies to either side: which is not known before, and decides only how much is looked at closely.
        let halves = [-1, 1].map(|outer| {
            Half::new([own, other], (0..meetings.len()).map(pair), &meetings, open, [outer; 2], scale)
        });
        let suspects = (0..meetings.len()).filter(|&at| meetings[at].kind == Kind::Through);
        for at in suspects.take(MAX_LOOKED_AT) {
            halves[0].look_at_contact(pair(at), &mut found);
            if found.reach {
                return Relation::Crossing;
            }
        }
        let [first, second] = &halves;
        if first.blocked() <= second.blocked() {
            first.look(&mut found);
        } else {
            second.look(&mut found);
        }
        if found.reach { Relation::Crossing } else { Relation::Touching }
    }

    /// Whether the solid of one body is part of the other's, where no containment says so: then its surface is on the other's.
    fn is_part_on_surface(&self, inner: usize) -> bool {
        let [inner_surface, outer_surface] = [inner, 1 - inner].map(|k| &self.surfaces[k]);
        let triangles = inner_surface.triangles().len();
        if self.contacts.len() < triangles || !outer_surface.bounds().contains(&inner_surface.bounds()) {
            return false;
        }
        let by_role = |at: usize| [self.triangles(at)[inner], self.triangles(at)[1 - inner]];
        let mut touching: Vec<[u32; 2]> = (0..self.contacts.len()).map(by_role).collect();
        touching.sort_unstable();
        touching.chunk_by(|p, q| p[0] == q[0]).count() == triangles
            && surface_within(inner_surface, outer_surface, &touching).is_some()
            && !hollow::holds_hollow(inner_surface, outer_surface, &touching)
    }

    /// Whether the two have the same triangles, all turned the same way or all turned over: bodies that were copied.
    fn are_copies(&self) -> bool {
        if self.surfaces[0].is_copy_of(&self.surfaces[1]) {
            return true;
        }
        let [mut a, b] = self.surfaces.each_ref().map(|surface| {
            let mut all: Vec<[[u64; 3]; 3]> = (0..surface.triangles().len() as u32)
                .map(|triangle| lowest_first(surface.corners(triangle)))
                .collect();
            all.sort_unstable();
            all
        });
        if a == b {
            return true;
        }
        for t in &mut a {
            t.swap(1, 2);
        }
        a.sort_unstable();
        a == b
    }
}

/// The corners, as the bits of their coordinates, in their order from the lowest on.
fn lowest_first(corners: [Point; 3]) -> [[u64; 3]; 3] {
    // Zeros of either sign are one number.
    let mut corners = corners.map(|p| p.map(|x| (x + 0.0).to_bits()));
    let lowest = (0..3).min_by_key(|&i| corners[i]).unwrap_or(0);
    corners.rotate_left(lowest);
    corners
}
