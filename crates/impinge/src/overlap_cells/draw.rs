//! Two bodies drawn into their planes, once or along a path.

use super::cover::Triangle;
use super::options::Fill;
use super::planes::{Plane, Planes, Shared, between};
use super::project::project;
use super::sample::sample;
use super::volume::{Grid, Volume};
use crate::scene::vector::{cross, unit};
use crate::scene::{BodyId, Mesh, Point, Pose, Scene};
use crate::util::tolerance::MAX_SURE_WIDENING;

/// One of two bodies that are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnBody {
    /// The body.
    pub id: BodyId,
    /// Where it stands: once, or at every step of its path.
    pub poses: Vec<Pose>,
}

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Plot<'a> {
    /// The cells.
    pub grid: Grid,
    /// What holds both bodies, wherever they stand.
    pub whole: Volume,
    /// The largest number on the way to a world coordinate of them.
    pub magnitude: f64,
    /// The bodies.
    pub bodies: &'a [DrawnBody; 2],
    /// Which cells their surfaces take.
    pub fill: Fill,
    /// Whether to find out what is inside and what is sure, too; for bodies that stand once, and [`Fill::Touched`].
    pub proven: bool,
    /// Whether to cover all that bodies pass through on the way from each step to the next, in straight lines; for
    /// [`Fill::Touched`].
    pub between: bool,
    /// World distance by which vertices are moved along their normals, outward when positive.
    pub offset: f64,
}

/// Drawing on the CPU; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// What was drawn last.
    pub planes: Planes,
    vertices: [Vec<[f32; 3]>; 2],
}

/// Unit vertex normals in the coordinates of the body: the mean of those of the triangles, by their angles. Zero where there
/// is none.
pub fn vertex_normals(mesh: &Mesh) -> Vec<Point> {
    let mut normals = vec![[0.0; 3]; mesh.positions().len()];
    for (triangle, vertices) in mesh.triangles().iter().enumerate() {
        let p = mesh.corners(triangle);
        let minus = |a: Point, b: Point| -> Point { std::array::from_fn(|k| a[k] - b[k]) };
        let Some(normal) = unit(cross(minus(p[1], p[0]), minus(p[2], p[0]))) else { continue };
        for k in 0..3 {
            let sides = [1, 2].map(|i| unit(minus(p[(k + i) % 3], p[k])));
            let [Some(u), Some(v)] = sides else { continue };
            let cosine: f64 = (0..3).map(|i| u[i] * v[i]).sum();
            let angle = cosine.clamp(-1.0, 1.0).acos();
            let sum = &mut normals[vertices[k] as usize];
            *sum = std::array::from_fn(|i| sum[i] + normal[i] * angle);
        }
    }
    normals.into_iter().map(|sum| unit(sum).unwrap_or_default()).collect()
}

impl Drawing {
    /// Draws both bodies; `normals` are those of each, where vertices are moved. Returns what they share.
    pub fn draw(&mut self, scene: &Scene, plot: &Plot, normals: [&[Point]; 2]) -> Shared {
        self.planes.clear(plot.grid.cells, plot.proven);
        let wide = Grid::widening(plot.grid.reach(&plot.whole, plot.magnitude));
        let [first, second] = &mut self.vertices;
        for (k, drawn) in plot.bodies.iter().enumerate() {
            let Some(body) = scene.body(drawn.id) else { continue };
            let plane = &mut self.planes.planes[k];
            let sweeps = plot.between && drawn.poses.len() > 1;
            for step in 0..drawn.poses.len() - usize::from(sweeps) {
                project(body.mesh(), &drawn.poses[step], plot, normals[k], first);
                if sweeps {
                    project(body.mesh(), &drawn.poses[step + 1], plot, normals[k], second);
                    for triangle in body.mesh().triangles() {
                        let ends = [&*first, &*second].map(|all| triangle.map(|vertex| all[vertex as usize]));
                        let (corners, wide) = midway(ends, wide);
                        cover(plane, plot.grid.cells, plot.proven, corners, wide);
                    }
                    continue;
                }
                for triangle in body.mesh().triangles() {
                    let corners = triangle.map(|vertex| first[vertex as usize]);
                    // Most are, and nothing is faster than to see that first.
                    if is_beside(&corners, wide, plot.grid.cells, plot.proven) {
                        continue;
                    }
                    match plot.fill {
                        Fill::Touched => cover(plane, plot.grid.cells, plot.proven, corners, wide),
                        fill => sample(plane, plot.grid.cells, corners, fill == Fill::Interval),
                    }
                }
            }
        }
        trusted(self.planes.shared(), wide)
    }
}

