//! Depth slices against exact answers: what is proven is so, on every scene, on degenerate ones and on random ones.

use impinge::overlap_cells::{
    Answer, Certainty, Crossing, DecidedBy, Facing, Fill, Overlaps, SliceOptions, Slicer,
};
use impinge::{Collider, Mesh, Method, Options, Pose, Query, Report, Scene};
use impinge_lab::rng::Rng;
use impinge_lab::shapes::{
    Shape, bumpy_sphere, cloth, hollow_shell, jet, prism, sphere, subdivided_box, torus,
};

/// Every triangle against every other.
fn exact(scene: &Scene) -> Report {
    let options = Options { method: Method::BruteForce, ..Options::default() };
    Collider::new(options).collide(scene).unwrap().clone()
}

/// Different numbers of cells and refinements, upright and turned.
fn ways() -> Vec<SliceOptions> {
    let way = |resolution: [u32; 2], slices, refinements, facing| SliceOptions {
        resolution,
        slices,
        refinements,
        facing,
        hand_over: false,
        ..SliceOptions::default()
    };
    vec![
        way([8, 8], 1, 0, Facing::Auto),
        way([16, 9], 16, 2, Facing::Auto),
        way([64, 64], 64, 4, Facing::Auto),
        way([33, 50], 128, 9, Facing::Along([0.3, -0.5, 0.8])),
        way([40, 40], 37, 1, Facing::Along([0.0, 1.0, 0.0])),
    ]
}

/// What was said, how often.
#[derive(Debug, Default)]
struct Said {
    yes: usize,
    no: usize,
    maybe: usize,
}

/// Asks in every way, and compares whatever is certain with the truth.
fn check(scene: &Scene, said: &mut Said, place: &str) {
    let truth = exact(scene);
    for slices in ways() {
        check_one(scene, slices, &truth, said, place);
    }
}

fn check_one(scene: &Scene, slices: SliceOptions, truth: &Report, said: &mut Said, place: &str) {
    let meets = |a, b| truth.pairs.iter().any(|pair| (pair.a, pair.b) == (a, b));
    let sliced = Slicer::new(slices).find(scene).clone();
    for pair in &sliced.pairs {
        let is = meets(pair.a, pair.b);
        let wrong = || format!("{place}: {:?} and {:?}, {:?} with {slices:?}", pair.a, pair.b, pair.answer);
        match pair.answer {
            Answer::Yes => {
                assert!(pair.certain && is, "{}", wrong());
                said.yes += 1;
            }
            Answer::No => {
                assert!(pair.certain && !is, "{}", wrong());
                said.no += 1;
            }
            Answer::Maybe { volume } => {
                assert!(!volume.is_empty(), "{}", wrong());
                said.maybe += 1;
            }
        }
    }
    for pair in &truth.pairs {
        assert!(sliced.pairs.iter().any(|p| (p.a, p.b) == (pair.a, pair.b)), "{place}: a pair is missing");
    }
    // Handed over, nothing is left open, and all contacts are there.
    let slices = SliceOptions { triangles: true, hand_over: true, ..slices };
    let mut whole = Slicer::new(slices);
    let report = whole.find(scene);
    assert_eq!(report.contacts, truth.contacts, "{place} with {slices:?}");
    assert_eq!(report.containments, truth.containments, "{place} with {slices:?}");
    assert!(report.complete, "{place} with {slices:?}");
    let handed = SliceOptions { triangles: false, ..slices };
    let sliced = Slicer::new(handed).find(scene).clone();
    for pair in &sliced.pairs {
        assert_eq!(pair.answer == Answer::Yes, meets(pair.a, pair.b), "{place} with {handed:?}");
    }
}

fn two(a: &Mesh, b: &Mesh, pose: Pose) -> Scene {
    let mut scene = Scene::new();
    scene.add("a", a.clone());
    let second = scene.add("b", b.clone());
    scene.set_pose(second, pose).unwrap();
    scene
}

fn moved(by: [f64; 3]) -> Pose {
    Pose::from_translation(by).unwrap()
}

/// From -1 to 1, but for its far corner.
fn brick(max: [f64; 3]) -> Mesh {
    let middle = max.map(|c| f64::midpoint(c, -1.0));
    subdivided_box(12, max.map(|c| f64::midpoint(c, 1.0))).moved(middle).mesh()
}

