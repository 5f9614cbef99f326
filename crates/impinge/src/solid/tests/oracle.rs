//! Random bodies against answers found another way, in integers:
//! sums of boxes on a small grid, where unit cells and unit faces tell everything, sheared so that nothing stays
//! parallel to an axis; sums of tetrahedra, where a point's winding number is that of each tetrahedron, added up.

use super::{Shape, Solid, Surface, contained, cuboid};
use crate::solid::locate::Place;
use crate::{Mesh, Scene};
use std::collections::HashSet;

/// Numerical Recipes' linear congruential generator; its upper bits are good enough here.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n) as i64
    }

    fn chance(&mut self, percent: u64) -> bool {
        (self.below(100) as u64) < percent
    }
}

type Cell = [i64; 3];

const GRID: i64 = 5;

/// A sum of boxes: how often each unit cell is wound about, and which unit faces are on the surface.
struct Boxes {
    shape: Shape,
    winding: Box<dyn Fn(Cell) -> i64>,
    /// Axis across the face, and the cell above it.
    faces: HashSet<(usize, Cell)>,
}

fn cells(low: Cell, high: Cell) -> impl Iterator<Item = Cell> {
    (low[0]..high[0])
        .flat_map(move |x| (low[1]..high[1]).flat_map(move |y| (low[2]..high[2]).map(move |z| [x, y, z])))
}

fn random_boxes(random: &mut Random, count: u64, within: Option<[Cell; 2]>) -> Boxes {
    let mut shape = Shape::default();
    let mut boxes = Vec::new();
    let mut faces = HashSet::new();
    let [floor, ceiling] = within.unwrap_or([[0; 3], [GRID; 3]]);
    for _ in 0..=random.below(count) {
        let mut low = [0; 3];
        let mut high = [0; 3];
        for axis in 0..3 {
            let size = ceiling[axis] - floor[axis];
            low[axis] = floor[axis] + random.below(size as u64);
            high[axis] = low[axis] + 1 + random.below((ceiling[axis] - low[axis]) as u64);
        }
        let sign = if random.chance(65) { 1 } else { -1 };
        let mut part = cuboid(low.map(|x| x as f64), high.map(|x| x as f64));
        if random.chance(30) {
            part = part.refined();
        }
        shape = shape.plus(&if sign < 0 { part.inside_out() } else { part });
        boxes.push((low, high, sign));
        for axis in 0..3 {
            for level in [low[axis], high[axis]] {
                let (mut from, mut to) = (low, high);
                (from[axis], to[axis]) = (level, level + 1);
                faces.extend(cells(from, to).map(|cell| (axis, cell)));
            }
        }
    }
    let is_oriented = random.chance(80);
    if !is_oriented {
        let flipped = random.below(shape.triangles.len() as u64) as usize;
        shape.triangles[flipped].swap(0, 1);
    }
    let winding = move |cell: Cell| {
        let around =
            boxes.iter().filter(|(low, high, _)| (0..3).all(|i| low[i] <= cell[i] && cell[i] < high[i]));
        if is_oriented { around.map(|b| b.2).sum() } else { around.count() as i64 % 2 }
    };
    Boxes { shape, winding: Box::new(winding), faces }
}

fn boxes_contained(inner: &Boxes, outer: &Boxes) -> bool {
    let solid =
        cells([-1; 3], [GRID + 1; 3]).all(|cell| (inner.winding)(cell) == 0 || (outer.winding)(cell) != 0);
    let is_on = |face: &(usize, Cell)| outer.faces.contains(face);
    // A face off the outer surface has the same on either side.
    let surface = inner.faces.iter().all(|face| is_on(face) || (outer.winding)(face.1) != 0);
    solid && surface && !inner.faces.iter().all(is_on)
}

