//! The sentences of the contract that need a body or two to show, each under its own name.

use impinge::{Contact, Mesh, Pose, Report, Scene};
use impinge_lab::known::{Count, KnownAnswer, of_complex};
use impinge_lab::oracle::{neighbours_touch, triangles_touch};
use impinge_lab::runner::{METHODS, THREADS, check_scene};
use impinge_lab::shapes::{Shape, bumpy_sphere, hollow_shell, lattice_box, sphere, tetrahedron, torus};
use impinge_lab::vector::{Point, moved, turned};
use impinge_lab::{Actor, Motion, Track};

/// The report that every method and number of threads gives.
fn agreed(bodies: Vec<(&str, Mesh, Pose)>) -> (Report, Motion) {
    let actor = |(name, mesh, pose): (&str, Mesh, Pose)| Actor::rigid(name, mesh, move |_| pose);
    let mut motion = Motion::new(1, bodies.into_iter().map(actor).collect()).unwrap();
    check_scene(&mut motion, [0], &METHODS, &THREADS).unwrap();
    let mut collider = impinge::Collider::default();
    (collider.collide(&motion.scene).unwrap().clone(), motion)
}

fn contained(report: &Report, scene: &Scene) -> Vec<(String, String)> {
    let name = |id| scene.body(id).unwrap().name().to_owned();
    report.containments.iter().map(|c| (name(c.inner), name(c.outer))).collect()
}

fn names(inner: &str, outer: &str) -> (String, String) {
    (inner.to_owned(), outer.to_owned())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    moved([x, y, z])
}

#[test]
fn a_body_wholly_inside_another_is_contained() {
    let pea = bumpy_sphere(200, 1).scaled(0.2).mesh_f32();
    for (name, outer, place) in [
        ("ball", sphere(300), [0.1, 0.2, -0.3]),
        ("box", lattice_box([-1; 3], [2; 3]), [0.5, 0.5, 0.5]),
        ("ring", torus(900, 2.0, 0.6), [0.0, 2.0, 0.05]),
    ] {
        let (report, motion) =
            agreed(vec![(name, outer.mesh_f32(), Pose::IDENTITY), ("pea", pea.clone(), moved(place))]);
        assert_eq!(report.contacts, [], "{name}");
        assert_eq!(contained(&report, &motion.scene), [names("pea", name)]);
        assert!(report.collides());
    }
}

#[test]
fn a_body_inside_a_hollow_of_another_is_not_a_collision() {
    let shell = hollow_shell(800, 2.0, 1.5).mesh_f32();
    let pea = sphere(200).scaled(0.2).mesh_f32();
    let (report, _) =
        agreed(vec![("shell", shell.clone(), Pose::IDENTITY), ("pea", pea.clone(), at(0.5, 0.0, 0.0))]);
    assert!(!report.collides(), "{:?} {:?}", report.contacts, report.containments);

    let (report, motion) = agreed(vec![("shell", shell, Pose::IDENTITY), ("pea", pea, at(0.0, 1.75, 0.0))]);
    assert_eq!(contained(&report, &motion.scene), [names("pea", "shell")], "in the wall it is one");
}

#[test]
fn a_body_inside_a_body_inside_a_hollow_is_contained_by_the_body_only() {
    let (report, motion) = agreed(vec![
        ("shell", hollow_shell(800, 2.0, 1.5).mesh_f32(), Pose::IDENTITY),
        ("planet", sphere(200).mesh_f32(), Pose::IDENTITY),
        ("core", sphere(200).scaled(0.3).mesh_f32(), at(0.1, 0.2, 0.3)),
    ]);
    assert_eq!(report.contacts, []);
    assert_eq!(contained(&report, &motion.scene), [names("core", "planet")]);
}

#[test]
fn a_body_in_the_wall_around_a_hollow_is_not_contained_since_it_holds_the_hollow() {
    let (report, motion) = agreed(vec![
        ("shell", hollow_shell(800, 2.0, 1.0).mesh_f32(), Pose::IDENTITY),
        ("lining", sphere(400).scaled(1.5).mesh_f32(), Pose::IDENTITY),
        ("pea", sphere(200).scaled(0.2).mesh_f32(), Pose::IDENTITY),
    ]);
    assert_eq!(report.contacts, []);
    assert_eq!(contained(&report, &motion.scene), [names("pea", "lining")]);
}

#[test]
fn a_hole_through_a_body_is_not_inside_it() {
    let (report, _) = agreed(vec![
        ("ring", torus(900, 2.0, 0.6).mesh_f32(), Pose::IDENTITY),
        ("pea", sphere(200).mesh_f32(), Pose::IDENTITY),
    ]);
    assert!(!report.collides());
}

#[test]
fn a_body_that_touches_another_from_inside_is_contained_and_in_contact() {
    let (report, motion) = agreed(vec![
        ("box", lattice_box([0; 3], [3; 3]).mesh(), Pose::IDENTITY),
        ("brick", lattice_box([0; 3], [1; 3]).mesh(), Pose::IDENTITY),
        ("stone", lattice_box([0; 3], [1; 3]).mesh(), at(1.0, 1.0, 1.0)),
        ("bump", lattice_box([0; 3], [1; 3]).mesh(), at(3.0, 1.0, 1.0)),
    ]);
    assert_eq!(contained(&report, &motion.scene), [names("brick", "box"), names("stone", "box")]);
    let pair = |a: usize, b: usize| {
        let ids = (motion.bodies[a], motion.bodies[b]);
        report.pairs.iter().find(|pair| (pair.a, pair.b) == ids).map_or(0, |pair| pair.contacts.len())
    };
    assert!(pair(0, 1) > 0, "the brick stands in a corner of the box");
    assert_eq!(pair(0, 2), 0, "the stone stands in its middle");
    assert!(pair(0, 3) > 0, "the bump stands against it from outside");
    assert!(pair(1, 2) > 0, "brick and stone share one corner");
}

