//! What casting rays at edges reports, against oracles that share no code with it: the solid angle of a surface tells what is
//! inside it, distances between all triangles tell how far bodies are apart.

use impinge::interference::{Interference, RayCastOptions, RayCaster};
use impinge::{Body, BodyId, Collider, Direction, Point, Projection, Scene};
use impinge_lab::rng::Rng;
use impinge_lab::shapes::{bumpy_sphere, subdivided_box, torus};
use impinge_lab::vector::{add, cross, dot, norm, scale, sub, turned};
use std::collections::BTreeSet;

fn triangles(body: &Body) -> Vec<[Point; 3]> {
    (0..body.mesh().triangles().len()).map(|triangle| body.world_corners(triangle)).collect()
}

/// How often a closed surface winds around a point: the solid angles of its triangles (Van Oosterom and Strackee 1983),
/// over that of a sphere.
fn winding(p: Point, surface: &[[Point; 3]]) -> f64 {
    let angle = |t: &[Point; 3]| {
        let [a, b, c] = t.map(|q| sub(q, p));
        let [x, y, z] = [a, b, c].map(norm);
        let below = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y;
        2.0 * dot(a, cross(b, c)).atan2(below)
    };
    surface.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

fn to_segment(p: Point, a: Point, b: Point) -> f64 {
    let along = sub(b, a);
    let square = dot(along, along);
    let part = if square > 0.0 { (dot(sub(p, a), along) / square).clamp(0.0, 1.0) } else { 0.0 };
    norm(sub(p, add(a, scale(along, part))))
}

fn to_triangle(p: Point, [a, b, c]: [Point; 3]) -> f64 {
    let normal = cross(sub(b, a), sub(c, a));
    let inside = |from: Point, to: Point| dot(cross(sub(to, from), sub(p, from)), normal) >= 0.0;
    let edges = to_segment(p, a, b).min(to_segment(p, b, c)).min(to_segment(p, c, a));
    if norm(normal) > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        (dot(sub(p, a), normal) / norm(normal)).abs().min(edges)
    } else {
        edges
    }
}

/// An upper bound of the distance of two surfaces: from all corners, and from points along all edges, to all triangles.
fn at_most_apart(a: &[[Point; 3]], b: &[[Point; 3]]) -> f64 {
    let points = |surface: &[[Point; 3]]| -> Vec<Point> {
        let along = |[p, q]: [Point; 2]| (0..32).map(move |k| add(p, scale(sub(q, p), f64::from(k) / 32.0)));
        surface.iter().flat_map(|&[p, q, r]| [[p, q], [q, r], [r, p]]).flat_map(along).collect()
    };
    let from = |points: &[Point], surface: &[[Point; 3]]| {
        let each =
            points.iter().map(|&p| surface.iter().map(|&t| to_triangle(p, t)).fold(f64::INFINITY, f64::min));
        each.fold(f64::INFINITY, f64::min)
    };
    from(&points(a), b).min(from(&points(b), a))
}

fn crowd(rng: &mut Rng, bodies: usize) -> Scene {
    let mut scene = Scene::new();
    for k in 0..bodies {
        let mesh = match k % 3 {
            0 => subdivided_box(12, rng.in_cube(0.3, 0.8)).mesh(),
            1 => bumpy_sphere(80, rng.bits()).scaled(0.7).mesh(),
            _ => torus(120, 0.7, 0.2).mesh(),
        };
        let id = scene.add(format!("body {k}"), mesh);
        let pose = turned(rng.direction(), rng.between(0.0, 6.0), rng.in_cube(-1.6, 1.6));
        scene.set_pose(id, pose).unwrap();
    }
    scene
}

fn exact_pairs(scene: &Scene) -> BTreeSet<[BodyId; 2]> {
    let mut collider = Collider::default();
    let report = collider.collide(scene).unwrap();
    let touching = report.pairs.iter().map(|pair| [pair.a, pair.b]);
    let inside =
        report.containments.iter().map(|pair| [pair.inner.min(pair.outer), pair.inner.max(pair.outer)]);
    touching.chain(inside).collect()
}

fn ways() -> Vec<RayCastOptions> {
    let one = RayCastOptions::default();
    let perspective = Projection::Perspective { field_of_view: 70.0 };
    let slanted = Direction::Along([0.5, -0.3, 0.8]);
    let mut ways = Vec::new();
    for n in [24, 60, 150] {
        let one = RayCastOptions { resolution: [n, n + 7], ..one };
        ways.push(one);
        ways.push(RayCastOptions { direction: Direction::Axes, ..one });
        ways.push(RayCastOptions { direction: slanted, projection: perspective, ..one });
        ways.push(RayCastOptions { offset: Some(1.0), ..one });
        ways.push(RayCastOptions {
            offset: Some(3.0),
            projection: Projection::Perspective { field_of_view: 140.0 },
            ..one
        });
    }
    ways
}

