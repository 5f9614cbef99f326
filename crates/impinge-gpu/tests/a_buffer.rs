//! Keeping everything that rays meet, on the GPU against its definition: every surface of every ray and every pair, on every
//! scene of the lab, bit for bit; then whole answers against the exact ones.

mod common;

use common::{box_of, bytes, context};
use impinge::Direction;
use impinge::contacts::{ABufferOptions, Keeping};
use impinge::stages::a_buffer::{Fragments, Pairs, Sheet};
use impinge::stages::gather::Member;
use impinge::{Collider, Contact, Mesh, Method, Options, Query, Report, Scene};
use impinge_gpu::{GpuBody, GpuCollider, KeptInspection, wgpu};
use std::collections::BTreeSet;

/// Neither a power of two nor square.
const RESOLUTION: [u32; 2] = [300, 170];

fn options(a_buffer: ABufferOptions) -> Options {
    Options { method: Method::ABuffer(a_buffer), ..Options::default() }
}

/// What a collider of this method may be told.
fn choices(collider: &mut GpuCollider) -> &mut ABufferOptions {
    match &mut collider.options.method {
        Method::ABuffer(choices) => choices,
        other => panic!("{other:?}"),
    }
}

fn collider(context: &impinge_gpu::Context) -> GpuCollider {
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    collider.options = options(ABufferOptions { resolution: RESOLUTION, ..ABufferOptions::default() });
    collider
}

/// What the definition says of the vertices that the GPU has placed.
fn defined(seen: &KeptInspection, members: &[Member]) -> (Fragments, Pairs) {
    let sheet = Sheet {
        width: seen.width,
        vertices: &seen.vertices,
        triangles: &seen.triangles,
        members,
        regions: &seen.regions,
    };
    let fragments = sheet.accumulate(&seen.rows, &sheet.counts(&seen.rows));
    let mut pairs = Pairs::default();
    pairs.add(&sheet, &fragments, seen.near);
    pairs.tidy();
    (fragments, pairs)
}

/// Where two lists of what rays meet differ first, if they do.
fn difference(theirs: &Fragments, mine: &Fragments) -> Option<String> {
    if theirs.rays() != mine.rays() {
        return Some(format!("{} rays, {} expected", theirs.rays(), mine.rays()));
    }
    let bits = |all: &Fragments, ray: usize| -> Vec<(u32, u32)> {
        all.of(ray).iter().map(|fragment| (fragment.depth.to_bits(), fragment.surface)).collect()
    };
    let differs = |ray: &usize| bits(theirs, *ray) != bits(mine, *ray);
    let ray = (0..mine.rays()).find(differs)?;
    Some(format!("ray {ray} meets {:?}, {:?} expected", theirs.of(ray), mine.of(ray)))
}

/// Pairs that only one of two sorted lists has.
fn apart(p: &[[u32; 2]], q: &[[u32; 2]]) -> [usize; 2] {
    [(p, q), (q, p)].map(|(p, q)| p.iter().filter(|pair| q.binary_search(pair).is_err()).count())
}

fn exact(scene: &Scene) -> BTreeSet<[u32; 4]> {
    Collider::default().collide(scene).unwrap().contacts.iter().map(key).collect()
}

fn key(c: &Contact) -> [u32; 4] {
    [c.a.body.index() as u32, c.b.body.index() as u32, c.a.triangle, c.b.triangle]
}

/// Contacts are true, sorted, and each there once; how many of all.
fn part_found(report: &Report, exact: &BTreeSet<[u32; 4]>) -> f64 {
    assert!(!report.complete && matches!(report.method, Method::ABuffer(_)));
    let found: Vec<[u32; 4]> = report.contacts.iter().map(key).collect();
    assert!(found.is_sorted_by(|p, q| p < q));
    assert!(found.iter().all(|contact| exact.contains(contact)));
    if exact.is_empty() { 1.0 } else { found.len() as f64 / exact.len() as f64 }
}

