//! Which boxes the traversals of a scene visit, recorded by a visitor.

use super::block_mask::BlockMask;
use super::frame_input::FrameInput;
use super::traverse::PairVisitor;
use super::tree::Subtree;
use crate::broad_phase::BodyPair;
use crate::scene::Point;
use crate::scene::{BodyId, Scene};
use crate::simd::{Machine, Portable};
use crate::util::stages::Stages;

/// A box of a body's tree that met one of another body's tree, or of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisitedBox {
    /// The body.
    pub body: BodyId,
    /// Steps from the root of its tree.
    pub level: u32,
    /// Whether it is the box of a patch of about 64 triangles that met a patch of the other tree: their triangles are
    /// compared.
    pub is_in_patch_pair: bool,
    /// Whether its axes are the body's, not the world's.
    pub in_body: bool,
    /// Smallest coordinates, rounded outward.
    pub low: [f32; 3],
    /// Largest coordinates, rounded outward.
    pub high: [f32; 3],
}

impl VisitedBox {
    /// Its corners in the world; corner `k` has bits for x, y, z. `None` where the scene no longer has the body.
    pub fn corners(&self, scene: &Scene) -> Option<[Point; 8]> {
        let pose = scene.body(self.body)?.pose();
        let corner = |k: usize| -> Point {
            std::array::from_fn(|axis| f64::from(if k >> axis & 1 == 0 { self.low } else { self.high }[axis]))
        };
        Some(std::array::from_fn(|k| if self.in_body { pose.apply(corner(k)) } else { corner(k) }))
    }
}

/// What the traversals of all trees visit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visits {
    /// Every box that met another, once; sorted by body and preorder of its tree.
    pub boxes: Vec<VisitedBox>,
    /// Pairs of boxes that were compared, except for those of blocks within patches.
    pub compared: usize,
    /// Pairs of these that met.
    pub met: usize,
    /// Pairs of patches that reach the filters: boxes meet, and blocks where they were compared; and patches against
    /// themselves.
    pub patch_pairs: usize,
    /// The counts of the report of the same call.
    pub stages: Stages,
}

/// Whether a node met another one; if so, whether both were patches.
type Mark = Option<bool>;

/// Records a traversal.
struct Recorder<'a> {
    /// By slot, of the nodes of every body.
    marks: &'a mut [Vec<Mark>],
    slots: [usize; 2],
    trees: [Subtree; 2],
    visits: &'a mut Visits,
}

impl PairVisitor for Recorder<'_> {
    fn leaves(&mut self, a: u32, b: u32, _: BlockMask) -> bool {
        self.visits.patch_pairs += 1;
        for ((slot, tree), patch) in self.slots.into_iter().zip(self.trees).zip([a, b]) {
            self.marks[slot][tree.leaf(patch).node as usize] = Some(true);
        }
        true
    }

    fn compared(&mut self, pairs: usize, met: usize) {
        self.visits.compared += pairs;
        self.visits.met += met;
    }

    fn entered(&mut self, a: Subtree, b: Subtree) {
        for (slot, tree) in self.slots.into_iter().zip([a, b]) {
            self.marks[slot][tree.node as usize].get_or_insert(false);
        }
    }
}

/// What the traversals of some pairs visit. Portable lanes, so that the answer is the same on every machine.
pub(crate) fn visits(input: FrameInput<'_>, body_pairs: &[BodyPair]) -> Visits {
    let mut visits = Visits::default();
    let mut marks: Vec<Vec<Mark>> = input.bodies.iter().map(|cache| vec![None; cache.nodes.len()]).collect();
    for &pair in body_pairs {
        let Some((traversal, trees)) = input.traversal(pair) else { continue };
        let slots = [pair.a as usize, pair.b as usize];
        let whole = slots.map(|slot| Subtree::whole(input.bodies[slot].patches.len()));
        let mut recorder = Recorder { marks: &mut marks, slots, trees: whole, visits: &mut visits };
        trees.run(traversal, Machine::Portable(Portable), &mut recorder);
    }
    for (slot, marks) in marks.into_iter().enumerate() {
        let Some((body, _)) = input.scene.at(slot) else { continue };
        let cache = &input.bodies[slot];
        let mut level = vec![0; marks.len()];
        set_levels(Subtree::whole(cache.patches.len()), 0, &mut level);
        for (node, mark) in marks.into_iter().enumerate() {
            let Some(is_in_patch_pair) = mark else { continue };
            visits.boxes.push(VisitedBox {
                body,
                level: level[node],
                is_in_patch_pair,
                in_body: !cache.is_in_world(),
                low: [0, 1, 2].map(|k| cache.nodes[node].min[k]),
                high: [0, 1, 2].map(|k| cache.nodes[node].max[k]),
            });
        }
    }
    visits
}

/// Levels of the nodes of a subtree, whose root has level `level`.
fn set_levels(tree: Subtree, level: u32, levels: &mut [u32]) {
    if tree.count > 0 {
        levels[tree.node as usize] = level;
    }
    if tree.count > 1 {
        tree.halves().into_iter().for_each(|half| set_levels(half, level + 1, levels));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use crate::bvh::test_scenes::{followed, grid_mesh};

    #[test]
    fn patches_that_met_another_are_marked_and_counted() {
        let sheet = |side, height: f32| {
            grid_mesh(side, move |u, v| [u, v, height * ((9.0 * u).sin() + (7.0 * v).cos())])
        };
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
            let bodies = followed(&scene, machine);
            let input = FrameInput { scene: &scene, bodies: &bodies, unit: 1.0, machine };
            for pair in [BodyPair { a: 0, b: 1 }, BodyPair::same(0)] {
                let (traversal, trees) = input.traversal(pair).unwrap();
                let mut patch_pairs = Vec::new();
                trees.run(traversal, machine, &mut |p, q, _| {
                    patch_pairs.push((p, q));
                    true
                });
                let visits = visits(input, &[pair]);
                assert_eq!(visits.patch_pairs, patch_pairs.len());
                assert!(patch_pairs.len() > 10 && visits.compared > visits.met, "{visits:?}");
                // A patch is in a pair exactly if it met another; it may also have met a larger box.
                let mut met: Vec<(u32, u32)> =
                    patch_pairs.iter().flat_map(|&(p, q)| [(pair.a, p), (pair.b, q)]).collect();
                met.sort_unstable();
                met.dedup();
                let marked = visits.boxes.iter().filter(|visited| visited.is_in_patch_pair);
                assert_eq!(marked.count(), met.len());
                assert!(visits.boxes.iter().filter(|visited| visited.level == 0).count() <= 2);
            }
        }
    }
}
