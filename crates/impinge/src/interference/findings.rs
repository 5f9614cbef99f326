//! What interferes: bodies, pairs, edges, points (4.5.1, 4.5.5).

use super::count::Whose;
use super::edges::Side;
use super::judge::{Judged, Verdict};
use super::marked::Marked;
use crate::image::gather::{Member, owner};
use crate::image::view::View;
use crate::scene::{BodyId, Mesh, Point};
use crate::util::hash::hash;
use crate::util::stages::Stages;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What [`super::RayCaster`] finds. **Sampled**: what no pixel shows is missed.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Interference {
    /// Whether any body interferes with another; the thesis' algorithms also say so of one that interferes with itself.
    pub any: bool,
    /// The bodies that do, sorted. Of the thesis' algorithms, 2 and 3 find only those whose edges are inside others.
    pub bodies: Vec<BodyId>,
    /// Who penetrates whom, sorted.
    pub pairs: Vec<Penetration>,
    /// Edges that are somewhere inside another body, sorted. Unless one body lies wholly inside the other, some of them pass
    /// through its surface.
    pub edges: Vec<InterferingEdge>,
    /// Where they are inside: one for every pixel and every body around it, up to
    /// [`super::RayCastOptions::most_points`].
    pub points: Vec<InterferencePoint>,
    /// Bodies with edges inside themselves (4.5.8), sorted; of those that look at themselves
    /// ([`crate::Scene::set_self_collision`]), but for the thesis' algorithms. Where parts of a body are nearer to each other
    /// than a pixel or two, that may be an effect of sampling; folds at corners too sharp to stand clear of are missed.
    pub self_interfering: Vec<BodyId>,
    /// Bodies that are not closed, or turned inside out, sorted: known from their triangles, or because a ray left them more
    /// often than it entered them, or the reverse (4.4.1). Nothing counts as inside them where that was seen.
    pub not_closed: Vec<BodyId>,
    /// Two closed bodies that are farther apart than this, in world units, are never a pair.
    pub reach: f64,
    /// What was drawn, and how long it took.
    pub stages: CastStages,
    /// Time and count of the stages that all questions share.
    pub timing: Stages,
    /// The GPU that did a part of the work.
    pub adapter: Option<String>,
}

impl Interference {
    /// A number that two answers share exactly when they list the same pairs (FNV-1a; for comparing runs, threads and machines).
    pub fn hash(&self) -> u64 {
        let numbers =
            |p: &Penetration| [u32::MAX - 1, p.penetrating.index() as u32, p.penetrated.index() as u32];
        hash(self.pairs.iter().flat_map(numbers))
    }

    /// Whether any body interferes with another or with itself.
    pub fn collides(&self) -> bool {
        self.any || !self.self_interfering.is_empty()
    }
}

/// A body with edges inside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Penetration {
    /// The body whose edges they are.
    pub penetrating: BodyId,
    /// The body around them.
    pub penetrated: BodyId,
    /// In how many pixels that was seen.
    pub pixels: usize,
}

/// An edge, as a side of the first triangle that has it (of any that has it, in a body that lives on a GPU).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InterferingEdge {
    /// The body.
    pub body: BodyId,
    /// The triangle.
    pub triangle: u32,
    /// From its first corner to its second (0), from that to the third (1), or from that to the first (2).
    pub side: u8,
}

impl InterferingEdge {
    /// Its vertices in the body's mesh; `None` when that has no such triangle.
    pub fn vertices(&self, mesh: &Mesh) -> Option<[u32; 2]> {
        let triangle = mesh.triangles().get(self.triangle as usize)?;
        let side = usize::from(self.side % 3);
        Some([triangle[side], triangle[(side + 1) % 3]])
    }
}

/// A point of an edge that is inside a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InterferencePoint {
    /// In the world, as exact as pixels are: within [`Interference::reach`] of the edge.
    pub position: Point,
    /// Which of [`Interference::edges`].
    pub edge: usize,
    /// The body around it.
    pub inside: BodyId,
}

/// What was drawn in all views and layers together, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CastStages {
    /// Pixels across and down.
    pub resolution: [u32; 2],
    /// Views looked from; 0 when no boxes overlap.
    pub views: usize,
    /// Edges of all bodies, each once; in bodies that live on a GPU, once for every triangle.
    pub edges: usize,
    /// Most edges that were looked at in one pixel.
    pub layers: u32,
    /// Whether some pixel has more edges than that: a limit of the caller was reached.
    pub limited: bool,
    /// Pixels that show an edge.
    pub pixels: usize,
    /// Pixels whose count is not zero.
    pub marked: usize,
    /// Surfaces that rays to those meet, listed to tell bodies apart.
    pub crossings: usize,
    /// Points of edges inside other bodies, kept or not.
    pub points: usize,
    /// Bytes read back from a GPU.
    pub bytes_read_back: usize,
    /// Vertices to image coordinates, normals, lines.
    pub prepare: Duration,
    /// Drawing edges and counting surfaces, and what is drawn to tell bodies apart. Where a GPU does it, until it is done.
    pub render: Duration,
    /// Reading pixels, lists or queries back.
    pub read: Duration,
    /// Going through what was read.
    pub parse: Duration,
}

