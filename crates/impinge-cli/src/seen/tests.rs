//! Pictures and overlays show what the report says, and what can be known without it.

use super::*;
use crate::names;
use crate::picture::CONTACT;
use impinge::contacts::{GridOptions, PeelOptions};
use impinge::interference::RayCaster;
use impinge::overlap_cells::{SliceOptions, Slicer};
use impinge::stages::overlap_cells::Answer;
use impinge::{Collider, Direction, Mesh, Options, Point, Pose, Report};
use std::collections::BTreeSet;

const RAYS: [u32; 2] = [96, 64];

fn contacts(method: Method) -> Question {
    Question::Contacts(Options { method, threads: 1, ..Options::default() })
}

fn depth_peel() -> Question {
    contacts(Method::DepthPeel(PeelOptions { resolution: RAYS, ..PeelOptions::default() }))
}

fn a_buffer() -> Question {
    contacts(Method::ABuffer(ABufferOptions { resolution: RAYS, ..ABufferOptions::default() }))
}

fn cullide() -> Question {
    contacts(Method::Cullide(CullideOptions { resolution: RAYS, ..CullideOptions::default() }))
}

fn grid() -> Question {
    contacts(Method::Grid(GridOptions::default()))
}

fn ray_cast() -> RayCastOptions {
    RayCastOptions { resolution: RAYS, threads: 1, ..RayCastOptions::default() }
}

fn depth_slices() -> SliceOptions {
    SliceOptions { resolution: [16, 24], slices: 20, threads: 1, ..SliceOptions::default() }
}

/// Every question by every method, in coarse images, which are quick.
fn questions() -> [Question; 9] {
    [
        contacts(Method::Auto),
        contacts(Method::Bvh),
        contacts(Method::BruteForce),
        grid(),
        depth_peel(),
        Question::Interference(ray_cast()),
        Question::Overlap(depth_slices()),
        a_buffer(),
        cullide(),
    ]
}

fn see(scene: &Scene, question: &Question) -> Seen {
    let seen = of(scene, question).unwrap();
    check_form(&seen);
    seen
}

/// Bodies that may collide with themselves are not asked about that.
fn between_bodies(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    let ids: Vec<_> = scene.bodies().map(|(id, _)| id).collect();
    for id in ids {
        scene.set_self_collision(id, false).unwrap();
    }
    scene
}

/// The report behind a question about contacts.
fn report(scene: &Scene, question: &Question) -> Report {
    let options = question.contacts().unwrap().clone();
    let without = between_bodies(scene);
    let between = matches!(options.method, Method::Cullide(_));
    Collider::new(options).collide(if between { &without } else { scene }).unwrap().clone()
}

/// What holds for everything that is ever shown.
fn check_form(seen: &Seen) {
    let ids: Vec<&String> = seen.images.iter().map(|image| &image.id).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    let ids: Vec<&String> = seen.overlays.iter().map(|overlay| &overlay.id).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    let plain = |id: &str| id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    assert!(seen.images.len() <= 128 && seen.overlays.len() <= 128);
    for image in &seen.images {
        assert!(plain(&image.id) && !image.title.is_empty() && image.about.ends_with('.'), "{}", image.about);
        assert!(
            (1..=MAX_PIXELS_A_SIDE).contains(&image.width) && (1..=MAX_PIXELS_A_SIDE).contains(&image.height)
        );
        assert_eq!(image.rgba.len(), 4 * (image.width * image.height) as usize, "{}", image.id);
        let corners = image.corners.iter().flatten().flatten();
        assert!(corners.into_iter().all(|c| c.is_finite()), "{}", image.id);
    }
    for overlay in &seen.overlays {
        assert!(plain(&overlay.id) && !overlay.title.is_empty() && overlay.about.ends_with('.'));
        let items = overlay.points.len() / 2;
        assert!(overlay.points.len().is_multiple_of(2) && items <= 4 * MAX_ITEMS, "{}", overlay.id);
        assert!(overlay.points.as_flattened().iter().all(|c| c.is_finite()), "{}", overlay.id);
        assert!(overlay.truncated.is_none_or(|left| left > 0 && items >= MAX_ITEMS / 8), "{}", overlay.id);
        if overlay.kind == OverlayKind::Boxes {
            let whole = |ends: &[[f32; 3]]| (0..3).all(|k| ends[0][k] <= ends[1][k]);
            assert!(overlay.points.chunks(2).all(whole), "{}", overlay.id);
        }
    }
}

