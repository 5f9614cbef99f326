//! Every edge of every body once, and the lines they make in the image, moved outward along vertex normals (4.3.3).
//!
//! A pixel that shows an edge looks past it by up to half a pixel. There it may be inside the edge's own body, unless the
//! edge stands off by so much: see [`Metric`]. Where the own body does not count, edges stay in their place: moved
//! outward, those of two boxes whose faces are flush would all pass by the other.

use super::count::Whose;
use crate::image::ScreenVertex;
use crate::image::gather::Member;
use crate::image::view::View;
use crate::scene::Mesh;
use crate::util::tolerance::{DEPTH_ERROR, MAX_CORNER_SECANT, SCREEN_SLACK, SNAPPING};

/// An edge, as the side of a triangle: three times the triangle, and which side. Of several triangles that share the
/// edge, the first; or each of them, where nobody knows which do.
pub type Side = u32;

/// The most triangles whose sides can be numbered.
pub const MAX_TRIANGLES: u32 = u32::MAX / 3;

/// The edges of a mesh, each once (4.3.3); ascending. A triangle that repeats a vertex has none.
pub fn sides(mesh: &Mesh) -> Vec<Side> {
    let topology = mesh.topology();
    let mut sides = Vec::with_capacity(topology.edges().len());
    for triangle in 0..mesh.triangles().len() {
        for (side, edge) in topology.triangle_edges(triangle).into_iter().flatten().enumerate() {
            if topology.edge_triangles(edge).first() == Some(&(triangle as u32)) {
                sides.push(3 * triangle as Side + side as Side);
            }
        }
    }
    sides
}

/// The vertices of a side.
#[inline]
pub fn ends(triangles: &[[u32; 3]], side: Side) -> [u32; 2] {
    let (triangle, side) = (triangles[side as usize / 3], side as usize % 3);
    [triangle[side], triangle[(side + 1) % 3]]
}

/// How lengths are measured in an image, and how far edges stand off their bodies.
///
/// A point has three coordinates in pixels: across, down, and depth times [`Self::pixels_deep`], which makes a pixel of
/// depth as long in the world as the longer side of a pixel, at the far end of the bodies; longer only where a step of
/// depth is, and along slanted rays.
///
/// **Clearance.** A pixel that shows an edge has its depth where the edge passes the pixel's column (or row, if it is
/// steep), so its point is off the line by half a pixel, [`SNAPPING`], [`DEPTH_ERROR`] and
/// [`SCREEN_SLACK`] at most. If the line is farther
/// than that outside the planes of the edge's two triangles, the point is outside them too. A vertex goes out of the plane
/// of a triangle by the way it is moved times the cosine between the normals: it is moved by the clearance over the
/// smallest of these cosines, and so all of an edge between two such vertices has the clearance. Where a corner is so
/// sharp that this were more than [`MAX_CORNER_SECANT`] times the clearance, or a saddle so deep that no way leads out of
/// all planes, it is moved by that; then, and where other parts of a body are nearer than that, its own edges can still be
/// inside it: the self-interference of 4.5.8.
///
/// **Reach.** A point reported inside another body is off an edge of its own by the way that was moved, and half a pixel;
/// and it is inside the other, or within the error of the rasteriser of it: a closed surface whose vertices move by no more than that
/// does not pass any other point. So two bodies of a reported pair are nearer to each other than the sum, or
/// inside one another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// Pixels in the whole depth of the image.
    pub pixels_deep: f32,
    /// Pixels by which vertices leave the planes of their triangles, where they are not too sharp.
    pub clearance: f32,
    /// Edges that lie wholly before or behind these depths are not drawn: no boxes of bodies overlap there.
    pub depths: [f32; 2],
    /// Most pixels that a pixel's point is off the line it shows, and off the surface it is compared with.
    needed: f64,
    /// The longest that a pixel is in the world, in any direction.
    longest: f64,
}

impl Metric {
    /// For a view in which boxes overlap between two depths, and whose bodies reach so many pixels from its corner. `given`
    /// is a clearance in pixels; `None` for what is needed to stand clear of the own body.
    pub fn new(view: &View, depths: [f64; 2], farthest_pixel: f64, given: Option<f64>) -> Self {
        let [across, down] = view.pixel_size();
        let pixel = across.max(down);
        // In a view much deeper than it is wide, a pixel of depth is longer than others.
        let a_pixel_deep = view.depth_of(pixel).max(DEPTH_ERROR);
        let longest = pixel * (a_pixel_deep / view.depth_of(pixel)) * view.slant();
        let pixels_deep = 1.0 / a_pixel_deep;
        // The edge and the surface each have the errors of the rasteriser, and their vertices those of floats.
        let rounding = 2.0 * f64::from(SCREEN_SLACK) * farthest_pixel;
        let error = 2.0 * (SNAPPING + DEPTH_ERROR * pixels_deep + rounding);
        let needed = 0.5 + error;
        let given = given.filter(|given| given.is_finite()).map(|given| given.clamp(0.0, MAX_CLEARANCE));
        let clearance = given.unwrap_or(needed);
        let room = (MAX_CORNER_SECANT * clearance + 1.0) * a_pixel_deep;
        Self {
            pixels_deep: pixels_deep as f32,
            clearance: clearance as f32,
            depths: [(depths[0] - room) as f32, (depths[1] + room) as f32],
            needed,
            longest,
        }
    }

