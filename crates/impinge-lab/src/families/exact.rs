//! Families whose constructions do not round: small integers, dyadic weights, repeated positions.

use super::shapes::{
    Point, Triangle, any_pair, float_point, grid_point, integer_vector, meeting as meeting_pair, minus,
    nudge, plus, times, triangle,
};
use super::{Pair, Rng};

/// Corners from a grid of `n` x `n` x `n` points: with few points everything degenerate happens often.
pub(super) fn grid(rng: &mut Rng, n: usize) -> Pair {
    let [a, b] = [(); 2].map(|()| triangle(rng, |rng| grid_point(rng, n)));
    Pair::Separate(a, b)
}

/// Both in one plane across an axis: on a small grid, or anywhere, or with a corner rounded onto an edge.
pub(super) fn coplanar_axis(rng: &mut Rng) -> Pair {
    let [axis, kind] = [rng.below(3), rng.below(3)];
    let level = if rng.one_in(4) { 0.0 } else { rng.signed() };
    let mut in_plane = |rng: &mut Rng| {
        let mut p = if kind == 0 { grid_point(rng, 5) } else { float_point(rng) };
        p[axis] = level;
        p
    };
    let [a, mut b] = [(); 2].map(|()| triangle(rng, &mut in_plane));
    if kind == 2 {
        b[0] = plus(a[0], times(minus(a[1], a[0]), rng.unit()));
        b[0][axis] = level;
    }
    Pair::Separate(a, b)
}

/// Points of a lattice in a tilted plane, all exactly representable.
struct Lattice {
    origin: Point,
    u: Point,
    v: Point,
}

impl Lattice {
    fn new(rng: &mut Rng) -> Self {
        let scale = rng.pick(&[1.0, 0.125, 1024.0]);
        let mut vector = |size| times(integer_vector(rng, size), scale);
        Self { origin: vector(9), u: vector(3), v: vector(3) }
    }

    fn at(&self, i: i32, j: i32) -> Point {
        plus(self.origin, plus(times(self.u, f64::from(i)), times(self.v, f64::from(j))))
    }
}

/// Both in one plane that is tilted.
pub(super) fn coplanar_tilted(rng: &mut Rng) -> Pair {
    let lattice = Lattice::new(rng);
    let size = rng.pick(&[2, 4, 30]);
    let [a, b] = [(); 2].map(|()| triangle(rng, |rng| lattice.at(rng.within(0, size), rng.within(0, size))));
    Pair::Separate(a, b)
}

/// Two blades of a fan in a tilted plane, around one point or around two that are a little apart.
pub(super) fn coplanar_fan(rng: &mut Rng) -> Pair {
    let lattice = Lattice::new(rng);
    let blade = |rng: &mut Rng, apex: [i32; 2]| -> Triangle {
        let [i, j] = apex;
        let mut rim = || lattice.at(i + rng.within(-3, 3), j + rng.within(-3, 3));
        let [p, q] = [rim(), rim()];
        rng.shuffled([lattice.at(i, j), p, q])
    };
    let second_apex = rng.pick(&[[0, 0], [1, 0], [1, 1], [-1, 2], [2, 2]]);
    Pair::Separate(blade(rng, [0, 0]), blade(rng, second_apex))
}

/// Corners in the same places, or nearly: one or two of `b` are copies from `a`, and half of the pairs are
/// disturbed by one unit in the last place afterwards.
pub(super) fn shared_positions(rng: &mut Rng) -> Pair {
    let [a, mut b] = any_pair(rng);
    let mut copies = [a[0]; 2];
    copies[1] = a[rng.below(3)];
    let count = 1 + rng.below(2);
    b[..count].copy_from_slice(&copies[..count]);
    if rng.one_in(2) {
        nudge(rng, &mut b);
    }
    Pair::Separate(rng.shuffled(a), rng.shuffled(b))
}

/// One triangle twice, its corners in another order.
pub(super) fn identical(rng: &mut Rng) -> Pair {
    let [a, _] = any_pair(rng);
    Pair::Separate(a, rng.shuffled(a))
}

/// A corner exactly on a face, an edge or a corner, or two edges that cross exactly.
pub(super) fn meeting(rng: &mut Rng) -> Pair {
    let [a, b] = meeting_pair(rng);
    Pair::Separate(a, b)
}

/// The triangle squeezed to a segment or a point around its first corner, without rounding.
pub(super) fn collapse(rng: &mut Rng, [p, q, _]: Triangle) -> Triangle {
    match rng.below(5) {
        0 => [p, p, p],
        1 => [p, q, q],
        2 => [p, p, q],
        // Twice as far, and as far on the other side: exact for integers well below 2^52.
        3 => [p, q, plus(q, minus(q, p))],
        _ => [p, q, minus(p, minus(q, p))],
    }
}

/// One or both are a segment or a point: on a small grid, or on something that the other one has there.
pub(super) fn zero_area(rng: &mut Rng) -> Pair {
    let [mut a, mut b] = if rng.one_in(2) {
        let n = rng.pick(&[2, 3, 4]);
        [(); 2].map(|()| triangle(rng, |rng| grid_point(rng, n)))
    } else {
        meeting_pair(rng)
    };
    b = collapse(rng, b);
    if rng.one_in(3) {
        a = collapse(rng, a);
    }
    if rng.one_in(4) {
        nudge(rng, &mut a);
    }
    if rng.one_in(2) { Pair::Separate(a, b) } else { Pair::Separate(b, a) }
}
