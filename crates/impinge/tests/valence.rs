//! Vertices with very many triangles: every pair of them are neighbours, and none may be missed or take forever.

use impinge::{Collider, Contact, Mesh, Method, Options, Scene, Stages};

fn collide(positions: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>, method: Method) -> (Vec<Contact>, Stages) {
    let mut scene = Scene::new();
    let id = scene.add("fan", Mesh::new(positions, triangles).unwrap());
    scene.set_self_collision(id, true).unwrap();
    let mut collider = Collider::new(Options { method, containment: false, ..Options::default() });
    let report = collider.collide(&scene).unwrap();
    (report.contacts.clone(), report.stages)
}

/// The number of contacts, after every complete method agreed on them.
fn contacts(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> usize {
    let (expected, _) = collide(positions.to_vec(), triangles.to_vec(), Method::BruteForce);
    let (found, _) = collide(positions.to_vec(), triangles.to_vec(), Method::Bvh);
    assert_eq!(found, expected);
    expected.len()
}

/// A cone: its tip, then `sides` points around it at heights given by `height`, which also says how far out they are.
fn cone(sides: usize, tip: [f64; 3], height: impl Fn(usize) -> [f64; 2]) -> Vec<[f64; 3]> {
    let around = (0..sides).map(|i| {
        let angle = std::f64::consts::TAU * i as f64 / sides as f64;
        let [out, up] = height(i);
        [tip[0] + out * angle.cos(), tip[1] + out * angle.sin(), tip[2] + up]
    });
    std::iter::once(tip).chain(around).collect()
}

fn fan(sides: u32, first: u32, closed: bool) -> Vec<[u32; 3]> {
    let last = if closed { sides } else { sides - 1 };
    (0..last).map(|i| [0, first + i, first + (i + 1) % sides]).collect()
}

#[test]
fn cones_of_any_size_are_clear_of_themselves() {
    for sides in [3, 24, 25, 26, 64, 65, 300] {
        for closed in [true, false] {
            let positions = cone(sides as usize, [1.0, 2.0, 3.0], |_| [1.0, -1.0]);
            assert_eq!(contacts(&positions, &fan(sides, 1, closed)), 0, "{sides} sides");
        }
    }
}

#[test]
fn a_star_shaped_cone_is_clear_and_a_twisted_one_is_not() {
    let zigzag = |i: usize| {
        [if i.is_multiple_of(2) { 1.0 } else { 0.2 }, if i.is_multiple_of(3) { 0.5 } else { -0.5 }]
    };
    assert_eq!(contacts(&cone(200, [0.0; 3], zigzag), &fan(200, 1, true)), 0);
    // The ring goes around twice before it closes.
    let mut twice = cone(200, [0.0; 3], |i| [1.0, (i as f64 * 0.1).sin()]);
    for i in 0..200usize {
        let angle = 2.0 * std::f64::consts::TAU * i as f64 / 200.0;
        twice[i + 1][0] = angle.cos();
        twice[i + 1][1] = angle.sin();
    }
    assert!(contacts(&twice, &fan(200, 1, true)) > 0);
}

#[test]
fn two_cones_through_each_other_share_only_the_tip_or_more() {
    let mut positions = cone(150, [0.0; 3], |_| [1.0, -0.3]);
    positions.extend(cone(150, [0.0; 3], |_| [1.0, 0.3]).drain(1..));
    let mut triangles = fan(150, 1, true);
    triangles.extend(fan(150, 151, true));
    assert_eq!(contacts(&positions, &triangles), 0);
    // The second one leans over until it goes through the first.
    for p in &mut positions[151..] {
        *p = [p[0], p[2], -p[1]];
    }
    assert!(contacts(&positions, &triangles) > 0);
}

#[test]
fn triangles_at_random_around_a_point() {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1u64 << 24) as f64 - 0.5
    };
    for size in [1.0, 1e-30, 1e30, 1e-170] {
        let count = 160u32;
        let mut positions = vec![[size * 0.3; 3]];
        for i in 0..count {
            let p = [random(), random(), random()];
            let step = if i % 2 == 0 { 1.0 } else { 0.05 };
            let from = if i % 2 == 0 { [0.0; 3] } else { positions[positions.len() - 1] };
            positions.push([0, 1, 2].map(|axis| from[axis] + size * step * p[axis]));
        }
        let mut triangles: Vec<[u32; 3]> = (0..count / 2).map(|i| [0, 2 * i + 1, 2 * i + 2]).collect();
        // Some share an edge, some name a corner twice, one lies upon another, one has a corner at the tip.
        triangles.extend((0..20).map(|i| [2 * i + 1, 0, (2 * i + 41) % count + 1]));
        triangles.extend([[0, 5, 5], [0, 0, 7], [1, 2, 0], [0, 3, count + 1]]);
        positions.push(positions[0]);
        assert!(contacts(&positions, &triangles) > 0);
    }
}

#[test]
fn a_cone_of_very_many_triangles_takes_no_exact_test() {
    let sides = 50_000;
    let (contacts, stages) =
        collide(cone(sides, [0.0; 3], |_| [1.0, -1.0]), fan(sides as u32, 1, true), Method::Bvh);
    assert_eq!((contacts.len(), stages.exact), (0, 0));
    // Two of them with one tip are no fan, and yet few pairs are looked at.
    let mut positions = cone(5_000, [0.0; 3], |_| [1.0, -1.0]);
    positions.extend(cone(5_000, [0.0; 3], |_| [1.0, 1.0]).drain(1..));
    let mut triangles = fan(5_000, 1, true);
    triangles.extend(fan(5_000, 5_001, true));
    let (contacts, stages) = collide(positions, triangles, Method::Bvh);
    assert_eq!(contacts.len(), 0);
    assert!(stages.exact < 100_000, "{}", stages.exact);
}

#[test]
fn a_tip_of_very_many_patches_is_no_contact_and_what_crosses_beside_it_is() {
    // So many triangles that their patches cannot list each other.
    let sides = 2600;
    let mut positions = cone(sides, [0.0; 3], |i| [1.0, if i.is_multiple_of(100) { -0.4 } else { -1.0 }]);
    let mut triangles = fan(sides as u32, 1, true);
    assert_eq!(contacts(&positions, &triangles), 0);
    // Two needles from the tip: one through the cone, one beside it.
    for end in [[0.9, 0.0, -0.2], [0.0, 0.0, 1.0]] {
        let first = positions.len() as u32;
        positions.extend([end, [end[0], end[1] + 0.001, end[2] + 0.1], [0.0, 0.0, -1.5]]);
        triangles.push([0, first, first + 1]);
        triangles.push([first, first + 1, first + 2]);
    }
    assert!(contacts(&positions, &triangles) > 0);
}
