//! CULLIDE and FAR on the GPU against their definition and against the truth.

mod common;

use common::{box_of, bytes, context};
use impinge::contacts::{Culled, CullideOptions};
use impinge::{Collider, Contact, ContactError, Mesh, Method, Options, Point, Pose, Scene};
use impinge_gpu::{GpuBody, GpuCollider, GpuError};
use impinge_lab::rng::Rng;

fn options(cullide: CullideOptions) -> Options {
    Options { method: Method::Cullide(cullide), ..Options::default() }
}

/// Every contact between two bodies.
fn exact(scene: &Scene) -> Vec<Contact> {
    let all = Collider::default().collide(scene).unwrap().contacts.clone();
    all.into_iter().filter(|contact| contact.a.body != contact.b.body).collect()
}

/// How much two answers share: what both have kept, and all that either has.
fn shared<T: PartialEq>(a: &[T], b: &[T]) -> [usize; 2] {
    let both = a.iter().filter(|x| b.contains(x)).count();
    [both, a.len() + b.len() - both]
}

#[test]
fn reliable_culling_finds_every_contact_of_every_scene_and_keeps_what_the_cpu_keeps() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    let (mut all, mut missed) = (0, [0; 2]);
    let (mut bodies, mut pairs, mut parts) = ([0; 2], [0; 2], [0usize; 2]);
    for lab in impinge_lab::all() {
        let mut motion = lab.build(1500, 3);
        for frame in [0, 5, 9] {
            motion.set_frame(frame).unwrap();
            let scene = &motion.scene;
            let truth = exact(scene);
            let between = between_bodies(scene);
            for resolution in [[33, 20], [256, 256]] {
                let place = format!("{} frame {frame} at {resolution:?}", lab.name);
                let far = CullideOptions { resolution, ..CullideOptions::default() };
                let mut here = Collider::new(options(far));
                there.options = options(far);
                if let Some((_, body)) = scene.bodies().find(|(_, body)| body.self_collision()) {
                    let error = ContactError::SelfCollision { method: "cullide", body: body.name().into() };
                    assert_eq!(
                        there.collide(scene).unwrap_err(),
                        GpuError::Contacts(error.clone()),
                        "{place}"
                    );
                    assert_eq!(here.collide(scene).unwrap_err(), error, "{place}");
                }
                let report = there.collide(&between).unwrap();
                assert_eq!(report.contacts, truth, "{place}");
                assert!(report.complete, "{place}");
                let mine = here.collide(&between).unwrap();
                assert_eq!(mine.contacts, truth, "on the CPU, {place}");
                assert_eq!(mine.containments, report.containments, "{place}");
                let [p, q]: [&Culled; 2] = [report, mine].map(|report| report.culled().unwrap());
                add(&mut bodies, shared(&p.bodies, &q.bodies));
                add(&mut pairs, shared(&p.body_pairs, &q.body_pairs));
                parts[0] += p.sub_bodies.min(q.sub_bodies);
                parts[1] += p.sub_bodies.max(q.sub_bodies);
                let plain = CullideOptions { reliable: false, ..far };
                there.options = options(plain);
                here.options = options(plain);
                let found = there.collide(&between).unwrap();
                assert!(!found.complete);
                assert!(found.contacts.iter().all(|contact| truth.contains(contact)), "{place}");
                all += truth.len();
                missed[0] += truth.len() - found.contacts.len();
                missed[1] += truth.len() - here.collide(&between).unwrap().contacts.len();
            }
        }
    }
    println!("{all} contacts: FAR misses none; CULLIDE {} on the GPU, {} on the CPU", missed[0], missed[1]);
    println!("kept by both of all that either keeps: bodies {bodies:?}, pairs {pairs:?}, parts {parts:?}");
    assert!(all > 2000 && missed.iter().all(|missed| *missed > 50), "{all} {missed:?}");
    for [both, either] in [bodies, pairs, parts] {
        assert!(either - both <= either / 50, "they differ at borders only: {both} of {either}");
    }
}

/// The scene where nobody looks at itself.
fn between_bodies(scene: &Scene) -> Scene {
    let mut between = scene.clone();
    for (id, _) in scene.bodies() {
        between.set_self_collision(id, false).unwrap();
    }
    between
}

fn add(sum: &mut [usize; 2], [both, either]: [usize; 2]) {
    sum[0] += both;
    sum[1] += either;
}

/// Small boxes in a row of rows, each touching the next.
fn crowd(side: usize, apart: f64) -> Scene {
    let mut scene = Scene::new();
    for k in 0..side * side {
        let at = [(k % side) as f64 * apart, (k / side) as f64 * apart, (k % 7) as f64 * 0.01];
        scene.add(format!("{k}"), box_of(at, at.map(|c| c + 1.0)));
    }
    scene
}

