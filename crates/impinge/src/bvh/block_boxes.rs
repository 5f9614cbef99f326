//! Finer boxes for bodies that keep their shape: of the eight blocks of each patch, and of the up to eight patches of each
//! bundle, side by side, so that all of the one are compared with all of the other at once. Blocks of 8 triangles fit their
//! surface much closer than a patch of 64 does, and nothing of a patch has to be read or turned to compare them.
//!
//! A bundle is a subtree of at most 8 patches whose parent has more (or the whole tree): 4 at least, unless it is all there
//! is, so the number of its first patch, divided by 4, tells it from all others. A bale is a subtree of at most 64 patches whose
//! parent has more (or the whole tree, if that has 32 at least): 32 at least, and in three steps down from 64 there is nothing
//! larger than 8, so it has at most 8 bundles. A walk halves the larger of two subtrees, so it comes to pairs of bales, and to
//! pairs of bundles, before it takes one of them apart.
//!
//! The comparison is that of [`Relative::meet`], in the frame of either body, with the same slack: a box is mapped and
//! then held against the other's middle, in at most as many roundings, of numbers within the same reach.

use super::cut::Patches;
use super::relative::Relative;
use super::tree::{Middle, NodeBox, Place, Subtree, vertex_box};
use super::{BLOCK, PATCH};
use crate::scene::Positions;
use crate::simd::wide3 as wide;
use crate::simd::wide3::Wide3;
use crate::simd::{Kernel, Lanes, Machine};

/// Patches of a bale.
const MIN_BALE: u32 = 32;
const MAX_BALE: u32 = 64;

/// As [`Middle`], of eight boxes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Eight {
    centre: [[f32; 8]; 3],
    half: [[f32; 8]; 3],
}

impl Eight {
    const ZERO: Self = Self { centre: [[0.0; 8]; 3], half: [[0.0; 8]; 3] };

    #[inline(always)]
    fn set(&mut self, lane: usize, middle: &Middle) {
        for axis in 0..3 {
            self.centre[axis][lane] = middle.centre[axis];
            self.half[axis][lane] = middle.half[axis];
        }
    }
}

/// All boxes of one body that are compared eight at a time.
#[derive(Debug, Default)]
pub(crate) struct Finer {
    blocks: Vec<Eight>,
    bundles: Vec<Eight>,
    bales: Vec<Bale>,
}

/// The bundles of a subtree.
#[derive(Clone, Copy, Debug)]
struct Bale {
    boxes: Eight,
    bundles: [Subtree; 8],
    count: u32,
}

impl Finer {
    /// Overwrites these with the boxes of a body, whose patches have these boxes.
    pub(crate) fn make(
        &mut self,
        patches: &Patches,
        positions: &Positions,
        place: Place<'_>,
        machine: Machine,
        leaves: &[NodeBox],
    ) {
        self.blocks.clear();
        self.blocks.reserve_exact(patches.len());
        machine.run(MakeBlocks { patches, positions, place, blocks: &mut self.blocks });
        self.bundles.clear();
        self.bundles.resize(leaves.len() / 4 + 1, Eight::ZERO);
        self.bales.clear();
        self.bales.resize(leaves.len() / MIN_BALE as usize + 1, Bale::EMPTY);
        self.make_bundles(Subtree::whole(leaves.len()), leaves, None);
    }

    /// Of a tree, or of a part of it within a bale.
    fn make_bundles(&mut self, tree: Subtree, leaves: &[NodeBox], bale: Option<usize>) {
        if tree.count > 8 {
            let is_bale = (MIN_BALE..=MAX_BALE).contains(&tree.count);
            let bale = bale.or(is_bale.then_some((tree.first / MIN_BALE) as usize));
            for half in tree.halves() {
                self.make_bundles(half, leaves, bale);
            }
            return;
        }
        let bundle = &mut self.bundles[tree.first as usize / 4];
        let mut whole = NodeBox::EMPTY;
        for (lane, leaf) in leaves[tree.first as usize..][..tree.count as usize].iter().enumerate() {
            bundle.set(lane, &Middle::from(leaf));
            whole = whole.union(leaf);
        }
        if let Some(bale) = bale {
            self.bales[bale].add(tree, &Middle::from(&whole));
        }
    }