fn cube(low: f64, high: f64) -> Mesh {
    let corner = |k: usize| std::array::from_fn(|axis| if k >> axis & 1 == 0 { low } else { high });
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new((0..8).map(corner).collect::<Vec<Point>>(), triangles).unwrap()
}

/// They share the cube from 0.5 to 1.
fn two_cubes() -> Scene {
    let mut scene = Scene::new();
    scene.add("a", cube(0.0, 1.0));
    scene.add("b", cube(0.5, 1.5));
    scene
}

fn overlay<'a>(seen: &'a Seen, id: &str) -> &'a Overlay {
    seen.overlays.iter().find(|overlay| overlay.id == id).unwrap()
}

fn image<'a>(seen: &'a Seen, id: &str) -> &'a SeenImage {
    seen.images.iter().find(|image| image.id == id).unwrap()
}

fn red(image: &SeenImage) -> usize {
    image.rgba.chunks(4).filter(|pixel| pixel[..3] == CONTACT).count()
}

/// Boxes of an overlay, each by a corner and three edges from there.
fn drawn_boxes(overlay: &Overlay) -> Vec<(Point, [Point; 3])> {
    let wide = |p: [f32; 3]| p.map(f64::from);
    let minus = |p: Point, q: Point| -> Point { std::array::from_fn(|k| p[k] - q[k]) };
    match overlay.kind {
        OverlayKind::Boxes => overlay
            .points
            .chunks(2)
            .map(|ends| {
                let (low, size) = (wide(ends[0]), minus(wide(ends[1]), wide(ends[0])));
                (low, std::array::from_fn(|k| std::array::from_fn(|i| if i == k { size[k] } else { 0.0 })))
            })
            .collect(),
        OverlayKind::Segments => {
            let edges = |points: &[[f32; 3]]| {
                (wide(points[0]), [1, 3, 5].map(|k| minus(wide(points[k]), wide(points[0]))))
            };
            overlay.points.chunks(24).map(edges).collect()
        }
    }
}

/// Whether a point is in some box, up to the rounding of floats.
fn is_in_a_box(p: Point, boxes: &[(Point, [Point; 3])]) -> bool {
    let slack = 1e-5 * p.iter().fold(1.0, |most: f64, c| most.max(c.abs()));
    boxes.iter().any(|(corner, edges)| {
        edges.iter().all(|edge| {
            let length = edge.iter().map(|c| c * c).sum::<f64>().sqrt();
            let at = (0..3).map(|k| (p[k] - corner[k]) * edge[k]).sum::<f64>() / length.max(1e-300);
            // An edge without a length says nothing.
            length == 0.0 || (-slack..=length + slack).contains(&at)
        })
    })
}

/// What every triangle against every other says.
fn truth(scene: &Scene) -> Report {
    let options = Options { method: Method::BruteForce, shapes: true, ..Options::default() };
    Collider::new(options).collide(scene).unwrap().clone()
}

fn lab(name: &str, triangles: usize) -> Scene {
    let mut motion = impinge_lab::find(name).unwrap().build(triangles, 3);
    motion.set_frame(motion.frames / 2).unwrap();
    motion.scene
}

#[test]
fn rays_through_two_cubes_overlap_where_the_cubes_do() {
    let peel = PeelOptions {
        resolution: [64, 64],
        direction: Direction::Along([0.0, 0.0, 1.0]),
        ..PeelOptions::default()
    };
    let seen = see(&two_cubes(), &contacts(Method::DepthPeel(peel)));
    // A border of 1.25 pixels is around what they share: middles of 62 x 62 pixels are within it. Eight by eight pixels of the
    // picture are one of the image.
    let rays = overlay(&seen, "view-1-rays");
    assert_eq!((rays.points.len(), rays.truncated), (2 * 62 * 62, None));
    assert_eq!(red(image(&seen, "view-1-rays")), 62 * 62 * 64);
    for ends in rays.points.chunks(2) {
        assert!((ends[0][2] - 0.5).abs() < 1e-5 && (ends[1][2] - 1.0).abs() < 1e-5, "{ends:?}");
        assert!(ends.iter().all(|p| (0.5..=1.0).contains(&p[0]) && (0.5..=1.0).contains(&p[1])));
    }
    // Entered twice, left twice.
    assert_eq!(seen.images.iter().filter(|image| image.id.contains("layer")).count(), 4);
    // The corners hold the shared square, with the border around it.
    let corners = image(&seen, "view-1-rays").corners.unwrap();
    let border = 0.5 * 1.25 / 61.5;
    for (corner, [x, y]) in corners.iter().zip([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]) {
        let at = |part: f32| 0.5 - border + part * (0.5 + 2.0 * border);
        assert!((corner[0] - at(x)).abs() < 1e-4 && (corner[1] - at(y)).abs() < 1e-4, "{corners:?}");
    }
}

