//! Lanes of AVX-512: those of AVX2, with 64 bytes compared at once and lists closed up in one instruction.

use super::wide::Wide;
use super::{ByteBoxes, EXPONENT_BITS, Kernel, Lanes};
use pulp::{NullaryFnOnce, cast, x86::V4};
use std::arch::x86_64::{__m128, __m256, __m256i, __m512d, __m512i};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Widest {
    token: V4,
    wide: Wide,
}

impl Widest {
    /// `None` on machines without AVX-512 (F, BW, CD, DQ, VL).
    pub(crate) fn try_new() -> Option<Self> {
        Some(Self { token: V4::try_new()?, wide: Wide::try_new()? })
    }
}

struct Run<K>(Widest, K);

impl<K: Kernel> NullaryFnOnce for Run<K> {
    type Output = K::Output;
    #[inline(always)]
    fn call(self) -> K::Output {
        self.1.run(self.0)
    }
}

/// What AVX2 does as well.
macro_rules! as_wide {
    ($($name:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) -> $output {
            self.wide.$name($($argument),*)
        }
    )*};
}

impl Lanes for Widest {
    type F = __m256;
    type Q = __m128;
    type D = __m512d;
    type M = u8;
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        self.token.vectorize(Run(self, kernel))
    }
    as_wide! {
        splat(x: f32) -> __m256;
        load(x: &[f32; 8]) -> __m256;
        store(x: __m256) -> [f32; 8];
        add(a: __m256, b: __m256) -> __m256;
        sub(a: __m256, b: __m256) -> __m256;
        mul(a: __m256, b: __m256) -> __m256;
        mul_add(a: __m256, b: __m256, c: __m256) -> __m256;
        mul_sub(a: __m256, b: __m256, c: __m256) -> __m256;
        min(a: __m256, b: __m256) -> __m256;
        max(a: __m256, b: __m256) -> __m256;
        abs(a: __m256) -> __m256;
        load4(x: &[f32; 4]) -> __m128;
        store4(x: __m128) -> [f32; 4];
        pair4(a: &[f32; 4], b: &[f32; 4]) -> __m256;
        any_gt4(a: __m128, b: __m128, c: __m128, d: __m128) -> bool;
        min4(a: __m128, b: __m128) -> __m128;
        max4(a: __m128, b: __m128) -> __m128;
        columns4(a: __m128, b: __m128, c: __m128, d: __m128) -> [__m128; 3];
        quantise(x: __m256, origin: __m256, scale: __m256) -> [u8; 8];
    }
    #[inline(always)]
    fn each4<const I: usize>(self, a: __m256) -> __m256 {
        self.wide.each4::<I>(a)
    }
    #[inline(always)]
    fn widen(self, a: __m256) -> __m512d {
        self.token.avx512f._mm512_cvtps_pd(a)
    }
    #[inline(always)]
    fn narrow(self, a: __m512d) -> __m256 {
        self.token.avx512f._mm512_cvtpd_ps(a)
    }
    #[inline(always)]
    fn splat_wide(self, x: f64) -> __m512d {
        self.token.avx512f._mm512_set1_pd(x)
    }
    #[inline(always)]
    fn mul_add_wide(self, a: __m512d, b: __m512d, c: __m512d) -> __m512d {
        self.token.avx512f._mm512_fmadd_pd(a, b, c)
    }
    #[inline(always)]
    fn load_wide(self, x: &[f64; 8]) -> __m512d {
        cast(*x)
    }
    #[cfg(test)]
    fn store_wide(self, x: __m512d) -> [f64; 8] {
        cast(x)
    }
    #[inline(always)]
    fn add_wide(self, a: __m512d, b: __m512d) -> __m512d {
        self.token.avx512f._mm512_add_pd(a, b)
    }
    #[inline(always)]
    fn sub_wide(self, a: __m512d, b: __m512d) -> __m512d {
        self.token.avx512f._mm512_sub_pd(a, b)
    }
    #[inline(always)]
    fn mul_wide(self, a: __m512d, b: __m512d) -> __m512d {
        self.token.avx512f._mm512_mul_pd(a, b)
    }
    #[inline(always)]
    fn product(self, a: __m512d, b: __m512d) -> (__m512d, __m512d) {
        let high = self.mul_wide(a, b);
        (high, self.token.avx512f._mm512_fmsub_pd(a, b, high))
    }
    #[inline(always)]
    fn min_wide(self, a: __m512d, b: __m512d) -> __m512d {
        self.token.avx512f._mm512_min_pd(a, b)
    }
    #[inline(always)]
    fn max_wide(self, a: __m512d, b: __m512d) -> __m512d {
        self.token.avx512f._mm512_max_pd(a, b)
    }
    #[inline(always)]
    fn abs_wide(self, a: __m512d) -> __m512d {
        self.token.avx512f._mm512_abs_pd(a)
    }
    #[inline(always)]
    fn power_wide(self, a: __m512d) -> __m512d {
        let exponent = self.token.avx512f._mm512_set1_pd(f64::from_bits(EXPONENT_BITS));
        self.token.avx512dq._mm512_and_pd(exponent, a)
    }
    #[inline(always)]
    fn gt_wide(self, a: __m512d, b: __m512d) -> u8 {
        self.token.avx512f._mm512_cmp_pd_mask::<{ std::arch::x86_64::_CMP_GT_OQ }>(a, b)
    }
    #[inline(always)]
    fn eq_wide(self, a: __m512d, b: __m512d) -> u8 {
        self.token.avx512f._mm512_cmp_pd_mask::<{ std::arch::x86_64::_CMP_EQ_OQ }>(a, b)
    }
    #[inline(always)]
    fn where_gt_wide(self, a: __m512d, b: __m512d, x: __m512d, y: __m512d) -> __m512d {
        self.token.avx512f._mm512_mask_blend_pd(self.gt_wide(a, b), y, x)
    }
    #[inline(always)]
    fn gt(self, a: __m256, b: __m256) -> u8 {
        self.token.avx512f._mm256_cmp_ps_mask::<{ std::arch::x86_64::_CMP_GT_OQ }>(a, b)
    }
    #[inline(always)]
    fn eq(self, a: __m256, b: __m256) -> u8 {
        self.token.avx512f._mm256_cmp_ps_mask::<{ std::arch::x86_64::_CMP_EQ_OQ }>(a, b)
    }
    #[inline(always)]
    fn or(self, a: u8, b: u8) -> u8 {
        a | b
    }
    #[inline(always)]
    fn bits(self, m: u8) -> u8 {
        m
    }
    #[inline(always)]
    fn meets(self, min: [u8; 3], max: [u8; 3], boxes: &ByteBoxes) -> u64 {
        let V4 { avx512f, avx512bw, .. } = self.token;
        let mut apart = 0;
        for axis in 0..3 {
            let (boxes_min, boxes_max): (__m512i, __m512i) = (cast(boxes.min[axis]), cast(boxes.max[axis]));
            apart |= avx512bw._mm512_cmpgt_epu8_mask(avx512f._mm512_set1_epi8(min[axis] as i8), boxes_max);
            apart |= avx512bw._mm512_cmpgt_epu8_mask(boxes_min, avx512f._mm512_set1_epi8(max[axis] as i8));
        }
        !apart
    }
    #[inline(always)]
    fn list_bytes(self, bytes: u64, base: u32, list: &mut [u32; 8]) -> usize {
        let V4 { avx, avx2, avx512f, .. } = self.token;
        let wide = avx2._mm256_cvtepu8_epi32(cast([bytes, 0u64]));
        let places: __m256i = cast([0u32, 1 << 8, 2 << 8, 3 << 8, 4 << 8, 5 << 8, 6 << 8, 7 << 8]);
        let items =
            avx2._mm256_or_si256(avx2._mm256_or_si256(wide, places), avx._mm256_set1_epi32(base as i32));
        let there = avx512f._mm256_test_epi32_mask(wide, wide);
        *list = cast(avx512f._mm256_maskz_compress_epi32(there, items));
        there.count_ones() as usize
    }
}
