//! What one frame reads, and the trees of two of its bodies.

use super::block_boxes::PosedBlocks;
use super::body_cache::BodyCache;
use super::relative::{Inverse, PosedBoxes, Relative};
use super::traverse::{PairVisitor, Traversal};
use super::tree::Subtree;
use super::volumes::{AlignedBoxes, SlackBoxes};
use crate::broad_phase::BodyPair;
use crate::scene::{Pose, Scene};
use crate::simd::Machine;

/// The scene, what is kept of its bodies by slot, and how it is computed with.
#[derive(Clone, Copy)]
pub(crate) struct FrameInput<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) bodies: &'a [BodyCache],
    /// A power of two that takes every coordinate of the scene to at most 1.
    pub(crate) unit: f64,
    pub(crate) machine: Machine,
}

/// The volumes of two bodies, or of one, as they are compared this frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TreePair<'a> {
    Aligned(AlignedBoxes<'a>),
    Slack(SlackBoxes<'a>),
    Posed(PosedBoxes<'a>),
    Blocks(PosedBlocks<'a>),
}

impl<'a> FrameInput<'a> {
    /// The traversal of two bodies, or of one; `None` when there is nothing to traverse.
    pub(crate) fn traversal(self, pair: BodyPair) -> Option<(Traversal, TreePair<'a>)> {
        let (a, b) = (&self.bodies[pair.a as usize], &self.bodies[pair.b as usize]);
        if a.patches.len() == 0 || b.patches.len() == 0 {
            return None;
        }
        let trees = if a.is_in_world() && b.is_in_world() {
            TreePair::Aligned(AlignedBoxes { a: &a.nodes, b: &b.nodes })
        } else if pair.a == pair.b {
            TreePair::Slack(SlackBoxes { nodes: &a.nodes, slack: a.rounding_slack() })
        } else {
            let ((_, body_a), (_, body_b)) =
                (self.scene.at(pair.a as usize)?, self.scene.at(pair.b as usize)?);
            let identity = (Pose::IDENTITY, Inverse::IDENTITY);
            let relative = Relative::new(a.placed(body_a, &identity), b.placed(body_b, &identity));
            let boxes = PosedBoxes { relative, a: &a.centred, b: &b.centred };
            match (a.block_boxes(), b.block_boxes()) {
                (Some(a), Some(b)) => TreePair::Blocks(PosedBlocks { boxes, a, b }),
                _ => TreePair::Posed(boxes),
            }
        };
        let [whole_a, whole_b] = [a, b].map(|body| Subtree::whole(body.patches.len()));
        let traversal =
            if pair.a == pair.b { Traversal::Itself(whole_a) } else { Traversal::Pair(whole_a, whole_b) };
        Some((traversal, trees))
    }
}

impl TreePair<'_> {
    /// As [`Traversal::run`], compiled for each kind of volumes.
    pub(crate) fn run(&self, traversal: Traversal, machine: Machine, visitor: &mut impl PairVisitor) -> bool {
        match self {
            Self::Aligned(volumes) => traversal.run(volumes, machine, visitor),
            Self::Slack(volumes) => traversal.run(volumes, machine, visitor),
            Self::Posed(volumes) => traversal.run(volumes, machine, visitor),
            Self::Blocks(volumes) => traversal.run(volumes, machine, visitor),
        }
    }

    /// As [`Traversal::split`].
    pub(crate) fn split(&self, traversal: Traversal, visit: &(impl Fn(Traversal) + Sync)) {
        match self {
            Self::Aligned(volumes) => traversal.split(volumes, visit),
            Self::Slack(volumes) => traversal.split(volumes, visit),
            Self::Posed(volumes) | Self::Blocks(PosedBlocks { boxes: volumes, .. }) => {
                traversal.split(volumes, visit);
            }
        }
    }
}