#[test]
fn every_surface_and_every_pair_is_the_cpus() {
    let Some(context) = context() else { return };
    let mut there = collider(&context);
    let (mut views, mut surfaces, mut pairs, mut others) = (0, 0, 0, 0);
    for lab in impinge_lab::all() {
        let mut motion = lab.build(1500, 3);
        for (frame, epsilon, with_itself) in
            [(motion.frames / 2, None, false), (motion.frames - 1, None, true), (1, Some(0.0), true)]
        {
            motion.set_frame(frame).unwrap();
            for id in motion.scene.bodies().map(|(id, _)| id).collect::<Vec<_>>() {
                motion.scene.set_self_collision(id, with_itself).unwrap();
            }
            for direction in [Direction::Auto, Direction::Along([0.3, -0.2, 1.0])] {
                let mut found = Vec::new();
                for keeping in Keeping::ALL {
                    let a_buffer = ABufferOptions { resolution: RESOLUTION, direction, epsilon, keeping };
                    there.options = options(a_buffer);
                    let place = format!("{} frame {frame}, {a_buffer:?}", lab.name);
                    let report = there.collide(&motion.scene).unwrap().clone();
                    let Some(seen) = there.inspect_kept().unwrap() else { continue };
                    let (fragments, expected) = defined(&seen, there.members());
                    assert_eq!(difference(&seen.fragments, &fragments), None, "{place}");
                    assert_eq!(apart(&seen.pairs, &expected.triangles), [0; 2], "{place}");
                    let image = report.rays().unwrap();
                    if image.views == 1 {
                        assert_eq!(image.fragments, fragments.fragments.len(), "{place}");
                        assert_eq!(image.deepest as usize, fragments.deepest(), "{place}");
                        assert_eq!(
                            (image.rays, image.tests),
                            (expected.rays, expected.triangles.len()),
                            "{place}"
                        );
                    }
                    views += 1;
                    surfaces += fragments.fragments.len();
                    pairs += expected.triangles.len();
                    found.push(report.contacts);
                }
                assert!(found.windows(2).all(|two| two[0] == two[1]), "{}: runs and lists", lab.name);
                // From the scene to contacts on the CPU, where vertices are placed in doubles.
                if let Some(theirs) = found.first() {
                    let mine =
                        Collider::new(there.options.clone()).collide(&motion.scene).unwrap().contacts.clone();
                    let [p, q] = [theirs, &mine].map(|list| list.iter().map(key).collect::<BTreeSet<_>>());
                    others += p.symmetric_difference(&q).count();
                }
            }
        }
    }
    println!(
        "{views} views, {surfaces} surfaces, {pairs} pairs, none differs; {others} contacts differ by where vertices are placed"
    );
    assert!(views > 100 && surfaces > 2_000_000 && pairs > 20_000);
    assert!(others * 200 < pairs, "vertices are placed in floats there and in doubles here: {others}");
}

#[test]
fn a_comparison_with_one_side_broken_fails() {
    let Some(context) = context() else { return };
    let mut there = collider(&context);
    let mut motion = impinge_lab::find("knots").unwrap().build(2000, 1);
    motion.set_frame(1).unwrap();
    there.collide(&motion.scene).unwrap();
    let seen = there.inspect_kept().unwrap().unwrap();
    let (mine, pairs) = defined(&seen, there.members());
    assert!(difference(&seen.fragments, &mine).is_none() && seen.pairs == pairs.triangles);
    let broken = |break_it: &dyn Fn(&mut KeptInspection)| {
        let mut broken = seen.clone();
        break_it(&mut broken);
        let (mine, pairs) = defined(&broken, there.members());
        difference(&seen.fragments, &mine).is_some() || seen.pairs != pairs.triangles
    };
    let vertex = seen.triangles[seen.fragments.fragments[0].triangle() as usize][0] as usize;
    assert!(broken(&|seen| seen.vertices[vertex].x += 1.0), "a vertex");
    assert!(broken(&|seen| seen.vertices[vertex].depth += 1e-6), "a depth");
    assert!(broken(&|seen| seen.regions[0].columns[1] /= 2), "a region");
    assert!(broken(&|seen| seen.near *= 2.0), "epsilon");
}

