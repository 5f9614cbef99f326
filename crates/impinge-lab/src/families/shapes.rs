//! What the families are put together from: points, triangles that meet in a known way, and small disturbances.

use super::Rng;

pub(super) type Point = [f64; 3];
pub(super) type Triangle = [Point; 3];

pub(super) fn plus(p: Point, q: Point) -> Point {
    std::array::from_fn(|i| p[i] + q[i])
}

pub(super) fn minus(p: Point, q: Point) -> Point {
    std::array::from_fn(|i| p[i] - q[i])
}

pub(super) fn times(p: Point, s: f64) -> Point {
    p.map(|x| x * s)
}

pub(super) fn dot(p: Point, q: Point) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

pub(super) fn cross(p: Point, q: Point) -> Point {
    std::array::from_fn(|i| p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3])
}

pub(super) fn normal([a, b, c]: Triangle) -> Point {
    cross(minus(b, a), minus(c, a))
}

/// A point with integer coordinates in `0..n`.
pub(super) fn grid_point(rng: &mut Rng, n: usize) -> Point {
    std::array::from_fn(|_| rng.below(n) as f64)
}

/// A vector with integer coordinates in `-size..=size`.
pub(super) fn integer_vector(rng: &mut Rng, size: i32) -> Point {
    std::array::from_fn(|_| f64::from(rng.within(-size, size)))
}

/// A point in the cube from -1 to 1, every bit random.
pub(super) fn float_point(rng: &mut Rng) -> Point {
    std::array::from_fn(|_| rng.signed())
}

pub(super) fn triangle(rng: &mut Rng, mut point: impl FnMut(&mut Rng) -> Point) -> Triangle {
    std::array::from_fn(|_| point(rng))
}

/// Where two triangles [`meeting`] meet: what of `a` a corner of `b` is on, or an edge of each.
#[derive(Clone, Copy)]
enum Kind {
    Corner,
    Edge,
    CrossingEdges,
    Face,
}

/// Two triangles with integer coordinates that have a certain point in common: a corner of `b` on the face, on
/// an edge or on a corner of `a`, or an edge of each crossing there. Mostly the rest of `b` is on the far side,
/// so that moving anything by one unit in the last place may part them.
pub(super) fn meeting(rng: &mut Rng) -> [Triangle; 2] {
    // Corners are multiples of 8 and weights are eighths, so the common point has integer coordinates.
    let size = rng.pick(&[2, 9, 1000, 1 << 20]);
    let a = triangle(rng, |rng| times(integer_vector(rng, size), 8.0));
    let i = rng.below(9);
    let kind = rng.pick(&[Kind::Corner, Kind::Edge, Kind::CrossingEdges, Kind::Face]);
    let [i, j, k] = match kind {
        Kind::Corner => [8, 0, 0],
        Kind::Edge | Kind::CrossingEdges => [i, 8 - i, 0],
        Kind::Face => {
            let k = rng.below(9 - i);
            [i, 8 - i - k, k]
        }
    }
    .map(|eighths| eighths as f64 / 8.0);
    let x = plus(plus(times(a[0], i), times(a[1], j)), times(a[2], k));
    let other_side = |rng: &mut Rng, away: Point| {
        let v = integer_vector(rng, 8 * size);
        let flip = dot(away, v) < 0.0 && !rng.one_in(4);
        if flip { minus(x, v) } else { plus(x, v) }
    };
    let edge = minus(a[1], a[0]);
    let away = match kind {
        Kind::Corner => minus(a[0], plus(times(a[1], 0.5), times(a[2], 0.5))),
        Kind::Edge => cross(edge, normal(a)),
        Kind::Face => normal(a),
        Kind::CrossingEdges => {
            // The third corner goes where `a` has none: beyond the plane of the two edges.
            let along = integer_vector(rng, size);
            let side = cross(edge, along);
            let away = if dot(side, minus(a[2], a[0])) > 0.0 { times(side, -1.0) } else { side };
            let [before, after] = [(); 2].map(|()| f64::from(rng.within(1, 4)));
            let b = [minus(x, times(along, before)), plus(x, times(along, after)), other_side(rng, away)];
            return [rng.shuffled(a), rng.shuffled(b)];
        }
    };
    let b = [x, other_side(rng, away), other_side(rng, away)];
    [rng.shuffled(a), rng.shuffled(b)]
}

/// A pair of triangles of any kind, for families that are about what is then done to it.
pub(super) fn any_pair(rng: &mut Rng) -> [Triangle; 2] {
    match rng.below(4) {
        0 => {
            let n = rng.pick(&[2, 3, 4, 8]);
            [(); 2].map(|()| triangle(rng, |rng| grid_point(rng, n)))
        }
        1 => [(); 2].map(|()| triangle(rng, float_point)),
        _ => meeting(rng),
    }
}

/// Moves about half of the coordinates to a neighbouring double.
pub(super) fn nudge(rng: &mut Rng, points: &mut [Point]) {
    for x in points.iter_mut().flatten() {
        match rng.below(4) {
            0 => *x = x.next_up(),
            1 => *x = x.next_down(),
            _ => {}
        }
    }
}

/// Rounds coordinates to single precision and moves about half of them to a neighbouring one.
pub(super) fn nudge_f32(rng: &mut Rng, points: &mut [Point]) {
    for x in points.iter_mut().flatten() {
        let near = *x as f32;
        *x = f64::from(match rng.below(4) {
            0 => near.next_up(),
            1 => near.next_down(),
            _ => near,
        });
    }
}

/// A point of the triangle, sometimes of its first edge, as well as rounding lets it.
pub(super) fn point_of(rng: &mut Rng, [a, b, c]: Triangle) -> Point {
    let u = rng.unit();
    let v = if rng.one_in(3) { 0.0 } else { rng.unit() * (1.0 - u) };
    plus(a, plus(times(minus(b, a), u), times(minus(c, a), v)))
}
