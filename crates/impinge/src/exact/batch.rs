//! Eight pairs of triangles at a time: do they touch? Decided without rounding error wherever the coordinates of a pair have few
//! enough bits, as those of machine parts, lattices and floats near each other do; the rest is left to
//! [`super::triangles_touch`], whose signs these are.
//!
//! **The grid of a pair.** Along an axis let `2^e <= range < 2^(e+1)`, `range` of the six coordinates, and `g = 2^(e+1-B)`.
//! Where all six are multiples of `g`, every difference of two is a multiple of `g` below `2^B g`, so it is computed exactly.
//! A coordinate `x` with `|x| <= 2^51 g` is a multiple of `g` if and only if `(x + c) - c = x`, `c = 1.5 * 2^52 g`: the sum
//! lies between `2^52 g` and `2^53 g`, where doubles are the multiples of `g`. Doubles beyond `2^52 g` all are.
//!
//! **Minors** (`u v' - v u'`, of differences `u, u'` along one axis and `v, v'` along another) are multiples of `g_u g_v` below
//! `2^(2B+1) g_u g_v`. With `B = 26` both products are below `2^52` units and the minor at most `2^53`: exact. With `B = 33`
//! each product is a rounded head and an exact tail ([`Lanes::product`]); the difference of heads leaves an error of at most
//! `2^(2B-53)` units, that of tails is at most as large, so their sum is exact and the minor is a head and a tail, the
//! tail below `2^(2B-51)`.
//!
//! **Determinants** are sums of three minors times differences, multiples of `G = g_x g_y g_z`. The three heads' products are
//! added, in order, with the errors of both additions kept ([`two_sum`]); errors, tails of products (at most `2^(3B-52) G`
//! each) and, for `B = 33`, the tails of minors times differences (below `2^(3B-51) G`: whole numbers of `G` below `2^53`, so
//! exact) add up to less than `2^(3B-47) G <= 2^52 G`: every partial sum is exact. So the determinant is `s + t` for two
//! doubles, and a sum of two doubles has the sign of its rounded value.
//!
//! **Range.** Powers between `MIN_POWER` and `MAX_POWER` keep `G` and all products normal: three of them, times `2^-99`,
//! stay above `2^-1022`.

use crate::scene::Point;
use crate::simd::{Kernel, Lanes, Machine};

/// Bits of a coordinate difference whose minors are single doubles, and with minors in two parts.
const SHORT: i32 = 26;
const LONG: i32 = 33;
/// Largest powers of two in the ranges of the coordinates, along any axis.
const MAX_POWER: f64 = power_of_two(300);
const MIN_POWER: f64 = power_of_two(-300);

const fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Corners of eight triangles: by corner, axis, lane.
pub(crate) type Corners8 = [[[f64; 8]; 3]; 3];

/// Eight pairs of triangles of different bodies, or that share no vertex.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Pairs8 {
    pub(crate) a: Corners8,
    pub(crate) b: Corners8,
}

impl Pairs8 {
    /// Puts a pair into a lane.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, a: [Point; 3], b: [Point; 3]) {
        for corner in 0..3 {
            for axis in 0..3 {
                self.a[corner][axis][lane & 7] = a[corner][axis];
                self.b[corner][axis][lane & 7] = b[corner][axis];
            }
        }
    }
}

/// Decides eight pairs on every instruction set of this machine, in space and, where all lie in one plane along an axis, there:
/// the answers that are all the same, or `None`, and whether some differ. To be held against an oracle.
pub fn decide_everywhere(pairs: &[[[Point; 3]; 2]; 8]) -> ([Option<bool>; 8], bool) {
    let mut eight = Pairs8::default();
    for (lane, &[a, b]) in pairs.iter().enumerate() {
        eight.set(lane, a, b);
    }
    let mut answers = [None; 8];
    let mut differ = false;
    let mut add = |Verdicts { touch, apart }: Verdicts| {
        differ |= touch & apart != 0;
        for (lane, answer) in answers.iter_mut().enumerate() {
            if (touch | apart) >> lane & 1 == 1 {
                let new = touch >> lane & 1 == 1;
                differ |= answer.is_some_and(|old| old != new);
                *answer = Some(new);
            }
        }
    };
    let first = pairs[0][0][0];
    for machine in Machine::all() {
        add(machine.run(Decide { pairs: &eight, live: !0 }));
        for axis in 0..3 {
            if pairs.as_flattened().as_flattened().iter().all(|p| p[axis] == first[axis]) {
                add(machine.run(DecideFlat { pairs: &eight, axis }));
            }
        }
    }
    (answers, differ)
}

