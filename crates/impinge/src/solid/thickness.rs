//! From two closed bodies that overlap to the thickness of what they share, **sampled**: a number to sort pairs by, the
//! deepest first. It decides nothing, and is not how far one must be moved to part them.
//!
//! Parallel rays pass through both bodies. A ray is inside a solid where it entered more of its surface than it left; the
//! longest interval inside both solids counts. Rays cover the intersection of the two bounding boxes and, more densely, the
//! region of the contacts. The result is the minimum over several directions: two balls that touch from the side are not
//! deep because their shared lens is wide.

use crate::scene::vector::cross;
use crate::scene::{Mesh, Point};

/// Rays per axis of each window.
const RAYS: usize = 24;

/// Margin of the contacts' window, relative to its extent.
const MARGIN: f32 = 0.05;

/// The contacts give a direction when the sum of their normals is at least this fraction of the sum of their lengths.
const MIN_AGREEMENT: f64 = 0.2;

/// A closed mesh and its positions, in coordinates of the caller that single precision resolves.
pub struct ClosedSurface<'a> {
    positions: Vec<[f32; 3]>,
    triangles: &'a [[u32; 3]],
}

impl<'a> ClosedSurface<'a> {
    /// One position for each vertex of `mesh`; `None` if the mesh is not closed, for it has no inside.
    pub fn new(mesh: &'a Mesh, positions: impl FnOnce() -> Vec<[f32; 3]>) -> Option<Self> {
        mesh.topology().is_closed().then(|| Self { positions: positions(), triangles: mesh.triangles() })
    }
}

/// The minimum, over the axes and the contacts' own direction, of the longest interval inside both, in the coordinates of
/// the positions. `normals` holds, for each contact, the normals of the two triangles, and `region` the box of all contacts.
pub fn thickness(
    a: &ClosedSurface,
    b: &ClosedSurface,
    normals: impl ExactSizeIterator<Item = [Point; 2]>,
    region: Option<[[f32; 3]; 2]>,
) -> Option<f64> {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let directions = axes.into_iter().chain(apart(normals));
    let least = directions.map(|along| longest(a, b, along, region)).fold(f64::INFINITY, f64::min);
    // Between the rays, or surfaces that only touch.
    (least > 0.0).then_some(least)
}

/// The direction that separates the two according to the contacts.
fn apart(normals: impl ExactSizeIterator<Item = [Point; 2]>) -> Option<Point> {
    let most = 2.0 * normals.len() as f64;
    let mut sum = [0.0; 3];
    for [a, b] in normals {
        sum = std::array::from_fn(|i| sum[i] + b[i] - a[i]);
    }
    let length = dot(sum, sum).sqrt();
    (length > MIN_AGREEMENT * most).then(|| sum.map(|c| c / length))
}

/// An intersection of a ray with a surface.
#[derive(Clone, Copy)]
struct Crossing {
    ray: u32,
    /// Coordinate along the ray.
    depth: f32,
    /// Which solid (0 or 1), and whether the ray enters (1) or leaves (-1) it.
    which: u8,
    enters: i8,
}

fn longest(a: &ClosedSurface, b: &ClosedSurface, along: Point, region: Option<[[f32; 3]; 2]>) -> f64 {
    let rows = basis(along);
    let turn = |p: &[f32; 3]| rows.map(|row| dot(row, p.map(f64::from)) as f32);
    let seen = [a, b].map(|solid| -> Vec<[f32; 3]> { solid.positions.iter().map(turn).collect() });
    let boxes = seen.each_ref().map(|points| extent(points));
    let low: [f32; 3] = std::array::from_fn(|i| boxes[0].0[i].max(boxes[1].0[i]));
    let high: [f32; 3] = std::array::from_fn(|i| boxes[0].1[i].min(boxes[1].1[i]));
    if (0..3).any(|i| low[i] >= high[i]) {
        return 0.0;
    }
    let close = region.map(|ends| {
        let corners: [[f32; 3]; 8] = std::array::from_fn(|c| std::array::from_fn(|i| ends[c >> i & 1][i]));
        let (near, far) = extent(&corners.map(|corner| turn(&corner)));
        let margin: [f32; 3] = std::array::from_fn(|i| MARGIN * (far[i] - near[i]));
        let near = std::array::from_fn(|i| (near[i] - margin[i]).max(low[i]));
        (near, std::array::from_fn(|i| (far[i] + margin[i]).min(high[i])))
    });
    let windows = std::iter::once((low, high)).chain(close);
    windows.map(|window| through([a, b], &seen, window)).fold(0.0, f64::max)
}

