//! The stages against rays and triangles in doubles, which share nothing with them; then whole answers.

use super::*;
use crate::contacts::Report;
use crate::image::options::{Direction, Looking};
use crate::image::{ViewTask, gather, plan_views};
use crate::interference::testing::{brick, cube};
use crate::scene::{Mesh, Point};
use crate::{Collider, Contact, Method, Options, Scene};
use std::collections::BTreeSet;

fn numbers(mut state: u32) -> impl FnMut(f64, f64) -> f64 {
    move |low, high| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * f64::from(state >> 8) / f64::from(1 << 24)
    }
}

/// Loose triangles, some of them small, some thin.
fn soup(random: &mut impl FnMut(f64, f64) -> f64, triangles: u32) -> Mesh {
    let mut positions = Vec::new();
    for k in 0..triangles {
        let at = [(); 3].map(|()| random(-1.0, 1.0));
        let size = if k % 7 == 0 { 0.02 } else { 0.5 };
        for _ in 0..3 {
            positions.push(at.map(|c: f64| c + random(-size, size)));
        }
    }
    Mesh::new(positions, (0..triangles).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect()).unwrap()
}

fn looks(scene: &Scene, options: &ABufferOptions) -> Vec<ViewTask> {
    plan_views(scene, &Looking::from(options)).unwrap()
}

fn options(resolution: [u32; 2]) -> ABufferOptions {
    let direction = Direction::Along([0.1, -0.2, 1.0]);
    ABufferOptions { resolution, direction, ..ABufferOptions::default() }
}

fn run(scene: &Scene, a_buffer: ABufferOptions) -> Report {
    let options = Options { method: Method::ABuffer(a_buffer), ..Options::default() };
    Collider::new(options).collide(scene).unwrap().clone()
}

fn exact(scene: &Scene) -> Report {
    Collider::new(Options { method: Method::BruteForce, ..Options::default() })
        .collide(scene)
        .unwrap()
        .clone()
}

/// Where the line through two points meets a triangle, as a part of the way, and how far that is from its border, as the
/// least of the three weights.
fn meets(from: Point, to: Point, corners: [Point; 3]) -> Option<[f64; 2]> {
    let minus = |p: Point, q: Point| -> Point { std::array::from_fn(|k| p[k] - q[k]) };
    let dot = |p: Point, q: Point| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let cross = |p: Point, q: Point| -> Point {
        std::array::from_fn(|k| p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3])
    };
    let (along, u, v) = (minus(to, from), minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    let volume = dot(along, cross(u, v));
    if volume == 0.0 {
        return None;
    }
    let away = minus(from, corners[0]);
    let part = -dot(away, cross(u, v)) / volume;
    let at: Point = std::array::from_fn(|k| away[k] + part * along[k]);
    let normal = cross(u, v);
    let square = dot(normal, normal);
    let [b, c] = [dot(cross(at, v), normal) / square, dot(cross(u, at), normal) / square];
    Some([part, b.min(c).min(1.0 - b - c)])
}

#[test]
fn every_ray_meets_what_a_ray_in_doubles_meets() {
    let mut random = numbers(5);
    let (mut compared, mut doubtful) = (0, 0);
    for round in 0..6 {
        let mut scene = Scene::new();
        for name in ["a", "b"] {
            let id = scene.add(name, soup(&mut random, 40));
            scene.set_self_collision(id, round % 2 == 0).unwrap();
        }
        let options = options([61, 47]);
        for look in looks(&scene, &options) {
            let view = &look.view;
            let near = options.near(view);
            let (vertices, triangles) = gather::gather(&scene, &look.members, view);
            let regions = RegionOfInterest::of_all(&scene, &look, near);
            let sheet = Sheet {
                width: view.width,
                vertices: &vertices,
                triangles: &triangles,
                members: &look.members,
                regions: &regions,
            };
            let rows = 0..view.height;
            let kept = sheet.accumulate(&rows, &sheet.counts(&rows));
            for ray in 0..kept.rays() {
                let (x, y) = (ray as u32 % view.width, ray as u32 / view.width);
                let [from, to] =
                    [0.0, 1.0].map(|depth| view.unproject([f64::from(x) + 0.5, f64::from(y) + 0.5, depth]));
                let mut expected = BTreeSet::new();
                let mut is_doubtful = false;
                for (k, member) in look.members.iter().enumerate() {
                    let body = scene.body(member.id).unwrap();
                    let region = &regions[k];
                    let here = (region.columns[0]..region.columns[1]).contains(&x)
                        && (region.rows[0]..region.rows[1]).contains(&y);
                    for triangle in 0..member.triangles {
                        let corners = body.world_corners(triangle as usize);
                        let Some([depth, inside]) = meets(from, to, corners) else { continue };
                        let off = region.depths.map(|end| depth - f64::from(end));
                        if inside.abs() < 1e-3 || off.iter().any(|off| off.abs() < 1e-4) {
                            is_doubtful = true;
                        } else if inside > 0.0 && off[0] > 0.0 && off[1] < 0.0 && here {
                            expected.insert((member.first_triangle + triangle, (depth * 1e3).round() as i64));
                        }
                    }
                }
                if is_doubtful {
                    doubtful += 1;
                    continue;
                }
                let met = kept.of(ray);
                assert_eq!(met.len(), expected.len(), "ray {x} {y}: {met:?}, {expected:?}");
                for (triangle, depth) in expected {
                    let fragment = met.iter().find(|fragment| fragment.triangle() == triangle).unwrap();
                    let off = (f64::from(fragment.depth) * 1e3).round() as i64 - depth;
                    assert!(off.abs() <= 1, "ray {x} {y}: {fragment:?}, {depth}");
                    compared += 1;
                }
                assert!(met.is_sorted_by(|p, q| p.depth <= q.depth));
            }
        }
    }
    assert!(compared > 5000 && doubtful * 20 < compared, "{compared}, {doubtful}");
}

