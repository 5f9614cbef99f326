//! Whether to split work. A collider that may use several threads runs inside a pool; one that may not, or whose
//! scene is too small to gain, runs where it was called, and nothing below it may wake a pool.

use std::cell::Cell;

thread_local! {
    /// Set while a collider that may use one thread runs on this one, even if it is one of many in the caller's pool.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs on this thread alone.
pub(crate) fn alone<T>(work: impl FnOnce() -> T) -> T {
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _reset = Reset(ALONE.replace(true));
    work()
}

/// Whether this runs in a pool with company.
#[inline]
pub(crate) fn many() -> bool {
    !ALONE.get() && rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// Both closures, side by side when that is allowed.
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if many() { rayon::join(a, b) } else { (a(), b()) }
}
