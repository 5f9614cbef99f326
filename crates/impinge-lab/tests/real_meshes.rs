//! Meshes that people use, in pairs at random poses and deformed: brute force against the tree where the meshes are
//! small (or parts of them are taken), one thread against many where they are not.

use impinge::{Mesh, Method, Point};
use impinge_lab::rng::Rng;
use impinge_lab::runner::{METHODS, THREADS, check_scene};
use impinge_lab::vector::{add, along, dot, scale, turned};
use impinge_lab::{Actor, Motion};
use std::path::PathBuf;
use std::sync::Arc;

const SMALL: [&str; 7] =
    ["cow.obj", "spot.obj", "fandisk.obj", "homer.obj", "teapot.obj", "suzanne.obj", "fcl-rob.obj"];
const LARGE: [&str; 5] = ["stanford-bunny.obj", "horse.ply", "nefertiti.obj", "ogre.obj", "rocker-arm.obj"];
/// Triangles of a small mesh that go through brute force: two of these are half a million pairs.
const PART: usize = 700;

/// The meshes, each scaled to a box of about 1 around the origin; nothing where the data is not.
fn load(files: &[&str]) -> Vec<(String, Mesh)> {
    let data = std::env::var_os("IMPINGE_DATA").map(PathBuf::from);
    let folder =
        data.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let folder = folder.join("meshes");
    if !folder.is_dir() {
        println!(
            "skipped: no meshes in {}; set IMPINGE_DATA to the folder that holds them",
            folder.display()
        );
        return Vec::new();
    }
    let mut meshes = Vec::new();
    for file in files {
        let bodies = impinge_io::load_mesh_file(&folder.join(file)).unwrap_or_else(|error| panic!("{error}"));
        // The largest object stands for the file.
        let body = bodies.into_iter().max_by_key(|body| body.mesh.triangles().len());
        meshes.push(((*file).to_owned(), unit_sized(&body.unwrap().mesh)));
    }
    meshes
}

fn unit_sized(mesh: &Mesh) -> Mesh {
    let bounds = impinge::Bounds::of(mesh.positions().iter());
    let size = (0..3).map(|axis| bounds.max[axis] - bounds.min[axis]).fold(0.0, f64::max);
    let middle = scale(add(bounds.min, bounds.max), -0.5);
    let moved = mesh.positions().iter().map(|p| scale(add(p, middle), 1.0 / size).map(|c| c as f32));
    Mesh::new(moved.collect::<Vec<_>>(), mesh.triangles().to_vec()).unwrap()
}

/// Some triangles of a mesh, in runs of neighbours spread over it.
fn part_of(mesh: &Mesh, count: usize) -> Mesh {
    const RUN: usize = 50;
    let triangles = mesh.triangles();
    if triangles.len() <= count {
        return mesh.clone();
    }
    let runs = count.div_ceil(RUN);
    let start = |run: usize| run * (triangles.len() - RUN) / (runs - 1).max(1);
    let kept: Vec<usize> = (0..runs).flat_map(|run| start(run)..start(run) + RUN).collect();
    Mesh::new(mesh.positions().clone(), kept.into_iter().map(|t| triangles[t]).collect()).unwrap()
}

/// One stands, the other is put near it in another way every frame.
fn at_random_poses(a: &Mesh, b: &Mesh, seed: u64) -> Motion {
    let pose = move |frame: usize| {
        let mut rng = Rng::new(seed * 1000 + frame as u64);
        let t = scale(rng.direction(), rng.between(0.1, 0.6));
        turned(rng.direction(), rng.between(0.0, 6.0), t)
    };
    let (a, b) =
        (Actor::rigid("a", a.clone(), |_| impinge::Pose::IDENTITY), Actor::rigid("b", b.clone(), pose));
    Motion::new(4, vec![a, b]).unwrap()
}

/// Both deform so strongly that they also meet themselves.
fn deformed(a: &Mesh, b: &Mesh, seed: u64) -> Motion {
    let actor = |name: &str, mesh: &Mesh, aside: Point, seed: u64| {
        let rest: Arc<[Point]> = mesh.positions().iter().map(|p| add(p, aside)).collect();
        let mut rng = Rng::new(seed);
        let waves = [(); 3].map(|()| (scale(rng.direction(), 14.0), rng.direction(), rng.between(0.0, 6.0)));
        let bend = move |frame: usize| -> Vec<[f32; 3]> {
            let push = |p: Point, time: f64| {
                let add_wave = |q, &(wave, way, phase): &(Point, Point, f64)| {
                    along(q, way, 0.05 * (dot(p, wave) + phase + time).sin())
                };
                waves.iter().fold(p, add_wave).map(|c| c as f32)
            };
            rest.iter().map(|&p| push(p, frame as f64)).collect()
        };
        Actor::deforming(name, mesh.clone(), bend).with_self_collision()
    };
    Motion::new(4, vec![actor("a", a, [0.0; 3], seed), actor("b", b, [0.2, 0.15, 0.1], seed + 1)]).unwrap()
}

#[test]
fn the_tree_agrees_with_brute_force_on_small_meshes_at_random_poses() {
    let meshes: Vec<_> = load(&SMALL).into_iter().map(|(name, mesh)| (name, part_of(&mesh, PART))).collect();
    let mut contacts = 0;
    for (i, (name_a, a)) in meshes.iter().enumerate() {
        for (name_b, b) in &meshes[i..] {
            let mut motion = at_random_poses(a, b, i as u64);
            let summary = check_scene(&mut motion, 0..2, &METHODS, &[2]);
            contacts += summary.unwrap_or_else(|what| panic!("{name_a} and {name_b}: {what}")).contacts;
        }
    }
    assert!(meshes.is_empty() || contacts > 1000, "the poses are too far apart to mean anything: {contacts}");
}

