//! Eight floats, or sixty-four bytes, at a time, by the widest instructions this machine has.
//!
//! Kernels are written once, generic over [`Lanes`], and run through [`Lanes::run`], which compiles them for the
//! instruction set. [`Wide`] is AVX2 with FMA and [`Widest`] is AVX-512, through `pulp`'s tokens, which exist only on
//! machines that have it; [`Portable`] is plain arrays, which the compiler turns into SSE2 or NEON. They round
//! differently (FMA), so kernels may only decide what holds within their error bounds, and those bounds hold for all.

mod portable;
#[cfg(target_arch = "x86_64")]
mod wide;
pub(crate) mod wide3;
#[cfg(target_arch = "x86_64")]
mod widest;

pub(crate) use self::portable::Portable;
#[cfg(target_arch = "x86_64")]
use self::wide::Wide;
#[cfg(target_arch = "x86_64")]
use self::widest::Widest;

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
    /// Eight doubles.
    type D: Copy;
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
    /// Bit `i` where `a == b` in lane `i`.
    fn eq(self, a: Self::F, b: Self::F) -> u8;
    fn or(self, a: Self::M, b: Self::M) -> Self::M;
    /// Lane `i` in bit `i`.
    fn bits(self, m: Self::M) -> u8;
    /// Four and four.
    fn pair4(self, a: &[f32; 4], b: &[f32; 4]) -> Self::F;
    /// The `I`th of each four, in all of the four.
    fn each4<const I: usize>(self, a: Self::F) -> Self::F;
    /// Floats as doubles.
    fn widen(self, a: Self::F) -> Self::D;
    /// Doubles rounded to floats.
    fn narrow(self, a: Self::D) -> Self::F;
    fn splat_wide(self, x: f64) -> Self::D;
    /// `a * b + c`, rounded once or twice.
    fn mul_add_wide(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    fn load_wide(self, x: &[f64; 8]) -> Self::D;
    #[cfg(test)]
    fn store_wide(self, x: Self::D) -> [f64; 8];
    fn add_wide(self, a: Self::D, b: Self::D) -> Self::D;
    fn sub_wide(self, a: Self::D, b: Self::D) -> Self::D;
    fn mul_wide(self, a: Self::D, b: Self::D) -> Self::D;
    /// `a * b` rounded, and what rounding took away: exact unless something under- or overflows.
    fn product(self, a: Self::D, b: Self::D) -> (Self::D, Self::D);
    /// Of numbers; of a NaN, anything.
    fn min_wide(self, a: Self::D, b: Self::D) -> Self::D;
    fn max_wide(self, a: Self::D, b: Self::D) -> Self::D;
    fn abs_wide(self, a: Self::D) -> Self::D;
    /// The largest power of two not above `|a|`; zero where that is subnormal, infinite for what is not finite.
    fn power_wide(self, a: Self::D) -> Self::D;
    /// Bit `i` where `a > b` in lane `i`.
    fn gt_wide(self, a: Self::D, b: Self::D) -> u8;
    /// Bit `i` where `a == b` in lane `i`.
    fn eq_wide(self, a: Self::D, b: Self::D) -> u8;
    /// `x` where `a > b`, else `y`.
    fn where_gt_wide(self, a: Self::D, b: Self::D, x: Self::D, y: Self::D) -> Self::D;
    fn load4(self, x: &[f32; 4]) -> Self::Q;
    fn store4(self, x: Self::Q) -> [f32; 4];
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
    /// For every byte that is not zero, `base` with its place in the second byte and itself in the first; written from
    /// the front, and how many there are. What stands behind them is anything.
    fn list_bytes(self, bytes: u64, base: u32, list: &mut [u32; 8]) -> usize;
}

/// The exponent of a double.
const EXPONENT_BITS: u64 = 0x7ff << 52;

/// For every byte, the places of its bits, lowest first.
pub(crate) static BIT_PLACES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// What this machine offers, found once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Machine {
    #[cfg(target_arch = "x86_64")]
    Widest(Widest),
    #[cfg(target_arch = "x86_64")]
    Wide(Wide),
    Portable(Portable),
}

impl Machine {
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(widest) = Widest::try_new() {
            return Self::Widest(widest);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = Wide::try_new() {
            return Self::Wide(wide);
        }
        Self::Portable(Portable)
    }

