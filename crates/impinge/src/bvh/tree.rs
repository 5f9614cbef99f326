//! A binary tree of boxes over the patches of one body. The order of the patches is the tree: a node over `n`
//! patches has the first `ceil(n / 2)` of them on its left. Nodes stand in preorder, so a subtree over `n` patches
//! takes `2n - 1` places and no child needs a pointer.

use super::block_boxes as finer;
use super::block_boxes::{Finer, Met};
use super::cut::Patches;
use super::relative::Relative;
use crate::broad_phase::BodyPair;
use crate::scene::Pose;
use crate::scene::Positions;
use crate::simd::{Kernel, Lanes, Machine, Portable};
use crate::util::threads;
use crate::util::tolerance::FLOAT_ROUNDOFF;
use rayon::prelude::*;

/// A closed box, rounded outward to floats; the fourth coordinate is always zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(crate) struct NodeBox {
    pub(crate) min: [f32; 4],
    pub(crate) max: [f32; 4],
}

impl NodeBox {
    pub(crate) const EMPTY: Self = Self {
        min: [f32::INFINITY, f32::INFINITY, f32::INFINITY, 0.0],
        max: [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0],
    };

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        Self { min: greater(self.min, other.min), max: lesser(self.max, other.max) }
    }

    #[inline(always)]
    pub(crate) fn union(&self, other: &Self) -> Self {
        Self { min: lesser(self.min, other.min), max: greater(self.max, other.max) }
    }

    /// Whether the boxes are no farther apart than `slack` on any axis.
    #[inline(always)]
    pub(crate) fn within(&self, other: &Self, slack: f32) -> bool {
        let mut apart = false;
        for axis in 0..4 {
            apart |= self.min[axis] - slack > other.max[axis];
            apart |= other.min[axis] - slack > self.max[axis];
        }
        !apart
    }
}

#[inline(always)]
fn lesser(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
}

#[inline(always)]
fn greater(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
}

/// The same box by its middle and by what it reaches from there, rounded up; the fourth coordinates are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(crate) struct Middle {
    pub(crate) centre: [f32; 4],
    pub(crate) half: [f32; 4],
}

impl From<&NodeBox> for Middle {
    /// Of an infinite box, not numbers.
    #[inline]
    fn from(&NodeBox { min, max }: &NodeBox) -> Self {
        let mut middle = Self { centre: [0.0; 4], half: [0.0; 4] };
        for axis in 0..3 {
            let centre = 0.5 * min[axis] + 0.5 * max[axis];
            let (below, above) = (centre - min[axis], max[axis] - centre);
            middle.centre[axis] = centre;
            middle.half[axis] = (if below > above { below } else { above }) * (1.0 + 4.0 * FLOAT_ROUNDOFF)
                + f32::MIN_POSITIVE;
        }
        middle
    }
}

/// The largest float not above, and the smallest not below.
#[inline]
pub(crate) fn outward(min: f64, max: f64) -> (f32, f32) {
    let (low, high) = (min as f32, max as f32);
    (
        if f64::from(low) > min { low.next_down() } else { low },
        if f64::from(high) < max { high.next_up() } else { high },
    )
}

/// Patches per task of an update.
const TASK: usize = 256;

/// Where the boxes are taken: in body coordinates, or in world coordinates through a pose.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    Body,
    World(&'a Pose),
}

/// Boxes of all nodes from the present positions.
pub(crate) fn refit(
    patches: &Patches,
    positions: &Positions,
    place: Place<'_>,
    machine: Machine,
    leaves: &mut Vec<NodeBox>,
    nodes: &mut Vec<NodeBox>,
) {
    leaves.resize(patches.len(), NodeBox::EMPTY);
    if patches.len() > TASK && threads::many() {
        leaves.par_chunks_mut(TASK).enumerate().for_each(|(task, boxes)| {
            machine.run(LeafBoxes { patches, positions, place, first: task * TASK, boxes });
        });
    } else {
        machine.run(LeafBoxes { patches, positions, place, first: 0, boxes: leaves });
    }
    nodes.resize((2 * leaves.len()).saturating_sub(1), NodeBox::EMPTY);
    if !leaves.is_empty() {
        fill(nodes, leaves);
    }
}

