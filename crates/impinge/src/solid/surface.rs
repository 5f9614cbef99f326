//! A closed body as containment sees it: world positions, pieces, and its triangles in order of x.

use super::germ::Scale;
use super::locate::{Place, Probe, locate};
use crate::scene::topology::DisjointSets;
use crate::scene::vector::cross;
use crate::scene::{Body, Bounds, Point, Topology, Version};
use std::sync::OnceLock;

/// Sorting takes as long as about this many passes over the triangles.
const SORT_FROM: usize = 16;

/// What is kept of a body between calls. Versions tell what is still true.
#[derive(Debug, Default)]
pub(crate) struct Solid {
    topology: Option<Version>,
    placement: Option<(Version, Version)>,
    closed: bool,
    oriented: bool,
    /// Vertices that some triangle uses.
    used: Vec<u32>,
    /// One vertex of every part of the surface that hangs together through vertices.
    parts: Vec<u32>,
    /// By vertex: which of the parts it is of.
    part_of: OnceLock<Vec<u32>>,
    bounds: Bounds,
    world: OnceLock<Vec<Point>>,
    scale: OnceLock<Scale>,
    turned_out: OnceLock<bool>,
    by_x: OnceLock<ByX>,
}

impl Solid {
    pub(crate) fn update(&mut self, body: &Body) {
        if self.topology != Some(body.topology_version()) {
            let topology = Topology::new(body.mesh());
            *self = Self { topology: Some(body.topology_version()), ..Self::default() };
            self.closed = topology.is_closed();
            self.oriented = topology.is_oriented();
            let mut is_used = vec![false; body.mesh().positions().len()];
            body.mesh().triangles().as_flattened().iter().for_each(|&v| is_used[v as usize] = true);
            self.used = (0..is_used.len() as u32).filter(|&v| is_used[v as usize]).collect();
            self.parts = pieces(body.mesh().triangles(), &self.used, |_| false).representatives;
        }
        let placement = Some((body.positions_version(), body.pose_version()));
        if self.placement != placement {
            self.placement = placement;
            self.bounds = Bounds::of(self.used.iter().map(|&v| body.world_position(v as usize)));
            self.world.take();
            self.by_x.take();
            self.scale.take();
            self.turned_out.take();
        }
    }
}

/// A body, up to date; a closed one, unless somebody asked for any.
#[derive(Clone, Copy)]
pub(crate) struct Surface<'a> {
    body: &'a Body,
    solid: &'a Solid,
}

impl<'a> Surface<'a> {
    /// `None` when the body is not closed.
    pub(crate) fn new(body: &'a Body, solid: &'a Solid) -> Option<Self> {
        solid.closed.then_some(Self { body, solid })
    }

    /// Closed or not.
    pub(crate) fn of_any(body: &'a Body, solid: &'a Solid) -> Self {
        Self { body, solid }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.solid.closed
    }

