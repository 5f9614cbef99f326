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
    let expected = Collider::new(brute_force).collide(&scene).unwrap().contacts.clone();
    let mut collider = Collider::default();
    for frame in 0..4 {
        if frame == 2 {
            scene.add("elsewhere", Mesh::new(wide([[9e9; 3], [9e9; 3], [9e9; 3]]), vec![[0, 1, 2]]).unwrap());
        }
        assert_eq!(collider.collide(&scene).unwrap().contacts, expected, "frame {frame}");
    }
    let any = Collider::new(Options { query: Query::Any, ..Options::default() })
        .collide(&scene)
        .unwrap()
        .collides();
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

fn scaled(scale: f64, translation: [f64; 3]) -> Pose {
    let row = |r: usize| [0, 1, 2].map(|c| if r == c { scale } else { 0.0 });
    let rows = [0, 1, 2].map(|r| {
        let [x, y, z] = row(r);
        [x, y, z, translation[r]]
    });
    Pose::from_rows(rows).unwrap()
}

/// Contacts from `BruteForce` and from the engine, for bodies of triangles with poses, self-collision looked for.
fn both(bodies: &[(Vec<[f64; 3]>, Pose)]) -> [usize; 2] {
    let mut scene = Scene::new();
    for (positions, pose) in bodies {
        let triangles = (0..positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let id = scene.add("body", Mesh::new(positions.clone(), triangles).unwrap());
        scene.set_pose(id, *pose).unwrap();
        scene.set_self_collision(id, true).unwrap();
    }
    [Method::BruteForce, Method::Bvh].map(|method| {
        let options = Options { method, containment: false, ..Options::default() };
        Collider::new(options).collide(&scene).unwrap().contacts.len()
    })
}

struct Random(u64);

impl Random {
    /// In -1..1, a multiple of 2^-23.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / (1u64 << 23) as f64 - 1.0
    }

    /// Whole multiples of `step`, up to `most` of them.
    fn whole(&mut self, most: f64, step: f64) -> [f64; 3] {
        [0, 1, 2].map(|_| (self.unit() * most).round() * step)
    }

    fn turn(&mut self) -> Pose {
        let axis = [self.unit(), self.unit(), 1.0];
        Pose::from_axis_angle(axis, 3.0 * self.unit(), [0.0; 3]).unwrap()
    }
}

/// A triangle that stands on the point, as large as `size`.
fn upon([x, y, z]: [f64; 3], size: f64) -> Vec<[f64; 3]> {
    vec![[x, y, z], [x + size, y + 0.3 * size, z], [x + size, y, z + 0.5 * size]]
}

#[test]
fn poses_whose_ratio_is_below_the_floats() {
    for (own, scale) in [(1e36, 1e-46), (1e34, 1e-44), (1e30, 1e-40), (1e20, 1e-30)] {
        let h = own * scale;
        let large = vec![[-own, -own, 0.0], [own, -own, 0.0], [0.0, own, 0.0]];
        let small = vec![[0.5 * h, -0.9 * h, -h], [0.5 * h, -0.9 * h, h], [0.6 * h, -0.9 * h, h]];
        let bodies = [(large, scaled(scale, [0.0; 3])), (small, Pose::IDENTITY)];
        assert_eq!(both(&bodies), [1, 1]);
        assert_eq!(both(&[bodies[1].clone(), bodies[0].clone()]), [1, 1]);
    }
}

#[test]
fn the_smallest_doubles_with_poses_touch_where_they_are_rounded_to() {
    let mut random = Random(1);
    let step = f64::from_bits(1);
    let mut contacts = 0;
    for round in 0..600 {
        let most = 2f64.powi(6 + 4 * (round % 5));
        let (p, pose) = ([0; 3].map(|_| random.whole(most, step)).to_vec(), random.turn());
        let world = p.iter().map(|&p| pose.apply(p));
        let top = world.max_by(|a, b| a[0].total_cmp(&b[0])).unwrap();
        // The other one by itself, or many times larger and scaled down onto the corner.
        let other = if round % 2 == 0 {
            (upon(top, most * step), Pose::IDENTITY)
        } else {
            (upon(top.map(|x| x * 1048576.0), most * step * 1048576.0), scaled(1.0 / 1048576.0, [0.0; 3]))
        };
        for bodies in [[(p.clone(), pose), other.clone()], [other, (p, pose)]] {
            let [expected, found] = both(&bodies);
            assert_eq!(found, expected, "round {round}");
            contacts += found;
        }
    }
    assert!(contacts > 1000, "{contacts}");
}