#[test]
fn more_queries_than_a_set_holds_are_asked_in_several() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    // 484 bodies of 12 triangles, each triangle a part of its own.
    let scene = crowd(22, 0.9);
    for reliable in [true, false] {
        let cullide = CullideOptions {
            resolution: [512; 2],
            sub_body: 1,
            rounds: 1,
            reliable,
            ..CullideOptions::default()
        };
        there.options = options(cullide);
        let report = there.collide(&scene).unwrap();
        let culled = report.culled().unwrap();
        assert!(culled.stages.queries > 3 * 4096, "{:?}", culled.stages);
        let here = Collider::new(options(cullide)).collide(&scene).unwrap().clone();
        if reliable {
            assert_eq!(report.contacts, exact(&scene));
            assert_eq!(report.contacts, here.contacts);
        }
        let mine = here.culled().unwrap();
        assert!(culled.sub_bodies.abs_diff(mine.sub_bodies) * 50 <= mine.sub_bodies, "{culled:?} {mine:?}");
    }
}

#[test]
fn open_non_manifold_degenerate_and_flat_bodies_are_found_at_any_scale_and_anywhere() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    for scale in [1e-300, 1e-12, 1.0, 1e12, 1e290] {
        for away in [0.0, 1e6, 1e12] {
            let at = |p: [f64; 3]| p.map(|c| (c + away) * scale);
            let mesh = |points: &[[f64; 3]], triangles: Vec<[u32; 3]>| {
                Mesh::new(points.iter().map(|p| at(*p)).collect::<Vec<Point>>(), triangles).unwrap()
            };
            let mut scene = Scene::new();
            // Three triangles on one edge.
            let fan = [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.5], [-1.0, 0.2, 0.5], [0.1, 1.0, 0.5]];
            scene.add("fan", mesh(&fan, vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]]));
            let flat = [[-2.0, -2.0, 0.5], [2.0, -2.0, 0.5], [0.0, 2.0, 0.5]];
            scene.add("flat", mesh(&flat, vec![[0, 1, 2]]));
            scene.add("point", mesh(&[[0.25, 0.0, 0.5]], vec![[0, 0, 0]]));
            scene.add("segment", mesh(&[[-1.0, 0.1, 0.5], [1.0, 0.1, 0.5]], vec![[0, 1, 1], [0, 0, 1]]));
            scene.add("beside", mesh(&[[5.0; 3], [6.0, 5.0, 5.0], [5.0, 6.0, 5.0]], vec![[0, 1, 2]]));
            scene.add("empty", mesh(&[], Vec::new()));
            for resolution in [[16, 16], [200, 100]] {
                there.options = options(CullideOptions { resolution, ..CullideOptions::default() });
                let report = there.collide(&scene).unwrap();
                assert!(report.complete);
                assert_eq!(report.contacts, exact(&scene), "{scale} {away}");
                assert!(report.contacts.len() > 3 || away > 1e9, "{scale} {away}: {}", report.contacts.len());
            }
        }
    }
    there.options = options(CullideOptions::default());
    assert!(there.collide(&Scene::new()).unwrap().complete);
    let mut one = Scene::new();
    one.add("one", box_of([0.0; 3], [1.0; 3]));
    assert!(there.collide(&one).unwrap().contacts.is_empty());
}

#[test]
fn bodies_that_break_and_come_every_frame_are_followed() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    let mut scene = Scene::new();
    let mut ids = vec![scene.add("plate", box_of([-4.0, -4.0, 0.0], [4.0, 4.0, 0.5]))];
    let mut contacts = 0;
    for frame in 0..12u32 {
        let f = f64::from(frame);
        // Another piece falls in; the plate gets other triangles; the oldest piece goes now and then.
        let at = [(f * 1.7).sin() * 3.0, (f * 2.3).cos() * 3.0, 0.2];
        ids.push(scene.add(format!("piece {frame}"), box_of(at, at.map(|c| c + 0.7))));
        scene.set_mesh(ids[0], box_of([-4.0 + 0.1 * f, -4.0, 0.0], [4.0, 4.0 - 0.2 * f, 0.5])).unwrap();
        for (k, id) in ids.iter().enumerate().skip(1) {
            let pose = Pose::from_axis_angle([1.0, 0.3, k as f64], 0.2 * f, [0.0, 0.0, 0.05 * f]).unwrap();
            scene.set_pose(*id, pose).unwrap();
        }
        if frame % 4 == 3 {
            scene.remove(ids.remove(1)).unwrap();
        }
        for sub_body in [2, 64] {
            let cullide = CullideOptions { resolution: [200; 2], sub_body, ..CullideOptions::default() };
            there.options = options(cullide);
            let report = there.collide(&scene).unwrap();
            assert_eq!(report.contacts, exact(&scene), "frame {frame}");
            contacts += report.contacts.len();
        }
    }
    assert!(contacts > 100);
}

