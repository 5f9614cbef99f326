//! Sorts contacts: by body pair, then triangle of `a`, then triangle of `b`, packed into one integer where they fit.

use super::decide::Found;

/// Bits per pass.
const DIGIT: u32 = 11;
/// Below this many keys the standard sort is faster.
const FEW: usize = 2048;

/// How many bits a number below `count` takes.
fn bits(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// Sorts and hands out in order. `pairs` and `triangles` are upper bounds on what the keys hold.
pub(crate) fn sort(
    found: &mut [Found],
    keys: &mut Vec<u64>,
    spare: &mut Vec<u64>,
    [pairs, triangles]: [usize; 2],
    mut visit: impl FnMut(Found),
) {
    let triangle_bits = bits(triangles);
    let total = bits(pairs) + 2 * triangle_bits;
    if found.len() < FEW || total > u64::BITS {
        found.sort_unstable();
        found.iter().copied().for_each(visit);
        return;
    }
    let mask = (1u64 << triangle_bits) - 1;
    keys.clear();
    keys.extend(found.iter().map(|&(pair, t)| {
        // A shift by all 64 bits leaves no room for pairs, and there is one pair.
        u64::from(pair).checked_shl(2 * triangle_bits).unwrap_or(0)
            | (t >> 32) << triangle_bits
            | (t & u64::from(u32::MAX))
    }));
    radix(keys, spare, total);
    for &key in keys.iter() {
        let (a, b) = (key >> triangle_bits & mask, key & mask);
        let pair = key.checked_shr(2 * triangle_bits).unwrap_or(0) as u32;
        visit((pair, a << 32 | b));
    }
}

/// Least significant digit first.
fn radix(keys: &mut Vec<u64>, spare: &mut Vec<u64>, bits: u32) {
    spare.clear();
    spare.resize(keys.len(), 0);
    let mut shift = 0;
    while shift < bits {
        let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
        let mut starts = [0u32; 1 << DIGIT];
        for &key in keys.iter() {
            starts[digit(key)] += 1;
        }
        let mut next = 0;
        for start in &mut starts {
            next += std::mem::replace(start, next);
        }
        for &key in keys.iter() {
            let at = &mut starts[digit(key)];
            spare[*at as usize] = key;
            *at += 1;
        }
        std::mem::swap(keys, spare);
        shift += DIGIT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_many_and_huge_keys_come_out_in_order() {
        let mut state = 3u64;
        for (count, pairs, triangles) in [
            (10, 3, 100),
            (5000, 1, 90_000),
            (5000, 300, 1 << 20),
            (5000, 1 << 20, u32::MAX as usize),
            (5000, 1, 1),
        ] {
            let mut found: Vec<Found> = (0..count)
                .map(|_| {
                    let mut below = |limit: usize| {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        (state >> 20) % limit as u64
                    };
                    (below(pairs) as u32, below(triangles) << 32 | below(triangles))
                })
                .collect();
            let mut expected = found.clone();
            expected.sort_unstable();
            let mut out = Vec::new();
            sort(&mut found, &mut Vec::new(), &mut Vec::new(), [pairs, triangles], |f| out.push(f));
            assert_eq!(out, expected);
        }
    }
}
