//! A hundred thousand drops on a dome, on a GPU: `cargo run --release -p impinge-gpu --example particles`.

use impinge::particles::{Blend, Collider, Options, Particle, Particles, Rebirth, Response, Spread};
use impinge_gpu::{Context, GpuSimulation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context::new()?;
    let drop = |k: u32| Particle {
        start: f64::from(k) * 1e-5,
        position: [f64::from(k % 317) * 0.02 - 3.16, f64::from(k / 317) * 0.02 - 3.16, 6.0],
        velocity: [0.5, 0.0, -6.0],
        acceleration: [0.0, 0.0, -9.81],
        life: 1.5,
    };
    let rebirth = Rebirth { seed: 1, position: Spread::Ball(0.1), ..Rebirth::default() };
    let particles = Particles::new((0..100_000).map(drop))?.with_rebirth(rebirth)?;
    let bouncy = Response::Bounce { restitution: 0.3, friction: 0.2 };
    let dome = Collider::sphere("dome", [0.0; 3], 2.0)?.with_response(bouncy)?;
    let ground = Collider::plane("ground", [0.0; 3], [0.0, 0.0, 1.0])?;

    let mut rain = GpuSimulation::new(&context, particles, vec![dome, ground], Options::default())?;
    let map = rain.add_map(0, [256, 128], Blend::Additive)?;
    for frame in 1..=30 {
        let step = rain.advance(f64::from(frame) / 10.0)?;
        if let Some(hardest) = step.impacts.iter().max_by(|a, b| a.strength().total_cmp(&b.strength())) {
            println!(
                "{:4.1} s: {:6} impacts, the hardest {:.2}",
                step.to,
                step.impacts.len(),
                hardest.strength()
            );
        }
    }
    let wet = rain.map(map)?.iter().filter(|texel| texel.hits > 0).count();
    println!("{wet} of {} texels of the dome were hit, on {}", 256 * 128, context.adapter);
    Ok(())
}
