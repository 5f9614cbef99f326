//! Lanes as plain arrays.

use super::{ByteBoxes, EXPONENT_BITS, Kernel, Lanes};

/// Plain arrays, for any machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Lanes for Portable {
    type F = [f32; 8];
    type Q = [f32; 4];
    type D = [f64; 8];
    type M = [bool; 8];
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
    #[inline(always)]
    fn splat(self, x: f32) -> [f32; 8] {
        [x; 8]
    }
    #[inline(always)]
    fn load(self, x: &[f32; 8]) -> [f32; 8] {
        *x
    }
    #[inline(always)]
    fn store(self, x: [f32; 8]) -> [f32; 8] {
        x
    }
    #[inline(always)]
    fn add(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn sub(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn mul(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn mul_add(self, a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] * b[i] + c[i])
    }
    #[inline(always)]
    fn mul_sub(self, a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] * b[i] - c[i])
    }
    #[inline(always)]
    fn min(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn max(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn abs(self, a: [f32; 8]) -> [f32; 8] {
        a.map(f32::abs)
    }
    #[inline(always)]
    fn gt(self, a: [f32; 8], b: [f32; 8]) -> [bool; 8] {
        std::array::from_fn(|i| a[i] > b[i])
    }
    #[inline(always)]
    fn eq(self, a: [f32; 8], b: [f32; 8]) -> u8 {
        (0..8).fold(0, |bits, i| bits | u8::from(a[i] == b[i]) << i)
    }
    #[inline(always)]
    fn or(self, a: [bool; 8], b: [bool; 8]) -> [bool; 8] {
        std::array::from_fn(|i| a[i] | b[i])
    }
    #[inline(always)]
    fn bits(self, m: [bool; 8]) -> u8 {
        (0..8).fold(0, |bits, i| bits | u8::from(m[i]) << i)
    }
    #[inline(always)]
    fn pair4(self, a: &[f32; 4], b: &[f32; 4]) -> [f32; 8] {
        std::array::from_fn(|i| if i < 4 { a[i] } else { b[i - 4] })
    }
    #[inline(always)]
    fn each4<const I: usize>(self, a: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i / 4 * 4 + I])
    }
    #[inline(always)]
    fn widen(self, a: [f32; 8]) -> [f64; 8] {
        a.map(f64::from)
    }
    #[inline(always)]
    fn narrow(self, a: [f64; 8]) -> [f32; 8] {
        a.map(|x| x as f32)
    }
    #[inline(always)]
    fn splat_wide(self, x: f64) -> [f64; 8] {
        [x; 8]
    }
    #[inline(always)]
    fn mul_add_wide(self, a: [f64; 8], b: [f64; 8], c: [f64; 8]) -> [f64; 8] {
        std::array::from_fn(|i| a[i] * b[i] + c[i])
    }
    #[inline(always)]
    fn load_wide(self, x: &[f64; 8]) -> [f64; 8] {
        *x
    }
    #[cfg(test)]
    fn store_wide(self, x: [f64; 8]) -> [f64; 8] {
        x
    }
    #[inline(always)]
    fn add_wide(self, a: [f64; 8], b: [f64; 8]) -> [f64; 8] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn sub_wide(self, a: [f64; 8], b: [f64; 8]) -> [f64; 8] {
        std::array::from_fn(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn mul_wide(self, a: [f64; 8], b: [f64; 8]) -> [f64; 8] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn product(self, a: [f64; 8], b: [f64; 8]) -> ([f64; 8], [f64; 8]) {
        // Dekker 1971, by Veltkamp's halves of 26 bits: their products are exact.
        let high: [f64; 8] = std::array::from_fn(|i| a[i] * b[i]);
        let low = std::array::from_fn(|i| {
            let ([a_high, a_low], [b_high, b_low]) = (halves(a[i]), halves(b[i]));
            a_low * b_low - (((high[i] - a_high * b_high) - a_low * b_high) - a_high * b_low)
        });
        (high, low)
    }
    #[inline(always)]
    fn min_wide(self, a: [f64; 8], b: [f64; 8]) -> [f64; 8] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn max_wide(self, a: [f64; 8], b: [f64; 8]) -> [f64; 8] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn abs_wide(self, a: [f64; 8]) -> [f64; 8] {
        a.map(f64::abs)
    }
    #[inline(always)]
    fn power_wide(self, a: [f64; 8]) -> [f64; 8] {
        a.map(|x| f64::from_bits(x.to_bits() & EXPONENT_BITS))
    }
    #[inline(always)]
    fn gt_wide(self, a: [f64; 8], b: [f64; 8]) -> u8 {
        (0..8).fold(0, |bits, i| bits | u8::from(a[i] > b[i]) << i)
    }
    #[inline(always)]
    fn eq_wide(self, a: [f64; 8], b: [f64; 8]) -> u8 {
        (0..8).fold(0, |bits, i| bits | u8::from(a[i] == b[i]) << i)
    }
    #[inline(always)]
    fn where_gt_wide(self, a: [f64; 8], b: [f64; 8], x: [f64; 8], y: [f64; 8]) -> [f64; 8] {
        std::array::from_fn(|i| if a[i] > b[i] { x[i] } else { y[i] })
    }
    #[inline(always)]
    fn load4(self, x: &[f32; 4]) -> [f32; 4] {
        *x
    }
    #[inline(always)]
    fn store4(self, x: [f32; 4]) -> [f32; 4] {
        x
    }
    #[inline(always)]
    fn any_gt4(self, a: [f32; 4], b: [f32; 4], c: [f32; 4], d: [f32; 4]) -> bool {
        let mut any = false;
        for i in 0..4 {
            any |= a[i] > b[i];
            any |= c[i] > d[i];
        }
        any
    }
    #[inline(always)]
    fn min4(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn max4(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn columns4(self, a: [f32; 4], b: [f32; 4], c: [f32; 4], d: [f32; 4]) -> [[f32; 4]; 3] {
        [0, 1, 2].map(|i| [a[i], b[i], c[i], d[i]])
    }
    #[inline(always)]
    fn quantise(self, x: [f32; 8], origin: [f32; 8], scale: [f32; 8]) -> [u8; 8] {
        // `as` cuts towards zero and clamps to 0..=255.
        std::array::from_fn(|i| ((x[i] - origin[i]) * scale[i]) as u8)
    }
    #[inline(always)]
    fn meets(self, min: [u8; 3], max: [u8; 3], boxes: &ByteBoxes) -> u64 {
        let mut apart = [0u8; 64];
        for axis in 0..3 {
            for i in 0..64 {
                apart[i] |= min[axis].saturating_sub(boxes.max[axis][i])
                    | boxes.min[axis][i].saturating_sub(max[axis]);
            }
        }
        (0..64).fold(0, |bits, i| bits | u64::from(apart[i] == 0) << i)
    }
    #[inline(always)]
    fn list_bytes(self, bytes: u64, base: u32, list: &mut [u32; 8]) -> usize {
        // All eight are written, those that count first; the next one overwrites the rest.
        let mut count = 0;
        for (place, byte) in bytes.to_le_bytes().into_iter().enumerate() {
            list[count & 7] = base | (place as u32) << 8 | u32::from(byte);
            count += usize::from(byte != 0);
        }
        count
    }
}

/// A double as a sum of two of 26 bits.
#[inline(always)]
fn halves(x: f64) -> [f64; 2] {
    let shifted = x * 134_217_729.0; // 2^27 + 1
    let high = shifted - (shifted - x);
    [high, x - high]
}