    /// Whether edges are moved at all.
    pub fn moves(&self) -> bool {
        self.clearance > 0.0
    }

    /// World distance beyond which no pair is reported, where vertices were moved by so many pixels at most.
    pub fn reach(&self, farthest: f32) -> f64 {
        (f64::from(farthest) + self.needed) * self.longest
    }

    fn point(&self, v: &ScreenVertex) -> [f32; 3] {
        [v.x, v.y, v.depth * self.pixels_deep]
    }
}

/// Most pixels that a caller can move edges by: those of the largest image.
const MAX_CLEARANCE: f64 = 16_384.0;

/// Steps of a normal: coarse, so that the sum over a hundred thousand triangles still fits; and whole numbers, whose sum does
/// not depend on their order.
const NORMAL_STEPS: f32 = 4096.0;

/// A sum of normals that is no longer says more about rounding than about triangles: they cancel.
const NO_NORMAL: f32 = 64.0;

/// Which way a vertex is moved, and how far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outward {
    /// The sum of the unit normals of its triangles, times the angles they have there.
    pub normal: [i32; 3],
    /// One less the smallest cosine between that and the normal of a triangle there.
    pub sharpness: i32,
}

/// Bodies in an image.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'a> {
    /// Pixels across and down.
    pub pixels: [u32; 2],
    /// Vertices of all bodies.
    pub vertices: &'a [ScreenVertex],
    /// Triangles over them.
    pub triangles: &'a [[u32; 3]],
    /// The bodies; those are active that are drawn.
    pub members: &'a [Member],
    /// From where to where each of them reaches along the rays.
    pub ranges: &'a [[f32; 2]],
}

/// Calls `emit` for every triangle with an area, with its corners, their places, its outward normal, and twice its area.
fn facing(
    Drawn { vertices, triangles, members, .. }: &Drawn,
    metric: &Metric,
    mut emit: impl FnMut([u32; 3], [[f32; 3]; 3], [f32; 3], f32),
) {
    for &corners in *triangles {
        let t = corners.map(|vertex| vertices[vertex as usize]);
        let Some(member) = members.get(t[0].body as usize).filter(|member| member.active) else { continue };
        let p = t.map(|v| metric.point(&v));
        let [u, v] = [minus(p[1], p[0]), minus(p[2], p[0])];
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let length = dot(normal, normal).sqrt();
        if length > 0.0 && length.is_finite() {
            let outward = if member.mirrored { -length } else { length };
            emit(corners, p, normal.map(|c| c / outward), length);
        }
    }
}

/// Which way every vertex is moved.
pub fn outward(drawn: &Drawn, metric: &Metric) -> Vec<Outward> {
    let mut all = vec![Outward::default(); drawn.vertices.len()];
    facing(drawn, metric, |corners, p, normal, length| {
        for k in 0..3 {
            let [next, last] = [minus(p[(k + 1) % 3], p[k]), minus(p[(k + 2) % 3], p[k])];
            let weight = length.atan2(dot(next, last)) * NORMAL_STEPS;
            let sum = &mut all[corners[k] as usize].normal;
            for axis in 0..3 {
                sum[axis] = sum[axis].wrapping_add((normal[axis] * weight + 0.5).floor() as i32);
            }
        }
    });
    facing(drawn, metric, |corners, _, normal, _| {
        for corner in corners {
            let all = &mut all[corner as usize];
            let cosine = dot(unit(all.normal), normal);
            all.sharpness = all.sharpness.max(((1.0 - cosine) * NORMAL_STEPS).ceil() as i32);
        }
    });
    all
}

fn unit(normal: [i32; 3]) -> [f32; 3] {
    let normal = normal.map(|c| c as f32);
    let length = dot(normal, normal).sqrt();
    if length > NO_NORMAL { normal.map(|c| c / length) } else { [0.0; 3] }
}

impl Outward {
    fn cosine(&self) -> f32 {
        1.0 - self.sharpness as f32 / NORMAL_STEPS
    }

    /// Whether the vertex, where it is moved to, has left all of its triangles behind.
    fn is_clear(&self) -> bool {
        self.cosine() >= 1.0 / MAX_CORNER_SECANT as f32
    }

    /// By how many pixels the vertex is moved, and in each direction.
    fn offset(&self, metric: &Metric) -> (f32, [f32; 3]) {
        let by = metric.clearance / self.cosine().max(1.0 / MAX_CORNER_SECANT as f32);
        (by, unit(self.normal).map(|c| c * by))
    }
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// An edge in the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Its ends: pixels across, pixels down, depth.
    pub ends: [[f32; 3]; 2],
    /// Index of its body among members.
    pub body: u32,
}

impl Line {
    /// An edge that is not drawn.
    pub const NONE: Self = Self { ends: [[-1.0, -1.0, 0.0]; 2], body: u32::MAX };

