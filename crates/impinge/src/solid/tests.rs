//! Containment through the whole pipeline, on shapes whose answer is known, and on random ones against oracles
//! that share no code with it.

mod oracle;
mod relation;

use super::contains;
use super::surface::{Solid, Surface};
use crate::exact::triangles_touch;
use crate::{Collider, Mesh, Point, Pose, Scene};

/// Vertices and triangles, before they are a mesh.
#[derive(Clone, Default)]
struct Shape {
    positions: Vec<Point>,
    triangles: Vec<[u32; 3]>,
}

impl Shape {
    fn plus(mut self, other: &Shape) -> Self {
        let base = self.positions.len() as u32;
        self.positions.extend(&other.positions);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + base)));
        self
    }

    fn inside_out(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self
    }

    fn map(mut self, f: impl Fn(Point) -> Point) -> Self {
        self.positions.iter_mut().for_each(|p| *p = f(*p));
        self
    }

    fn mesh(&self) -> Mesh {
        Mesh::new(self.positions.clone(), self.triangles.clone()).unwrap()
    }

    /// Every triangle into four.
    fn refined(&self) -> Self {
        let mut fine = Shape::default();
        for t in &self.triangles {
            let [a, b, c] = t.map(|v| self.positions[v as usize]);
            let half = |p: Point, q: Point| [0, 1, 2].map(|i| f64::midpoint(p[i], q[i]));
            let (ab, bc, ca) = (half(a, b), half(b, c), half(c, a));
            let mut corner = |p: Point| {
                let known = fine.positions.iter().position(|&q| q == p);
                known.unwrap_or_else(|| {
                    fine.positions.push(p);
                    fine.positions.len() - 1
                }) as u32
            };
            let four = [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]].map(|t| t.map(&mut corner));
            fine.triangles.extend(four);
        }
        fine
    }
}

/// A box, facing out, from its lower to its upper corner.
fn cuboid(low: Point, high: Point) -> Shape {
    let positions =
        (0..8).map(|i| [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { low[axis] } else { high[axis] }));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape { positions: positions.collect(), triangles }
}

fn cube(low: f64, high: f64) -> Shape {
    cuboid([low; 3], [high; 3])
}

fn octahedron(center: Point, radius: f64) -> Shape {
    let at = |axis: usize, sign: f64| {
        let mut p = center;
        p[axis] += sign * radius;
        p
    };
    let positions = (0..6).map(|i| at(i / 2, if i % 2 == 0 { 1.0 } else { -1.0 })).collect();
    let triangles = (0..8u32).map(|i| {
        let t = [i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2 & 1)];
        if i.count_ones() % 2 == 0 { t } else { [t[0], t[2], t[1]] }
    });
    Shape { positions, triangles: triangles.collect() }
}

/// A cube from 0 to 12 with a hollow from 3 to 9.
fn hollow_cube() -> Shape {
    cube(0.0, 12.0).plus(&cube(3.0, 9.0).inside_out())
}

/// Whether `outer` contains `inner`, and whether there are contacts.
fn collide(inner: &Shape, outer: &Shape) -> (bool, bool) {
    let mut answers = [[0, 1], [1, 0]].map(|order| {
        let mut scene = Scene::new();
        let ids = order.map(|i| scene.add("", [inner, outer][i].mesh()));
        let [inner, outer] = order.map(|i| ids[i]);
        let mut collider = Collider::default();
        let report = collider.collide(&scene).unwrap();
        let contained = report.containments.iter().any(|c| c.inner == inner && c.outer == outer);
        (contained, !report.contacts.is_empty())
    });
    answers.sort_unstable();
    assert_eq!(answers[0], answers[1], "the order of the bodies must not matter");
    answers[0]
}