#[test]
fn facing_tells_where_a_ray_enters_a_solid_and_where_it_leaves() {
    let mut scene = Scene::new();
    scene.add("a", cube([0.0; 3], 2.0));
    let mirrored = scene.add("b", cube([0.0; 3], 1.9));
    let rows = [[-1.0, 0.0, 0.0, 0.1], [0.0, 1.0, 0.0, 0.1], [0.0, 0.0, 1.0, 0.1]];
    scene.set_pose(mirrored, crate::Pose::from_rows(rows).unwrap()).unwrap();
    let look = &looks(&scene, &ABufferOptions { epsilon: Some(0.0), ..options([40, 40]) })[0];
    let (vertices, triangles) = gather::gather(&scene, &look.members, &look.view);
    let regions = RegionOfInterest::of_all(&scene, look, 1.0);
    let sheet = Sheet {
        width: 40,
        vertices: &vertices,
        triangles: &triangles,
        members: &look.members,
        regions: &regions,
    };
    let kept = sheet.accumulate(&(0..40), &sheet.counts(&(0..40)));
    let mut seen = 0;
    for ray in 0..kept.rays() {
        for member in &look.members {
            let first = member.first_triangle;
            let of_body = |f: &&Fragment| (first..first + member.triangles).contains(&f.triangle());
            let met: Vec<bool> = kept.of(ray).iter().filter(of_body).map(|f| f.is_back()).collect();
            assert!(met.is_empty() || met == [false, true], "{met:?}");
            seen += met.len();
        }
    }
    assert!(seen > 1000);
}

#[test]
fn pairs_are_all_near_surfaces_but_for_those_of_one_body_and_neighbours() {
    let mut random = numbers(11);
    let mut scene = Scene::new();
    for (name, with_itself) in [("a", false), ("b", true)] {
        let id = scene.add(name, soup(&mut random, 60));
        scene.set_self_collision(id, with_itself).unwrap();
    }
    // Every second triangle begins where the one before it ended.
    let mesh = soup(&mut random, 60);
    let shared = mesh.triangles().iter().map(|t| t.map(|v| if v % 6 == 3 { v - 1 } else { v })).collect();
    let id = scene.add("c", Mesh::new(mesh.positions().clone(), shared).unwrap());
    scene.set_self_collision(id, true).unwrap();
    let look = &looks(&scene, &options([50, 50]))[0];
    let (vertices, triangles) = gather::gather(&scene, &look.members, &look.view);
    let mut counts = Vec::new();
    for near in [0.0, 0.01, 0.1, 2.0] {
        let regions = RegionOfInterest::of_all(&scene, look, near);
        let members = &look.members[..];
        let sheet =
            Sheet { width: 50, vertices: &vertices, triangles: &triangles, members, regions: &regions };
        let kept = sheet.accumulate(&(0..50), &sheet.counts(&(0..50)));
        let mut pairs = Pairs::default();
        pairs.add(&sheet, &kept, near);
        pairs.tidy();
        let mut expected = BTreeSet::new();
        for ray in 0..kept.rays() {
            for p in kept.of(ray) {
                for q in kept.of(ray).iter().filter(|q| p.triangle() < q.triangle()) {
                    let owners = [p, q].map(|f| gather::owner(members, f.triangle()));
                    let of_body = |f: &Fragment, k: usize| {
                        let body = scene.body(members[k].id).unwrap();
                        body.mesh().triangles()[(f.triangle() - members[k].first_triangle) as usize]
                    };
                    let neighbours = of_body(p, owners[0]).iter().any(|v| of_body(q, owners[1]).contains(v));
                    let apart = owners[0] != owners[1] || (owners[0] > 0 && !neighbours);
                    if apart && (p.depth - q.depth).abs() <= near {
                        expected.insert([p.triangle(), q.triangle()]);
                    }
                }
            }
        }
        assert_eq!(pairs.triangles, expected.into_iter().collect::<Vec<_>>());
        counts.push(pairs.triangles.len());
    }
    assert!(counts.is_sorted() && counts[0] < 10 && counts[3] > 500, "{counts:?}");
}

