//! Depth slices on the GPU against their definition: bit by bit, and whole answers.

mod common;

use common::{box_of, bytes, context};
use impinge::stages::overlap_cells::draw::{self, midway};
use impinge::stages::overlap_cells::planes::Plane;
use impinge::stages::overlap_cells::sample::sample;
use impinge::stages::overlap_cells::{
    Answer, Certainty, Crossing, DecidedBy, Facing, Fill, Planes, Seen, SliceOptions, Slicer,
};
use impinge::{BodyId, Collider, Pose, Scene};
use impinge_gpu::{GpuBody, GpuCollider, SliceInspection};

/// Neither a power of two nor square.
const CELLS: ([u32; 2], u32) = ([75, 41], 70);

/// Pairs of bodies of a scene whose boxes overlap, each a scene of its own.
fn pairs(scene: &Scene, most: usize) -> Vec<Scene> {
    let boxes: Vec<_> = scene.bodies().map(|(_, body)| (body, box_of_body(body))).collect();
    let mut all = Vec::new();
    for (k, (a, p)) in boxes.iter().enumerate() {
        for (b, q) in &boxes[k + 1..] {
            if p.overlaps(q) && all.len() < most {
                let mut two = Scene::new();
                for body in [a, b] {
                    let id = two.add(body.name(), body.mesh().clone());
                    two.set_pose(id, *body.pose()).unwrap();
                }
                all.push(two);
            }
        }
    }
    all
}

fn box_of_body(body: &impinge::Body) -> impinge::Bounds {
    impinge::Bounds::of((0..body.mesh().positions().len()).map(|vertex| body.world_position(vertex)))
}

/// What the definition says of the triangles that the GPU drew, where every touched cell is covered.
fn covered(seen: &SliceInspection) -> Planes {
    let cells = seen.planes.cells;
    let pixels = (cells[0] * cells[1]) as usize;
    let extra = if seen.proven { pixels } else { 0 };
    let planes = [0, 1].map(|k| {
        let mut plane = Plane {
            touched: vec![0; pixels],
            inside: vec![0; extra],
            sure: vec![0; extra],
            unknown: vec![0; extra],
        };
        for &[from, to] in &seen.triangles[k] {
            let (corners, wide) = if from == to { (from, seen.wide) } else { midway([from, to], seen.wide) };
            draw::cover(&mut plane, cells, seen.proven, corners, wide);
        }
        plane
    });
    Planes { cells, planes }
}

fn options(fill: Fill, certainty: Certainty, refinements: u32) -> SliceOptions {
    SliceOptions {
        resolution: CELLS.0,
        slices: CELLS.1,
        refinements,
        fill,
        certainty,
        hand_over: false,
        ..SliceOptions::default()
    }
}

#[test]
fn every_bit_is_the_cpus() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    let (mut drawn, mut bits, mut off) = (0, [0u64; 3], 0.0f64);
    for lab in impinge_lab::all() {
        let mut motion = lab.build(1500, 3);
        for frame in [0, 7] {
            motion.set_frame(frame).unwrap();
            for (k, scene) in pairs(&motion.scene, 3).iter().enumerate() {
                let turned = Facing::Along([0.2, -0.4, 1.0]);
                let ways = [
                    options(Fill::Touched, Certainty::Proven, k as u32),
                    options(Fill::Touched, Certainty::Sampled, 1),
                    options(Fill::Samples, Certainty::Sampled, k as u32),
                    options(Fill::Interval, Certainty::Sampled, 0),
                    SliceOptions { facing: turned, ..options(Fill::Touched, Certainty::Proven, 0) },
                    SliceOptions { facing: turned, ..options(Fill::Interval, Certainty::Sampled, 1) },
                ];
                for slices in ways {
                    there.overlaps(scene, &slices).unwrap();
                    let Some(seen) = there.inspect_slices(scene).unwrap() else { continue };
                    let place = format!("{} frame {frame}, pair {k}, {slices:?}", lab.name);
                    let mine = if seen.fill == Fill::Touched { covered(&seen) } else { sampled(&seen) };
                    same(&seen.planes, &mine, &place);
                    off = off.max(placement_error(&seen, scene));
                    drawn += 1;
                    let count = mine
                        .planes
                        .iter()
                        .flat_map(|plane| &plane.touched)
                        .map(|b| u64::from(b.count_ones()));
                    bits[seen.fill as usize] += count.sum::<u64>();
                }
            }
        }
    }
    println!(
        "{drawn} draws: {bits:?} cells of samples, intervals and touched cells, none differs; vertices are off by {off:.2} of \
         what surfaces are widened by"
    );
    assert!(off < 0.5, "vertices are placed within half of what surfaces are widened by: {off}");
    assert!(drawn > 100 && bits.iter().all(|bits| *bits > 100_000), "{bits:?}");
}

