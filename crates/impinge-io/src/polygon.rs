//! A polygon to triangles over the same corners: a fan where it is convex, ear clipping where it is not.
//!
//! The polygon is looked at along the axis its normal is closest to. That drops one coordinate and rounds
//! nothing, so `orient2d` decides every turn exactly. A polygon that crosses itself, or has no area in that
//! view, has no right triangulation; what is left when no ear is found becomes a fan.

use crate::error::Problem;
use impinge::Point;
use robust::{Coord, orient2d};

/// Ear clipping takes a time that grows with the square of the corners: at this many it is a few milliseconds.
pub(crate) const MAX_CONCAVE_CORNERS: usize = 1024;

/// Calls `emit` with the corners of each triangle. `position` gives where a corner of the polygon stands.
pub(crate) fn triangulate(
    corners: &[u32],
    position: impl Fn(u32) -> Point,
    mut emit: impl FnMut([u32; 3]),
) -> Result<(), Problem> {
    match *corners {
        [] | [_] | [_, _] => return Err(Problem::Corners { corners: corners.len() }),
        [a, b, c] => {
            emit([a, b, c]);
            return Ok(());
        }
        _ => {}
    }
    let fan = |emit: &mut dyn FnMut([u32; 3]), corners: &[u32]| {
        for pair in corners[1..].windows(2) {
            emit([corners[0], pair[0], pair[1]]);
        }
    };
    let flat = flatten(corners, position);
    if is_convex(&flat) {
        fan(&mut emit, corners);
        return Ok(());
    }
    if corners.len() > MAX_CONCAVE_CORNERS {
        return Err(Problem::LargePolygon { corners: corners.len(), limit: MAX_CONCAVE_CORNERS });
    }
    let left = clip_ears(&flat, &mut |ear| emit(ear.map(|corner| corners[corner])));
    let left: Vec<u32> = left.into_iter().map(|corner| corners[corner]).collect();
    fan(&mut emit, &left);
    Ok(())
}

/// The polygon seen along the axis closest to its normal, counter-clockwise.
fn flatten(corners: &[u32], position: impl Fn(u32) -> Point) -> Vec<Coord<f64>> {
    let points: Vec<Point> = corners.iter().map(|&corner| position(corner)).collect();
    // Newell's normal, from differences to the first corner and scaled against overflow. Rounding can only
    // mislead it for a polygon that is nearly a segment, and then any view will do.
    let scale = points.iter().flatten().fold(f64::MIN_POSITIVE, |scale, c| scale.max(c.abs()));
    let from_first = |p: &Point| [0, 1, 2].map(|axis| p[axis] / scale - points[0][axis] / scale);
    let mut normal = [0.0f64; 3];
    for pair in points.windows(2) {
        let (a, b) = (from_first(&pair[0]), from_first(&pair[1]));
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            normal[axis] += a[u] * b[v] - a[v] * b[u];
        }
    }
    let axis = (0..3).max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(2);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let flip = normal[axis] < 0.0;
    points
        .iter()
        .map(|p| if flip { Coord { x: p[v], y: p[u] } } else { Coord { x: p[u], y: p[v] } })
        .collect()
}

/// Whether every corner turns left or goes straight on, and every triangle of the fan has an area. The second
/// also excludes what winds around more than once.
fn is_convex(p: &[Coord<f64>]) -> bool {
    let n = p.len();
    (0..n).all(|i| orient2d(p[i], p[(i + 1) % n], p[(i + 2) % n]) >= 0.0)
        && p[1..].windows(2).all(|pair| orient2d(p[0], pair[0], pair[1]) > 0.0)
}

/// Cuts ears until three corners are left or no ear is found, and returns what is left.
fn clip_ears(p: &[Coord<f64>], emit: &mut dyn FnMut([usize; 3])) -> Vec<usize> {
    let mut left: Vec<usize> = (0..p.len()).collect();
    // A polygon with n corners needs about n^2 tests; one that resists for much longer crosses itself.
    let mut tests_left = 16 * p.len() * p.len();
    let (mut at, mut misses) = (0, 0);
    while left.len() > 3 && misses < left.len() {
        let n = left.len();
        let corner = at % n;
        let [a, b, c] = [left[(corner + n - 1) % n], left[corner], left[(corner + 1) % n]];
        tests_left = tests_left.saturating_sub(n);
        if tests_left > 0 && is_ear(p, &left, [a, b, c]) {
            emit([a, b, c]);
            left.remove(corner);
            // Skipping the neighbour spreads the cuts around the polygon and avoids needles.
            at = corner + 1;
            misses = 0;
        } else {
            at = corner + 1;
            misses += 1;
        }
    }
    left
}

