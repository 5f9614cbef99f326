//! Devices that fail: a clear error or a grown buffer, never a shorter list.

mod common;

use impinge::contacts::{CullideOptions, PeelOptions};
use impinge::interference::{Identify, RayCastOptions};
use impinge::overlap_cells::{Answer, Certainty, SliceOptions};
use impinge::{BodyId, ContactError, Direction, Mesh, Method, Pose, Scene};
use impinge_gpu::{Context, GpuBody, GpuCollider, GpuError};

fn knots(triangles: usize) -> Scene {
    let mut motion = impinge_lab::find("knots").unwrap().build(triangles, 1);
    motion.set_frame(1).unwrap();
    motion.scene
}

/// What a collider that peels may be told.
fn peel(collider: &mut GpuCollider) -> &mut PeelOptions {
    match &mut collider.options.method {
        Method::DepthPeel(choices) => choices,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_destroyed_device_is_an_error() {
    if common::context().is_none() {
        return;
    }
    let context = common::limited(|_| ());
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());
    assert!(collider.collide(&knots(2000)).unwrap().collides());
    context.device.destroy();
    let error = collider.collide(&knots(3000)).unwrap_err();
    assert!(matches!(error, GpuError::Lost { .. }), "{error:?}");
    assert!(matches!(collider.collide(&knots(3000)), Err(GpuError::Lost { .. })), "and stays one");
    let again = GpuCollider::new(context).map(|_| ());
    assert!(matches!(again, Err(GpuError::Lost { .. })), "{again:?}");
}

#[test]
fn a_tiny_limit_is_named_and_a_smaller_scene_still_works() {
    if common::context().is_none() {
        return;
    }
    let context = common::limited(|limits| {
        limits.max_storage_buffer_binding_size = 1 << 16;
        limits.max_buffer_size = 1 << 22;
    });
    let mut collider = GpuCollider::new(context).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());
    peel(&mut collider).resolution = [64, 64];
    let error = collider.collide(&knots(20_000)).unwrap_err();
    assert!(matches!(error, GpuError::TooLarge { limit: 65_536, .. }), "{error:?}");
    assert!(error.to_string().contains("bytes, and this device allows 65536"), "{error}");
    assert!(collider.collide(&knots(1000)).unwrap().collides());
    peel(&mut collider).resolution = [4096, 4096];
    assert!(matches!(collider.collide(&knots(1000)), Err(GpuError::TooLarge { .. })), "too many rays");
}

#[test]
fn an_image_larger_than_the_device_takes_is_named() {
    if common::context().is_none() {
        return;
    }
    let context = common::limited(|limits| limits.max_texture_dimension_2d = 512);
    let mut collider = GpuCollider::new(context).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());
    let error = collider.collide(&knots(1000)).unwrap_err();
    assert_eq!(error, GpuError::TooWide { width: 1024, height: 1024, limit: 512 });
}

#[test]
fn buffers_grow_with_the_scene_and_the_answer_stays() {
    let Some(context) = common::context() else { return };
    let mut growing = GpuCollider::new(context.clone()).unwrap();
    growing.options.method = Method::DepthPeel(PeelOptions::default());
    for triangles in [200, 3000, 500, 20_000] {
        let scene = knots(triangles);
        let grown = growing.collide(&scene).unwrap().hash();
        let mut fresh = GpuCollider::new(context.clone()).unwrap();
        fresh.options.method = Method::DepthPeel(PeelOptions::default());
        let fresh = fresh.collide(&scene).unwrap().hash();
        assert_eq!(grown, fresh, "{triangles} triangles");
    }
}

#[test]
fn rays_deeper_than_a_byte_are_counted() {
    let Some(context) = common::context() else { return };
    // 300 plates, one above the other, and a post through all of them.
    let mut scene = Scene::new();
    let slab = |low: [f32; 3], high: [f32; 3]| {
        let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { low[axis] } else { high[axis] });
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Mesh::new((0..8).map(corner).collect::<Vec<[f32; 3]>>(), triangles).unwrap()
    };
    for k in 0..300u16 {
        let z = f32::from(k);
        scene.add(format!("plate {k}"), slab([0.0, 0.0, z], [10.0, 10.0, z + 0.5]));
    }
    scene.add("post", slab([4.1, 4.2, -1.0], [5.3, 5.1, 301.0]));
    let mut collider = GpuCollider::new(context).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());
    peel(&mut collider).resolution = [64, 64];
    peel(&mut collider).direction = Direction::Along([0.0, 0.0, 1.0]);
    let exact = impinge::Collider::default().collide(&scene).unwrap().contacts.len();
    let report = collider.collide(&scene).unwrap();
    assert!(report.rays().unwrap().deepest >= 600, "{:?}", report.rays());
    assert_eq!(report.contacts.len(), exact);
}

#[test]
fn an_adapter_that_is_not_there_is_an_error_that_lists_those_that_are() {
    let Some(context) = common::context() else { return };
    let error = Context::on(Some("no such thing")).unwrap_err().to_string();
    assert!(error.contains("'no such thing'") && error.contains(&context.adapter), "{error}");
}

