//! Which parts of an assembly clash, and which only touch: `cargo run --release -p impinge --example relations`.
//!
//! Plates of many triangles lie on each other without a gap, which makes tens of thousands of contacts, and a pin goes a hair too
//! deep, which makes a few. What matters comes first.

use impinge::contacts::Relation;
use impinge::{Collider, Mesh, Options, Point, Pose, Scene};

/// A box from 0 to `size`, every side cut into `n` times `n` squares.
fn plate(size: Point, n: usize) -> Result<Mesh, impinge::MeshError> {
    let mut positions: Vec<Point> = Vec::new();
    let mut triangles = Vec::new();
    let mut numbers = std::collections::HashMap::new();
    for (axis, end) in (0..3).flat_map(|axis| [(axis, 0), (axis, n)]) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut corner = |i: usize, j: usize| {
            let mut at = [0; 3];
            [at[axis], at[u], at[v]] = [end, i, j];
            *numbers.entry(at).or_insert_with(|| {
                positions.push([0, 1, 2].map(|k| size[k] * at[k] as f64 / n as f64));
                positions.len() as u32 - 1
            })
        };
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            triangles.extend(if end == 0 { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] });
        }
    }
    Mesh::new(positions, triangles)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let bearing = scene.add("bearing", plate([8.0, 8.0, 1.0], 46)?);
    let washer = scene.add("washer", plate([8.0, 8.0, 0.5], 46)?);
    let pin = scene.add("pin", plate([1.0, 1.0, 3.0], 2)?);
    scene.set_pose(washer, Pose::from_translation([0.0, 0.0, 1.0])?)?;
    scene.set_pose(pin, Pose::from_translation([3.3, 3.3, 1.5f64.next_down()])?)?;

    let options = Options { relations: true, ..Options::default() };
    let mut collider = Collider::new(options);
    collider.collide(&scene)?; // what can be kept is kept
    let report = collider.collide(&scene)?;

    let mut relations = report.relations.clone();
    relations.sort_by_key(|pair| pair.relation);
    for pair in &relations {
        let [a, b] = [pair.a, pair.b].map(|id| scene.body(id).map_or("", |body| body.name()));
        let listed = report.pairs.iter().find(|listed| (listed.a, listed.b) == (pair.a, pair.b));
        let contacts = listed.map_or(0, |listed| listed.contacts.len());
        println!("{a} and {b}: {:?}, {contacts} contacts", pair.relation);
    }
    let time = report.stages.containment;
    println!("{time:?}, {:.0} ns per contact", time.as_secs_f64() * 1e9 / report.contacts.len() as f64);
    assert_eq!(report.relation(bearing, washer), Some(Relation::Touching));
    assert_eq!(report.relation(washer, pin), Some(Relation::Overlapping));
    assert_eq!(report.relation(bearing, pin), None);
    Ok(())
}
