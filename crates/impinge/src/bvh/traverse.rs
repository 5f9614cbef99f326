//! Traversal: from two trees, or one against itself, to pairs of leaves.
//!
//! What is compared is up to the [`Volumes`], what is done with it to the [`PairVisitor`]; the order is depth first, of two
//! halves the one with the lesser bound first. A visitor whose bound shrinks ([`PairVisitor::admits`]) thereby searches
//! nearest-first; a single ray or box is a tree of one leaf.

use super::block_mask::BlockMask;
use super::tree::Subtree;
use super::volumes::Volumes;
use crate::simd::{Kernel, Lanes, Machine, Portable};
use crate::util::threads;

/// What becomes of the pairs that a traversal comes to. A closure takes the leaves and nothing else.
pub(crate) trait PairVisitor<Bound = ()> {
    /// Two leaves that meet (in a tree against itself each leaf with itself, too), and which of their blocks do. `false` ends
    /// the traversal.
    fn leaves(&mut self, a: u32, b: u32, blocks: BlockMask) -> bool;

    /// Whether a pair with this bound can still matter: asked when it is taken off the stack, so that what was found since it
    /// was put there counts.
    #[inline(always)]
    fn admits(&self, _bound: Bound) -> bool {
        true
    }

    /// Pairs of volumes that were compared, and how many of them met.
    #[inline(always)]
    fn compared(&mut self, _pairs: usize, _met: usize) {}

    /// Two nodes that met, or one of a tree against itself; leaves of which blocks are known only come to [`Self::leaves`].
    #[inline(always)]
    fn entered(&mut self, _a: Subtree, _b: Subtree) {}
}

impl<F: FnMut(u32, u32, BlockMask) -> bool> PairVisitor for F {
    #[inline(always)]
    fn leaves(&mut self, a: u32, b: u32, blocks: BlockMask) -> bool {
        self(a, b, blocks)
    }
}

/// What is traversed: two subtrees, or one against itself.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Traversal {
    Pair(Subtree, Subtree),
    Itself(Subtree),
}

/// Subtrees of up to this many patches are traversed by one thread.
const MAX_TASK_PATCHES: u32 = 128;

impl Traversal {
    /// Says `false` when the visitor ended it.
    pub(crate) fn run<V: Volumes>(
        self,
        volumes: &V,
        machine: Machine,
        visitor: &mut impl PairVisitor<V::Bound>,
    ) -> bool {
        machine.run(Whole { traversal: self, volumes, visitor })
    }

    fn run_in<L: Lanes, V: Volumes>(
        self,
        lanes: L,
        volumes: &V,
        visitor: &mut impl PairVisitor<V::Bound>,
    ) -> bool {
        match self {
            Self::Pair(a, b) => lanes.run(Pair { a, b, volumes, visitor }),
            Self::Itself(Subtree { count: 0, .. }) => true,
            Self::Itself(tree) => {
                visitor.entered(tree, tree);
                if tree.count == 1 {
                    return visitor.leaves(tree.first, tree.first, BlockMask::ALL);
                }
                let [a, b] = tree.halves();
                Self::Itself(a).run_in(lanes, volumes, visitor)
                    && Self::Itself(b).run_in(lanes, volumes, visitor)
                    && lanes.run(Pair { a, b, volumes, visitor })
            }
        }
    }

    /// The same traversal in parts, for all threads.
    pub(crate) fn split(self, volumes: &impl Volumes, visit: &(impl Fn(Self) + Sync)) {
        match self {
            Self::Pair(a, b) if !volumes.meet(Portable, a, b) => {}
            Self::Pair(a, b) if a.count.max(b.count) > MAX_TASK_PATCHES => {
                let [first, second] = split_larger(a, b).map(|(a, b)| Self::Pair(a, b));
                threads::join(|| first.split(volumes, visit), || second.split(volumes, visit));
            }
            Self::Itself(tree) if tree.count > MAX_TASK_PATCHES => {
                let [a, b] = tree.halves();
                threads::join(
                    || {
                        let (a, b) = (Self::Itself(a), Self::Itself(b));
                        threads::join(|| a.split(volumes, visit), || b.split(volumes, visit))
                    },
                    || Self::Pair(a, b).split(volumes, visit),
                );
            }
            part => visit(part),
        }
    }
}

/// Each half of the larger subtree with the other one.
#[inline(always)]
fn split_larger(a: Subtree, b: Subtree) -> [(Subtree, Subtree); 2] {
    if a.count >= b.count { a.halves().map(|half| (half, b)) } else { b.halves().map(|half| (a, half)) }
}

/// A whole traversal, compiled for the lanes.
struct Whole<'a, V, W> {
    traversal: Traversal,
    volumes: &'a V,
    visitor: &'a mut W,
}

