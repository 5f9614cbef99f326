//! Coordinates at the ends of `f32` and `f64`, signed zeros, bodies of very different size: every complete method gives
//! the same answer, in the first frame and in later ones.

use impinge::{Collider, Mesh, Method, Options, Pose, Positions, Query, Scene};

type Triangle = [[f64; 3]; 3];

fn narrow(t: Triangle) -> Positions {
    Positions::F32(t.iter().map(|p| p.map(|x| x as f32)).collect())
}

fn wide(t: Triangle) -> Positions {
    Positions::F64(t.to_vec())
}

fn scene(bodies: &[(Positions, Option<[f64; 3]>)]) -> Scene {
    let mut scene = Scene::new();
    for (index, (positions, translation)) in bodies.iter().enumerate() {
        let id = scene.add(format!("body {index}"), Mesh::new(positions.clone(), vec![[0, 1, 2]]).unwrap());
        if let Some(t) = translation {
            scene.set_pose(id, Pose::from_translation(*t).unwrap()).unwrap();
        }
    }
    scene
}

/// The number of contacts, the same from every method, frame and number of threads; adding a body elsewhere changes
/// nothing.
fn contacts(mut scene: Scene) -> usize {
    let brute_force = Options { method: Method::BruteForce, ..Options::default() };
    let expected = Collider::new(brute_force).collide(&scene).contacts.clone();
    let mut collider = Collider::default();
    for frame in 0..4 {
        if frame == 2 {
            scene.add("elsewhere", Mesh::new(wide([[9e9; 3], [9e9; 3], [9e9; 3]]), vec![[0, 1, 2]]).unwrap());
        }
        assert_eq!(collider.collide(&scene).contacts, expected, "frame {frame}");
    }
    let any = Collider::new(Options { query: Query::Any, ..Options::default() }).collide(&scene).collides();
    assert_eq!(any, !expected.is_empty());
    expected.len()
}

#[test]
fn bodies_that_touch_at_zero_touch_whatever_its_sign() {
    let left = |zero: f64| narrow([[-1.0, 0.0, 0.0], [zero, 0.0, 0.0], [-1.0, 1.0, 0.0]]);
    let right = |zero: f64| narrow([[zero, 0.0, 0.0], [1.0, 0.0, 0.0], [zero, 1.0, 0.0]]);
    for (a, b) in [(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (-0.0, -0.0)] {
        assert_eq!(contacts(scene(&[(left(a), None), (right(b), None)])), 1);
    }
}

#[test]
fn the_smallest_floats_touch() {
    let t = 1e-41;
    let a = [[t, t, t], [0.0, t, t], [t, 2.0 * t, 3.0 * t]];
    let b = [[-t, t, t], [0.0, t, t], [-t, 2.0 * t, 3.0 * t]];
    assert_eq!(contacts(scene(&[(narrow(a), None), (narrow(b), None)])), 1);
    let tiny = |t: Triangle| t.map(|p| p.map(|x| x * 1e-270));
    assert_eq!(contacts(scene(&[(wide(tiny(a)), None), (wide(tiny(b)), None)])), 1);
}

#[test]
fn floats_meet_doubles_while_something_huge_is_near() {
    let a = [[1e38, 0.0, 0.0], [3e38, 0.0, 0.0], [1e38, 2e38, 0.0]];
    let b = [[1.5e38, 0.5e38, -1e38], [1.5e38, 0.5e38, 1e38], [2.5e38, 0.6e38, 1e38]];
    let far = [[6e43, 0.0, 0.0], [6e43, 1.0, 0.0], [6e43, 0.0, 1.0]];
    assert_eq!(contacts(scene(&[(narrow(a), None), (wide(b), None), (wide(far), None)])), 1);
}

#[test]
fn posed_bodies_meet_at_the_end_of_the_floats_and_beyond() {
    let a = [[2e38, 0.0, 0.0], [3e38, 0.0, 0.0], [2e38, 1e38, 0.0]];
    let b = [[2.2e38, 0.2e38, -1e37], [2.2e38, 0.2e38, 1e37], [2.3e38, 0.2e38, 1e37]];
    assert_eq!(contacts(scene(&[(narrow(a), Some([1e30, 0.0, 0.0])), (narrow(b), None)])), 1);
    let a = [[2e40, 2e40, 2e40], [3e40, 2e40, 2e40], [2e40, 3e40, 2e40]];
    let b = [[2.2e40, 2.2e40, 1.8e40], [2.2e40, 2.2e40, 3e40], [2.3e40, 2.2e40, 3e40]];
    assert_eq!(contacts(scene(&[(wide(a), Some([1e30; 3])), (wide(b), None)])), 1);
}

#[test]
fn the_largest_doubles_touch() {
    let m = f64::MAX;
    let floor = [[-m, -m, 0.0], [m, -m, 0.0], [0.0, m, 0.0]];
    let needle = [[0.0, 0.0, -m], [0.0, 0.0, m], [1.0, 0.0, m]];
    assert_eq!(contacts(scene(&[(wide(floor), None), (wide(needle), None)])), 1);
    let beside = needle.map(|[x, y, z]| [x + m, y, z]);
    assert_eq!(contacts(scene(&[(wide(floor), None), (wide(beside), None)])), 0);
}

#[test]
fn far_from_the_origin_a_gap_of_one_step_is_a_gap() {
    let at = |x: f64| [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
    let base = 1e15;
    assert_eq!(contacts(scene(&[(wide(at(base)), None), (wide(at(base)), None)])), 1);
    assert_eq!(contacts(scene(&[(wide(at(base)), None), (wide(at(base.next_up())), None)])), 0);
}