/// How far vertices are from where doubles place them, as a part of what surfaces are widened by.
fn placement_error(seen: &SliceInspection, scene: &Scene) -> f64 {
    let mut most = 0.0f64;
    for (triangles, id) in seen.triangles.iter().zip(seen.bodies) {
        let body = scene.body(id).unwrap();
        for (k, [corners, _]) in triangles.iter().enumerate() {
            for (placed, world) in corners.iter().zip(body.world_corners(k)) {
                let exact = seen.grid.project(world);
                let off = |k: usize| (f64::from(placed[k]) - exact[k]).abs() / f64::from(seen.wide[k]);
                most = (0..3).map(off).fold(most, f64::max);
            }
        }
    }
    most
}

/// Says where the first difference is.
fn same(theirs: &Planes, mine: &Planes, place: &str) {
    for (party, (p, q)) in theirs.planes.iter().zip(&mine.planes).enumerate() {
        for (what, p, q) in [
            ("touched", &p.touched, &q.touched),
            ("inside", &p.inside, &q.inside),
            ("sure", &p.sure, &q.sure),
            ("unknown", &p.unknown, &q.unknown),
        ] {
            let differ = p.iter().zip(q).position(|(p, q)| p != q);
            if let Some(pixel) = differ {
                panic!(
                    "{what} of body {party}, pixel {pixel}: {:b} and not {:b}: {place}",
                    p[pixel], q[pixel]
                );
            }
            assert_eq!(p.len(), q.len(), "{place}");
        }
    }
}

/// What the definition of sampling says of the triangles that the GPU drew.
fn sampled(seen: &SliceInspection) -> Planes {
    let cells = seen.planes.cells;
    let planes = [0, 1].map(|party: usize| {
        let mut plane = Plane { touched: vec![0; (cells[0] * cells[1]) as usize], ..Plane::default() };
        for [corners, _] in &seen.triangles[party] {
            sample(&mut plane, cells, *corners, seen.fill == Fill::Interval);
        }
        plane
    });
    Planes { cells, planes }
}

fn balls() -> (Scene, [BodyId; 2]) {
    let ball = || impinge_lab::shapes::bumpy_sphere(2000, 5).mesh_f32();
    let mut scene = Scene::new();
    let ids = [scene.add("a", ball()), scene.add("b", ball())];
    (scene, ids)
}