    #[inline(always)]
    fn bale(&self, tree: Subtree) -> &Bale {
        &self.bales[(tree.first / MIN_BALE) as usize]
    }

    /// Whether nothing was made yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.bundles.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.bundles.clear();
        self.bales.clear();
    }

    #[inline(always)]
    fn bundle(&self, tree: Subtree) -> &Eight {
        &self.bundles[tree.first as usize / 4]
    }

    #[inline(always)]
    fn blocks(&self, patch: u32) -> &Eight {
        &self.blocks[patch as usize]
    }
}

impl Bale {
    const EMPTY: Self =
        Self { boxes: Eight::ZERO, bundles: [Subtree { node: 0, first: 0, count: 0 }; 8], count: 0 };

    fn add(&mut self, bundle: Subtree, middle: &Middle) {
        // There is room: see the top.
        if let Some(place) = self.bundles.get_mut(self.count as usize) {
            *place = bundle;
            self.boxes.set(self.count as usize, middle);
            self.count += 1;
        }
    }
}

struct MakeBlocks<'a> {
    patches: &'a Patches,
    positions: &'a Positions,
    place: Place<'a>,
    blocks: &'a mut Vec<Eight>,
}

impl Kernel for MakeBlocks<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for patch in 0..self.patches.len() {
            let list = self.patches.vertices_of(patch);
            let mut of_patch = Eight::ZERO;
            for block in 0..PATCH / BLOCK {
                // Lanes beyond the last triangle repeat lane 0, and so do whole blocks of them.
                let mut vertices = [0; 3 * BLOCK];
                for (corner, numbers) in self.patches.corners[patch].iter().enumerate() {
                    for (lane, &number) in numbers.as_chunks::<BLOCK>().0[block].iter().enumerate() {
                        vertices[BLOCK * corner + lane] = list[number as usize];
                    }
                }
                let bounds = vertex_box(lanes, self.positions, self.place, &vertices);
                of_patch.set(block, &Middle::from(&bounds));
            }
            self.blocks.push(of_patch);
        }
    }
}

/// Which of eight boxes and eight others may touch: bit `j` of byte `i` for box `i` of `a` and box `j` of `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Met(u64);

impl Met {
    pub(crate) const NONE: Self = Self(0);
    /// Any of them, for all that is known.
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// How many pairs: the more, the likelier do triangles in them meet.
    pub(crate) fn pairs(self) -> u32 {
        self.0.count_ones()
    }

    #[inline(always)]
    fn each(self) -> Pairs {
        Pairs(self.0)
    }

    /// The one of `a` that meets most of `b`, and then the rest; all at once where nothing is known.
    #[inline(always)]
    pub(crate) fn fullest_first(self) -> [Self; 2] {
        if self == Self::ALL {
            return [self, Self::NONE];
        }
        let (mut fullest, mut most) = (0, 0);
        for (i, byte) in self.0.to_le_bytes().into_iter().enumerate() {
            if byte.count_ones() > most {
                (fullest, most) = (i, byte.count_ones());
            }
        }
        let one = 0xff << (8 * fullest);
        [Self(self.0 & one), Self(self.0 & !one)]
    }

    /// Of `a` and of `b`, which are among them.
    #[inline(always)]
    pub(crate) fn sides(self) -> [u8; 2] {
        let (mut of_a, mut of_b) = (0, 0);
        for (i, byte) in self.0.to_le_bytes().into_iter().enumerate() {
            of_a |= u8::from(byte != 0) << i;
            of_b |= byte;
        }
        [of_a, of_b]
    }

    /// Only the first so many of `a` and of `b`, eight at most and one at least.
    #[inline(always)]
    fn within(self, [a, b]: [u32; 2]) -> Self {
        let columns = 0x0101_0101_0101_0101 * u64::from(u8::MAX >> ((8 - b) & 7));
        Self(self.0 & columns & u64::MAX >> (8 * ((8 - a) & 7)))
    }
}

/// The pairs of a [`Met`], in order.
struct Pairs(u64);

