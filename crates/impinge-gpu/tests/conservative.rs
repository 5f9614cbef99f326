//! The conservative method on a GPU: exactly the contacts and containments of every triangle against every other.

mod common;

use impinge::contacts::GridOptions;
use impinge::{Collider, Mesh, Method, Options, Pose, Report, Scene};
use impinge_gpu::GpuCollider;
use impinge_lab::rng::Rng;
use impinge_lab::shapes::{bumpy_sphere, cloth, sphere, subdivided_box, torus};

fn exact(scene: &Scene) -> Report {
    let options = Options { method: Method::BruteForce, ..Options::default() };
    Collider::new(options).collide(scene).unwrap().clone()
}

fn check(gpu: &mut GpuCollider, scene: &Scene, place: &str) -> Report {
    let truth = exact(scene);
    let report = gpu.collide(scene).unwrap_or_else(|error| panic!("{place}: {error}")).clone();
    assert!(report.complete, "{place}");
    assert_eq!(report.method, gpu.options.method);
    assert_eq!(report.contacts, truth.contacts, "{place}");
    assert_eq!(report.containments, truth.containments, "{place}");
    report
}

/// Nothing only when somebody asked for that.
fn conservative() -> Option<GpuCollider> {
    let mut gpu = GpuCollider::new(common::context()?).unwrap();
    gpu.options.method = Method::Grid(GridOptions::default());
    Some(gpu)
}

/// Cells from far too fine to far too coarse, and triangles that are large much too early.
fn ways() -> Vec<GridOptions> {
    let way = |cell, most_cells| GridOptions { cell, most_cells };
    vec![GridOptions::default(), way(0.01, 27), way(0.3, 1000), way(50.0, 27), way(1.0, 0)]
}

#[test]
fn every_scene_of_the_lab_at_any_size_of_cells() {
    let Some(mut gpu) = conservative() else { return };
    // The first pairs in doubt, if there are few of them, are left to the CPU.
    let pile = impinge_lab::find("pile").unwrap().build(400, 5).scene;
    check(&mut gpu, &pile, "pile");
    let mut candidates = 0;
    for lab in impinge_lab::all() {
        let mut doubtful = (0, 0);
        let mut motion = lab.build(1500, 5);
        for (frame, way) in ways().into_iter().enumerate() {
            motion.set_frame(2 * frame).unwrap();
            gpu.options.method = Method::Grid(way);
            let report =
                check(&mut gpu, &motion.scene, &format!("{}, frame {}, {way:?}", lab.name, 2 * frame));
            let stats = report.grid().unwrap();
            doubtful = (doubtful.0 + stats.doubtful, doubtful.1 + stats.candidates);
        }
        println!("{}: {} of {} candidates were left in doubt", lab.name, doubtful.0, doubtful.1);
        assert!(100 * doubtful.0 <= doubtful.1, "{}: {doubtful:?}", lab.name);
        candidates += doubtful.1;
    }
    assert!(candidates > 10_000);
}

/// Stars are certified from the second frame on; sheets that fold, tear and lie on themselves lose nothing by it.
#[test]
fn neighbours_are_certified_a_star_at_a_time_and_folds_are_found() {
    let Some(mut gpu) = conservative() else { return };
    let sheet = cloth(1500);
    let (flat, triangles) = (sheet.positions.clone(), sheet.triangles.clone());
    let mut scene = Scene::new();
    let id = scene.add("sheet", sheet.mesh());
    scene.set_self_collision(id, true).unwrap();
    let first = *check(&mut gpu, &scene, "flat").grid().unwrap();
    let second = *check(&mut gpu, &scene, "flat, again").grid().unwrap();
    assert!(first.candidates > 5 * triangles.len(), "{first:?}");
    assert!(second.candidates * 4 < first.candidates, "{first:?}, {second:?}");

    let mut rng = Rng::new(5);
    let mut contacts = 0;
    for noise in [1e-7, 1e-4, 0.01, 0.03, 0.1, 1.0] {
        for folded in [false, true] {
            let crumpled: Vec<[f64; 3]> = flat
                .iter()
                .map(|p| {
                    let [x, y, z] = p.map(|c| c + noise * rng.between(-1.0, 1.0));
                    [if folded { (x - 0.5).abs() } else { x }, y, z]
                })
                .collect();
            scene.set_positions(id, &crumpled).unwrap();
            contacts += check(&mut gpu, &scene, &format!("noise {noise}, folded {folded}")).contacts.len();
        }
    }
    assert!(contacts > 10_000, "{contacts}");
    // Other triangles: what was known of the old ones is not used.
    let torn: Vec<[u32; 3]> = triangles.iter().copied().filter(|_| rng.below(4) > 0).collect();
    let torn =
        Mesh::new(scene.body(id).unwrap().mesh().positions().iter().collect::<Vec<_>>(), torn).unwrap();
    scene.set_mesh(id, torn).unwrap();
    for frame in 0..3 {
        check(&mut gpu, &scene, &format!("torn, frame {frame}"));
        let other = scene.add("another, before it in memory", bumpy_sphere(200, frame).mesh());
        scene.set_self_collision(other, true).unwrap();
    }
}