#[test]
fn every_scene_of_the_lab() {
    let mut said = Said::default();
    for lab in impinge_lab::all() {
        let mut motion = lab.build(400, 2);
        for frame in [0, 3, 11] {
            motion.set_frame(frame).unwrap();
            let ids: Vec<_> = motion.scene.bodies().map(|(id, _)| id).collect();
            let mut scene = motion.scene.clone();
            for id in ids {
                scene.set_self_collision(id, false).unwrap();
            }
            check(&scene, &mut said, &format!("{} frame {frame}", lab.name));
        }
    }
    println!("{said:?}");
    assert!(said.yes > 100 && said.no > 100, "{said:?}");
}

#[test]
fn bodies_that_touch_that_nearly_touch_and_that_are_inside_each_other() {
    let mut said = Said::default();
    let cube = brick([1.0; 3]);
    let turned = |angle: f64, by: [f64; 3]| Pose::from_axis_angle([1.0, 2.0, 0.5], angle, by).unwrap();
    // Face on face, edge on edge, corner on corner, the same place, flush, and one unit of the last place beside.
    for by in [
        [2.0, 0.0, 0.0],
        [2.0, 2.0, 0.0],
        [2.0; 3],
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.5, 0.25, 0.0],
        [0.0, 0.0, -2.0],
    ] {
        for (k, step) in [0.0, 1e-15, -1e-15, 1e-9, -1e-9, 1e-4, -1e-4].into_iter().enumerate() {
            check(
                &two(&cube, &cube, moved(by.map(|c| c * (1.0 + step)))),
                &mut said,
                &format!("cubes {by:?} {k}"),
            );
        }
    }
    // Inside, and nearly through the wall.
    for size in [0.1, 0.5, 0.99, 0.999_999, 1.0, 1.01] {
        let scaled =
            Pose::from_rows([[size, 0.0, 0.0, 0.0], [0.0, size, 0.0, 0.0], [0.0, 0.0, size, 0.0]]).unwrap();
        check(&two(&cube, &cube, scaled), &mut said, &format!("cubes, one of {size}"));
        let ball = sphere(300).scaled(size).mesh();
        check(&two(&cube, &ball, turned(0.3, [0.001, 0.0, 0.0])), &mut said, &format!("a ball of {size}"));
        check(
            &two(&hollow_shell(600, 1.2, 0.8).mesh(), &ball, turned(0.1, [0.0; 3])),
            &mut said,
            &format!("in a hollow, {size}"),
        );
    }
    // Mirrored, flattened, far away, huge, tiny.
    let mirror =
        Pose::from_rows([[-1.0, 0.0, 0.0, 1.5], [0.0, 1.0, 0.0, 0.3], [0.0, 0.0, 1.0, 0.2]]).unwrap();
    check(&two(&cube, &cube, mirror), &mut said, "mirrored");
    let flat = Pose::from_rows([[1.0, 0.0, 0.0, 0.5], [0.0, 1.0, 0.0, 0.1], [0.0, 0.0, 0.0, 0.3]]).unwrap();
    check(&two(&cube, &cube, flat), &mut said, "flattened");
    for scale in [0.0, 1e-320, 1e-310, 1e-305, 1e-300, 1e-260, 1e-20, 1e-3, 1e6, 1e30, 1e200, 1e306] {
        let big = sphere(300).scaled(scale).mesh();
        for by in [0.3, 1.7, 1.99, 2.01] {
            check(
                &two(&big, &big, moved([by * scale, 0.1 * scale, 0.0])),
                &mut said,
                &format!("scale {scale}, {by}"),
            );
        }
    }
    for away in [1e3, 1e6, 1e9, 1e14] {
        for by in [0.3, 1.7, 2.5] {
            let mut scene = two(&cube, &cube, moved([away + by, away, -away]));
            let first = scene.bodies().next().unwrap().0;
            scene.set_pose(first, moved([away, away + 0.2, -away])).unwrap();
            check(&scene, &mut said, &format!("{away} away, {by}"));
        }
    }
    // Far away in their own coordinates, brought back by poses: the rounding of the way counts.
    for away in [1e6, 1e10, 1e13] {
        let far = sphere(300).moved([away, -away, 0.3 * away]).mesh();
        for by in [0.3, 1.9, 1.97, 1.99, 2.01] {
            let mut scene = two(&far, &far, moved([by - away, away, -0.3 * away]));
            let first = scene.bodies().next().unwrap().0;
            scene.set_pose(first, moved([-away, away + 0.05, -0.3 * away])).unwrap();
            check(&scene, &mut said, &format!("{away} away in its own coordinates, {by}"));
            // Turned there, and then brought back.
            for (k, id) in scene.bodies().map(|(id, _)| id).collect::<Vec<_>>().into_iter().enumerate() {
                let axis = [0.3, 0.1 + k as f64, 0.7];
                let turned = Pose::from_axis_angle(axis, 0.8, [0.0; 3]).unwrap();
                let back = turned.apply([away, -away, 0.3 * away]);
                let to = std::array::from_fn(|i| by * k as f64 * [1.0, 0.03, 0.0][i] - back[i]);
                scene.set_pose(id, Pose::from_axis_angle(axis, 0.8, to).unwrap()).unwrap();
            }
            check(&scene, &mut said, &format!("{away} away, turned, {by}"));
        }
    }
    println!("{said:?}");
    assert!(said.yes > 100 && said.no > 40 && said.maybe > 100, "{said:?}");
}

