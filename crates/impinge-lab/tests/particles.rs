//! The library's particles against the plain loop: the same impacts, bit for bit, whatever lanes, threads and trees do.

use impinge::particles::{Collider, Impact, Options, Particle, Particles, Response, Simulation};
use impinge::{Mesh, Pose};
use impinge_lab::particles::{Plain, Thesis, field, simulation};
use impinge_lab::rng::Rng;
use impinge_lab::shapes;

fn sorted(mut impacts: Vec<Impact>) -> Vec<Impact> {
    impacts.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.particle.cmp(&b.particle)));
    impacts
}

#[test]
fn impacts_are_those_of_the_plain_loop() {
    for (count, colliders, second_order) in [
        (5000, 1, false),
        (5000, 8, true),
        (5000, 64, false),
        (3000, 64, true),
        (1000, 300, false),
        (700, 300, true),
    ] {
        let (particles, solids) = field(count, colliders, second_order, 5).unwrap();
        let mut plain = Plain::new(&particles, solids.clone());
        let mut found = 0;
        let mut ours: Vec<Simulation> = [(1, Some(false)), (1, Some(true)), (2, None)]
            .map(|(threads, index)| {
                let options = Options { threads, index, ..Options::default() };
                simulation(particles.clone(), solids.clone(), options).unwrap()
            })
            .into();
        for time in [0.0, 0.02, 0.1, 0.1, 0.5, 3.0] {
            plain.advance(time);
            let expected = sorted(std::mem::take(&mut plain.impacts));
            found += expected.len();
            for simulation in &mut ours {
                let step = simulation.advance(time).unwrap();
                assert_eq!(step.impacts, expected, "{count} particles, {colliders} colliders, to {time}");
                assert_eq!(step.counts.impacts, expected.len());
            }
        }
        assert!(found * 50 > count, "{found} impacts of {count} particles and {colliders} colliders");
    }
}

#[test]
fn the_formulas_of_the_thesis_give_the_same_hits() {
    let (particles, solids) = field(20_000, 64, false, 6).unwrap();
    let mut thesis = Thesis::new(&particles, solids.clone());
    let mut ours = simulation(particles, solids, Options::default()).unwrap();
    ours.advance(0.0).unwrap();
    for time in [0.1, 0.4, 2.0] {
        thesis.advance(time);
        let step = ours.advance(time).unwrap();
        assert_eq!(thesis.hits, step.impacts.len(), "to {time}");
        assert!(thesis.hits > 100, "{}", thesis.hits);
    }
}

/// A plain loop over the triangles of a mesh: the thesis' plane, and three edges.
fn through_triangles(mesh: &Mesh, from: [f64; 3], along: [f64; 3]) -> Option<f64> {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let less = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let mut first = None;
    for triangle in 0..mesh.triangles().len() {
        let [a, b, c] = mesh.corners(triangle);
        let normal = cross(less(b, a), less(c, a));
        let t = dot(normal, less(a, from)) / dot(normal, along);
        let p = std::array::from_fn(|k| from[k] + t * along[k]);
        let inside =
            [(a, b), (b, c), (c, a)].iter().all(|&(u, v)| dot(normal, cross(less(v, u), less(p, u))) >= 0.0);
        if inside && t > 0.0 && first.is_none_or(|so_far| t < so_far) {
            first = Some(t);
        }
    }
    first
}

#[test]
fn rays_meet_meshes_where_every_triangle_says() {
    let mut rng = Rng::new(8);
    let mesh = shapes::icosphere(4).mesh();
    let collider = Collider::mesh("mesh", mesh.clone(), Pose::IDENTITY).unwrap();
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..2000 {
        let from = rng.in_cube(-3.0, 3.0);
        let to = rng.in_cube(-0.8, 0.8);
        let along = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
        let path =
            impinge::particles::Path { start: 0.0, position: from, velocity: along, acceleration: [0.0; 3] };
        let expected = through_triangles(&mesh, from, along).filter(|&t| t <= 10.0);
        let found = collider.first_hit(&path, 0.0, 10.0).map(|hit| hit.elapsed);
        match (expected, found) {
            (Some(a), Some(b)) => {
                assert!((a - b).abs() < 1e-10, "{a} and {b}");
                hits += 1;
            }
            (None, None) => misses += 1,
            other => panic!("{other:?} from {from:?} along {along:?}"),
        }
    }
    assert!(hits > 1000 && misses + hits == 2000);
}

#[test]
fn bounces_do_not_depend_on_threads() {
    let mut rng = Rng::new(9);
    let bouncy = Response::Bounce { restitution: 0.8, friction: 0.05 };
    let (_, solids) = field(0, 40, true, 7).unwrap();
    let colliders: Vec<Collider> =
        solids.into_iter().map(|collider| collider.with_response(bouncy).unwrap()).collect();
    let stones = (0..6000).map(|_| Particle {
        start: rng.between(0.0, 1.0),
        position: [rng.between(0.0, 28.0), rng.between(0.0, 28.0), rng.between(3.0, 9.0)],
        velocity: rng.in_cube(-2.0, 2.0),
        acceleration: [0.0, 0.0, -9.81],
        life: rng.between(0.7, 2.0),
    });
    let particles = Particles::new(stones).unwrap();
    let run = |threads: usize| {
        let options = Options { threads, ..Options::default() };
        let mut simulation = Simulation::new(particles.clone(), colliders.clone(), options).unwrap();
        let mut all = Vec::new();
        for k in 1..=20 {
            all.extend_from_slice(&simulation.advance(0.15 * f64::from(k)).unwrap().impacts);
        }
        all
    };
    let expected = run(1);
    assert!(expected.len() > 1000, "{}", expected.len());
    assert!(expected.iter().any(|impact| impact.bounce > 2));
    for threads in [2, 3, 5] {
        assert!(run(threads) == expected, "{threads} threads");
    }
}