/// Returns the box of the subtree.
fn fill(nodes: &mut [NodeBox], leaves: &[NodeBox]) -> NodeBox {
    let bounds = if let [leaf] = leaves {
        *leaf
    } else {
        let (left, right) = leaves.split_at(leaves.len().div_ceil(2));
        let (left_nodes, right_nodes) = nodes[1..].split_at_mut(2 * left.len() - 1);
        fill(left_nodes, left).union(&fill(right_nodes, right))
    };
    nodes[0] = bounds;
    bounds
}

struct LeafBoxes<'a> {
    patches: &'a Patches,
    positions: &'a Positions,
    place: Place<'a>,
    first: usize,
    boxes: &'a mut [NodeBox],
}

impl Kernel for LeafBoxes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (offset, bounds) in self.boxes.iter_mut().enumerate() {
            let vertices = self.patches.vertices_of(self.first + offset);
            *bounds = vertex_box(lanes, self.positions, self.place, vertices);
        }
    }
}

/// The box of some vertices.
#[inline(always)]
pub(crate) fn vertex_box<L: Lanes>(
    lanes: L,
    positions: &Positions,
    place: Place<'_>,
    vertices: &[u32],
) -> NodeBox {
    match (positions, place) {
        (Positions::F32(p), Place::Body) => float_box(lanes, p.as_flattened(), vertices),
        (Positions::F64(p), Place::Body) => double_box(vertices.iter().map(|&v| p[v as usize])),
        (_, Place::World(pose)) => {
            double_box(vertices.iter().map(|&v| pose.apply(positions.get(v as usize))))
        }
    }
}

/// A vertex in one load of four floats; the fourth belongs to the next vertex, and nobody looks at it.
#[inline(always)]
pub(crate) fn four(flat: &[f32], vertex: u32) -> [f32; 4] {
    let at = 3 * vertex as usize;
    match flat.get(at..at + 4) {
        Some(four) => [four[0], four[1], four[2], four[3]],
        None => [flat[at], flat[at + 1], flat[at + 2], 0.0],
    }
}

#[inline(always)]
fn float_box<L: Lanes>(lanes: L, flat: &[f32], vertices: &[u32]) -> NodeBox {
    // Two at a time: the next minimum need not wait for the last one.
    let (mut min, mut max) = (lanes.load4(&NodeBox::EMPTY.min), lanes.load4(&NodeBox::EMPTY.max));
    let (mut other_min, mut other_max) = (min, max);
    let (pairs, rest) = vertices.as_chunks::<2>();
    for &[p, q] in pairs {
        let (p, q) = (lanes.load4(&four(flat, p)), lanes.load4(&four(flat, q)));
        min = lanes.min4(min, p);
        max = lanes.max4(max, p);
        other_min = lanes.min4(other_min, q);
        other_max = lanes.max4(other_max, q);
    }
    for &p in rest {
        let p = lanes.load4(&four(flat, p));
        min = lanes.min4(min, p);
        max = lanes.max4(max, p);
    }
    let (mut min, mut max) =
        (lanes.store4(lanes.min4(min, other_min)), lanes.store4(lanes.max4(max, other_max)));
    min[3] = 0.0;
    max[3] = 0.0;
    NodeBox { min, max }
}

#[inline(always)]
fn double_box(points: impl Iterator<Item = [f64; 3]>) -> NodeBox {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in points {
        for axis in 0..3 {
            min[axis] = if p[axis] < min[axis] { p[axis] } else { min[axis] };
            max[axis] = if p[axis] > max[axis] { p[axis] } else { max[axis] };
        }
    }
    let mut bounds = NodeBox { min: [0.0; 4], max: [0.0; 4] };
    for axis in 0..3 {
        (bounds.min[axis], bounds.max[axis]) = outward(min[axis], max[axis]);
    }
    bounds
}

