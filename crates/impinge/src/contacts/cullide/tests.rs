//! Nothing that collides is culled, and much of what does not is.

use super::offsets::{Boxed, Offset};
use super::{Culled, CullideOptions};
use crate::util::tolerance::SNAPPING;
use crate::{Collider, Contact, ContactError, Mesh, Method, Options, Point, Pose, Report, Scene};

/// Numbers between 0 and 1 that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }

    fn point(&mut self, size: f64) -> Point {
        [(); 3].map(|()| (self.next() - 0.5) * size)
    }
}

fn cullide(cullide: CullideOptions) -> Options {
    Options { method: Method::Cullide(cullide), ..Options::default() }
}

fn run(scene: &Scene, options: CullideOptions) -> Report {
    Collider::new(cullide(options)).collide(scene).unwrap().clone()
}

fn exact(scene: &Scene) -> Vec<Contact> {
    let options = Options { method: Method::BruteForce, ..Options::default() };
    let all = Collider::new(options).collide(scene).unwrap().contacts.clone();
    all.into_iter().filter(|contact| contact.a.body != contact.b.body).collect()
}

/// Bodies of a few triangles near each other; some triangles are points, segments or long and thin.
fn bodies(random: &mut Random, count: usize, triangles: usize) -> Scene {
    let mut scene = Scene::new();
    for k in 0..count {
        let place = random.point(1.2);
        let mut positions: Vec<Point> = Vec::new();
        for _ in 0..triangles {
            let from: Point = std::array::from_fn(|i| place[i] + random.point(0.6)[i]);
            let size = [0.1, 0.4, 1.2][(random.next() * 3.0) as usize];
            let mut corners = [(); 3].map(|()| {
                let to = random.point(size);
                [from[0] + to[0], from[1] + to[1], from[2] + to[2]]
            });
            match (random.next() * 10.0) as usize {
                0 => corners = [corners[0]; 3],
                1 => corners[2] = corners[1],
                2 => corners[2] = std::array::from_fn(|i| corners[0][i].midpoint(corners[1][i])),
                3 => corners[2][0] = corners[1][0] + 1e-7,
                // Flat along an axis.
                4 => corners.iter_mut().for_each(|p| p[1] = from[1]),
                _ => {}
            }
            positions.extend(corners);
        }
        let indices = (0..triangles as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        scene.add(format!("{k}"), Mesh::new(positions, indices).unwrap());
    }
    scene
}

#[test]
fn a_box_holds_a_ball_about_every_point_of_its_triangle() {
    let mut random = Random(1);
    for k in 0..3000 {
        let size = [1e-12, 1e-3, 3.0, 700.0][k % 4];
        let at = random.point(1000.0);
        let mut corners = [(); 3].map(|()| {
            let to = random.point(size);
            std::array::from_fn(|i| (at[i] + to[i]) as f32)
        });
        match k % 7 {
            0 => corners[1] = corners[0],
            1 => corners = [corners[0]; 3],
            2 => corners[2] = std::array::from_fn(|i| corners[0][i].midpoint(corners[1][i])),
            3 => corners.iter_mut().for_each(|p| p[2] = 5.0),
            _ => {}
        }
        let offset = Offset { half: 0.6, apart: if k % 2 == 0 { 0.0 } else { 2.0 } };
        let boxed = Boxed::around(corners, &offset);
        let sides = boxed.sides.map(|side| side.map(f64::from));
        let dot = |p: Point, q: Point| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        for _ in 0..20 {
            let (s, t) = (random.next(), random.next());
            let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
            let way = random.point(1.0);
            let length = dot(way, way).sqrt().max(1e-9);
            // What is promised without the room for errors.
            let radius = 3.0f64.sqrt() * 0.6 + f64::from(offset.apart);
            let p: Point = std::array::from_fn(|i| {
                let on = f64::from(corners[0][i])
                    + s * f64::from(corners[1][i] - corners[0][i])
                    + t * f64::from(corners[2][i] - corners[0][i]);
                on + way[i] / length * radius - f64::from(boxed.corner[i])
            });
            for side in sides {
                let part = dot(p, side) / dot(side, side);
                let slack = 1e-3 / dot(side, side).sqrt();
                assert!((-slack..=1.0 + slack).contains(&part), "{k}: {part} of {corners:?}");
            }
        }
        assert!(sides.iter().all(|side| side[2] >= 0.0), "{boxed:?}");
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let lengths = dot(sides[i], sides[i]).sqrt() * dot(sides[j], sides[j]).sqrt();
            assert!(dot(sides[i], sides[j]).abs() < 1e-5 * lengths, "{corners:?}");
        }
    }
}

/// The numbers in the proof of [`super::offsets`].
#[test]
fn the_proof_adds_up() {
    for k in -40..20 {
        let f = 2.0f64.powi(k);
        let m = 3.0f64.sqrt() * (0.5 + 15.0 * f) - 0.5 * 2.0f64.sqrt();
        let moved = 2.0f64.sqrt() * (SNAPPING + f);
        assert!(m > 0.158 + 25.0 * f && moved < 0.006 + 1.5 * f && moved < m);
        let height = (m - moved) / 2.0 - 2.0 * moved;
        assert!(height > 0.064 + 8.0 * f);
        // Two of three coordinates may be negative.
        assert!(1.0 + 4.0 * f / height < 1.5);
        assert!(f + 1.5 * moved < m / 2.0);
        assert!((m * m - m * m / 4.0).sqrt() > 0.13 + 21.0 * f);
    }
}

