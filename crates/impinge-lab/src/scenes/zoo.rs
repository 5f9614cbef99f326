//! Everything degenerate, each exhibit in its own place with its own count: points, segments, repeated indices,
//! coincident vertices, slivers, coplanar fans, folds, twins, a shared face, extreme coordinates, gaps of one ulp.
//! Frames turn the whole zoo by the rotations of the cube, which round nothing.

use crate::known::{Count, KnownAnswer, KnownPairs, pair};
use crate::motion::{Actor, Motion};
use crate::shapes::{Shape, tetrahedron};
use crate::vector::{Point, quarter_turned};
use impinge::SceneError;

const FRAMES: usize = 24;

/// Bodies that stand together, and the contacts between them (or, of a single body, with itself).
struct Exhibit {
    name: &'static str,
    bodies: Vec<Shape>,
    contacts: usize,
}

pub(super) fn make(triangles: usize, _seed: u64) -> Result<Motion, SceneError> {
    let unit: usize = exhibits(4).iter().flat_map(|e| &e.bodies).map(|shape| shape.triangles.len()).sum();
    // Fans grow with the zoo until their square would drown the rest; then the zoo is repeated.
    let fan = (4 + triangles.saturating_sub(unit) / 2).min(40);
    let one: usize = unit + 2 * (fan - 4);
    let copies = (triangles as f64 / one as f64).round().max(1.0) as usize;
    let mut actors = Vec::new();
    let mut touching = Vec::new();
    let mut contacts = 0;
    for copy in 0..copies {
        for (place, exhibit) in exhibits(fan).into_iter().enumerate() {
            let place = (copy * 32 + place + 1) as f64 * 16.0;
            let name = |k: usize| format!("{} {copy}{}", exhibit.name, ["a", "b"][k]);
            let alone = exhibit.bodies.len() == 1;
            contacts += exhibit.contacts;
            if exhibit.contacts > 0 {
                touching.push(pair(name(0), name(usize::from(!alone))));
            }
            for (k, shape) in exhibit.bodies.iter().enumerate() {
                let mesh = shape.clone().moved([place, 0.0, 0.0]).mesh();
                let actor = Actor::rigid(name(k), mesh, |frame| quarter_turned(frame, [0.0; 3]));
                actors.push(if alone { actor.with_self_collision() } else { actor });
            }
        }
    }
    for (name, bodies, count) in extremes() {
        contacts += count;
        if count > 0 {
            touching.push(pair(format!("{name} a"), format!("{name} b")));
        }
        for (k, shape) in bodies.into_iter().enumerate() {
            let name = format!("{name} {}", ["a", "b"][k]);
            actors.push(Actor::rigid(name, shape.mesh(), |frame| quarter_turned(frame, [0.0; 3])));
        }
    }
    let known = KnownAnswer {
        contacts: Some(Count::Exactly(contacts)),
        pairs: Some(KnownPairs { touching, undecided: Vec::new() }),
        // Of two bodies with the same surface neither contains the other.
        containments: Some(Vec::new()),
        alike: Vec::new(),
    };
    Ok(Motion::new(FRAMES, actors)?.knowing(move |_, _| known.clone()))
}

fn one(corners: [Point; 3]) -> Shape {
    Shape { positions: corners.to_vec(), triangles: vec![[0, 1, 2]] }
}

fn indexed(positions: &[Point], triangles: &[[u32; 3]]) -> Shape {
    Shape { positions: positions.to_vec(), triangles: triangles.to_vec() }
}

/// A fan of triangles in the plane z = 0 about the origin, its rim on the parabola x = y^2 / 64.
fn fan(count: usize, flip: f64) -> Shape {
    let rim = (0..=count).map(|k| {
        let y = k as f64 / 8.0;
        [flip * (1.0 + y * y / 64.0), y - 2.0, 0.0]
    });
    let positions: Vec<Point> = std::iter::once([0.0; 3]).chain(rim).collect();
    Shape { positions, triangles: (1..=count as u32).map(|k| [0, k, k + 1]).collect() }
}

