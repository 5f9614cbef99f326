//! What the broad phase hands to culling.

/// Two bodies whose boxes overlap, by slot, `a < b`; or `a == b`, a body that looks at itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyPair {
    /// Slot of the first body.
    pub a: u32,
    /// Slot of the second body.
    pub b: u32,
}

impl BodyPair {
    /// A body that looks at itself.
    pub(crate) fn same(slot: usize) -> Self {
        Self { a: slot as u32, b: slot as u32 }
    }
}