impl Iterator for Pairs {
    type Item = [usize; 2];
    #[inline(always)]
    fn next(&mut self) -> Option<[usize; 2]> {
        let at = self.0.trailing_zeros() as usize;
        let found = (self.0 != 0).then_some([at / 8, at % 8]);
        self.0 &= self.0.wrapping_sub(1);
        found
    }
}

/// The finer boxes of two bodies, and how they are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'a> {
    pub(crate) relative: &'a Relative,
    pub(crate) a: &'a Finer,
    pub(crate) b: &'a Finer,
}

impl Pair<'_> {
    /// Of two subtrees whose boxes meet: pairs of bundles that do, if they are bales.
    #[inline(always)]
    pub(crate) fn bundles<L: Lanes>(
        &self,
        lanes: L,
        a: Subtree,
        b: Subtree,
    ) -> Option<impl Iterator<Item = [Subtree; 2]>> {
        if a.count.max(b.count) > MAX_BALE || a.count.min(b.count) < MIN_BALE {
            return None;
        }
        let (a, b) = (self.a.bale(a), self.b.bale(b));
        let met = meet(lanes, self.relative, [&a.boxes, &b.boxes]).within([a.count, b.count]);
        Some(met.each().map(|[i, j]| [a.bundles[i], b.bundles[j]]))
    }

    /// Of two bundles whose boxes meet: pairs of patches that do.
    #[inline(always)]
    pub(crate) fn patches<L: Lanes>(
        &self,
        lanes: L,
        a: Subtree,
        b: Subtree,
    ) -> impl Iterator<Item = [u32; 2]> + use<L> {
        let met = meet(lanes, self.relative, [self.a.bundle(a), self.b.bundle(b)]);
        met.within([a.count, b.count]).each().map(move |[i, j]| [a.first + i as u32, b.first + j as u32])
    }

    /// Of two patches whose boxes meet: pairs of blocks that do.
    #[inline(always)]
    pub(crate) fn met<L: Lanes>(&self, lanes: L, a: u32, b: u32) -> Met {
        meet(lanes, self.relative, [self.a.blocks(a), self.b.blocks(b)])
    }
}

