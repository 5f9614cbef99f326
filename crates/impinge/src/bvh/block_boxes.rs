//! Boxes side by side for bodies that keep their shape, so that eight boxes are compared with eight others at once, on three
//! levels:
//! * level 0: the eight blocks of a patch. Blocks of 8 triangles fit their surface much closer than a patch of 64 does, and
//!   no patch has to be read or transformed to compare them.
//! * level 1: the patches of a subtree of at most 8 patches whose parent has more (or the whole tree). It has at least 4,
//!   unless it is the whole tree, so `first / 4` is an index of its own.
//! * level 2: the level-1 subtrees of a subtree of at most 64 patches whose parent has more (or the whole tree, from 32
//!   patches on). It has at least 32, so `first / 32` is an index of its own; three halvings of 64 leave nothing larger than
//!   8, so it has at most 8 subtrees of level 1.
//!
//! A traversal halves the larger of two subtrees, so it comes to pairs of level 2, and to pairs of level 1, before it splits
//! one of them.
//!
//! The comparison is that of [`PosedBoxes`], in the frame of either body, with the same slack: a box is mapped and then
//! compared with the other's centre, in at most as many roundings, of numbers within the same reach.

use super::block_mask::BlockMask;
use super::boxes::{CentredBox, NodeBox};
use super::cut::Patches;
use super::refit::{BoxFrame, vertex_box};
use super::relative::{PosedBoxes, Relative};
use super::traverse::PairVisitor;
use super::tree::Subtree;
use super::volumes::Volumes;
use super::{BLOCK, PATCH};
use crate::scene::Positions;
use crate::simd::wide3 as wide;
use crate::simd::wide3::Wide3;
use crate::simd::{Kernel, Lanes, Machine};

/// Patches of a subtree of level 1, and of level 2.
const MAX_LEVEL1_PATCHES: u32 = 8;
const MIN_LEVEL2_PATCHES: u32 = 32;
const MAX_LEVEL2_PATCHES: u32 = 64;

/// As [`CentredBox`], of eight boxes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct BoxX8 {
    centre: [[f32; 8]; 3],
    half: [[f32; 8]; 3],
}

impl BoxX8 {
    const ZERO: Self = Self { centre: [[0.0; 8]; 3], half: [[0.0; 8]; 3] };

    #[inline(always)]
    fn set(&mut self, lane: usize, centred: &CentredBox) {
        for axis in 0..3 {
            self.centre[axis][lane] = centred.centre[axis];
            self.half[axis][lane] = centred.half[axis];
        }
    }
}

/// The boxes of one body that are compared eight at a time.
#[derive(Debug, Default)]
pub(crate) struct BlockBoxes {
    /// By patch.
    level0: Vec<BoxX8>,
    level1: Vec<BoxX8>,
    level2: Vec<Level2>,
}

/// A subtree of level 2: its subtrees of level 1 and their boxes.
#[derive(Clone, Copy, Debug)]
struct Level2 {
    boxes: BoxX8,
    subtrees: [Subtree; 8],
    count: u32,
}

impl BlockBoxes {
    /// Overwrites these with the boxes of a body; `leaves` are those of its patches.
    pub(crate) fn build(
        &mut self,
        patches: &Patches,
        positions: &Positions,
        frame: BoxFrame<'_>,
        machine: Machine,
        leaves: &[NodeBox],
    ) {
        self.level0.clear();
        self.level0.reserve_exact(patches.len());
        machine.run(BuildLevel0 { patches, positions, frame, level0: &mut self.level0 });
        self.level1.clear();
        self.level1.resize(leaves.len() / 4 + 1, BoxX8::ZERO);
        self.level2.clear();
        self.level2.resize(leaves.len() / MIN_LEVEL2_PATCHES as usize + 1, Level2::EMPTY);
        self.build_levels(Subtree::whole(leaves.len()), leaves, None);
    }