#[test]
fn most_contacts_are_found_where_triangles_are_larger_than_pixels() {
    let Some(context) = context() else { return };
    let mut there = collider(&context);
    for (name, floor) in [
        ("spheres", 0.85),
        ("boxes", 0.85),
        ("knots", 0.9),
        ("chain", 0.6),
        ("blobs", 0.85),
        ("creatures", 0.7),
        ("open", 0.85),
        ("far", 0.9),
        ("big", 0.85),
    ] {
        let mut motion = impinge_lab::find(name).unwrap().build(4000, 1);
        motion.set_frame(motion.frames / 2).unwrap();
        let exact = exact(&motion.scene);
        for (direction, floor) in [(Direction::Auto, floor), (Direction::Axes, 0.95)] {
            *choices(&mut there) =
                ABufferOptions { resolution: [512, 512], direction, ..ABufferOptions::default() };
            let report = there.collide(&motion.scene).unwrap();
            let (found, tests) = (part_found(report, &exact), report.rays().unwrap().tests);
            println!("{name}, {direction:?}: {:.1} % of {}, {tests} tests", 100.0 * found, exact.len());
            assert!(found > floor, "{name}, {direction:?}: {found}");
            assert!(tests < 20 * exact.len().max(100), "{name}, {direction:?}: {tests} tests");
        }
    }
}

#[test]
fn a_body_collides_with_itself_and_neighbours_are_no_pairs() {
    let Some(context) = context() else { return };
    let mut there = collider(&context);
    choices(&mut there).resolution = [1024, 1024];
    // Along the axes, a ribbon's triangles lie over each other corner by corner, and no ray meets two that touch there.
    choices(&mut there).direction = Direction::Along([0.3, 0.5, 1.0]);
    let mut motion = impinge_lab::find("ribbon").unwrap().build(2000, 1);
    let mut contacts = 0;
    for frame in [0, motion.frames - 1] {
        motion.set_frame(frame).unwrap();
        for id in motion.scene.bodies().map(|(id, _)| id).collect::<Vec<_>>() {
            motion.scene.set_self_collision(id, true).unwrap();
        }
        let mut exact = exact(&motion.scene);
        let all = exact.len();
        let meshes: Vec<&Mesh> = motion.scene.bodies().map(|(_, body)| body.mesh()).collect();
        exact.retain(|[a, b, i, j]| {
            let [p, q] = [(a, i), (b, j)].map(|(body, k)| meshes[*body as usize].triangles()[*k as usize]);
            a != b || !p.iter().any(|vertex| q.contains(vertex))
        });
        let report = there.collide(&motion.scene).unwrap().clone();
        let found = part_found(&report, &exact);
        println!("frame {frame}: {found} of {}, and {} of neighbours", exact.len(), all - exact.len());
        assert!(found > 0.9, "frame {frame}: {found} of {}", exact.len());
        contacts += report.contacts.len();
    }
    assert!(contacts > 20, "{contacts}");
    // The same without permission.
    for id in motion.scene.bodies().map(|(id, _)| id).collect::<Vec<_>>() {
        motion.scene.set_self_collision(id, false).unwrap();
    }
    assert!(there.collide(&motion.scene).unwrap().contacts.is_empty());
}

#[test]
fn epsilon_may_be_anything() {
    let Some(context) = context() else { return };
    let mut there = collider(&context);
    let mut motion = impinge_lab::find("knots").unwrap().build(1500, 1);
    motion.set_frame(1).unwrap();
    let exact = exact(&motion.scene);
    let mut before = 0;
    for epsilon in [-1.0, f64::NAN, 0.0, 1e-3, 1e-2, 1.0, 1e300, f64::INFINITY] {
        choices(&mut there).epsilon = Some(epsilon);
        let report = there.collide(&motion.scene).unwrap();
        part_found(report, &exact);
        let tests = report.rays().unwrap().tests;
        assert!(tests >= before, "{epsilon}: {tests}, {before} before");
        before = tests;
    }
    assert!(before > 10_000, "everything on a ray is near everything: {before}");
}