#[test]
fn bodies_that_are_open_in_pieces_inside_out_or_nothing_at_all() {
    let mut said = Said::default();
    let ball = sphere(300).mesh();
    let sheet = cloth(200).scaled(3.0).mesh();
    let small = sphere(100).scaled(0.2);
    // One piece inside, the other outside: surfaces do not meet, though something of it is inside and its box reaches out.
    let pieces = small.clone().and(&small.clone().moved([3.0, 0.0, 0.0])).mesh();
    let inside_out = sphere(300).flipped().mesh();
    // A vertex far away that no triangle uses.
    let mut stray = small.clone();
    stray.positions.push([9.0, 0.0, 0.0]);
    let stray = stray.mesh();
    let twice = sphere(200).and(&sphere(200).moved([0.5, 0.0, 0.0])).mesh();
    let needle =
        Mesh::new(vec![[-2.0f64, 0.0, 0.0], [2.0, 0.01, 0.0], [2.0, 0.01, 1e-9]], vec![[0, 1, 2]]).unwrap();
    let point = Mesh::new(vec![[0.1f64, 0.2, 0.3]; 3], vec![[0, 1, 2]]).unwrap();
    let nothing = Mesh::new(Vec::<[f64; 3]>::new(), Vec::new()).unwrap();
    let repeated = Mesh::new(vec![[0.0f64; 3], [0.5, 0.5, 0.5]], vec![[0, 1, 1], [0, 0, 0]]).unwrap();
    let all = [&ball, &stray, &sheet, &pieces, &inside_out, &twice, &needle, &point, &nothing, &repeated];
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            for by in [[0.0; 3], [0.4, 0.1, 0.2], [1.5, 0.0, 0.1], [1.0, 0.0, 0.0]] {
                check(&two(a, b, moved(by)), &mut said, &format!("bodies {i} and {j} at {by:?}"));
            }
        }
    }
    println!("{said:?}");
    assert!(said.yes > 100 && said.no > 50, "{said:?}");
}

#[test]
fn a_yes_needs_a_closed_body_and_the_box_of_its_surface() {
    let mut said = Said::default();
    // A triangle inside a cube, near its wall, and a vertex far outside that no triangle uses.
    let cube = subdivided_box(12, [2.0; 3]).mesh();
    let corners = vec![[0.0f64, 0.0, 0.0], [1.99, 0.0, 0.1], [0.0, 1.5, 0.1], [9.0, 9.0, 9.0]];
    let stray = Mesh::new(corners, vec![[0, 1, 2]]).unwrap();
    check(&two(&cube, &stray, moved([0.0; 3])), &mut said, "an unused vertex");
    check(&two(&stray, &cube, moved([0.0; 3])), &mut said, "an unused vertex, the other way round");
    // A ball just before or behind a triangle, in part beyond its edge: rays cross the triangle once.
    let sheet =
        Mesh::new(vec![[-3.0f64, -3.0, -1.0], [3.0, -3.0, 1.0], [0.0, 4.0, 0.0]], vec![[0, 1, 2]]).unwrap();
    let ball = sphere(500).scaled(0.3).mesh();
    for z in [0.39, -0.26] {
        for x in [0.2, -0.9] {
            check(
                &two(&sheet, &ball, moved([x, -3.0, x / 3.0 - 0.2 / 3.0 + z])),
                &mut said,
                &format!("a sheet, {x} {z}"),
            );
        }
    }
    println!("{said:?}");
    assert!(said.yes == 0 && said.no > 5, "{said:?}");
}