/// The longest interval inside both, over the rays of a window.
fn through(solids: [&ClosedSurface; 2], seen: &[Vec<[f32; 3]>; 2], (low, high): ([f32; 3], [f32; 3])) -> f64 {
    let step = [0, 1].map(|i| (high[i] - low[i]) / RAYS as f32);
    if !step.iter().all(|step| step.is_normal() && *step > 0.0) {
        return 0.0;
    }
    let mut crossings: Vec<Crossing> = Vec::new();
    for (which, (solid, points)) in solids.into_iter().zip(seen).enumerate() {
        for triangle in solid.triangles {
            let corners = triangle.map(|vertex| points[vertex as usize]);
            let [columns, lines] = [0, 1].map(|axis| {
                let [p, q, r] = corners.map(|corner| (corner[axis] - low[axis]) / step[axis] - 0.5);
                let (first, last) = (p.min(q).min(r).ceil(), p.max(q).max(r).floor());
                // Floats below zero become zero, and beyond the last ray the last.
                first as usize..((last + 1.0).max(0.0) as usize).min(RAYS)
            });
            for line in lines {
                let y = low[1] + (line as f32 + 0.5) * step[1];
                for column in columns.clone() {
                    let x = low[0] + (column as f32 + 0.5) * step[0];
                    if let Some((depth, enters)) = crossing(corners, x, y) {
                        let ray = (line * RAYS + column) as u32;
                        crossings.push(Crossing { ray, depth, which: which as u8, enters });
                    }
                }
            }
        }
    }
    by_ray(&crossings).chunk_by_mut(|p, q| p.ray == q.ray).map(shared).fold(0.0, f64::max)
}

/// Counting sort of the crossings by ray.
fn by_ray(crossings: &[Crossing]) -> Vec<Crossing> {
    let mut places = vec![0; RAYS * RAYS + 1];
    for crossing in crossings {
        places[crossing.ray as usize + 1] += 1;
    }
    for ray in 0..RAYS * RAYS {
        places[ray + 1] += places[ray];
    }
    let mut sorted = crossings.to_vec();
    for &crossing in crossings {
        let place = &mut places[crossing.ray as usize];
        sorted[*place] = crossing;
        *place += 1;
    }
    sorted
}

/// The longest interval of a ray inside both solids.
fn shared(ray: &mut [Crossing]) -> f64 {
    ray.sort_unstable_by(|p, q| p.depth.total_cmp(&q.depth));
    let (mut entered, mut since, mut most) = ([0i32, 0], 0.0, 0.0f64);
    for &Crossing { depth, which, enters, .. } in ray.iter() {
        let was_in_both = entered[0] != 0 && entered[1] != 0;
        entered[usize::from(which)] += i32::from(enters);
        let is_in_both = entered[0] != 0 && entered[1] != 0;
        match (was_in_both, is_in_both) {
            (false, true) => since = depth,
            (true, false) => most = most.max(f64::from(depth) - f64::from(since)),
            _ => {}
        }
    }
    most
}

/// The depth at which the ray at (x, y) crosses a triangle, and whether from its front (1) or its back (-1).
fn crossing(corners: [[f32; 3]; 3], x: f32, y: f32) -> Option<(f32, i8)> {
    let [a, b, c] = corners;
    let weights = [side(b, c, x, y), side(c, a, x, y), side(a, b, x, y)];
    let enters = if weights.iter().all(|&(_, left)| left) {
        -1
    } else if weights.iter().all(|&(_, left)| !left) {
        1
    } else {
        return None;
    };
    let sum: f64 = weights.iter().map(|weight| weight.0).sum();
    let depth: f64 =
        weights.iter().zip(corners).map(|(weight, corner)| weight.0 * f64::from(corner[2])).sum();
    (sum != 0.0).then(|| ((depth / sum) as f32, enters))
}

/// Twice the area of (p, q, point), and whether the point is left of p to q. Two triangles that share an edge see it from
/// different ends: both compute the same number, so a ray never slips between them, or through both.
fn side(p: [f32; 3], q: [f32; 3], x: f32, y: f32) -> (f64, bool) {
    let turned = (q[0], q[1]) < (p[0], p[1]);
    let [[px, py], [qx, qy]] =
        if turned { [q, p] } else { [p, q] }.map(|c| [f64::from(c[0]), f64::from(c[1])]);
    let area = (qx - px) * (f64::from(y) - py) - (qy - py) * (f64::from(x) - px);
    if turned { (-area, area <= 0.0) } else { (area, area > 0.0) }
}