/// Whether `outer` contains `inner`, apart from contacts; without the pipeline around it.
fn contained(inner: &Shape, outer: &Shape) -> bool {
    let mut scene = Scene::new();
    let [inner, outer] = [inner, outer].map(|shape| scene.add("", shape.mesh()));
    let bodies = [inner, outer].map(|id| scene.body(id).unwrap());
    let mut touching = Vec::new();
    for i in 0..bodies[0].mesh().triangles().len() {
        for j in 0..bodies[1].mesh().triangles().len() {
            if triangles_touch(&bodies[0].world_corners(i), &bodies[1].world_corners(j)) {
                touching.push([i as u32, j as u32]);
            }
        }
    }
    let mut solids = [Solid::default(), Solid::default()];
    solids.iter_mut().zip(bodies).for_each(|(solid, body)| solid.update(body));
    let [inner, outer] = [0, 1].map(|i| Surface::new(bodies[i], &solids[i]).unwrap());
    outer.bounds().contains(&inner.bounds()) && contains(&outer, &inner, &touching)
}

const CONTAINED: (bool, bool) = (true, false);
const CONTAINED_TOUCHING: (bool, bool) = (true, true);
const APART: (bool, bool) = (false, false);
const TOUCHING: (bool, bool) = (false, true);

#[test]
fn a_body_inside_another_is_contained() {
    assert_eq!(collide(&cube(1.0, 2.0), &cube(0.0, 3.0)), CONTAINED);
    assert_eq!(collide(&cube(0.0, 3.0), &cube(1.0, 2.0)), APART);
    assert_eq!(collide(&cube(5.0, 6.0), &cube(0.0, 3.0)), APART);
}

#[test]
fn a_body_in_the_box_but_not_in_the_body_is_not_contained() {
    assert_eq!(collide(&cube(0.8, 0.9), &octahedron([0.0; 3], 1.0)), APART);
    assert_eq!(collide(&cube(0.1, 0.2), &octahedron([0.0; 3], 1.0)), CONTAINED);
}

#[test]
fn a_body_in_a_hollow_is_not_contained() {
    assert_eq!(collide(&cube(4.0, 8.0), &hollow_cube()), APART);
    assert_eq!(collide(&cube(3.0, 9.0), &hollow_cube()), TOUCHING);
}

#[test]
fn a_body_in_the_material_around_a_hollow_is_contained() {
    assert_eq!(collide(&cube(1.0, 2.0), &hollow_cube()), CONTAINED);
    assert_eq!(collide(&cube(2.0, 3.0), &hollow_cube()), CONTAINED_TOUCHING);
}

#[test]
fn a_body_that_fills_the_hollow_of_another_is_not_contained() {
    assert_eq!(collide(&cube(2.0, 10.0), &hollow_cube()), APART);
    assert_eq!(collide(&cube(0.0, 12.0), &hollow_cube()), TOUCHING);
    // One with the same hollow, or a larger one, is.
    let shell = |low, high| cube(low, 12.0 - low).plus(&cube(high, 12.0 - high).inside_out());
    assert_eq!(collide(&shell(1.0, 2.0), &hollow_cube()), CONTAINED);
    assert_eq!(collide(&shell(1.0, 3.0), &hollow_cube()), CONTAINED_TOUCHING);
    assert_eq!(collide(&shell(1.0, 3.5), &hollow_cube()), APART);
}

#[test]
fn material_that_overlaps_itself_is_not_a_hollow() {
    // A second cube inside, facing the same way: wound twice, solid all the same.
    let doubled = cube(0.0, 12.0).plus(&cube(3.0, 9.0));
    assert_eq!(collide(&cube(2.0, 10.0), &doubled), CONTAINED);
    assert_eq!(collide(&cube(4.0, 5.0), &doubled), CONTAINED);
    let overlapping = cube(0.0, 8.0).plus(&cube(4.0, 12.0));
    assert_eq!(collide(&cube(5.0, 7.0), &overlapping), CONTAINED);
    assert_eq!(collide(&cube(3.0, 9.0), &overlapping), TOUCHING);
    assert_eq!(collide(&cuboid([5.0; 3], [10.0; 3]), &overlapping), CONTAINED_TOUCHING);
}

