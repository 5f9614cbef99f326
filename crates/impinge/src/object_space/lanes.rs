//! Eight floats, or sixty-four bytes, at a time, by the widest instructions this machine has.
//!
//! Kernels are written once, generic over [`Lanes`], and run through [`Lanes::run`], which compiles them for the
//! instruction set. [`Wide`] is AVX2 with FMA, through `pulp`'s tokens, which exist only on machines that have it;
//! [`Portable`] is plain arrays, which the compiler turns into SSE2 or NEON. The two round differently (FMA), so
//! kernels may only decide what holds within their error bounds, and those bounds hold for either.

/// Boxes of 64 triangles in whole steps of a patch's byte frame.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct ByteBoxes {
    pub(crate) min: [[u8; 64]; 3],
    pub(crate) max: [[u8; 64]; 3],
}

/// One stage of work, compiled once per kind of lanes.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

pub(crate) trait Lanes: Copy + Send + Sync {
    /// Eight floats.
    type F: Copy;
    /// Four floats.
    type Q: Copy;
    /// Eight yes or no.
    type M: Copy;
    /// Runs a kernel compiled for these lanes.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;
    fn splat(self, x: f32) -> Self::F;
    fn load(self, x: &[f32; 8]) -> Self::F;
    fn store(self, x: Self::F) -> [f32; 8];
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b + c`, rounded once or twice.
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `a * b - c`, rounded once or twice.
    fn mul_sub(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    fn abs(self, a: Self::F) -> Self::F;
    /// Whether `a > b`; no when either is not a number.
    fn gt(self, a: Self::F, b: Self::F) -> Self::M;
    fn or(self, a: Self::M, b: Self::M) -> Self::M;
    /// Lane `i` in bit `i`.
    fn bits(self, m: Self::M) -> u8;
    fn load4(self, x: &[f32; 4]) -> Self::Q;
    fn store4(self, x: Self::Q) -> [f32; 4];
    fn splat4(self, x: f32) -> Self::Q;
    fn add4(self, a: Self::Q, b: Self::Q) -> Self::Q;
    fn sub4(self, a: Self::Q, b: Self::Q) -> Self::Q;
    /// `a * b + c`, rounded once or twice.
    fn mul_add4(self, a: Self::Q, b: Self::Q, c: Self::Q) -> Self::Q;
    /// Whether `a > b` or `c > d` anywhere; no where one is not a number.
    fn any_gt4(self, a: Self::Q, b: Self::Q, c: Self::Q, d: Self::Q) -> bool;
    fn min4(self, a: Self::Q, b: Self::Q) -> Self::Q;
    fn max4(self, a: Self::Q, b: Self::Q) -> Self::Q;
    /// Four rows become columns; of the four columns the first three.
    fn columns4(self, a: Self::Q, b: Self::Q, c: Self::Q, d: Self::Q) -> [Self::Q; 3];
    /// `(x - origin) * scale`, cut to whole steps and clamped to a byte; monotone in `x`.
    fn quantise(self, x: Self::F, origin: Self::F, scale: Self::F) -> [u8; 8];
    /// Which of 64 boxes a box meets; bit `i` for box `i`.
    fn meets(self, min: [u8; 3], max: [u8; 3], boxes: &ByteBoxes) -> u64;
}

/// Plain arrays, for any machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Lanes for Portable {
    type F = [f32; 8];
    type Q = [f32; 4];
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
    fn or(self, a: [bool; 8], b: [bool; 8]) -> [bool; 8] {
        std::array::from_fn(|i| a[i] | b[i])
    }
    #[inline(always)]
    fn bits(self, m: [bool; 8]) -> u8 {
        (0..8).fold(0, |bits, i| bits | u8::from(m[i]) << i)
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
    fn splat4(self, x: f32) -> [f32; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn add4(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn sub4(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn mul_add4(self, a: [f32; 4], b: [f32; 4], c: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| a[i] * b[i] + c[i])
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
}

#[cfg(target_arch = "x86_64")]
pub(crate) use wide::Wide;

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{ByteBoxes, Kernel, Lanes};
    use pulp::{NullaryFnOnce, cast, x86::V3};
    use std::arch::x86_64::{__m128, __m256, __m256i};

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
        fn or(self, a: __m256, b: __m256) -> __m256 {
            self.0.avx._mm256_or_ps(a, b)
        }
        #[inline(always)]
        fn bits(self, m: __m256) -> u8 {
            self.0.avx._mm256_movemask_ps(m) as u8
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
        fn splat4(self, x: f32) -> __m128 {
            self.0.sse._mm_set1_ps(x)
        }
        #[inline(always)]
        fn add4(self, a: __m128, b: __m128) -> __m128 {
            self.0.sse._mm_add_ps(a, b)
        }
        #[inline(always)]
        fn sub4(self, a: __m128, b: __m128) -> __m128 {
            self.0.sse._mm_sub_ps(a, b)
        }
        #[inline(always)]
        fn mul_add4(self, a: __m128, b: __m128, c: __m128) -> __m128 {
            self.0.fma._mm_fmadd_ps(a, b, c)
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
    }
}

/// What this machine offers, found once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Machine {
    #[cfg(target_arch = "x86_64")]
    Wide(Wide),
    Portable(Portable),
}

impl Machine {
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = Wide::try_new() {
            return Self::Wide(wide);
        }
        Self::Portable(Portable)
    }

    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Wide(lanes) => lanes.run(kernel),
            Self::Portable(lanes) => lanes.run(kernel),
        }
    }

    /// For reports: what the lanes are made of.
    pub(crate) fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Wide(_) => "AVX2 and FMA, 8 lanes",
            Self::Portable(_) => "portable, 8 lanes as the compiler makes them",
        }
    }
}
