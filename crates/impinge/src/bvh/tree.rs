//! The binary tree over the patches of one body. The order of the patches is the tree: a node over `n` patches has the
//! first `ceil(n / 2)` of them on its left. Nodes stand in preorder, so a subtree over `n` patches takes `2n - 1` nodes and
//! no child needs a pointer.

/// A subtree: the index of its root node, its first patch, how many patches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Subtree {
    pub(crate) node: u32,
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl Subtree {
    pub(crate) fn whole(patches: usize) -> Self {
        Self { node: 0, first: 0, count: patches as u32 }
    }

    #[inline(always)]
    pub(crate) fn halves(self) -> [Self; 2] {
        let left = self.count.div_ceil(2);
        [
            Self { node: self.node + 1, first: self.first, count: left },
            Self { node: self.node + 2 * left, first: self.first + left, count: self.count - left },
        ]
    }

    /// The leaf of one of its patches.
    pub(crate) fn leaf(self, patch: u32) -> Self {
        if self.count == 1 {
            return self;
        }
        let [left, right] = self.halves();
        if patch < right.first { left.leaf(patch) } else { right.leaf(patch) }
    }
}
