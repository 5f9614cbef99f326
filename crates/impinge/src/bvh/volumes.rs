//! What a traversal compares: the bounding volumes of two trees.
//!
//! Volumes of another kind (oriented boxes, k-DOPs, swept spheres) or of another query (a swept box; a ray, as a tree of
//! one leaf) are another implementation of [`Volumes`]; the traversal stays as it is.

use super::boxes::NodeBox;
use super::traverse::PairVisitor;
use super::tree::Subtree;
use crate::simd::Lanes;

/// The bounding volumes of the nodes of two trees, or twice of one.
pub(crate) trait Volumes: Sync {
    /// What pairs are ordered and pruned by, least first: a distance, a time of impact. `()` where every pair counts.
    type Bound: Copy + Default + PartialOrd;

    /// Lower bound on what the pairs of leaves below two subtrees have. Taken when a pair is put on the stack.
    #[inline(always)]
    fn bound<L: Lanes>(&self, _lanes: L, _a: Subtree, _b: Subtree) -> Self::Bound {
        Self::Bound::default()
    }

    /// `false` only where nothing below the one meets anything below the other. Taken when a pair is taken off the stack.
    fn meet<L: Lanes>(&self, lanes: L, a: Subtree, b: Subtree) -> bool;

    /// Visits all pairs of leaves below two subtrees that meet, at once. `None` where these volumes are compared pair by
    /// pair; else as [`PairVisitor::leaves`].
    #[inline(always)]
    fn visit_below<L: Lanes>(
        &self,
        _lanes: L,
        _a: Subtree,
        _b: Subtree,
        _visitor: &mut impl PairVisitor<Self::Bound>,
    ) -> Option<bool> {
        None
    }
}

/// Axis-aligned boxes of two trees in one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AlignedBoxes<'a> {
    pub(crate) a: &'a [NodeBox],
    pub(crate) b: &'a [NodeBox],
}

impl Volumes for AlignedBoxes<'_> {
    type Bound = ();

    #[inline(always)]
    fn meet<L: Lanes>(&self, lanes: L, a: Subtree, b: Subtree) -> bool {
        let (a, b) = (&self.a[a.node as usize], &self.b[b.node as usize]);
        let (a_min, a_max) = (lanes.load4(&a.min), lanes.load4(&a.max));
        let (b_min, b_max) = (lanes.load4(&b.min), lanes.load4(&b.max));
        !lanes.any_gt4(a_min, b_max, b_min, a_max)
    }
}

/// The boxes of one tree against themselves, where coordinates may be off by `slack`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlackBoxes<'a> {
    pub(crate) nodes: &'a [NodeBox],
    pub(crate) slack: f32,
}

impl Volumes for SlackBoxes<'_> {
    type Bound = ();

    #[inline(always)]
    fn meet<L: Lanes>(&self, _: L, a: Subtree, b: Subtree) -> bool {
        self.nodes[a.node as usize].within(&self.nodes[b.node as usize], self.slack)
    }
}