#[test]
fn what_may_be_nearer_than_a_distance_is_kept() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    let mut scene = Scene::new();
    let ids: Vec<_> = [0.0, 1.5, 4.0]
        .into_iter()
        .map(|x| scene.add(format!("{x}"), box_of([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])))
        .collect();
    for (distance, pairs) in [
        (None, vec![]),
        (Some(0.4), vec![]),
        (Some(0.5), vec![[0, 1]]),
        (Some(1.6), vec![[0, 1], [1, 2]]),
        (Some(3.0), vec![[0, 1], [0, 2], [1, 2]]),
    ] {
        there.options =
            options(CullideOptions { distance, resolution: [256; 2], ..CullideOptions::default() });
        let report = there.collide(&scene).unwrap();
        let culled = report.culled().unwrap();
        let expected: Vec<_> = pairs.iter().map(|pair| pair.map(|k: usize| ids[k])).collect();
        assert_eq!(culled.body_pairs, expected, "{distance:?}");
        assert!(report.contacts.is_empty() && report.complete);
    }
}

#[test]
fn bodies_that_live_on_the_gpu_are_refused() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context.clone()).unwrap();
    let mut scene = Scene::new();
    let id = scene.add("cloth", box_of([0.0; 3], [1.0; 3]));
    let positions = bytes(&context, &[[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let triangles = bytes(&context, &[[0u32, 1, 2]]);
    there.attach(&scene, id, GpuBody::new(positions, 3, triangles, 1)).unwrap();
    there.options = options(CullideOptions::default());
    let error = there.collide(&scene).unwrap_err();
    assert_eq!(error, GpuError::NotInScene { body: "cloth".into() });
    assert_eq!(
        error.to_string(),
        "body 'cloth' lives on the GPU, and cullide looks at bodies of the scene only; detach it, or use grid"
    );
    there.detach(id);
    assert!(there.collide(&scene).unwrap().complete);
}

/// Bodies of a few triangles near each other; some triangles are points, segments, flat, or long and thin.
fn nasty(rng: &mut Rng, count: usize, triangles: usize) -> Scene {
    let mut scene = Scene::new();
    for k in 0..count {
        let place: Point = [(); 3].map(|()| rng.between(-0.6, 0.6));
        let mut positions: Vec<Point> = Vec::new();
        for _ in 0..triangles {
            let from = place.map(|c| c + rng.between(-0.3, 0.3));
            let size = [0.02, 0.2, 1.0][rng.below(3)];
            let mut corners = [(); 3].map(|()| from.map(|c| c + rng.between(-size, size)));
            match rng.below(10) {
                0 => corners = [corners[0]; 3],
                1 => corners[2] = corners[1],
                2 => corners[2] = std::array::from_fn(|i| corners[0][i].midpoint(corners[1][i])),
                3 => corners[2] = corners[1].map(|c| c + 1e-7),
                4 => corners.iter_mut().for_each(|p| p[k % 3] = from[k % 3]),
                _ => {}
            }
            positions.extend(corners);
        }
        let indices = (0..triangles as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let id = scene.add(format!("{k}"), Mesh::new(positions, indices).unwrap());
        let turn = Pose::from_axis_angle([1.0, 2.0, k as f64], k as f64, [0.0; 3]).unwrap();
        scene.set_pose(id, turn).unwrap();
    }
    scene
}

#[test]
fn nasty_bodies_lose_no_contact_at_any_resolution() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    let mut rng = Rng::new(11);
    let (mut contacts, mut found) = (0, 0);
    for n in 0..80 {
        let scene = nasty(&mut rng, 3 + n % 9, 1 + n % 17);
        let truth = exact(&scene);
        let resolution = [16 + 13 * (n as u32 % 31), 16 + 17 * (n as u32 % 23)];
        let cullide = CullideOptions { resolution, sub_body: [1, 4, 32][n % 3], ..CullideOptions::default() };
        there.options = options(cullide);
        assert_eq!(there.collide(&scene).unwrap().contacts, truth, "{n} at {resolution:?}");
        there.options = options(CullideOptions { reliable: false, ..cullide });
        contacts += truth.len();
        found += there.collide(&scene).unwrap().contacts.len();
    }
    println!("{contacts} contacts; {found} of them are left by plain culling");
    assert!(contacts > 1000 && found < contacts * 9 / 10);
}
