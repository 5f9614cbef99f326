//! Lanes of AVX2 and FMA.

use super::{BIT_PLACES, ByteBoxes, EXPONENT_BITS, Kernel, Lanes};
use pulp::{NullaryFnOnce, cast, x86::V3};
use std::arch::x86_64::{__m128, __m256, __m256d, __m256i};

/// AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide(V3);

impl Wide {
    /// `None` on machines without AVX2 and FMA.
    pub(crate) fn try_new() -> Option<Self> {
        V3::try_new().map(Self)
    }
}

#[inline(always)]
fn bytes(bytes: &[u8; 64], half: usize) -> __m256i {
    cast(bytes.as_chunks::<32>().0[half])
}

struct Run<K>(Wide, K);

impl<K: Kernel> NullaryFnOnce for Run<K> {
    type Output = K::Output;
    #[inline(always)]
    fn call(self) -> K::Output {
        self.1.run(self.0)
    }
}

impl Lanes for Wide {
    type F = __m256;
    type Q = __m128;
    type D = [__m256d; 2];
    type M = __m256;
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        self.0.vectorize(Run(self, kernel))
    }
    #[inline(always)]
    fn splat(self, x: f32) -> __m256 {
        self.0.avx._mm256_set1_ps(x)
    }
    #[inline(always)]
    fn load(self, x: &[f32; 8]) -> __m256 {
        cast(*x)
    }
    #[inline(always)]
    fn store(self, x: __m256) -> [f32; 8] {
        cast(x)
    }
    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        self.0.avx._mm256_add_ps(a, b)
    }
    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        self.0.avx._mm256_sub_ps(a, b)
    }
    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        self.0.avx._mm256_mul_ps(a, b)
    }
    #[inline(always)]
    fn mul_add(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        self.0.fma._mm256_fmadd_ps(a, b, c)
    }
    #[inline(always)]
    fn mul_sub(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        self.0.fma._mm256_fmsub_ps(a, b, c)
    }
    #[inline(always)]
    fn min(self, a: __m256, b: __m256) -> __m256 {
        self.0.avx._mm256_min_ps(a, b)
    }
    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        self.0.avx._mm256_max_ps(a, b)
    }
    #[inline(always)]
    fn abs(self, a: __m256) -> __m256 {
        self.0.avx._mm256_andnot_ps(self.splat(-0.0), a)
    }
    #[inline(always)]
    fn gt(self, a: __m256, b: __m256) -> __m256 {
        self.0.avx._mm256_cmp_ps::<{ std::arch::x86_64::_CMP_GT_OQ }>(a, b)
    }
    #[inline(always)]
    fn eq(self, a: __m256, b: __m256) -> u8 {
        self.bits(self.0.avx._mm256_cmp_ps::<{ std::arch::x86_64::_CMP_EQ_OQ }>(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m256, b: __m256) -> __m256 {
        self.0.avx._mm256_or_ps(a, b)
    }
    #[inline(always)]
    fn bits(self, m: __m256) -> u8 {
        self.0.avx._mm256_movemask_ps(m) as u8
    }
    #[inline(always)]
    fn pair4(self, a: &[f32; 4], b: &[f32; 4]) -> __m256 {
        cast([*a, *b])
    }
    #[inline(always)]
    fn each4<const I: usize>(self, a: __m256) -> __m256 {
        let avx = self.0.avx;
        match I {
            0 => avx._mm256_permute_ps::<0x00>(a),
            1 => avx._mm256_permute_ps::<0x55>(a),
            2 => avx._mm256_permute_ps::<0xaa>(a),
            _ => avx._mm256_permute_ps::<0xff>(a),
        }
    }
    #[inline(always)]
    fn widen(self, a: __m256) -> [__m256d; 2] {
        let avx = self.0.avx;
        [
            avx._mm256_cvtps_pd(avx._mm256_castps256_ps128(a)),
            avx._mm256_cvtps_pd(avx._mm256_extractf128_ps::<1>(a)),
        ]
    }
    #[inline(always)]
    fn narrow(self, a: [__m256d; 2]) -> __m256 {
        let avx = self.0.avx;
        let low = avx._mm256_castps128_ps256(avx._mm256_cvtpd_ps(a[0]));
        avx._mm256_insertf128_ps::<1>(low, avx._mm256_cvtpd_ps(a[1]))
    }
    #[inline(always)]
    fn splat_wide(self, x: f64) -> [__m256d; 2] {
        [self.0.avx._mm256_set1_pd(x); 2]
    }
    #[inline(always)]
    fn mul_add_wide(self, a: [__m256d; 2], b: [__m256d; 2], c: [__m256d; 2]) -> [__m256d; 2] {
        let fma = self.0.fma;
        [fma._mm256_fmadd_pd(a[0], b[0], c[0]), fma._mm256_fmadd_pd(a[1], b[1], c[1])]
    }
    #[inline(always)]
    fn load_wide(self, x: &[f64; 8]) -> [__m256d; 2] {
        cast(*x)
    }
    #[cfg(test)]
    fn store_wide(self, x: [__m256d; 2]) -> [f64; 8] {
        cast(x)
    }
    #[inline(always)]
    fn add_wide(self, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        [self.0.avx._mm256_add_pd(a[0], b[0]), self.0.avx._mm256_add_pd(a[1], b[1])]
    }
    #[inline(always)]
    fn sub_wide(self, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        [self.0.avx._mm256_sub_pd(a[0], b[0]), self.0.avx._mm256_sub_pd(a[1], b[1])]
    }
    #[inline(always)]
    fn mul_wide(self, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        [self.0.avx._mm256_mul_pd(a[0], b[0]), self.0.avx._mm256_mul_pd(a[1], b[1])]
    }
    #[inline(always)]
    fn product(self, a: [__m256d; 2], b: [__m256d; 2]) -> ([__m256d; 2], [__m256d; 2]) {
        let high = self.mul_wide(a, b);
        let fma = self.0.fma;
        (high, [fma._mm256_fmsub_pd(a[0], b[0], high[0]), fma._mm256_fmsub_pd(a[1], b[1], high[1])])
    }
    #[inline(always)]
    fn min_wide(self, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        [self.0.avx._mm256_min_pd(a[0], b[0]), self.0.avx._mm256_min_pd(a[1], b[1])]
    }
    #[inline(always)]
    fn max_wide(self, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        [self.0.avx._mm256_max_pd(a[0], b[0]), self.0.avx._mm256_max_pd(a[1], b[1])]
    }
    #[inline(always)]
    fn abs_wide(self, a: [__m256d; 2]) -> [__m256d; 2] {
        let sign = self.0.avx._mm256_set1_pd(-0.0);
        [self.0.avx._mm256_andnot_pd(sign, a[0]), self.0.avx._mm256_andnot_pd(sign, a[1])]
    }
    #[inline(always)]
    fn power_wide(self, a: [__m256d; 2]) -> [__m256d; 2] {
        let exponent = self.0.avx._mm256_set1_pd(f64::from_bits(EXPONENT_BITS));
        [self.0.avx._mm256_and_pd(exponent, a[0]), self.0.avx._mm256_and_pd(exponent, a[1])]
    }
    #[inline(always)]
    fn gt_wide(self, a: [__m256d; 2], b: [__m256d; 2]) -> u8 {
        let avx = self.0.avx;
        let low = avx._mm256_cmp_pd::<{ std::arch::x86_64::_CMP_GT_OQ }>(a[0], b[0]);
        let high = avx._mm256_cmp_pd::<{ std::arch::x86_64::_CMP_GT_OQ }>(a[1], b[1]);
        avx._mm256_movemask_pd(low) as u8 | (avx._mm256_movemask_pd(high) as u8) << 4
    }
    #[inline(always)]
    fn eq_wide(self, a: [__m256d; 2], b: [__m256d; 2]) -> u8 {
        let avx = self.0.avx;
        let low = avx._mm256_cmp_pd::<{ std::arch::x86_64::_CMP_EQ_OQ }>(a[0], b[0]);
        let high = avx._mm256_cmp_pd::<{ std::arch::x86_64::_CMP_EQ_OQ }>(a[1], b[1]);
        avx._mm256_movemask_pd(low) as u8 | (avx._mm256_movemask_pd(high) as u8) << 4
    }
    #[inline(always)]
    fn where_gt_wide(
        self,
        a: [__m256d; 2],
        b: [__m256d; 2],
        x: [__m256d; 2],
        y: [__m256d; 2],
    ) -> [__m256d; 2] {
        let avx = self.0.avx;
        let low = avx._mm256_cmp_pd::<{ std::arch::x86_64::_CMP_GT_OQ }>(a[0], b[0]);
        let high = avx._mm256_cmp_pd::<{ std::arch::x86_64::_CMP_GT_OQ }>(a[1], b[1]);
        [avx._mm256_blendv_pd(y[0], x[0], low), avx._mm256_blendv_pd(y[1], x[1], high)]
    }
    #[inline(always)]
    fn load4(self, x: &[f32; 4]) -> __m128 {
        cast(*x)
    }
    #[inline(always)]
    fn store4(self, x: __m128) -> [f32; 4] {
        cast(x)
    }
    #[inline(always)]
    fn any_gt4(self, a: __m128, b: __m128, c: __m128, d: __m128) -> bool {
        let sse = self.0.sse;
        sse._mm_movemask_ps(sse._mm_or_ps(sse._mm_cmpgt_ps(a, b), sse._mm_cmpgt_ps(c, d))) != 0
    }
    #[inline(always)]
    fn min4(self, a: __m128, b: __m128) -> __m128 {
        self.0.sse._mm_min_ps(a, b)
    }
    #[inline(always)]
    fn max4(self, a: __m128, b: __m128) -> __m128 {
        self.0.sse._mm_max_ps(a, b)
    }
    #[inline(always)]
    fn columns4(self, a: __m128, b: __m128, c: __m128, d: __m128) -> [__m128; 3] {
        let (ab, cd) = (self.0.sse._mm_unpacklo_ps(a, b), self.0.sse._mm_unpacklo_ps(c, d));
        let (ab_high, cd_high) = (self.0.sse._mm_unpackhi_ps(a, b), self.0.sse._mm_unpackhi_ps(c, d));
        let sse = self.0.sse;
        [sse._mm_movelh_ps(ab, cd), sse._mm_movehl_ps(cd, ab), sse._mm_movelh_ps(ab_high, cd_high)]
    }
    #[inline(always)]
    fn quantise(self, x: __m256, origin: __m256, scale: __m256) -> [u8; 8] {
        let steps = self.mul(self.sub(x, origin), scale);
        // max first: a NaN becomes 0, as in the portable lanes.
        let clamped = self.min(self.max(steps, self.splat(0.0)), self.splat(255.0));
        let whole = self.0.avx._mm256_cvttps_epi32(clamped);
        let (low, high) =
            (self.0.avx._mm256_castsi256_si128(whole), self.0.avx2._mm256_extracti128_si256::<1>(whole));
        let words = self.0.sse4_1._mm_packus_epi32(low, high);
        let bytes: [u64; 2] = cast(self.0.sse2._mm_packus_epi16(words, words));
        bytes[0].to_le_bytes()
    }
    #[inline(always)]
    fn meets(self, min: [u8; 3], max: [u8; 3], boxes: &ByteBoxes) -> u64 {
        let mut halves = [0u32; 2];
        for half in 0..2 {
            let mut apart = self.0.avx._mm256_setzero_si256();
            for axis in 0..3 {
                let low = self.0.avx._mm256_set1_epi8(min[axis] as i8);
                let high = self.0.avx._mm256_set1_epi8(max[axis] as i8);
                let below = self.0.avx2._mm256_subs_epu8(low, bytes(&boxes.max[axis], half));
                let above = self.0.avx2._mm256_subs_epu8(bytes(&boxes.min[axis], half), high);
                apart = self.0.avx2._mm256_or_si256(apart, self.0.avx2._mm256_or_si256(below, above));
            }
            let zero = self.0.avx._mm256_setzero_si256();
            halves[half] =
                self.0.avx2._mm256_movemask_epi8(self.0.avx2._mm256_cmpeq_epi8(apart, zero)) as u32;
        }
        u64::from(halves[1]) << 32 | u64::from(halves[0])
    }
    #[inline(always)]
    fn list_bytes(self, bytes: u64, base: u32, list: &mut [u32; 8]) -> usize {
        let V3 { avx, avx2, .. } = self.0;
        let wide = avx2._mm256_cvtepu8_epi32(cast([bytes, 0u64]));
        let places: __m256i = cast([0u32, 1 << 8, 2 << 8, 3 << 8, 4 << 8, 5 << 8, 6 << 8, 7 << 8]);
        let items =
            avx2._mm256_or_si256(avx2._mm256_or_si256(wide, places), avx._mm256_set1_epi32(base as i32));
        let zero = avx2._mm256_cmpeq_epi32(wide, avx._mm256_setzero_si256());
        let there = !avx._mm256_movemask_ps(avx._mm256_castsi256_ps(zero)) as u8;
        let front = cast([u64::from_le_bytes(BIT_PLACES[there as usize]), 0]);
        *list = cast(avx2._mm256_permutevar8x32_epi32(items, avx2._mm256_cvtepu8_epi32(front)));
        there.count_ones() as usize
    }
}
