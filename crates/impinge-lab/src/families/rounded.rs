//! Families that live on rounding: one unit in the last place apart, and magnitudes from the smallest subnormal
//! number to the largest double.

use super::shapes::{
    Point, Triangle, any_pair, cross, dot, float_point, grid_point, meeting, minus, normal, nudge, nudge_f32,
    plus, point_of, times, triangle,
};
use super::{Pair, Rng};

fn separate([a, b]: [Triangle; 2]) -> Pair {
    Pair::Separate(a, b)
}

/// Triangles that touched until every coordinate moved by at most one unit in the last place.
pub(super) fn ulp_f64(rng: &mut Rng) -> Pair {
    let mut pair = meeting(rng);
    nudge(rng, pair.as_flattened_mut());
    separate(pair)
}

/// The same in single precision.
pub(super) fn ulp_f32(rng: &mut Rng) -> Pair {
    let mut pair = meeting(rng);
    nudge_f32(rng, pair.as_flattened_mut());
    separate(pair)
}

/// A corner of `b` computed to lie on the face of `a`, the rest of it mostly on one side.
pub(super) fn near_plane(rng: &mut Rng) -> Pair {
    let a = triangle(rng, float_point);
    let [x, up] = [point_of(rng, a), normal(a)];
    let mut above = || {
        let v = float_point(rng);
        if dot(v, up) < 0.0 && !rng.one_in(8) { minus(x, v) } else { plus(x, v) }
    };
    separate([a, [x, above(), above()]])
}

/// All corners of `b` computed to lie in the plane of `a`.
pub(super) fn near_coplanar(rng: &mut Rng) -> Pair {
    let a = triangle(rng, float_point);
    let b = triangle(rng, |rng| {
        let [s, t] = [rng.signed() * 2.0, rng.signed() * 2.0];
        plus(a[0], plus(times(minus(a[1], a[0]), s), times(minus(a[2], a[0]), t)))
    });
    separate([a, b])
}

/// An edge of `b` computed to cross an edge of `a`, the rest of the two on opposite sides.
pub(super) fn near_edges(rng: &mut Rng) -> Pair {
    let a = triangle(rng, float_point);
    let edge = minus(a[1], a[0]);
    let x = plus(a[0], times(edge, rng.unit()));
    let along = float_point(rng);
    let [before, after] = [rng.unit(), rng.unit()];
    let side = cross(edge, along);
    let third = float_point(rng);
    let same_side = (dot(side, minus(a[2], a[0])) > 0.0) == (dot(side, third) > 0.0);
    let third = if same_side && !rng.one_in(8) { minus(x, third) } else { plus(x, third) };
    separate([a, [minus(x, times(along, before)), plus(x, times(along, after)), third]])
}

/// Three points computed to lie on the line through `x`, on both sides of it.
fn sliver(rng: &mut Rng, x: Point) -> Triangle {
    let along = float_point(rng);
    let at = [-rng.unit(), rng.unit(), rng.signed()];
    rng.shuffled(at.map(|t| plus(x, times(along, t))))
}

/// Triangles with hardly any area whose lines were computed to meet.
pub(super) fn slivers(rng: &mut Rng) -> Pair {
    let x = float_point(rng);
    let a = sliver(rng, x);
    let b = if rng.one_in(4) { triangle(rng, float_point) } else { sliver(rng, x) };
    separate([a, b])
}

/// Two corners a few units in the last place apart and a third one far away; the points of two needles meet.
pub(super) fn needles(rng: &mut Rng) -> Pair {
    let x = float_point(rng);
    separate([(); 2].map(|()| {
        let mut needle = [x, x, float_point(rng)];
        if rng.one_in(3) {
            // Through x instead of ending there.
            needle[0] = minus(x, minus(needle[2], x));
            needle[1] = needle[0];
        }
        for _ in 0..=rng.below(3) {
            nudge(rng, &mut needle[..2]);
        }
        rng.shuffled(needle)
    }))
}

/// Nothing special: single precision coordinates in a cube.
pub(super) fn random_f32(rng: &mut Rng) -> Pair {
    separate([(); 2].map(|()| triangle(rng, |rng| float_point(rng).map(|x| f64::from(x as f32)))))
}

/// Triangles a few units in the last place wide, up to 1e15 away from the origin.
pub(super) fn far_from_origin(rng: &mut Rng) -> Pair {
    let distance = 10.0f64.powi(rng.within(6, 15));
    let origin = times(float_point(rng), distance);
    let unit = (distance.next_up() - distance) * rng.pick(&[1.0, 2.0, 16.0, 1024.0]);
    let n = rng.pick(&[3, 4, 8]);
    separate([(); 2].map(|()| triangle(rng, |rng| plus(origin, times(grid_point(rng, n), unit)))))
}

