//! Two bodies drawn into their planes, once or along a path.

use super::cover::{Triangle, crossed};
use super::options::Fill;
use super::planes::{Plane, Planes, Shared, between};
use super::volume::{Grid, Volume};
use crate::scene::Pose;
use crate::scene::vector::{cross, unit};
use crate::scene::{BodyId, Scene};
use crate::scene::{Mesh, Point};
use crate::util::tolerance::{STEEPEST, SUREST, THINNEST};

/// One of two bodies that are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Party {
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
    pub parties: &'a [Party; 2],
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

/// How much longer a pose makes things, in the mean over all directions.
pub fn stretch(pose: &Pose) -> f64 {
    let [a, b, c] = pose.rows().map(|[x, y, z, _]| [x, y, z]);
    let volume: f64 = cross(a, b).iter().zip(c).map(|(p, q)| p * q).sum();
    volume.abs().cbrt()
}

/// Vertices in cells: from the body to the world to cells in one go, in doubles until the last rounding.
fn project(mesh: &Mesh, pose: &Pose, plot: &Plot, normals: &[Point], vertices: &mut Vec<[f32; 3]>) {
    /// Larger coordinates are as good as this.
    const FARTHEST: f64 = 1e30;
    let Grid { unit, rows, .. } = plot.grid;
    let rows: [[f64; 4]; 3] = rows.map(|[a, b, c, t]| {
        let sum = |k: usize| {
            a * (pose.rows()[0][k] / unit) + b * (pose.rows()[1][k] / unit) + c * (pose.rows()[2][k] / unit)
        };
        [sum(0), sum(1), sum(2), sum(3) + t]
    });
    let place = |p: Point| {
        rows.map(|[a, b, c, t]| (p[0] * a + p[1] * b + p[2] * c + t).clamp(-FARTHEST, FARTHEST) as f32)
    };
    vertices.clear();
    if plot.offset == 0.0 {
        vertices.extend(mesh.positions().iter().map(place));
        return;
    }
    let by = plot.offset / stretch(pose).max(f64::MIN_POSITIVE);
    let moved = |(p, n): (Point, &Point)| place(std::array::from_fn(|k| p[k] + by * n[k]));
    vertices.extend(mesh.positions().iter().zip(normals).map(moved));
}

impl Drawing {
    /// Draws both bodies; `normals` are those of each, where vertices are moved. Returns what they share.
    pub fn draw(&mut self, scene: &Scene, plot: &Plot, normals: [&[Point]; 2]) -> Shared {
        self.planes.clear(plot.grid.cells, plot.proven);
        let wide = Grid::widening(plot.grid.reach(&plot.whole, plot.magnitude));
        let [first, second] = &mut self.vertices;
        for (k, party) in plot.parties.iter().enumerate() {
            let Some(body) = scene.body(party.id) else { continue };
            let plane = &mut self.planes.planes[k];
            let sweeps = plot.between && party.poses.len() > 1;
            for step in 0..party.poses.len() - usize::from(sweeps) {
                project(body.mesh(), &party.poses[step], plot, normals[k], first);
                if sweeps {
                    project(body.mesh(), &party.poses[step + 1], plot, normals[k], second);
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
    if wide.iter().all(|cells| *cells < SUREST) {
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

/// The cell where a triangle crosses the middle of each pixel, or all between its least and greatest depth in that pixel. The
/// twin of `sample.wgsl`.
pub fn sample(plane: &mut Plane, cells: [u32; 3], corners: [[f32; 3]; 3], interval: bool) {
    let [a, b, c] = corners;
    let low = |k: usize| a[k].min(b[k]).min(c[k]);
    let high = |k: usize| a[k].max(b[k]).max(c[k]);
    let end = cells[2] as f32;
    let rows = middles(low(1), high(1), cells[1]);
    let columns = middles(low(0), high(0), cells[0]);
    // Most small triangles cover no middle at all.
    if rows.is_empty() || columns.is_empty() || !(low(2) <= end && high(2) >= 0.0) {
        return;
    }
    let Some(slope) = Slope::of(corners) else { return };
    let half = if interval { slope.half } else { 0.0 };
    for y in rows {
        let Some([left, right]) = crossed(&corners, y) else { continue };
        let is_covered = |x: &u32| {
            let column = (2 * x + 1) as f32 * 0.5;
            left <= column && column < right
        };
        let first = (left.floor() as u32).max(columns.start);
        let before =
            columns.clone().skip((first - columns.start) as usize).take_while(|x| (*x as f32) < right);
        for x in before.filter(is_covered) {
            let depth = slope.depth(x, y);
            let (near, far) = ((depth - half).max(low(2)), (depth + half).min(high(2)));
            if near <= end && far >= 0.0 {
                // What ends with the volume belongs to the last slice.
                let slice = |depth: f32| depth.floor().clamp(0.0, end - 1.0) as i32;
                plane.touched[y as usize * cells[0] as usize + x as usize] |=
                    between([slice(near), slice(far)], cells[2]);
            }
        }
    }
}

/// Cells of so many whose middles are between two places, the first included.
fn middles(low: f32, high: f32, cells: u32) -> std::ops::Range<u32> {
    // Between 0 and the number of cells, taking a half away does not round, or rounds to what has the same ceiling.
    let first = |at: f32| (at - 0.5).ceil().clamp(0.0, cells as f32) as u32;
    first(low)..first(high)
}

/// The plane of a triangle as a depth over every pixel.
#[derive(Clone, Copy, Debug)]
struct Slope {
    from: [f32; 3],
    across: f32,
    down: f32,
    /// Half of how much the depth changes over a pixel.
    half: f32,
}

impl Slope {
    /// `None` for a triangle that is seen from the side.
    fn of([a, b, c]: [[f32; 3]; 3]) -> Option<Self> {
        let u: [f32; 3] = std::array::from_fn(|k| b[k] - a[k]);
        let v: [f32; 3] = std::array::from_fn(|k| c[k] - a[k]);
        let (x, y, z) = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
        let steep = (x.abs() + y.abs()) * 0.5;
        if z.abs() <= THINNEST || z.is_nan() {
            return None;
        }
        let inverse = 1.0 / z;
        let half = if steep < STEEPEST * z.abs() { steep * inverse.abs() } else { STEEPEST };
        Some(Self { from: a, across: x * inverse, down: y * inverse, half })
    }

    fn depth(&self, x: u32, y: u32) -> f32 {
        let [column, row] = [x, y].map(|cell| (2 * cell + 1) as f32 * 0.5);
        self.from[2] - self.across * (column - self.from[0]) - self.down * (row - self.from[1])
    }
}