#[test]
fn lists_that_are_too_short_grow_and_nothing_is_lost() {
    for name in ["cloth", "blobs", "soup", "zoo"] {
        let Some(lab) = impinge_lab::find(name) else { continue };
        let Some(mut gpu) = conservative() else { return };
        gpu.start_with_short_lists();
        for most_cells in [128, 3] {
            gpu.options.method = Method::Grid(GridOptions { most_cells, ..GridOptions::default() });
            let motion = lab.build(3000, 1);
            let report = check(&mut gpu, &motion.scene, &format!("{name}, short lists"));
            if most_cells == 128 {
                assert!(report.grid().unwrap().reruns > 0, "{name}: nothing was too short");
            }
        }
    }
}

#[test]
fn a_device_with_short_bindings_takes_a_scene_in_parts() {
    if common::context().is_none() {
        return;
    }
    let context = common::limited(|limits| limits.max_storage_buffer_binding_size = 128 << 10);
    let mut gpu = GpuCollider::new(context).unwrap();
    gpu.options.method = Method::Grid(GridOptions::default());
    let mut scene = Scene::new();
    let ball = bumpy_sphere(1500, 3).mesh();
    for k in 0..4 {
        let id = scene.add(format!("{k}"), ball.clone());
        scene
            .set_pose(id, Pose::from_translation([f64::from(k) * 0.7, 0.1 * f64::from(k), 0.0]).unwrap())
            .unwrap();
        scene.set_self_collision(id, k % 2 == 0).unwrap();
    }
    let report = check(&mut gpu, &scene, "in parts");
    assert!(report.contacts.len() > 100 && report.grid().unwrap().reruns > 0);
}

/// More pairs in one point than a device has buffers for, however small the region: a few chunks at a time.
#[test]
fn a_crowd_in_one_point_is_worked_off_in_batches() {
    if common::context().is_none() {
        return;
    }
    // 16,384 pairs a list.
    let context = common::limited(|limits| limits.max_storage_buffer_binding_size = 128 << 10);
    let mut gpu = GpuCollider::new(context).unwrap();
    gpu.options.method = Method::Grid(GridOptions::default());
    let mut rng = Rng::new(3);
    // Through the origin, or nearly, all of them.
    let mut leaves = |count: usize| {
        let points: Vec<[f64; 3]> = (0..count)
            .flat_map(|_| {
                let [a, b] = [rng.direction(), rng.direction()];
                [a, b, std::array::from_fn(|k| -0.5 * (a[k] + b[k]) + 0.01 * rng.between(-1.0, 1.0))]
            })
            .collect();
        let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        Mesh::new(points, triangles).unwrap()
    };
    let mut scene = Scene::new();
    let a = scene.add("a", leaves(300));
    scene.add("b", leaves(40));
    scene.set_self_collision(a, true).unwrap();
    for most_cells in [128, 1] {
        gpu.options.method = Method::Grid(GridOptions { most_cells, ..GridOptions::default() });
        let report = check(&mut gpu, &scene, "a crowd");
        assert!(report.contacts.len() > 16_384, "{} contacts", report.contacts.len());
    }
}

