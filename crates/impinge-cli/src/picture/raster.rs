//! Triangles and lines into samples: the nearest surface, its normal and body, and where contacts are.

use super::vector::{V, add, cross, dot, scale, sub, unit};
use super::view::{Projected, View};
use super::{Body, Coat, HEIGHT, SUPERSAMPLING, WIDTH};

/// Corners whose surfaces meet at less than this angle are shaded round, others keep their edge (cosine).
const CREASE: f32 = 0.75;

/// Half the width of a contact's line, and the radius of a contact that is one point, in samples.
const LINE: f32 = 2.8;
const DOT: f32 = 5.0;

/// A line this much behind a surface, relative to the distance, is still on it.
const ON_SURFACE: f32 = 0.004;

/// No body at a sample.
pub(super) const NOBODY: u32 = u32::MAX;

/// What is seen at every sample.
pub(super) struct Samples {
    pub(super) width: usize,
    pub(super) height: usize,
    /// One over the distance along the camera's axis; 0 where nothing is.
    pub(super) nearness: Vec<f32>,
    pub(super) normal: Vec<V>,
    pub(super) body: Vec<u32>,
    /// How much of a contact line covers the sample: in the open, and behind something.
    pub(super) line: Vec<[u8; 2]>,
}

impl Samples {
    /// What is seen of bodies.
    pub(super) fn of(view: &View, bodies: &[Body]) -> Self {
        let (width, height) = (WIDTH * SUPERSAMPLING, HEIGHT * SUPERSAMPLING);
        let count = width * height;
        let (nearness, normal) = (vec![0.0; count], vec![[0.0; 3]; count]);
        let (body, line) = (vec![NOBODY; count], vec![[0; 2]; count]);
        let mut samples = Self { width, height, nearness, normal, body, line };
        for (number, body) in bodies.iter().enumerate() {
            samples.draw(view, body, number as u32);
        }
        samples
    }

    /// Draws one body over what is there.
    fn draw(&mut self, view: &View, body: &Body, number: u32) {
        let seen: Vec<Projected> = body.positions.iter().map(|&p| view.project(p)).collect();
        let eye = view.eye_in_scene;
        let mut vertex_normals = vec![[0.0; 3]; body.positions.len()];
        for triangle in body.triangles {
            let normal = face_normal(body, triangle);
            for &vertex in triangle {
                vertex_normals[vertex as usize] = add(vertex_normals[vertex as usize], normal);
            }
        }
        for triangle in body.triangles {
            let flat = unit(face_normal(body, triangle));
            // A surface seen from behind is lit like one seen from the front.
            let side =
                if dot(flat, sub(eye, body.positions[triangle[0] as usize])) < 0.0 { -1.0 } else { 1.0 };
            let normals = triangle.map(|vertex| {
                let round = unit(vertex_normals[vertex as usize]);
                scale(if dot(round, flat) > CREASE { round } else { flat }, side)
            });
            self.fill(triangle.map(|vertex| seen[vertex as usize]), normals, number, body.coat);
        }
    }

    fn fill(&mut self, [a, b, c]: [Projected; 3], normals: [V; 3], body: u32, coat: Coat) {
        let doubled_area = edge(a, b, c[0], c[1]);
        if !doubled_area.is_normal() {
            return;
        }
        let (columns, rows) = (self.columns(&[a, b, c], 0.0), self.rows(&[a, b, c], 0.0));
        for y in rows {
            for x in columns.clone() {
                let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
                let w =
                    [edge(b, c, px, py), edge(c, a, px, py), edge(a, b, px, py)].map(|e| e / doubled_area);
                if w.iter().any(|&weight| weight < 0.0) || !coat.covers(x, y) {
                    continue;
                }
                let nearness = w[0] * a[2] + w[1] * b[2] + w[2] * c[2];
                let at = y * self.width + x;
                if nearness > self.nearness[at] {
                    self.nearness[at] = nearness;
                    self.body[at] = body;
                    self.normal[at] = std::array::from_fn(|i| (0..3).map(|k| w[k] * normals[k][i]).sum());
                }
            }
        }
    }

    /// Lays the outline of a contact over the bodies: a point, a segment or a polygon.
    pub(super) fn trace(&mut self, view: &View, points: &[V]) {
        let seen: Vec<Projected> = points.iter().map(|&p| view.project(p)).collect();
        match seen[..] {
            [] => {}
            [p] => self.capsule(p, p, DOT),
            [a, b] => self.capsule(a, b, LINE),
            _ => (0..seen.len()).for_each(|i| self.capsule(seen[i], seen[(i + 1) % seen.len()], LINE)),
        }
    }

    fn capsule(&mut self, a: Projected, b: Projected, radius: f32) {
        let (columns, rows) = (self.columns(&[a, b], radius + 1.0), self.rows(&[a, b], radius + 1.0));
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length_squared = dx * dx + dy * dy;
        for y in rows {
            for x in columns.clone() {
                let (px, py) = (x as f32 + 0.5 - a[0], y as f32 + 0.5 - a[1]);
                let along = if length_squared > 0.0 {
                    ((px * dx + py * dy) / length_squared).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                let distance = (px - along * dx).hypot(py - along * dy);
                let cover = ((radius + 0.5 - distance).clamp(0.0, 1.0) * 255.0) as u8;
                let at = y * self.width + x;
                let nearness = a[2] + along * (b[2] - a[2]);
                let behind = usize::from(nearness * (1.0 + ON_SURFACE) < self.nearness[at]);
                let stored = &mut self.line[at][behind];
                *stored = cover.max(*stored);
            }
        }
    }

    fn columns(&self, points: &[Projected], margin: f32) -> std::ops::Range<usize> {
        span(points.iter().map(|p| p[0]), margin, self.width)
    }

    fn rows(&self, points: &[Projected], margin: f32) -> std::ops::Range<usize> {
        span(points.iter().map(|p| p[1]), margin, self.height)
    }
}

/// The samples between the smallest and the largest coordinate. A float cast saturates, so any value is safe.
pub(super) fn span(
    values: impl Iterator<Item = f32> + Clone,
    margin: f32,
    end: usize,
) -> std::ops::Range<usize> {
    let low = values.clone().fold(f32::INFINITY, f32::min) - margin;
    let high = values.fold(f32::NEG_INFINITY, f32::max) + margin;
    (low.floor() as usize).min(end)..(high.ceil() as usize).min(end)
}

pub(super) fn face_normal(body: &Body, triangle: &[u32; 3]) -> V {
    let [a, b, c] = triangle.map(|vertex| body.positions[vertex as usize]);
    cross(sub(b, a), sub(c, a))
}

/// Twice the signed area of `a`, `b` and the point.
pub(super) fn edge(a: Projected, b: Projected, x: f32, y: f32) -> f32 {
    (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
}
