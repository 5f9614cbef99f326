//! Which boxes the walks over the trees visit: a walk of its own over the same trees, to look at.
//!
//! It compares the same boxes in the same order as [`super::tree::Part::walk`], which a test checks, and takes note of them, for
//! which that has no time.

use super::block_boxes as finer;
use super::block_boxes::Met;
use super::pool::Source;
use super::tree::{Boxes, Part, Subtree};
use crate::broad_phase::BodyPair;
use crate::contacts::Stages;
use crate::contacts::bvh::test_batch::walk;
use crate::scene::Point;
use crate::scene::{BodyId, Scene};
use crate::simd::Portable;

/// A box of a body's tree that met one of another body's tree, or of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisitedBox {
    /// The body.
    pub body: BodyId,
    /// Steps from the root of its tree.
    pub level: u32,
    /// Whether it is that of a patch, about 64 triangles, which met that of another patch: their triangles are compared.
    pub is_in_patch_pair: bool,
    /// Whether it is along the axes of the body, and not of the world.
    pub in_body: bool,
    /// Smallest coordinates, rounded outward.
    pub low: [f32; 3],
    /// Largest coordinates, rounded outward.
    pub high: [f32; 3],
}

impl VisitedBox {
    /// Its corners in the world; corner `k` has bits for x, y, z. `None` where the scene has no such body any more.
    pub fn corners(&self, scene: &Scene) -> Option<[Point; 8]> {
        let pose = scene.body(self.body)?.pose();
        let corner = |k: usize| -> Point {
            std::array::from_fn(|axis| f64::from(if k >> axis & 1 == 0 { self.low } else { self.high }[axis]))
        };
        Some(std::array::from_fn(|k| if self.in_body { pose.apply(corner(k)) } else { corner(k) }))
    }
}

/// What the walks over all trees visit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visits {
    /// Every box that met another, once; sorted by body and place in its tree.
    pub boxes: Vec<VisitedBox>,
    /// Pairs of boxes that were compared, but for those of blocks within patches.
    pub compared: usize,
    /// Pairs of these that met.
    pub met: usize,
    /// Pairs of patches whose boxes met, and blocks of which did, where those are known; and patches held against themselves:
    /// what goes to the filters.
    pub patch_pairs: usize,
    /// What the report of the same call counted.
    pub stages: Stages,
}

/// Subtrees of two trees, and how deep their roots are in these.
type Roots = ([Subtree; 2], [u32; 2]);

/// What is known of one node that met another: how deep it is, and whether both were patches.
type Mark = Option<(u32, bool)>;

struct Walker<'a, F> {
    boxes: &'a Boxes<'a>,
    /// Of the nodes of every body, by slot.
    marks: &'a mut [Vec<Mark>],
    slots: [usize; 2],
    visits: &'a mut Visits,
    found: F,
}

impl<F: FnMut(u32, u32)> Walker<'_, F> {
    fn walk(&mut self, part: Part) {
        match part {
            Part::Between(a, b) => self.between(([a, b], [0; 2])),
            Part::Within(tree) => self.within(tree, 0),
        }
    }

    fn mark(&mut self, (trees, levels): Roots) {
        let patches = trees.iter().all(|tree| tree.count == 1);
        for k in 0..2 {
            let mark = &mut self.marks[self.slots[k]][trees[k].node as usize];
            *mark = Some((levels[k], patches || mark.is_some_and(|(_, patches)| patches)));
        }
    }

    fn between(&mut self, (trees, levels): Roots) {
        let [a, b] = trees;
        self.visits.compared += 1;
        if !self.boxes.meet(Portable, a.node, b.node) {
            return;
        }
        self.visits.met += 1;
        self.mark((trees, levels));
        if let Some(finer) = self.boxes.finer()
            && (a.count.max(b.count) <= 8 || finer.bundles(Portable, a, b).is_some())
        {
            self.finely(finer, (trees, levels));
        } else if a.count == 1 && b.count == 1 {
            self.visits.patch_pairs += 1;
            (self.found)(a.first, b.first);
        } else if a.count >= b.count {
            for half in a.halves() {
                self.between(([half, b], [levels[0] + 1, levels[1]]));
            }
        } else {
            for half in b.halves() {
                self.between(([a, half], [levels[0], levels[1] + 1]));
            }
        }
    }

    /// Two bales or two bundles whose boxes met.
    fn finely(&mut self, finer: finer::Pair<'_>, ([a, b], levels): Roots) {
        if let Some(bundles) = finer.bundles(Portable, a, b) {
            self.visits.compared += bundles_of(a) * bundles_of(b);
            for [p, q] in bundles {
                self.visits.met += 1;
                let roots = below(([a, b], levels), [p.first, q.first], [p.count, q.count]);
                self.mark(roots);
                self.finely(finer, roots);
            }
            return;
        }
        self.visits.compared += (a.count * b.count) as usize;
        for [i, j] in finer.patches(Portable, a, b) {
            self.visits.met += 1;
            if finer.met(Portable, i, j) != Met::NONE {
                self.mark(below(([a, b], levels), [i, j], [1, 1]));
                self.visits.patch_pairs += 1;
                (self.found)(i, j);
            }
        }
    }

    fn within(&mut self, tree: Subtree, level: u32) {
        if tree.count > 0 {
            self.mark(([tree; 2], [level; 2]));
        }
        match tree.count {
            0 => {}
            1 => {
                self.visits.patch_pairs += 1;
                (self.found)(tree.first, tree.first);
            }
            _ => {
                let halves = tree.halves();
                for half in halves {
                    self.within(half, level + 1);
                }
                self.between((halves, [level + 1; 2]));
            }
        }
    }
}

