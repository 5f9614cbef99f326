//! Every hit against a march along the path: many small steps, a change of sign of the oracle's own function of the place,
//! halved until nothing is left of it. The oracle has its own formulas and knows nothing of polynomials.

#[path = "common/particles.rs"]
mod common;

use common::{Point, Random, ball_mesh};
use impinge::Pose;
use impinge::particles::{
    Collider, Constraint, Options, Particle, Particles, Path, Region, Response, Sheets, Simulation,
};

/// What a collider is, said in another way: zero on the surface, in the collider's own frame; and how far within its
/// bounds a point is.
struct Oracle {
    surface: Box<dyn Fn(Point) -> f64>,
    within: Box<dyn Fn(Point) -> f64>,
}

fn oracle(surface: impl Fn(Point) -> f64 + 'static, within: impl Fn(Point) -> f64 + 'static) -> Oracle {
    Oracle { surface: Box::new(surface), within: Box::new(within) }
}

fn at(path: &Path, t: f64) -> Point {
    std::array::from_fn(|k| path.position[k] + path.velocity[k] * t + path.acceleration[k] * t * t / 2.0)
}

/// Into the frame of a rigid pose: the transposed rotation.
fn local(pose: &Pose, p: Point) -> Point {
    let rows = pose.rows();
    std::array::from_fn(|c| (0..3).map(|r| rows[r][c] * (p[r] - rows[r][3])).sum())
}

const STEPS: usize = 4000;

/// The first change of sign within bounds, and whether anything before it was too close to a border, or to touching, to
/// be sure.
fn march(oracle: &Oracle, pose: &Pose, path: &Path, until: f64) -> (Option<f64>, bool) {
    march_from(oracle, pose, path, 0.0, until)
}

fn march_from(oracle: &Oracle, pose: &Pose, path: &Path, begin: f64, until: f64) -> (Option<f64>, bool) {
    let f = |t: f64| (oracle.surface)(local(pose, at(path, t)));
    let within = |t: f64| (oracle.within)(local(pose, at(path, t)));
    let mut last = f(begin);
    let time = |k: usize| begin + (until - begin) * k as f64 / STEPS as f64;
    let mut before = last;
    let mut unsure = false;
    for k in 1..=STEPS {
        let (mut low, mut high) = (time(k - 1), time(k));
        let value = f(high);
        if (value < 0.0) != (last < 0.0) {
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if (f(middle) < 0.0) == (last < 0.0) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let inside = within(high);
            unsure |= inside.abs() < 1e-9;
            if inside > 0.0 {
                return (Some(high), unsure);
            }
        } else if last.abs() < before.abs() && last.abs() <= value.abs() && last.abs() < 1e-5 {
            // Almost a touch between two steps: a march cannot say.
            unsure = true;
        }
        (before, last) = (last, value);
    }
    (None, unsure)
}

