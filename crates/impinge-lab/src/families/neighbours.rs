//! Families of two triangles of one body: vertices in common by index, by place only, or both.

use super::rounded::{self, extreme_coordinate};
use super::shapes::{
    Point, any_pair, float_point, grid_point, integer_vector, minus, nudge, nudge_f32, plus, point_of, times,
};
use super::{Pair, Rng, exact};

/// The pair with its corners in random order, so that no order of indices is special.
fn shuffled(rng: &mut Rng, positions: Vec<Point>, a: [u32; 3], b: [u32; 3]) -> Pair {
    let (a, b) = if rng.one_in(2) { (a, b) } else { (b, a) };
    Pair::Neighbours { positions, a: rng.shuffled(a), b: rng.shuffled(b) }
}

/// The indices of two triangles over the vertices 0, 1, ... that have the first `shared` of them in common.
fn indices(shared: u32) -> ([u32; 3], [u32; 3]) {
    ([0, 1, 2], std::array::from_fn(|i| if (i as u32) < shared { i as u32 } else { 3 + i as u32 - shared }))
}

/// Vertices from a small grid, one, two or three of them shared.
pub(super) fn grid(rng: &mut Rng, shared: u32) -> Pair {
    let n = rng.pick(&[2, 3, 3, 4]);
    let positions = (0..6 - shared).map(|_| grid_point(rng, n)).collect();
    let (a, b) = indices(shared);
    shuffled(rng, positions, a, b)
}

/// Any indices at all, repeated ones included, on a small grid.
pub(super) fn any_indices(rng: &mut Rng) -> Pair {
    let [vertices, n] = [rng.pick(&[1, 2, 3, 4, 5]), rng.pick(&[2, 3])];
    let positions = (0..vertices).map(|_| grid_point(rng, n)).collect();
    let [a, b] = [(); 2].map(|()| [(); 3].map(|()| rng.below(vertices) as u32));
    Pair::Neighbours { positions, a, b }
}

/// Vertices in the same place under different indices, next to vertices that are really shared.
pub(super) fn coincident(rng: &mut Rng) -> Pair {
    let [a, b] = any_pair(rng);
    let mut positions: Vec<Point> = a.into_iter().chain(b).collect();
    positions.truncate(5);
    positions[3 + rng.below(2)] = a[rng.below(3)];
    if rng.one_in(3) {
        nudge(rng, &mut positions[3..]);
    }
    let shared = rng.below(3) as u32;
    let b = match shared {
        0 => [3, 4, 3 + rng.below(2) as u32],
        1 => [rng.below(3) as u32, 3, 4],
        _ => [0, 1, 3],
    };
    shuffled(rng, positions, [0, 1, 2], b)
}

/// A shared edge and four vertices in one tilted plane: side by side, or folded onto each other.
pub(super) fn fold(rng: &mut Rng) -> Pair {
    let [origin, u, v] = [9, 4, 4].map(|size| integer_vector(rng, size));
    let mut positions: Vec<Point> = (0..4)
        .map(|_| {
            let [i, j] = [(); 2].map(|()| f64::from(rng.within(-4, 4)));
            plus(origin, plus(times(u, i), times(v, j)))
        })
        .collect();
    match rng.below(4) {
        0 => nudge(rng, &mut positions[3..]),
        1 => nudge_f32(rng, &mut positions),
        _ => {}
    }
    let (a, b) = indices(2);
    shuffled(rng, positions, a, b)
}

