//! What casting rays at edges on the GPU answers: the same as the CPU, with every algorithm, for every kind of body.

mod common;

use common::{box_of, bytes, context};
use impinge::interference::{Identify, Interference, Penetration, RayCastOptions, RayCaster};
use impinge::{Direction, Mesh, Point, Scene};
use impinge_gpu::{GpuBody, GpuCollider};

/// Neither a power of two nor square.
const RESOLUTION: [u32; 2] = [300, 170];

/// A cube in a cube in a cube, a bar into the outermost, one far away, one open, one inside out.
fn nest(open: bool) -> Scene {
    let cube = |half: f64| box_of([-half + 0.01, -half, -half], [half, half + 0.02, half]);
    let mut scene = Scene::new();
    scene.add("outer", cube(3.0));
    scene.add("middle", cube(2.0));
    scene.add("inner", cube(1.0));
    scene.add("bar", box_of([2.2, -0.3, -0.2], [5.0, 0.4, 0.5]));
    scene.add("far", box_of([9.0; 3], [10.0; 3]));
    if open {
        let whole = cube(0.5);
        let positions: Vec<Point> = whole.positions().iter().collect();
        let turned = whole.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        scene.add("inside out", Mesh::new(positions.clone(), turned).unwrap());
        let cut = whole.triangles()[4..].to_vec();
        let moved: Vec<Point> = positions.iter().map(|p| [p[0] + 3.5, p[1], p[2]]).collect();
        scene.add("open", Mesh::new(moved, cut).unwrap());
    }
    scene
}

#[test]
fn every_algorithm_finds_what_its_definition_finds() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    for scene in [nest(false), nest(true)] {
        for identify in Identify::ALL {
            for early_answer in [true, false] {
                let ray_cast = RayCastOptions {
                    identify,
                    early_answer,
                    resolution: RESOLUTION,
                    direction: Direction::Along([0.1, 0.2, 1.0]),
                    ..RayCastOptions::default()
                };
                let mut here = RayCaster::new(ray_cast);
                let (mine, theirs) =
                    (here.find(&scene).unwrap(), there.interference(&scene, &ray_cast).unwrap());
                let place = format!("{identify:?}, early {early_answer}");
                assert_eq!(theirs.any, mine.any, "{place}");
                assert_eq!(theirs.bodies, mine.bodies, "{place}");
                assert_eq!(theirs.not_closed, mine.not_closed, "{place}");
                assert_eq!(theirs.self_interfering, mine.self_interfering, "{place}");
                let pairs = |found: &Interference| -> Vec<_> {
                    found.pairs.iter().map(|pair| (pair.penetrating, pair.penetrated)).collect()
                };
                assert_eq!(pairs(&theirs), pairs(mine), "{place}");
                assert_eq!(theirs.edges, mine.edges, "{place}");
                assert!(
                    theirs.points.len().abs_diff(mine.points.len()) * 100 <= mine.points.len(),
                    "{place}"
                );
                assert!((theirs.reach - mine.reach).abs() <= mine.reach * 1e-3, "{place}");
            }
        }
    }
}