#[test]
fn a_hollow_that_borders_only_on_triangles_cut_by_others_is_found() {
    // A channel through the cube, plugged from either end: what is left between the plugs is hollow.
    let plugged = |left: f64, right: f64| {
        // No part starts with a triangle that borders on the gap: the search begins where there is nothing to see.
        let mut right = cuboid([right, 4.0, 4.0], [10.0, 8.0, 8.0]);
        right.triangles.reverse();
        cube(0.0, 12.0)
            .plus(&cuboid([3.0, 5.0, 5.0], [9.0, 7.0, 7.0]).inside_out())
            .plus(&cuboid([2.0, 4.0, 4.0], [left, 8.0, 8.0]))
            .plus(&right)
    };
    assert_eq!(collide(&cube(1.0, 11.0), &plugged(5.5, 6.5)), APART);
    assert_eq!(collide(&cube(1.0, 11.0), &plugged(6.0, 6.0f64.next_up())), APART);
    assert_eq!(collide(&cube(1.0, 11.0), &plugged(6.0, 6.0)), CONTAINED);
    assert_eq!(collide(&cube(1.0, 11.0), &plugged(6.5, 5.5)), CONTAINED);
}

#[test]
fn a_body_that_touches_from_inside_is_contained() {
    let outer = cube(0.0, 4.0);
    let face = cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]);
    let edge = cuboid([0.0, 1.0, 0.0], [1.0, 2.0, 1.0]);
    let corner = cube(0.0, 1.0);
    let whole_face = cuboid([0.0, 0.0, 0.0], [4.0, 4.0, 1.0]);
    let vertex_on_face = octahedron([1.5, 1.5, 1.0], 1.0);
    let vertices_on_all_faces = octahedron([2.0; 3], 2.0);
    for inner in [face, edge, corner, whole_face, vertex_on_face, vertices_on_all_faces] {
        assert_eq!(collide(&inner, &outer), CONTAINED_TOUCHING);
        assert_eq!(collide(&inner.refined(), &outer), CONTAINED_TOUCHING);
        assert_eq!(collide(&inner, &outer.refined().refined()), CONTAINED_TOUCHING);
    }
}

#[test]
fn a_body_that_pokes_through_is_not_contained() {
    let outer = octahedron([0.0; 3], 4.0);
    // All vertices of the inner body are on the outer surface or inside, yet an edge leaves: a dent.
    let mut dented = cube(0.0, 4.0);
    dented.positions.extend([[2.0, 2.0, 4.0]]);
    let top = dented.triangles.len() - 2;
    dented.triangles.truncate(top);
    dented.triangles.extend([[4, 5, 8], [5, 7, 8], [7, 6, 8], [6, 4, 8]]);
    let deeper = |z: f64| {
        let mut shape = dented.clone();
        shape.positions[8][2] = z;
        shape
    };
    let bridge = cuboid([0.0, 1.0, 2.0], [4.0, 3.0, 4.0]);
    assert_eq!(collide(&bridge, &deeper(4.0)), CONTAINED_TOUCHING);
    assert_eq!(collide(&bridge, &deeper(4.0f64.next_down())), TOUCHING);
    assert_eq!(collide(&bridge, &deeper(5.0)), CONTAINED_TOUCHING);
    assert_eq!(collide(&cuboid([-1.0, -1.0, -5.0], [1.0, 1.0, 1.0]), &outer), TOUCHING);
    // A roof whose ridge just reaches the edge of the cube, and one ulp beyond.
    let ridge = |z: f64| Shape {
        positions: vec![
            [1.0, 0.0, 1.0],
            [3.0, 0.0, 1.0],
            [2.0, 0.0, z],
            [1.0, 4.0, 1.0],
            [3.0, 4.0, 1.0],
            [2.0, 4.0, z],
        ],
        triangles: vec![
            [0, 1, 2],
            [3, 5, 4],
            [0, 3, 4],
            [0, 4, 1],
            [1, 4, 5],
            [1, 5, 2],
            [2, 5, 3],
            [2, 3, 0],
        ],
    };
    assert_eq!(collide(&ridge(4.0), &cube(0.0, 4.0)), CONTAINED_TOUCHING);
    assert_eq!(collide(&ridge(4.0f64.next_up()), &cube(0.0, 4.0)), TOUCHING);
}

#[test]
fn identical_bodies_in_one_place_do_not_contain_each_other() {
    let shape = octahedron([0.0; 3], 1.0);
    assert_eq!(collide(&shape, &shape), TOUCHING);
    assert_eq!(collide(&shape.refined(), &shape), TOUCHING);
    assert_eq!(collide(&shape, &shape.refined()), TOUCHING);
    assert_eq!(collide(&shape.clone().inside_out(), &shape), TOUCHING);
}