/// Every kind of collider, in a pose, with its oracle.
fn kinds(pose: Pose) -> Vec<(Collider, Oracle)> {
    let all = |_: Point| 1.0;
    let slab = |half: f64| move |p: Point| half - p[2].abs();
    let rows = *pose.rows();
    let (origin, normal) = (rows.map(|row| row[3]), rows.map(|row| row[2]));
    let mut kinds = vec![
        (Collider::plane("plane", origin, normal).unwrap(), oracle(|p| p[2], all)),
        (
            Collider::new(
                "frame",
                impinge::particles::Shape::Plane(vec![
                    Constraint::Inside(Region::Rectangle { min: [-2.0, -1.5], max: [2.0, 1.0] }),
                    Constraint::Outside(Region::Disc { centre: [0.5, 0.0], radius: 0.7 }),
                ]),
                pose,
            )
            .unwrap(),
            oracle(
                |p| p[2],
                |p| {
                    let rectangle = (2.0 - p[0].abs()).min(p[1] + 1.5).min(1.0 - p[1]);
                    rectangle.min(((p[0] - 0.5).powi(2) + p[1] * p[1]).sqrt() - 0.7)
                },
            ),
        ),
        (
            // An L: the square of side 3 without its upper right quarter of side 1.5.
            Collider::new(
                "L",
                impinge::particles::Shape::Plane(vec![Constraint::Inside(Region::Polygon(vec![
                    [-1.5, -1.5],
                    [1.5, -1.5],
                    [1.5, 0.0],
                    [0.0, 0.0],
                    [0.0, 1.5],
                    [-1.5, 1.5],
                ]))]),
                pose,
            )
            .unwrap(),
            oracle(|p| p[2], |p| (1.5 - p[0].abs()).min(1.5 - p[1].abs()).min((-p[0]).max(-p[1]))),
        ),
        (
            Collider::ellipsoid("ellipsoid", [1.0, 0.5, 2.0], pose).unwrap(),
            oracle(|p| (p[0].powi(2) + (p[1] / 0.5).powi(2) + (p[2] / 2.0).powi(2)).sqrt() - 1.0, all),
        ),
        (
            Collider::cylinder("cylinder", [1.0, 1.0], 1.5, pose).unwrap(),
            oracle(|p| p[0].hypot(p[1]) - 1.0, slab(1.5)),
        ),
        (
            Collider::cone("cone", 1.0, 2.0, pose).unwrap(),
            oracle(|p| p[0].hypot(p[1]) - 0.5 * (2.0 - p[2]).abs(), |p| p[2].min(2.0 - p[2])),
        ),
        (
            Collider::paraboloid("bowl", 1.5, 1.0, pose).unwrap(),
            oracle(|p| p[2] - (p[0] * p[0] + p[1] * p[1]) / 2.25, |p| 1.0 - p[2]),
        ),
        (
            Collider::hyperboloid("waist", [0.5, 0.7, 1.0], Sheets::One, 2.0, pose).unwrap(),
            oracle(|p| (p[0] / 0.5).hypot(p[1] / 0.7) - p[2].hypot(1.0), slab(2.0)),
        ),
        (
            Collider::hyperboloid("two bowls", [0.5, 0.7, 0.3], Sheets::Two, 2.0, pose).unwrap(),
            oracle(|p| (p[2] / 0.3).abs() - (p[0] / 0.5).hypot(p[1] / 0.7).hypot(1.0), slab(2.0)),
        ),
        (
            Collider::cuboid("box", [1.0, 0.25, 1.5], pose).unwrap(),
            oracle(|p| (p[0].abs() - 1.0).max(p[1].abs() - 0.25).max(p[2].abs() - 1.5), all),
        ),
    ];
    let mesh = ball_mesh(2);
    // A convex body: the farthest of its planes.
    let planes: Vec<(Point, Point)> = (0..mesh.triangles().len())
        .map(|t| {
            let [a, b, c] = mesh.corners(t);
            let (u, v): (Point, Point) =
                (std::array::from_fn(|k| b[k] - a[k]), std::array::from_fn(|k| c[k] - a[k]));
            let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let length = n.iter().map(|c| c * c).sum::<f64>().sqrt();
            (a, n.map(|c| c / length))
        })
        .collect();
    let farthest = move |p: Point| {
        let height = |(a, n): &(Point, Point)| (0..3).map(|k| n[k] * (p[k] - a[k])).sum::<f64>();
        planes.iter().map(height).fold(f64::NEG_INFINITY, f64::max)
    };
    kinds.push((Collider::mesh("ball", mesh, pose).unwrap(), oracle(farthest, all)));
    kinds
}

#[test]
fn every_hit_is_the_first_that_a_march_finds() {
    let mut random = Random(7);
    let (mut hits, mut misses, mut unsure_cases, mut cases) = (0, 0, 0, 0);
    for round in 0..300 {
        let axis = random.point(1.0);
        let pose = Pose::from_axis_angle(axis, random.between(0.0, 6.0), random.point(3.0)).unwrap();
        for (collider, oracle) in kinds(pose) {
            for order in 0..10 {
                // Started around the collider, towards some place near it; sometimes from inside.
                let target = pose.apply(random.point(0.9));
                let start = pose.apply(random.point(if order % 5 == 4 { 0.4 } else { 6.0 }));
                let (duration, until) = (random.between(0.3, 3.0), 4.0);
                let acceleration =
                    if order % 2 == 0 { [0.0; 3] } else { random.point(if order == 9 { 40.0 } else { 4.0 }) };
                // At `duration` it is at the target.
                let velocity = std::array::from_fn(|k| {
                    (target[k] - start[k]) / duration - 0.5 * acceleration[k] * duration
                });
                let path = Path { start: 0.0, position: start, velocity, acceleration };
                let (expected, unsure) = march(&oracle, &pose, &path, until);
                let found = collider.first_hit(&path, 0.0, until);
                cases += 1;
                if unsure {
                    unsure_cases += 1;
                    continue;
                }
                let name = format!("{} in round {round}, {order}: {path:?}", collider.name());
                match (expected, found) {
                    (None, None) => misses += 1,
                    (Some(expected), Some(found)) => {
                        hits += 1;
                        assert!((expected - found.elapsed).abs() < 1e-9, "{name}: {expected} and {found:?}");
                        let place = at(&path, expected);
                        assert!((0..3).all(|k| (place[k] - found.position[k]).abs() < 1e-7), "{name}");
                        let towards: f64 = (0..3)
                            .map(|k| found.normal[k] * (path.velocity[k] + expected * path.acceleration[k]))
                            .sum();
                        assert!(towards <= 1e-9, "{name}: the normal goes along, {towards}");
                        // And it is a normal: the function changes along it, and not across it.
                        let change = |d: Point| {
                            let step = 1e-6;
                            let [a, b] = [step, -step].map(|s| {
                                (oracle.surface)(local(&pose, std::array::from_fn(|k| place[k] + s * d[k])))
                            });
                            (a - b) / (2.0 * step)
                        };
                        let axis = [0, 1, 2].map(|k| change(std::array::from_fn(|i| f64::from(i == k))));
                        let length = axis.iter().map(|c| c * c).sum::<f64>().sqrt();
                        let cosine = (0..3).map(|k| axis[k] * found.normal[k]).sum::<f64>() / length;
                        // At an edge of a solid, or the tip of a cone, a difference tells nothing.
                        assert!(
                            cosine.abs() > 0.99999
                                || length < 0.3
                                || matches!(collider.name(), "box" | "ball" | "cone"),
                            "{name}: {cosine}"
                        );
                    }
                    _ => panic!("{name}: {expected:?} expected, {found:?} found"),
                }
            }
        }
    }
    println!("{hits} hits, {misses} misses, {unsure_cases} of {cases} unsure");
    assert!(
        hits > 20_000 && misses > 5000 && unsure_cases * 50 < cases,
        "{hits} {misses} {unsure_cases} of {cases}"
    );
}

