//! A long wavy body that breaks into hundreds of pieces while another falls on it: what the course's dragon and bunny do, made
//! of numbers.

use crate::rng::Rng;
use crate::shapes::{Shape, bumpy_sphere, torus_knot};
use crate::vector::{Point, add, scale, turned};
use anyhow::Result;
use impinge::Scene;

/// Pieces along the body, and around it.
const CUTS: [usize; 2] = [30, 10];

/// Frames of the fall.
pub(super) const FRAMES: usize = 10;

/// Frame at which the first piece comes off.
const STRIKE: usize = 2;

/// A piece of the body, and how it flies.
struct Piece {
    triangles: Vec<[u32; 3]>,
    middle: Point,
    axis: Point,
    spin: f64,
    /// When it comes off.
    frame: usize,
}

/// The whole of it.
pub(super) struct Breaking {
    shape: Shape,
    pieces: Vec<Piece>,
    falling: Shape,
}

impl Breaking {
    /// Of about so many triangles, and so many of what falls on it.
    pub(super) fn new(triangles: usize, falling: usize) -> Self {
        let mut rng = Rng::new(5);
        let shape = torus_knot(triangles, [2, 3], [1.0, 0.45, 0.17]);
        // The first triangle spans the first two rings.
        let across = shape.triangles[0][2] as usize;
        let around = shape.positions.len() / across;
        let shape = shape.map(|p| {
            let wave = 1.0 + 0.03 * (17.0 * p[0]).sin() * (13.0 * p[1] + 1.0).sin() * (19.0 * p[2]).cos();
            scale(p, wave)
        });
        let mut groups = vec![Vec::new(); CUTS[0] * CUTS[1]];
        for (k, triangle) in shape.triangles.iter().enumerate() {
            let (i, j) = (k / 2 / across, k / 2 % across);
            groups[i * CUTS[0] / around * CUTS[1] + j * CUTS[1] / across].push(*triangle);
        }
        let mut pieces: Vec<Piece> = groups
            .into_iter()
            .map(|triangles| {
                let corners = triangles.iter().flatten().map(|vertex| shape.positions[*vertex as usize]);
                let sum = corners.fold([0.0; 3], add);
                let middle = scale(sum, 1.0 / (3 * triangles.len()).max(1) as f64);
                Piece { triangles, middle, axis: rng.direction(), spin: rng.between(-0.5, 0.5), frame: 0 }
            })
            .collect();
        // What is nearest to where the other falls comes off first.
        let struck = [0.9, 0.0, 0.6];
        let far = |piece: &Piece| (0..3).map(|k| (piece.middle[k] - struck[k]).powi(2)).sum::<f64>();
        pieces.sort_by(|p, q| far(p).total_cmp(&far(q)));
        let count = pieces.len();
        for (k, piece) in pieces.iter_mut().enumerate() {
            // More and more of them.
            let part = (k as f64 / count as f64).sqrt();
            piece.frame = STRIKE + (part * (FRAMES - STRIKE) as f64) as usize;
        }
        Self { shape, pieces, falling: bumpy_sphere(falling, 9).scaled(0.4) }
    }

    /// The scene at a frame: what falls, what still hangs together, and every piece that came off.
    pub(super) fn scene(&self, frame: usize) -> Result<Scene> {
        let mut scene = Scene::new();
        let falls = scene.add("falling", self.falling.clone().mesh_f32());
        let height = 1.5 - 0.3 * frame as f64;
        scene.set_pose(falls, turned([0.3, 1.0, 0.0], 0.2 * frame as f64, [0.9, 0.0, height]))?;
        let (off, on): (Vec<&Piece>, Vec<&Piece>) =
            self.pieces.iter().partition(|piece| piece.frame <= frame);
        let whole: Vec<[u32; 3]> = on.iter().flat_map(|piece| &piece.triangles).copied().collect();
        if !whole.is_empty() {
            scene.add("body", self.part(whole));
        }
        for (k, piece) in off.iter().enumerate() {
            let age = (frame - piece.frame) as f64;
            let id = scene.add(format!("piece {k}"), self.part(piece.triangles.clone()));
            // Turned about its own middle, which flies outward and falls.
            let turn = turned(piece.axis, piece.spin * age, [0.0; 3]);
            let outward = scale(piece.middle, 1.0 + 0.15 * age);
            let fallen = add(outward, [0.0, 0.0, -0.01 * age * age]);
            let moved = add(fallen, turn.apply(scale(piece.middle, -1.0)));
            scene.set_pose(id, turned(piece.axis, piece.spin * age, moved))?;
        }
        Ok(scene)
    }

    /// Some of the triangles, with the vertices they use.
    fn part(&self, triangles: Vec<[u32; 3]>) -> impinge::Mesh {
        let mut numbers = vec![u32::MAX; self.shape.positions.len()];
        let mut part = Shape::default();
        for triangle in triangles {
            let corners = triangle.map(|vertex| {
                let number = &mut numbers[vertex as usize];
                if *number == u32::MAX {
                    *number = part.positions.len() as u32;
                    part.positions.push(self.shape.positions[vertex as usize]);
                }
                *number
            });
            part.triangles.push(corners);
        }
        part.mesh_f32()
    }
}