#[test]
fn corners_that_become_one_in_the_world_touch() {
    let mut random = Random(2);
    let step = f64::from_bits(1);
    let mut contacts = 0;
    for round in 0..40_000 {
        let most = 2f64.powi(6 + 4 * (round % 4));
        let (p, pose) = (random.whole(most, step), random.turn());
        let [_, dy, dz] = random.whole(1.4, step);
        let q = [p[0] + step, p[1] + dy, p[2] + dz];
        if pose.apply(p) != pose.apply(q) {
            continue;
        }
        let (r, t) = ((most * 0.5).round() * step, (most * 0.3).round() * step);
        let mut positions = vec![p, [p[0] - r, p[1] - t, p[2]], [p[0] - r, p[1], p[2] + t]];
        positions.extend([q, [q[0] + r, q[1] - t, q[2]], [q[0] + r, q[1], q[2] - t]]);
        let [expected, found] = both(&[(positions, pose)]);
        assert_eq!(found, expected, "round {round}");
        contacts += found;
    }
    assert!(contacts > 50, "{contacts}");
}

#[test]
fn bodies_in_units_far_apart_touch() {
    let power = |e: i32| 2f64.powi(e / 2) * 2f64.powi(e - e / 2);
    let mut random = Random(3);
    let mut contacts = 0;
    for (ours, theirs, scale) in
        [(-1024, -1004, 60), (-1060, -1060, 300), (-719, -1060, 341), (-20, -900, 880)]
    {
        for round in 0..60 {
            let p: Vec<[f64; 3]> =
                (0..3).map(|_| random.whole(8388608.0, power(theirs) / 8388608.0)).collect();
            let mut rows = *random.turn().rows();
            rows.iter_mut().flat_map(|row| &mut row[..3]).for_each(|x| *x *= power(scale));
            let pose = Pose::from_rows(rows).unwrap();
            let top = p.iter().map(|&p| pose.apply(p)).max_by(|a, b| a[0].total_cmp(&b[0])).unwrap();
            let [expected, found] = both(&[(upon(top, power(ours)), Pose::IDENTITY), (p, pose)]);
            assert_eq!(found, expected, "{ours} {theirs} {scale}, round {round}");
            contacts += found;
        }
    }
    assert!(contacts > 100, "{contacts}");
}

#[test]
fn a_body_that_stayed_meets_one_that_came() {
    for e in [1e-200f64, 1e-48, 1e-46, 1e-38, 1.0] {
        let mut scene = Scene::new();
        let old = vec![[e, e, e], [1.5 * e, e, e], [e, 1.5 * e, e]];
        let id = scene.add("old", Mesh::new(old, vec![[0, 1, 2]]).unwrap());
        scene.set_pose(id, scaled(1.0, [-5.0 * e; 3])).unwrap();
        let mut collider = Collider::new(Options { containment: false, ..Options::default() });
        for _ in 0..2 {
            collider.collide(&scene).unwrap();
        }
        let new = vec![
            [-3.9 * e, -3.9 * e, -4.5 * e],
            [-3.9 * e, -3.9 * e, -3.5 * e],
            [-3.8 * e, -3.9 * e, -3.5 * e],
        ];
        scene.add("new", Mesh::new(new, vec![[0, 1, 2]]).unwrap());
        let brute_force = Options { method: Method::BruteForce, containment: false, ..Options::default() };
        let expected = Collider::new(brute_force).collide(&scene).unwrap().contacts.len();
        assert_eq!((collider.collide(&scene).unwrap().contacts.len(), expected), (1, 1), "{e}");
    }
}