#[test]
fn reliable_culling_misses_nothing_and_plain_culling_does() {
    let mut random = Random(7);
    let (mut contacts, mut missed, mut left, mut boxes) = (0, 0, 0, 0);
    for n in 0..60 {
        let scene = bodies(&mut random, 4 + n % 9, 2 + n % 17);
        let truth = exact(&scene);
        for resolution in [[16, 16], [61, 47], [300, 300]] {
            let sub_body = [1, 3, 64][n % 3];
            let reliable = CullideOptions { resolution, sub_body, ..CullideOptions::default() };
            let report = run(&scene, reliable);
            assert_eq!(report.contacts, truth, "{n} at {resolution:?}");
            assert!(report.complete && report.method.name() == "cullide");
            let culled = report.culled().unwrap().clone();
            left += culled.body_pairs.len();
            boxes += culled.stages.box_pairs;
            let plain = run(&scene, CullideOptions { reliable: false, ..reliable });
            assert!(!plain.complete);
            assert!(plain.contacts.iter().all(|contact| truth.contains(contact)));
            contacts += truth.len();
            missed += truth.len() - plain.contacts.len();
        }
    }
    println!("{contacts} contacts, {missed} missed by plain culling; {boxes} pairs of boxes, {left} left");
    assert!(contacts > 1000 && missed > contacts / 20 && left < boxes * 9 / 10);
}

/// Distance of two segments, in doubles.
fn segments([a, b]: [Point; 2], [c, d]: [Point; 2]) -> f64 {
    // Convex in both parameters: sections by golden ratio in one, the other is solved.
    let at = |p: Point, q: Point, t: f64| -> Point { std::array::from_fn(|i| p[i] + t * (q[i] - p[i])) };
    let nearest = |p: Point| {
        let (way, to): (Point, Point) =
            (std::array::from_fn(|i| d[i] - c[i]), std::array::from_fn(|i| p[i] - c[i]));
        let square = dot(way, way);
        let t = if square > 0.0 { (dot(way, to) / square).clamp(0.0, 1.0) } else { 0.0 };
        let q = at(c, d, t);
        dot(std::array::from_fn(|i| p[i] - q[i]), std::array::from_fn(|i| p[i] - q[i])).sqrt()
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let [p, q] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if nearest(at(a, b, p)) < nearest(at(a, b, q)) { high = q } else { low = p }
    }
    nearest(at(a, b, low))
}

fn dot(p: Point, q: Point) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

/// Distance of a point and a triangle, in doubles, where the point is over it; else its edges know better.
fn over(p: Point, [a, b, c]: [Point; 3]) -> f64 {
    let (u, v, w): (Point, Point, Point) = (
        std::array::from_fn(|i| b[i] - a[i]),
        std::array::from_fn(|i| c[i] - a[i]),
        std::array::from_fn(|i| p[i] - a[i]),
    );
    let (uu, uv, vv, wu, wv) = (dot(u, u), dot(u, v), dot(v, v), dot(w, u), dot(w, v));
    let area = uu * vv - uv * uv;
    let (s, t) = ((vv * wu - uv * wv) / area, (uu * wv - uv * wu) / area);
    // Without an area, its edges are all of it.
    if area > 1e-9 * uu * vv && s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        let way: Point = std::array::from_fn(|i| w[i] - s * u[i] - t * v[i]);
        dot(way, way).sqrt()
    } else {
        f64::INFINITY
    }
}

/// Distance of two triangles that do not cross.
fn distance(p: &[Point; 3], q: &[Point; 3]) -> f64 {
    if crate::exact::triangles_touch(p, q) {
        return 0.0;
    }
    let edge = |t: &[Point; 3], k: usize| [t[k], t[(k + 1) % 3]];
    let edges = (0..9).map(|k| segments(edge(p, k / 3), edge(q, k % 3)));
    let corners = (0..3).flat_map(|k| [over(p[k], *q), over(q[k], *p)]);
    edges.chain(corners).fold(f64::INFINITY, f64::min)
}