#[test]
fn two_bodies_that_share_one_face_do_not_contain_each_other() {
    assert_eq!(collide(&cube(0.0, 1.0), &cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])), TOUCHING);
}

#[test]
fn rays_through_vertices_and_edges_count_once() {
    // Above the point there are a vertex, an edge, a diagonal, a wall parallel to the ray.
    for x in -2..=2 {
        for y in -2..=2 {
            let [x, y] = [x, y].map(f64::from);
            let small = octahedron([x, y, -0.25], 0.125);
            assert_eq!(contained(&small, &octahedron([0.0; 3], 2.0)), x.abs() + y.abs() < 1.5, "{x} {y}");
            assert_eq!(contained(&small, &cube(-2.0, 2.0).refined()), x.abs().max(y.abs()) < 2.0, "{x} {y}");
            let pile = cube(-2.0, 1.0).plus(&cuboid([-1.0, -1.0, 1.0], [0.0, 0.0, 2.0]));
            assert_eq!(contained(&small, &pile), x.abs().max(y.abs()) < 2.0 && x.max(y) < 1.0, "{x} {y}");
        }
    }
}

#[test]
fn every_part_of_a_body_must_be_inside() {
    let inside = cube(1.0, 2.0).plus(&cube(10.0, 11.0));
    assert_eq!(collide(&inside, &hollow_cube()), CONTAINED);
    assert_eq!(collide(&inside.clone().plus(&cube(4.0, 5.0)), &hollow_cube()), APART);
    let many = (0..20).map(f64::from).fold(Shape::default(), |s, i| s.plus(&cube(i, i + 0.5)));
    assert_eq!(collide(&many, &cube(-1.0, 20.0)), CONTAINED);
    assert_eq!(collide(&many, &cube(-1.0, 21.0).plus(&cube(12.75, 13.75).inside_out())), APART);
}

#[test]
fn orientation_does_not_matter_as_long_as_it_is_consistent() {
    let (inner, outer) = (cube(1.0, 2.0), cube(0.0, 3.0));
    assert_eq!(collide(&inner.clone().inside_out(), &outer.clone().inside_out()), CONTAINED);
    assert_eq!(collide(&inner, &outer.inside_out()), CONTAINED);
    assert_eq!(collide(&cube(4.0, 8.0), &hollow_cube().inside_out()), APART);
}

#[test]
fn a_body_without_consistent_orientation_goes_by_parity() {
    let mut outer = hollow_cube();
    outer.triangles[5].swap(0, 1);
    assert!(outer.mesh().topology().is_closed() && !outer.mesh().topology().is_oriented());
    assert_eq!(collide(&cube(1.0, 2.0), &outer), CONTAINED);
    assert_eq!(collide(&cube(4.0, 8.0), &outer), APART);
    let mut doubled = cube(0.0, 12.0).plus(&cube(3.0, 9.0));
    doubled.triangles[5].swap(0, 1);
    assert_eq!(collide(&cube(4.0, 8.0), &doubled), APART);
    assert_eq!(collide(&cube(2.0, 10.0), &doubled), APART);
}

#[test]
fn open_bodies_contain_nothing_and_are_not_contained() {
    let mut open = cube(0.0, 3.0);
    open.triangles.pop();
    assert_eq!(collide(&cube(1.0, 2.0), &open), APART);
    assert_eq!(collide(&open, &cube(-1.0, 4.0)), APART);
}

#[test]
fn flat_and_degenerate_closed_bodies_are_their_surface() {
    let sheet = Shape {
        positions: vec![[1.0; 3], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]],
        triangles: vec![[0, 1, 2], [0, 2, 1]],
    };
    assert_eq!(collide(&sheet, &cube(0.0, 3.0)), CONTAINED);
    assert_eq!(collide(&cube(1.25, 1.3), &sheet), APART);
    assert_eq!(collide(&sheet, &cube(1.0, 3.0)), TOUCHING);
    // A needle, through a gap between two towers or not.
    let towers = cube(0.0, 1.0)
        .plus(&cuboid([0.0, 0.0, 1.0], [0.25, 1.0, 2.0]))
        .plus(&cuboid([0.75, 0.0, 1.0], [1.0, 1.0, 2.0]));
    let needle = |y: f64, z: f64| Shape {
        positions: vec![[0.0, y, z], [1.0, y, z], [0.5, y, z]],
        triangles: vec![[0, 1, 2], [0, 2, 1]],
    };
    assert_eq!(collide(&needle(0.5, 0.5), &towers), CONTAINED_TOUCHING);
    assert_eq!(collide(&needle(0.5, 1.5), &towers), TOUCHING);
    assert_eq!(collide(&needle(0.5, 1.0), &towers), TOUCHING);
    assert_eq!(collide(&needle(0.0, 0.5), &towers), TOUCHING);
}