/// A subtree: the place of its root, its first patch, how many patches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subtree {
    pub(crate) node: u32,
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl Subtree {
    pub(crate) fn whole(patches: usize) -> Self {
        Self { node: 0, first: 0, count: patches as u32 }
    }

    #[inline(always)]
    pub(crate) fn halves(self) -> [Self; 2] {
        let left = self.count.div_ceil(2);
        [
            Self { node: self.node + 1, first: self.first, count: left },
            Self { node: self.node + 2 * left, first: self.first + left, count: self.count - left },
        ]
    }
}

/// How boxes of two trees are compared.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "one for each walk, on the stack")]
pub(crate) enum Compare<'a> {
    /// Both are in one frame.
    Same,
    /// Both are in one frame, but their coordinates may be off by this much.
    Near(f32),
    /// Each is in its body's frame.
    Posed { relative: Relative, a: &'a [Middle], b: &'a [Middle], finer: [Option<&'a Finer>; 2] },
}

/// The nodes of two trees, or twice of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes<'a> {
    pub(crate) a: &'a [NodeBox],
    pub(crate) b: &'a [NodeBox],
    pub(crate) compare: Compare<'a>,
}

impl Boxes<'_> {
    #[inline(always)]
    pub(crate) fn meet<L: Lanes>(&self, lanes: L, p: u32, q: u32) -> bool {
        match &self.compare {
            Compare::Same => {
                let (a, b) = (&self.a[p as usize], &self.b[q as usize]);
                let (a_min, a_max) = (lanes.load4(&a.min), lanes.load4(&a.max));
                let (b_min, b_max) = (lanes.load4(&b.min), lanes.load4(&b.max));
                !lanes.any_gt4(a_min, b_max, b_min, a_max)
            }
            Compare::Near(slack) => self.a[p as usize].within(&self.b[q as usize], *slack),
            Compare::Posed { relative, a, b, .. } => relative.meet(lanes, &a[p as usize], &b[q as usize]),
        }
    }

    /// The finer boxes of both bodies, where both have them.
    #[inline(always)]
    pub(crate) fn finer(&self) -> Option<finer::Pair<'_>> {
        match &self.compare {
            Compare::Posed { relative, finer: [Some(a), Some(b)], .. } => {
                Some(finer::Pair { relative, a, b })
            }
            _ => None,
        }
    }
}

/// A part of a walk: two subtrees, or one against itself.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Between(Subtree, Subtree),
    Within(Subtree),
}

/// Subtrees of fewer patches are walked by one thread.
const WALK: u32 = 128;

impl Part {
    pub(crate) fn whole(a: usize, b: usize, pair: BodyPair) -> Self {
        if pair.a == pair.b {
            Self::Within(Subtree::whole(a))
        } else {
            Self::Between(Subtree::whole(a), Subtree::whole(b))
        }
    }

    /// All pairs of patches whose boxes meet all the way down, and which of their blocks do; in a tree against itself each patch
    /// with itself, too.
    /// Stops, and says `false`, when `found` says `false`.
    pub(crate) fn walk(
        self,
        boxes: &Boxes<'_>,
        machine: Machine,
        found: &mut impl FnMut(u32, u32, Met) -> bool,
    ) -> bool {
        machine.run(Walk { part: self, boxes, found })
    }

    fn walk_in<L: Lanes>(
        self,
        lanes: L,
        boxes: &Boxes<'_>,
        found: &mut impl FnMut(u32, u32, Met) -> bool,
    ) -> bool {
        match self {
            Self::Between(a, b) => lanes.run(Between { a, b, boxes, found }),
            Self::Within(Subtree { count: 0, .. }) => true,
            Self::Within(Subtree { first, count: 1, .. }) => found(first, first, Met::ALL),
            Self::Within(tree) => {
                let [left, right] = tree.halves();
                Self::Within(left).walk_in(lanes, boxes, found)
                    && Self::Within(right).walk_in(lanes, boxes, found)
                    && lanes.run(Between { a: left, b: right, boxes, found })
            }
        }
    }

