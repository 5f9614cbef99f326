//! What becomes of particles that hit: energy, corners, bounces that pile up, generations, and the order of it all.

#[path = "common/particles.rs"]
mod common;

use common::{Random, ball_mesh};
use impinge::Pose;
use impinge::particles::{
    Collider, Constraint, Impact, Options, Particle, Particles, Rebirth, Region, Response, Simulation,
    Spread, Status,
};

const BOUNCY: Response = Response::ELASTIC;

fn one(particle: Particle, colliders: Vec<Collider>) -> Simulation {
    Simulation::new(Particles::new([particle]).unwrap(), colliders, Options::default()).unwrap()
}

fn floor(response: Response) -> Collider {
    Collider::plane("floor", [0.0; 3], [0.0, 0.0, 1.0]).unwrap().with_response(response).unwrap()
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

/// Steps until there were a thousand bounces; how far the energy strayed, as a part of it; the farthest it got.
fn thousand_bounces(particle: Particle, colliders: Vec<Collider>) -> (f64, f64) {
    let energy = |velocity, position| 0.5 * dot(velocity, velocity) - dot(particle.acceleration, position);
    // Measured from where the particle would stand still, so that it is not zero by chance.
    let zero = 0.5 * dot(particle.velocity, particle.velocity) + 10.0;
    let begin = energy(particle.velocity, particle.position);
    let mut simulation = one(particle, colliders);
    let (mut worst, mut farthest, mut bounces, mut time): (f64, f64, usize, f64) = (0.0, 0.0, 0, 0.0);
    while bounces < 1000 {
        time += 0.37;
        let step = simulation.advance(time).unwrap();
        assert!(step.exhausted.is_empty() && step.counts.touches == 0);
        bounces += step.impacts.len();
        let now = simulation.whereabouts(0).unwrap();
        assert_eq!(now.status, Status::Flying);
        worst = worst.max((energy(now.velocity, now.position) - begin).abs() / zero);
        farthest = farthest.max(dot(now.position, now.position).sqrt());
        assert!(time < 1e5, "{bounces} bounces");
    }
    (worst, farthest)
}

#[test]
fn a_bouncing_particle_keeps_its_energy_and_its_place() {
    let elastic = |collider: Result<Collider, _>| collider.unwrap().with_response(BOUNCY).unwrap();
    let gravity = [0.0, 0.0, -9.81];
    let thrown = Particle {
        position: [0.3, 0.1, 0.6],
        velocity: [0.5, -0.8, 0.3],
        acceleration: gravity,
        ..Particle::default()
    };
    let tilted = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.2, 0.1, 0.0]).unwrap();
    let scenes: Vec<(&str, Vec<Collider>, f64)> = vec![
        ("bowl", vec![elastic(Collider::paraboloid("bowl", 20.0, 20.0, Pose::IDENTITY))], 21.0),
        ("ball", vec![elastic(Collider::sphere("ball", [0.0, 0.0, 0.5], 1.0))], 1.5 + 1e-9),
        ("ellipsoid", vec![elastic(Collider::ellipsoid("ellipsoid", [1.2, 1.5, 2.0], tilted))], 2.3),
        ("box", vec![elastic(Collider::cuboid("box", [1.5, 2.0, 1.0], tilted))], 3.0),
        ("floor", vec![floor(BOUNCY)], 1e4),
        (
            "plates",
            vec![floor(BOUNCY), elastic(Collider::plane("lid", [0.0, 0.0, 0.7], [0.0, 0.3, -1.0]))],
            1e4,
        ),
        ("mesh", vec![elastic(Collider::mesh("mesh", ball_mesh(3), tilted))], 1.3),
    ];
    for (name, colliders, limit) in scenes {
        for particle in [thrown, Particle { acceleration: [0.0; 3], ..thrown }] {
            let free = particle.acceleration == [0.0; 3];
            if free && matches!(name, "bowl" | "floor" | "plates") {
                continue; // nothing brings it back
            }
            let (worst, farthest) = thousand_bounces(particle, colliders.clone());
            assert!(worst < 1e-6, "{name}: energy off by {worst}");
            assert!(farthest < limit, "{name}: got out, {farthest}");
            println!("{name}: energy off by {worst:.1e}");
        }
    }
}