/// Lanes that touch, and lanes that do not; in neither are those that need other means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdicts {
    pub(crate) touch: u8,
    pub(crate) apart: u8,
}

/// Decides the lanes in `live`.
pub(crate) struct Decide<'a> {
    pub(crate) pairs: &'a Pairs8,
    pub(crate) live: u8,
}

impl Kernel for Decide<'_> {
    type Output = Verdicts;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Verdicts {
        let Pairs8 { a, b } = self.pairs;
        let a = [load(lanes, &a[0]), load(lanes, &a[1]), load(lanes, &a[2])];
        let b = [load(lanes, &b[0]), load(lanes, &b[1]), load(lanes, &b[2])];
        decide(lanes, &a, &b, self.live)
    }
}

/// As [`Decide`], for triangles in one plane across an axis.
struct DecideFlat<'a> {
    pairs: &'a Pairs8,
    axis: usize,
}

impl Kernel for DecideFlat<'_> {
    type Output = Verdicts;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Verdicts {
        let (u, v) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let mut flat = [[[lanes.splat_wide(0.0); 2]; 3]; 2];
        for (flat, corners) in flat.iter_mut().zip([&self.pairs.a, &self.pairs.b]) {
            for corner in 0..3 {
                flat[corner] = [lanes.load_wide(&corners[corner][u]), lanes.load_wide(&corners[corner][v])];
            }
        }
        decide_flat(lanes, &flat[0], &flat[1], !0)
    }
}

/// Eight vectors of doubles.
type Wide3<L> = [<L as Lanes>::D; 3];
/// Eight triangles, by corner.
pub(crate) type Triangles<L> = [Wide3<L>; 3];

/// Decides the lanes in `live`.
#[inline(always)]
pub(crate) fn decide<L: Lanes>(lanes: L, a: &Triangles<L>, b: &Triangles<L>, live: u8) -> Verdicts {
    // A corner of both.
    let mut touch = 0;
    for i in 0..3 {
        for j in 0..3 {
            touch |= lanes.eq_wide(a[i][0], b[j][0])
                & lanes.eq_wide(a[i][1], b[j][1])
                & lanes.eq_wide(a[i][2], b[j][2]);
        }
    }
    let mut verdicts = Verdicts { touch: touch & live, apart: 0 };
    let open = live & !verdicts.touch;
    if open == 0 {
        return verdicts;
    }
    let short = open & on_grid::<L, SHORT>(lanes, a, b);
    if short != 0 {
        let Verdicts { touch, apart } = signs::<L, SHORT>(lanes, a, b, short);
        verdicts.touch |= touch;
        verdicts.apart |= apart;
    }
    if short != open {
        let long = open & !short & on_grid::<L, LONG>(lanes, a, b);
        if long != 0 {
            let Verdicts { touch, apart } = signs::<L, LONG>(lanes, a, b, long);
            verdicts.touch |= touch;
            verdicts.apart |= apart;
        }
    }
    verdicts
}

/// Eight triangles seen along an axis: by corner and axis.
pub(crate) type Flat<L> = [[<L as Lanes>::D; 2]; 3];

/// As [`decide`], for triangles in one plane, seen along its axis.
#[inline(always)]
pub(crate) fn decide_flat<L: Lanes>(lanes: L, a: &Flat<L>, b: &Flat<L>, live: u8) -> Verdicts {
    let short = live & on_flat_grid::<L, SHORT>(lanes, a, b);
    let mut verdicts = Verdicts::default();
    if short != 0 {
        verdicts = flat_signs::<L, SHORT>(lanes, a, b, short);
    }
    if short != live {
        let long = live & !short & on_flat_grid::<L, LONG>(lanes, a, b);
        let Verdicts { touch, apart } = flat_signs::<L, LONG>(lanes, a, b, long);
        verdicts.touch |= touch;
        verdicts.apart |= apart;
    }
    verdicts
}

#[inline(always)]
fn on_flat_grid<L: Lanes, const BITS: i32>(lanes: L, a: &Flat<L>, b: &Flat<L>) -> u8 {
    let mut good = !0;
    for axis in 0..2 {
        let x = [a[0][axis], a[1][axis], a[2][axis], b[0][axis], b[1][axis], b[2][axis]];
        good &= on_axis_grid::<L, BITS>(lanes, &x);
    }
    good
}

