//! Refit: the boxes of all nodes from the present positions, leaves first.

use super::boxes::{NodeBox, outward};
use super::cut::Patches;
use crate::scene::{Pose, Positions};
use crate::simd::{Kernel, Lanes, Machine};
use crate::util::threads;
use rayon::prelude::*;

/// Patches per task.
const TASK_PATCHES: usize = 256;

/// The frame of reference of the boxes: the body's, or the world's through a pose.
#[derive(Clone, Copy)]
pub(crate) enum BoxFrame<'a> {
    Body,
    World(&'a Pose),
}

/// The boxes of all leaves and nodes from the present positions.
pub(crate) fn refit(
    patches: &Patches,
    positions: &Positions,
    frame: BoxFrame<'_>,
    machine: Machine,
    leaves: &mut Vec<NodeBox>,
    nodes: &mut Vec<NodeBox>,
) {
    leaves.resize(patches.len(), NodeBox::EMPTY);
    if patches.len() > TASK_PATCHES && threads::many() {
        leaves.par_chunks_mut(TASK_PATCHES).enumerate().for_each(|(task, boxes)| {
            machine.run(LeafBoxes { patches, positions, frame, first: task * TASK_PATCHES, boxes });
        });
    } else {
        machine.run(LeafBoxes { patches, positions, frame, first: 0, boxes: leaves });
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
    frame: BoxFrame<'a>,
    first: usize,
    boxes: &'a mut [NodeBox],
}

impl Kernel for LeafBoxes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (offset, bounds) in self.boxes.iter_mut().enumerate() {
            let vertices = self.patches.vertices_of(self.first + offset);
            *bounds = vertex_box(lanes, self.positions, self.frame, vertices);
        }
    }
}

/// The bounding box of some vertices.
#[inline(always)]
pub(crate) fn vertex_box<L: Lanes>(
    lanes: L,
    positions: &Positions,
    frame: BoxFrame<'_>,
    vertices: &[u32],
) -> NodeBox {
    match (positions, frame) {
        (Positions::F32(p), BoxFrame::Body) => float_box(lanes, p.as_flattened(), vertices),
        (Positions::F64(p), BoxFrame::Body) => double_box(vertices.iter().map(|&v| p[v as usize])),
        (_, BoxFrame::World(pose)) => {
            double_box(vertices.iter().map(|&v| pose.apply(positions.get(v as usize))))
        }
    }
}

/// A vertex in one load of four floats; the fourth is the next vertex's and is ignored.
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
    // Two at a time, so that consecutive minima do not wait for each other.
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
