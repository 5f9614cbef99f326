//! Where surfaces meet each other, and where steps do: nothing slips between them.

#[path = "common/particles.rs"]
mod common;

use common::{Point, Random};
use impinge::particles::{
    Collider, Constraint, Options, Particle, Particles, Path, Region, Response, Shape, Simulation,
};
use impinge::{Mesh, Pose};

fn path(position: Point, velocity: Point, acceleration: Point) -> Path {
    Path { start: 0.0, position, velocity, acceleration }
}

fn between(from: Point, to: Point) -> Path {
    path(from, std::array::from_fn(|k| to[k] - from[k]), [0.0; 3])
}

fn one_is_hit(colliders: &[Collider], path: &Path) -> bool {
    colliders.iter().any(|collider| collider.first_hit(path, 0.0, 10.0).is_some())
}

/// Tiles whose size no double has, and what falls exactly between them; the numbers are rounded as a user's are.
#[test]
fn nothing_falls_between_two_tiles() {
    let mut random = Random(1);
    for _ in 0..3000 {
        let width = 0.1 * (1.0 + (100.0 * random.next()).floor());
        let place = (30.0 * random.next()).floor();
        let tiles = [0.5, 1.5].map(|k| {
            Collider::rectangle("tile", [(place + k) * width, 0.0, 0.0], [0.0, 0.0, 1.0], [width, 2.0])
                .unwrap()
        });
        let fall = path([(place + 1.0) * width, 0.1, 3.0], [0.0, 0.0, -1.0], [0.0; 3]);
        assert!(one_is_hit(&tiles, &fall), "{width} {place}");
        // Rings of a pipe, and what flies out of it between them.
        let rings = [0.5, 1.5].map(|k| {
            let pose = Pose::from_translation([0.0, 0.0, (place + k) * width]).unwrap();
            Collider::cylinder("ring", [1.0, 1.0], 0.5 * width, pose).unwrap()
        });
        let out = path([0.0, 0.0, (place + 1.0) * width], [0.6, 0.8, 0.0], [0.0; 3]);
        assert!(one_is_hit(&rings, &out), "{width} {place}");
        // Turned any way: rectangles, and polygons with a hole that another fills.
        let normal = random.point(1.0);
        let frame = *Collider::plane("frame", random.point(5.0), normal).unwrap().pose();
        let from = random.point(9.0);
        let pair = [-0.5, 0.5]
            .map(|x| Collider::rectangle("half", frame.apply([x, 0.0, 0.0]), normal, [1.0, 2.0]).unwrap());
        assert!(one_is_hit(&pair, &between(from, frame.apply([0.0, 0.9 * random.next(), 0.0]))));
        let corners = vec![[-0.3, -0.1], [0.7, -0.2], [0.1, 0.9]];
        let part = random.next();
        let seam = [0, 1].map(|k| corners[0][k] + part * (corners[2][k] - corners[0][k]));
        let moved = frame.apply([-0.7, 0.3, 0.0]);
        let shifted = corners.iter().map(|[x, y]| [x + 0.7, y - 0.3]).collect();
        let plate = [
            Collider::bounded_plane(
                "plate",
                frame.apply([0.0; 3]),
                normal,
                vec![Constraint::Outside(Region::Polygon(corners.clone()))],
            )
            .unwrap(),
            Collider::bounded_plane("lid", moved, normal, vec![Constraint::Inside(Region::Polygon(shifted))])
                .unwrap(),
        ];
        assert!(one_is_hit(&plate, &between(from, frame.apply([seam[0], seam[1], 0.0]))));
    }
    // A border is a few roundings wide, no more.
    let disc = Shape::Plane(vec![Constraint::Inside(Region::Disc { centre: [0.0; 2], radius: 1.0 })]);
    let disc = Collider::new("disc", disc, Pose::IDENTITY).unwrap();
    assert!(!one_is_hit(&[disc], &path([1.0 + 1e-12, 0.0, 1.0], [0.0, 0.0, -1.0], [0.0; 3])));
}

/// A box of triangles, walls along the acceleration among them.
fn crate_mesh() -> Mesh {
    let corner = |k: usize| -> Point { std::array::from_fn(|i| if k >> i & 1 == 0 { -1.0 } else { 1.0 }) };
    let corners: Vec<Point> = (0..8).map(corner).collect();
    let faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let triangles: Vec<[u32; 3]> = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new(corners, triangles).unwrap()
}