    /// Levels 1 and 2 of a subtree; `level2` is the index of its ancestor on level 2.
    fn build_levels(&mut self, tree: Subtree, leaves: &[NodeBox], level2: Option<usize>) {
        if tree.count > MAX_LEVEL1_PATCHES {
            let is_level2 = (MIN_LEVEL2_PATCHES..=MAX_LEVEL2_PATCHES).contains(&tree.count);
            let level2 = level2.or(is_level2.then_some((tree.first / MIN_LEVEL2_PATCHES) as usize));
            for half in tree.halves() {
                self.build_levels(half, leaves, level2);
            }
            return;
        }
        let level1 = &mut self.level1[tree.first as usize / 4];
        let mut whole = NodeBox::EMPTY;
        for (lane, leaf) in leaves[tree.first as usize..][..tree.count as usize].iter().enumerate() {
            level1.set(lane, &CentredBox::from(leaf));
            whole = whole.union(leaf);
        }
        if let Some(level2) = level2 {
            self.level2[level2].add(tree, &CentredBox::from(&whole));
        }
    }

    #[inline(always)]
    fn level2(&self, tree: Subtree) -> &Level2 {
        &self.level2[(tree.first / MIN_LEVEL2_PATCHES) as usize]
    }

    /// Whether nothing was built yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.level1.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.level0.clear();
        self.level1.clear();
        self.level2.clear();
    }

    #[inline(always)]
    fn level1(&self, tree: Subtree) -> &BoxX8 {
        &self.level1[tree.first as usize / 4]
    }

    #[inline(always)]
    fn level0(&self, patch: u32) -> &BoxX8 {
        &self.level0[patch as usize]
    }
}

impl Level2 {
    const EMPTY: Self =
        Self { boxes: BoxX8::ZERO, subtrees: [Subtree { node: 0, first: 0, count: 0 }; 8], count: 0 };

    fn add(&mut self, level1: Subtree, centred: &CentredBox) {
        // At most eight: see the module.
        if let Some(entry) = self.subtrees.get_mut(self.count as usize) {
            *entry = level1;
            self.boxes.set(self.count as usize, centred);
            self.count += 1;
        }
    }
}

struct BuildLevel0<'a> {
    patches: &'a Patches,
    positions: &'a Positions,
    frame: BoxFrame<'a>,
    level0: &'a mut Vec<BoxX8>,
}

impl Kernel for BuildLevel0<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for patch in 0..self.patches.len() {
            let list = self.patches.vertices_of(patch);
            let mut of_patch = BoxX8::ZERO;
            for block in 0..PATCH / BLOCK {
                // Lanes beyond the last triangle repeat lane 0, and so may whole blocks.
                let mut vertices = [0; 3 * BLOCK];
                for (corner, numbers) in self.patches.corners[patch].iter().enumerate() {
                    for (lane, &number) in numbers.as_chunks::<BLOCK>().0[block].iter().enumerate() {
                        vertices[BLOCK * corner + lane] = list[number as usize];
                    }
                }
                let bounds = vertex_box(lanes, self.positions, self.frame, &vertices);
                of_patch.set(block, &CentredBox::from(&bounds));
            }
            self.level0.push(of_patch);
        }
    }
}

/// The block boxes of two bodies, each in the body's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PosedBlocks<'a> {
    pub(crate) boxes: PosedBoxes<'a>,
    pub(crate) a: &'a BlockBoxes,
    pub(crate) b: &'a BlockBoxes,
}

impl Volumes for PosedBlocks<'_> {
    type Bound = ();

    #[inline(always)]
    fn meet<L: Lanes>(&self, lanes: L, a: Subtree, b: Subtree) -> bool {
        self.boxes.meet(lanes, a, b)
    }

    /// Two subtrees of level 2, or of at most 8 patches.
    #[inline(always)]
    fn visit_below<L: Lanes>(
        &self,
        lanes: L,
        a: Subtree,
        b: Subtree,
        visitor: &mut impl PairVisitor,
    ) -> Option<bool> {
        let (fewer, more) = (a.count.min(b.count), a.count.max(b.count));
        if fewer >= MIN_LEVEL2_PATCHES && more <= MAX_LEVEL2_PATCHES {
            let (a, b) = (self.a.level2(a), self.b.level2(b));
            let mask = self.compare(lanes, [&a.boxes, &b.boxes], [a.count, b.count], visitor);
            for [i, j] in mask.each() {
                let (a, b) = (a.subtrees[i], b.subtrees[j]);
                visitor.entered(a, b);
                if !self.visit_level1(lanes, a, b, visitor) {
                    return Some(false);
                }
            }
            return Some(true);
        }
        (more <= MAX_LEVEL1_PATCHES).then(|| self.visit_level1(lanes, a, b, visitor))
    }
}

