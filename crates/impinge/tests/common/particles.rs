//! What the tests of particles share.

#![allow(dead_code, reason = "every test compiles this file and uses its own part")]

use impinge::Mesh;

pub(crate) type Point = [f64; 3];

/// A small generator, the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    pub(crate) fn point(&mut self, size: f64) -> Point {
        std::array::from_fn(|_| self.between(-size, size))
    }
}

/// A closed mesh of a ball of radius 1.
pub(crate) fn ball_mesh(subdivisions: usize) -> Mesh {
    let mut points: Vec<Point> = vec![
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    for _ in 0..subdivisions {
        let mut middles = std::collections::HashMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let mut middle = |i: u32, j: u32| {
                *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                    let (p, q) = (points[i as usize], points[j as usize]);
                    let sum: Point = std::array::from_fn(|k| p[k] + q[k]);
                    let length = sum.iter().map(|c| c * c).sum::<f64>().sqrt();
                    points.push(sum.map(|c| c / length));
                    points.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    Mesh::new(points, triangles).unwrap()
}