#[inline(always)]
fn flat_signs<L: Lanes, const BITS: i32>(lanes: L, a: &Flat<L>, b: &Flat<L>, live: u8) -> Verdicts {
    let mut turns = [Signs::default(); 2];
    for (turn, t) in turns.iter_mut().zip([a, b]) {
        let first = [lanes.sub_wide(t[1][0], t[0][0]), lanes.sub_wide(t[1][1], t[0][1])];
        let second = [lanes.sub_wide(t[2][0], t[0][0]), lanes.sub_wide(t[2][1], t[0][1])];
        *turn = sign(lanes, minor::<L, BITS>(lanes, first, second).head);
    }
    let live = live & (turns[0].over | turns[0].under) & (turns[1].over | turns[1].under);
    let separated = separates::<L, BITS>(lanes, a, turns[0], b) | separates::<L, BITS>(lanes, b, turns[1], a);
    Verdicts { touch: live & !separated, apart: live & separated }
}

#[inline(always)]
fn load<L: Lanes>(lanes: L, p: &[[f64; 8]; 3]) -> Wide3<L> {
    [lanes.load_wide(&p[0]), lanes.load_wide(&p[1]), lanes.load_wide(&p[2])]
}

#[inline(always)]
fn minus<L: Lanes>(lanes: L, p: &Wide3<L>, q: &Wide3<L>) -> Wide3<L> {
    [lanes.sub_wide(p[0], q[0]), lanes.sub_wide(p[1], q[1]), lanes.sub_wide(p[2], q[2])]
}

/// Lanes whose coordinates are multiples of the grid of `BITS`.
#[inline(always)]
fn on_grid<L: Lanes, const BITS: i32>(lanes: L, a: &Triangles<L>, b: &Triangles<L>) -> u8 {
    let mut good = !0;
    for axis in 0..3 {
        let x = [a[0][axis], a[1][axis], a[2][axis], b[0][axis], b[1][axis], b[2][axis]];
        good &= on_axis_grid::<L, BITS>(lanes, &x);
    }
    good
}

/// As [`on_grid`], along one axis.
#[inline(always)]
fn on_axis_grid<L: Lanes, const BITS: i32>(lanes: L, x: &[L::D; 6]) -> u8 {
    let (mut min, mut max) = (x[0], x[0]);
    for i in 1..6 {
        min = lanes.min_wide(min, x[i]);
        max = lanes.max_wide(max, x[i]);
    }
    let range = lanes.sub_wide(max, min);
    let power = lanes.power_wide(range);
    let largest = lanes.max_wide(lanes.abs_wide(min), lanes.abs_wide(max));
    let limit = lanes.mul_wide(power, lanes.splat_wide(power_of_two(52 - BITS as i64)));
    let magic = lanes.mul_wide(power, lanes.splat_wide(1.5 * power_of_two(53 - BITS as i64)));
    let mut bad = lanes.gt_wide(largest, limit);
    for x in x {
        bad |= !lanes.eq_wide(lanes.sub_wide(lanes.add_wide(*x, magic), magic), *x);
    }
    // All beyond twice the limit, on one side of zero.
    let nearest = lanes.max_wide(min, lanes.sub_wide(lanes.splat_wide(0.0), max));
    bad &= !lanes.gt_wide(nearest, lanes.add_wide(limit, limit));
    bad |=
        lanes.gt_wide(power, lanes.splat_wide(MAX_POWER)) | lanes.gt_wide(lanes.splat_wide(MIN_POWER), power);
    // All six the same.
    !bad | lanes.eq_wide(min, max)
}

/// `u v' - v u'`, exactly: the sum of both.
#[derive(Clone, Copy)]
struct Minor<L: Lanes> {
    head: L::D,
    tail: L::D,
}

#[inline(always)]
fn minor<L: Lanes, const BITS: i32>(lanes: L, [u, v]: [L::D; 2], [other_u, other_v]: [L::D; 2]) -> Minor<L> {
    if BITS <= SHORT {
        let head = lanes.sub_wide(lanes.mul_wide(u, other_v), lanes.mul_wide(v, other_u));
        return Minor { head, tail: lanes.splat_wide(0.0) };
    }
    let (first, first_tail) = lanes.product(u, other_v);
    let (second, second_tail) = lanes.product(v, other_u);
    let (head, error) = two_sum(lanes, first, lanes.sub_wide(lanes.splat_wide(0.0), second));
    Minor { head, tail: lanes.add_wide(error, lanes.sub_wide(first_tail, second_tail)) }
}