/// Anything that a file may hold: points, needles, triangles named twice, vertices named twice, far away, huge and tiny.
#[test]
fn nasty_bodies_at_any_scale_and_distance() {
    let mut rng = Rng::new(11);
    let Some(mut gpu) = conservative() else { return };
    let mut contacts = 0;
    for case in 0..150 {
        let mut scene = Scene::new();
        let scale = 10f64.powf(rng.between(-3.0, 6.0));
        let far = if case % 3 == 0 { 0.0 } else { 10f64.powf(rng.between(-2.0, 7.0)) };
        for body in 0..3 {
            let count = 3 + rng.below(12);
            let snap = case % 2 == 0;
            let points: Vec<[f64; 3]> = (0..count)
                .map(|_| {
                    std::array::from_fn(|_| {
                        let x = rng.between(-2.0, 2.0);
                        scale * if snap { x.round() } else { x } + far
                    })
                })
                .collect();
            let triangles: Vec<[u32; 3]> =
                (0..=rng.below(20)).map(|_| std::array::from_fn(|_| rng.below(count) as u32)).collect();
            let id = scene.add(format!("{body}"), Mesh::new(points, triangles).unwrap());
            scene.set_self_collision(id, body != 1).unwrap();
            if body == 2 && case % 5 == 0 {
                let turn = Pose::from_axis_angle([0.3, 1.0, 0.2], rng.between(-3.0, 3.0), [0.1 * scale; 3]);
                scene.set_pose(id, turn.unwrap()).unwrap();
            }
        }
        contacts +=
            check(&mut gpu, &scene, &format!("case {case}, scale {scale}, {far} away")).contacts.len();
    }
    assert!(contacts > 1000, "{contacts}");
}

#[test]
fn a_tiny_body_in_a_huge_one_is_told_apart() {
    let Some(mut gpu) = conservative() else { return };
    let mut scene = Scene::new();
    let huge = scene.add("huge", torus(700, 1e6, 3e5).mesh());
    let tiny = scene.add("tiny", cloth(600).scaled(1e-3).mesh());
    scene.set_self_collision(huge, true).unwrap();
    scene.set_self_collision(tiny, true).unwrap();
    scene.set_pose(tiny, Pose::from_translation([1.3e6, 0.0, 0.0]).unwrap()).unwrap();
    let report = check(&mut gpu, &scene, "tiny in huge");
    let stats = report.grid().unwrap();
    assert!(stats.candidates < 20_000, "{stats:?}");
}

#[test]
fn two_triangles_across_the_scene_are_taken_apart_from_the_others() {
    let Some(mut gpu) = conservative() else { return };
    let mut scene = Scene::new();
    for k in 0..3 {
        let id = scene.add(format!("{k}"), sphere(2000).mesh());
        scene.set_pose(id, Pose::from_translation([f64::from(k), 0.0, 0.0]).unwrap()).unwrap();
    }
    let across = vec![[-3.0, -3.0, -3.0], [6.0, 3.0, -2.0], [2.0, 3.0, 3.0], [-3.0, 2.0, 2.5]];
    scene.add("across", Mesh::new(across, vec![[0, 1, 2], [0, 2, 3]]).unwrap());
    let report = check(&mut gpu, &scene, "across");
    assert!(report.grid().unwrap().large >= 1, "{:?}", report.grid());
}

