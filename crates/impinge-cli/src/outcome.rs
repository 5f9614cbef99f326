//! What a command that did its work found.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Clear,
    Collides,
}
