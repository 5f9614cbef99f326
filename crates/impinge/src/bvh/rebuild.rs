//! Rebuild of degraded patches. Deformation pulls apart triangles that were close together when patches were cut; boxes
//! grow, and every stage has more to do. A body whose boxes have grown by [`MAX_LOOSENESS_RATIO`] relative to its
//! bounding box, for more than [`MAX_LOOSE_FRAMES`] frames, is cut again at its present positions: in small steps over
//! many frames, beside the old patches, which stay valid meanwhile.

use super::boxes::NodeBox;
use super::cut::{Numbers, Patches};
use super::order;
use super::order::Centre;
use super::{BLOCK, PATCH};
use crate::scene::Mesh;
use crate::scene::Version;
use crate::simd::Machine;

/// Growth beyond which patches are rebuilt.
pub(crate) const MAX_LOOSENESS_RATIO: f32 = 1.5;
/// Frames that the growth may last: a body that swings back and forth is not rebuilt at every turn.
pub(crate) const MAX_LOOSE_FRAMES: u32 = 16;
/// Triangles ordered in one step.
const MAX_SORT_TRIANGLES: usize = 4096;

/// Summed extents of the leaf boxes, relative to those of their bounding box; NaN where that has none.
pub(crate) fn looseness(leaves: &[NodeBox], all: &NodeBox) -> f32 {
    let extents = |b: &NodeBox| b.max[0] - b.min[0] + b.max[1] - b.min[1] + b.max[2] - b.min[2];
    leaves.iter().map(extents).sum::<f32>() / extents(all)
}

/// The new patches of one body, as far as they are built.
#[derive(Debug, Default)]
pub(crate) struct Rebuild {
    /// The body's slot and the topology being cut.
    of: Option<(usize, Version)>,
    centres: Vec<Centre>,
    /// Ranges not ordered yet, the first one last: first triangle and count.
    pending: Vec<(usize, usize)>,
    numbers: Numbers,
    patches: Patches,
}

impl Rebuild {
    /// The body being rebuilt, unless its topology has changed since.
    pub(crate) fn slot(&self, current: impl Fn(usize) -> Option<Version>) -> Option<usize> {
        self.of.filter(|&(slot, topology)| current(slot) == Some(topology)).map(|(slot, _)| slot)
    }

    pub(crate) fn begin(&mut self, slot: usize, topology: Version, mesh: &Mesh) {
        self.of = Some((slot, topology));
        order::centres(mesh, None, &mut self.centres);
        self.pending.clear();
        self.pending.push((0, self.centres.len()));
        self.numbers.reset(mesh.positions().len());
        self.patches.clear();
    }

    /// Does work of about `budget` triangles times one split, and subtracts it. Returns whether all patches are done.
    pub(crate) fn step(&mut self, mesh: &Mesh, machine: Machine, budget: &mut isize) -> bool {
        while *budget > 0 {
            let Some((first, count)) = self.pending.pop() else { break };
            let part = &mut self.centres[first..first + count];
            if count > MAX_SORT_TRIANGLES {
                let left = order::halve(part, machine);
                self.pending.push((first + left, count - left));
                self.pending.push((first, left));
                *budget -= count as isize;
            } else {
                // Ranges come in order, and all but the last are whole patches.
                order::order(part, machine);
                self.patches.append(part, mesh.triangles(), &mut self.numbers);
                *budget -= (count * (count / BLOCK).max(2).ilog2() as usize) as isize;
            }
        }
        debug_assert!(MAX_SORT_TRIANGLES.is_multiple_of(PATCH));
        self.pending.is_empty()
    }

    /// Exchanges the old patches for the new ones.
    pub(crate) fn swap(&mut self, patches: &mut Patches) {
        std::mem::swap(patches, &mut self.patches);
        self.of = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::test_scenes::grid_mesh;
    use crate::scene::Scene;

    fn sheet(side: u32) -> Mesh {
        grid_mesh(side, |u, v| [u, v, 0.1 * (30.0 * u).sin() * (50.0 * v).cos()])
    }

    #[test]
    fn bit_by_bit_comes_to_the_same_as_at_once() {
        for side in [1, 6, 40, 97] {
            let mesh = sheet(side);
            let machine = Machine::detect();
            let mut centres = Vec::new();
            order::centres(&mesh, None, &mut centres);
            order::order(&mut centres, machine);
            let mut expected = Patches::default();
            expected.cut(&centres, mesh.triangles(), mesh.positions().len());

            let mut scene = Scene::new();
            let id = scene.add("sheet", mesh);
            let body = scene.body(id).unwrap();
            let mut rebuild = Rebuild::default();
            rebuild.begin(3, body.topology_version(), body.mesh());
            let mut steps = 0;
            let mut budget = 1;
            while !rebuild.step(body.mesh(), machine, &mut budget) {
                assert_eq!(rebuild.slot(|_| Some(body.topology_version())), Some(3));
                assert_eq!(rebuild.slot(|_| None), None);
                steps += 1;
                budget = 1;
            }
            assert!(steps > 0 || body.mesh().triangles().len() <= MAX_SORT_TRIANGLES);
            let mut patches = Patches::default();
            rebuild.swap(&mut patches);
            assert_eq!(patches.triangles, expected.triangles);
            assert_eq!(patches.corners, expected.corners);
            assert_eq!(patches.vertices, expected.vertices);
            assert_eq!(patches.starts, expected.starts);
        }
    }
}
