// Access to `counters`, and to `counted`, a snapshot of the counters before the stage.

fn count_of(which: u32) -> u32 {
    return counted[which / 4u][which % 4u];
}

// Reserves list items; records when the count no longer fits 31 bits.
fn reserve(which: u32, count: u32) -> u32 {
    let first = atomicAdd(&counters[which], count);
    if (first > 0x7fffffffu) {
        atomicOr(&counters[BEYOND], 1u);
    }
    return first;
}

// Iterations of a grid-stride loop.
fn rounds(first: u32, total: u32, stride: u32) -> u32 {
    return select(0u, (total - first + stride - 1u) / stride, first < total);
}

// Some devices silently end loops that iterate too often. A loop counts down from `rounds`; if it did not
// reach 0, the run is repeated in parts.
fn finished(left: u32) {
    if (left != 0u) {
        atomicOr(&counters[BEYOND], 2u);
    }
}