#[test]
fn answers_are_those_of_the_cpu_and_proven_ones_are_true() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    let (mut scene, [_, second]) = balls();
    let (mut yes, mut proven) = (0, 0);
    for n in 0..40 {
        let x = 0.9 + 0.04 * f64::from(n);
        let pose = Pose::from_axis_angle([1.0, 2.0, 0.5], f64::from(n), [x, 0.3, 0.2]).unwrap();
        scene.set_pose(second, pose).unwrap();
        let truth = Collider::default().collide(&scene).unwrap().contacts.clone();
        let open = SliceOptions { hand_over: false, most_points: 7, ..SliceOptions::default() };
        let ways = [
            open,
            SliceOptions { refinements: 9, resolution: [40, 30], ..open },
            SliceOptions { triangles: true, ..open },
            SliceOptions { certainty: Certainty::Sampled, ..open },
            SliceOptions { last_slices: Some(128), ..SliceOptions::PAPER },
            SliceOptions { certainty: Certainty::Offset(1.0), ..open },
        ];
        for slices in ways {
            let mut here = Slicer::new(slices);
            let (mine, theirs) = (here.find(&scene), there.overlaps(&scene, &slices).unwrap());
            let place = format!("{n}, {slices:?}");
            assert_eq!(mine.pairs.len(), theirs.pairs.len(), "{place}");
            let (Some(p), Some(q)) = (mine.pairs.first(), theirs.pairs.first()) else { continue };
            assert_eq!(kind(p.answer), kind(q.answer), "{place}");
            assert_eq!((p.certain, p.by, p.renderings), (q.certain, q.by, q.renderings), "{place}");
            if q.certain {
                assert!(kind(q.answer) == 2 || (q.answer == Answer::Yes) != truth.is_empty(), "{place}");
                proven += usize::from(q.by == DecidedBy::Slices && q.answer == Answer::Yes);
            }
            if let (Some(p), Some(q)) = (p.volume, q.volume) {
                // Cells that floats tell differently, at most one on either side.
                let cell: [f64; 3] = std::array::from_fn(|k| p.size()[k] / 8.0 + 1e-6);
                let near =
                    |k: usize| (p.low[k] - q.low[k]).abs().max((p.high[k] - q.high[k]).abs()) <= cell[k];
                assert!((0..3).all(near), "{place}: {p:?} {q:?}");
            }
            if slices.triangles {
                assert_eq!(theirs.contacts, truth, "{place}");
            }
        }
        yes += u32::from(!truth.is_empty());
    }
    assert!((5..35).contains(&yes) && proven > 10, "{yes} of 40 collide, {proven} proven");
}

fn kind(answer: Answer) -> u8 {
    match answer {
        Answer::No => 0,
        Answer::Yes => 1,
        Answer::Maybe { .. } => 2,
    }
}

#[test]
fn shared_cells_are_listed_row_after_row() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    let (mut scene, [_, second]) = balls();
    scene.set_pose(second, Pose::from_translation([1.1, 0.2, 0.1]).unwrap()).unwrap();
    for slices in [16, 128] {
        let slices =
            SliceOptions { slices, refinements: 0, most_points: usize::MAX, ..SliceOptions::default() };
        let pair = there.overlaps(&scene, &slices).unwrap().pairs.remove(0);
        let seen = there.inspect_slices(&scene).unwrap().unwrap();
        let cells: Vec<[u32; 3]> = seen.planes.shared_cells().collect();
        let shared = seen.planes.shared();
        assert!(!cells.is_empty() && pair.cells == cells.len() as u64 && shared.cells == pair.cells);
        assert_eq!(pair.points.len(), cells.len());
        // Points are the middles of cells: in the volume, and as far apart as cells are.
        let volume = pair.volume.unwrap();
        for p in &pair.points {
            let at = volume.axes.map(|axis| (0..3).map(|k| axis[k] * p[k]).sum::<f64>());
            assert!((0..3).all(|k| volume.low[k] < at[k] && at[k] < volume.high[k]), "{at:?} {volume:?}");
        }
        let seen_inside = shared.seen.iter().any(|seen| *seen != Seen::default());
        assert!(seen_inside, "the balls are seen inside each other");
    }
}