#[test]
fn many_surfaces_in_one_place_end_early_and_shallow_views_go_back() {
    let Some(context) = common::context() else { return };
    // One layer, a thousand times.
    let corners = vec![[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let mut scene = Scene::new();
    scene.add("sheet", Mesh::new(corners.clone(), vec![[0, 1, 2]; 2000]).unwrap());
    scene.add(
        "tip",
        Mesh::new(vec![[1.0f32, 1.0, -1.0], [1.0, 1.2, 1.0], [1.2, 1.0, 1.0]], vec![[0, 1, 2]]).unwrap(),
    );
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());
    peel(&mut collider).resolution = [64, 64];
    peel(&mut collider).direction = Direction::Along([0.1, 0.2, 1.0]);
    let exact = impinge::Collider::default().collide(&scene).unwrap().contacts.len();
    let report = collider.collide(&scene).unwrap();
    assert!(report.rays().unwrap().deepest >= 2000, "{:?}", report.rays());
    assert_eq!(report.contacts.len(), exact);
    for _ in 0..2 {
        let shallow = knots(1000);
        let again = collider.collide(&shallow).unwrap().hash();
        let mut fresh = GpuCollider::new(context.clone()).unwrap();
        fresh.options.method = collider.options.method;
        assert_eq!(again, fresh.collide(&shallow).unwrap().hash());
    }
}

#[test]
fn a_body_without_triangles_blinds_nobody() {
    let Some(context) = common::context() else { return };
    let mut scene = knots(1000);
    let mut collider = GpuCollider::new(context).unwrap();
    collider.options.method = Method::DepthPeel(PeelOptions::default());
    let before = collider.collide(&scene).unwrap().contacts.len();
    let nothing = scene.add("nothing", Mesh::new(Vec::<[f32; 3]>::new(), Vec::new()).unwrap());
    scene.set_self_collision(nothing, true).unwrap();
    assert_eq!(collider.collide(&scene).unwrap().contacts.len(), before);
    assert!(before > 0);
}

/// Two boxes in each other, and hundreds of needles in both.
fn needles() -> Scene {
    let brick = |low: [f64; 3], high: [f64; 3]| {
        let half = [0, 1, 2].map(|k| (high[k] - low[k]) / 2.0);
        let middle = [0, 1, 2].map(|k| f64::midpoint(low[k], high[k]));
        impinge_lab::shapes::subdivided_box(12, half).moved(middle).mesh()
    };
    let mut scene = Scene::new();
    scene.add("outer", brick([-2.1; 3], [2.1; 3]));
    scene.add("inner", brick([-2.0; 3], [2.0; 3]));
    for k in 0..200 {
        let [x, y] = [k % 20, k / 20].map(|n| -1.5 + 0.15 * f64::from(n));
        scene.add(format!("needle {k}"), brick([x, y, -1.0], [x + 0.05, y + 0.05, 1.0]));
    }
    scene
}

#[test]
fn casting_gives_the_same_whatever_a_device_has_and_however_little_room() {
    let Some(best) = common::context() else { return };
    let direction = Direction::Along([0.1, 0.05, 1.0]);
    let ray_cast =
        RayCastOptions { resolution: [300, 280], layers: 2, direction, ..RayCastOptions::default() };
    let cast = |context: Context, identify| {
        let mut collider = GpuCollider::new(context).unwrap();
        let found = collider.interference(&needles(), &RayCastOptions { identify, ..ray_cast }).unwrap();
        (found.pairs, found.edges, found.points.len(), found.bodies)
    };
    // No features at all; and bindings so small that edges are drawn in batches and crossings listed in strips.
    let plain = common::limited(|_| ());
    let small = common::limited(|limits| limits.max_storage_buffer_binding_size = 128 << 10);
    for identify in [Identify::Everything, Identify::LastDrawn, Identify::Queries] {
        let expected = cast(best.clone(), identify);
        assert!(expected.3.len() > 200);
        assert_eq!(cast(plain.clone(), identify), expected, "{identify:?}");
        assert_eq!(cast(small.clone(), identify), expected, "{identify:?}, in parts");
    }
}

#[test]
fn an_image_too_large_for_the_device_is_an_error_when_casting_too() {
    if common::context().is_none() {
        return;
    }
    let context = common::limited(|limits| limits.max_texture_dimension_2d = 2048);
    let mut collider = GpuCollider::new(context).unwrap();
    let sized = |resolution| RayCastOptions { resolution, ..RayCastOptions::default() };
    let error = collider.interference(&needles(), &sized([4096, 64])).unwrap_err();
    assert!(matches!(error, GpuError::TooWide { width: 4096, height: 64, limit: 2048 }), "{error:?}");
    let found = collider.interference(&needles(), &sized([64, 64])).unwrap();
    assert!(found.any, "and the next frame is as good as the first");
}

/// Two boxes in each other, the second of them with its triangles in buffers of the caller's own.
fn attached(context: &Context, collider: &mut GpuCollider) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.add("held", common::box_of([-1.0; 3], [1.0; 3]));
    let mesh = common::box_of([-0.5; 3], [1.5; 3]);
    let id = scene.add("elsewhere", mesh.clone());
    let positions: Vec<[f32; 3]> = mesh.positions().iter().map(|p| p.map(|c| c as f32)).collect();
    let [vertices, triangles] = [positions.len(), mesh.triangles().len()].map(|n| n as u32);
    let positions = common::bytes(context, &positions);
    let indices = common::bytes(context, mesh.triangles());
    collider.attach(&scene, id, GpuBody::new(positions, vertices, indices, triangles)).unwrap();
    (scene, id)
}

