//! Particles on the GPU: every impact is the CPU's, within the bound of `judge.rs`, and nothing is lost on the way back.

#[path = "../common/mod.rs"]
mod common;
mod judge;
mod maps;
mod scene;

use common::context;
use impinge::particles::{
    Collider, Constraint, Impact, Options, Particle, Particles, Path, Rebirth, Region, Response, Shape,
    Simulation, Spread, Status,
};
use impinge_gpu::GpuSimulation;
use impinge_lab::vector::turned;
use judge::{Doubt, PLACE, Verdict, distance, judge, reach};

/// What a comparison came to.
#[derive(Debug, Default)]
struct Tally {
    agree: usize,
    hits: usize,
    worst: f64,
    doubtful: [usize; 4],
}

impl Tally {
    fn doubts(&self) -> usize {
        self.doubtful.iter().sum()
    }
}

fn path_of(particle: &Particle) -> Path {
    let Particle { start, position, velocity, acceleration, .. } = *particle;
    Path { start, position, velocity, acceleration }
}

/// Every particle to its first hit, on both sides.
fn compare(context: &impinge_gpu::Context, given: &[Particle], colliders: &[Collider], until: f64) -> Tally {
    let particles = Particles::new(given.iter().copied()).unwrap();
    let mut cpu = Simulation::new(particles.clone(), colliders.to_vec(), Options::default()).unwrap();
    let mut gpu = GpuSimulation::new(context, particles, colliders.to_vec(), Options::default()).unwrap();
    let by_particle = |impacts: &[Impact]| {
        let mut list: Vec<Option<Impact>> = vec![None; given.len()];
        for impact in impacts {
            assert!(list[impact.particle as usize].replace(*impact).is_none(), "{impact:?} is the second");
        }
        list
    };
    let here = by_particle(&cpu.advance(until).unwrap().impacts);
    let there = by_particle(&gpu.advance(until).unwrap().impacts);
    let mut tally = Tally::default();
    for (k, particle) in given.iter().enumerate() {
        let path = path_of(particle);
        tally.hits += usize::from(there[k].is_some());
        if let Some(hit) = &there[k] {
            // Where it says, by geometry of its own: on the surface, and on the path.
            let collider = &colliders[hit.collider as usize];
            let elapsed = hit.time - path.start;
            let slack = PLACE * reach(&path, elapsed, collider);
            let off = distance(collider, hit.position).abs();
            assert!(off <= slack, "particle {k} is {off} off, {slack} allowed: {hit:?}");
            let place = path.position_after(elapsed);
            assert!((0..3).all(|i| (place[i] - hit.position[i]).abs() <= slack), "particle {k}: {hit:?}");
            let length: f64 = hit.normal.iter().map(|c| c * c).sum();
            assert!((length - 1.0).abs() < 1e-6, "particle {k}: {hit:?}");
        }
        match judge(&path, colliders, until, here[k].as_ref(), there[k].as_ref()) {
            Verdict::Agree(part) => {
                tally.agree += 1;
                tally.worst = tally.worst.max(part);
            }
            Verdict::Doubtful(why) => tally.doubtful[why as usize] += 1,
            Verdict::Wrong => {
                panic!("particle {k}, {particle:?}:\nCPU {:?}\nGPU {:?}", here[k], there[k]);
            }
        }
    }
    tally
}

#[test]
fn every_first_hit_is_the_cpus_over_ten_million_tests() {
    let Some(context) = context() else { return };
    let colliders = scene::colliders(64, 1);
    let given = scene::particles(160_000, 2);
    assert!(given.len() * colliders.len() >= 10_000_000);
    let tally = compare(&context, &given, &colliders, 3.0);
    println!("{tally:?}");
    assert!(tally.hits > given.len() / 8, "most of it must be about hits: {tally:?}");
    // A border is nearer than a few 2^-18 of the room for one in some ten thousand.
    assert!(tally.doubts() * 2_000 < given.len(), "{tally:?}");
    assert_eq!(tally.agree + tally.doubts(), given.len());
}

