//! Whether surfaces meet, proven, and in what volume: cells of space that both of two bodies take. Then when they meet first
//! on their way.
//!
//! ```sh
//! cargo run --release -p impinge --example slices
//! ```

use impinge::overlap_cells::{Answer, Crossing, SliceOptions, Slicer};
use impinge::{Mesh, MeshError, Point, Pose, PoseError, Scene};

/// Four faces around the origin; seen from outside, they turn left.
fn tetrahedron(size: f64) -> Result<Mesh, MeshError> {
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let triangles = vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    Mesh::new(corners.map(|p: Point| p.map(|c| c * size)).to_vec(), triangles)
}

/// A ring of `around` x `across` points.
fn torus(around: u32, across: u32) -> Result<Mesh, MeshError> {
    let at = |i: u32, j: u32| -> Point {
        let [u, v] =
            [(i, around), (j, across)].map(|(k, n)| f64::from(k) / f64::from(n) * std::f64::consts::TAU);
        let r = 2.0 + 0.5 * v.cos();
        [r * u.cos(), r * u.sin(), 0.5 * v.sin()]
    };
    let corner = |i: u32, j: u32| i % around * across + j % across;
    let points: Vec<Point> = (0..around).flat_map(|i| (0..across).map(move |j| at(i, j))).collect();
    let faces = (0..around).flat_map(|i| (0..across).map(move |j| [i, j])).flat_map(|[i, j]| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    Mesh::new(points, faces.collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let ring = scene.add("ring", torus(96, 32)?);
    let dart = scene.add("dart", tetrahedron(0.4)?);
    scene.set_pose(dart, Pose::from_translation([1.5, 0.3, 0.2])?)?;

    // What is proven is the default. Points are listed only if asked for.
    let mut slicer = Slicer::new(SliceOptions { most_points: 3, ..SliceOptions::default() });
    for pair in &slicer.find(&scene).pairs {
        let answer = match pair.answer {
            Answer::No => "do not meet",
            Answer::Yes => "meet",
            Answer::Maybe { .. } => "may meet",
        };
        let proven = if pair.certain { "proven" } else { "sampled" };
        println!("surfaces {answer}: {proven}, by {:?} drawn {} times", pair.by, pair.renderings);
        if let Some(bounds) = pair.bounds {
            println!("  they share {} cells, from {:.3?} to {:.3?}", pair.cells, bounds.min, bounds.max);
        }
        for point in &pair.points {
            println!("  one of them at {point:.3?}");
        }
    }

    // The dart flies down through the ring, so fast that no step shows it there.
    let step = |k: u32| -> Result<[Pose; 2], PoseError> {
        Ok([Pose::IDENTITY, Pose::from_translation([2.0, 0.0, 4.0 - 2.5 * f64::from(k)])?])
    };
    let steps = (0..4).map(step).collect::<Result<Vec<_>, _>>()?;
    for between in [false, true] {
        let found = slicer.paths(&scene, [ring, dart], &steps, between)?;
        let looked = if between { "at steps and between them" } else { "at steps" };
        match found.crossing {
            Crossing::Never => println!("{looked}: they never meet"),
            Crossing::At { step, .. } => println!("{looked}: they meet first at step {step}"),
            Crossing::Between { step } => {
                println!("{looked}: they may meet between steps {step} and {}", step + 1);
            }
            _ => {}
        }
    }
    Ok(())
}