#[test]
fn degenerate_input_does_no_harm() {
    let Some(context) = context() else { return };
    let mut there = collider(&context);
    let nothing = || Mesh::new(Vec::<[f32; 3]>::new(), Vec::new()).unwrap();
    let mut scene = Scene::new();
    assert!(there.collide(&scene).unwrap().contacts.is_empty());
    assert!(there.inspect_kept().unwrap().is_none());
    let id = scene.add("nothing", nothing());
    scene.set_self_collision(id, true).unwrap();
    assert!(there.collide(&scene).unwrap().contacts.is_empty());
    scene.add("box", box_of([-1.0; 3], [1.0; 3]));
    assert!(there.collide(&scene).unwrap().contacts.is_empty());
    let flat = Mesh::new(
        vec![
            [0.0, 0.0, 0.0],
            [1.0, 1.0, 1.0],
            [0.5, 0.5, 0.5],
            [1e6, 0.0, 0.2],
            [-1e6, 1e6, 0.1],
            [0.0, -1e6, 0.3],
        ],
        vec![[0, 0, 0], [0, 1, 0], [0, 1, 2], [3, 4, 5], [3, 4, 5]],
    );
    let id = scene.add("flat", flat.unwrap());
    scene.set_self_collision(id, true).unwrap();
    let all = exact(&scene);
    for direction in [Direction::Auto, Direction::Axes, Direction::Along([0.0, 0.0, 1.0])] {
        choices(&mut there).direction = direction;
        part_found(there.collide(&scene).unwrap(), &all);
    }
    for size in [1e-30, 1.0, 1e30] {
        let mut scene = Scene::new();
        scene.add("a", box_of([-size; 3], [size; 3]));
        scene.add("b", box_of([-size / 2.0; 3], [size * 1.5; 3]));
        choices(&mut there).direction = Direction::Along([0.1, -0.2, 1.0]);
        assert!(part_found(there.collide(&scene).unwrap(), &exact(&scene)) > 0.5, "{size}");
        there.options.query = Query::Any;
        assert_eq!(there.collide(&scene).unwrap().contacts.len(), 1, "one answer is one");
        there.options.query = Query::All;
    }
}

/// 300 plates, one above the other, and a post through all of them.
fn plates() -> Scene {
    let mut scene = Scene::new();
    for k in 0..300u16 {
        let z = f64::from(k);
        scene.add(format!("plate {k}"), box_of([0.0, 0.0, z], [10.0, 10.0, z + 0.5]));
    }
    scene.add("post", box_of([4.1, 4.2, -1.0], [5.3, 5.1, 301.0]));
    scene
}