#[test]
fn contacts_are_true_sorted_and_nearly_all_of_them_where_triangles_are_larger_than_pixels() {
    let mut random = numbers(3);
    let mut scene = Scene::new();
    for name in ["a", "b", "c"] {
        let id = scene.add(name, soup(&mut random, 50));
        scene.set_self_collision(id, name == "b").unwrap();
    }
    let all = exact(&scene);
    for direction in [Direction::Auto, Direction::TwoAxes, Direction::Axes] {
        let found = run(&scene, ABufferOptions { direction, ..options([512, 512]) });
        assert!(!found.complete && found.method.name() == "a_buffer");
        assert!(found.contacts.iter().all(|contact| all.contacts.contains(contact)));
        let key = |c: &Contact| (c.a.body, c.b.body, c.a.triangle, c.b.triangle);
        assert!(found.contacts.is_sorted_by(|p, q| key(p) < key(q)));
        let recall = found.contacts.len() as f64 / all.contacts.len() as f64;
        assert!(recall > 0.9, "{direction:?}: {} of {}", found.contacts.len(), all.contacts.len());
        let image = found.rays().unwrap();
        assert!(image.fragments > 0 && image.deepest > 2 && image.tests >= found.contacts.len());
    }
}

#[test]
fn epsilon_trades_pairs_for_contacts() {
    let mut scene = Scene::new();
    scene.add("a", cube([0.0; 3], 2.0));
    scene.add("b", cube([0.3, 0.2, 0.1], 2.0));
    let all = exact(&scene).contacts.len();
    let mut before = (0, 0);
    for epsilon in [0.0, 0.01, 0.1, 1e300, f64::INFINITY] {
        let found = run(&scene, ABufferOptions { epsilon: Some(epsilon), ..options([200, 200]) });
        let now = (found.rays().unwrap().tests, found.contacts.len());
        assert!(before.0 <= now.0 && before.1 <= now.1, "{before:?}, {now:?}");
        before = now;
    }
    assert!(before.1 > all / 2, "{before:?} of {all}");
    for epsilon in [-1.0, f64::NAN] {
        let found = run(&scene, ABufferOptions { epsilon: Some(epsilon), ..options([64, 64]) });
        assert_eq!(found.rays().unwrap().tests, 0);
    }
}

#[test]
fn nothing_is_found_where_nothing_is_and_degenerate_bodies_do_no_harm() {
    let nothing = || Mesh::new(Vec::<[f32; 3]>::new(), Vec::new()).unwrap();
    let mut scene = Scene::new();
    assert!(run(&scene, options([8, 8])).contacts.is_empty());
    let id = scene.add("nothing", nothing());
    scene.set_self_collision(id, true).unwrap();
    assert!(run(&scene, options([8, 8])).contacts.is_empty());
    scene.add("cube", cube([0.0; 3], 2.0));
    assert!(run(&scene, options([8, 8])).contacts.is_empty());
    // A point, a segment, triangles without area, and one larger than everything.
    let flat = Mesh::new(
        vec![
            [0.0, 0.0, 0.0],
            [1.0, 1.0, 1.0],
            [0.5, 0.5, 0.5],
            [1e6, 0.0, 0.2],
            [-1e6, 1e6, 0.1],
            [0.0, -1e6, 0.3],
        ],
        vec![[0, 0, 0], [0, 1, 0], [0, 1, 2], [3, 4, 5]],
    );
    let id = scene.add("flat", flat.unwrap());
    scene.set_self_collision(id, true).unwrap();
    let all = exact(&scene);
    for direction in [Direction::Auto, Direction::Axes, Direction::Along([0.0, 0.0, 1.0])] {
        let found = run(&scene, ABufferOptions { direction, ..options([64, 64]) });
        assert!(found.contacts.iter().all(|contact| all.contacts.contains(contact)));
    }
    for size in [1e-300, 1e-30, 1e30, 1e300] {
        let mut scene = Scene::new();
        scene.add("a", brick([-size; 3], [size; 3]));
        scene.add("b", brick([-size / 2.0; 3], [size * 1.5; 3]));
        let (found, all) = (run(&scene, options([128, 128])), exact(&scene));
        assert!(found.contacts.iter().all(|contact| all.contacts.contains(contact)));
        assert!(!found.contacts.is_empty(), "{size}");
    }
}

#[test]
fn bodies_inside_others_are_contained_and_one_answer_is_one() {
    let mut scene = Scene::new();
    scene.add("outer", cube([0.0; 3], 4.0));
    scene.add("inner", cube([0.0; 3], 1.0));
    assert_eq!(run(&scene, options([64, 64])).containments.len(), 1);
    scene.add("across", cube([1.0; 3], 3.0));
    let query = crate::Query::Any;
    let options = Options { method: Method::ABuffer(options([64, 64])), query, ..Options::default() };
    assert_eq!(Collider::new(options).collide(&scene).unwrap().contacts.len(), 1);
}