#[test]
fn mirrored_bodies_are_solid_too() {
    let Some(context) = context() else { return };
    let mut scene = Scene::new();
    let cube = || box_of([-1.0; 3], [1.0; 3]);
    let outer = scene.add("outer", cube());
    let inner = scene.add("inner", box_of([-0.4, -0.4, -0.4], [0.4, 0.41, 0.42]));
    let mirror = [[-1.0, 0.0, 0.0, 0.05], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    scene.set_pose(outer, impinge::Pose::from_rows(mirror).unwrap()).unwrap();
    let mut collider = GpuCollider::new(context).unwrap();
    for identify in [Identify::Everything, Identify::LastDrawn] {
        let ray_cast = RayCastOptions { identify, resolution: RESOLUTION, ..RayCastOptions::default() };
        let found = collider.interference(&scene, &ray_cast).unwrap();
        assert_eq!(found.pairs.len(), 1, "{found:?}");
        assert_eq!((found.pairs[0].penetrating, found.pairs[0].penetrated), (inner, outer));
        assert!(found.not_closed.is_empty() && found.self_interfering.is_empty());
    }
}

#[test]
fn bodies_that_live_on_the_gpu_alone_are_found_like_others() {
    let Some(context) = context() else { return };
    let shape = |k: u64| impinge_lab::shapes::bumpy_sphere(300, k).scaled(0.9 + 0.1 * k as f64).mesh_f32();
    let poses = [[0.0, 0.0, 0.0], [0.9, 0.2, -0.4], [9.0, 0.0, 0.0]]
        .map(|t| impinge::Pose::from_translation(t).unwrap());
    let [mut held, mut elsewhere] = [Scene::new(), Scene::new()];
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    let mut ids = Vec::new();
    for (k, pose) in poses.into_iter().enumerate() {
        let mesh = shape(k as u64);
        let a = held.add("held", mesh.clone());
        let empty = Mesh::new(Vec::<[f32; 3]>::new(), Vec::new()).unwrap();
        let b = elsewhere.add("elsewhere", if k == 1 { mesh.clone() } else { empty });
        held.set_pose(a, pose).unwrap();
        elsewhere.set_pose(b, pose).unwrap();
        assert_eq!(a, b);
        ids.push((b, mesh));
    }
    for closed in [true, false] {
        for identify in [Identify::Everything, Identify::LastDrawn, Identify::Queries] {
            // All layers, along one direction: which edge is seen first depends on where a body stands among others.
            let ray_cast = RayCastOptions {
                identify,
                resolution: RESOLUTION,
                direction: Direction::Along([0.0, 0.0, 1.0]),
                layers: 64,
                ..RayCastOptions::default()
            };
            for (id, _) in &ids {
                collider.detach(*id);
            }
            let expected = collider.interference(&held, &ray_cast).unwrap();
            for (k, (id, mesh)) in ids.iter().enumerate().filter(|(k, _)| *k != 1) {
                let positions: Vec<[f32; 3]> = mesh.positions().iter().map(|p| p.map(|c| c as f32)).collect();
                let [positions, triangles] =
                    [bytes(&context, &positions.concat()), bytes(&context, &mesh.triangles().concat())];
                let [vertices, count] = [mesh.positions().len(), mesh.triangles().len()].map(|n| n as u32);
                let mut body = GpuBody::new(positions, vertices, triangles, count);
                body.closed = closed;
                collider.attach(&elsewhere, *id, body).unwrap_or_else(|error| panic!("{k}: {error}"));
            }
            let found = collider.interference(&elsewhere, &ray_cast).unwrap();
            assert_eq!(found.bodies, expected.bodies, "{identify:?}");
            let pairs = |found: &Interference| -> Vec<_> {
                found.pairs.iter().map(|pair| (pair.penetrating, pair.penetrated)).collect()
            };
            assert_eq!(pairs(&found), pairs(&expected), "{identify:?}");
            if closed {
                assert_eq!(found.not_closed, [], "{identify:?}");
                // Every edge of theirs is drawn twice, by either of its triangles.
                let (found, once) = (found.points.len(), expected.points.len());
                assert!(
                    found * 100 >= once * 98 && found * 100 <= once * 204,
                    "{found} points, {once} expected"
                );
            } else {
                // The caller says that it is not; rays say that it is.
                assert_eq!(found.not_closed, [ids[0].0], "{identify:?}");
            }
        }
    }
}

#[test]
fn a_body_that_is_not_closed_hides_no_others() {
    let Some(context) = context() else { return };
    // A cup without its front, around the front of a box: its back face takes one from what lies behind it.
    let whole = box_of([-1.0, -1.0, -1.0], [1.0, 1.0, 2.1]);
    let cup =
        Mesh::new(whole.positions().iter().collect::<Vec<Point>>(), whole.triangles()[2..].to_vec()).unwrap();
    let mut scene = Scene::new();
    let open = scene.add("cup", cup);
    scene.add("box", box_of([-2.0, -2.0, 2.0], [2.0, 2.0, 6.0]));
    scene.add("inner", box_of([-0.5, -0.5, 3.0], [0.5, 0.5, 4.0]));
    let ray_cast = RayCastOptions {
        resolution: RESOLUTION,
        direction: Direction::Along([0.0, 0.0, 1.0]),
        ..RayCastOptions::default()
    };
    let mut here = RayCaster::new(ray_cast);
    let mut there = GpuCollider::new(context).unwrap();
    for found in [here.find(&scene).unwrap(), &there.interference(&scene, &ray_cast).unwrap()] {
        let inner = |pair: &&Penetration| pair.penetrating.index() == 2;
        let around = found.pairs.iter().find(inner).map(|pair| pair.penetrated.index());
        assert_eq!(around, Some(1), "{:?}", found.pairs);
        assert_eq!(found.not_closed, [open]);
    }
}

#[test]
fn a_body_inside_out_does_not_change_what_algorithm_4_finds_of_others() {
    let Some(context) = context() else { return };
    let cube = |half: f64| box_of([-half; 3], [half; 3]);
    let inner = cube(1.0);
    let turned = inner.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let mut scene = Scene::new();
    scene.add("3", cube(1.5));
    scene.add("inside out", Mesh::new(inner.positions().iter().collect::<Vec<Point>>(), turned).unwrap());
    scene.add("2.9", cube(1.45));
    scene.add("0.5", cube(0.25));
    let mut collider = GpuCollider::new(context).unwrap();
    let [early, late] = [true, false].map(|early_answer| {
        let identify = Identify::LastDrawn;
        let ray_cast =
            RayCastOptions { early_answer, identify, resolution: RESOLUTION, ..RayCastOptions::default() };
        collider.interference(&scene, &ray_cast).unwrap().pairs
    });
    assert_eq!(early, late);
    assert!(
        early.iter().any(|pair| (pair.penetrating.index(), pair.penetrated.index()) == (3, 2)),
        "{early:?}"
    );
}

#[test]
fn more_solids_around_a_point_than_a_stencil_counts_are_still_around_it() {
    let Some(context) = context() else { return };
    let mut scene = Scene::new();
    for k in 0..130 {
        let half = 2.0 + f64::from(k) * 0.01;
        scene.add(format!("shell {k}"), box_of([-half; 3], [half; 3]));
    }
    let inner = scene.add("inner", box_of([-1.0; 3], [1.0; 3]));
    let mut collider = GpuCollider::new(context).unwrap();
    for identify in
        [Identify::Everything, Identify::Any, Identify::Penetrating, Identify::PenetratingByColour]
    {
        let ray_cast = RayCastOptions { identify, resolution: RESOLUTION, ..RayCastOptions::default() };
        let found = collider.interference(&scene, &ray_cast).unwrap();
        assert!(found.any, "{identify:?}");
        assert!(identify == Identify::Any || found.bodies.contains(&inner), "{identify:?}");
    }
}

#[test]
fn more_bodies_than_a_set_has_queries_are_all_asked() {
    let Some(context) = context() else { return };
    // Boxes over a square, each with another inside.
    let mut scene = Scene::new();
    for k in 0..2100 {
        let [x, y] = [k % 46, k / 46].map(|n| 3.0 * f64::from(n));
        scene.add(format!("outer {k}"), box_of([x, y, 0.0], [x + 2.0, y + 2.1, 2.0]));
        scene.add(format!("inner {k}"), box_of([x + 0.4, y + 0.5, 0.5], [x + 1.5, y + 1.6, 1.5]));
    }
    let mut collider = GpuCollider::new(context).unwrap();
    for early_answer in [true, false] {
        let ray_cast = RayCastOptions {
            identify: Identify::Queries,
            direction: Direction::Along([0.0, 0.0, 1.0]),
            early_answer,
            ..RayCastOptions::default()
        };
        assert_eq!(collider.interference(&scene, &ray_cast).unwrap().bodies.len(), 4200);
    }
}

#[test]
fn crossings_that_exceed_their_room_are_all_listed() {
    let Some(context) = context() else { return };
    // Fifty boxes around each other, and a grid of needles in all of them: every marked pixel has a hundred surfaces.
    let mut scene = Scene::new();
    for k in 0..50 {
        let half = 2.0 + f64::from(k) * 0.01;
        scene.add(format!("shell {k}"), box_of([-half; 3], [half; 3]));
    }
    for k in 0..60 {
        let x = -1.9 + f64::from(k) * 0.06;
        scene.add(format!("needle {k}"), box_of([x, -1.9, -0.1], [x + 0.03, 1.9, 0.1]));
    }
    let mut collider = GpuCollider::new(context).unwrap();
    let ray_cast = RayCastOptions {
        resolution: [400, 400],
        direction: Direction::Along([0.0, 0.0, 1.0]),
        layers: 1,
        ..RayCastOptions::default()
    };
    let found = collider.interference(&scene, &ray_cast).unwrap();
    assert!(found.stages.crossings > 100_000, "{:?}", found.stages);
    let into_shells =
        found.pairs.iter().filter(|pair| pair.penetrated.index() < 50 && pair.penetrating.index() >= 50);
    assert_eq!(into_shells.count(), 50 * 60);
    let members = collider.inspect_cast(1).unwrap().unwrap().members;
    assert_eq!(members.len(), 110);
}
