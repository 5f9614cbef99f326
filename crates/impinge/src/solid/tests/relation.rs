//! What bodies are to each other, through the whole pipeline.

use super::{Shape, cube, cuboid, hollow_cube, octahedron};
use crate::contacts::{Method, PeelOptions, Relation};
use crate::{Collider, Options, Pose, Query, Scene};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Overlapping,
    FirstInside,
    SecondInside,
    Equal,
    Crossing,
    Touching,
}

/// What the first is to the second, whichever stands first in the scene, whatever the method and the threads.
fn relation(first: &Shape, second: &Shape) -> Option<Found> {
    let answers = [[0, 1], [1, 0]].map(|order| {
        let mut scene = Scene::new();
        let ids = order.map(|i| scene.add("", [first, second][i].mesh()));
        let first = ids[order[0]];
        let answer = |method, threads| {
            let mut collider =
                Collider::new(Options { relations: true, method, threads, ..Options::default() });
            let report = collider.collide(&scene).unwrap();
            assert!(report.relations.is_sorted_by_key(|pair| (pair.a, pair.b)));
            assert_eq!(report.relation(ids[0], ids[1]), report.relations.first().map(|pair| pair.relation));
            report.relations.first().map(|pair| match pair.relation {
                Relation::Overlapping => Found::Overlapping,
                Relation::Inside { inner } if inner == first => Found::FirstInside,
                Relation::Inside { .. } => Found::SecondInside,
                Relation::Equal => Found::Equal,
                Relation::Crossing => Found::Crossing,
                Relation::Touching => Found::Touching,
            })
        };
        let found = answer(Method::Auto, 1);
        assert_eq!(found, answer(Method::BruteForce, 2));
        found
    });
    assert_eq!(answers[0], answers[1], "the order of the bodies must not matter");
    answers[0]
}

fn open(mut shape: Shape) -> Shape {
    shape.triangles.pop();
    shape
}

/// Two triangles in the plane of this height, from both sides or from one.
fn sheet(low: [f64; 2], high: [f64; 2], z: f64, sides: usize) -> Shape {
    let ([x, y], [u, v]) = (low, high);
    let mut triangles = vec![[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]];
    triangles.truncate(2 * sides);
    Shape { positions: vec![[x, y, z], [u, y, z], [u, v, z], [x, v, z]], triangles }
}

#[test]
fn bodies_that_share_a_face_an_edge_or_a_corner_touch() {
    let one = cube(0.0, 2.0);
    for [x, y, z] in
        [[2.0, 0.0, 0.0], [2.0, 1.0, -1.0], [2.0, 2.0, 0.0], [2.0, 2.0, 1.0], [2.0; 3], [-2.0, 0.5, 0.5]]
    {
        let other = cuboid([x, y, z], [x + 2.0, y + 2.0, z + 2.0]);
        for [a, b] in
            [[&one, &other], [&one.refined(), &other], [&one, &other.clone().inside_out().refined()]]
        {
            assert_eq!(relation(a, b), Some(Found::Touching), "{x} {y} {z}");
        }
        let into = |p: f64, at: f64| {
            if at == 2.0 {
                p.next_down()
            } else if at == -2.0 {
                p.next_up()
            } else {
                p
            }
        };
        let nudged = other.map(|p| [into(p[0], x), into(p[1], y), into(p[2], z)]);
        assert_eq!(relation(&one, &nudged), Some(Found::Overlapping), "{x} {y} {z}");
    }
    assert_eq!(relation(&octahedron([1.0, 1.0, 3.0], 1.0), &one), Some(Found::Touching));
    assert_eq!(relation(&octahedron([3.0, 3.0, 1.0], 2.0), &one), Some(Found::Touching));
    assert_eq!(relation(&one, &cube(3.0, 4.0)), None);
}