#[test]
fn thousands_of_random_placements() {
    let mut rng = Rng::new(11);
    let shapes: Vec<Shape> = vec![
        jet(500),
        torus(300, 0.7, 0.3),
        bumpy_sphere(300, 3),
        prism(60, 6),
        sphere(80),
        cloth(100),
        subdivided_box(48, [0.5, 0.7, 0.9]),
    ];
    let mut said = Said::default();
    for n in 0..1500 {
        let [a, b] = [0, 1].map(|_| {
            let flat = [1.0, 1.0, 0.3, 0.01, 1e-5, 0.0][rng.below(6)];
            shapes[rng.below(shapes.len())].clone().map(|p| [p[0], p[1], p[2] * flat]).mesh_f32()
        });
        let pose =
            Pose::from_axis_angle(rng.direction(), rng.between(0.0, 6.0), rng.in_cube(-1.0, 1.0)).unwrap();
        let scene = two(&a, &b, pose);
        let is = !exact(&scene).contacts.is_empty();
        let slices = ways()[n % 5];
        let pairs = Slicer::new(slices).find(&scene).pairs.clone();
        match pairs.first().map_or(Answer::No, |pair| pair.answer) {
            Answer::Yes => {
                assert!(is, "placement {n} with {slices:?}");
                said.yes += 1;
            }
            Answer::No => {
                assert!(!is, "placement {n} with {slices:?}");
                said.no += 1;
            }
            Answer::Maybe { volume } => {
                said.maybe += 1;
                let report = Collider::new(Options { shapes: true, ..Options::default() })
                    .collide(&scene)
                    .unwrap()
                    .clone();
                for p in report.shapes.iter().flat_map(|shape| shape.points().to_vec()) {
                    let inside = (0..3).all(|k| {
                        let at: f64 = (0..3).map(|i| volume.axes[k][i] * p[i]).sum();
                        volume.low[k] - 1e-9 <= at && at <= volume.high[k] + 1e-9
                    });
                    assert!(inside, "placement {n}: {p:?} is not in {volume:?}");
                }
            }
        }
    }
    println!("{said:?}");
    assert!(said.yes > 100 && said.no > 100 && said.maybe < 1000, "{said:?}");
}

/// Few triangles, on a coarse grid or not, flat, thin, in pieces that share vertices, with vertices that nothing uses.
fn nasty(rng: &mut Rng) -> Shape {
    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let steps = [1.0, 2.0, 8.0, 1e9][rng.below(4)];
    let on_grid = |rng: &mut Rng| rng.in_cube(-3.0, 3.0).map(|c| (c * steps).round() / steps);
    let mut shape = match rng.below(4) {
        0 => {
            let (vertices, triangles) = (3 + rng.below(6), 1 + rng.below(6));
            let corner = |rng: &mut Rng| rng.below(vertices) as u32;
            Shape {
                positions: (0..vertices).map(|_| on_grid(rng)).collect(),
                triangles: (0..triangles).map(|_| [corner(rng), corner(rng), corner(rng)]).collect(),
            }
        }
        1 => Shape { positions: (0..4).map(|_| on_grid(rng)).collect(), triangles: TETRAHEDRON.to_vec() },
        2 => subdivided_box(12, rng.in_cube(0.1, 2.0)).moved(on_grid(rng)),
        // Two that share a vertex, or two, or none.
        _ => {
            let shared = rng.below(3) as u32;
            let second = TETRAHEDRON.map(|t| t.map(|v| if v < shared { v } else { v + 4 }));
            let triangles = TETRAHEDRON.into_iter().chain(second).collect();
            Shape { positions: (0..8).map(|_| on_grid(rng)).collect(), triangles }
        }
    };
    if rng.below(4) == 0 {
        shape.positions.push(rng.in_cube(-9.0, 9.0));
    }
    let thin = [1.0, 1.0, 1e-3, 1e-9, 1e-160, 0.0][rng.below(6)];
    shape.map(|[x, y, z]| [x, y, z * thin])
}

