//! Bodies in bodies: a case around a hollow shell around a planet around a core around a seed, a moon in the wall of
//! the shell, a lining in that wall around the hollow, and a wanderer that leaves the hollow through every wall. What is in the hollow
//! is not in the shell, and neither is what goes around it.

use super::progress;
use crate::known::{Ball, Relation, of_relations};
use crate::motion::{Actor, Motion, Track};
use crate::rng::Rng;
use crate::shapes::{Shape, hollow_shell, radii, sphere};
use crate::vector::{scale, turned};
use impinge::{Mesh, SceneError};

const FRAMES: usize = 25;

#[derive(Clone, Copy)]
struct Solid {
    skin: Ball,
    hollow: Option<Ball>,
}

impl Solid {
    fn to(&self, other: &Self) -> Relation {
        match self.skin.to(&other.skin) {
            Relation::Inside => Self::within(&self.skin, other, Relation::Inside),
            Relation::Around => Self::within(&other.skin, self, Relation::Around),
            plain => plain,
        }
    }

    /// `skin` is within the skin of `around`; is it in its wall or in its hollow?
    fn within(skin: &Ball, around: &Self, contained: Relation) -> Relation {
        match around.hollow.map(|hollow| skin.to(&hollow)) {
            None | Some(Relation::Apart) => contained,
            // In the hollow, or around it: part of the body is then not part of the wall.
            Some(Relation::Inside | Relation::Around) => Relation::Apart,
            Some(undecided_or_touching) => undecided_or_touching,
        }
    }
}

pub(super) fn make(triangles: usize, seed: u64) -> Result<Motion, SceneError> {
    let mut rng = Rng::new(seed);
    let part = triangles / 11;
    let ball = |radius: f64| sphere(part).scaled(radius);
    let (way_out, way_moon) = (rng.direction(), rng.direction());
    let moon = scale(way_moon, 3.5);
    let still = |name: &str, shape: &Shape| Actor::new(name, shape.mesh(), Track::Still);
    let actors = vec![
        still("case", &sphere(2 * part).scaled(6.0)),
        still("shell", &hollow_shell(3 * part, 4.0, 3.0)),
        still("lining", &ball(3.2)),
        still("planet", &ball(1.4)),
        still("core", &ball(0.6)),
        still("seed", &ball(0.2)),
        Actor::rigid("moon", ball(0.2).mesh(), move |frame| turned(way_out, frame as f64, moon)),
        Actor::rigid("wanderer", ball(0.25).mesh(), move |frame| {
            turned(way_moon, frame as f64, scale(way_out, 2.0 + 5.0 * progress(frame, FRAMES)))
        }),
    ];
    let solids: Vec<(Ball, Option<Ball>)> =
        actors.iter().map(|actor| balls(&actor.mesh, &actor.name)).collect();
    let motion = Motion::new(FRAMES, actors)?;
    Ok(motion.knowing(move |scene, _| {
        let bodies: Vec<_> = scene
            .bodies()
            .zip(&solids)
            .map(|((_, body), &(skin, hollow))| {
                (body.name(), Solid { skin: Ball { centre: body.pose().apply([0.0; 3]), ..skin }, hollow })
            })
            .collect();
        of_relations(&bodies, Solid::to)
    }))
}

/// The balls of the outer surface, and of the inner one if the mesh is the shell (its second half, by construction).
fn balls(mesh: &Mesh, name: &str) -> (Ball, Option<Ball>) {
    let of = |triangles: &[[u32; 3]]| {
        let part = Mesh::new(mesh.positions().clone(), triangles.to_vec()).unwrap_or_else(|_| mesh.clone());
        let reach =
            triangles.iter().flatten().map(|&v| crate::vector::norm(mesh.positions().get(v as usize)));
        Ball { centre: [0.0; 3], inner: radii(&part).0, outer: reach.fold(0.0, f64::max) }
    };
    if name != "shell" {
        return (of(mesh.triangles()), None);
    }
    let (outer, inner) = mesh.triangles().split_at(mesh.triangles().len() / 2);
    (of(outer), Some(of(inner)))
}