fn extent(points: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    points.iter().fold(([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]), |(low, high), p| {
        (std::array::from_fn(|i| low[i].min(p[i])), std::array::from_fn(|i| high[i].max(p[i])))
    })
}

/// An orthonormal basis whose last vector is `along`.
fn basis(along: Point) -> [Point; 3] {
    let smallest = (0..3).min_by(|&i, &j| along[i].abs().total_cmp(&along[j].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[smallest] = 1.0;
    let across = cross(axis, along);
    let length = dot(across, across).sqrt();
    let across = across.map(|c| c / length);
    [across, cross(along, across), along]
}

fn dot(p: Point, q: Point) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(radius: f64, x: f64) -> Mesh {
        let (rings, sides) = (48u32, 96u32);
        let mut points = vec![[x, 0.0, radius], [x, 0.0, -radius]];
        for ring in 1..rings {
            for k in 0..sides {
                let (polar, turn) = (
                    f64::from(ring) / f64::from(rings) * std::f64::consts::PI,
                    f64::from(k) / f64::from(sides) * std::f64::consts::TAU,
                );
                points.push([
                    x + radius * polar.sin() * turn.cos(),
                    radius * polar.sin() * turn.sin(),
                    radius * polar.cos(),
                ]);
            }
        }
        let at = |ring: u32, k: u32| 2 + (ring - 1) * sides + k % sides;
        let mut triangles = Vec::new();
        for k in 0..sides {
            triangles.push([0, at(1, k), at(1, k + 1)]);
            triangles.push([1, at(rings - 1, k + 1), at(rings - 1, k)]);
            for ring in 1..rings - 1 {
                triangles.push([at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)]);
                triangles.push([at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)]);
            }
        }
        Mesh::new(points, triangles).unwrap()
    }

    fn of([a, b]: [Mesh; 2], normals: &[[Point; 2]], region: Option<[Point; 2]>) -> Option<f64> {
        let single = |p: Point| p.map(|c| c as f32);
        let [a, b] = [&a, &b]
            .map(|mesh| ClosedSurface::new(mesh, || mesh.positions().iter().map(single).collect()).unwrap());
        thickness(&a, &b, normals.iter().copied(), region.map(|ends| ends.map(single)))
    }

    #[test]
    fn the_lens_of_two_balls_is_as_thick_as_they_overlap() {
        for overlap in [0.05f64, 0.3, 1.0] {
            // Where the two meet: a circle, halfway.
            let middle = 1.0 - overlap / 2.0;
            let radius = (1.0 - middle * middle).sqrt();
            let region = [[middle, -radius, -radius], [middle, radius, radius]];
            let found = of([ball(1.0, 0.0), ball(1.0, 2.0 - overlap)], &[], Some(region)).unwrap();
            assert!((found / overlap - 1.0).abs() < 0.03, "{overlap}: {found}");
        }
        assert_eq!(of([ball(1.0, 0.0), ball(1.0, 2.5)], &[], None), None);
    }

    #[test]
    fn a_ball_within_another_is_as_deep_as_it_is_wide() {
        let found = of([ball(2.0, 0.0), ball(0.5, 0.3)], &[], None).unwrap();
        assert!((found - 1.0).abs() < 0.02, "{found}");
    }

    #[test]
    fn the_direction_of_contacts_is_sampled_too() {
        let slanted = |mesh: Mesh| {
            let (s, c) = std::f64::consts::FRAC_PI_4.sin_cos();
            let turned = mesh.positions().iter().map(|[x, y, z]| [c * x - s * y, s * x + c * y, z]);
            Mesh::new(turned.collect::<Vec<_>>(), mesh.triangles().to_vec()).unwrap()
        };
        let meshes = || [slanted(ball(1.0, 0.0)), slanted(ball(1.0, 1.7))];
        let axes_only = of(meshes(), &[], None).unwrap();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let found = of(meshes(), &[[[half, half, 0.0], [-half, -half, 0.0]]], None).unwrap();
        assert!(axes_only > 0.35, "{axes_only}");
        assert!((found - 0.3).abs() < 0.01, "{found}");
    }
}