#[test]
fn what_is_thrown_into_a_corner_comes_back() {
    let walls: Vec<Collider> = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        .iter()
        .map(|&n| Collider::plane("wall", [0.0; 3], n).unwrap().with_response(BOUNCY).unwrap())
        .collect();
    let cube = Collider::cuboid("cube", [1.0; 3], Pose::IDENTITY).unwrap().with_response(BOUNCY).unwrap();
    for direction in [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 2.0, 3.0]] {
        let start = Particle {
            position: direction.map(|c| 3.0 * c),
            velocity: direction.map(|c| -c),
            ..Particle::default()
        };
        let mut simulation = one(start, walls.clone());
        let step = simulation.advance(6.0).unwrap();
        let walls_hit = direction.iter().filter(|&&c| c > 0.0).count();
        assert_eq!(step.impacts.len(), walls_hit, "{direction:?}");
        assert!(step.impacts.iter().all(|impact| (impact.time - 3.0).abs() < 1e-9));
        let now = simulation.whereabouts(0).unwrap();
        assert!((0..3).all(|k| (now.position[k] - 3.0 * direction[k]).abs() < 1e-9), "{now:?}");
        // Inside a cube, along its diagonals, for a long time.
        let inside = Particle { velocity: direction, ..Particle::default() };
        let mut simulation = one(inside, vec![cube.clone()]);
        for time in 1..400 {
            simulation.advance(f64::from(time)).unwrap();
            let now = simulation.whereabouts(0).unwrap();
            assert!(now.position.iter().all(|c| c.abs() <= 1.0 + 1e-9), "{direction:?}, {time}: {now:?}");
        }
    }
}

#[test]
fn nothing_slips_through_a_closed_mesh() {
    // From the inside to every vertex, to the middle of every edge and of every triangle, straight and bent.
    let mesh = ball_mesh(2);
    let mut targets: Vec<[f64; 3]> = mesh.positions().iter().collect();
    for t in 0..mesh.triangles().len() {
        let [a, b, c] = mesh.corners(t);
        targets.push(std::array::from_fn(|k| 0.5 * (a[k] + b[k])));
        targets.push(std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0));
    }
    let collider = |response| {
        vec![Collider::mesh("ball", ball_mesh(2), Pose::IDENTITY).unwrap().with_response(response).unwrap()]
    };
    let mut particles = Particles::default();
    for start in [[0.0; 3], [0.1, -0.2, 0.3]] {
        for target in &targets {
            for acceleration in [[0.0; 3], [0.0, 0.0, -5.0], [1.0, 2.0, 3.0]] {
                let velocity = std::array::from_fn(|k| target[k] - start[k] - 0.5 * acceleration[k]);
                particles
                    .push(Particle { position: start, velocity, acceleration, ..Particle::default() })
                    .unwrap();
            }
            // Along its acceleration: seen along that, it is a point.
            let along = std::array::from_fn(|k| target[k] - start[k]);
            particles
                .push(Particle {
                    position: start,
                    velocity: along,
                    acceleration: along,
                    ..Particle::default()
                })
                .unwrap();
        }
    }
    let count = particles.len();
    let mut simulation =
        Simulation::new(particles.clone(), collider(Response::Eliminate), Options::default()).unwrap();
    let step = simulation.advance(20.0).unwrap();
    let mut hit: Vec<u32> = step.impacts.iter().map(|impact| impact.particle).collect();
    hit.sort_unstable();
    hit.dedup();
    assert_eq!(hit.len(), count);
    // Bouncing, all of them stay inside.
    let mut simulation = Simulation::new(particles, collider(BOUNCY), Options::default()).unwrap();
    for time in 1..20 {
        assert!(simulation.advance(f64::from(time)).unwrap().exhausted.is_empty());
    }
    for particle in 0..count {
        let now = simulation.whereabouts(particle).unwrap();
        assert!(dot(now.position, now.position) < 1.0 + 1e-9, "particle {particle}: {now:?}");
    }
}