#[test]
fn what_does_not_fit_is_counted() {
    let peel = PeelOptions {
        resolution: [256, 256],
        direction: Direction::Along([0.0, 0.0, 1.0]),
        ..PeelOptions::default()
    };
    let seen = see(&two_cubes(), &contacts(Method::DepthPeel(peel)));
    let rays = overlay(&seen, "view-1-rays");
    assert!(rays.points.len() / 2 <= MAX_ITEMS);
    assert_eq!(rays.points.len() / 2 + rays.truncated.unwrap(), 254 * 254);
}

#[test]
fn counts_are_those_of_the_report() {
    for name in ["knots", "boxes", "spheres", "cloth"] {
        let scene = lab(name, 900);
        let report = |question: &Question| report(&scene, question);
        let items = |seen: &Seen, id: &str| {
            let overlay = overlay(seen, id);
            overlay.points.len() / 2 + overlay.truncated.unwrap_or(0)
        };

        let seen = see(&scene, &depth_peel());
        let rays = report(&depth_peel()).rays().unwrap().rays;
        assert_eq!(items(&seen, "view-1-rays"), rays, "{name}");
        assert_eq!(red(image(&seen, "view-1-rays")) > 0, rays > 0);

        let seen = see(&scene, &a_buffer());
        assert_eq!(items(&seen, "view-1-near"), report(&a_buffer()).rays().unwrap().rays, "{name}");

        let seen = see(&scene, &Question::Interference(ray_cast()));
        let mut caster = RayCaster::new(ray_cast());
        let found = caster.find(&scene).unwrap();
        assert_eq!(items(&seen, "edges"), found.edges.len(), "{name}");
        assert_eq!(items(&seen, "points"), found.points.len(), "{name}");
        let pixels: usize = found.pairs.iter().map(|pair| pair.pixels).sum();
        if pixels > 0 {
            let shown = image(&seen, "view-1-inside");
            assert!(
                shown.about.contains(&names::counted(pixels, "time", "times")),
                "{name}: {}",
                shown.about
            );
            assert!(red(shown) > 0);
        }

        let seen = see(&between_bodies(&scene), &cullide());
        assert_eq!(items(&seen, "parts"), report(&cullide()).culled().unwrap().sub_bodies, "{name}");

        let seen = see(&scene, &Question::Overlap(depth_slices()));
        let mut slicer = Slicer::new(depth_slices());
        let sliced = slicer.find(&scene);
        let meet = || sliced.pairs.iter().filter(|pair| pair.answer != Answer::No);
        let cells = &overlay(&seen, "cells").about;
        let expected = meet().map(|pair| pair.cells as usize).sum();
        assert!(cells.starts_with(&names::counted(expected, "cell that", "cells that")), "{name}: {cells}");

        let seen = see(&scene, &grid());
        let kept = names::counted(report(&grid()).grid().unwrap().kept, "triangle", "triangles");
        assert!(image(&seen, "cells").about.contains(&kept), "{name}");

        let seen = see(&scene, &contacts(Method::Bvh));
        let stages = report(&contacts(Method::Bvh)).stages;
        assert!(seen.images[0].about.contains(&names::counted(stages.contacts, "contact", "contacts")));
    }
}

/// A method that misses nothing has looked wherever something touches.
#[test]
fn every_contact_is_in_a_box_of_a_complete_method() {
    let shown = [
        (contacts(Method::Bvh), &["patches"][..]),
        (contacts(Method::Bvh), &["level-0"]),
        (grid(), &["cells", "large", "group-1-cells", "group-1-large", "group-2-cells"]),
        (cullide(), &["parts"]),
        (Question::Overlap(depth_slices()), &["volumes"]),
    ];
    let mut checked = [0; 5];
    for name in ["knots", "boxes", "spheres", "cloth", "creatures", "soup", "pile", "chain"] {
        let scene = lab(name, 700);
        let truth = truth(&scene);
        for (k, (question, ids)) in shown.iter().enumerate() {
            let seen = see(&scene, question);
            let overlays = seen.overlays.iter().filter(|overlay| ids.contains(&overlay.id.as_str()));
            let boxes: Vec<_> = overlays.flat_map(drawn_boxes).collect();
            // Bodies of one patch each have no other level.
            if boxes.is_empty() && ids == &["level-0"] {
                continue;
            }
            // Two methods are not asked about bodies with themselves.
            let between = k >= 3;
            let contacts = truth.contacts.iter().zip(&truth.shapes);
            for (contact, shape) in
                contacts.filter(|(contact, _)| !between || contact.a.body != contact.b.body)
            {
                for &p in shape.points() {
                    assert!(is_in_a_box(p, &boxes), "{name} {question:?}: {p:?} of {contact:?}");
                    checked[k] += 1;
                }
            }
        }
    }
    assert!(checked.iter().all(|&points| points > 500), "{checked:?}");
}