    /// Whether pixels across are stepped through, not pixels down.
    #[inline]
    pub fn is_level(&self) -> bool {
        let [a, b] = self.ends;
        (b[0] - a[0]).abs() >= (b[1] - a[1]).abs()
    }
}

/// The lines that edges make in an image: their vertices moved outward, or left where they are without `outward`. Edges of bodies that are not active, and those
/// beside, before or behind all that may interfere, make none; nor do those that are not clear of their own body, where it
/// is asked whether they are inside it. And by how many pixels a vertex was moved at most.
pub fn lines(
    Drawn { pixels: [width, height], vertices, triangles, members, .. }: &Drawn,
    outward: Option<&[Outward]>,
    sides: &[Side],
    metric: &Metric,
    whose: Whose,
) -> (Vec<Line>, f32) {
    let mut farthest = 0.0f32;
    let offset = |end: u32| outward.map_or((0.0, [0.0; 3]), |outward| outward[end as usize].offset(metric));
    let is_clear = |end: u32| outward.is_none_or(|outward| outward[end as usize].is_clear());
    let line = |&side: &Side| {
        let ends = ends(triangles, side);
        let body = vertices[ends[0] as usize].body;
        let active = members.get(body as usize).is_some_and(|member| member.active);
        let unclear = whose == Whose::Own && !ends.into_iter().all(is_clear);
        if !active || ends[0] == ends[1] || unclear {
            return Line::NONE;
        }
        let moved = ends.map(|end| {
            let v = vertices[end as usize];
            let (_, by) = offset(end);
            [v.x + by[0], v.y + by[1], v.depth + by[2] / metric.pixels_deep]
        });
        let outside = |axis: usize, low: f32, high: f32| {
            moved.iter().all(|end| end[axis] < low) || moved.iter().all(|end| end[axis] > high)
        };
        let beside = outside(0, -1.0, *width as f32 + 1.0) || outside(1, -1.0, *height as f32 + 1.0);
        if beside || outside(2, metric.depths[0], metric.depths[1]) || moved[0] == moved[1] {
            return Line::NONE;
        }
        farthest = ends.iter().map(|&end| offset(end).0).fold(farthest, f32::max);
        Line { ends: moved, body }
    };
    let lines = sides.iter().map(line).collect();
    (lines, farthest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::gather;
    use crate::image::options::Projection;
    use crate::scene::Bounds;
    use crate::scene::Scene;

    #[test]
    fn every_edge_comes_once() {
        let cube = super::super::testing::cube([0.0; 3], 1.0);
        let sides = sides(&cube);
        assert_eq!(sides.len(), 18, "twelve edges and six diagonals");
        let mut pairs: Vec<[u32; 2]> = sides.iter().map(|&side| ends(cube.triangles(), side)).collect();
        for pair in &mut pairs {
            pair.sort_unstable();
        }
        pairs.sort_unstable();
        assert_eq!(pairs, cube.topology().edges());
    }

    #[test]
    fn corners_move_out_of_every_face_by_the_clearance() {
        let cube = super::super::testing::cube([0.0; 3], 1.0);
        let bounds = Bounds::of(cube.positions().iter());
        let mut scene = Scene::new();
        let id = scene.add("cube", cube);
        for projection in [Projection::Orthographic, Projection::Perspective { field_of_view: 50.0 }] {
            let view = View::new([0.2, 0.3, 1.0], [100, 100], projection, &[bounds], &[bounds]).unwrap();
            let mut members = gather::members(&scene, &[]).unwrap();
            (members[0].closed, members[0].active) = (true, true);
            let (vertices, triangles) = gather::gather(&scene, &members, &view);
            let metric = Metric::new(&view, view.depths(&[bounds]), 100.0, None);
            let drawn = Drawn {
                pixels: [100, 100],
                vertices: &vertices,
                triangles: &triangles,
                members: &members,
                ranges: &[[0.0, 1.0]],
            };
            let outward = outward(&drawn, &metric);
            let local: Vec<Side> = sides(scene.body(id).unwrap().mesh());
            let (lines, farthest) = lines(&drawn, Some(&outward), &local, &metric, Whose::Own);
            for (line, &side) in lines.iter().zip(&local) {
                for (end, vertex) in line.ends.iter().zip(ends(&triangles, side)) {
                    let v = vertices[vertex as usize];
                    let moved = ScreenVertex { x: end[0], y: end[1], depth: end[2], body: 0 };
                    let by = minus(metric.point(&moved), metric.point(&v));
                    assert!(dot(by, by).sqrt() <= farthest + 1e-4, "{by:?}");
                    for corners in triangles.iter().filter(|corners| corners.contains(&vertex)) {
                        let [a, b, c] = corners.map(|k| metric.point(&vertices[k as usize]));
                        let (u, w) = (minus(b, a), minus(c, a));
                        let n =
                            [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
                        let height = dot(by, n) / dot(n, n).sqrt();
                        assert!(
                            height > metric.clearance - 1e-3,
                            "a face is cleared by {height} pixels ({projection:?})"
                        );
                    }
                }
            }
        }
    }
}
