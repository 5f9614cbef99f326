//! Whether to split work. A collider that may use several threads runs inside a pool; one that may not, or whose
//! scene is too small to gain, runs where it was called, and nothing below it may wake a pool.

/// Whether this runs in a pool with company.
#[inline]
pub(crate) fn many() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// Both closures, side by side when that is allowed.
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if many() { rayon::join(a, b) } else { (a(), b()) }
}