#[test]
fn a_body_that_rests_on_an_edge_touches() {
    // Two walls whose edge stands on the floor; a ridge that another one crosses.
    let wedge = |z: f64, up: f64| Shape {
        positions: vec![
            [1.0, 0.5, z],
            [1.0, 1.5, z],
            [0.5, 0.5, z + up],
            [0.5, 1.5, z + up],
            [1.5, 0.5, z + up],
            [1.5, 1.5, z + up],
        ],
        triangles: vec![
            [0, 2, 4],
            [1, 5, 3],
            [0, 1, 2],
            [1, 3, 2],
            [0, 4, 1],
            [1, 4, 5],
            [2, 3, 4],
            [3, 5, 4],
        ],
    };
    assert_eq!(relation(&wedge(2.0, 1.0), &cube(0.0, 2.0)), Some(Found::Touching));
    assert_eq!(relation(&wedge(2.0, 1.0), &cube(0.0, 2.0).refined()), Some(Found::Touching));
    assert_eq!(relation(&wedge(2.0f64.next_down(), 1.0), &cube(0.0, 2.0)), Some(Found::Overlapping));
    let across = wedge(2.0, -1.0).map(|[x, y, z]| [y, x, z]);
    assert_eq!(relation(&wedge(2.0, 1.0), &across), Some(Found::Touching));
    assert_eq!(relation(&wedge(2.0f64.next_down(), 1.0), &across), Some(Found::Overlapping));
    assert_eq!(relation(&wedge(2.0, 1.0), &wedge(2.0, -1.0)), Some(Found::Touching));
}

#[test]
fn a_body_inside_another_is_inside_also_where_it_touches() {
    let large = cube(0.0, 4.0);
    for small in
        [cube(1.0, 2.0), cube(0.0, 1.0), cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]), octahedron([2.0; 3], 2.0)]
    {
        assert_eq!(relation(&small, &large), Some(Found::FirstInside));
        assert_eq!(relation(&large.refined(), &small.inside_out()), Some(Found::SecondInside));
    }
    // All of its surface is on the other's: no containment, and inside all the same.
    let parts = cube(0.0, 4.0).plus(&cuboid([4.0, 0.0, 0.0], [8.0, 4.0, 4.0]));
    assert_eq!(relation(&large, &parts), Some(Found::FirstInside));
    assert_eq!(relation(&large.refined(), &parts.refined()), Some(Found::FirstInside));
}

#[test]
fn one_solid_is_equal_however_it_is_cut() {
    let one = cube(0.0, 2.0);
    assert_eq!(relation(&one, &one), Some(Found::Equal));
    assert_eq!(relation(&one.refined(), &one.clone().inside_out()), Some(Found::Equal));
    assert_eq!(relation(&hollow_cube(), &hollow_cube().refined()), Some(Found::Equal));
    // The same surface, but one is solid where the other is hollow.
    assert_eq!(relation(&hollow_cube(), &cube(0.0, 12.0).plus(&cube(3.0, 9.0))), Some(Found::FirstInside));
    // A wall inside makes no difference to the solid.
    let walled = cube(0.0, 2.0).plus(&cuboid([0.0; 3], [1.0, 2.0, 2.0]));
    assert_eq!(relation(&one, &walled), Some(Found::Equal));
}

#[test]
fn what_fills_a_hollow_overlaps_or_touches() {
    assert_eq!(relation(&cube(4.0, 8.0), &hollow_cube()), None);
    assert_eq!(relation(&cube(3.0, 9.0), &hollow_cube()), Some(Found::Touching));
    assert_eq!(relation(&cube(3.0, 9.0).refined(), &hollow_cube()), Some(Found::Touching));
    // Without any contact.
    assert_eq!(relation(&cube(2.0, 10.0), &hollow_cube()), Some(Found::Overlapping));
    assert_eq!(relation(&cube(0.0, 12.0), &hollow_cube()), Some(Found::SecondInside));
}

#[test]
fn every_part_of_a_body_counts() {
    let pieces = cube(0.0, 1.0).plus(&cube(4.0, 5.0));
    assert_eq!(relation(&pieces, &cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])), Some(Found::Touching));
    let around_one = cuboid([1.0, 0.0, 0.0], [6.0, 6.0, 6.0]);
    assert_eq!(relation(&pieces, &around_one), Some(Found::Overlapping));
    assert_eq!(relation(&pieces, &cuboid([4.25; 3], [4.5; 3])), Some(Found::SecondInside));
}

#[test]
fn bodies_that_run_through_themselves_are_their_solids() {
    let doubled = cube(0.0, 8.0).plus(&cube(4.0, 12.0));
    assert_eq!(relation(&doubled, &cuboid([8.0, 0.0, 0.0], [9.0, 4.0, 4.0])), Some(Found::Touching));
    assert_eq!(relation(&doubled, &cube(5.0, 6.0)), Some(Found::SecondInside));
    assert_eq!(relation(&doubled, &cuboid([7.0, 7.0, 7.0], [8.0, 8.0, 13.0])), Some(Found::Overlapping));
    // Where a reversed cube takes from another, there is nothing.
    let carved = cube(0.0, 8.0).plus(&cuboid([4.0; 3], [8.0; 3]).inside_out());
    assert_eq!(relation(&carved, &cuboid([4.0; 3], [8.0; 3])), Some(Found::Touching));
    assert_eq!(relation(&carved, &cuboid([3.0; 3], [8.0; 3])), Some(Found::Overlapping));
    let mut turned = cube(0.0, 2.0);
    turned.triangles[5].swap(0, 1);
    assert_eq!(relation(&turned, &cuboid([2.0, 0.0, 0.0], [3.0, 1.0, 1.0])), Some(Found::Touching));
    assert_eq!(relation(&turned, &cube(0.0, 2.0)), Some(Found::Equal));
}