#[test]
fn the_tree_agrees_with_brute_force_on_small_meshes_deformed() {
    let meshes: Vec<_> = load(&SMALL).into_iter().map(|(name, mesh)| (name, part_of(&mesh, PART))).collect();
    let mut contacts = 0;
    for two in meshes.windows(2) {
        let [(name_a, a), (name_b, b)] = two else { continue };
        let mut motion = deformed(a, b, 7);
        let summary = check_scene(&mut motion, 0..2, &METHODS, &[1, 8]);
        contacts += summary.unwrap_or_else(|what| panic!("{name_a} and {name_b}: {what}")).contacts;
    }
    assert!(meshes.is_empty() || contacts > 1000, "{contacts}");
}

#[test]
fn the_tree_agrees_with_brute_force_on_whole_meshes() {
    let meshes = load(&["cow.obj", "spot.obj", "suzanne.obj"]);
    let mut contacts = 0;
    for two in meshes.windows(2) {
        let [(name_a, a), (name_b, b)] = two else { continue };
        for mut motion in [at_random_poses(a, b, 11), deformed(a, b, 11)] {
            let summary = check_scene(&mut motion, 0..1, &METHODS, &[2]);
            contacts += summary.unwrap_or_else(|what| panic!("{name_a} and {name_b}: {what}")).contacts;
        }
    }
    assert!(meshes.is_empty() || contacts > 1000, "{contacts}");
}

#[test]
fn small_meshes_have_one_answer_for_every_number_of_threads() {
    let meshes = load(&SMALL);
    for two in meshes.windows(2) {
        let [(name_a, a), (name_b, b)] = two else { continue };
        for mut motion in [at_random_poses(a, b, 3), deformed(a, b, 3)] {
            let summary = check_scene(&mut motion, 0..2, &[Method::Bvh], &THREADS);
            summary.unwrap_or_else(|what| panic!("{name_a} and {name_b}: {what}"));
        }
    }
}

#[test]
fn large_meshes_have_one_answer_for_every_number_of_threads() {
    let meshes = load(&LARGE);
    let mut contacts = 0;
    for two in meshes.windows(2) {
        let [(name_a, a), (name_b, b)] = two else { continue };
        let mut motion = at_random_poses(a, b, 5);
        let summary = check_scene(&mut motion, 0..2, &[Method::Bvh], &THREADS);
        contacts += summary.unwrap_or_else(|what| panic!("{name_a} and {name_b}: {what}")).contacts;
    }
    if let [(_, a), (_, b), ..] = &meshes[..] {
        let mut motion = deformed(a, b, 5);
        let summary =
            check_scene(&mut motion, 0..1, &[Method::Bvh], &THREADS).unwrap_or_else(|what| panic!("{what}"));
        assert!(summary.contacts > 1000, "{summary:?}");
    }
    assert!(meshes.is_empty() || contacts > 1000, "{contacts}");
}

/// Whole meshes on the GPU, of any size and anywhere, looking at themselves too.
#[test]
fn the_conservative_method_on_a_gpu_agrees_with_the_tree() {
    let meshes = load(&SMALL);
    if meshes.is_empty() || std::env::var_os("IMPINGE_NO_GPU").is_some() {
        return;
    }
    let context = impinge_gpu::Context::new().expect("a GPU, or software for one");
    let mut gpu = impinge_gpu::GpuCollider::new(context).unwrap();
    gpu.options.method = Method::Grid(impinge::contacts::GridOptions::default());
    let mut tree =
        impinge::Collider::new(impinge::Options { method: Method::Bvh, ..impinge::Options::default() });
    let mut rng = Rng::new(5);
    let mut contacts = 0;
    for (i, (name_a, a)) in meshes.iter().enumerate() {
        let (name_b, b) = &meshes[(i + 1 + rng.below(meshes.len() - 1)) % meshes.len()];
        let size = 10f64.powf(rng.between(-3.0, 6.0));
        let far = scale(rng.direction(), 10f64.powf(rng.between(-2.0, 7.0)));
        let mut scene = impinge::Scene::new();
        for (name, mesh, apart) in [(name_a, a, 0.0), (name_b, b, rng.between(0.1, 0.6))] {
            let (axis, angle) = (rng.direction(), rng.between(0.0, 6.0));
            let aside = add(far, scale(rng.direction(), size * apart));
            let mut rows = *turned(axis, angle, aside).rows();
            for x in rows.iter_mut().flat_map(|row| &mut row[..3]) {
                *x *= size;
            }
            let id = scene.add(name.clone(), mesh.clone());
            scene.set_pose(id, impinge::Pose::from_rows(rows).unwrap()).unwrap();
            scene.set_self_collision(id, true).unwrap();
        }
        let truth = tree.collide(&scene).unwrap();
        let report = gpu.collide(&scene).unwrap_or_else(|error| panic!("{name_a} and {name_b}: {error}"));
        assert!(report.complete);
        assert_eq!(report.contacts, truth.contacts, "{name_a} and {name_b}, {size} large, at {far:?}");
        assert_eq!(report.containments, truth.containments, "{name_a} and {name_b}");
        contacts += truth.contacts.len();
    }
    assert!(contacts > 1000, "{contacts}");
}