#[test]
fn two_identical_meshes_at_the_same_place_touch_and_neither_contains_the_other() {
    let pose = turned([1.0, 2.0, 3.0], 0.7, [4.0, 5.0, 6.0]);
    // Surfaces that do not meet themselves: then their triangles form a complex, and contacts are shared vertices.
    let shapes: [Shape; 4] = [
        tetrahedron(4, [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]),
        lattice_box([0; 3], [3, 2, 1]),
        sphere(320),
        hollow_shell(400, 2.0, 1.0),
    ];
    for shape in shapes {
        let (report, motion) = agreed(vec![("a", shape.mesh(), pose), ("b", shape.mesh(), pose)]);
        let expected = of_complex(&motion.scene).contacts.unwrap();
        assert!(
            expected.allows(report.contacts.len()),
            "{} contacts, expected {expected:?}",
            report.contacts.len()
        );
        for triangle in 0..shape.triangles.len() as u32 {
            let own = |c: &Contact| c.a.triangle == triangle && c.b.triangle == triangle;
            assert!(report.contacts.iter().any(own), "triangle {triangle} does not touch its twin");
        }
        assert_eq!(report.containments, []);
    }
}

#[test]
fn two_meshes_sharing_one_face_touch_in_every_pair_of_triangles_that_share_a_vertex() {
    let foot: [Point; 3] = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    let with = |top: Point| tetrahedron(4, [foot[0], foot[1], foot[2], top]).mesh();
    let (report, _) = agreed(vec![
        ("a", with([0.0, 0.0, 2.0]), Pose::IDENTITY),
        ("b", with([0.5, 0.5, -1.0]), Pose::IDENTITY),
    ]);
    // Every triangle has two corners of the shared one at least, so all 4 x 4 meet.
    assert_eq!(report.contacts.len(), 16);
    assert_eq!(report.containments, []);

    let brick = lattice_box([0; 3], [2, 3, 4]).mesh();
    let (report, motion) =
        agreed(vec![("a", brick.clone(), Pose::IDENTITY), ("b", brick, at(2.0, 0.0, 0.0))]);
    assert!(of_complex(&motion.scene).contacts.unwrap().allows(report.contacts.len()));
    assert_eq!(report.containments, []);
}

#[test]
fn counting_by_shared_vertices_agrees_with_the_oracle() {
    for frame in [0, 1, 2, 4] {
        let mut motion = impinge_lab::find("pile").unwrap().build(140, 0);
        motion.set_frame(frame).unwrap();
        assert_eq!(
            motion.known().contacts,
            Some(Count::Exactly(oracle_count(&motion.scene))),
            "frame {frame}"
        );
    }
    let mut motion = impinge_lab::find("shatter").unwrap().build(60, 3);
    motion.set_frame(6).unwrap();
    let KnownAnswer { contacts, .. } = motion.known();
    assert_eq!(contacts, Some(Count::Exactly(oracle_count(&motion.scene))));
}

#[test]
fn the_counts_of_the_zoo_agree_with_the_oracle() {
    let mut motion = impinge_lab::find("zoo").unwrap().build(120, 0);
    for frame in [0, 7, 23] {
        motion.set_frame(frame).unwrap();
        assert_eq!(
            motion.known().contacts,
            Some(Count::Exactly(oracle_count(&motion.scene))),
            "frame {frame}"
        );
    }
}

fn oracle_count(scene: &Scene) -> usize {
    let bodies: Vec<_> = scene.bodies().map(|(_, body)| body).collect();
    let mut count = 0;
    for (k, a) in bodies.iter().enumerate() {
        if a.self_collision() {
            let world: Vec<Point> = (0..a.mesh().positions().len()).map(|v| a.world_position(v)).collect();
            let triangles = a.mesh().triangles();
            let pairs = (0..triangles.len()).flat_map(|i| (i + 1..triangles.len()).map(move |j| (i, j)));
            count += pairs.filter(|&(i, j)| neighbours_touch(&world, triangles[i], triangles[j])).count();
        }
        for b in &bodies[k + 1..] {
            let corners = |body: &impinge::Body| -> Vec<_> {
                (0..body.mesh().triangles().len()).map(|t| body.world_corners(t)).collect()
            };
            let (a, b) = (corners(a), corners(b));
            count += a
                .iter()
                .flat_map(|p| b.iter().map(move |q| (p, q)))
                .filter(|(p, q)| triangles_touch(p, q))
                .count();
        }
    }
    count
}

#[test]
fn a_body_that_never_moves_stays_where_it_is() {
    let mesh = sphere(80).mesh();
    let mut motion = Motion::new(3, vec![Actor::new("rock", mesh.clone(), Track::Still)]).unwrap();
    motion.set_frame(2).unwrap();
    assert_eq!(motion.scene.body(motion.bodies[0]).unwrap().mesh().positions(), mesh.positions());
}