/// The rounded sum, and its error (Knuth).
#[inline(always)]
fn two_sum<L: Lanes>(lanes: L, a: L::D, b: L::D) -> (L::D, L::D) {
    let sum = lanes.add_wide(a, b);
    let b_part = lanes.sub_wide(sum, a);
    let a_part = lanes.sub_wide(sum, b_part);
    (sum, lanes.add_wide(lanes.sub_wide(a, a_part), lanes.sub_wide(b, b_part)))
}

/// The minors of two vectors: their cross product.
#[inline(always)]
fn cross<L: Lanes, const BITS: i32>(lanes: L, u: &Wide3<L>, v: &Wide3<L>) -> [Minor<L>; 3] {
    [
        minor::<L, BITS>(lanes, [u[1], u[2]], [v[1], v[2]]),
        minor::<L, BITS>(lanes, [u[2], u[0]], [v[2], v[0]]),
        minor::<L, BITS>(lanes, [u[0], u[1]], [v[0], v[1]]),
    ]
}

/// Lanes above zero, and lanes below.
#[derive(Clone, Copy, Default)]
struct Signs {
    over: u8,
    under: u8,
}

#[inline(always)]
fn sign<L: Lanes>(lanes: L, value: L::D) -> Signs {
    let zero = lanes.splat_wide(0.0);
    Signs { over: lanes.gt_wide(value, zero), under: lanes.gt_wide(zero, value) }
}

/// The sign of a determinant: of minors times differences.
#[inline(always)]
fn determinant<L: Lanes, const BITS: i32>(lanes: L, n: &[Minor<L>; 3], d: &Wide3<L>) -> Signs {
    let (x, x_tail) = lanes.product(n[0].head, d[0]);
    let (y, y_tail) = lanes.product(n[1].head, d[1]);
    let (z, z_tail) = lanes.product(n[2].head, d[2]);
    let (sum, error) = two_sum(lanes, x, y);
    let (sum, last_error) = two_sum(lanes, sum, z);
    let mut tail = lanes
        .add_wide(lanes.add_wide(lanes.add_wide(x_tail, y_tail), z_tail), lanes.add_wide(error, last_error));
    if BITS > SHORT {
        for axis in 0..3 {
            tail = lanes.add_wide(tail, lanes.mul_wide(n[axis].tail, d[axis]));
        }
    }
    sign(lanes, lanes.add_wide(sum, tail))
}

/// Lanes with all three on one side.
#[inline(always)]
fn one_sided(s: [Signs; 3]) -> u8 {
    s[0].over & s[1].over & s[2].over | s[0].under & s[1].under & s[2].under
}

#[inline(always)]
fn any(s: [Signs; 3]) -> u8 {
    s[0].over | s[1].over | s[2].over | s[0].under | s[1].under | s[2].under
}

