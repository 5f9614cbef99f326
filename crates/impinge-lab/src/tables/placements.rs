//! Two models in close proximity, placed at random (Dinerstein, Egbert 2002, section 4.1), and whether they collide.

use crate::rng::Rng;
use crate::shapes::jet;
use anyhow::{Context as _, Result};
use impinge::{BodyId, Bounds, Collider, Mesh, Method, Options, Point, Pose, Query, Scene};
use rayon::prelude::*;
use std::path::PathBuf;

/// Two models, and where the second stands.
#[derive(Clone)]
pub(super) struct Placements {
    pub(super) names: [String; 2],
    pub(super) meshes: [Mesh; 2],
    pub(super) translations: Vec<Point>,
    /// Whether their surfaces meet, by the exact narrow phase.
    pub(super) truth: Vec<bool>,
}

/// Placements are tried until this many times what was asked for.
const PATIENCE: usize = 64;

/// Spot and cow where the data is, two jets where it is not.
pub(super) fn models() -> Result<[(String, Mesh); 2]> {
    let data = std::env::var_os("IMPINGE_DATA").map(PathBuf::from);
    let folder =
        data.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let folder = folder.join("meshes");
    let load = |file: &str| -> Result<(String, Mesh)> {
        let path = folder.join(file);
        let bodies = impinge_io::load_mesh_file(&path)?;
        let body = bodies.into_iter().max_by_key(|body| body.mesh.triangles().len());
        let body = body.with_context(|| format!("{} has no triangles", path.display()))?;
        Ok((file.to_owned(), unit_sized(&body.mesh)?))
    };
    if folder.join("spot.obj").is_file() && folder.join("cow.obj").is_file() {
        return Ok([load("spot.obj")?, load("cow.obj")?]);
    }
    jets(6000)
}

/// Two jets of so many triangles each, at right angles to each other.
pub(super) fn jets(triangles: usize) -> Result<[(String, Mesh); 2]> {
    let mesh = jet(triangles).mesh_f32();
    let turned: Vec<Point> = mesh.positions().iter().map(|[x, y, z]| [y, z, x]).collect();
    let turned = Mesh::new(turned, mesh.triangles().to_vec())?;
    Ok([("jet".into(), mesh), ("jet, turned".into(), turned)])
}

/// In a box of length 1 around the origin.
fn unit_sized(mesh: &Mesh) -> Result<Mesh> {
    let bounds = Bounds::of(mesh.positions().iter());
    let size = (0..3).map(|axis| bounds.max[axis] - bounds.min[axis]).fold(0.0, f64::max);
    let moved = mesh.positions().iter().map(|p| -> [f32; 3] {
        std::array::from_fn(|k| ((p[k] - f64::midpoint(bounds.min[k], bounds.max[k])) / size) as f32)
    });
    Ok(Mesh::new(moved.collect::<Vec<_>>(), mesh.triangles().to_vec())?)
}

impl Placements {
    /// Random translations such that boxes overlap, of which this part collides: of those that do, or of those that do not, as
    /// many are left out as it takes. Also which part collided before.
    pub(super) fn new(
        [(first, a), (second, b)]: [(String, Mesh); 2],
        count: usize,
        colliding: f64,
        seed: u64,
    ) -> Result<(Self, f64)> {
        let [p, q] = [&a, &b].map(|mesh| Bounds::of(mesh.positions().iter()));
        let mut rng = Rng::new(seed);
        let mut all =
            Self { names: [first, second], meshes: [a, b], translations: Vec::new(), truth: Vec::new() };
        let wanted = (colliding * count as f64).round() as usize;
        let mut left = [count - wanted, wanted];
        let (mut tried, mut collided) = (0, 0);
        let mut kept = all.clone();
        while left != [0, 0] && tried < PATIENCE * count {
            let place = |_| std::array::from_fn(|k| rng.between(p.min[k] - q.max[k], p.max[k] - q.min[k]));
            all.translations = (0..count).map(place).collect();
            all.truth = all.meet()?;
            for (&translation, &meets) in all.translations.iter().zip(&all.truth) {
                tried += 1;
                collided += usize::from(meets);
                if left[usize::from(meets)] > 0 {
                    left[usize::from(meets)] -= 1;
                    kept.translations.push(translation);
                    kept.truth.push(meets);
                }
            }
        }
        // In any order, so that a part of them has as many that collide.
        for k in (1..kept.truth.len()).rev() {
            let other = rng.below(k + 1);
            kept.translations.swap(k, other);
            kept.truth.swap(k, other);
        }
        Ok((kept, collided as f64 / tried.max(1) as f64))
    }

    /// The first so many.
    pub(super) fn first(&self, count: usize) -> Self {
        let mut part = self.clone();
        part.translations.truncate(count);
        part.truth.truncate(count);
        part
    }

    /// The exact answers.
    fn meet(&self) -> Result<Vec<bool>> {
        let met = self.ask(
            || Collider::new(exact()),
            |collider, scene| collider.collide(scene).map(|report| !report.contacts.is_empty()),
        )?;
        Ok(met.into_iter().collect::<Result<_, _>>()?)
    }

    /// As many placements where surfaces just touch, or are within a step of a double of that: halfway between one that
    /// collides and one that does not, again and again.
    pub(super) fn touching(&self, count: usize) -> Result<Self> {
        let mut part = self.clone();
        let of = |meets: bool| {
            let all = self.translations.iter().zip(&self.truth);
            all.filter(move |(_, truth)| **truth == meets).map(|(translation, _)| *translation)
        };
        let mut ends: Vec<[Point; 2]> = of(true).zip(of(false)).map(|(a, b)| [a, b]).take(count).collect();
        let middle = |[a, b]: &[Point; 2]| -> Point { std::array::from_fn(|k| f64::midpoint(a[k], b[k])) };
        for _ in 0..60 {
            part.translations = ends.iter().map(middle).collect();
            for ((ends, meets), at) in ends.iter_mut().zip(part.meet()?).zip(&part.translations) {
                ends[usize::from(!meets)] = *at;
            }
        }
        part.translations = ends.into_iter().flatten().collect();
        part.truth = part.meet()?;
        Ok(part)
    }

    pub(super) fn scene(&self) -> (Scene, BodyId) {
        let mut scene = Scene::new();
        scene.add(self.names[0].clone(), self.meshes[0].clone());
        let second = scene.add(self.names[1].clone(), self.meshes[1].clone());
        (scene, second)
    }

    /// Asks something about every placement, on all threads.
    pub(super) fn ask<E, T: Send>(
        &self,
        engine: impl Fn() -> E + Sync,
        ask: impl Fn(&mut E, &Scene) -> T + Sync,
    ) -> Result<Vec<T>> {
        let of_chunk = |chunk: &[Point]| -> Result<Vec<T>> {
            let (mut scene, second) = self.scene();
            let mut engine = engine();
            let mut answers = Vec::new();
            for &translation in chunk {
                scene.set_pose(second, Pose::from_translation(translation)?)?;
                answers.push(ask(&mut engine, &scene));
            }
            Ok(answers)
        };
        let chunks: Result<Vec<Vec<T>>> = self.translations.par_chunks(64).map(of_chunk).collect();
        Ok(chunks?.into_iter().flatten().collect())
    }
}

/// Whether surfaces meet, exactly.
pub(super) fn exact() -> Options {
    Options { method: Method::Bvh, query: Query::Any, containment: false, threads: 1, ..Options::default() }
}
