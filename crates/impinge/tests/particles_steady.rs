//! Once a motion has been seen, a simulation takes no more memory for it. The only test of its program: whatever else ran
//! in the process would be counted too.

use impinge::Pose;
use impinge::particles::{Collider, Options, Particle, Particles, Rebirth, Response, Simulation};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[test]
fn nothing_is_allocated_after_the_first_steps() {
    let _profiler = dhat::Profiler::builder().testing().build();
    // The same generation again and again, a hundred steps each.
    let rain = (0..8192).map(|k| Particle {
        start: f64::from(k % 64) / 64.0 - 1.0,
        position: [f64::from(k % 90), f64::from(k / 90), 5.0],
        velocity: [0.1, 0.2, -1.0],
        acceleration: [0.0, 0.0, -10.0],
        life: 1.0,
    });
    let particles = Particles::new(rain).unwrap().with_rebirth(Rebirth::default()).unwrap();
    let bouncy = Response::Bounce { restitution: 0.5, friction: 0.1 };
    let mut colliders = vec![Collider::plane("floor", [0.0; 3], [0.0, 0.0, 1.0]).unwrap()];
    for k in 0..150 {
        let pose = Pose::from_translation([f64::from(k % 15) * 6.0, f64::from(k / 15) * 9.0, 1.0]).unwrap();
        colliders.push(Collider::cuboid("box", [1.0, 1.0, 0.5], pose).unwrap());
    }
    let colliders: Vec<Collider> =
        colliders.into_iter().map(|collider| collider.with_response(bouncy).unwrap()).collect();
    for threads in [1, 2] {
        let options = Options { threads, ..Options::default() };
        let mut simulation = Simulation::new(particles.clone(), colliders.clone(), options).unwrap();
        let mut steps = 0;
        let mut allocate = |count: usize| {
            let mut allocating = 0;
            for _ in 0..count {
                steps += 1;
                let before = dhat::HeapStats::get().total_blocks;
                let step = simulation.advance(f64::from(steps) * 0.02).unwrap();
                assert!(steps < 40 || !step.impacts.is_empty());
                allocating += usize::from(dhat::HeapStats::get().total_blocks > before);
            }
            allocating
        };
        assert!(allocate(150) > 0, "the first steps were not counted");
        let later = allocate(150);
        // rayon's queue of work from outside its threads takes a new block after every 63 calls.
        let allowed = if threads == 1 { 0 } else { 10 };
        assert!(later <= allowed, "{threads} threads: {later} of 150 steps allocate");
    }
}