#[test]
fn a_step_that_ends_at_a_hit_does_not_lose_it() {
    let mut random = Random(5);
    for round in 0..4000 {
        let pose = match round % 2 {
            0 => Pose::IDENTITY,
            _ => Pose::from_axis_angle([0.0, 0.0, 1.0], 6.0 * random.next(), random.point(2.0)).unwrap(),
        };
        let walls = Collider::mesh("mesh", crate_mesh(), pose).unwrap();
        let cuboid = Collider::cuboid("box", [1.0; 3], pose).unwrap();
        // Quarters, so that edges and corners are hit exactly, and faces touched.
        let mut quarters =
            || -> Point { std::array::from_fn(|_| 0.25 * (9.0 * random.next()).floor() - 1.0) };
        let (position, grid) = (pose.apply(quarters().map(|c| 0.75 * c)), quarters());
        let velocity = if round % 3 == 0 { random.point(2.0) } else { grid };
        let acceleration = [[0.0; 3], [0.0, 0.0, -2.0], [0.0, 0.0, -9.81], velocity][round % 4];
        if velocity == [0.0; 3] && acceleration == [0.0; 3] {
            continue;
        }
        let path = path(position, velocity, acceleration);
        let whole = walls.first_hit(&path, 0.0, 100.0).expect("from the inside").elapsed;
        let expected = cuboid.first_hit(&path, 0.0, 100.0).expect("from the inside").elapsed;
        // A face that is only touched is so by a root of a roundoff.
        assert!((whole - expected).abs() < 1e-7, "{path:?}: {whole} and {expected}");
        for cut in [whole.next_down(), whole, whole.next_up(), expected] {
            for collider in [&walls, &cuboid] {
                let parts =
                    [[0.0, cut], [cut, 100.0]].map(|[after, until]| collider.first_hit(&path, after, until));
                let near = parts.iter().flatten().any(|hit| (hit.elapsed - whole).abs() < 1e-7);
                assert!(near, "{} at {cut}, {path:?}: {parts:?}", collider.name());
            }
        }
    }
}

#[test]
fn a_sharp_groove_has_two_sides() {
    for steep in [0.5, 2.0, 5.0, 20.0] {
        for [restitution, friction] in [[0.0, 0.0], [0.3, 0.0], [0.0, 0.2], [1.0, 0.5]] {
            let sides = [steep, -steep].map(|x| {
                let side = Collider::plane("side", [0.0; 3], [x, 0.0, 1.0]).unwrap();
                side.with_response(Response::Bounce { restitution, friction }).unwrap()
            });
            let mut random = Random(3);
            // Without acceleration they slide to the very bottom.
            let thrown = (0..64).map(|_| Particle {
                position: [random.between(-0.04, 0.04), 0.0, 1.0],
                velocity: [random.between(-1.0, 1.0), 0.5, -1.0],
                ..Particle::default()
            });
            let particles = Particles::new(thrown).unwrap();
            let mut simulation = Simulation::new(particles, sides.to_vec(), Options::default()).unwrap();
            for time in 1..=5 {
                assert!(simulation.advance(f64::from(time)).unwrap().exhausted.is_empty());
            }
            for particle in 0..64 {
                let [x, _, z] = simulation.whereabouts(particle).unwrap().position;
                assert!(
                    z > steep * x.abs() - 1e-9,
                    "{steep}, {restitution}: particle {particle} at {x}, {z}"
                );
            }
        }
    }
}

/// A million to a thousand million radii away: as right as the place is.
#[test]
fn what_comes_from_far_away_hits_small_things_where_they_are() {
    for (distance, radius) in [(1e3, 1.0), (1e4, 1e-2), (1e6, 1.0), (1e6, 1e-3)] {
        let ball = Collider::sphere("ball", [0.0; 3], radius).unwrap();
        let needle = Collider::ellipsoid("needle", [radius, radius, 50.0 * radius], Pose::IDENTITY).unwrap();
        for aside in [0.0, 0.5, 0.99, 0.9999, 1.0001] {
            let coming = path([-distance, aside * radius, 0.0], [1.0, 0.0, 0.0], [0.0; 3]);
            // From the radius and the distance aside, without squares of the distance to it.
            let expected = distance - radius * (1.0 - aside * aside).max(0.0).sqrt();
            for collider in [&ball, &needle] {
                let hit = collider.first_hit(&coming, 0.0, f64::INFINITY).map(|hit| hit.elapsed);
                assert_eq!(hit.is_some(), aside < 1.0, "{distance} {radius} {aside}");
                assert!(hit.is_none_or(|t| (t - expected).abs() <= 4.0 * f64::EPSILON * distance));
                // Falling there from rest, in whatever time.
                let falling = Path { velocity: [0.0; 3], acceleration: [2.0, 0.0, 0.0], ..coming };
                for until in [2.0 * distance, 1e90, f64::INFINITY] {
                    let fall = collider.first_hit(&falling, 0.0, until).map(|hit| hit.elapsed);
                    assert_eq!(fall.is_some(), aside < 1.0, "{distance} {radius} {aside}, falling");
                    assert!(fall.is_none_or(|t| (t * t - expected).abs() <= 16.0 * f64::EPSILON * distance));
                    let cuts =
                        [fall.unwrap_or(1.0), 0.9 * distance.sqrt(), distance.sqrt(), 1.5 * distance.sqrt()];
                    for cut in cuts.iter().flat_map(|cut| [cut.next_down(), *cut, cut.next_up()]) {
                        let parts = [[0.0, cut], [cut, until]];
                        let first = parts.iter().find_map(|[a, b]| collider.first_hit(&falling, *a, *b));
                        let near = |t: f64| fall.is_some_and(|fall| (fall - t).abs() <= 1e-14 * fall);
                        assert_eq!(
                            first.is_some(),
                            fall.is_some(),
                            "{distance} {radius} {aside} cut at {cut}"
                        );
                        assert!(first.is_none_or(|first| near(first.elapsed)));
                    }
                }
                // In two steps, whatever lies between them.
                for cut in [0.3 * distance, expected, expected.next_down(), distance] {
                    let parts = [[0.0, cut], [cut, 3.0 * distance]];
                    let first = parts.iter().find_map(|[a, b]| collider.first_hit(&coming, *a, *b));
                    assert_eq!(first.map(|first| first.elapsed), hit);
                }
            }
        }
    }
    let mesh = Collider::mesh("mesh", common::ball_mesh(1), Pose::IDENTITY).unwrap();
    for acceleration in [[0.0; 3], [0.0, 0.0, -9.0], [1e-9, 0.0, 0.0]] {
        for speed in [1.0, -1.0] {
            let path = path([0.1, 0.2, 5.0], [0.0, 0.01, speed], acceleration);
            let [some, all] = [1e4, f64::INFINITY].map(|until| mesh.first_hit(&path, 0.0, until));
            let hits = speed < 0.0 || acceleration[2] < 0.0;
            assert_eq!((some.is_some(), all.is_some()), (hits, hits));
            assert!(some.zip(all).is_none_or(|(some, all)| (some.elapsed - all.elapsed).abs() < 1e-12));
        }
    }
    // Without an end, what goes away from a plane does not hit it at infinity either.
    let floor = Collider::plane("floor", [0.0; 3], [0.0, 0.0, 1.0]).unwrap();
    for z in [1.0, -1.0] {
        let away = path([0.0, 0.0, z], [0.0, 0.0, z], [0.0; 3]);
        assert!(floor.first_hit(&away, 0.0, f64::INFINITY).is_none());
    }
}