#[test]
fn what_has_no_volume_crosses_or_touches() {
    let body = cube(0.0, 4.0);
    for sides in [1, 2] {
        let is_closed = sides == 2;
        let on = |z| sheet([1.0, 1.0], [3.0, 3.0], z, sides);
        let beyond = |z| sheet([-1.0, -1.0], [5.0, 5.0], z, sides);
        assert_eq!(relation(&on(4.0), &body), Some(Found::Touching));
        assert_eq!(relation(&beyond(4.0), &body), Some(Found::Touching));
        assert_eq!(relation(&beyond(4.0).refined().inside_out(), &body.refined()), Some(Found::Touching));
        assert_eq!(relation(&beyond(2.0), &body), Some(Found::Crossing));
        assert_eq!(relation(&on(2.0), &body), is_closed.then_some(Found::FirstInside));
        assert_eq!(relation(&sheet([-1.0, 1.0], [0.0, 2.0], 1.0, sides), &body), Some(Found::Touching));
        assert_eq!(
            relation(&sheet([0.0, 1.0], [1.0, 2.0], 1.0, sides), &body),
            Some(if is_closed { Found::FirstInside } else { Found::Crossing })
        );
        assert_eq!(
            relation(&on(1.0), &on(1.0)),
            Some(if is_closed { Found::Equal } else { Found::Touching })
        );
    }
    assert_eq!(
        relation(&sheet([1.0, 1.0], [3.0, 3.0], 4.0, 2), &sheet([2.0, 2.0], [5.0, 5.0], 4.0, 2)),
        Some(Found::Touching)
    );
}

#[test]
fn open_surfaces_cross_or_touch() {
    let body = cube(0.0, 4.0);
    let tray = open(cube(4.0, 8.0));
    assert_eq!(relation(&tray, &body), Some(Found::Touching));
    assert_eq!(relation(&tray.clone().map(|p| p.map(|x| x - 1.0)), &body), Some(Found::Crossing));
    assert_eq!(relation(&tray, &open(cube(4.0, 6.0))), Some(Found::Touching));
    assert_eq!(relation(&tray, &open(cube(3.0, 5.0))), Some(Found::Crossing));
}

#[test]
fn a_sheet_goes_into_a_solid_also_where_only_edges_meet() {
    // The mesh of the body has edges all around at this height.
    let body = cube(0.0, 4.0).refined();
    assert_eq!(relation(&sheet([-1.0, -1.0], [5.0, 5.0], 2.0, 1), &body), Some(Found::Crossing));
    // The wall has its edge in the upper side of the body, or two of them on upright edges.
    let wall = |[low, middle, high]: [[f64; 3]; 3], [x, y]: [f64; 2]| Shape {
        positions: [low, middle, high].into_iter().flat_map(|p| [p, [p[0] + x, p[1] + y, p[2]]]).collect(),
        triangles: vec![[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]],
    };
    let upright = wall([[1.0, 1.0, 3.0], [1.0, 1.0, 4.0], [1.0, 1.0, 5.0]], [1.0, 0.5]);
    let resting = wall([[1.0, 1.0, 6.0], [1.0, 1.0, 4.0], [1.0, 1.0, 5.0]], [1.0, 0.5]);
    for body in [&body, &cube(0.0, 4.0)] {
        assert_eq!(relation(&upright, body), Some(Found::Crossing));
        assert_eq!(relation(&upright.clone().inside_out(), body), Some(Found::Crossing));
        assert_eq!(relation(&resting, body), Some(Found::Touching));
    }
}