#[test]
fn nothing_nearer_than_the_distance_is_culled() {
    let mut random = Random(3);
    let (mut near, mut pairs, mut left) = (0, 0, 0);
    for n in 0..40 {
        let scene = bodies(&mut random, 5 + n % 5, 1 + n % 8);
        let apart = [0.01, 0.1, 0.3][n % 3];
        let options = CullideOptions {
            resolution: [[40, 40], [200, 200]][n % 2],
            distance: Some(apart),
            sub_body: 2,
            list_triangles: true,
            ..CullideOptions::default()
        };
        let report = run(&scene, options);
        assert_eq!(report.contacts, exact(&scene));
        let culled = report.culled().unwrap().clone();
        assert_eq!(culled.triangles.len(), culled.triangle_pairs);
        left += culled.triangle_pairs;
        let list: Vec<_> = scene.bodies().collect();
        for (k, (a, first)) in list.iter().enumerate() {
            for (b, second) in &list[k + 1..] {
                for (i, j) in (0..first.mesh().triangles().len())
                    .flat_map(|i| (0..second.mesh().triangles().len()).map(move |j| (i, j)))
                {
                    pairs += 1;
                    if distance(&first.world_corners(i), &second.world_corners(j)) > apart {
                        continue;
                    }
                    near += 1;
                    let element = |body, triangle: usize| crate::Element { body, triangle: triangle as u32 };
                    let pair = [element(*a, i), element(*b, j)];
                    let key = |[a, b]: &[crate::Element; 2]| (a.body, b.body, a.triangle, b.triangle);
                    let found = culled.triangles.binary_search_by_key(&key(&pair), key);
                    assert!(found.is_ok(), "{n}: {pair:?} within {apart}");
                    assert!(culled.body_pairs.contains(&[*a, *b]) && culled.bodies.contains(a));
                }
            }
        }
    }
    println!("{near} of {pairs} pairs of triangles are near, {left} are left");
    assert!(near > 500 && left < pairs / 2);
}

fn boxed(min: Point, max: Point) -> Mesh {
    let corner =
        |k: usize| -> Point { std::array::from_fn(|i| if k >> i & 1 == 0 { min[i] } else { max[i] }) };
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new((0..8).map(corner).collect::<Vec<_>>(), triangles).unwrap()
}

#[test]
fn bodies_whose_boxes_overlap_are_culled_when_one_view_shows_them_apart() {
    // Two sticks, turned: their boxes overlap, and neither hides anything of the other from above.
    let stick = || boxed([-2.0, -0.1, -0.1], [2.0, 0.1, 0.1]);
    let mut scene = Scene::new();
    let ids = [scene.add("a", stick()), scene.add("b", stick())];
    for (id, y) in ids.into_iter().zip([0.0, 0.8]) {
        scene.set_pose(id, Pose::from_axis_angle([0.0, 0.0, 1.0], 0.8, [0.0, y, 0.0]).unwrap()).unwrap();
    }
    let culled = run(&scene, CullideOptions::default()).culled().unwrap().clone();
    assert_eq!((culled.stages.box_pairs, culled.bodies.len(), culled.body_pairs.len()), (1, 0, 0));
    // A distance that spans the gap keeps them; a coarse image cannot tell.
    let wide = CullideOptions { distance: Some(0.5), ..CullideOptions::default() };
    assert_eq!(run(&scene, wide).culled().unwrap().body_pairs, [ids]);
    let coarse = CullideOptions { resolution: [16, 16], ..CullideOptions::default() };
    assert_eq!(run(&scene, coarse).culled().unwrap().bodies, ids);
}

#[test]
fn a_body_that_may_collide_with_itself_is_refused_by_name() {
    let mut scene = Scene::new();
    let a = scene.add("a", boxed([0.0; 3], [1.0; 3]));
    scene.add("b", boxed([0.5; 3], [2.0; 3]));
    scene.set_self_collision(a, true).unwrap();
    let error = Collider::new(cullide(CullideOptions::default())).collide(&scene).unwrap_err();
    assert_eq!(error, ContactError::SelfCollision { method: "cullide", body: "a".to_owned() });
}

#[test]
fn scenes_of_any_size_anywhere_are_taken() {
    let nothing = |culled: &Culled| (culled.bodies.len(), culled.triangle_pairs) == (0, 0);
    assert!(nothing(run(&Scene::new(), CullideOptions::default()).culled().unwrap()));
    let mut one = Scene::new();
    one.add("one", boxed([0.0; 3], [1.0; 3]));
    one.add("empty", Mesh::new(Vec::<Point>::new(), Vec::new()).unwrap());
    one.add("vertices", Mesh::new(vec![[0.5; 3], [0.6; 3]], Vec::new()).unwrap());
    assert!(nothing(run(&one, CullideOptions::default()).culled().unwrap()));
    for scale in [1e-320, 1e-200, 1e-30, 1.0, 1e30, 1e140, 1e290] {
        for away in [0.0, 1.0, 1e9, 1e15] {
            let mut scene = Scene::new();
            let at = |x: f64| (x + away) * scale;
            for (low, high) in [(0.0, 1.0), (0.5, 1.5), (1.5, 2.5), (10.0, 11.0)] {
                scene.add("", boxed([at(low); 3], [at(high); 3]));
            }
            // Flat, and a point.
            scene.add("", boxed([at(0.2), at(0.2), at(0.7)], [at(0.8), at(0.8), at(0.7)]));
            scene.add("", boxed([at(0.7); 3], [at(0.7); 3]));
            for distance in [None, Some(0.0), Some(-1.0), Some(f64::NAN), Some(scale), Some(f64::INFINITY)] {
                let options = CullideOptions { resolution: [64; 2], distance, ..CullideOptions::default() };
                assert_eq!(run(&scene, options).contacts, exact(&scene), "{scale} {away} {distance:?}");
            }
        }
    }
}