/// All lanes of some blocks.
#[inline(always)]
pub(crate) fn lanes_of(blocks: u8) -> u64 {
    // Bit `i` of a byte `i` of its own, then the whole byte.
    let spread = (u64::from(blocks) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let bytes = (spread + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
    bytes * 0xff
}

/// Compares eight boxes with eight others.
#[inline(always)]
fn meet<L: Lanes>(lanes: L, relative: &Relative, [a, b]: [&Eight; 2]) -> Met {
    // All of either body in the frame of the other; then one of `a` after the other with all of `b`, in both frames.
    let (b_centre, b_half) = image(lanes, relative, 0, b);
    let (a_centre, a_half) = image(lanes, relative, 4, a);
    let (a_centre, a_half) = (stored(lanes, a_centre), stored(lanes, a_half));
    let (own_centre, own_half) = (wide::load(lanes, &b.centre), wide::load(lanes, &b.half));
    let mut met = 0;
    for i in 0..8 {
        let in_a = apart(lanes, b_centre, b_half, lane(lanes, &a.centre, i), lane(lanes, &a.half, i));
        let in_b = apart(lanes, own_centre, own_half, lane(lanes, &a_centre, i), lane(lanes, &a_half, i));
        met |= u64::from(!lanes.bits(lanes.or(in_a, in_b))) << (8 * i);
    }
    Met(met)
}

/// All boxes in the frame of the other body; in the lanes of `relative` from `side` on is how to get there.
#[inline(always)]
fn image<L: Lanes>(lanes: L, relative: &Relative, side: usize, eight: &Eight) -> (Wide3<L>, Wide3<L>) {
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

/// Lanes in which two boxes are apart on some axis. What is not a number is not apart.
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

/// One of eight, in all lanes.
#[inline(always)]
fn lane<L: Lanes>(lanes: L, of: &[[f32; 8]; 3], i: usize) -> Wide3<L> {
    wide::splat(lanes, [of[0][i], of[1][i], of[2][i]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::BodyPair;
    use crate::bvh::body_cache::Kept;
    use crate::bvh::pool::Source;
    use crate::contacts::bvh::test_batch::walk;
    use crate::exact::is_contact;
    use crate::{Mesh, Pose, Scene};
    use std::collections::HashMap;

    /// A sheet of some side, flat or bumpy, at some scale, away from its origin.
    fn sheet(side: u32, scale: f32, away: f32, bumpy: bool) -> Mesh {
        let mut points = Vec::new();
        let mut triangles = Vec::new();
        for i in 0..=side {
            for j in 0..=side {
                let (u, v) = (i as f32 / side as f32 - 0.5, j as f32 / side as f32 - 0.5);
                let height = if bumpy { 0.1 * ((9.0 * u).sin() + (7.0 * v).cos()) } else { 0.0 };
                points.push([u + away, v, height].map(|x| x * scale));
                if i < side && j < side {
                    let at = i * (side + 1) + j;
                    triangles.push([at, at + 1, at + side + 1]);
                    triangles.push([at + 1, at + side + 2, at + side + 1]);
                }
            }
        }
        Mesh::new(points, triangles).unwrap()
    }

    /// Every pair of triangles that touch is in blocks that were found to meet, by any lanes; and most blocks were not.
    #[test]
    fn triangles_that_touch_are_in_blocks_that_meet() {
        // From one bundle to two bales; side by side, so that they touch along an edge and boxes share no more than that; and
        // through each other.
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
            let contacts: Vec<(u32, u32)> = pairs.filter(|&(i, j)| is_contact(a, i, b, j, false)).collect();
            for machine in Machine::all() {
                let bodies: Vec<Kept> = scene
                    .bodies()
                    .map(|(_, body)| {
                        let mut kept = Kept::default();
                        kept.follow(body, machine);
                        kept.build_all(body, machine);
                        kept.want_middles();
                        kept.make_finer(body, machine);
                        kept
                    })
                    .collect();
                let from = Source { scene: &scene, bodies: &bodies, unit: 1.0, machine };
                let (part, boxes) = walk(from, BodyPair { a: 0, b: 1 }).unwrap();
                let mut met: HashMap<(u32, u32), Met> = HashMap::new();
                part.walk(&boxes, machine, &mut |p, q, blocks| met.insert((p, q), blocks).is_none());
                let place = |body: usize, triangle: u32| {
                    let at = bodies[body].patches.triangles.iter().position(|&t| t == triangle).unwrap();
                    ((at / PATCH) as u32, at % PATCH / BLOCK)
                };
                for &(i, j) in &contacts {
                    let ((p, in_p), (q, in_q)) = (place(0, i), place(1, j));
                    assert!(met[&(p, q)].each().any(|pair| pair == [in_p, in_q]));
                }
                let blocks: usize = met.values().map(|met| met.pairs() as usize).sum();
                let all = bodies[0].patches.len() * bodies[1].patches.len() * 64;
                let count = contacts.len();
                assert!(count > 10 && blocks * 4 < all, "{count} contacts, {blocks} of {all} blocks");
            }
        }
    }

    #[test]
    fn lanes_of_blocks_are_whole_bytes() {
        for blocks in 0..=u8::MAX {
            let expected =
                (0..64).filter(|lane| blocks >> (lane / 8) & 1 == 1).fold(0, |all, lane| all | 1u64 << lane);
            assert_eq!(lanes_of(blocks), expected);
        }
    }

    #[test]
    fn met_is_cut_split_and_listed() {
        let met = Met(0x8000_0000_0000_0103);
        assert_eq!(met.each().collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 0], [7, 7]]);
        assert_eq!(met.within([7, 8]), Met(0x0103));
        assert_eq!(met.within([8, 1]), Met(0x0101));
        assert_eq!(Met::ALL.within([8, 8]), Met::ALL);
        assert_eq!(met.sides(), [0b1000_0011, 0b1000_0011]);
        assert_eq!(met.fullest_first(), [Met(3), Met(0x8000_0000_0000_0100)]);
    }
}