/// One shared vertex, and another corner of `b` exactly or nearly on `a`, or its far edge through it.
pub(super) fn vertex_meeting(rng: &mut Rng) -> Pair {
    let exact = rng.one_in(2);
    let mut positions: Vec<Point> =
        (0..5).map(|_| if exact { times(integer_vector(rng, 100), 8.0) } else { float_point(rng) }).collect();
    let a = [positions[0], positions[1], positions[2]];
    let on_a = if exact {
        let i = rng.below(9);
        let k = if rng.one_in(2) { 0 } else { rng.below(9 - i) };
        let weight = |p: Point, eighths: usize| times(p, eighths as f64 / 8.0);
        plus(weight(a[0], k), plus(weight(a[1], i), weight(a[2], 8 - i - k)))
    } else {
        let corners = rng.shuffled(a);
        point_of(rng, corners)
    };
    if rng.one_in(2) {
        positions[3] = on_a;
    } else {
        // The far edge of `b` goes through the point, or nearly.
        positions[4] = plus(on_a, minus(on_a, positions[3]));
    }
    if rng.one_in(3) {
        nudge(rng, &mut positions[3..]);
    }
    let (a, b) = indices(1);
    shuffled(rng, positions, a, b)
}

/// A shared edge, and the fourth vertex computed to lie in the plane of the first triangle, mostly on its side.
pub(super) fn edge_coplanar(rng: &mut Rng) -> Pair {
    let mut positions: Vec<Point> = (0..3).map(|_| float_point(rng)).collect();
    let [p, q, r] = [positions[0], positions[1], positions[2]];
    let [s, t] = [rng.signed() * 2.0, if rng.one_in(4) { -rng.unit() } else { rng.unit() }];
    positions.push(plus(p, plus(times(minus(q, p), s), times(minus(r, p), t))));
    if rng.one_in(4) {
        // In a coordinate plane the computed point really lies in it.
        let axis = rng.below(3);
        for p in &mut positions {
            p[axis] = 0.5;
        }
    }
    let (a, b) = indices(2);
    shuffled(rng, positions, a, b)
}

/// All three vertices shared: with an interior, without one, and nearly without one.
pub(super) fn face(rng: &mut Rng) -> Pair {
    let [p, q] = [(); 2].map(|()| times(integer_vector(rng, 9), 8.0));
    let along = minus(q, p);
    let third = plus(p, times(along, f64::from(rng.within(-16, 16)) / 8.0));
    let mut positions = vec![p, q, third];
    if rng.one_in(2) {
        nudge(rng, &mut positions);
    }
    let (a, b) = indices(3);
    shuffled(rng, positions, a, b)
}

/// Any number of shared vertices at the ends of what a double can hold.
pub(super) fn extreme(rng: &mut Rng) -> Pair {
    let shared = 1 + rng.below(2) as u32;
    let axes = [(); 3].map(|()| [(); 3].map(|()| extreme_coordinate(rng)));
    let mut positions: Vec<Point> =
        (0..6 - shared).map(|_| std::array::from_fn(|i| axes[i][rng.below(3)])).collect();
    if rng.one_in(2) {
        let axis = rng.below(3);
        for p in &mut positions {
            p[axis] = axes[axis][0];
        }
    }
    let (a, b) = indices(shared);
    shuffled(rng, positions, a, b)
}

/// Pairs of the other families with one or two corners of `b` moved to corners of `a` and shared with it.
pub(super) fn welded(rng: &mut Rng) -> Pair {
    const SOURCES: [fn(&mut Rng) -> Pair; 17] = [
        exact::coplanar_axis,
        exact::coplanar_tilted,
        exact::shared_positions,
        exact::identical,
        exact::meeting,
        exact::zero_area,
        rounded::ulp_f64,
        rounded::ulp_f32,
        rounded::near_plane,
        rounded::near_coplanar,
        rounded::near_edges,
        rounded::slivers,
        rounded::needles,
        rounded::far_from_origin,
        rounded::scaled_axes,
        rounded::extreme_scale,
        rounded::extreme_axes,
    ];
    let pair = rng.pick(&SOURCES)(rng);
    let Pair::Separate(a, b) = pair else { return pair };
    let (a, b) = (rng.shuffled(a), rng.shuffled(b));
    let shared = 1 + rng.below(2);
    let positions = a.into_iter().chain(b.into_iter().skip(shared)).collect();
    let (a, b) = indices(shared as u32);
    shuffled(rng, positions, a, b)
}