#[test]
fn deep_rays_are_shared_and_looked_through_whole() {
    let Some(context) = context() else { return };
    let mut there = collider(&context);
    // One layer, thousands of times, and something through it.
    let mut sheets = Scene::new();
    let corners = vec![[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    sheets.add("sheet", Mesh::new(corners, vec![[0, 1, 2]; 2500]).unwrap());
    let tip = vec![[1.0f32, 1.0, -1.0], [1.0, 3.0, 1.0], [3.0, 1.0, 1.0]];
    sheets.add("tip", Mesh::new(tip, vec![[0, 1, 2]]).unwrap());
    // Lists are walked whole by every thread, which takes its time.
    let [both, runs] = [&Keeping::ALL[..], &[Keeping::Runs]];
    let scenes = [(plates(), 24, 8.0, 600, both), (sheets, 8, 2.0, 2501, runs)];
    for (scene, pixels, epsilon, deepest, ways) in scenes {
        let exact = exact(&scene);
        let mut found = Vec::new();
        for &keeping in ways {
            let (resolution, direction) = ([pixels; 2], Direction::Along([0.0, 0.0, 1.0]));
            *choices(&mut there) = ABufferOptions { resolution, direction, epsilon: Some(epsilon), keeping };
            let report = there.collide(&scene).unwrap().clone();
            part_found(&report, &exact);
            let image = report.rays().unwrap();
            found.push((report.hash(), image.tests, image.rays));
            assert!(image.deepest >= deepest, "{image:?}");
            let seen = there.inspect_kept().unwrap().unwrap();
            let (fragments, pairs) = defined(&seen, there.members());
            assert_eq!(difference(&seen.fragments, &fragments), None);
            assert_eq!(apart(&seen.pairs, &pairs.triangles), [0; 2], "{keeping:?}");
            assert!(image.rays == pairs.rays && pairs.triangles.len() >= 2500);
        }
        assert!(found.windows(2).all(|two| two[0] == two[1]));
    }
}

/// A device of the caller's own, whose bindings are so small.
fn small(binding: u64) -> impinge_gpu::Context {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter =
        pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).unwrap();
    let required_limits =
        wgpu::Limits { max_storage_buffer_binding_size: binding, ..wgpu::Limits::default() };
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    impinge_gpu::Context::from_device(device, queue, adapter.get_info().name)
}

#[test]
fn an_image_that_does_not_fit_is_looked_at_in_strips() {
    let Some(context) = context() else { return };
    let mut motion = impinge_lab::find("creatures").unwrap().build(1500, 1);
    motion.set_frame(3).unwrap();
    let cut = small(128 << 10);
    for keeping in Keeping::ALL {
        for epsilon in [None, Some(0.3)] {
            let reports = [&context, &cut].map(|context| {
                let mut there = collider(context);
                choices(&mut there).epsilon = epsilon;
                choices(&mut there).keeping = keeping;
                let report = there.collide(&motion.scene).unwrap().clone();
                let seen = there.inspect_kept().unwrap().unwrap();
                (report, seen.pairs, seen.rows)
            });
            let [(whole, pairs, rows), (regions, pairs_of_parts, last_rows)] = &reports;
            assert_eq!(whole.contacts, regions.contacts);
            assert_eq!(apart(pairs, pairs_of_parts), [0; 2]);
            let [p, q] = [whole, regions].map(|report| report.rays().unwrap());
            assert_eq!((p.fragments, p.deepest, p.rays, p.tests), (q.fragments, q.deepest, q.rays, q.tests));
            assert!(last_rows.len() < rows.len() && q.bytes_read_back > p.bytes_read_back);
        }
    }
    // More surfaces in one row than there is room for.
    let mut there = collider(&cut);
    choices(&mut there).direction = Direction::Along([0.0, 0.0, 1.0]);
    let error = there.collide(&plates()).unwrap_err().to_string();
    assert!(error.contains("surfaces that rays in a row meet need a buffer of"), "{error}");
    let mut scene = Scene::new();
    scene.add("a", box_of([-1.0; 3], [1.0; 3]));
    scene.add("b", box_of([-0.5; 3], [1.5; 3]));
    assert!(there.collide(&scene).is_ok(), "and the next frame is as good as the first");
}

#[test]
fn bodies_that_deform_and_break_are_other_bodies_every_frame() {
    let Some(context) = context() else { return };
    let mut there = collider(&context);
    choices(&mut there).resolution = [400, 400];
    choices(&mut there).direction = Direction::Axes;
    let mut scene = Scene::new();
    let ball = scene.add("ball", impinge_lab::shapes::sphere(400).mesh_f32());
    let other = scene.add("other", impinge_lab::shapes::sphere(300).moved([0.9, 0.3, 0.2]).mesh_f32());
    let mut hashes = BTreeSet::new();
    for frame in 0..6 {
        // Another mesh with another number of triangles; from the fourth frame on in two halves.
        let shape = impinge_lab::shapes::bumpy_sphere(300 + 150 * frame, frame as u64);
        let mesh = if frame < 3 {
            shape.mesh_f32()
        } else {
            let half = impinge_lab::shapes::sphere(200 + 50 * frame).scaled(0.6);
            half.clone().moved([-0.5, 0.0, 0.1 * frame as f64]).and(&half.moved([0.5, 0.1, 0.0])).mesh_f32()
        };
        scene.set_mesh(ball, mesh).unwrap();
        scene.set_self_collision(ball, frame % 2 == 1).unwrap();
        let exact = exact(&scene);
        let report = there.collide(&scene).unwrap().clone();
        let found = part_found(&report, &exact);
        assert!(!exact.is_empty() && found > 0.8, "frame {frame}: {found} of {}", exact.len());
        let fresh = {
            let mut fresh = collider(&context);
            fresh.options = there.options.clone();
            fresh.collide(&scene).unwrap().hash()
        };
        assert_eq!(report.hash(), fresh, "nothing is left of the frames before");
        hashes.insert(report.hash());
    }
    assert_eq!(hashes.len(), 6, "every frame has an answer of its own");
    scene.remove(other).unwrap();
    assert!(there.collide(&scene).is_ok());
}

#[test]
fn what_only_the_gpu_holds_takes_part_as_it_breaks_and_its_corners_come_back() {
    let Some(context) = context() else { return };
    let storage = |data: &[u32]| bytes(&context, data);
    let shape = impinge_lab::shapes::torus_knot(2000, [2, 3], [1.0, 0.4, 0.3]).mesh_f32();
    let positions: Vec<[f32; 3]> = shape.positions().iter().map(|p| p.map(|c| c as f32)).collect();
    let live = storage(&[0]);
    let count = shape.triangles().len() as u32;
    let tags: Vec<u32> = (0..count).map(|k| 7 * k).collect();
    let body = GpuBody {
        live: Some((live.clone(), 0)),
        tags: Some((storage(&tags), 0)),
        ..GpuBody::new(
            bytes(&context, &positions),
            positions.len() as u32,
            bytes(&context, shape.triangles()),
            count,
        )
    };
    let mut scene = Scene::new();
    let knot = scene.add("knot", Mesh::new(Vec::<[f32; 3]>::new(), Vec::new()).unwrap());
    scene.add("ball", impinge_lab::shapes::sphere(900).moved([0.6, 0.4, 0.1]).mesh_f32());
    let pose = impinge::Pose::from_axis_angle([1.0, 0.2, 0.3], 0.7, [0.1, 0.0, 0.2]).unwrap();
    scene.set_pose(knot, pose).unwrap();
    scene.set_self_collision(knot, true).unwrap();
    let mut there = collider(&context);
    choices(&mut there).resolution = [512, 512];
    there.options.shapes = true;
    there.attach(&scene, knot, body).unwrap();
    let mut numbers = Vec::new();
    for alive in [count, count / 2, count / 3, 0, count] {
        context.queue.write_buffer(&live, 0, &alive.to_le_bytes());
        let mut held = scene.clone();
        let part = shape.triangles()[..alive as usize].to_vec();
        held.set_mesh(knot, Mesh::new(positions.clone(), part).unwrap()).unwrap();
        let exact = exact(&held);
        let report = there.collide(&scene).unwrap().clone();
        let found = part_found(&report, &exact);
        assert!(found > 0.8, "{alive} alive: {found} of {}", exact.len());
        assert_eq!(report.shapes.len(), report.contacts.len());
        for element in report.contacts.iter().flat_map(|c| [c.a, c.b]).filter(|e| e.body == knot) {
            let triangle = there.triangle(element).expect("every contact's triangle came back");
            let body = held.body(knot).unwrap();
            assert_eq!(triangle.corners, body.world_corners(element.triangle as usize));
            assert_eq!(triangle.vertices, body.mesh().triangles()[element.triangle as usize]);
            assert_eq!(triangle.tag, 7 * element.triangle);
        }
        assert!(there.triangles().len() < alive as usize / 2 + 1, "only what may collide comes back");
        assert!(there.triangles().is_sorted_by(|p, q| p.element < q.element));
        numbers.push(report.contacts.len());
    }
    assert!(numbers[0] > 20 && numbers[3] == 0 && numbers[0] == numbers[4], "{numbers:?}");
}