#[test]
fn triangles_that_repeat_an_index_are_part_of_the_surface() {
    let mut thorn = cube(1.0, 2.0);
    thorn.positions.push([1.5, 1.5, 5.0]);
    thorn.triangles.push([7, 8, 8]);
    assert_eq!(collide(&thorn, &cube(0.0, 6.0)), CONTAINED);
    assert_eq!(collide(&thorn, &cube(0.0, 4.0)), TOUCHING);
    assert_eq!(collide(&thorn, &cube(0.0, 5.0)), CONTAINED_TOUCHING);
}

#[test]
fn unused_vertices_play_no_part() {
    let mut inner = cube(1.0, 2.0);
    inner.positions.push([100.0; 3]);
    assert_eq!(collide(&inner, &cube(0.0, 3.0)), CONTAINED);
}

#[test]
fn answers_hold_at_extreme_scales() {
    // Powers of two keep what touches touching.
    for scale in
        [-1060, -1000, -100, 100, 1000].map(|exponent| 2f64.powi(exponent / 2) * 2f64.powi(exponent / 2))
    {
        let scaled = |shape: Shape| shape.map(|p| p.map(|x| x * scale));
        assert_eq!(collide(&scaled(cube(1.0, 2.0)), &scaled(cube(0.0, 3.0))), CONTAINED);
        assert_eq!(collide(&scaled(cube(0.0, 2.0)), &scaled(octahedron([0.0; 3], 6.0))), CONTAINED_TOUCHING);
        assert_eq!(collide(&scaled(cube(2.0, 10.0)), &scaled(hollow_cube())), APART);
        assert_eq!(collide(&scaled(octahedron([6.0; 3], 6.0)), &scaled(cube(0.0, 12.0))), CONTAINED_TOUCHING);
    }
    assert_eq!(collide(&cube(-1e-30, 1e-30), &cube(-1e30, 1e30)), CONTAINED);
    assert_eq!(collide(&cuboid([0.0; 3], [1e-30, 1e-30, 1e30]), &cube(0.0, 1e30)), CONTAINED_TOUCHING);
    assert_eq!(
        collide(
            &cuboid([0.0, 0.0, -1e-300], [1e-30, 1e-30, 1e30]),
            &cuboid([0.0, 0.0, -1.0], [1.0, 1.0, 1e30])
                .plus(&cuboid([0.0, 0.0, -1e-300], [1.0, 1.0, -1e-301]).inside_out())
        ),
        TOUCHING
    );
}

#[test]
fn what_is_kept_between_frames_follows_every_change() {
    let mut scene = Scene::new();
    let inner = scene.add("inner", cube(1.0, 2.0).mesh());
    let outer = scene.add("outer", cube(0.0, 3.0).mesh());
    let mut collider = Collider::default();
    let mut contained = |scene: &Scene| !collider.collide(scene).unwrap().containments.is_empty();
    assert!(contained(&scene) && contained(&scene));
    scene.set_pose(inner, Pose::from_translation([2.5, 0.0, 0.0]).unwrap()).unwrap();
    assert!(!contained(&scene));
    scene.set_positions(outer, &cube(0.0, 9.0).positions).unwrap();
    assert!(contained(&scene));
    let mut open = cube(0.0, 9.0);
    open.triangles.pop();
    scene.set_mesh(outer, open.mesh()).unwrap();
    assert!(!contained(&scene));
    scene.set_mesh(outer, cube(0.0, 9.0).mesh()).unwrap();
    assert!(contained(&scene));
    scene.remove(outer).unwrap();
    assert!(!contained(&scene));
    scene.add("other", cube(0.0, 9.0).mesh());
    assert!(contained(&scene));
}