impl PosedBlocks<'_> {
    /// All pairs of patches of two subtrees of at most 8 patches.
    #[inline(always)]
    fn visit_level1<L: Lanes>(
        &self,
        lanes: L,
        a: Subtree,
        b: Subtree,
        visitor: &mut impl PairVisitor,
    ) -> bool {
        let boxes = [self.a.level1(a), self.b.level1(b)];
        for [i, j] in self.compare(lanes, boxes, [a.count, b.count], visitor).each() {
            let (p, q) = (a.first + i as u32, b.first + j as u32);
            let blocks = meet(lanes, &self.boxes.relative, [self.a.level0(p), self.b.level0(q)]);
            if blocks != BlockMask::NONE && !visitor.leaves(p, q, blocks) {
                return false;
            }
        }
        true
    }

    /// Which boxes of `a` and `b` meet, of the first `counts` of each.
    #[inline(always)]
    fn compare<L: Lanes>(
        &self,
        lanes: L,
        boxes: [&BoxX8; 2],
        counts: [u32; 2],
        visitor: &mut impl PairVisitor,
    ) -> BlockMask {
        let mask = meet(lanes, &self.boxes.relative, boxes).within(counts);
        visitor.compared((counts[0] * counts[1]) as usize, mask.pairs() as usize);
        mask
    }
}

/// Compares eight boxes with eight others, in the frame of either body.
#[inline(always)]
fn meet<L: Lanes>(lanes: L, relative: &Relative, [a, b]: [&BoxX8; 2]) -> BlockMask {
    // All boxes of either body in the frame of the other; then each of `a` with all of `b`, in both frames.
    let (b_centre, b_half) = image(lanes, relative, 0, b);
    let (a_centre, a_half) = image(lanes, relative, 4, a);
    let (a_centre, a_half) = (stored(lanes, a_centre), stored(lanes, a_half));
    let (own_centre, own_half) = (wide::load(lanes, &b.centre), wide::load(lanes, &b.half));
    let mut mask = 0;
    for i in 0..8 {
        let in_a = apart(lanes, b_centre, b_half, lane(lanes, &a.centre, i), lane(lanes, &a.half, i));
        let in_b = apart(lanes, own_centre, own_half, lane(lanes, &a_centre, i), lane(lanes, &a_half, i));
        mask |= u64::from(!lanes.bits(lanes.or(in_a, in_b))) << (8 * i);
    }
    BlockMask(mask)
}

/// All boxes in the frame of the other body; lanes of `relative` from `side` on hold the map.
#[inline(always)]
fn image<L: Lanes>(lanes: L, relative: &Relative, side: usize, eight: &BoxX8) -> (Wide3<L>, Wide3<L>) {
    let (columns, sizes) = (&relative.columns, &relative.sizes);
    let mut centre = [lanes.splat(0.0); 3];
    let mut half = centre;
    for row in 0..3 {
        centre[row] = lanes.splat(columns[3][side + row]);
        half[row] = lanes.splat(sizes[3][side + row]);
        for axis in 0..3 {
            let (at, reach) = (lanes.load(&eight.centre[axis]), lanes.load(&eight.half[axis]));
            centre[row] = lanes.mul_add(lanes.splat(columns[axis][side + row]), at, centre[row]);
            half[row] = lanes.mul_add(lanes.splat(sizes[axis][side + row]), reach, half[row]);
        }
    }
    (centre, half)
}

/// Lanes in which two boxes are apart on some axis. NaN is never apart.
#[inline(always)]
fn apart<L: Lanes>(
    lanes: L,
    centre: Wide3<L>,
    half: Wide3<L>,
    other: Wide3<L>,
    other_half: Wide3<L>,
) -> L::M {
    let mut apart = [lanes.gt(half[0], half[0]); 3];
    for axis in 0..3 {
        let between = lanes.abs(lanes.sub(centre[axis], other[axis]));
        apart[axis] = lanes.gt(between, lanes.add(half[axis], other_half[axis]));
    }
    lanes.or(lanes.or(apart[0], apart[1]), apart[2])
}

