//! Why a method cannot answer.

/// What was asked is not what the method can tell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactError {
    /// The method looks at pairs of bodies only.
    #[error(
        "method {method} finds contacts between bodies only, and body '{body}' may collide with itself: \
         take bvh, or turn self-collision off"
    )]
    SelfCollision {
        /// Name of the method.
        method: &'static str,
        /// Name of the body.
        body: String,
    },
}