#[test]
fn methods_of_the_cpu_are_refused_by_name() {
    let Some(context) = common::context() else { return };
    let mut collider = GpuCollider::new(context).unwrap();
    let scene = knots(500);
    for method in [Method::Bvh, Method::BruteForce] {
        collider.options.method = method;
        let error = collider.collide(&scene).unwrap_err();
        assert_eq!(error, GpuError::NotOnGpu { method: method.name() });
        assert!(error.to_string().contains(method.name()), "{error}");
    }
    collider.options.method = Method::Auto;
    let report = collider.collide(&scene).unwrap();
    assert_eq!((report.method.name(), report.complete), ("grid", true));
    let mut here = impinge::Collider::default();
    assert_eq!(report.contacts, here.collide(&scene).unwrap().contacts);
    assert!(!report.contacts.is_empty());
}

#[test]
fn cells_do_not_tell_of_bodies_on_the_gpu_what_only_corners_can() {
    let Some(context) = common::context() else { return };
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    let (scene, id) = attached(&context, &mut collider);
    let ids: Vec<BodyId> = scene.bodies().map(|(id, _)| id).collect();
    let steps = [[Pose::IDENTITY; 2]];
    let plain = SliceOptions::default();
    let lists = "lists the triangles that touch";
    let refused = [
        (SliceOptions { triangles: true, ..plain }, lists),
        (SliceOptions { shapes: true, ..plain }, lists),
        (
            SliceOptions { certainty: Certainty::Offset(1.0), ..plain },
            "moves surfaces along the normals of vertices",
        ),
    ];
    for (options, needs) in refused {
        let expected = GpuError::NeedsCorners { needs, body: "elsewhere".into() };
        let error = collider.overlaps(&scene, &options).unwrap_err();
        assert_eq!(error, expected);
        let text = error.to_string();
        assert!(text.contains("body 'elsewhere' lives on the GPU") && text.contains(needs), "{text}");
        let error = collider.paths(&scene, [ids[0], ids[1]], &steps, false, &options).unwrap_err();
        assert_eq!(error, expected);
    }
    // What cells can tell is told, and after an error too.
    assert_eq!(collider.overlaps(&scene, &plain).unwrap().pairs[0].answer, Answer::Yes);
    assert!(collider.paths(&scene, [ids[0], ids[1]], &steps, false, &plain).is_ok());
    collider.detach(id);
    for (options, _) in refused {
        let overlaps = collider.overlaps(&scene, &options).unwrap();
        assert_eq!(overlaps.pairs[0].answer, Answer::Yes);
        assert_eq!(overlaps.contacts.is_empty(), !options.triangles);
    }
}

#[test]
fn culling_names_the_body_that_may_collide_with_itself() {
    let Some(context) = common::context() else { return };
    let mut collider = GpuCollider::new(context).unwrap();
    collider.options.method = Method::Cullide(CullideOptions::default());
    let mut scene = Scene::new();
    scene.add("post", common::box_of([-1.0; 3], [1.0; 3]));
    let cloth = scene.add("cloth", common::box_of([-0.5; 3], [1.5; 3]));
    scene.set_self_collision(cloth, true).unwrap();
    let of_the_cpu = ContactError::SelfCollision { method: "cullide", body: "cloth".into() };
    let error = collider.collide(&scene).unwrap_err();
    assert_eq!(error, GpuError::Contacts(of_the_cpu.clone()));
    assert_eq!(error.to_string(), of_the_cpu.to_string());
    assert!(error.to_string().contains("method cullide") && error.to_string().contains("'cloth'"), "{error}");
    scene.set_self_collision(cloth, false).unwrap();
    let report = collider.collide(&scene).unwrap();
    assert!(report.complete && report.collides());
}

#[test]
fn culling_names_the_body_that_lives_on_the_gpu() {
    let Some(context) = common::context() else { return };
    let mut collider = GpuCollider::new(context.clone()).unwrap();
    let (scene, id) = attached(&context, &mut collider);
    for reliable in [true, false] {
        collider.options.method = Method::Cullide(CullideOptions { reliable, ..CullideOptions::default() });
        let error = collider.collide(&scene).unwrap_err();
        assert_eq!(error, GpuError::NotInScene { body: "elsewhere".into() });
        assert!(error.to_string().contains("body 'elsewhere' lives on the GPU"), "{error}");
    }
    // Another method takes it, and so does culling once it is the scene's.
    collider.options.method = Method::Auto;
    assert!(collider.collide(&scene).unwrap().collides());
    collider.detach(id);
    collider.options.method = Method::Cullide(CullideOptions::default());
    assert!(collider.collide(&scene).unwrap().collides());
}