    /// Everything this machine can run.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let portable = [Self::Portable(Portable)].into_iter();
        #[cfg(target_arch = "x86_64")]
        let portable =
            portable.chain(Wide::try_new().map(Self::Wide)).chain(Widest::try_new().map(Self::Widest));
        portable
    }

    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Widest(lanes) => lanes.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Wide(lanes) => lanes.run(kernel),
            Self::Portable(lanes) => lanes.run(kernel),
        }
    }

    /// For reports: what the lanes are made of.
    pub(crate) fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Widest(_) => "AVX-512, 8 lanes of floats and 64 of bytes",
            #[cfg(target_arch = "x86_64")]
            Self::Wide(_) => "AVX2 and FMA, 8 lanes",
            Self::Portable(_) => "portable, 8 lanes as the compiler makes them",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            self.0 >> 16
        }

        /// Ordinary numbers, and now and then one that is not.
        fn float(&mut self) -> f32 {
            match self.next() % 16 {
                0 => f32::NAN,
                1 => f32::INFINITY,
                2 => f32::NEG_INFINITY,
                3 => -0.0,
                4 => f32::from_bits(3),
                _ => (self.next() % 2001) as f32 / 7.0 - 140.0,
            }
        }

        fn floats<const N: usize>(&mut self) -> [f32; N] {
            std::array::from_fn(|_| self.float())
        }

        fn bytes<const N: usize>(&mut self) -> [u8; N] {
            std::array::from_fn(|_| self.next() as u8)
        }
    }

    /// Every operation that does not round differently, on the same random input; as bits, all NaN alike.
    struct Everything(u64);

    impl Kernel for Everything {
        type Output = Vec<u64>;
        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Vec<u64> {
            let mut random = Random(self.0);
            let (p, q): ([f32; 8], [f32; 8]) = (random.floats(), random.floats());
            let (a, b) = (lanes.load(&p), lanes.load(&q));
            let mut floats: Vec<f32> = Vec::new();
            for x in [
                lanes.add(a, b),
                lanes.sub(a, b),
                lanes.mul(a, b),
                lanes.abs(a),
                lanes.splat(p[3]),
                lanes.narrow(lanes.widen(a)),
                lanes.narrow(lanes.splat_wide(f64::from(q[1]) * 1.5)),
                lanes.pair4(&[p[0], p[1], p[2], p[3]], &[q[0], q[1], q[2], q[3]]),
                lanes.each4::<0>(a),
                lanes.each4::<1>(a),
                lanes.each4::<2>(a),
                lanes.each4::<3>(a),
            ] {
                floats.extend(lanes.store(x));
            }
            // Which of two zeros, or what of a NaN, is nobody's concern.
            let finite = p.map(|x| if x.is_finite() { x + 0.0 } else { 1.0 });
            let other = q.map(|x| if x.is_finite() { x + 0.0 } else { 2.0 });
            let (c, d) = (lanes.load(&finite), lanes.load(&other));
            for x in [lanes.min(c, d), lanes.max(c, d)] {
                floats.extend(lanes.store(x).map(|x| x + 0.0));
            }
            let four = |x: &[f32; 8], i: usize| [x[i], x[i + 1], x[i + 2], x[i + 3]];
            let quads = [0, 4].map(|i| [lanes.load4(&four(&finite, i)), lanes.load4(&four(&other, i))]);
            for x in [lanes.min4(quads[0][0], quads[0][1]), lanes.max4(quads[0][0], quads[0][1])] {
                floats.extend(lanes.store4(x).map(|x| x + 0.0));
            }
            for x in lanes.columns4(quads[0][0], quads[0][1], quads[1][0], quads[1][1]) {
                floats.extend(lanes.store4(x));
            }
            let mut bits: Vec<u64> =
                floats.iter().map(|x| if x.is_nan() { u64::MAX } else { u64::from(x.to_bits()) }).collect();
            bits.push(u64::from(lanes.bits(lanes.gt(a, b))));
            bits.push(u64::from(lanes.bits(lanes.or(lanes.gt(a, b), lanes.gt(b, lanes.splat(3.0))))));
            let [p4, q4] = [lanes.load4(&four(&p, 0)), lanes.load4(&four(&q, 0))];
            bits.push(u64::from(lanes.any_gt4(p4, q4, q4, p4)));
            bits.push(u64::from_le_bytes(lanes.quantise(a, lanes.splat(-100.0), lanes.splat(1.3))));
            let boxes = ByteBoxes {
                min: std::array::from_fn(|_| random.bytes::<64>().map(|x| x / 2)),
                max: std::array::from_fn(|_| random.bytes::<64>().map(|x| 128 + x / 2)),
            };
            let (low, high) = (random.bytes::<3>(), random.bytes::<3>());
            bits.push(lanes.meets(low, high, &boxes));
            bits.push(lanes.meets(high, low, &boxes));
            bits.push(u64::from(lanes.eq(a, b)));
            bits.push(u64::from(
                lanes.eq(a, lanes.load(&std::array::from_fn(|i| if i % 3 == 0 { q[i] } else { p[i] }))),
            ));
            let doubles: [[f64; 8]; 2] = [&finite, &other]
                .map(|x| std::array::from_fn(|i| f64::from(x[i]) + f64::from(x[7 - i]) / 3e9));
            let (e, f) = (lanes.load_wide(&doubles[0]), lanes.load_wide(&doubles[1]));
            let (high, low) = lanes.product(e, f);
            for x in [
                lanes.add_wide(e, f),
                lanes.sub_wide(e, f),
                lanes.mul_wide(e, f),
                high,
                low,
                lanes.min_wide(e, f),
                lanes.max_wide(e, f),
                lanes.abs_wide(e),
                lanes.power_wide(e),
                lanes.where_gt_wide(e, f, e, high),
            ] {
                bits.extend(lanes.store_wide(x).map(|x| (x + 0.0).to_bits()));
            }
            bits.push(u64::from(lanes.gt_wide(e, f)));
            bits.push(u64::from(lanes.eq_wide(e, lanes.where_gt_wide(e, f, e, f))));
            let bytes = random.next() & random.next() << 7 & 0xff00_ffff_00ff_ff0f;
            for bytes in [bytes, 0, u64::MAX] {
                let mut list = [0; 8];
                let count = lanes.list_bytes(bytes, 0x1234_0000, &mut list);
                bits.push(count as u64);
                bits.extend(list[..count].iter().map(|&x| u64::from(x)));
            }
            bits
        }
    }

    #[test]
    fn all_lanes_compute_the_same() {
        for seed in 0..2000 {
            let expected = Machine::Portable(Portable).run(Everything(seed));
            for machine in Machine::all() {
                assert_eq!(machine.run(Everything(seed)), expected, "{}, seed {seed}", machine.name());
            }
        }
    }
}
