//! Hail on a roof, a ball and a can: who is hit, when and how hard, and a map of the roof.
//!
//! ```text
//! cargo run --release -p impinge --example particles
//! ```

use impinge::Pose;
use impinge::particles::{
    Blend, Collider, ImpactMap, Options, Particle, Particles, Rebirth, Response, Simulation, Spread,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A hundred hailstones over a field of six by six metres. Each falls for 1.5 seconds and is born again elsewhere.
    let stones = (0..100).map(|k| Particle {
        start: f64::from(k) * 0.015,
        position: [0.0, 0.0, 8.0],
        velocity: [1.0, 0.0, -4.0],
        acceleration: [0.0, 0.0, -9.81],
        life: 1.5,
    });
    let rebirth = Rebirth { seed: 1, position: Spread::Box([3.0, 3.0, 0.0]), ..Rebirth::default() };
    let particles = Particles::new(stones)?.with_rebirth(rebirth)?;

    let can = Pose::from_translation([-2.0, 1.0, 0.5])?;
    let colliders = vec![
        Collider::rectangle("roof", [1.5, 0.0, 2.5], [-0.5, 0.0, 1.0], [3.0, 2.0])?,
        Collider::sphere("ball", [-1.5, -1.5, 0.6], 0.6)?
            .with_response(Response::Bounce { restitution: 0.6, friction: 0.1 })?,
        Collider::cylinder("can", [0.4, 0.4], 0.5, can)?.with_response(Response::Stick)?,
        Collider::plane("ground", [0.0; 3], [0.0, 0.0, 1.0])?
            .with_response(Response::Bounce { restitution: 0.3, friction: 0.4 })?,
    ];
    let mut map = ImpactMap::new(&colliders[0], 0, [24, 16], Blend::Latest)?;
    let names: Vec<String> = colliders.iter().map(|collider| collider.name().to_string()).collect();

    let mut simulation = Simulation::new(particles, colliders, Options::default())?;
    let mut hits = vec![0; names.len()];
    let mut hardest = vec![0.0f64; names.len()];
    for frame in 1..=600 {
        simulation.advance(f64::from(frame) / 60.0)?;
        let step = simulation.step();
        for impact in &step.impacts {
            let collider = impact.collider as usize;
            hits[collider] += 1;
            hardest[collider] = hardest[collider].max(impact.strength());
        }
        map.add(&simulation.colliders()[0], &step.impacts);
    }
    for (name, (hits, hardest)) in names.iter().zip(hits.iter().zip(&hardest)) {
        println!("{name:<7} {hits:>5} impacts, up to {hardest:.1} m/s along the normal");
    }
    let size = map.resolution();
    println!("\nThe roof, {:.3} by {:.3} m a texel:", size.across[0], size.down[0]);
    for row in map.texels().chunks(24) {
        let line: String = row.iter().map(|texel| if texel.hits > 0 { '#' } else { '.' }).collect();
        println!("{line}");
    }
    Ok(())
}