/// A body so large that floats near the others could not hold it takes nothing from them.
#[test]
fn a_vast_body_leaves_the_others_as_they_were() {
    let Some(mut gpu) = conservative() else { return };
    let mut scene = Scene::new();
    for k in 0..3 {
        let id = scene.add(format!("{k}"), sphere(600).mesh());
        scene.set_self_collision(id, true).unwrap();
        scene.set_pose(id, Pose::from_translation([f64::from(k), 0.0, 0.0]).unwrap()).unwrap();
    }
    check(&mut gpu, &scene, "alone");
    let alone = *check(&mut gpu, &scene, "alone, neighbours known").grid().unwrap();
    for (size, tilt) in [(1e13, 0.0), (1e20, 0.1), (1e30, 0.1), (1e300, 0.0)] {
        let mut with = scene.clone();
        // Through the middle, whichever way it is tilted.
        let wide = vec![[-size, -size, 0.0], [size, -size, 0.0], [0.0, size, tilt * size]];
        let id = with.add("vast", Mesh::new(wide, vec![[0, 1, 2]]).unwrap());
        with.set_self_collision(id, true).unwrap();
        let report = check(&mut gpu, &with, &format!("{size:e} across"));
        let stats = report.grid().unwrap();
        let most = alone.candidates + 2 * 1800;
        assert!(stats.candidates <= most, "{size:e}: {stats:?}, alone {alone:?}");
        // On the CPU it is the same method.
        let options = Options { method: Method::Grid(GridOptions::default()), ..Options::default() };
        assert_eq!(Collider::new(options).collide(&with).unwrap().contacts, report.contacts, "{size:e}");
    }
    // One with many triangles is placed, whatever that takes from the others.
    let mut with = scene.clone();
    with.add("vast ground", cloth(20_000).scaled(1e13).mesh());
    check(&mut gpu, &with, "a ground of many triangles");
}

/// Boxes face to face, some of them on the GPU alone, which turn, leave, grow and come back: what floats cannot tell is told where it is
/// found, from positions that are those of the frame.
#[test]
fn faces_that_coincide_get_exact_signs_where_they_are_found() {
    let Some(context) = common::context() else { return };
    let mut gpu = GpuCollider::new(context.clone()).unwrap();
    gpu.options =
        Options { method: Method::Grid(GridOptions::default()), containment: false, ..Options::default() };
    let coarse = subdivided_box(300, [1.0; 3]);
    let fine = subdivided_box(700, [1.0; 3]);
    let turned = |angle: f64, x: f64| {
        let [y, z] = [0.25, -0.125];
        Pose::from_axis_angle([0.2, 1.0, 0.3], angle, [0.0; 3]).map(|pose| {
            let [a, b, c] = *pose.rows();
            let at = pose.apply([2.0 * x, y * x, z * x]);
            Pose::from_rows([[a[0], a[1], a[2], at[0]], [b[0], b[1], b[2], at[1]], [c[0], c[1], c[2], at[2]]])
        })
    };
    let pose = |frame: usize, x: f64| turned([0.0, 0.7, 1.3][frame % 3], x).unwrap().unwrap();
    let (mut here, mut there) = (Scene::new(), Scene::new());
    let floats = impinge_lab::shapes::rounded(&coarse.positions);
    let held = here.add("held", Mesh::new(floats.clone(), coarse.triangles.clone()).unwrap());
    let stand_in = there.add("held", Mesh::new(Vec::<[f32; 3]>::new(), vec![]).unwrap());
    let body = impinge_gpu::GpuBody::new(
        common::bytes(&context, &floats),
        floats.len() as u32,
        common::bytes(&context, &coarse.triangles),
        coarse.triangles.len() as u32,
    );
    gpu.attach(&there, stand_in, body).unwrap();
    let mut ids = Vec::new();
    for (k, shape) in [(1.0, &coarse), (2.0, &fine), (3.0, &coarse)] {
        let added = [&mut here, &mut there].map(|scene| scene.add(format!("box {k}"), shape.mesh()));
        ids.push((k, added));
    }
    let mut exact_signs = 0;
    for frame in 0..9 {
        here.set_pose(held, pose(frame, 0.0)).unwrap();
        there.set_pose(stand_in, pose(frame, 0.0)).unwrap();
        for &(k, added) in &ids {
            // The last one is far away in every third frame: then it takes no part.
            let away = if frame % 3 == 2 && k == 3.0 { 50.0 } else { k };
            for (scene, id) in [&mut here, &mut there].into_iter().zip(added) {
                scene.set_pose(id, pose(frame, away)).unwrap();
                // The second changes, and with it where the vertices of the last are.
                let shape = if frame % 2 == 0 { &fine } else { &coarse };
                if k == 2.0 {
                    scene.set_mesh(id, shape.mesh()).unwrap();
                }
            }
        }
        let options = Options { method: Method::BruteForce, containment: false, ..Options::default() };
        let truth = Collider::new(options).collide(&here).unwrap().clone();
        let report = gpu.collide(&there).unwrap().clone();
        assert_eq!(report.contacts, truth.contacts, "frame {frame}");
        let stats = report.grid().unwrap();
        assert!(frame == 0 || stats.doubtful == 0, "frame {frame}: {stats:?}");
        exact_signs += stats.exact_signs;
    }
    assert!(exact_signs > 1000, "{exact_signs}");
}