#[test]
fn what_grazes_or_hits_a_border_is_in_doubt_only_within_the_bound() {
    let Some(context) = context() else { return };
    // Turned somehow and away from the origin, so that floats round.
    let aslant = |t: impinge::Point| turned([0.3, -0.5, 0.8], 1.1, t);
    let place = |p: impinge::Point| aslant([31.3, -17.1, 23.7]).apply(p);
    let ball = Collider::ellipsoid("ball", [1.0; 3], aslant(place([0.0; 3]))).unwrap();
    let plate = Shape::Plane(vec![Constraint::Inside(Region::Rectangle { min: [-1.0; 2], max: [1.0; 2] })]);
    let plate = Collider::new("plate", plate, aslant(place([0.0, 8.0, 0.0]))).unwrap();
    let colliders = [ball, plate];
    let float = |v: impinge::Point| v.map(|c| f64::from(c as f32));
    // Past the top of the ball, and down past the border of the plate: from far outside the bound to far inside.
    let given: Vec<Particle> = (0..20_000)
        .map(|k| {
            let size = 2.0f64.powi(-8 - k % 20) * (1.0 + f64::from(k) / 20_000.0);
            let height = 1.0 + if k % 2 == 0 { size } else { -size };
            let [from, along] = if k % 3 == 0 {
                [[height, 8.3, 4.0], [0.0, 0.0, -3.0]]
            } else {
                [[-4.0, 0.0, height], [3.0, 0.0, 0.0]]
            };
            Particle {
                position: float(place(from)),
                velocity: float(aslant([0.0; 3]).apply(along)),
                acceleration: if k % 5 == 0 { [1e-3, 0.0, 0.0] } else { [0.0; 3] },
                ..Particle::default()
            }
        })
        .collect();
    let tally = compare(&context, &given, &colliders, 8.0);
    println!("{tally:?}");
    assert!(
        tally.doubtful[Doubt::Grazes as usize] + tally.doubtful[Doubt::AtBorder as usize] > 0,
        "{tally:?}"
    );
    assert!(tally.doubts() * 2 < given.len(), "{tally:?}");
}

#[test]
fn thin_plates_and_high_speeds_let_nothing_through() {
    let Some(context) = context() else { return };
    let plates: Vec<Collider> = (0..40)
        .map(|k| {
            let pose = impinge::Pose::from_translation([f64::from(k), 0.0, 0.0]).unwrap();
            Collider::cuboid(format!("plate {k}"), [1e-5, 50.0, 50.0], pose).unwrap()
        })
        .collect();
    let given: Vec<Particle> = (0..4_000)
        .map(|k| {
            let [y, z] = [f64::from(k % 61) * 0.7 - 20.0, f64::from(k % 67) * 0.6 - 20.0];
            let speed = 10.0f64.powi(k % 7);
            let position = [-3.0 + f64::from(k % 40), y, z].map(|c| f64::from(c as f32));
            Particle { position, velocity: [speed, 0.0, 0.0], ..Particle::default() }
        })
        .collect();
    let tally = compare(&context, &given, &plates, 10.0);
    assert_eq!((tally.hits, tally.doubts()), (given.len(), 0), "{tally:?}");
}

/// Bounces in a box with things in it.
fn bouncing(count: usize) -> (Vec<Particle>, Vec<Collider>) {
    let response = Response::Bounce { restitution: 0.9, friction: 0.05 };
    let walls = Collider::cuboid("walls", [30.0; 3], impinge::Pose::default()).unwrap();
    let mut colliders = vec![walls];
    colliders.extend(scene::colliders(36, 5));
    let colliders = colliders.into_iter().map(|c| c.with_response(response).unwrap()).collect();
    let given = scene::particles(count, 6)
        .into_iter()
        .map(|p| Particle { position: p.position.map(|c| c * 0.9), ..p })
        .filter(|p| p.position.iter().all(|c| c.abs() < 27.0))
        .collect();
    (given, colliders)
}

