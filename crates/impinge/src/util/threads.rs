//! Whether to split work. A collider that may use several threads runs inside a pool; one that may not, or whose
//! scene is too small to gain, runs where it was called, and nothing below it may wake a pool.

use rayon::{ThreadPool, ThreadPoolBuilder};
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

/// Items of work that one thread has done before others would have woken up.
const MIN_SHARED_ITEMS: usize = 2000;

/// Whether so much work should be shared among threads, for a caller that allows so many of them (0 for all), in a pool or not.
pub(crate) fn worth_sharing(allowed: usize, items: usize) -> bool {
    allowed != 1 && items >= MIN_SHARED_ITEMS && !ALONE.get()
}

/// Runs in a pool: the one that this runs in already, or the process-wide one.
pub(crate) fn share<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::join(work, || ()).0
}

/// Where the calls of a question run: on the calling thread, in the process-wide pool, or in one of the size asked for.
#[derive(Debug, Default)]
pub(crate) struct Workers {
    pool: Option<(usize, ThreadPool)>,
}

impl Workers {
    /// Runs with so many threads; 0 for all. `small` work is done before other threads would have woken up.
    pub(crate) fn run<T: Send>(&mut self, threads: usize, small: bool, work: impl FnOnce() -> T + Send) -> T {
        if threads == 1 || small {
            return alone(work);
        }
        // The process-wide pool, when it has the right size: making another one takes longer than a small frame.
        if threads == 0 || threads == rayon::current_num_threads() {
            return share(work);
        }
        if self.pool.as_ref().map(|(threads, _)| *threads) != Some(threads) {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            self.pool = pool.ok().map(|pool| (threads, pool));
        }
        match &self.pool {
            Some((_, pool)) => pool.install(work),
            // No more threads to be had: one gives the same answer.
            None => work(),
        }
    }
}
