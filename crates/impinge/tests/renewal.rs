//! Sheets that are wound up until nothing of what a collider keeps fits any more, and unwound again: contacts stay those
//! of a collider that has seen nothing before, while patches are made anew in the background and taken into use.

use impinge::{BodyId, Collider, Mesh, Options, Scene};

const SIDE: u32 = 70;

/// A wavy sheet around a height, wound up by so many turns at its rim.
fn wound(turns: f64, height: f64) -> Vec<[f32; 3]> {
    let mut points = Vec::new();
    for i in 0..=SIDE {
        for j in 0..=SIDE {
            let (x, y) =
                (2.0 * f64::from(i) / f64::from(SIDE) - 1.0, 2.0 * f64::from(j) / f64::from(SIDE) - 1.0);
            let angle = turns * std::f64::consts::TAU * (x * x + y * y).sqrt();
            let (sin, cos) = angle.sin_cos();
            let z = height + 0.2 * (5.0 * x + 3.0 * y).sin();
            points.push([x * cos - y * sin, x * sin + y * cos, z].map(|x| x as f32));
        }
    }
    points
}

fn triangles() -> Vec<[u32; 3]> {
    let corner = |i: u32, j: u32| i * (SIDE + 1) + j;
    let quads = (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j)));
    quads
        .flat_map(|(i, j)| {
            [
                [corner(i, j), corner(i, j + 1), corner(i + 1, j)],
                [corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)],
            ]
        })
        .collect()
}

#[test]
fn contacts_are_the_same_while_patches_are_renewed() {
    let mut scene = Scene::new();
    let ids: [BodyId; 3] = std::array::from_fn(|body| {
        let mesh = Mesh::new(wound(0.0, 0.1 * body as f64), triangles()).unwrap();
        scene.add(format!("sheet {body}"), mesh)
    });
    scene.set_self_collision(ids[1], true).unwrap();
    let options = |threads: usize| Options { threads, containment: false, ..Options::default() };
    let mut kept = [1, 2].map(|threads| Collider::new(options(threads)));
    let mut contacts = 0;
    for frame in 0..160 {
        let turns = 2.0 * (1.0 - (frame as f64 / 80.0 - 1.0).abs());
        for (body, &id) in ids.iter().enumerate() {
            // One turns the other way, and one breaks in the middle of it all.
            let turns = if body == 2 { -turns } else { turns };
            scene.set_positions(id, &wound(turns, 0.1 * body as f64)).unwrap();
        }
        if frame == 50 {
            let all = triangles();
            let mesh = Mesh::new(wound(-turns, 0.2), all[..all.len() / 2].to_vec()).unwrap();
            scene.set_mesh(ids[2], mesh).unwrap();
        }
        let expected = Collider::new(options(1)).collide(&scene).unwrap().contacts.clone();
        for collider in &mut kept {
            assert_eq!(collider.collide(&scene).unwrap().contacts, expected, "frame {frame}");
        }
        contacts += expected.len();
    }
    assert!(contacts > 10_000, "{contacts}");
}