#[test]
fn every_bounce_leads_to_the_next_hit_of_the_cpu() {
    let Some(context) = context() else { return };
    let (given, colliders) = bouncing(3_000);
    let particles = Particles::new(given.iter().copied()).unwrap();
    let mut gpu = GpuSimulation::new(&context, particles, colliders.clone(), Options::default()).unwrap();
    let mut impacts = Vec::new();
    let until = 6.0;
    for step in 1..=6 {
        impacts.extend(gpu.advance(until * f64::from(step) / 6.0).unwrap().impacts.iter().copied());
    }
    impacts.sort_by_key(|hit| (hit.particle, hit.bounce));
    assert!(impacts.len() > 5_000, "{}", impacts.len());
    let mut tally = Tally::default();
    for two in impacts.chunk_by(|a, b| a.particle == b.particle) {
        for (k, pair) in two.windows(2).enumerate() {
            let (hit, next) = (&pair[0], &pair[1]);
            assert_eq!(hit.bounce as usize, k, "none is left out");
            // What the response makes of the velocity, in doubles.
            let along: f64 = (0..3).map(|i| hit.normal[i] * hit.velocity[i]).sum();
            let velocity = std::array::from_fn(|i| {
                (hit.velocity[i] - along * hit.normal[i]) * 0.95 - 0.9 * along.min(0.0) * hit.normal[i]
            });
            // Off the surface by a part of the bound: there the CPU does not find the same hit again.
            let solid = &colliders[hit.collider as usize];
            let acceleration = given[hit.particle as usize].acceleration;
            let mut path = Path { start: hit.time, position: hit.position, velocity, acceleration };
            let off = PLACE / 8.0 * reach(&path, 0.0, solid);
            path.position = std::array::from_fn(|i| hit.position[i] + off * hit.normal[i]);
            let (mut first, mut which) = (f64::INFINITY, 0);
            for (number, collider) in colliders.iter().enumerate() {
                if let Some(found) = collider.first_hit(&path, 0.0, until - hit.time)
                    && found.elapsed < first
                {
                    (first, which) = (found.elapsed, number as u32);
                }
            }
            let found = first.is_finite().then(|| {
                let found = colliders[which as usize].first_hit(&path, 0.0, until - hit.time).unwrap();
                let velocity = path.velocity_after(found.elapsed);
                let speed = velocity.iter().map(|c| c * c).sum::<f64>().sqrt();
                let (position, normal, time) = (found.position, found.normal, hit.time + found.elapsed);
                Impact { time, position, normal, velocity, speed, collider: which, ..*next }
            });
            match judge(&path, &colliders, until - hit.time, found.as_ref(), Some(next)) {
                Verdict::Agree(part) => {
                    tally.agree += 1;
                    tally.worst = tally.worst.max(part);
                }
                Verdict::Doubtful(why) => tally.doubtful[why as usize] += 1,
                Verdict::Wrong => panic!("after {hit:?}\nCPU {found:?}\nGPU {next:?}"),
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.doubts() * 200 < tally.agree, "{tally:?}");
}

#[test]
fn edges_and_corners_let_nothing_through() {
    let Some(context) = context() else { return };
    let pose = turned([0.0, 0.0, 1.0], 0.0, [3.0, -2.0, 1.0]);
    let cube = Collider::cuboid("cube", [1.0; 3], pose).unwrap();
    let wall = |name: &str, axis: usize, side: f64| {
        let mut normal = [0.0; 3];
        normal[axis] = -side;
        let mut point = [-6.0, 0.0, 0.0];
        point[axis] += side;
        Collider::plane(name, point, normal).unwrap()
    };
    let mut colliders = vec![cube];
    for axis in 0..3 {
        colliders.extend([wall("low", axis, -1.0), wall("high", axis, 1.0)]);
    }
    // The planes would cut the cube off, so each room has a simulation of its own.
    for (rooms, middle) in
        [(colliders[..1].to_vec(), [3.0, -2.0, 1.0]), (colliders[1..].to_vec(), [-6.0, 0.0, 0.0])]
    {
        let rooms: Vec<Collider> =
            rooms.into_iter().map(|c| c.with_response(Response::ELASTIC).unwrap()).collect();
        // Into corners and edges, exactly and a little beside.
        let given: Vec<Particle> = (0..2_000)
            .map(|k| {
                let way = |bit: i32| f64::from((k / bit) % 3 - 1);
                let aside = if k % 2 == 0 { 0.0 } else { 2.0f64.powi(-10 - k % 16) };
                let velocity = [way(1) + aside, way(3), way(9) - aside].map(|c| f64::from(c as f32));
                Particle { position: middle, velocity, ..Particle::default() }
            })
            .collect();
        let particles = Particles::new(given.iter().copied()).unwrap();
        let mut gpu = GpuSimulation::new(&context, particles, rooms, Options::default()).unwrap();
        gpu.advance(40.0).unwrap();
        for (k, place) in gpu.whereabouts().unwrap().iter().enumerate() {
            let out = (0..3).map(|i| (place.position[i] - middle[i]).abs()).fold(0.0, f64::max);
            assert!(out <= 1.0 + 100.0 * PLACE, "particle {k}, {:?}, is outside: {place:?}", given[k]);
        }
    }
}

#[test]
fn a_short_list_and_many_steps_give_the_same_impacts() {
    let Some(context) = context() else { return };
    let (given, colliders) = bouncing(1_000);
    let particles = Particles::new(given.iter().copied()).unwrap();
    let run = |capacity: Option<u32>, steps: u32| {
        let mut gpu =
            GpuSimulation::new(&context, particles.clone(), colliders.clone(), Options::default()).unwrap();
        if let Some(capacity) = capacity {
            gpu.start_small(capacity);
        }
        let mut impacts = Vec::new();
        let mut dispatches = 0;
        for step in 1..=steps {
            impacts.extend(
                gpu.advance(4.0 * f64::from(step) / f64::from(steps)).unwrap().impacts.iter().copied(),
            );
            dispatches += gpu.dispatches();
        }
        (impacts, dispatches)
    };
    let (whole, once) = run(None, 1);
    assert_eq!(once, 1);
    let (small, often) = run(Some(7), 1);
    assert!(often >= 3, "{often} dispatches");
    assert_eq!(whole, small, "nothing dropped, nothing twice");
    let (stepped, _) = run(None, 9);
    let key = |hit: &Impact| (hit.particle, hit.generation, hit.bounce, hit.collider, hit.element);
    assert_eq!(whole.len(), stepped.len());
    let same = whole.iter().zip(&stepped).filter(|(a, b)| key(a) == key(b)).count();
    assert_eq!(same, whole.len(), "a border between steps changes nothing");
}

#[test]
fn loops_that_are_long_are_gone_through_in_parts() {
    let Some(context) = context() else { return };
    // Without end and bent around every path: no box spares a quartic.
    let count = 2_500;
    let colliders: Vec<Collider> = (0..count)
        .map(|k| {
            let matrix = [
                [1.0, 0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0, 0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0, -(5000.0 - f64::from(k)).powi(2)],
            ];
            Collider::quadric(format!("tube {k}"), matrix, Vec::new(), impinge::Pose::default()).unwrap()
        })
        .collect();
    let given: Vec<Particle> = scene::particles(64, 9)
        .into_iter()
        .map(|p| Particle { velocity: p.velocity.map(|c| 100.0 * c), acceleration: [0.0, 3.0, -9.0], ..p })
        .collect();
    let particles = Particles::new(given.iter().copied()).unwrap();
    let mut gpu = GpuSimulation::new(&context, particles, colliders.clone(), Options::default()).unwrap();
    gpu.advance(60.0).unwrap();
    assert!(gpu.dispatches() > 1, "one dispatch was enough: this tests nothing");
    let tally = compare(&context, &given, &colliders, 60.0);
    println!("{tally:?}");
    assert!(tally.hits > 0 && tally.doubts() == 0, "{tally:?}");
}

#[test]
fn generations_are_born_alike() {
    let Some(context) = context() else { return };
    for (position, velocity) in
        [(Spread::Box([1.0, 2.0, 0.5]), Spread::Ball(3.0)), (Spread::Ball(2.0), Spread::Box([0.5; 3]))]
    {
        let given = scene::particles(2_000, 3).into_iter().enumerate().map(|(k, p)| Particle {
            start: 0.001 * k as f64,
            life: 0.25 + 0.01 * (k % 17) as f64,
            ..p
        });
        let rebirth = Rebirth { seed: 77, position, velocity, generations: Some(40) };
        let particles = Particles::new(given).unwrap().with_rebirth(rebirth).unwrap();
        let mut gpu =
            GpuSimulation::new(&context, particles.clone(), Vec::new(), Options::default()).unwrap();
        for to in [0.1003, 0.9137, 5.5519, 9.9571] {
            gpu.advance(to).unwrap();
            for (k, there) in gpu.whereabouts().unwrap().iter().enumerate() {
                match particles.state(k, to) {
                    Some(here) => {
                        assert_eq!(
                            (here.generation, there.status),
                            (there.generation, Status::Flying),
                            "{k} at {to}"
                        );
                        for i in 0..3 {
                            assert!(
                                (here.position[i] - there.position[i]).abs() < 60.0 * PLACE,
                                "{k} at {to}"
                            );
                            assert!(
                                (here.velocity[i] - there.velocity[i]).abs() < 60.0 * PLACE,
                                "{k} at {to}"
                            );
                        }
                    }
                    None if to < particles.get(k).unwrap().start => assert_eq!(there.status, Status::Unborn),
                    None => assert_eq!(there.status, Status::Ended),
                }
            }
        }
    }
}

#[test]
fn what_is_expected_is_told_ahead() {
    let Some(context) = context() else { return };
    let (given, colliders) = bouncing(500);
    let particles = Particles::new(given).unwrap();
    let run = |latency: f64, to: f64| {
        let options = Options { latency, ..Options::default() };
        let mut gpu = GpuSimulation::new(&context, particles.clone(), colliders.clone(), options).unwrap();
        gpu.advance(to).unwrap().clone()
    };
    let (now, ahead) = (run(0.0, 2.0), run(0.5, 1.5));
    assert_eq!((ahead.to, ahead.impacts.len()), (2.0, now.impacts.len()));
    assert_eq!(now.impacts, ahead.impacts);
}

#[test]
fn what_floats_cannot_hold_is_named() {
    let Some(context) = context() else { return };
    let far = Particle { position: [1e12, 0.0, 0.0], ..Particle::default() };
    let particles = Particles::new([Particle::default(), far]).unwrap();
    let error = GpuSimulation::new(&context, particles, Vec::new(), Options::default()).unwrap_err();
    assert!(error.to_string().contains("particle 1 "), "{error}");
    let moon = Collider::sphere("moon", [0.0, 1e11, 0.0], 1.0).unwrap();
    let error =
        GpuSimulation::new(&context, Particles::default(), vec![moon], Options::default()).unwrap_err();
    assert!(error.to_string().contains("collider 'moon'"), "{error}");
    let mut gpu = GpuSimulation::new(&context, Particles::default(), Vec::new(), Options::default()).unwrap();
    assert!(gpu.advance(f64::NAN).unwrap_err().to_string().contains("NaN"));
    assert!(gpu.advance(1.0).is_ok() && gpu.advance(0.5).is_err());
}