/// What the views of a frame have found so far.
#[derive(Debug, Default)]
pub struct Findings {
    any: bool,
    bodies: BTreeSet<BodyId>,
    pairs: BTreeMap<[BodyId; 2], usize>,
    sides: BTreeSet<Side>,
    points: Vec<(Point, Side, BodyId)>,
    self_interfering: BTreeSet<BodyId>,
    not_closed: BTreeSet<BodyId>,
    reach: f64,
    most_points: usize,
    /// May be added to.
    pub stages: CastStages,
}

impl Findings {
    /// Nothing yet, but which bodies are known not to be closed. Keeps so many points at most.
    pub fn begin(not_closed: impl IntoIterator<Item = BodyId>, most_points: usize) -> Self {
        Self { not_closed: not_closed.into_iter().collect(), most_points, ..Self::default() }
    }

    /// Two bodies may be so far apart and be reported, in one of the views.
    pub fn reaches(&mut self, whose: Whose, reach: f64) {
        if whose != Whose::Own {
            self.reach = self.reach.max(reach);
        }
    }

    /// Whether anything was found.
    pub fn any(&self) -> bool {
        self.any
    }

    /// Algorithm 1: whether some pixel is inside something.
    pub fn saw_any(&mut self, any: bool) {
        self.any |= any;
    }

    /// A body takes part.
    pub fn saw_body(&mut self, body: BodyId) {
        self.any = true;
        self.bodies.insert(body);
    }

    /// An edge is inside something.
    pub fn saw_edge(&mut self, members: &[Member], side: Side) {
        self.saw_body(members[owner(members, side / 3)].id);
        self.sides.insert(side);
    }

    /// A pixel of an edge is inside a body, as algorithm 4 has it: which may be its own.
    pub fn saw_pair(&mut self, members: &[Member], side: Side, body: u32) {
        let own = owner(members, side / 3);
        let around = members[body as usize].id;
        self.any = true;
        if own == body as usize {
            self.self_interfering.insert(around);
            return;
        }
        self.saw_edge(members, side);
        self.saw_body(around);
        *self.pairs.entry([members[own].id, around]).or_default() += 1;
    }

    /// A body turned out not to be closed.
    pub fn saw_open(&mut self, body: BodyId) {
        self.not_closed.insert(body);
    }

    /// What was found about marked pixels.
    pub fn judged(
        &mut self,
        view: &View,
        members: &[Member],
        sides: &[Side],
        marked: &[Marked],
        judged: &[Judged],
    ) {
        for one in judged {
            let at = marked[one.marked];
            let side = sides[at.line as usize];
            let body = members[one.body as usize].id;
            match one.verdict {
                Verdict::NotClosed => self.saw_open(body),
                Verdict::Inside if owner(members, side / 3) == one.body as usize => {
                    self.self_interfering.insert(body);
                }
                Verdict::Inside => {
                    self.saw_pair(members, side, one.body);
                    self.stages.points += 1;
                    if self.points.len() == self.most_points {
                        continue;
                    }
                    let [x, y] = [at.pixel % view.width, at.pixel / view.width];
                    let image = [f64::from(x) + 0.5, f64::from(y) + 0.5, f64::from(at.depth)];
                    self.points.push((view.unproject(image), side, body));
                }
            }
        }
    }

    /// The answer.
    pub fn finish(self, members: &[Member]) -> Interference {
        let edge = |&side: &Side| {
            let member = &members[owner(members, side / 3)];
            let triangle = side / 3 - member.first_triangle;
            InterferingEdge { body: member.id, triangle, side: (side % 3) as u8 }
        };
        let sides: Vec<Side> = self.sides.into_iter().collect();
        // Bodies held on a GPU come last among members, whatever their ids: edges are sorted once more.
        let mut order: Vec<usize> = (0..sides.len()).collect();
        order.sort_by_key(|&k| edge(&sides[k]));
        let mut rank = vec![0; sides.len()];
        for (place, &k) in order.iter().enumerate() {
            rank[k] = place;
        }
        let index = |side: &Side| sides.binary_search(side).map_or(0, |k| rank[k]);
        let points = self.points.iter();
        Interference {
            any: self.any,
            bodies: self.bodies.into_iter().collect(),
            pairs: self
                .pairs
                .into_iter()
                .map(|([penetrating, penetrated], pixels)| Penetration { penetrating, penetrated, pixels })
                .collect(),
            points: points
                .map(|(position, side, inside)| InterferencePoint {
                    position: *position,
                    edge: index(side),
                    inside: *inside,
                })
                .collect(),
            edges: order.iter().map(|&k| edge(&sides[k])).collect(),
            self_interfering: self.self_interfering.into_iter().collect(),
            not_closed: self.not_closed.into_iter().collect(),
            reach: self.reach,
            stages: self.stages,
            timing: Stages::default(),
            adapter: None,
        }
    }
}
