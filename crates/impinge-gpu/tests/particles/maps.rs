//! Maps drawn on the GPU are those that the CPU draws of the same impacts.

use crate::common::context;
use crate::scene;
use impinge::particles::{
    Blend, Collider, ImpactMap, Options, Particle, Particles, Rebirth, Response, Spread, Texel,
};
use impinge_gpu::GpuSimulation;

fn rain(count: usize) -> Particles {
    let drops = scene::particles(count, 21).into_iter().map(|p| Particle {
        position: [p.position[0] * 0.1, p.position[1] * 0.1, 5.0],
        velocity: [p.velocity[0] * 0.05, p.velocity[1] * 0.05, -4.0],
        acceleration: [0.0, 0.0, -2.0],
        life: 1.5,
        ..p
    });
    let rebirth = Rebirth { seed: 5, position: Spread::Box([2.0, 2.0, 1.0]), ..Rebirth::default() };
    Particles::new(drops).unwrap().with_rebirth(rebirth).unwrap()
}

#[test]
fn a_map_is_that_of_the_cpu() {
    let Some(context) = context() else { return };
    let pose = |x: f64, y: f64| impinge::Pose::from_axis_angle([0.6, 0.0, 0.8], 0.5, [x, y, 0.0]).unwrap();
    let colliders = vec![
        Collider::rectangle("plate", [0.0; 3], [0.1, 0.2, 1.0], [3.0, 2.0]).unwrap(),
        Collider::ellipsoid("egg", [1.0, 0.8, 1.2], pose(2.5, 0.0)).unwrap(),
        Collider::cuboid("box", [0.8, 0.6, 0.4], pose(-2.5, 0.5)).unwrap(),
        Collider::cylinder("can", [0.5, 0.5], 1.0, pose(0.0, 2.5)).unwrap(),
        Collider::mesh("rock", impinge_lab::shapes::icosphere(3).mesh(), pose(0.0, -2.5)).unwrap(),
    ];
    let bounce = Response::Bounce { restitution: 0.4, friction: 0.2 };
    let colliders: Vec<Collider> = colliders.into_iter().map(|c| c.with_response(bounce).unwrap()).collect();
    for blend in [Blend::Latest, Blend::Additive] {
        let size = [48, 32];
        let mut gpu =
            GpuSimulation::new(&context, rain(3_000), colliders.clone(), Options::default()).unwrap();
        // Short lists: what is drawn must not depend on how often the list is emptied.
        gpu.start_small(2_000);
        let mut here: Vec<ImpactMap> = Vec::new();
        for (k, collider) in colliders.iter().enumerate() {
            assert_eq!(gpu.add_map(k as u32, size, blend).unwrap(), k);
            here.push(ImpactMap::new(collider, k as u32, size, blend).unwrap());
        }
        for to in [0.8, 1.4, 2.9] {
            let step = gpu.advance(to).unwrap();
            for (map, collider) in here.iter_mut().zip(&colliders) {
                map.add(collider, &step.impacts);
            }
        }
        for (k, map) in here.iter().enumerate() {
            let there = gpu.map(k).unwrap();
            let hits = |texels: &[Texel]| texels.iter().map(|t| t.hits as usize).sum::<usize>();
            let (mine, all) = (map.texels(), hits(&there));
            assert!(all > 200, "map {k}: {all} hits");
            assert_eq!(hits(mine), all, "map {k}: each impact is drawn once");
            // A float may put an impact over the line between two texels.
            let moved = mine.iter().zip(&there).map(|(a, b)| a.hits.abs_diff(b.hits) as usize).sum::<usize>();
            assert!(moved <= 2 + all / 1000, "map {k}: {moved} of {all} on other texels");
            let mut same = 0;
            for (a, b) in mine.iter().zip(&there).filter(|(a, b)| a.hits == b.hits && a.hits > 0) {
                let slack = 1e-5 * f64::from(a.hits) * a.speed.max(1.0);
                let is_same =
                    a.time == b.time && (a.speed - b.speed).abs() <= slack && a.collider == b.collider;
                same += usize::from(is_same);
                assert!(is_same || moved > 0, "map {k}: {a:?} and {b:?}");
            }
            let filled = mine.iter().filter(|t| t.hits > 0).count();
            assert!(same + 2 * moved >= filled, "map {k}: {same} of {filled} alike");
        }
    }
}

#[test]
fn a_map_that_cannot_be_is_refused() {
    let Some(context) = context() else { return };
    let ball = Collider::sphere("ball", [0.0; 3], 1.0).unwrap();
    let mut gpu = GpuSimulation::new(&context, rain(1), vec![ball], Options::default()).unwrap();
    assert!(gpu.add_map(1, [4, 4], Blend::Latest).unwrap_err().to_string().contains("no collider 1"));
    for size in [[0, 4], [4, 0], [1 << 20, 4]] {
        assert!(
            gpu.add_map(0, size, Blend::Latest).unwrap_err().to_string().contains("impact map of"),
            "{size:?}"
        );
    }
}