#[test]
fn grazing_is_decided_to_the_last_digits() {
    let mut random = Random(9);
    for _ in 0..2000 {
        let (centre, radius) = (random.point(10.0), random.between(0.1, 3.0));
        let ball = Collider::sphere("ball", centre, radius).unwrap();
        // Two directions at a right angle: the line passes the centre at this distance.
        let direction = random.point(1.0);
        let length = direction.iter().map(|c| c * c).sum::<f64>().sqrt();
        let direction = direction.map(|c| c / length);
        let aside = random.point(1.0);
        let along: f64 = (0..3).map(|k| aside[k] * direction[k]).sum();
        let aside: Point = std::array::from_fn(|k| aside[k] - along * direction[k]);
        let length = aside.iter().map(|c| c * c).sum::<f64>().sqrt();
        let aside = aside.map(|c| c / length);
        for (less, hits) in [(-1.0, true), (1.0, false)] {
            let beside =
                |factor: f64| -> Point { std::array::from_fn(|k| centre[k] + radius * factor * aside[k]) };
            let nearest = beside(1.0 + less * 1e-12);
            let position = std::array::from_fn(|k| nearest[k] - 4.0 * radius * direction[k]);
            let path = Path { start: 0.0, position, velocity: direction, acceleration: [0.0; 3] };
            assert_eq!(ball.first_hit(&path, 0.0, 100.0).is_some(), hits, "{less}, {radius}");
            // A parabola that comes as near at the time 1 and bends away, from many radii off: a quartic whose terms
            // are larger, and so is what cannot be told apart, 2^-48 of them.
            let nearest = beside(1.0 + less * 1e-9);
            let (speed, bend) = (2.0, random.between(0.1, 5.0));
            let path = Path {
                start: 0.0,
                position: std::array::from_fn(|k| nearest[k] - speed * direction[k] + 0.5 * bend * aside[k]),
                velocity: std::array::from_fn(|k| speed * direction[k] - bend * aside[k]),
                acceleration: aside.map(|c| bend * c),
            };
            assert_eq!(ball.first_hit(&path, 0.0, 1.5).is_some(), hits, "bent, {less}, {radius}");
        }
        // Exactly tangent, as well as doubles can say it: a touch from outside is a hit.
        let touching = Collider::plane("floor", [0.0; 3], [0.0, 0.0, 1.0]).unwrap();
        let fall = (8.0 * radius).floor() / 8.0 + 0.125;
        let path = Path {
            start: 0.0,
            position: [centre[0], 0.0, 0.5 * fall],
            velocity: [1.0, 0.0, -fall],
            acceleration: [0.0, 0.0, fall],
        };
        let touch = touching.first_hit(&path, 0.0, 4.0).expect("touches the floor");
        assert!((touch.elapsed - 1.0).abs() < 1e-12 && touch.normal == [0.0, 0.0, 1.0]);
    }
}

#[test]
fn plates_thinner_than_a_step_by_any_factor_are_hit() {
    let mut random = Random(11);
    for exponent in 0..12 {
        let half = 10f64.powi(-exponent);
        for _ in 0..200 {
            let pose = Pose::from_axis_angle(random.point(1.0), random.between(0.0, 6.0), random.point(1.0))
                .unwrap();
            let plate = Collider::cuboid("plate", [1.0, 1.0, half], pose).unwrap();
            let (x, y) = (random.between(-0.9, 0.9), random.between(-0.9, 0.9));
            let top = pose.apply([x, y, half]);
            let away = pose.apply([x + random.between(-0.05, 0.05), y, half + 3.0]);
            // Ten million plates' lengths a step.
            let speed = 1e7;
            let velocity = std::array::from_fn(|k| (top[k] - away[k]) * speed);
            let path = Path { start: 0.0, position: away, velocity, acceleration: [0.0; 3] };
            let hit = plate.first_hit(&path, 0.0, 1.0).expect("through the plate");
            assert!(
                (hit.elapsed * speed - 1.0).abs() < 1e-12 + 1e-15 / half,
                "{half}: {}",
                hit.elapsed * speed
            );
            assert_eq!(hit.element, 5);
            assert!((0..3).all(|k| (hit.position[k] - top[k]).abs() < 1e-12));
        }
    }
}