#[test]
fn interfering_points_are_near_an_interfering_edge() {
    let scene = lab("knots", 900);
    let seen = see(&scene, &Question::Interference(ray_cast()));
    let edges = overlay(&seen, "edges");
    assert!(!edges.points.is_empty());
    for ends in overlay(&seen, "points").points.chunks(2) {
        let near = |edge: &[[f32; 3]]| {
            let (low, high) = (|k: usize| edge[0][k].min(edge[1][k]), |k: usize| edge[0][k].max(edge[1][k]));
            (0..3).all(|k| low(k) <= ends[1][k] && ends[0][k] <= high(k))
        };
        assert!(edges.points.chunks(2).any(near), "{ends:?}");
    }
}

/// Every scene of the lab, and scenes in which there is nothing or nothing good to see.
#[test]
fn there_is_something_to_say_about_any_scene() {
    let mut scenes = vec![Scene::new(), two_cubes()];
    let mut add = |meshes: Vec<Mesh>, self_collision: bool| {
        let mut scene = Scene::new();
        for (k, mesh) in meshes.into_iter().enumerate() {
            let id = scene.add(format!("{k}"), mesh);
            scene.set_self_collision(id, self_collision).unwrap();
        }
        scenes.push(scene);
    };
    let nothing = || Mesh::new(Vec::<Point>::new(), Vec::new()).unwrap();
    let point = || Mesh::new(vec![[1.0f64; 3]; 3], vec![[0, 1, 2], [0, 0, 0]]).unwrap();
    let flat =
        || Mesh::new(vec![[0.0f64, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], vec![[0, 1, 2]]).unwrap();
    add(vec![cube(0.0, 1.0)], true);
    add(vec![cube(0.0, 1.0), cube(5.0, 6.0)], true);
    add(vec![nothing(), cube(0.0, 1.0), nothing()], true);
    add(vec![point(), point(), cube(0.0, 2.0)], true);
    add(vec![flat(), flat()], false);
    add(vec![cube(0.0, 1e300), cube(5e299, 1.5e300)], false);
    add(vec![cube(0.0, 1e-300), cube(5e-301, 1.5e-300)], false);
    add(vec![cube(0.0, 1e-3), cube(0.0, 1e9)], true);
    add(vec![cube(1e30, 1.0000001e30), cube(1e30, 1.0000001e30)], false);
    let mut turned = two_cubes();
    let id = turned.bodies().next().unwrap().0;
    turned.set_pose(id, Pose::from_axis_angle([1.0, 2.0, 3.0], 0.5, [0.2, 0.0, 0.1]).unwrap()).unwrap();
    scenes.push(turned);
    scenes.extend(impinge_lab::all().iter().map(|scene| lab(scene.name, 200)));
    for (k, scene) in scenes.iter().enumerate() {
        for question in questions() {
            let question = match question {
                Question::Contacts(Options { method: Method::DepthPeel(choices), .. }) if k % 2 == 1 => {
                    let direction = Direction::Along([1.0, 2.0, -0.5]);
                    contacts(Method::DepthPeel(PeelOptions { direction, ..choices }))
                }
                question => question,
            };
            match of(scene, &question) {
                Ok(seen) => check_form(&seen),
                // Another method answers then, or none does.
                Err(error) => {
                    assert!(matches!(error, Error::NotSeen { .. }), "{error}");
                    match question.contacts() {
                        Some(options) => assert_ne!(report(scene, &question).method, options.method, "{k}"),
                        None => assert!(RayCaster::new(ray_cast()).find(scene).is_err(), "{k}"),
                    }
                }
            }
        }
    }
}

#[test]
fn every_triangle_against_every_other_shows_nothing() {
    let seen = see(&two_cubes(), &contacts(Method::BruteForce));
    assert!(seen.images.is_empty() && seen.overlays.is_empty());
}