/// Into how many subtrees of up to eight patches a tree falls.
fn bundles_of(tree: Subtree) -> usize {
    if tree.count > 8 { tree.halves().map(bundles_of).iter().sum() } else { 1 }
}

/// The subtrees that begin with these patches and have so many.
fn below((trees, levels): Roots, first: [u32; 2], count: [u32; 2]) -> Roots {
    let mut roots = (trees, levels);
    for k in 0..2 {
        while roots.0[k].count > count[k] {
            let [left, right] = roots.0[k].halves();
            roots.0[k] = if first[k] < right.first { left } else { right };
            roots.1[k] += 1;
        }
    }
    roots
}

/// What the walks of some pairs visit.
pub(crate) fn visits(from: Source<'_>, body_pairs: &[BodyPair]) -> Visits {
    let mut visits = Visits::default();
    let mut marks = unmarked(from);
    for &pair in body_pairs {
        let Some((part, boxes)) = walk(from, pair) else { continue };
        let slots = [pair.a as usize, pair.b as usize];
        let found = |_, _| {};
        Walker { boxes: &boxes, marks: &mut marks, slots, visits: &mut visits, found }.walk(part);
    }
    for (slot, marks) in marks.into_iter().enumerate() {
        let Some((body, _)) = from.scene.at(slot) else { continue };
        let kept = &from.bodies[slot];
        let marked = kept.nodes.iter().zip(marks).filter_map(|(node, mark)| Some((node, mark?)));
        visits.boxes.extend(marked.map(|(node, (level, is_in_patch_pair))| VisitedBox {
            body,
            level,
            is_in_patch_pair,
            in_body: !kept.is_in_world(),
            low: [0, 1, 2].map(|k| node.min[k]),
            high: [0, 1, 2].map(|k| node.max[k]),
        }));
    }
    visits
}

fn unmarked(from: Source<'_>) -> Vec<Vec<Mark>> {
    from.bodies.iter().map(|kept| vec![None; kept.nodes.len()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::body_cache::Kept;
    use crate::simd::Machine;
    use crate::{Mesh, Pose};

    /// A bumpy sheet of some side.
    fn sheet(side: u32, height: f32) -> Mesh {
        let mut points = Vec::new();
        let mut triangles = Vec::new();
        for i in 0..=side {
            for j in 0..=side {
                let (u, v) = (i as f32 / side as f32 - 0.5, j as f32 / side as f32 - 0.5);
                points.push([u, v, height * ((9.0 * u).sin() + (7.0 * v).cos())]);
                if i < side && j < side {
                    let at = i * (side + 1) + j;
                    triangles.push([at, at + 1, at + side + 1]);
                    triangles.push([at + 1, at + side + 2, at + side + 1]);
                }
            }
        }
        Mesh::new(points, triangles).unwrap()
    }

    /// The same patches, in the same order, as the engine's own walk finds.
    #[test]
    fn the_engine_visits_the_same() {
        let turned = Pose::from_axis_angle([1.0, 2.0, 0.5], 0.4, [0.1, 0.0, 0.05]).unwrap();
        for (poses, self_collision) in
            [([Pose::IDENTITY; 2], false), ([Pose::IDENTITY, turned], false), ([turned, turned], true)]
        {
            let mut scene = Scene::new();
            let ids = [scene.add("a", sheet(40, 0.1)), scene.add("b", sheet(31, -0.2))];
            for (id, pose) in ids.into_iter().zip(poses) {
                scene.set_pose(id, pose).unwrap();
                scene.set_self_collision(id, self_collision).unwrap();
            }
            let machine = Machine::detect();
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
            for pair in [BodyPair { a: 0, b: 1 }, BodyPair::same(0)] {
                let (part, boxes) = walk(from, pair).unwrap();
                let (mut expected, mut found) = (Vec::new(), Vec::new());
                part.walk(&boxes, machine, &mut |p, q, _| {
                    expected.push((p, q));
                    true
                });
                let (mut visits, mut marks) = (Visits::default(), unmarked(from));
                let slots = [pair.a as usize, pair.b as usize];
                let take = |p, q| found.push((p, q));
                Walker { boxes: &boxes, marks: &mut marks, slots, visits: &mut visits, found: take }
                    .walk(part);
                assert_eq!(found, expected);
                assert_eq!(visits.patch_pairs, expected.len());
                assert!(expected.len() > 10 && visits.compared > visits.met, "{visits:?}");
                // A patch is in a pair exactly if it met another; it may have met a larger box before.
                let mut met: Vec<(usize, u32)> =
                    expected.iter().flat_map(|&(p, q)| [(slots[0], p), (slots[1], q)]).collect();
                met.sort_unstable();
                met.dedup();
                let marked = marks.iter().flatten().flatten().filter(|(_, patches)| *patches);
                assert_eq!(marked.count(), met.len());
            }
        }
    }
}