#[test]
fn no_pair_is_false_by_more_than_the_reach_and_few_are_missed() {
    let mut rng = Rng::new(5);
    let (mut right, mut near, mut exact_count) = (0, 0, 0);
    for _ in 0..7 {
        let scene = crowd(&mut rng, 9);
        let exact = exact_pairs(&scene);
        for ray_cast in ways() {
            let mut caster = RayCaster::new(ray_cast);
            let found = caster.find(&scene).unwrap();
            assert!(found.not_closed.is_empty(), "{ray_cast:?}: {:?}", found.not_closed);
            let unordered = found
                .pairs
                .iter()
                .map(|p| [p.penetrating.min(p.penetrated), p.penetrating.max(p.penetrated)]);
            let pairs: BTreeSet<[BodyId; 2]> = unordered.collect();
            for &[a, b] in pairs.difference(&exact) {
                near += 1;
                let [p, q] = [a, b].map(|id| triangles(scene.body(id).unwrap()));
                let apart = at_most_apart(&p, &q);
                assert!(apart <= found.reach, "{apart} apart, {} reach: {ray_cast:?}", found.reach);
            }
            right += pairs.intersection(&exact).count();
            exact_count += exact.len();
        }
    }
    println!("{right} of {exact_count} pairs, {near} more within the reach");
    assert!(right * 100 > exact_count * 97, "{right} of {exact_count}");
    assert!(near > 0, "without any, the reach was not tested");
}

/// Every point is where it is said to be.
fn check_points(scene: &Scene, found: &Interference) {
    for point in found.points.iter().step_by(found.points.len() / 300 + 1) {
        let surface = triangles(scene.body(point.inside).unwrap());
        let off = surface.iter().map(|&t| to_triangle(point.position, t)).fold(f64::INFINITY, f64::min);
        let around = winding(point.position, &surface);
        assert!(around > 0.5 || off <= found.reach, "{around} around {:?}, {off} off", point.position);
        let edge = found.edges[point.edge];
        let body = scene.body(edge.body).unwrap();
        let [a, b] = edge.vertices(body.mesh()).unwrap().map(|vertex| body.world_position(vertex as usize));
        let off = to_segment(point.position, a, b);
        assert!(off <= found.reach, "{off} off its edge, {} reach", found.reach);
    }
}

#[test]
fn points_are_on_edges_and_inside_bodies() {
    let mut rng = Rng::new(11);
    let mut points = 0;
    for _ in 0..6 {
        let scene = crowd(&mut rng, 9);
        for ray_cast in ways() {
            let mut caster = RayCaster::new(ray_cast);
            let found = caster.find(&scene).unwrap();
            points += found.points.len();
            check_points(&scene, found);
        }
    }
    assert!(points > 10_000);
}

#[test]
fn every_scene_of_the_lab_is_looked_at_without_false_alarms() {
    let (mut checked, mut right) = (0, 0);
    for lab in impinge_lab::all() {
        let mut motion = lab.build(1500, 2);
        motion.set_frame(motion.frames / 2).unwrap();
        let ray_cast = RayCastOptions { resolution: [200, 180], ..RayCastOptions::default() };
        let mut caster = RayCaster::new(ray_cast);
        let found = caster.find(&motion.scene).unwrap();
        let exact = exact_pairs(&motion.scene);
        let closed =
            |id: BodyId| motion.scene.body(id).is_some_and(|body| body.mesh().topology().is_oriented());
        for pair in found.pairs.iter().filter(|pair| closed(pair.penetrated)) {
            let [a, b] = [pair.penetrating.min(pair.penetrated), pair.penetrating.max(pair.penetrated)];
            checked += 1;
            if exact.contains(&[a, b]) {
                right += 1;
            } else {
                let [p, q] = [a, b].map(|id| triangles(motion.scene.body(id).unwrap()));
                let apart = at_most_apart(&p, &q);
                assert!(apart <= found.reach, "{}: {apart} apart, {} reach", lab.name, found.reach);
            }
        }
    }
    assert!(right > 100 && right * 100 > checked * 95, "{right} of {checked}");
}

#[test]
fn all_pairs_of_hundreds_of_boxes_are_found_at_once() {
    if std::env::var_os("IMPINGE_NO_GPU").is_some() {
        return;
    }
    let mut rng = Rng::new(7);
    let mut scene = Scene::new();
    for k in 0..300 {
        let id = scene.add(format!("box {k}"), subdivided_box(12, rng.in_cube(0.3, 0.8)).mesh());
        let pose = turned(rng.direction(), rng.between(0.0, 6.0), rng.in_cube(-4.4, 4.4));
        scene.set_pose(id, pose).unwrap();
    }
    let mut collider = impinge_gpu::GpuCollider::new(impinge_gpu::Context::new().unwrap()).unwrap();
    let exact = exact_pairs(&scene);
    let mut found = |direction, offset| -> BTreeSet<[BodyId; 2]> {
        let options = RayCastOptions { direction, offset, ..RayCastOptions::default() };
        let found = collider.interference(&scene, &options).unwrap();
        found
            .pairs
            .iter()
            .map(|p| [p.penetrating.min(p.penetrated), p.penetrating.max(p.penetrated)])
            .collect()
    };
    // Two of them overlap by less than a pixel: edges moved out by half a pixel reach them.
    let plain = found(Direction::Auto, None);
    let wide = found(Direction::Auto, Some(0.5));
    let three = found(Direction::Axes, None);
    let of = |pairs: &BTreeSet<[BodyId; 2]>| {
        [pairs.intersection(&exact).count(), pairs.difference(&exact).count()]
    };
    println!("{} pairs: {:?} plain, {:?} moved, {:?} three", exact.len(), of(&plain), of(&wide), of(&three));
    assert!(exact.len() > 700 && of(&plain)[0] * 1000 > exact.len() * 995);
    assert!(exact.is_subset(&wide) && exact.is_subset(&three));
}