#[test]
fn sums_of_boxes_agree_with_their_unit_cells() {
    let mut random = Random(1);
    let mut yes = 0;
    for round in 0..1500 {
        let outer = random_boxes(&mut random, 5, None);
        // A box within one cell range of the outer's first vertices makes "yes" frequent.
        let bounded = random.chance(60).then(|| {
            let p = outer.shape.positions[0].map(|x| x as i64);
            let q = outer.shape.positions[7.min(outer.shape.positions.len() - 1)].map(|x| x as i64);
            let low = [0, 1, 2].map(|i| p[i].min(q[i]));
            [low, [0, 1, 2].map(|i| p[i].max(q[i]).max(low[i] + 1))]
        });
        let inner = random_boxes(&mut random, 3, bounded);
        let expected = boxes_contained(&inner, &outer);
        yes += u32::from(expected);
        let shear: [[i64; 3]; 3] = match round % 3 {
            0 => [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            1 => [[1, 2, 0], [0, 1, 3], [1, 2, 1]],
            _ => [[2, -1, 1], [1, 1, 3], [-1, 5, 1]],
        };
        let apply = |shape: &Shape| {
            let row = |r: [i64; 3], p: [f64; 3]| r[0] as f64 * p[0] + r[1] as f64 * p[1] + r[2] as f64 * p[2];
            shape.clone().map(|p| shear.map(|r| row(r, p)))
        };
        assert_eq!(contained(&apply(&inner.shape), &apply(&outer.shape)), expected, "round {round}");
    }
    assert!(yes > 150, "only {yes} containments: the test hardly tests");
}

/// Sign of the determinant of `a - d`, `b - d`, `c - d`.
fn orient(a: Cell, b: Cell, c: Cell, d: Cell) -> i64 {
    let [a, b, c] = [a, b, c].map(|p| [p[0] - d[0], p[1] - d[1], p[2] - d[2]]);
    let minor = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
    (a[0] * minor(1, 2) + a[1] * minor(2, 0) + a[2] * minor(0, 1)).signum()
}

/// Tetrahedra, some flat; corners are multiples of `FINE`, so that there are points between them.
struct Tetrahedra(Vec<[Cell; 4]>);

const FINE: i64 = 6;
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

impl Tetrahedra {
    fn random(random: &mut Random, count: u64, size: u64) -> Self {
        let mut corner = || [0; 3].map(|_| FINE * random.below(size));
        Self((0..count).map(|_| [0; 4].map(|_| corner())).collect())
    }

    fn shape(&self) -> Shape {
        let part = |t: &[Cell; 4]| Shape {
            positions: t.iter().map(|p| p.map(|x| x as f64)).collect(),
            triangles: FACES.iter().map(|f| f.map(|i| i as u32)).collect(),
        };
        self.0.iter().fold(Shape::default(), |shape, t| shape.plus(&part(t)))
    }

    fn place(&self, p: Cell) -> Place {
        let mut winding = 0;
        for t in &self.0 {
            let orientation = orient(t[0], t[1], t[2], t[3]);
            let sides = FACES.map(|f| orient(t[f[0]], t[f[1]], t[f[2]], p));
            if FACES.iter().any(|f| triangle_holds(f.map(|i| t[i]), p)) {
                return Place::On;
            }
            if orientation != 0 && sides == [sides[0]; 4] && sides[0] != 0 {
                winding += orientation;
            }
        }
        if winding == 0 { Place::Outside } else { Place::Inside }
    }
}

/// Whether `p` is in the closed triangle: `p = a + s (b - a) + t (c - a)` is solved by Cramer's rule in the plane,
/// or on the segment.
fn triangle_holds([a, b, c]: [Cell; 3], p: Cell) -> bool {
    let minus = |p: Cell, q: Cell| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let dot = |p: Cell, q: Cell| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let cross =
        |p: Cell, q: Cell| [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    let on_segment =
        |a: Cell, b: Cell| cross(minus(b, a), minus(p, a)) == [0; 3] && dot(minus(a, p), minus(b, p)) <= 0;
    let normal = cross(minus(b, a), minus(c, a));
    if normal == [0; 3] {
        return on_segment(a, b) || on_segment(b, c) || on_segment(c, a);
    }
    let inside = |a: Cell, b: Cell| dot(normal, cross(minus(b, a), minus(p, a))) >= 0;
    dot(normal, minus(p, a)) == 0 && inside(a, b) && inside(b, c) && inside(c, a)
}

/// Locates points in a shape directly, sorted or not.
fn with_surface(mesh: Mesh, check: impl Fn(&Surface)) {
    let mut scene = Scene::new();
    let id = scene.add("", mesh);
    let body = scene.body(id).unwrap();
    let mut solid = Solid::default();
    solid.update(body);
    check(&Surface::new(body, &solid).unwrap());
}

#[test]
fn points_in_sums_of_tetrahedra_are_where_integers_say() {
    let mut random = Random(2);
    let mut places = [0; 3];
    for round in 0..400 {
        let size = 2 + random.below(4) as u64;
        let count = 1 + random.below(20) as u64;
        let tetrahedra = Tetrahedra::random(&mut random, count, size);
        let points: Vec<Cell> = (0..100)
            .map(|i| {
                // Grid points, where rays meet vertices and edges, and points between them.
                let step = if i % 2 == 0 { FINE } else { 1 };
                [0; 3].map(|_| step * random.below((size as i64 * FINE / step) as u64))
            })
            .collect();
        with_surface(tetrahedra.shape().mesh(), |surface| {
            if round % 2 == 0 {
                surface.by_x();
            }
            for &p in &points {
                assert_eq!(surface.locate(&p.map(|x| x as f64)), tetrahedra.place(p), "round {round}, {p:?}");
            }
        });
        for p in points {
            places[tetrahedra.place(p) as usize] += 1;
        }
    }
    assert!(places.iter().all(|&n| n > 500), "{places:?}");
}

#[test]
fn sums_of_tetrahedra_agree_with_sampled_points() {
    let mut random = Random(3);
    let [mut yes, mut refuted, mut undecided] = [0; 3];
    for round in 0..1500 {
        let outer_count = 1 + random.below(4) as u64;
        let mut outer = Tetrahedra::random(&mut random, outer_count, 3);
        let mut inner = Tetrahedra::random(&mut random, 1, 3);
        if random.chance(70) {
            // Corners of the outer body, so that much touches, and one large tetrahedron around most of it.
            for corner in &mut inner.0[0] {
                if random.chance(60) {
                    *corner = outer.0[0][random.below(4) as usize];
                }
            }
            outer.0.push([[0, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 3]].map(|p| p.map(|x| x * FINE)));
        }
        let answer = contained(&inner.shape(), &outer.shape());
        let mut any_strict = false;
        let mut any_outside = false;
        for p in cells([0; 3], [3 * FINE + 1; 3]) {
            let [inner, outer] = [inner.place(p), outer.place(p)];
            any_outside |= inner != Place::Outside && outer == Place::Outside;
            any_strict |= inner == Place::On && outer == Place::Inside;
        }
        if answer {
            assert!(!any_outside, "round {round}: a point is outside");
            yes += 1;
        } else if any_outside {
            refuted += 1;
        } else {
            // Nothing was seen outside: either the samples missed it, or no sample of the surface is inside.
            undecided += u32::from(any_strict);
        }
    }
    assert!(yes > 100 && refuted > 150 && undecided < 30, "{yes} {refuted} {undecided}");
}