#[test]
fn open_surfaces_cross_along_edges_too() {
    // A sheet of two halves, folded along x = 0; `left` and `right` are how high their far ends are.
    let folded = |y: f64, left: f64, right: f64| Shape {
        positions: vec![
            [0.0, -y, 0.0],
            [0.0, y, 0.0],
            [-2.0, -y, left],
            [-2.0, y, left],
            [2.0, -y, right],
            [2.0, y, right],
        ],
        triangles: vec![[2, 0, 1], [2, 1, 3], [0, 4, 5], [0, 5, 1]],
    };
    let floor = folded(2.0, 0.0, 0.0);
    let plane = sheet([-3.0, -3.0], [3.0, 3.0], 0.0, 1);
    for half in [1.0, 2.0, 3.0] {
        for (left, right, crosses) in
            [(-1.0, 1.0, true), (1.0, 1.0, false), (0.0, 1.0, false), (-1.0, -1.0, false)]
        {
            let other = folded(half, left, right);
            let found = Some(if crosses { Found::Crossing } else { Found::Touching });
            assert_eq!(relation(&other, &floor), found, "{half} {left} {right}");
            assert_eq!(
                relation(&other.refined(), &floor.clone().inside_out()),
                found,
                "{half} {left} {right}"
            );
            assert_eq!(relation(&other, &plane), found, "{half} {left} {right}");
        }
        // A valley in a valley, and one that leaves it.
        let valley = folded(2.0, 2.0, 2.0);
        assert_eq!(relation(&folded(half, 3.0, 3.0), &valley), Some(Found::Touching));
        assert_eq!(relation(&folded(half, 1.0, 3.0), &valley), Some(Found::Crossing));
        assert_eq!(relation(&folded(half, 2.0, 3.0), &valley), Some(Found::Touching));
    }
    // The border of one on the inside of the other.
    let wall = sheet([-1.0, 0.0], [1.0, 2.0], 0.0, 1).map(|[x, y, z]| [x, z, y]);
    assert_eq!(relation(&wall, &floor), Some(Found::Touching));
    assert_eq!(relation(&wall.clone().map(|[x, y, z]| [x, y, z - 1.0]), &floor), Some(Found::Crossing));
}

#[test]
fn answers_hold_at_extreme_scales_and_in_a_mirror() {
    for scale in [2f64.powi(-1000), 2f64.powi(-300), 2f64.powi(300), 2f64.powi(1000)] {
        let scaled = |shape: Shape| shape.map(|[x, y, z]| [-x * scale, y * scale, z * scale]);
        let one = scaled(cube(0.0, 2.0));
        assert_eq!(relation(&one, &scaled(cuboid([2.0, 0.0, 0.0], [3.0, 1.0, 1.0]))), Some(Found::Touching));
        assert_eq!(
            relation(&one, &scaled(cuboid([1.0, 0.0, 0.0], [3.0, 1.0, 1.0]))),
            Some(Found::Overlapping)
        );
        assert_eq!(relation(&one, &scaled(octahedron([1.0, 1.0, 3.0], 1.0))), Some(Found::Touching));
        assert_eq!(relation(&one, &scaled(octahedron([1.0, 1.0, 1.0], 1.0))), Some(Found::SecondInside));
    }
    assert_eq!(
        relation(&cube(-1e30, 0.0), &cuboid([0.0, -1e-30, -1e-30], [1e30, 1e-300, 1.0])),
        Some(Found::Touching)
    );
}

#[test]
fn what_misses_contacts_or_stops_at_the_first_says_nothing() {
    let mut scene = Scene::new();
    let [a, b] = [cube(0.0, 2.0), cube(1.0, 3.0)].map(|shape| scene.add("", shape.mesh()));
    let mut collider = Collider::default();
    let mut count = |options: Options, scene: &Scene| {
        collider.options = options;
        let report = collider.collide(scene).unwrap();
        (report.contacts.len(), report.relations.len())
    };
    let asked = Options { relations: true, ..Options::default() };
    assert_eq!(count(Options::default(), &scene).1, 0);
    assert_eq!(count(Options { query: Query::Any, ..asked.clone() }, &scene), (1, 0));
    let sampled = Options { method: Method::DepthPeel(PeelOptions::default()), ..asked.clone() };
    assert_eq!(count(sampled, &scene).1, 0);
    assert_eq!(count(asked.clone(), &scene).1, 1);
    // A body in contact with itself has no relation.
    scene.set_self_collision(a, true).unwrap();
    scene.set_pose(b, Pose::from_translation([9.0, 0.0, 0.0]).unwrap()).unwrap();
    scene.set_mesh(a, cube(0.0, 2.0).plus(&cube(1.0, 3.0)).mesh()).unwrap();
    let (contacts, relations) = count(asked, &scene);
    assert!(contacts > 0);
    assert_eq!(relations, 0);
}
