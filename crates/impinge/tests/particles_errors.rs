//! What cannot be is refused, by name; what can be, however odd, is simulated.

use impinge::particles::{
    Blend, Clip, Collider, ColliderFault, Constraint, ImpactMap, Options, Particle, ParticleError, Particles,
    Path, Rebirth, Region, Response, Shape, Simulation, Spread, Status,
};
use impinge::{Mesh, Pose};

fn quadric(matrix: [[f64; 4]; 4]) -> Result<Collider, ParticleError> {
    Collider::quadric("thing", matrix, Vec::new(), Pose::IDENTITY)
}

fn diagonal(d: [f64; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|r| std::array::from_fn(|c| if r == c { d[r] } else { 0.0 }))
}

fn fault(result: Result<Collider, ParticleError>) -> ColliderFault {
    match result {
        Err(ParticleError::Collider { name, fault }) => {
            assert_eq!(name, "thing");
            fault
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn degenerate_quadrics_are_refused() {
    let degenerate = [
        diagonal([0.0; 4]),
        diagonal([0.0, 0.0, 0.0, 5.0]),
        diagonal([1.0, 1.0, 1.0, 1.0]),  // no point
        diagonal([1.0, 1.0, 1.0, 0.0]),  // one point
        diagonal([1.0, 1.0, 0.0, 0.0]),  // a line
        diagonal([-1.0, 0.0, 0.0, 0.0]), // a plane that nothing crosses
        diagonal([1e18, 1e-18, 1.0, 3.0]),
    ];
    for matrix in degenerate {
        assert!(matches!(fault(quadric(matrix)), ColliderFault::Degenerate { .. }), "{matrix:?}");
    }
    // Small, large, flat, or a mere plane: all have two sides.
    for entries in
        [[1e18, 1e18, 1e18, -1.0], [1e-12, 1e-12, 1e-12, -1.0], [1.0, -1.0, 0.0, 0.0], [1.0, 1e-8, 1e8, -1.0]]
    {
        assert!(quadric(diagonal(entries)).is_ok(), "{entries:?}");
    }
    let mut plane = diagonal([0.0; 4]);
    (plane[2][3], plane[3][2]) = (0.5, 0.5);
    assert!(quadric(plane).is_ok());

    let mut askew = diagonal([1.0, 1.0, 1.0, -1.0]);
    askew[0][2] = 0.1;
    assert_eq!(
        fault(quadric(askew)),
        ColliderFault::NotSymmetric { row: 2, column: 0, value: 0.0, mirrored: 0.1 }
    );
    let nan = diagonal([1.0, f64::NAN, 1.0, -1.0]);
    assert!(matches!(fault(quadric(nan)), ColliderFault::NotFinite { .. }));
}

#[test]
fn colliders_that_cannot_be_are_refused_by_name() {
    let up = [0.0, 0.0, 1.0];
    let flat = Pose::from_rows([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]]).unwrap();
    let empty = Mesh::new(Vec::<[f64; 3]>::new(), Vec::new()).unwrap();
    let clip = Clip::HalfSpace { normal: [0.0; 3], offset: 1.0 };
    let faults = [
        fault(Collider::plane("thing", [0.0; 3], [0.0; 3])),
        fault(Collider::plane("thing", [0.0; 3], [f64::NAN, 0.0, 1.0])),
        fault(Collider::disc("thing", [0.0; 3], up, -1.0)),
        fault(Collider::sphere("thing", [0.0; 3], 0.0)),
        fault(Collider::sphere("thing", [f64::INFINITY, 0.0, 0.0], 1.0)),
        fault(Collider::cylinder("thing", [1.0, 1.0], f64::NAN, Pose::IDENTITY)),
        fault(Collider::cuboid("thing", [1.0, -1.0, 1.0], Pose::IDENTITY)),
        fault(Collider::cuboid("thing", [1.0; 3], flat)),
        fault(Collider::mesh("thing", empty, Pose::IDENTITY)),
        fault(Collider::quadric("thing", diagonal([1.0, 1.0, 1.0, -1.0]), vec![clip], Pose::IDENTITY)),
        fault(Collider::bounded_plane(
            "thing",
            [0.0; 3],
            up,
            vec![Constraint::Inside(Region::Polygon(vec![[0.0; 2]; 2]))],
        )),
        fault(
            Collider::plane("thing", [0.0; 3], up)
                .unwrap()
                .with_response(Response::Bounce { restitution: 1.5, friction: 0.0 }),
        ),
        fault(
            Collider::plane("thing", [0.0; 3], up)
                .unwrap()
                .with_response(Response::Bounce { restitution: 1.0, friction: f64::NAN }),
        ),
    ];
    assert_eq!(faults[0].to_string(), "the normal is zero; it needs a direction");
    assert!(matches!(faults[7], ColliderFault::Flat { .. }));
    assert_eq!(faults[8], ColliderFault::EmptyMesh);
    assert_eq!(faults[10], ColliderFault::EmptyPolygon { corners: 2 });
}

#[test]
fn particles_that_cannot_be_are_refused_by_number() {
    let good = Particle::default();
    for (bad, message) in [
        (
            Particle { velocity: [0.0, 0.0, f64::NAN], ..good },
            "particle 2 has velocity z = NaN; it must be finite",
        ),
        (
            Particle { position: [f64::INFINITY, 0.0, 0.0], ..good },
            "particle 2 has position x = inf; it must be finite",
        ),
        (Particle { start: f64::NAN, ..good }, "particle 2 has start = NaN; it must be finite"),
        (
            Particle { life: 0.0, ..good },
            "particle 2 has the life 0; it must be above 0 (infinite for a particle that never ends)",
        ),
    ] {
        assert_eq!(Particles::new([good, good, bad]).unwrap_err().to_string(), message);
    }
    let rebirth = Rebirth { velocity: Spread::Ball(-1.0), ..Rebirth::default() };
    assert!(matches!(
        Particles::new([good]).unwrap().with_rebirth(rebirth),
        Err(ParticleError::Spread { what: "velocity", .. })
    ));
}

#[test]
fn times_go_forward_and_options_have_ranges() {
    let particles = Particles::new([Particle::default()]).unwrap();
    let mut simulation = Simulation::new(particles.clone(), Vec::new(), Options::default()).unwrap();
    simulation.advance(1.0).unwrap();
    simulation.advance(1.0).unwrap();
    for to in [0.5, f64::NAN, f64::INFINITY] {
        assert!(matches!(simulation.advance(to), Err(ParticleError::Time { from: 1.0, .. })));
    }
    for options in [
        Options { latency: -1.0, ..Options::default() },
        Options { latency: f64::NAN, ..Options::default() },
        Options { hop: 0.0, ..Options::default() },
    ] {
        assert!(matches!(
            Simulation::new(particles.clone(), Vec::new(), options),
            Err(ParticleError::Option { .. })
        ));
    }
    let floor = Collider::plane("floor", [0.0; 3], [0.0, 0.0, 1.0]).unwrap();
    for size in [[0, 4], [4, 0], [4, 1 << 20]] {
        assert!(matches!(ImpactMap::new(&floor, 0, size, Blend::Latest), Err(ParticleError::MapSize { .. })));
    }
}

#[test]
fn the_largest_and_smallest_numbers_do_no_harm() {
    // Whatever comes of them, it comes to an end and is finite or nothing.
    let numbers = [0.0, -0.0, 1e-308, -1e-160, 1e160, -1e308, f64::MAX, 1.0];
    let mut particles = Particles::default();
    for (k, &x) in numbers.iter().enumerate() {
        for (l, &y) in numbers.iter().enumerate() {
            let z = numbers[(k + 3 * l) % numbers.len()];
            let life = if k % 2 == 0 { f64::INFINITY } else { y.abs().max(1e-3) };
            particles
                .push(Particle {
                    position: [x, y, 1.0],
                    velocity: [y, z, -1.0],
                    acceleration: [z, 0.0, x],
                    life,
                    start: 0.0,
                })
                .unwrap();
        }
    }
    let bouncy = Response::Bounce { restitution: 0.9, friction: 0.0 };
    let big =
        Mesh::new(vec![[-1e150, -1e150, 0.0], [1e150, -1e150, 0.0], [0.0, 1e150, 0.5f64]], vec![[0, 1, 2]]);
    let colliders: Vec<Collider> = [
        Collider::plane("plane", [0.0; 3], [0.0, 0.0, 1.0]),
        Collider::sphere("ball", [0.0; 3], 10.0),
        Collider::sphere("far", [1e150, 0.0, 0.0], 1e149),
        Collider::cuboid("box", [1e100, 1.0, 2.0], Pose::IDENTITY),
        Collider::cone("cone", 1.0, 2.0, Pose::IDENTITY),
        Collider::mesh("mesh", big.unwrap(), Pose::IDENTITY),
    ]
    .into_iter()
    .map(|collider| collider.unwrap().with_response(bouncy).unwrap())
    .collect();
    let options = Options { most_events: 200, ..Options::default() };
    let mut simulation = Simulation::new(particles, colliders, options).unwrap();
    for k in 0..10 {
        let step = simulation.advance(0.3 * f64::from(k)).unwrap();
        for impact in &step.impacts {
            assert!(impact.time.is_finite() && impact.normal.iter().all(|c| c.is_finite()), "{impact:?}");
        }
    }
}

#[test]
fn the_tip_of_a_cone_is_hit_and_sends_back() {
    let cone = Collider::cone("cone", 1.0, 2.0, Pose::IDENTITY).unwrap();
    let down =
        Path { start: 0.0, position: [0.0, 0.0, 5.0], velocity: [0.0, 0.0, -1.0], acceleration: [0.0; 3] };
    let hit = cone.first_hit(&down, 0.0, 10.0).unwrap();
    assert!((hit.elapsed - 3.0).abs() < 1e-6, "{hit:?}");
    let bouncy = cone.with_response(Response::ELASTIC).unwrap();
    let particle = Particle { position: down.position, velocity: down.velocity, ..Particle::default() };
    let mut simulation =
        Simulation::new(Particles::new([particle]).unwrap(), vec![bouncy], Options::default()).unwrap();
    simulation.advance(5.0).unwrap();
    let now = simulation.whereabouts(0).unwrap();
    assert_eq!(now.status, Status::Flying);
    assert!((now.position[2] - 4.0).abs() < 1e-5 && now.velocity[2] > 0.99, "{now:?}");
}

#[test]
fn shapes_can_be_given_in_any_pose_that_does_not_flatten() {
    // A unit sphere sheared and scaled is an ellipsoid; hits are where the pose puts the sphere's.
    let pose = Pose::from_rows([[2.0, 0.3, 0.0, 1.0], [0.0, 1.0, 0.5, 2.0], [0.1, 0.0, 3.0, -1.0]]).unwrap();
    let round = Collider::sphere("round", [0.0; 3], 1.0).unwrap();
    let sheared = Collider::new("sheared", round.shape().clone(), pose).unwrap();
    let path = Path {
        start: 0.0,
        position: [-4.0, 0.2, 0.1],
        velocity: [1.0, 0.0, 0.05],
        acceleration: [0.0, 0.0, 0.01],
    };
    let linear = |v: [f64; 3]| {
        let (to, from) = (pose.apply(v), pose.apply([0.0; 3]));
        [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
    };
    let moved = Path {
        start: 0.0,
        position: pose.apply(path.position),
        velocity: linear(path.velocity),
        acceleration: linear(path.acceleration),
    };
    let (a, b) = (round.first_hit(&path, 0.0, 10.0).unwrap(), sheared.first_hit(&moved, 0.0, 10.0).unwrap());
    assert!((a.elapsed - b.elapsed).abs() < 1e-12);
    let Shape::Quadric { .. } = sheared.shape() else { panic!() };
    // A normal is across every way along the surface.
    for way in [[-a.normal[1], a.normal[0], 0.0], [0.0, -a.normal[2], a.normal[1]]] {
        let along = linear(way);
        let product: f64 = (0..3).map(|k| along[k] * b.normal[k]).sum();
        assert!(product.abs() < 1e-12, "{product}");
    }
}