#[test]
fn nasty_random_bodies() {
    // More, for longer runs.
    let cases = std::env::var("IMPINGE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(4000);
    let mut rng = Rng::new(23);
    let mut said = Said::default();
    for n in 0..cases {
        // Far away in their own coordinates, and brought back; or all of it far away, or large, or small.
        let far = [0.0, 0.0, 1e5, 1e13][rng.below(4)];
        let scale = [1.0, 1.0, 1e-20, 1e20, 1e-300, 1e-310, 0.0][rng.below(7)];
        let mut scene = Scene::new();
        for name in ["a", "b"] {
            let away = rng.in_cube(-far, far);
            let shape = nasty(&mut rng).moved(away).scaled(scale);
            let mirror = [1.0, 1.0, -1.0, 0.3][rng.below(4)];
            let (axis, angle) = (rng.direction(), [0.0, 0.7][rng.below(2)]);
            let turned = Pose::from_axis_angle(axis, angle, [0.0; 3]).unwrap();
            let mut rows = *turned.rows();
            for row in &mut rows {
                row[0] *= mirror;
            }
            let back = Pose::from_rows(rows).unwrap().apply(away);
            for (row, back) in rows.iter_mut().zip(back) {
                row[3] = (rng.between(-1.0, 1.0).round() - back) * scale;
            }
            let id = scene.add(name, shape.mesh());
            scene.set_pose(id, Pose::from_rows(rows).unwrap()).unwrap();
        }
        check_one(&scene, ways()[n % 5], &exact(&scene), &mut said, &format!("case {n}"));
    }
    println!("{said:?}");
    assert!(said.yes * 100 > cases && said.no * 8 > cases, "{said:?}");
}

fn answer(sliced: &Overlaps) -> (Answer, DecidedBy, bool) {
    let pair = &sliced.pairs[0];
    (pair.answer, pair.by, pair.certain)
}

#[test]
fn the_papers_own_answers_are_said_to_be_samples() {
    let ball = sphere(2000).mesh();
    for (by, meets) in [(1.0, true), (1.95, true), (2.05, false)] {
        let scene = two(&ball, &ball, moved([by, 0.1, 0.05]));
        for fill in [Fill::Samples, Fill::Interval, Fill::Touched] {
            let slices = SliceOptions { fill, refinements: 2, ..SliceOptions::PAPER };
            let sliced = Slicer::new(slices).find(&scene).clone();
            if let Some(pair) = sliced.pairs.first() {
                assert_eq!((pair.answer == Answer::Yes, pair.certain), (meets, false), "{by} {fill:?}");
                assert!(!sliced.is_certain());
            }
        }
        // Handed over, a yes is exact.
        let slices = SliceOptions { hand_over: true, ..SliceOptions::PAPER };
        let sliced = Slicer::new(slices).find(&scene).clone();
        if meets {
            assert_eq!(answer(&sliced), (Answer::Yes, DecidedBy::NarrowPhase, true));
        }
        // Moved outward, nothing is missed; moved inward, nothing is false: of balls, whose normals are an offset.
        let slices = SliceOptions { certainty: Certainty::Offset(1.0), ..SliceOptions::PAPER };
        let sliced = Slicer::new(slices).find(&scene).clone();
        let said = sliced.pairs.first().map_or(Answer::No, |pair| pair.answer);
        assert!(if meets { said != Answer::No } else { said != Answer::Yes }, "{by}: {said:?}");
    }
}

#[test]
fn a_desk_seen_from_the_side_is_missed_and_turned_it_is_not() {
    // The top of a desk, edge-on to the view, and a pencil through it (3.1.2).
    let desk = brick([1.0, 1.0, -0.9]);
    let pencil = Mesh::new(
        vec![[-0.03f64, -0.03, -1.5], [0.03, -0.03, -1.5], [0.0, 0.04, -1.5], [0.0, 0.0, 0.5]],
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    )
    .unwrap();
    let scene = two(&desk, &pencil, moved([0.2, 0.1, 0.0]));
    let ask = |facing| {
        let slices = SliceOptions { facing, refinements: 0, ..SliceOptions::PAPER };
        Slicer::new(slices).find(&scene).pairs[0].clone()
    };
    assert_eq!(ask(Facing::Along([1.0, 0.0, 0.0])).answer, Answer::No, "seen from the side");
    let turned = ask(Facing::Auto);
    assert_eq!(turned.answer, Answer::Yes, "seen along {:?}", turned.facing);
}

#[test]
fn points_are_where_surfaces_meet() {
    let ball = sphere(3000).mesh();
    let scene = two(&ball, &ball, moved([1.2, 0.0, 0.0]));
    let slices = SliceOptions { refinements: 0, most_points: 100_000, ..SliceOptions::default() };
    let sliced = Slicer::new(slices).find(&scene).clone();
    let pair = &sliced.pairs[0];
    assert!(pair.points.len() > 100 && pair.points.len() as u64 == pair.cells);
    // Two unit balls 1.2 apart meet in a circle of radius 0.8.
    for p in &pair.points {
        let off = [p[0] - 0.6, p[1].hypot(p[2]) - 0.8];
        assert!(off.iter().all(|off| off.abs() < 0.06), "{p:?}");
    }
    let few = SliceOptions { most_points: 5, ..slices };
    let sliced = Slicer::new(few).find(&scene).clone();
    assert_eq!(sliced.pairs[0].points, pair.points[..5]);
}

#[test]
fn one_answer_is_enough_where_one_is_asked_for() {
    let ball = sphere(300).mesh();
    let mut scene = Scene::new();
    for n in 0..6 {
        let id = scene.add(format!("{n}"), ball.clone());
        scene.set_pose(id, moved([1.5 * f64::from(n), 0.0, 0.0])).unwrap();
    }
    let mut any = Slicer::new(SliceOptions { query: Query::Any, ..SliceOptions::default() });
    let overlaps = any.find(&scene);
    assert!(overlaps.collides());
    assert_eq!(overlaps.pairs.iter().filter(|pair| pair.answer == Answer::Yes).count(), 1);
    // A body that looks at itself is said not to be.
    let first = scene.bodies().next().unwrap().0;
    scene.set_self_collision(first, true).unwrap();
    let mut slicer = Slicer::default();
    let sliced = slicer.find(&scene);
    assert_eq!(sliced.not_looked_at, [first]);
    assert!(!sliced.is_certain());
}

#[test]
fn paths_that_never_cross_and_the_first_step_at_which_others_meet() {
    let ball = sphere(500).mesh();
    let mut rng = Rng::new(5);
    let mut scene = Scene::new();
    let ids = [scene.add("a", ball.clone()), scene.add("b", ball)];
    let (mut never, mut at, mut between) = (0, 0, 0);
    for n in 0..60 {
        let (from, to) = (rng.in_cube(-4.0, 4.0), rng.in_cube(-4.0, 4.0));
        let count = [2, 7, 20][n % 3];
        let place = |k: usize| {
            let t = k as f64 / (count - 1) as f64;
            [moved([t, -t, 0.0]), moved(std::array::from_fn(|i| from[i] + t * (to[i] - from[i])))]
        };
        let steps: Vec<[Pose; 2]> = (0..count).map(place).collect();
        let meets = |steps: &[[Pose; 2]]| {
            steps.iter().position(|step| {
                let mut scene = scene.clone();
                for k in 0..2 {
                    scene.set_pose(ids[k], step[k]).unwrap();
                }
                !Collider::default().collide(&scene).unwrap().contacts.is_empty()
            })
        };
        let mut slicer = Slicer::default();
        let found = slicer.paths(&scene, ids, &steps, false).unwrap();
        assert!(found.certain);
        match (found.crossing, meets(&steps)) {
            (Crossing::At { step, answer: Answer::Yes }, Some(first)) => assert_eq!(step, first, "{n}"),
            (Crossing::Never, None) => {}
            other => panic!("{n}: {other:?}"),
        }
        // In between, on a finer path, nothing is missed.
        let swept = slicer.paths(&scene, ids, &steps, true).unwrap();
        let fine: Vec<[Pose; 2]> = (0..200)
            .map(|k| {
                let t = f64::from(k) / 199.0;
                [moved([t, -t, 0.0]), moved(std::array::from_fn(|i| from[i] + t * (to[i] - from[i])))]
            })
            .collect();
        let first = meets(&fine).map(|k| k as f64 / 199.0 * (count - 1) as f64);
        match swept.crossing {
            Crossing::Never => {
                assert_eq!(first, None, "{n}");
                never += 1;
            }
            Crossing::At { step, .. } => {
                assert!(first.is_some_and(|first| first >= step as f64 - 1.0), "{n}: {step} {first:?}");
                at += 1;
            }
            Crossing::Between { step } => {
                assert!(first.is_none_or(|first| first >= step as f64), "{n}: {step} {first:?}");
                between += 1;
            }
            other => panic!("{n}: {other:?}"),
        }
    }
    assert!(never > 5 && at > 5 && between > 2, "{never} {at} {between}");
}