/// Follows particles from bounce to bounce: the march says where each flight ends, and the test's own arithmetic how the
/// next one begins.
#[test]
fn every_bounce_is_where_a_march_and_a_reflection_lead() {
    let (restitution, friction, end) = (0.8, 0.1, 4.0);
    let mut random = Random(13);
    let count = kinds(Pose::IDENTITY).len();
    let mut colliders = Vec::new();
    let mut oracles = Vec::new();
    for k in 0..count {
        let place = [5.0 * (k % 3) as f64, 5.0 * (k / 3) as f64, 0.0];
        let pose = Pose::from_axis_angle(random.point(1.0), random.between(0.0, 6.0), place).unwrap();
        // Not the first, which has no end.
        if let Some((collider, oracle)) = kinds(pose).into_iter().nth(k).filter(|_| k > 0) {
            let response = Response::Bounce { restitution, friction };
            colliders.push(collider.with_response(response).unwrap());
            oracles.push((oracle, pose));
        }
    }
    let mut particles = Particles::default();
    for k in 0..300 {
        let (target, start) = (oracles[k % oracles.len()].1.apply(random.point(0.7)), random.point(3.0));
        let position = [start[0] + 5.0, start[1] + 7.0, start[2].signum() * (3.0 + start[2].abs())];
        let acceleration = if k % 2 == 0 { [0.0; 3] } else { random.point(4.0) };
        let velocity = std::array::from_fn(|i| 2.0 * (target[i] - position[i]) - 0.25 * acceleration[i]);
        particles.push(Particle { position, velocity, acceleration, ..Particle::default() }).unwrap();
    }
    let mut simulation = Simulation::new(particles.clone(), colliders.clone(), Options::default()).unwrap();
    let mut impacts = simulation.advance(end).unwrap().impacts.clone();
    impacts.sort_by_key(|impact| (impact.particle, impact.bounce));
    let (mut bounces, mut ends, mut unsure_flights) = (0, 0, 0);
    for particle in 0..particles.len() {
        let mut path = particles.path(particle, 0).unwrap();
        let mut next = impacts.iter().filter(|impact| impact.particle as usize == particle);
        loop {
            let left = end - path.start;
            let marches: Vec<_> =
                oracles.iter().map(|(oracle, pose)| march(oracle, pose, &path, left)).collect();
            let first = (0..marches.len())
                .filter_map(|k| marches[k].0.map(|t| (t, k)))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let found = next.next();
            if marches.iter().any(|(_, unsure)| *unsure) {
                unsure_flights += 1;
                break;
            }
            let Some(found) = found else {
                assert!(first.is_none(), "particle {particle} missed {first:?} on {path:?}");
                ends += 1;
                break;
            };
            let elapsed = found.time - path.start;
            let (oracle, pose) = &oracles[found.collider as usize];
            if first.is_none_or(|(t, _)| elapsed < t - 1e-6) {
                // Between two steps of the march, in and out: looked at more closely.
                let (near, _) = march_from(oracle, pose, &path, elapsed - 1e-3, elapsed + 1e-3);
                assert!(near.is_some_and(|t| (t - elapsed).abs() < 1e-6), "particle {particle}: {found:?}");
            } else if let Some((t, k)) = first {
                assert!((t - elapsed).abs() < 1e-6, "particle {particle}: {t} and {elapsed}, {found:?}");
                assert_eq!(k, found.collider as usize);
            }
            bounces += 1;
            let (n, v) = (found.normal, found.velocity);
            let rate: f64 = (0..3).map(|i| n[i] * v[i]).sum();
            if rate > -0.05 {
                break; // so slow that bounces may pile up, which other tests are about
            }
            path = Path {
                start: found.time,
                position: std::array::from_fn(|i| found.position[i] + 1e-9 * n[i]),
                velocity: std::array::from_fn(|i| {
                    (1.0 - friction) * (v[i] - rate * n[i]) - restitution * rate * n[i]
                }),
                acceleration: path.acceleration,
            };
        }
    }
    println!("{bounces} bounces, {ends} ends, {unsure_flights} unsure");
    assert!(bounces > 250 && ends > 250 && unsure_flights < 15, "{bounces} {ends} {unsure_flights}");
}
