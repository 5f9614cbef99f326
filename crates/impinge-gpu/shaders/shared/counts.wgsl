// What stages of the conservative method do with `counters`, and with `told`, the counters as they were before the stage.

fn told_number(which: u32) -> u32 {
    return told[which / 4u][which % 4u];
}

// Counts, and notes when the count no longer fits.
fn take(which: u32, count: u32) -> u32 {
    let first = atomicAdd(&counters[which], count);
    if (first > 0x7fffffffu) {
        atomicOr(&counters[BEYOND], 1u);
    }
    return first;
}

// How often a thread that takes every so many items turns.
fn rounds(first: u32, total: u32, stride: u32) -> u32 {
    return select(0u, (total - first + stride - 1u) / stride, first < total);
}

// Some devices end loops that turn too often and say nothing. Whoever counts turns down and is not at 0 says it: then everything
// is done over in parts.
fn finished(left: u32) {
    if (left != 0u) {
        atomicOr(&counters[BEYOND], 2u);
    }
}