impl<V: Volumes, W: PairVisitor<V::Bound>> Kernel for Whole<'_, V, W> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        self.traversal.run_in(lanes, self.volumes, self.visitor)
    }
}

/// The traversal of two subtrees.
struct Pair<'a, V, W> {
    a: Subtree,
    b: Subtree,
    volumes: &'a V,
    visitor: &'a mut W,
}

impl<V: Volumes, W: PairVisitor<V::Bound>> Kernel for Pair<'_, V, W> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Self { a, b, volumes, visitor } = self;
        // Each step down halves the larger subtree: at most 2 * 32 steps, one waiting pair for each.
        let mut stack = [((Subtree::default(), Subtree::default()), V::Bound::default()); 66];
        stack[0] = ((a, b), volumes.bound(lanes, a, b));
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let ((a, b), bound) = stack[depth];
            if !visitor.admits(bound) {
                continue;
            }
            let meet = volumes.meet(lanes, a, b);
            visitor.compared(1, usize::from(meet));
            if !meet {
                continue;
            }
            visitor.entered(a, b);
            let below = volumes.visit_below(lanes, a, b, visitor);
            if let Some(go_on) = below {
                if !go_on {
                    return false;
                }
                continue;
            }
            if a.count == 1 && b.count == 1 {
                if !visitor.leaves(a.first, b.first, BlockMask::ALL) {
                    return false;
                }
                continue;
            }
            let [mut first, mut second] =
                split_larger(a, b).map(|(a, b)| ((a, b), volumes.bound(lanes, a, b)));
            if second.1 < first.1 {
                (first, second) = (second, first);
            }
            stack[depth] = second;
            stack[depth + 1] = first;
            depth += 2;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::body_cache::BodyCache;
    use crate::bvh::boxes::NodeBox;
    use crate::bvh::test_scenes::{followed, grid_mesh};
    use crate::bvh::volumes::AlignedBoxes;
    use crate::scene::Scene;
    use std::sync::Mutex;

    /// Two bumpy sheets, one above the other.
    fn sheets(height: f32) -> Scene {
        let mut scene = Scene::new();
        for (side, bump, lift) in [(50, 0.3, 0.0), (61, -0.2, height)] {
            scene.add(
                "sheet",
                grid_mesh(side, |u, v| [u, v, lift + bump * (9.0 * u).sin() * (7.0 * v).cos()]),
            );
        }
        scene
    }

    fn whole(body: &BodyCache) -> Subtree {
        Subtree::whole(body.patches.len())
    }

    fn leaf_box(body: &BodyCache, patch: u32) -> &NodeBox {
        &body.nodes[whole(body).leaf(patch).node as usize]
    }

    #[test]
    fn leaves_whose_boxes_meet_are_visited_once_at_once_or_in_parts() {
        for machine in Machine::all() {
            let bodies = followed(&sheets(0.3), machine);
            for [a, b] in [[0, 1], [0, 0]] {
                let [tree_a, tree_b] = [&bodies[a], &bodies[b]];
                let traversal = if a == b {
                    Traversal::Itself(whole(tree_a))
                } else {
                    Traversal::Pair(whole(tree_a), whole(tree_b))
                };
                let volumes = AlignedBoxes { a: &tree_a.nodes, b: &tree_b.nodes };
                let mut expected = Vec::new();
                for p in 0..whole(tree_a).count {
                    for q in if a == b { p } else { 0 }..whole(tree_b).count {
                        if leaf_box(tree_a, p).within(leaf_box(tree_b, q), 0.0) {
                            expected.push((p, q));
                        }
                    }
                }
                assert!(expected.len() > 20, "{}", expected.len());
                let found = Mutex::new(Vec::new());
                let run = |part: Traversal| {
                    part.run(&volumes, machine, &mut |p, q, _| {
                        found.lock().unwrap().push((p, q));
                        true
                    });
                };
                let take = || {
                    let mut found = std::mem::take(&mut *found.lock().unwrap());
                    found.sort_unstable();
                    found
                };
                run(traversal);
                assert_eq!(take(), expected);
                traversal.split(&volumes, &run);
                assert_eq!(take(), expected);
                let mut count = 0;
                let ended = !traversal.run(&volumes, machine, &mut |_, _, _| {
                    count += 1;
                    count < 3
                });
                assert!(ended && count == 3);
            }
        }
    }

    /// Squared distances of boxes.
    struct Gaps<'a>([&'a [NodeBox]; 2]);

    impl Volumes for Gaps<'_> {
        type Bound = f32;

        fn bound<L: Lanes>(&self, _: L, a: Subtree, b: Subtree) -> f32 {
            let (a, b) = (&self.0[0][a.node as usize], &self.0[1][b.node as usize]);
            let gap = |axis: usize| (b.min[axis] - a.max[axis]).max(a.min[axis] - b.max[axis]).max(0.0);
            gap(0) * gap(0) + gap(1) * gap(1) + gap(2) * gap(2)
        }

        fn meet<L: Lanes>(&self, _: L, _: Subtree, _: Subtree) -> bool {
            true
        }
    }

    /// The least of what leaves have, and how many were asked.
    struct Least<F>(f32, usize, F);

    impl<F: Fn(u32, u32) -> f32> PairVisitor<f32> for Least<F> {
        fn leaves(&mut self, a: u32, b: u32, _: BlockMask) -> bool {
            self.0 = self.0.min(self.2(a, b));
            self.1 += 1;
            true
        }

        fn admits(&self, bound: f32) -> bool {
            bound < self.0
        }
    }

    #[test]
    fn nearest_first_finds_the_nearest_vertices() {
        let machine = Machine::detect();
        for height in [0.9, 0.4, 0.0] {
            let scene = sheets(height);
            let bodies = followed(&scene, machine);
            let points = |body: usize, patch: u32| {
                let positions = scene.at(body).unwrap().1.mesh().positions();
                let vertices = bodies[body].patches.vertices_of(patch as usize);
                vertices.iter().map(|&v| positions.get(v as usize).map(|x| x as f32))
            };
            // Every rounding here is monotone, so the distance of two boxes is none above that of points in them.
            let distance = |p: u32, q: u32| {
                let squares = points(0, p).flat_map(|x| {
                    points(1, q).map(move |y| {
                        let [u, v, w] = [0, 1, 2].map(|axis| (x[axis] - y[axis]) * (x[axis] - y[axis]));
                        u + v + w
                    })
                });
                squares.fold(f32::INFINITY, f32::min)
            };
            let [count_a, count_b] = [0, 1].map(|body| whole(&bodies[body]).count);
            let all = (0..count_a).flat_map(|p| (0..count_b).map(move |q| (p, q)));
            let expected = all.map(|(p, q)| distance(p, q)).fold(f32::INFINITY, f32::min);
            let mut least = Least(f32::INFINITY, 0, distance);
            let volumes = Gaps([&bodies[0].nodes, &bodies[1].nodes]);
            Traversal::Pair(whole(&bodies[0]), whole(&bodies[1])).run(&volumes, machine, &mut least);
            assert_eq!(least.0.to_bits(), expected.to_bits());
            assert!(least.1 * 10 < (count_a * count_b) as usize, "{} of {count_a} * {count_b}", least.1);
        }
    }

    /// A ray, as a tree of one leaf: where it enters boxes.
    struct Ray<'a> {
        nodes: &'a [NodeBox],
        origin: [f32; 3],
        direction: [f32; 3],
    }

    impl Ray<'_> {
        /// Where it is in a box, from and to.
        fn span(&self, node: u32) -> [f32; 2] {
            let NodeBox { min, max } = &self.nodes[node as usize];
            let (mut from, mut to) = (0.0f32, f32::INFINITY);
            for axis in 0..3 {
                let ends = [min, max].map(|side| (side[axis] - self.origin[axis]) / self.direction[axis]);
                from = from.max(ends[0].min(ends[1]));
                to = to.min(ends[0].max(ends[1]));
            }
            [from, to]
        }
    }

    impl Volumes for Ray<'_> {
        type Bound = f32;

        fn bound<L: Lanes>(&self, _: L, a: Subtree, _: Subtree) -> f32 {
            self.span(a.node)[0]
        }

        fn meet<L: Lanes>(&self, _: L, a: Subtree, _: Subtree) -> bool {
            let [from, to] = self.span(a.node);
            from <= to
        }
    }

    #[test]
    fn a_ray_finds_the_first_patch_whose_box_it_enters() {
        let machine = Machine::detect();
        let bodies = followed(&sheets(0.0), machine);
        let tree = whole(&bodies[0]);
        for (x, y) in [(0.1, 0.2), (-0.3, 0.4), (0.45, -0.05), (3.0, 0.1)] {
            let ray = Ray { nodes: &bodies[0].nodes, origin: [x, y, 2.0], direction: [-0.3, 0.1, -1.0] };
            let spans = (0..tree.count).map(|patch| ray.span(tree.leaf(patch).node));
            let expected =
                spans.filter(|[from, to]| from <= to).fold(f32::INFINITY, |t, [from, _]| t.min(from));
            let mut least = Least(f32::INFINITY, 0, |patch, _| ray.span(tree.leaf(patch).node)[0]);
            Traversal::Pair(tree, Subtree::whole(1)).run(&ray, machine, &mut least);
            assert_eq!(least.0.to_bits(), expected.to_bits());
            assert!(least.1 <= 4, "{}", least.1);
        }
    }
}