/// As [`super::triangle_pair::triangles_touch`], for lanes on the grid of `BITS`. Lanes with a triangle without area are left open.
#[inline(always)]
fn signs<L: Lanes, const BITS: i32>(lanes: L, a: &Triangles<L>, b: &Triangles<L>, live: u8) -> Verdicts {
    let zero = lanes.splat_wide(0.0);
    let origin = [zero; 3];
    // Relative to the first corner of `a`.
    let p = [origin, minus(lanes, &a[1], &a[0]), minus(lanes, &a[2], &a[0])];
    let q = [minus(lanes, &b[0], &a[0]), minus(lanes, &b[1], &a[0]), minus(lanes, &b[2], &a[0])];
    let normal_a = cross::<L, BITS>(lanes, &p[1], &p[2]);
    let side_b = [
        determinant::<L, BITS>(lanes, &normal_a, &q[0]),
        determinant::<L, BITS>(lanes, &normal_a, &q[1]),
        determinant::<L, BITS>(lanes, &normal_a, &q[2]),
    ];
    let mut apart = live & one_sided(side_b);
    let f = [minus(lanes, &b[1], &b[0]), minus(lanes, &b[2], &b[0])];
    let normal_b = cross::<L, BITS>(lanes, &f[0], &f[1]);
    // A head is zero only where the minor is, or where it lies below the grid's rounding: those lanes are left open.
    let flat = vanishes(lanes, &normal_a) | vanishes(lanes, &normal_b);
    let live = live & !flat;
    apart &= !flat;
    let coplanar = live & !any(side_b);
    let mut touch = 0;
    if coplanar != 0 {
        let separated = separated_in_plane::<L, BITS>(lanes, &p, &q, &normal_a, &normal_b);
        apart |= coplanar & separated;
        touch |= coplanar & !separated;
    }
    if live & !apart & !touch == 0 {
        return Verdicts { touch, apart };
    }
    let side_a = [
        determinant::<L, BITS>(lanes, &normal_b, &minus(lanes, &a[0], &b[0])),
        determinant::<L, BITS>(lanes, &normal_b, &minus(lanes, &a[1], &b[0])),
        determinant::<L, BITS>(lanes, &normal_b, &minus(lanes, &a[2], &b[0])),
    ];
    apart |= live & !touch & one_sided(side_a);
    let crossing = live & !apart & !touch;
    if crossing == 0 {
        return Verdicts { touch, apart };
    }
    let mut edges = [[Signs::default(); 3]; 3];
    for k in 0..3 {
        let l = (k + 1) % 3;
        let moment = cross::<L, BITS>(lanes, &q[k], &q[l]);
        edges[0][k] = determinant::<L, BITS>(lanes, &moment, &p[1]);
        let Signs { over, under } = determinant::<L, BITS>(lanes, &moment, &p[2]);
        edges[2][k] = Signs { over: under, under: over };
        let moment = cross::<L, BITS>(lanes, &minus(lanes, &b[k], &a[1]), &minus(lanes, &b[l], &a[1]));
        edges[1][k] = determinant::<L, BITS>(lanes, &moment, &minus(lanes, &a[2], &a[1]));
    }
    let mut meets = 0;
    for i in 0..3 {
        let j = (i + 1) % 3;
        meets |= pierces(side_a[i], side_a[j], edges[i]);
        meets |= pierces(side_b[i], side_b[j], [edges[0][i], edges[1][i], edges[2][i]]);
    }
    Verdicts { touch: touch | crossing & meets, apart: apart | crossing & !meets }
}

/// Lanes whose edge crosses or ends on a plane, and passes all edges of the triangle there on one side or through them.
#[inline(always)]
fn pierces(from: Signs, to: Signs, s: [Signs; 3]) -> u8 {
    let differ = (from.over ^ to.over) | (from.under ^ to.under);
    let (over, under) = (s[0].over | s[1].over | s[2].over, s[0].under | s[1].under | s[2].under);
    differ & !(over & under)
}

/// Lanes with a normal whose heads are all zero.
#[inline(always)]
fn vanishes<L: Lanes>(lanes: L, n: &[Minor<L>; 3]) -> u8 {
    let zero = lanes.splat_wide(0.0);
    lanes.eq_wide(n[0].head, zero) & lanes.eq_wide(n[1].head, zero) & lanes.eq_wide(n[2].head, zero)
}

/// Lanes of two triangles in one plane, each with an area, that a side of one of them separates. Seen along the axis of the
/// largest normal.
#[inline(always)]
fn separated_in_plane<L: Lanes, const BITS: i32>(
    lanes: L,
    p: &Triangles<L>,
    q: &Triangles<L>,
    normal_a: &[Minor<L>; 3],
    normal_b: &[Minor<L>; 3],
) -> u8 {
    let size = [
        lanes.abs_wide(normal_a[0].head),
        lanes.abs_wide(normal_a[1].head),
        lanes.abs_wide(normal_a[2].head),
    ];
    let larger = lanes.max_wide(size[0], size[1]);
    let mut flat = [[[lanes.splat_wide(0.0); 2]; 3]; 2];
    for (flat, points) in flat.iter_mut().zip([p, q]) {
        for (flat, [x, y, z]) in flat.iter_mut().zip(points) {
            let u = lanes.where_gt_wide(size[1], size[0], *z, *y);
            let v = lanes.where_gt_wide(size[1], size[0], *x, *z);
            *flat =
                [lanes.where_gt_wide(size[2], larger, *x, u), lanes.where_gt_wide(size[2], larger, *y, v)];
        }
    }
    let mut turns = [Signs::default(); 2];
    for (turn, n) in turns.iter_mut().zip([normal_a, normal_b]) {
        let seen = lanes.where_gt_wide(size[1], size[0], n[1].head, n[0].head);
        *turn = sign(lanes, lanes.where_gt_wide(size[2], larger, n[2].head, seen));
    }
    let [p, q] = &flat;
    separates::<L, BITS>(lanes, p, turns[0], q) | separates::<L, BITS>(lanes, q, turns[1], p)
}