/// Whether the corner turns left and no other corner is in its triangle. Corners at the same place as one of
/// the three do not count: a hole joined to the outline by a slit visits the slit's ends twice.
fn is_ear(p: &[Coord<f64>], left: &[usize], [a, b, c]: [usize; 3]) -> bool {
    if orient2d(p[a], p[b], p[c]) <= 0.0 {
        return false;
    }
    let same = |q: Coord<f64>, r: Coord<f64>| q.x == r.x && q.y == r.y;
    left.iter().all(|&i| {
        let q = p[i];
        [a, b, c].iter().any(|&corner| corner == i || same(p[corner], q))
            || orient2d(p[a], p[b], q) < 0.0
            || orient2d(p[b], p[c], q) < 0.0
            || orient2d(p[c], p[a], q) < 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangles(points: &[Point]) -> Vec<[u32; 3]> {
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        let mut triangles = Vec::new();
        triangulate(&corners, |i| points[i as usize], |t| triangles.push(t)).unwrap();
        triangles
    }

    /// Signed areas in the xy plane.
    fn areas(points: &[Point], triangles: &[[u32; 3]]) -> Vec<f64> {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        };
        triangles.iter().map(area).collect()
    }

    #[test]
    fn a_convex_polygon_is_a_fan() {
        let square = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]];
        assert_eq!(triangles(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn a_dart_is_cut_at_its_reflex_corner() {
        // A fan from corner 0 would cover area outside the dart.
        let dart = [[0.0, 0.0, 0.0], [4.0, -2.0, 0.0], [1.0, 0.0, 0.0], [4.0, 2.0, 0.0]];
        for turn in 0..4 {
            let mut turned = dart;
            turned.rotate_left(turn);
            let areas = areas(&turned, &triangles(&turned));
            assert!(areas.iter().all(|&area| area > 0.0), "{turn}: {areas:?}");
            assert_eq!(areas.iter().sum::<f64>(), 2.0);
        }
    }

    #[test]
    fn every_triangle_of_a_spiral_lies_within_it() {
        // Two arms of a spiral, out and back.
        let arm = |radius: f64| (0..60).map(move |i| (i as f64 * 0.2, radius + i as f64 * 0.1));
        let point =
            |(angle, radius): (f64, f64)| [radius * f64::cos(angle), radius * f64::sin(angle), 0.25 * radius];
        let mut spiral: Vec<Point> = arm(2.0).map(point).collect();
        spiral.extend(arm(1.0).map(point).collect::<Vec<_>>().into_iter().rev());
        let n = spiral.len();
        let outline: f64 = (0..n)
            .map(|i| (spiral[i], spiral[(i + 1) % n]))
            .map(|(a, b)| 0.5 * (a[0] * b[1] - a[1] * b[0]))
            .sum();
        let triangles = triangles(&spiral);
        assert_eq!(triangles.len(), n - 2);
        let areas = areas(&spiral, &triangles);
        assert!(areas.iter().all(|area| area.signum() == outline.signum()), "{areas:?}");
        assert!((areas.iter().sum::<f64>() - outline).abs() < 1e-9);
    }

    #[test]
    fn a_square_ring_with_a_slit_keeps_its_hole() {
        let ring = [
            [0.0, 0.0, 0.0],
            [6.0, 0.0, 0.0],
            [6.0, 6.0, 0.0],
            [0.0, 6.0, 0.0],
            [0.0, 0.0, 0.0],
            [2.0, 2.0, 0.0],
            [2.0, 4.0, 0.0],
            [4.0, 4.0, 0.0],
            [4.0, 2.0, 0.0],
            [2.0, 2.0, 0.0],
        ];
        let areas = areas(&ring, &triangles(&ring));
        assert!(areas.iter().all(|&area| area >= 0.0), "{areas:?}");
        assert_eq!(areas.iter().sum::<f64>(), 32.0);
    }

    #[test]
    fn a_polygon_without_area_or_sense_still_has_all_its_triangles() {
        for points in [
            vec![[1.0, 2.0, 3.0]; 7],
            (0..9).map(|i| [f64::from(i), 0.0, 0.0]).collect(),
            (0..40).map(|i| [f64::from(i * 7 % 11), f64::from(i * 5 % 13), 0.0]).collect(),
            vec![[1e308, -1e308, 1e308], [-1e308, 1e308, 0.0], [1e308, 1e308, 1e-308], [0.0; 3], [5e-324; 3]],
        ] {
            assert_eq!(triangles(&points).len(), points.len() - 2);
        }
    }

    #[test]
    fn a_large_polygon_must_be_convex() {
        let circle = |n: usize, dent: usize| {
            move |i: u32| {
                let angle = std::f64::consts::TAU * f64::from(i) / n as f64;
                let radius = if i as usize == dent { 0.5 } else { 1.0 };
                [radius * angle.cos(), radius * angle.sin(), 0.0]
            }
        };
        let corners: Vec<u32> = (0..5000).collect();
        let mut count = 0;
        triangulate(&corners, circle(5000, 9999), |_| count += 1).unwrap();
        assert_eq!(count, 4998);
        let dented = triangulate(&corners, circle(5000, 7), |_| {});
        assert_eq!(dented, Err(Problem::LargePolygon { corners: 5000, limit: MAX_CONCAVE_CORNERS }));
    }
}