#[test]
fn scenes_with_nothing_in_them() {
    let Some(mut gpu) = conservative() else { return };
    check(&mut gpu, &Scene::new(), "empty");
    let mut scene = Scene::new();
    let none = Mesh::new(Vec::<[f64; 3]>::new(), vec![]).unwrap();
    let id = scene.add("none", none);
    scene.set_self_collision(id, true).unwrap();
    check(&mut gpu, &scene, "no vertices");
    scene.add("box", subdivided_box(48, [1.0; 3]).mesh());
    check(&mut gpu, &scene, "one body");
    let point = Mesh::new(vec![[1.0f64; 3]; 3], vec![[0, 1, 2]]).unwrap();
    let point = scene.add("point", point);
    scene.set_self_collision(point, true).unwrap();
    check(&mut gpu, &scene, "a point on a corner");
}

/// Bodies whose triangles are on the GPU alone, beside one that is not: the contacts are those of the same scene on the CPU, also
/// when the number of live triangles changes.
#[test]
fn bodies_that_live_on_the_gpu_take_part() {
    let Some(context) = common::context() else { return };
    let mut gpu = GpuCollider::new(context.clone()).unwrap();
    gpu.options =
        Options { method: Method::Grid(GridOptions::default()), containment: false, ..Options::default() };
    let shape = bumpy_sphere(1200, 4);
    let positions = impinge_lab::shapes::rounded(&shape.positions);
    let turned = Pose::from_axis_angle([1.0, 0.2, -0.4], 0.7, [0.8, 0.1, 0.0]).unwrap();
    for live in [shape.triangles.len(), 700, 1] {
        let mut here = Scene::new();
        let mut there = Scene::new();
        let held = shape.triangles[..live].to_vec();
        for scene in [&mut here, &mut there] {
            let first = scene.add("first", torus(800, 1.0, 0.4).mesh());
            scene.set_self_collision(first, true).unwrap();
        }
        let id = here.add("second", Mesh::new(positions.clone(), held).unwrap());
        let stand_in = there.add("second", Mesh::new(Vec::<[f32; 3]>::new(), vec![]).unwrap());
        for (scene, id) in [(&mut here, id), (&mut there, stand_in)] {
            scene.set_pose(id, turned).unwrap();
            scene.set_self_collision(id, true).unwrap();
            scene.add("third", sphere(400).moved([1.4, 0.0, 0.3]).mesh());
        }
        let mut body = impinge_gpu::GpuBody::new(
            common::bytes(&context, &positions),
            positions.len() as u32,
            common::bytes(&context, &shape.triangles),
            shape.triangles.len() as u32,
        );
        body.live = Some((common::bytes(&context, &[live as u32]), 0));
        gpu.attach(&there, stand_in, body).unwrap();
        let options = Options { method: Method::BruteForce, containment: false, ..Options::default() };
        let truth = Collider::new(options).collide(&here).unwrap().clone();
        let report = gpu.collide(&there).unwrap().clone();
        assert!(report.complete);
        assert_eq!(report.contacts, truth.contacts, "{live} live");
        assert!(live == 1 || truth.contacts.len() > 50);
        for contact in &report.contacts {
            for element in [contact.a, contact.b].into_iter().filter(|element| element.body == stand_in) {
                let corners = here.body(id).unwrap().world_corners(element.triangle as usize);
                assert_eq!(gpu.triangle(element).unwrap().corners, corners);
            }
        }
    }
}
