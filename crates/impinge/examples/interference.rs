//! Which solids are inside which, and where: rays cast at edges.
//!
//! ```sh
//! cargo run --release -p impinge --example interference
//! ```

use impinge::Direction;
use impinge::interference::{RayCastOptions, RayCaster};
use impinge::{BodyId, Mesh, MeshError, Point, Scene};

/// A box with these corners; its triangles, seen from outside, turn left.
fn brick(low: Point, high: Point) -> Result<Mesh, MeshError> {
    let corner =
        |k: usize| -> Point { std::array::from_fn(|i| if k >> i & 1 == 0 { low[i] } else { high[i] }) };
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new((0..8).map(corner).collect::<Vec<_>>(), triangles)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    scene.add("block", brick([0.0; 3], [4.0, 4.0, 2.0])?);
    scene.add("rod", brick([1.0, 1.2, 0.5], [1.4, 1.6, 6.0])?); // ends inside the block
    scene.add("pearl", brick([2.8; 3], [3.2, 3.1, 3.4])?); // above it
    scene.add("seed", brick([2.4, 2.5, 0.9], [2.6, 2.7, 1.2])?); // wholly inside it

    // Three views see what one may hide. The default is one view of 1024 x 1024 pixels.
    let options =
        RayCastOptions { resolution: [512, 512], direction: Direction::Axes, ..RayCastOptions::default() };
    let mut caster = RayCaster::new(options);
    let found = caster.find(&scene)?;

    let name = |id: BodyId| scene.body(id).map_or("", |body| body.name());
    for pair in &found.pairs {
        println!(
            "{} has edges inside {}, seen in {} pixels",
            name(pair.penetrating),
            name(pair.penetrated),
            pair.pixels
        );
    }
    for (index, edge) in found.edges.iter().enumerate() {
        let deepest = found.points.iter().filter(|point| point.edge == index).map(|point| point.position[2]);
        let Some(body) = scene.body(edge.body) else { continue };
        let [a, b] = edge.vertices(body.mesh()).unwrap_or_default();
        println!(
            "  edge {a}-{b} of {}: {} points, down to z = {:.3}",
            name(edge.body),
            deepest.clone().count(),
            deepest.fold(f64::INFINITY, f64::min)
        );
    }
    println!("closed bodies farther apart than {:.4} are never reported", found.reach);
    Ok(())
}