#[test]
fn bounces_that_pile_up_end_in_rest_or_in_sliding() {
    let dropped = Particle {
        position: [0.0, 0.0, 1.0],
        velocity: [2.0, 0.0, 0.0],
        acceleration: [0.0, 0.0, -8.0],
        ..Particle::default()
    };
    // Falls half a second; then hops of 1/2, 1/4, ... seconds: all in one second and a half.
    let mut simulation = one(dropped, vec![floor(Response::Bounce { restitution: 0.5, friction: 0.1 })]);
    let step = simulation.advance(10.0).unwrap();
    let expected = [0.5, 1.0, 1.25, 1.375, 1.4375];
    for (impact, time) in step.impacts.iter().zip(expected) {
        assert!((impact.time - time).abs() < 1e-9, "{} and {time}", impact.time);
    }
    assert!(step.impacts.len() < 20 && step.impacts.last().unwrap().time < 1.5);
    let resting = simulation.whereabouts(0).unwrap();
    assert_eq!((resting.status, resting.velocity), (Status::Resting, [0.0; 3]));
    assert!(resting.position[2].abs() < 1e-9);

    let mut simulation = one(dropped, vec![floor(Response::Bounce { restitution: 0.5, friction: 0.0 })]);
    simulation.advance(3.0).unwrap();
    let step = simulation.advance(10.0).unwrap();
    assert!(step.impacts.is_empty() && step.counts.touches > 1000 && step.exhausted.is_empty());
    let sliding = simulation.whereabouts(0).unwrap();
    assert_eq!(sliding.status, Status::Sliding);
    assert!((sliding.position[0] - 20.0).abs() < 1e-6 && sliding.velocity[0] == 2.0);
    // No higher than the shortest hop makes it.
    assert!(sliding.position[2] >= 0.0 && sliding.position[2] < 8.0 * 1e-3f64.powi(2));
}

#[test]
fn what_lies_on_a_floor_stays_there() {
    for restitution in [0.0, 0.5, 1.0] {
        for friction in [0.0, 0.5] {
            for height in [0.0, 1e-14, 1e-12] {
                let lying = Particle {
                    position: [1.0, 1.0, height],
                    acceleration: [0.0, 0.0, -9.81],
                    ..Particle::default()
                };
                let mut simulation = one(lying, vec![floor(Response::Bounce { restitution, friction })]);
                let step = simulation.advance(1.0).unwrap();
                if height > 0.0 {
                    assert_eq!(step.impacts.len(), 1, "{restitution} {friction} {height}");
                    let now = simulation.whereabouts(0).unwrap();
                    assert_eq!(now.status, Status::Resting, "{restitution} {friction} {height}");
                }
            }
        }
    }
}

#[test]
fn a_slide_ends_at_the_edge_of_the_table() {
    let table = Collider::bounded_plane(
        "table",
        [0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0],
        vec![Constraint::Inside(Region::Rectangle { min: [-1.0; 2], max: [1.0; 2] })],
    )
    .unwrap()
    .with_response(Response::Bounce { restitution: 0.0, friction: 0.0 })
    .unwrap();
    let pushed = Particle {
        position: [0.0, 0.0, 1.2],
        velocity: [1.0, 0.0, 0.0],
        acceleration: [0.0, 0.0, -10.0],
        ..Particle::default()
    };
    let ground = floor(Response::Stick);
    let mut simulation = one(pushed, vec![table, ground]);
    let step = simulation.advance(5.0).unwrap();
    let hit: Vec<u32> = step.impacts.iter().map(|impact| impact.collider).collect();
    assert_eq!(hit, [0, 1]);
    assert!((step.impacts[0].time - 0.2).abs() < 1e-9);
    // Over the edge at 1 second, down from 1: sqrt(0.2) later.
    assert!((step.impacts[1].time - (1.0 + 0.2f64.sqrt())).abs() < 2e-3, "{}", step.impacts[1].time);
    assert_eq!(simulation.whereabouts(0).unwrap().status, Status::Stuck);
}

#[test]
fn a_slide_inside_a_ball_goes_round_and_round() {
    // No acceleration: the wall itself turns it, and all of its speed along the normal is lost at the first impact.
    let ball = Collider::sphere("ball", [0.0; 3], 1.0)
        .unwrap()
        .with_response(Response::Bounce { restitution: 0.0, friction: 0.0 })
        .unwrap();
    let thrown = Particle { velocity: [0.0, 1.0, 0.0], position: [0.5, 0.0, 0.0], ..Particle::default() };
    let mut simulation = one(thrown, vec![ball]);
    let step = simulation.advance(30.0).unwrap();
    assert_eq!(step.impacts.len(), 1);
    let now = simulation.whereabouts(0).unwrap();
    assert_eq!(now.status, Status::Sliding);
    let radius = dot(now.position, now.position).sqrt();
    assert!((radius - 1.0).abs() < 1e-5, "{radius}");
    // What is left of the speed is the part along the wall, 0.5.
    assert!((dot(now.velocity, now.velocity).sqrt() - 0.5).abs() < 1e-3);
}