    pub(crate) fn body(&self) -> &'a Body {
        self.body
    }

    pub(crate) fn triangles(&self) -> &'a [[u32; 3]] {
        self.body.mesh().triangles()
    }

    /// Box of the triangles.
    pub(crate) fn bounds(&self) -> Bounds {
        self.solid.bounds
    }

    /// World positions of all vertices.
    pub(crate) fn world(&self) -> &'a [Point] {
        let vertices = self.body.mesh().positions().len();
        self.solid.world.get_or_init(|| (0..vertices).map(|v| self.body.world_position(v)).collect())
    }

    /// Whether both have the same triangles in the same place, vertex by vertex: copies left on each other, as assemblies have them.
    pub(crate) fn is_copy_of(&self, other: &Self) -> bool {
        self.triangles() == other.triangles() && self.world() == other.world()
    }

    pub(crate) fn corners(&self, triangle: u32) -> [Point; 3] {
        let world = self.world();
        self.triangles()[triangle as usize].map(|vertex| world[vertex as usize])
    }

    pub(crate) fn is_oriented(&self) -> bool {
        self.solid.oriented
    }

    /// One vertex of every part of the surface that hangs together through vertices.
    pub(crate) fn parts(&self) -> &'a [u32] {
        &self.solid.parts
    }

    /// By vertex: which of [`Self::parts`] it is of.
    pub(crate) fn part_of(&self) -> &'a [u32] {
        self.solid.part_of.get_or_init(|| {
            let mut sets = pieces(self.triangles(), &self.solid.used, |_| false).sets;
            let mut number = vec![0; self.world().len()];
            for (part, &vertex) in self.parts().iter().enumerate() {
                number[vertex as usize] = part as u32;
            }
            // A root is the part's representative.
            self.solid.used.iter().for_each(|&v| number[v as usize] = number[sets.root(v as usize)]);
            number
        })
    }

    /// What makes integers of all its coordinates.
    pub(crate) fn scale(&self) -> Scale {
        *self.solid.scale.get_or_init(|| Scale::of(self.world().iter()))
    }

    /// Whether most of what it encloses is behind its triangles, not before them: a guess, in rounded numbers.
    pub(crate) fn is_turned_out(&self) -> bool {
        *self.solid.turned_out.get_or_init(|| {
            let Bounds { min, max } = self.bounds();
            let size = (0..3).map(|i| max[i] / 2.0 - min[i] / 2.0).fold(f64::MIN_POSITIVE, f64::max);
            let volume = |triangle: u32| {
                let [a, b, c] = self.corners(triangle).map(|p| [0, 1, 2].map(|i| (p[i] - min[i]) / size));
                let bc = cross(b, c);
                a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2]
            };
            (0..self.triangles().len() as u32).map(volume).sum::<f64>() >= 0.0
        })
    }

    /// The parts that remain when these triangles are cut out.
    pub(crate) fn pieces(&self, without: impl IntoIterator<Item = u32>) -> Pieces {
        let mut cut = vec![false; self.triangles().len()];
        without.into_iter().for_each(|triangle| cut[triangle as usize] = true);
        pieces(self.triangles(), &self.solid.used, |triangle| cut[triangle])
    }

    /// The triangles in order of x; from now on, [`Self::locate`] uses it.
    pub(crate) fn by_x(&self) -> &'a ByX {
        self.solid.by_x.get_or_init(|| ByX::new(self))
    }

    /// Orders the triangles by x if that pays for so many calls of [`Self::locate`].
    pub(crate) fn expect_queries(&self, count: usize) {
        if count >= SORT_FROM {
            self.by_x();
        }
    }

    /// Where a point is: in the solid, on the surface, or outside.
    pub(crate) fn locate<P: Probe>(&self, probe: &P) -> Place {
        let (Bounds { min, max }, [low, high]) = (self.bounds(), probe.bounds());
        if (0..3).any(|axis| high[axis] < min[axis] || low[axis] > max[axis]) {
            return Place::Outside;
        }
        match self.solid.by_x.get() {
            Some(by_x) => locate(probe, self, by_x.overlapping(low[0], high[0]).iter().copied()),
            None => locate(probe, self, 0..self.triangles().len() as u32),
        }
    }
}

/// Parts of a surface that hang together through vertices.
pub(crate) struct Pieces {
    /// One vertex of each part: those of parts with triangles first, then single vertices.
    pub(crate) representatives: Vec<u32>,
    /// How many of them are of parts with triangles.
    pub(crate) with_triangles: usize,
    /// By vertex: the smallest vertex of its part.
    pub(crate) sets: DisjointSets,
}

fn pieces(triangles: &[[u32; 3]], used: &[u32], cut: impl Fn(usize) -> bool) -> Pieces {
    let vertices = used.last().map_or(0, |&v| v as usize + 1);
    let mut sets = DisjointSets::new(vertices);
    let mut single = vec![true; vertices];
    for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
        if !cut(triangle) {
            sets.join(a as usize, b as usize);
            sets.join(a as usize, c as usize);
            for v in [a, b, c] {
                single[v as usize] = false;
            }
        }
    }
    let mut representatives: Vec<u32> =
        used.iter().copied().filter(|&v| sets.root(v as usize) == v as usize).collect();
    representatives.sort_by_key(|&v| single[v as usize]);
    let with_triangles = representatives.partition_point(|&v| !single[v as usize]);
    Pieces { representatives, with_triangles, sets }
}

/// Triangles in order of their smallest x: made in the time of one sort, and good enough for the few queries that
/// contacts leave.
#[derive(Debug)]
pub(crate) struct ByX {
    order: Vec<u32>,
    smallest: Vec<f64>,
    /// The largest x of any triangle up to here.
    largest_so_far: Vec<f64>,
}

impl ByX {
    fn new(surface: &Surface) -> Self {
        let extent = |triangle: u32| {
            let [a, b, c] = surface.corners(triangle).map(|p| p[0]);
            (a.min(b).min(c), a.max(b).max(c))
        };
        let mut order: Vec<u32> = (0..surface.triangles().len() as u32).collect();
        order.sort_by(|&a, &b| extent(a).0.total_cmp(&extent(b).0));
        let smallest = order.iter().map(|&triangle| extent(triangle).0).collect();
        let largest_so_far = order.iter().scan(f64::NEG_INFINITY, |largest, &triangle| {
            *largest = largest.max(extent(triangle).1);
            Some(*largest)
        });
        let largest_so_far = largest_so_far.collect();
        Self { order, smallest, largest_so_far }
    }

    /// All triangles whose extent along x meets `low..=high`, and some more.
    pub(crate) fn overlapping(&self, low: f64, high: f64) -> &[u32] {
        let end = self.smallest.partition_point(|&x| x <= high);
        let start = self.largest_so_far.partition_point(|&x| x < low);
        &self.order[start.min(end)..end]
    }
}
