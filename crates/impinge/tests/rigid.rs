//! Bodies with poses: turned, scaled, mirrored and sheared, near and far, large and small, upon each other to the last
//! bit. Whatever frames the filters work in, contacts are those of the rounded world coordinates, as `BruteForce` finds
//! them; and what is kept from one frame to the next changes nothing.

use impinge::{BodyId, Collider, Mesh, Method, Options, Pose, Positions, Query, Scene};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    /// In -1..1.
    fn unit(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 30) as f64 - 1.0
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }
}

/// A bumpy sheet over the square from -1 to 1, rounded to floats; on a coarse grid, so that much is flat and equal.
fn sheet(side: u32, random: &mut Random, coarse: bool) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    let step = |x: f64| if coarse { (x * 8.0).round() / 8.0 } else { f64::from(x as f32) };
    for i in 0..=side {
        for j in 0..=side {
            let (x, y) =
                (2.0 * f64::from(i) / f64::from(side) - 1.0, 2.0 * f64::from(j) / f64::from(side) - 1.0);
            let height = 0.2 * (3.0 * x).sin() * (2.0 * y).cos() + 0.05 * random.unit();
            positions.push([step(x), step(y), step(height)]);
        }
    }
    let mut triangles = Vec::new();
    for i in 0..side {
        for j in 0..side {
            let at = i * (side + 1) + j;
            triangles.push([at, at + 1, at + side + 2]);
            triangles.push([at, at + side + 2, at + side + 1]);
        }
    }
    (positions, triangles)
}

/// A turn, perhaps with a mirror, a shear or very different scales, times `size`, somewhere around `centre`.
fn pose(random: &mut Random, size: f64, centre: [f64; 3]) -> Pose {
    let axis = [random.unit(), random.unit(), random.unit() + 2.0];
    let turn = Pose::from_axis_angle(axis, 3.0 * random.unit(), [0.0; 3]).unwrap();
    let mut rows = *turn.rows();
    let stretch = match random.below(5) {
        0 => [1.0, 1.0, -1.0],
        1 => [1.0, 1e-3, 1.0],
        2 => [1.0, 1.0 + random.unit() * 0.5, 0.01],
        _ => [1.0; 3],
    };
    for row in &mut rows {
        for axis in 0..3 {
            row[axis] *= size * stretch[axis];
        }
    }
    if random.below(4) == 0 {
        rows[0][1] += size * 3.0 * random.unit();
    }
    for axis in 0..3 {
        rows[axis][3] = centre[axis] + 0.3 * size * random.unit();
    }
    Pose::from_rows(rows).unwrap()
}

fn floats(positions: &[[f64; 3]]) -> Positions {
    Positions::F32(positions.iter().map(|p| p.map(|x| x as f32)).collect())
}

/// Compares all methods; says how many contacts there are.
fn compare(scene: &Scene, colliders: &mut [Collider]) -> usize {
    let brute_force = Options { method: Method::BruteForce, containment: false, ..Options::default() };
    let expected = Collider::new(brute_force).collide(scene).unwrap().contacts.clone();
    for collider in colliders {
        let any = collider.options.query == Query::Any;
        let report = collider.collide(scene).unwrap();
        if any {
            assert_eq!(report.collides(), !expected.is_empty());
        } else {
            assert_eq!(report.contacts, expected);
        }
    }
    expected.len()
}

fn colliders() -> [Collider; 3] {
    [(1, Query::All), (2, Query::All), (1, Query::Any)].map(|(threads, query)| {
        Collider::new(Options {
            threads,
            query,
            containment: false,
            method: Method::Bvh,
            ..Options::default()
        })
    })
}

#[test]
fn sheets_with_poses_of_every_kind_meet_as_brute_force_says() {
    let mut random = Random(1);
    let mut contacts = 0;
    for round in 0..24 {
        let size = [1.0, 1e-6, 1e6, 1e-30, 1e20, 1e100][round % 6];
        let far = [0.0, 1.0, 1e3, 1e7][round / 6] * size;
        let centre = [far, -far, far];
        let mut scene = Scene::new();
        let mut bodies: Vec<BodyId> = Vec::new();
        for body in 0..3 {
            let (positions, triangles) = sheet(9, &mut random, round % 2 == 0);
            // Own coordinates of very different size, made up for by the pose.
            let positions =
                if body == 2 && size < 1e50 { Positions::F64(positions) } else { floats(&positions) };
            let id = scene.add(format!("sheet {body}"), Mesh::new(positions, triangles).unwrap());
            scene.set_self_collision(id, body == 1).unwrap();
            bodies.push(id);
        }
        let mut colliders = colliders();
        for _ in 0..4 {
            for &id in &bodies {
                scene.set_pose(id, pose(&mut random, size, centre)).unwrap();
            }
            contacts += compare(&scene, &mut colliders);
        }
    }
    assert!(contacts > 1000, "{contacts}");
}