#[test]
fn a_groove_and_a_corner_hold_what_slides_into_them() {
    for restitution in [0.0, 0.5] {
        let response = Response::Bounce { restitution, friction: 0.0 };
        let sides = [1.0, -1.0].map(|x| {
            Collider::plane("side", [0.0; 3], [x, 0.0, 1.0]).unwrap().with_response(response).unwrap()
        });
        let thrown = Particle {
            position: [0.3, 0.0, 1.0],
            velocity: [0.0, 0.5, 0.0],
            acceleration: [0.0, 0.0, -10.0],
            ..Particle::default()
        };
        let mut simulation = one(thrown, sides.to_vec());
        simulation.advance(5.0).unwrap();
        let step = simulation.advance(10.0).unwrap();
        assert!(step.exhausted.is_empty() && step.impacts.is_empty() && step.counts.touches < 50_000);
        let now = simulation.whereabouts(0).unwrap();
        // Down to the height of a hop across, and along without loss.
        assert!(now.position[0].abs() < 1e-5 && now.position[2].abs() < 1e-5, "{now:?}");
        assert!(now.position[2] >= now.position[0].abs() && (now.position[1] - 5.0).abs() < 1e-6, "{now:?}");

        let tilted = Pose::from_axis_angle([1.0, 1.0, 0.2], 0.7, [0.0; 3]).unwrap();
        let cube = Collider::cuboid("cube", [1.0; 3], tilted).unwrap().with_response(response).unwrap();
        let mut simulation = one(Particle { position: [0.0; 3], ..thrown }, vec![cube]);
        simulation.advance(8.0).unwrap();
        let step = simulation.advance(10.0).unwrap();
        assert!(step.exhausted.is_empty() && step.impacts.is_empty());
        // Its lowest corner.
        let lowest = (0..8)
            .map(|k| tilted.apply(std::array::from_fn(|i| if k >> i & 1 == 0 { -1.0 } else { 1.0 })))
            .min_by(|a, b| a[2].total_cmp(&b[2]))
            .unwrap();
        let now = simulation.whereabouts(0).unwrap();
        assert!((0..3).all(|k| (now.position[k] - lowest[k]).abs() < 1e-4), "{now:?} and {lowest:?}");
    }
}

/// A hundred particles over a little of everything.
fn crowd() -> (Particles, Vec<Collider>) {
    let mut random = Random(5);
    let mut between = |low: f64, high: f64| low + (high - low) * random.next();
    let bouncy = Response::Bounce { restitution: 0.7, friction: 0.05 };
    let mut colliders = vec![
        floor(bouncy),
        Collider::sphere("ball", [1.0, 0.0, 1.0], 0.8).unwrap().with_response(bouncy).unwrap(),
        Collider::cuboid("box", [0.5; 3], Pose::from_translation([-1.0, 0.5, 0.6]).unwrap())
            .unwrap()
            .with_response(BOUNCY)
            .unwrap(),
        Collider::mesh("mesh", ball_mesh(2), Pose::from_translation([0.0, -2.0, 1.0]).unwrap())
            .unwrap()
            .with_response(bouncy)
            .unwrap(),
        Collider::disc("disc", [0.0, 2.0, 0.5], [0.3, 0.0, 1.0], 0.9).unwrap(),
    ];
    colliders.push(
        Collider::cylinder("can", [0.4, 0.4], 0.5, Pose::from_translation([2.0, 2.0, 0.5]).unwrap())
            .unwrap()
            .with_response(Response::Stick)
            .unwrap(),
    );
    let particles = (0..100).map(|k| Particle {
        start: between(0.0, 1.0),
        position: [between(-3.0, 3.0), between(-3.0, 3.0), between(2.0, 5.0)],
        velocity: [between(-1.0, 1.0), between(-1.0, 1.0), between(-3.0, 1.0)],
        acceleration: if k % 2 == 0 { [0.0, 0.0, -9.81] } else { [0.0; 3] },
        life: between(0.5, 3.0),
    });
    let rebirth = Rebirth {
        seed: 3,
        position: Spread::Box([0.5, 0.5, 0.1]),
        velocity: Spread::Ball(0.3),
        generations: Some(5),
    };
    (Particles::new(particles).unwrap().with_rebirth(rebirth).unwrap(), colliders)
}

