//! Patches decay: triangles that were close together when they were cut are drawn apart by deformation, boxes grow, and
//! every stage finds more to do. A body whose boxes have grown by [`DECAYED`], compared with the box around all of it,
//! and do not shrink again within [`PATIENCE`] frames, is cut anew from where its triangles are now. That is done a
//! little each frame, beside the old patches, which stay right for as long as it takes; no frame waits for it.

use super::cut::{Numbers, Patches};
use super::order;
use super::order::Centre;
use super::tree::NodeBox;
use super::{BLOCK, PATCH};
use crate::scene::Mesh;
use crate::scene::Version;
use crate::simd::Machine;

/// Growth beyond which patches are renewed.
pub(crate) const DECAYED: f32 = 1.5;
/// Frames that it must last: a body that swings out and back is not renewed at every turn.
pub(crate) const PATIENCE: u32 = 16;
/// Triangles that are put in order at once.
const PART: usize = 4096;

/// The sum of the extents of the boxes, compared with those of the box around all; not a number where that is.
pub(crate) fn looseness(leaves: &[NodeBox], all: &NodeBox) -> f32 {
    let extents = |b: &NodeBox| b.max[0] - b.min[0] + b.max[1] - b.min[1] + b.max[2] - b.min[2];
    leaves.iter().map(extents).sum::<f32>() / extents(all)
}

/// The new patches of one body, as far as they are.
#[derive(Debug, Default)]
pub(crate) struct Renewal {
    /// Whose they are, and of which triangles.
    of: Option<(usize, Version)>,
    centres: Vec<Centre>,
    /// Parts that are not in order yet, the first one last: first triangle, and how many.
    waiting: Vec<(usize, usize)>,
    numbers: Numbers,
    patches: Patches,
}

impl Renewal {
    /// The body that is being renewed, unless it has other triangles by now.
    pub(crate) fn slot(&self, current: impl Fn(usize) -> Option<Version>) -> Option<usize> {
        self.of.filter(|&(slot, topology)| current(slot) == Some(topology)).map(|(slot, _)| slot)
    }

    pub(crate) fn begin(&mut self, slot: usize, topology: Version, mesh: &Mesh) {
        self.of = Some((slot, topology));
        order::centres(mesh, None, &mut self.centres);
        self.waiting.clear();
        self.waiting.push((0, self.centres.len()));
        self.numbers.reset(mesh.positions().len());
        self.patches.clear();
    }

    /// Goes on, for about so many triangles taken one step on. Says whether everything is done.
    pub(crate) fn go_on(&mut self, mesh: &Mesh, machine: Machine, budget: &mut isize) -> bool {
        while *budget > 0 {
            let Some((first, count)) = self.waiting.pop() else { break };
            let part = &mut self.centres[first..first + count];
            if count > PART {
                let left = order::halve(part, machine);
                self.waiting.push((first + left, count - left));
                self.waiting.push((first, left));
                *budget -= count as isize;
            } else {
                // Parts come in order, and all but the last are whole patches.
                order::order(part, machine);
                self.patches.append(part, mesh.triangles(), &mut self.numbers);
                *budget -= (count * (count / BLOCK).max(2).ilog2() as usize) as isize;
            }
        }
        debug_assert!(PART.is_multiple_of(PATCH));
        self.waiting.is_empty()
    }

    /// The new patches in exchange for the old ones.
    pub(crate) fn swap(&mut self, patches: &mut Patches) {
        std::mem::swap(patches, &mut self.patches);
        self.of = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    fn sheet(side: u32) -> Mesh {
        let at = |i: u32, j: u32| [i as f32, j as f32, ((i * 7 + j * 13) % 11) as f32 * 0.3];
        let positions: Vec<[f32; 3]> = (0..=side).flat_map(|i| (0..=side).map(move |j| at(i, j))).collect();
        let corner = |i: u32, j: u32| i * (side + 1) + j;
        let triangles = (0..side).flat_map(|i| {
            (0..side).flat_map(move |j| {
                [
                    [corner(i, j), corner(i, j + 1), corner(i + 1, j)],
                    [corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)],
                ]
            })
        });
        Mesh::new(positions, triangles.collect()).unwrap()
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
            let mut renewal = Renewal::default();
            renewal.begin(3, body.topology_version(), body.mesh());
            let mut steps = 0;
            let mut budget = 1;
            while !renewal.go_on(body.mesh(), machine, &mut budget) {
                assert_eq!(renewal.slot(|_| Some(body.topology_version())), Some(3));
                assert_eq!(renewal.slot(|_| None), None);
                steps += 1;
                budget = 1;
            }
            assert!(steps > 0 || body.mesh().triangles().len() <= PART);
            let mut patches = Patches::default();
            renewal.swap(&mut patches);
            assert_eq!(patches.triangles, expected.triangles);
            assert_eq!(patches.corners, expected.corners);
            assert_eq!(patches.vertices, expected.vertices);
            assert_eq!(patches.starts, expected.starts);
        }
    }
}