#[inline(always)]
fn stored<L: Lanes>(lanes: L, [x, y, z]: Wide3<L>) -> [[f32; 8]; 3] {
    [lanes.store(x), lanes.store(y), lanes.store(z)]
}

/// Box `i` in all lanes.
#[inline(always)]
fn lane<L: Lanes>(lanes: L, of: &[[f32; 8]; 3], i: usize) -> Wide3<L> {
    wide::splat(lanes, [of[0][i], of[1][i], of[2][i]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::BodyPair;
    use crate::bvh::frame_input::FrameInput;
    use crate::bvh::test_scenes::{followed, grid_mesh};
    use crate::exact::triangles_touch;
    use crate::{Mesh, Pose, Scene};
    use std::collections::HashMap;

    /// A sheet at some scale, flat or bumpy, away from its origin.
    fn sheet(side: u32, scale: f32, away: f32, bumpy: bool) -> Mesh {
        grid_mesh(side, |u, v| {
            let height = if bumpy { 0.1 * ((9.0 * u).sin() + (7.0 * v).cos()) } else { 0.0 };
            [u + away, v, height].map(|x| x * scale)
        })
    }

    /// Triangles that touch are in blocks that meet, whatever the lanes; and most blocks do not meet.
    #[test]
    fn triangles_that_touch_are_in_blocks_that_meet() {
        // From one subtree of level 1 to two of level 2; side by side, so that they touch along an edge and their boxes
        // share no more than that; and through each other.
        let cases = [[9, 12], [24, 31], [34, 33], [48, 50]].into_iter().enumerate();
        for ((k, sides), flush) in cases.flat_map(|case| [(case, true), (case, false)]) {
            let (scale, far) = ([1.0, 1e-3, 1e6, 10.0][k], [0.0, 1e4, 0.0, 1e6][k]);
            let sides = if flush { [sides[0]; 2] } else { sides };
            let shift = [0.02, 0.03, 0.05].map(|x| f64::from(scale) * (x + far));
            let moved = if flush { (0.3, shift) } else { (1.1, shift.map(|x| x + 0.01 * f64::from(scale))) };
            let mut scene = Scene::new();
            for ((side, (angle, shift)), away) in
                sides.into_iter().zip([(0.3, shift), moved]).zip([0.25, 1.25])
            {
                let id = scene.add("sheet", sheet(side, scale, if flush { away } else { 0.25 }, !flush));
                scene.set_pose(id, Pose::from_axis_angle([1.0, 2.0, 0.5], angle, shift).unwrap()).unwrap();
            }
            let [(_, a), (_, b)] = [scene.at(0).unwrap(), scene.at(1).unwrap()];
            let counts = [a, b].map(|body| body.mesh().triangles().len() as u32);
            let pairs = (0..counts[0]).flat_map(|i| (0..counts[1]).map(move |j| (i, j)));
            let contacts: Vec<(u32, u32)> = pairs
                .filter(|&(i, j)| triangles_touch(&a.world_corners(i as usize), &b.world_corners(j as usize)))
                .collect();
            for machine in Machine::all() {
                let bodies = followed(&scene, machine);
                let input = FrameInput { scene: &scene, bodies: &bodies, unit: 1.0, machine };
                let (traversal, trees) = input.traversal(BodyPair { a: 0, b: 1 }).unwrap();
                let mut masks: HashMap<(u32, u32), BlockMask> = HashMap::new();
                let mut visitor = |p, q, blocks| masks.insert((p, q), blocks).is_none();
                trees.run(traversal, machine, &mut visitor);
                let block_of = |body: usize, triangle: u32| {
                    let at = bodies[body].patches.triangles.iter().position(|&t| t == triangle).unwrap();
                    ((at / PATCH) as u32, at % PATCH / BLOCK)
                };
                for &(i, j) in &contacts {
                    let ((p, in_p), (q, in_q)) = (block_of(0, i), block_of(1, j));
                    assert!(masks[&(p, q)].each().any(|pair| pair == [in_p, in_q]));
                }
                let blocks: usize = masks.values().map(|mask| mask.pairs() as usize).sum();
                let all = bodies[0].patches.len() * bodies[1].patches.len() * 64;
                let count = contacts.len();
                assert!(count > 10 && blocks * 4 < all, "{count} contacts, {blocks} of {all} blocks");
            }
        }
    }
}