fn impacts_in(steps: usize, options: Options) -> Vec<Impact> {
    let (particles, colliders) = crowd();
    let mut simulation = Simulation::new(particles, colliders, options).unwrap();
    let mut all = Vec::new();
    for k in 1..=steps {
        all.extend_from_slice(&simulation.advance(8.0 * k as f64 / steps as f64).unwrap().impacts);
    }
    all
}

#[test]
fn steps_of_any_size_find_the_same_impacts() {
    let whole = impacts_in(1, Options::default());
    assert!(whole.len() > 300, "{} impacts", whole.len());
    assert!(whole.iter().any(|impact| impact.generation == 4));
    for steps in [2, 37, 1000] {
        let mut parts = impacts_in(steps, Options::default());
        assert!(parts.is_sorted_by(|a, b| a.time <= b.time));
        parts.sort_by(|a, b| a.time.total_cmp(&b.time));
        assert_eq!(parts.len(), whole.len(), "{steps} steps");
        for (a, b) in parts.iter().zip(&whole) {
            assert_eq!((a.particle, a.generation, a.collider), (b.particle, b.generation, b.collider));
            assert!((a.time - b.time).abs() < 1e-9 && (a.speed - b.speed).abs() < 1e-7);
        }
    }
}

#[test]
fn threads_and_trees_change_nothing() {
    let expected = impacts_in(16, Options { threads: 1, index: Some(false), ..Options::default() });
    for threads in [1, 2, 3] {
        for index in [None, Some(false), Some(true)] {
            assert_eq!(impacts_in(16, Options { threads, index, ..Options::default() }), expected);
        }
    }
}

#[test]
fn looking_ahead_finds_the_impacts_of_later() {
    let (particles, colliders) = crowd();
    let options = Options { latency: 0.25, ..Options::default() };
    let mut ahead = Simulation::new(particles.clone(), colliders.clone(), options).unwrap();
    let mut plain = Simulation::new(particles, colliders, Options::default()).unwrap();
    for k in 1..20 {
        let time = 0.25 * f64::from(k);
        let expected = plain.advance(time + 0.25).unwrap();
        let found = ahead.advance(time).unwrap();
        assert_eq!((found.to, &found.impacts), (expected.to, &expected.impacts));
    }
}

#[test]
fn generations_follow_a_formula() {
    let rebirth = Rebirth { seed: 9, velocity: Spread::Ball(1.0), ..Rebirth::default() };
    let given = Particle { velocity: [5.0, 0.0, 0.0], life: 0.5, start: 0.25, ..Particle::default() };
    let particles = Particles::new([given; 3]).unwrap().with_rebirth(rebirth).unwrap();
    let mut simulation = Simulation::new(particles.clone(), Vec::new(), Options::default()).unwrap();
    for k in 0..40 {
        let time = 0.13 * f64::from(k);
        let step = simulation.advance(time).unwrap();
        assert!(step.impacts.is_empty());
        for particle in 0..3 {
            let now = simulation.whereabouts(particle).unwrap();
            match particles.state(particle, time) {
                None => assert_eq!(now.status, Status::Unborn),
                Some(state) => {
                    assert_eq!(now.generation, state.generation);
                    assert!((0..3).all(|k| (now.position[k] - state.position[k]).abs() < 1e-12));
                    let change = (state.velocity[0] - 5.0).hypot(state.velocity[1]).hypot(state.velocity[2]);
                    assert!(change <= 1.0 && (change > 0.0) == (state.generation > 0));
                }
            }
        }
    }
}

#[test]
fn a_particle_with_too_many_events_says_so() {
    // Two plates that nearly touch: millions of bounces in a second.
    let plates = [0.0, 1e-7].map(|z| {
        Collider::plane("plate", [0.0, 0.0, z], [0.0, 0.0, 1.0]).unwrap().with_response(BOUNCY).unwrap()
    });
    let between = Particle { position: [0.0, 0.0, 5e-8], velocity: [0.0, 0.0, 1.0], ..Particle::default() };
    let particles = Particles::new([between]).unwrap();
    let options = Options { most_events: 1000, ..Options::default() };
    let mut simulation = Simulation::new(particles, plates.to_vec(), options).unwrap();
    let step = simulation.advance(1.0).unwrap();
    assert_eq!((step.exhausted.as_slice(), step.impacts.len()), (&[0][..], 1000));
    assert_eq!(simulation.whereabouts(0).unwrap().status, Status::Exhausted);
    assert!(simulation.advance(2.0).unwrap().impacts.is_empty());
}