fn exhibits(fan_size: usize) -> Vec<Exhibit> {
    let plate = || one([[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [0.0, 3.0, 0.0]]);
    let point = |p: Point| indexed(&[p], &[[0, 0, 0]]);
    let ulp = f64::EPSILON;
    let corners: [Point; 4] = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
    let mirrored = [corners[0], corners[1], corners[2], [0.0, 0.0, -2.0]];
    let exhibit = |name, bodies, contacts| Exhibit { name, bodies, contacts };
    vec![
        exhibit("point on a triangle", vec![plate(), point([0.0, 0.0, 0.0])], 1),
        exhibit("point beside a triangle", vec![plate(), point([0.0, 0.0, ulp])], 0),
        exhibit("point on a point", vec![point([1.0, 2.0, 3.0]), point([1.0, 2.0, 3.0])], 1),
        exhibit(
            "segment through a triangle",
            vec![plate(), one([[0.0, 0.0, -1.0], [0.0, 0.0, 2.0], [0.0, 0.0, 1.0]])],
            1,
        ),
        exhibit(
            "segment in a triangle's plane",
            vec![plate(), one([[-4.0, 0.0, 0.0], [0.0; 3], [4.0, 0.0, 0.0]])],
            1,
        ),
        exhibit(
            "segment past a triangle",
            vec![plate(), one([[-4.0, 4.0, 0.0], [0.0, 4.0, 0.0], [4.0, 4.0, 0.0]])],
            0,
        ),
        exhibit(
            "segment across a segment",
            vec![
                one([[-1.0, 0.0, 0.0], [0.0; 3], [3.0, 0.0, 0.0]]),
                one([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.0]]),
            ],
            1,
        ),
        exhibit(
            "repeated index on a corner",
            vec![plate(), indexed(&[[2.0, -2.0, 0.0], [4.0, -4.0, 1.0]], &[[0, 1, 1]])],
            1,
        ),
        exhibit(
            "coincident vertices on an edge",
            vec![plate(), one([[0.0, -2.0, 0.0], [0.0, -2.0, 0.0], [0.0, -5.0, 1.0]])],
            1,
        ),
        exhibit(
            "needle through a needle",
            vec![
                one([[-1.0, 1048576.0, 0.0], [-1.0, -1048576.0, 0.0], [1.0, 0.0, 0.0]]),
                one([[0.0, 0.0, -1048576.0], [0.0, 0.0, 1048576.0], [0.0, ulp, 0.0]]),
            ],
            1,
        ),
        exhibit(
            "sliver beside a triangle",
            vec![
                plate(),
                one([
                    [-2.0, -2.0 - 2.0 * ulp, 0.0],
                    [2.0, -2.0 - 2.0 * ulp, 0.0],
                    [0.0, -2.0 - 4.0 * ulp, 0.0],
                ]),
            ],
            0,
        ),
        // All triangles of both fans meet in the centre.
        exhibit("coplanar fans", vec![fan(fan_size, 1.0), fan(fan_size, 1.0)], fan_size * fan_size),
        exhibit("fans back to back", vec![fan(4, 1.0), fan(4, -1.0)], 16),
        // Every two triangles of a tetrahedron share two vertices.
        exhibit("identical meshes", vec![tetrahedron(4, corners), tetrahedron(4, corners)], 16),
        exhibit("meshes sharing one face", vec![tetrahedron(4, corners), tetrahedron(4, mirrored)], 16),
        exhibit(
            "one ulp apart",
            vec![plate().moved([0.0, 0.0, 1.0]), plate().moved([0.0, 0.0, 1.0 + ulp])],
            0,
        ),
        exhibit("face on face", vec![plate(), plate().map(|[x, y, z]| [-x, -y, z])], 1),
        exhibit("inside one plane", vec![plate(), plate().scaled(0.25)], 1),
        exhibit(
            "edge on edge",
            vec![plate(), one([[-1.0, -2.0, 0.0], [1.0, -2.0, 0.0], [0.0, -4.0, 2.0]])],
            1,
        ),
        exhibit(
            "folded along an edge",
            vec![indexed(
                &[[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 1.0, 0.0]],
                &[[0, 1, 2], [1, 0, 3]],
            )],
            1,
        ),
        exhibit(
            "unfolded along an edge",
            vec![indexed(
                &[[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, -1.0, 0.0]],
                &[[0, 1, 2], [1, 0, 3]],
            )],
            0,
        ),
        exhibit(
            "crossing beyond a vertex",
            vec![indexed(
                &[[0.0; 3], [4.0, -1.0, 0.0], [4.0, 1.0, 0.0], [4.0, 0.0, -1.0], [4.0, 0.0, 1.0]],
                &[[0, 1, 2], [0, 3, 4]],
            )],
            1,
        ),
        exhibit(
            "meeting in a vertex only",
            vec![indexed(
                &[[0.0; 3], [4.0, -1.0, 0.0], [4.0, 1.0, 0.0], [-4.0, 0.0, -1.0], [-4.0, 0.0, 1.0]],
                &[[0, 1, 2], [0, 3, 4]],
            )],
            0,
        ),
        exhibit(
            "the same triangle twice",
            vec![indexed(&[[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]], &[[0, 1, 2], [0, 2, 1]])],
            1,
        ),
        exhibit("no triangles", vec![indexed(&[[0.0; 3]], &[]), plate()], 0),
    ]
}

/// Once only, and out of everybody's way: the small ones at the origin, the large ones beyond 1e30.
fn extremes() -> Vec<(&'static str, [Shape; 2], usize)> {
    let plate = || one([[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [0.0, 3.0, 0.0]]);
    let fin = || one([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]]);
    let huge = |shape: Shape| shape.map(|p| p.map(|c| 1e30 * (c + 8.0)));
    vec![
        ("tiny", [plate().scaled(1e-30), fin().scaled(1e-30)], 1),
        (
            "tiny apart",
            [
                plate().map(|p| p.map(|c| 1e-30 * (c + 8.0))),
                plate().map(|p| p.map(|c| 1e-30 * (c + 8.0))).map(|[x, y, z]| [x, y, z + 1e-44]),
            ],
            0,
        ),
        ("huge", [huge(plate()), huge(fin())], 1),
    ]
}