/// A factor from about 1e-30 to 1e30: a power of two, which rounds nothing, or of ten, which rounds everything.
fn factor(rng: &mut Rng) -> f64 {
    if rng.one_in(2) { 2.0f64.powi(rng.within(-100, 100)) } else { 10.0f64.powi(rng.within(-30, 30)) }
}

/// The pair as a whole scaled.
pub(super) fn scaled_pair(rng: &mut Rng) -> Pair {
    let scale = factor(rng);
    separate(any_pair(rng).map(|t| t.map(|p| times(p, scale))))
}

/// Each axis scaled by itself.
pub(super) fn scaled_axes(rng: &mut Rng) -> Pair {
    let scale: Point = std::array::from_fn(|_| factor(rng));
    separate(any_pair(rng).map(|t| t.map(|p| std::array::from_fn(|i| p[i] * scale[i]))))
}

/// Each corner or each coordinate scaled by itself, so that one triangle holds very small and very large ones.
pub(super) fn mixed_scales(rng: &mut Rng) -> Pair {
    let by_corner = rng.one_in(2);
    let mut pair = any_pair(rng);
    for p in pair.as_flattened_mut() {
        let whole = factor(rng);
        // Away from the lower corner of a grid, which would leave most boxes with no overlap.
        let p_signed = p.map(|x| if rng.one_in(2) { -x } else { x });
        *p = p_signed.map(|x| x * if by_corner { whole } else { factor(rng) });
    }
    separate(pair)
}

/// Coordinates from the ends of what a double can hold.
pub(super) fn extreme_coordinate(rng: &mut Rng) -> f64 {
    let least = f64::from_bits(1); // the smallest subnormal number
    let size = match rng.below(10) {
        0 => 0.0,
        1 => least * (1 + rng.below(3)) as f64,
        2 => f64::MIN_POSITIVE,
        3 => f64::MIN_POSITIVE.next_down(),
        4 => 1e-300 * rng.unit(),
        5 => 1.0 + rng.below(2) as f64,
        6 => 1e300 * rng.unit(),
        7 => f64::MAX / 4.0,
        8 => (f64::MAX / 4.0).next_down(),
        _ => f64::MAX,
    };
    if rng.one_in(2) { -size } else { size }
}

/// Any coordinate may be of any magnitude.
pub(super) fn extreme_range(rng: &mut Rng) -> Pair {
    let mut axes = [(); 3].map(|()| [(); 4].map(|()| extreme_coordinate(rng)));
    if rng.one_in(2) {
        axes[2] = [axes[2][0]; 4]; // coplanar
    }
    // Four values per axis, so that triangles share coordinates and whole corners now and then.
    separate([(); 2].map(|()| triangle(rng, |rng| std::array::from_fn(|i| axes[i][rng.below(4)]))))
}

/// A power of two that keeps the coordinates of [`meeting`] exact: below 2^28, and whole multiples of the smallest
/// subnormal number at the other end.
fn extreme_power(rng: &mut Rng) -> f64 {
    let exponent = if rng.one_in(2) {
        rng.within(-1074, 990)
    } else {
        rng.pick(&[-1074, -1050, -1022, -540, -360, 340, 500, 960, 990])
    };
    // In two steps, since the reciprocal of a subnormal power overflows.
    2.0f64.powi(exponent.max(-1000)) * 2.0f64.powi((exponent + 1000).min(0))
}

/// Triangles that touch exactly, scaled to where products of their coordinates overflow or vanish.
pub(super) fn extreme_scale(rng: &mut Rng) -> Pair {
    let scale = extreme_power(rng);
    let mut pair = meeting(rng).map(|t| t.map(|p| times(p, scale)));
    if rng.one_in(2) {
        nudge(rng, pair.as_flattened_mut());
    }
    separate(pair)
}

/// The same with each axis scaled by itself.
pub(super) fn extreme_axes(rng: &mut Rng) -> Pair {
    let scale: Point = std::array::from_fn(|_| extreme_power(rng));
    let mut pair = meeting(rng).map(|t| t.map(|p| std::array::from_fn(|i| p[i] * scale[i])));
    if rng.one_in(2) {
        nudge(rng, pair.as_flattened_mut());
    }
    separate(pair)
}