/// Numbers of all sizes, in many blocks: as many threads as one likes find the same, and none of them panics.
#[test]
fn threads_share_out_numbers_of_any_size_and_find_the_same() {
    let mut random = Random(17);
    let bounce = Response::Bounce { restitution: 0.6, friction: 0.1 };
    let squeezed =
        Pose::from_rows([[2.0, 0.3, 0.0, 1.0], [0.0, -0.5, 0.2, -2.0], [0.1, 0.0, 1e-2, 1.0]]).unwrap();
    let colliders = [
        Collider::plane("floor", [0.0, 0.0, -3.0], [0.1, 0.0, 1.0]).unwrap(),
        Collider::sphere("ball", [1.0, 0.0, 1.0], 0.8).unwrap(),
        Collider::cone("cone", 1.0, 2.0, squeezed).unwrap(),
        Collider::cuboid("box", [1.0, 1e-6, 3.0], squeezed).unwrap(),
        Collider::mesh("mesh", common::ball_mesh(1), squeezed).unwrap(),
    ];
    let colliders = colliders.map(|collider| collider.with_response(bounce).unwrap()).to_vec();
    let extremes = [0.0, -0.0, 5e-324, 1e-300, 1e-160, 1.0, -1.0, 1e6, 1e39, 1e160, -1e300, f64::MAX];
    let all: Vec<Particle> = (0..6000)
        .map(|k| {
            let mut point = |size: f64| -> Point {
                let point = random.point(size);
                let odd = |c: f64, draw: f64| {
                    if k % 4 == 3 && draw < 0.3 { extremes[(draw * 40.0) as usize] } else { c }
                };
                point.map(|c| odd(c, random.next()))
            };
            let (position, velocity, acceleration) = (point(4.0), point(3.0), point(5.0));
            let life = [f64::INFINITY, 1.0, 1e-3, f64::MAX, 5e-324][if k % 500 == 0 { 4 } else { k % 4 }];
            let start = [0.0, 1e6, -1e6, 0.5][k % 4];
            Particle { start, position, velocity, acceleration, life }
        })
        .collect();
    let particles = Particles::new(all).unwrap();
    let mut expected = None;
    for threads in [1, 2, 8] {
        let options = Options { threads, most_events: 200, ..Options::default() };
        let mut simulation = Simulation::new(particles.clone(), colliders.clone(), options).unwrap();
        let mut found = Vec::new();
        for time in [-1e6 + 0.1, 0.0, 0.3, 0.3, 2.0, 1e6, 1e6 + 0.25, 1e12, 1e300, f64::MAX] {
            let step = simulation.advance(time).unwrap();
            assert!(step.impacts.iter().all(|impact| impact.time >= step.from && impact.time <= step.to));
            // As text, where what is not a number equals itself.
            found.push(format!("{:?} {:?} {:?}", step.impacts, step.exhausted, step.counts));
        }
        assert!(found.iter().map(String::len).sum::<usize>() > 100_000);
        assert!(expected.get_or_insert_with(|| found.clone()) == &found, "{threads} threads");
    }
}