/// A middle that is covered is within the pixel for certain only while errors are a small part of it.
pub fn trusted(shared: Shared, wide: [f32; 3]) -> Shared {
    if wide.iter().all(|cells| *cells < MAX_SURE_WIDENING) {
        shared
    } else {
        Shared { seen: Default::default(), ..shared }
    }
}

/// Whether a triangle is beside all cells, or behind them; or before them, where that does not matter.
#[inline]
fn is_beside([a, b, c]: &[[f32; 3]; 3], wide: [f32; 3], cells: [u32; 3], proven: bool) -> bool {
    (0..3).any(|k| {
        let low = a[k].min(b[k]).min(c[k]) - wide[k];
        let high = a[k].max(b[k]).max(c[k]) + wide[k];
        low > cells[k] as f32 || (high < 0.0 && (k < 2 || !proven))
    })
}

/// A triangle that moves in straight lines: the one in the middle, and by how much to widen it to cover all. No point is ever
/// farther from where it is midway than half of what it moves, and that no more than the vertex that moves most.
pub fn midway([from, to]: [[[f32; 3]; 3]; 2], wide: [f32; 3]) -> ([[f32; 3]; 3], [f32; 3]) {
    let middle: [[f32; 3]; 3] =
        std::array::from_fn(|c| std::array::from_fn(|k| from[c][k] * 0.5 + to[c][k] * 0.5));
    let way = |k: usize| (0..3).map(|c| (to[c][k] - from[c][k]).abs()).fold(0.0, f32::max);
    // The errors of both ends, and of the middle.
    (middle, std::array::from_fn(|k| way(k) * 0.5 + 2.0 * wide[k]))
}

/// Every cell that a triangle touches; and, to prove something, which cells are behind it, and which it touches for certain.
pub fn cover(plane: &mut Plane, cells: [u32; 3], proven: bool, corners: [[f32; 3]; 3], wide: [f32; 3]) {
    if is_beside(&corners, wide, cells, proven) {
        return;
    }
    let triangle = Triangle::new(corners, wide);
    let (Some(columns), Some(rows)) = (triangle.span(0, cells[0]), triangle.span(1, cells[1])) else {
        return;
    };
    for (x, y) in (rows[0]..=rows[1]).flat_map(|y| (columns[0]..=columns[1]).map(move |x| (x, y))) {
        let Some(slices) = triangle.slices(x, y, cells[2]) else { continue };
        let pixel = y as usize * cells[0] as usize + x as usize;
        plane.touched[pixel] |= between(slices, cells[2]);
        match if proven { triangle.covers_middle(x, y) } else { Some(false) } {
            Some(false) => {}
            Some(true) => {
                // Any of the slices that it touches is as good to say where it is crossed: nobody asks about those.
                plane.inside[pixel] ^= between([slices[0] + 1, cells[2] as i32], cells[2]);
                if let Some(slice) = triangle.slice_in_middle(x, y, cells[2]) {
                    plane.sure[pixel] |= between([slice; 2], cells[2]);
                }
            }
            None => plane.unknown[pixel] |= between([0, cells[2] as i32], cells[2]),
        }
    }
}