    /// The same walk in parts, side by side.
    pub(crate) fn split(self, boxes: &Boxes<'_>, visit: &(impl Fn(Self) + Sync)) {
        match self {
            Self::Between(a, b) if !boxes.meet(Portable, a.node, b.node) => {}
            Self::Between(a, b) if a.count.max(b.count) > WALK => {
                let parts = if a.count >= b.count {
                    a.halves().map(|half| Self::Between(half, b))
                } else {
                    b.halves().map(|half| Self::Between(a, half))
                };
                threads::join(|| parts[0].split(boxes, visit), || parts[1].split(boxes, visit));
            }
            Self::Within(tree) if tree.count > WALK => {
                let [left, right] = tree.halves();
                let [within_left, within_right] = [Self::Within(left), Self::Within(right)];
                threads::join(
                    || threads::join(|| within_left.split(boxes, visit), || within_right.split(boxes, visit)),
                    || Self::Between(left, right).split(boxes, visit),
                );
            }
            part => visit(part),
        }
    }
}

/// A whole walk, compiled for the lanes.
struct Walk<'a, F> {
    part: Part,
    boxes: &'a Boxes<'a>,
    found: &'a mut F,
}

impl<F: FnMut(u32, u32, Met) -> bool> Kernel for Walk<'_, F> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        self.part.walk_in(lanes, self.boxes, self.found)
    }
}

/// The walk over two subtrees.
struct Between<'a, F> {
    a: Subtree,
    b: Subtree,
    boxes: &'a Boxes<'a>,
    found: &'a mut F,
}

impl<F: FnMut(u32, u32, Met) -> bool> Kernel for Between<'_, F> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        // Each step down halves the larger subtree: at most 2 * 32 steps, one waiting pair for each.
        const NOTHING: Subtree = Subtree { node: 0, first: 0, count: 0 };
        let Self { a, b, boxes, found } = self;
        let finer = boxes.finer();
        let mut stack = [(NOTHING, NOTHING); 66];
        stack[0] = (a, b);
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (a, b) = stack[depth];
            if !boxes.meet(lanes, a.node, b.node) {
                continue;
            }
            if let Some(finer) = finer {
                if let Some(bundles) = finer.bundles(lanes, a, b) {
                    for [a, b] in bundles {
                        if !within_bundles(lanes, &finer, a, b, found) {
                            return false;
                        }
                    }
                    continue;
                }
                if a.count.max(b.count) <= 8 {
                    if !within_bundles(lanes, &finer, a, b, found) {
                        return false;
                    }
                    continue;
                }
            }
            if a.count == 1 && b.count == 1 {
                if !found(a.first, b.first, Met::ALL) {
                    return false;
                }
                continue;
            }
            let (first, second) = if a.count >= b.count {
                let [left, right] = a.halves();
                ((left, b), (right, b))
            } else {
                let [left, right] = b.halves();
                ((a, left), (a, right))
            };
            stack[depth] = second;
            stack[depth + 1] = first;
            depth += 2;
        }
        true
    }
}

/// The walk over two bundles whose boxes meet.
#[inline(always)]
fn within_bundles<L: Lanes>(
    lanes: L,
    finer: &finer::Pair<'_>,
    a: Subtree,
    b: Subtree,
    found: &mut impl FnMut(u32, u32, Met) -> bool,
) -> bool {
    for [i, j] in finer.patches(lanes, a, b) {
        let blocks = finer.met(lanes, i, j);
        if blocks != Met::NONE && !found(i, j, blocks) {
            return false;
        }
    }
    true
}
