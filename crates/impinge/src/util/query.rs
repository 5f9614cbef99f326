//! What a question stops at.

/// What to stop at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Query {
    /// Every contact and containment.
    #[default]
    All,
    /// Whether there is any: the report holds at most one contact or one containment. Whether it holds one is the same
    /// everywhere; which one is not.
    Any,
}
