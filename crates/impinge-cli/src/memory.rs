//! The allocator, which counts.

/// Counts bytes for `bench`. It forwards to the system's allocator, two atomic additions a call.
#[global_allocator]
pub(crate) static ALLOCATOR: peakmem_alloc::PeakMemAlloc<std::alloc::System> =
    peakmem_alloc::PeakMemAlloc::system();