#[test]
fn paths_are_drawn_without_clearing() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context).unwrap();
    let (scene, ids) = balls();
    let step = |x: f64| [Pose::IDENTITY, Pose::from_translation([x, 0.1, 0.2]).unwrap()];
    let along: Vec<[Pose; 2]> = (0..23).map(|n| step(4.0 - 0.25 * f64::from(n))).collect();
    let apart: Vec<[Pose; 2]> = (0..9).map(|n| step(4.0 + 0.25 * f64::from(n))).collect();
    let jump = [step(4.0), step(-4.0)];
    let (mut here, slices) = (Slicer::default(), SliceOptions::default());
    for (steps, between) in [
        (&along[..], false),
        (&along, true),
        (&apart, false),
        (&apart, true),
        (&jump, false),
        (&jump, true),
        (&[], true),
        (&along[..1], true),
    ] {
        let mine = here.paths(&scene, ids, steps, between).unwrap();
        let theirs = there.paths(&scene, ids, steps, between, &slices).unwrap();
        assert_eq!(
            (mine.crossing, mine.certain),
            (theirs.crossing, theirs.certain),
            "{} steps, {between}",
            steps.len()
        );
    }
    let Crossing::At { step: first, answer: Answer::Yes } =
        there.paths(&scene, ids, &along, false, &slices).unwrap().crossing
    else {
        panic!("the balls meet on their way")
    };
    let mut placed = scene.clone();
    let meets = along.iter().position(|step| {
        placed.set_pose(ids[1], step[1]).unwrap();
        !Collider::default().collide(&placed).unwrap().contacts.is_empty()
    });
    assert_eq!(meets, Some(first));
    // More steps than are drawn in one go.
    let long: Vec<[Pose; 2]> = (0..700).map(|n| step(9.0 - 0.01 * f64::from(n))).collect();
    let (mine, theirs) =
        (here.paths(&scene, ids, &long, true), there.paths(&scene, ids, &long, true, &slices));
    assert_eq!(mine.unwrap().crossing, theirs.unwrap().crossing);
    assert_eq!(
        there.paths(&scene, ids, &jump, true, &slices).unwrap().crossing,
        Crossing::Between { step: 0 }
    );
    assert_eq!(there.paths(&scene, ids, &jump, false, &slices).unwrap().crossing, Crossing::Never);
    // What was swept is the same bit for bit.
    let slices = SliceOptions { refinements: 0, ..SliceOptions::default() };
    let past = [1.4, 1.35].map(|x| [Pose::IDENTITY, Pose::from_translation([x, 1.4, 1.4]).unwrap()]);
    let paths = there.paths(&scene, ids, &past, true, &slices).unwrap();
    assert_eq!(
        (paths.crossing, paths.stages.renderings),
        (Crossing::Never, 1),
        "boxes overlap, bodies do not"
    );
    let seen = there.inspect_slices(&scene).unwrap().unwrap();
    assert!(seen.triangles[1].iter().any(|[from, to]| from != to), "something moved");
    same(&seen.planes, &covered(&seen), "");
}

#[test]
fn large_triangles_and_bodies_on_the_gpu_are_drawn_too() {
    let Some(context) = context() else { return };
    let mut there = GpuCollider::new(context.clone()).unwrap();
    let mut scene = Scene::new();
    let wall = box_of([-9.0, -8.0, -0.1], [7.0, 9.0, 0.1]);
    let a = scene.add("wall", wall.clone());
    let b = scene.add("bar", box_of([-0.2, -0.3, -3.0], [0.2, 0.25, 3.0]));
    let slices = SliceOptions {
        resolution: [200, 200],
        facing: Facing::Along([0.1, 0.2, 1.0]),
        refinements: 0,
        hand_over: false,
        ..SliceOptions::default()
    };
    let held = there.overlaps(&scene, &slices).unwrap();
    let seen = there.inspect_slices(&scene).unwrap().unwrap();
    same(&seen.planes, &covered(&seen), "");
    assert_eq!(held.pairs[0].answer, Answer::Yes);

    // What the scene holds of a body that lives on the GPU is not looked at.
    let other = impinge::Mesh::new(vec![[0.0f32; 3]; 3], vec![[0, 1, 2]]).unwrap();
    scene.set_mesh(a, other).unwrap();
    let positions: Vec<[f32; 3]> = wall.positions().iter().map(|p| p.map(|c| c as f32)).collect();
    let (positions, triangles) = (bytes(&context, &positions), bytes(&context, wall.triangles()));
    there.attach(&scene, a, GpuBody::new(positions, 8, triangles, 12)).unwrap();
    let attached = there.overlaps(&scene, &slices).unwrap();
    assert_eq!(attached.timing.triangles, 24);
    // As many cells, but for what its box, and floats that are not near 1, are larger by.
    assert!(attached.pairs[0].cells.abs_diff(held.pairs[0].cells) * 50 < held.pairs[0].cells);
    assert_eq!(
        attached.pairs[0].answer,
        Answer::Yes,
        "the bar is in one piece, and the wall is said to be closed"
    );
    scene.set_pose(b, Pose::from_translation([0.0, 0.0, 30.0]).unwrap()).unwrap();
    assert!(there.overlaps(&scene, &slices).unwrap().pairs.is_empty());
}
