//! A hash for comparing answers.

/// FNV-1a of some numbers.
pub(crate) fn hash(numbers: impl Iterator<Item = u32>) -> u64 {
    numbers
        .flat_map(u32::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