/// Lanes with all corners of one triangle strictly beyond a side of the other, which turns as `turn` says.
#[inline(always)]
fn separates<L: Lanes, const BITS: i32>(lanes: L, triangle: &Flat<L>, turn: Signs, other: &Flat<L>) -> u8 {
    let mut separated = 0;
    for i in 0..3 {
        let (from, to) = (&triangle[i], &triangle[(i + 1) % 3]);
        let edge = [lanes.sub_wide(to[0], from[0]), lanes.sub_wide(to[1], from[1])];
        let mut sides = [Signs::default(); 3];
        for (side, at) in sides.iter_mut().zip(other) {
            let way = [lanes.sub_wide(at[0], from[0]), lanes.sub_wide(at[1], from[1])];
            let Minor { head, tail } = minor::<L, BITS>(lanes, edge, way);
            *side = sign(lanes, if BITS > SHORT { lanes.add_wide(head, tail) } else { head });
        }
        separated |= turn.over & sides[0].under & sides[1].under & sides[2].under
            | turn.under & sides[0].over & sides[1].over & sides[2].over;
    }
    separated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::triangles_touch;

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % n
        }
    }

    /// A coordinate of one of several families: small lattices, many bits, far away, one step apart, tiny and huge.
    fn coordinate(random: &mut Random, family: u64) -> f64 {
        let whole = random.below(5) as f64;
        match family {
            0 => whole,
            1 => f64::from((random.below(90) as f32 / 90.0) + 1.0),
            2 => f64::from(random.below(91) as f32 / 90.0),
            3 => whole / 3.0,
            4 => 1e6 + whole * 0.25,
            5 => f64::from_bits(1f64.to_bits() + random.below(4)),
            6 => whole * 1e-200,
            7 => whole * 1e200,
            8 => whole + f64::from(random.below(1 << 20) as u32) * 2f64.powi(-24),
            9 => whole + f64::from(random.below(1 << 20) as u32) * 2f64.powi(-30),
            _ => whole * 5e-324,
        }
    }

    fn triangle(random: &mut Random, family: u64, plane: u64) -> [Point; 3] {
        std::array::from_fn(|_| {
            let p: Point = std::array::from_fn(|_| coordinate(random, family));
            match plane {
                0 => [p[0], p[1], 1.0],
                1 => [p[0], p[1], p[0] + p[1]], // oblique, where that is exact
                2 => [p[1], 0.0, p[2]],
                _ => p,
            }
        })
    }

    #[test]
    fn all_lanes_say_what_one_pair_at_a_time_says() {
        let mut random = Random(7);
        let mut decided = [0usize; 11];
        for round in 0..22_000 {
            let family = round % 11;
            let plane = random.below(5);
            let mut pairs = Pairs8::default();
            let mut expected = 0;
            for lane in 0..8 {
                let (a, b) = (triangle(&mut random, family, plane), triangle(&mut random, family, plane));
                pairs.set(lane, a, b);
                expected |= u8::from(triangles_touch(&a, &b)) << lane;
            }
            let live = random.below(256) as u8;
            let mut all = Vec::new();
            for machine in Machine::all() {
                let Verdicts { touch, apart } = machine.run(Decide { pairs: &pairs, live });
                let known = touch | apart;
                assert_eq!((touch & apart, known & !live), (0, 0));
                assert_eq!(touch, expected & known, "{}, {pairs:?}", machine.name());
                all.push((touch, apart));
                decided[family as usize] += (touch | apart).count_ones() as usize;
            }
            assert!(all.iter().all(|verdict| *verdict == all[0]), "lanes differ: {all:?}");
        }
        // Few bits are decided here, all but triangles without area.
        for family in [0, 1, 2, 4, 5, 8, 9] {
            assert!(decided[family] > 2000 * 4 * Machine::all().count() * 2 / 3, "{family}: {decided:?}");
        }
    }

    #[test]
    fn what_has_too_many_bits_is_left_open() {
        let a = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 2f64.powi(-60)]];
        let b = [[0.3, 0.2, -1.0], [0.4, 0.2, 1.0], [0.3, 0.3, 1.0]];
        let mut pairs = Pairs8::default();
        pairs.set(0, a, b);
        for machine in Machine::all() {
            assert_eq!(machine.run(Decide { pairs: &pairs, live: 1 }), Verdicts::default());
        }
    }
}