#[test]
fn a_large_body_meets_small_ones() {
    let mut random = Random(2);
    let (positions, triangles) = sheet(12, &mut random, false);
    let mut contacts = 0;
    for ratio in [1e3, 1e6, 1e9, 1e12, 1e18] {
        let mut scene = Scene::new();
        let ground = scene.add("ground", Mesh::new(floats(&positions), triangles.clone()).unwrap());
        let part = scene.add("part", Mesh::new(floats(&positions), triangles.clone()).unwrap());
        let mut colliders = colliders();
        for frame in 0..4 {
            // Each is the first of the two in turn, by which of them is large.
            let (large, small) = if frame % 2 == 0 { (ground, part) } else { (part, ground) };
            let turn = Pose::from_axis_angle([0.2, 1.0, 0.3], 1.0 + frame as f64, [0.0; 3]).unwrap();
            scene.set_pose(large, pose(&mut random, ratio, [0.0; 3])).unwrap();
            let at = scene.body(large).unwrap().world_position(40 + frame);
            let mut rows = *turn.rows();
            for axis in 0..3 {
                rows[axis][3] = at[axis];
            }
            scene.set_pose(small, Pose::from_rows(rows).unwrap()).unwrap();
            contacts += compare(&scene, &mut colliders);
        }
    }
    assert!(contacts > 50, "{contacts}");
}

#[test]
fn a_body_upon_its_own_image_touches_where_the_rounded_coordinates_do() {
    let mut random = Random(3);
    let mut contacts = 0;
    for round in 0..16 {
        let (positions, triangles) = sheet(7, &mut random, round % 2 == 0);
        let mut scene = Scene::new();
        let moved = scene.add("moved", Mesh::new(floats(&positions), triangles.clone()).unwrap());
        let at = pose(&mut random, 1.0, [5.0; 3]);
        scene.set_pose(moved, at).unwrap();
        // The image as doubles is the body itself; as floats it goes up and down through it.
        let image: Vec<[f64; 3]> =
            positions.iter().map(|&p| at.apply(p.map(|x| f64::from(x as f32)))).collect();
        let image = if round % 4 < 2 { floats(&image) } else { Positions::F64(image) };
        let still = scene.add("image", Mesh::new(image, triangles.clone()).unwrap());
        let mut colliders = colliders();
        contacts += compare(&scene, &mut colliders);
        // The same in a frame that both are turned into.
        let again = pose(&mut random, 3.0, [-1.0; 3]);
        scene.set_pose(still, again).unwrap();
        let rows = again.rows();
        let mut both = [[0.0; 4]; 3];
        for r in 0..3 {
            for c in 0..4 {
                both[r][c] = (0..3).map(|k| rows[r][k] * at.rows()[k][c]).sum::<f64>();
            }
            both[r][3] += rows[r][3];
        }
        scene.set_pose(moved, Pose::from_rows(both).unwrap()).unwrap();
        contacts += compare(&scene, &mut colliders);
    }
    assert!(contacts > 5000, "{contacts}");
}

#[test]
fn patches_come_and_go() {
    // More patches than are kept for good, most of them in use only for a while.
    let mut random = Random(4);
    let (positions, triangles) = sheet(150, &mut random, false);
    let mut scene = Scene::new();
    let ids: Vec<BodyId> = (0..3)
        .map(|body| {
            scene.add(format!("sheet {body}"), Mesh::new(floats(&positions), triangles.clone()).unwrap())
        })
        .collect();
    let fresh = || Collider::new(Options { containment: false, ..Options::default() });
    let mut kept = [1, 2].map(|threads| Collider::new(Options { threads, ..fresh().options }));
    let mut contacts = 0;
    for frame in 0..40 {
        for (body, &id) in ids.iter().enumerate() {
            let angle = 0.13 * frame as f64 + 2.0 * body as f64;
            let turn =
                Pose::from_axis_angle([1.0, 0.3 * body as f64, 0.2], angle, [0.0, 0.1 * angle.sin(), 0.0]);
            scene.set_pose(id, turn.unwrap()).unwrap();
        }
        let expected = fresh().collide(&scene).unwrap().contacts.clone();
        for collider in &mut kept {
            assert_eq!(collider.collide(&scene).unwrap().contacts, expected, "frame {frame}");
        }
        contacts += expected.len();
    }
    assert!(contacts > 1000, "{contacts}");
}
