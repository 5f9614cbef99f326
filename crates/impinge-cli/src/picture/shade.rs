//! Light on the samples: one lamp with a soft shadow, the sky, and the darkness of corners; then contacts on top.

use super::raster::{NOBODY, Samples, edge, span};
use super::vector::{V, add, cross, dot, scale, sub, unit};
use super::view::{View, focal};
use super::{Body, Coat, HEIGHT, SUPERSAMPLING, WIDTH};
use rayon::prelude::*;

/// Calm colours for bodies, sRGB; none is near the colour of a contact.
pub(crate) const BODIES: [[u8; 3]; 8] = [
    [0x5b, 0x8f, 0xd0],
    [0xe0, 0xb4, 0x62],
    [0x74, 0xb0, 0x83],
    [0xa5, 0x86, 0xc6],
    [0x4f, 0xad, 0xb5],
    [0xc3, 0xbf, 0xb4],
    [0x93, 0xa4, 0x52],
    [0x7d, 0x8b, 0xa8],
];
pub(crate) const CONTACT: [u8; 3] = [0xf5, 0x1d, 0x48];
const SKY: [[u8; 3]; 2] = [[0xfb, 0xfc, 0xfd], [0xe2, 0xe7, 0xee]];

/// How much of a contact shows through what hides it.
const HIDDEN: f32 = 0.4;

/// Toward the lamp.
const LAMP: V = [-0.45, 0.85, 0.50];

/// Samples a side of the lamp's picture, and how far a shadow's edge spreads in it.
const SHADOW_SIZE: usize = 1536;
const SHADOW_SOFTNESS: i32 = 5;

/// A surface this far from the lamp's nearest is in its own light still (normalised scene).
const SHADOW_BIAS: f32 = 0.012;

/// How far a surface darkens the corners around it (normalised scene), and in how many places one looks.
const CORNER_REACH: f32 = 0.16;
const CORNER_LOOKS: i32 = 14;

/// What the lamp sees: for each of its samples the height, toward it, of the nearest surface.
pub(super) struct Shadow {
    axes: [V; 3],
    height: Vec<f32>,
}

impl Shadow {
    pub(super) fn new(bodies: &[Body]) -> Self {
        let lamp = unit(LAMP);
        let right = unit(cross([0.0, 1.0, 0.0], lamp));
        let mut shadow = Self {
            axes: [right, cross(lamp, right), lamp],
            height: vec![f32::NEG_INFINITY; SHADOW_SIZE * SHADOW_SIZE],
        };
        for body in bodies.iter().filter(|body| body.coat == Coat::Solid) {
            let seen: Vec<V> = body.positions.iter().map(|&p| shadow.place(p)).collect();
            for triangle in body.triangles {
                shadow.fill(triangle.map(|vertex| seen[vertex as usize]));
            }
        }
        shadow
    }

    fn lamp(&self) -> V {
        self.axes[2]
    }

    /// The scene lies within the square root of three of its centre.
    fn place(&self, q: V) -> V {
        let half = SHADOW_SIZE as f32 / 2.0;
        let [x, y, z] = self.axes.map(|axis| dot(axis, q));
        [half + x * half / 1.8, half + y * half / 1.8, z]
    }

    fn fill(&mut self, [a, b, c]: [V; 3]) {
        let area = edge(a, b, c[0], c[1]);
        if !area.is_normal() {
            return;
        }
        let columns = span([a, b, c].iter().map(|p| p[0]), 0.0, SHADOW_SIZE);
        for y in span([a, b, c].iter().map(|p| p[1]), 0.0, SHADOW_SIZE) {
            for x in columns.clone() {
                let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
                let w = [edge(b, c, px, py), edge(c, a, px, py), edge(a, b, px, py)].map(|e| e / area);
                if w.iter().all(|&weight| weight >= 0.0) {
                    let height = &mut self.height[y * SHADOW_SIZE + x];
                    *height = height.max(w[0] * a[2] + w[1] * b[2] + w[2] * c[2]);
                }
            }
        }
    }

    /// Part of the lamp that reaches a point, 0 to 1.
    fn light(&self, q: V, turn: f32) -> f32 {
        let [x, y, z] = self.place(q);
        let mut lit = 0.0;
        for look in 0..LOOKS {
            let (s, c) = (turn + look as f32 * GOLDEN_ANGLE).sin_cos();
            let radius = SHADOW_SOFTNESS as f32 * ((look as f32 + 0.5) / LOOKS as f32).sqrt();
            let (px, py) = ((x + c * radius) as i32, (y + s * radius) as i32);
            let inside = (0..SHADOW_SIZE as i32).contains(&px) && (0..SHADOW_SIZE as i32).contains(&py);
            let blocked = inside && self.height[py as usize * SHADOW_SIZE + px as usize] > z + SHADOW_BIAS;
            lit += if blocked { 0.0 } else { 1.0 };
        }
        lit / LOOKS as f32
    }
}

/// Places looked at in the lamp's picture for one sample.
const LOOKS: i32 = 12;

/// Turning by it spreads any number of points evenly over a disc.
const GOLDEN_ANGLE: f32 = 2.399_963;

/// The colour of a body, sRGB, at a point of the normalised scene.
pub(super) type Paint<'a> = dyn Fn(u32, V) -> [u8; 3] + Sync + 'a;

/// Every body in the next of the calm colours.
pub(super) fn calm(body: u32, _: V) -> [u8; 3] {
    BODIES[body as usize % BODIES.len()]
}

/// The finished pixels.
pub(super) fn pixels(samples: &Samples, view: &View, shadow: &Shadow, paint: &Paint) -> Vec<u8> {
    let mut rgb = vec![0; WIDTH * HEIGHT * 3];
    rgb.par_chunks_mut(WIDTH * 3).enumerate().for_each(|(y, row)| {
        for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
            let mut sum = [0.0; 3];
            for dy in 0..SUPERSAMPLING {
                for dx in 0..SUPERSAMPLING {
                    let colour =
                        sample(samples, view, shadow, paint, x * SUPERSAMPLING + dx, y * SUPERSAMPLING + dy);
                    sum = add(sum, colour);
                }
            }
            let mean = scale(sum, 1.0 / (SUPERSAMPLING * SUPERSAMPLING) as f32);
            pixel.copy_from_slice(&mean.map(encode));
        }
    });
    rgb
}

fn sample(samples: &Samples, view: &View, shadow: &Shadow, paint: &Paint, x: usize, y: usize) -> V {
    let at = y * samples.width + x;
    let ray = view.ray(x as f32 + 0.5, y as f32 + 0.5);
    // Another turn for neighbouring samples (interleaved gradient noise): what one misses, the next sees.
    let turn = std::f32::consts::TAU
        * (52.982_92 * (0.067_110_56 * x as f32 + 0.005_837_15 * y as f32).fract()).fract();
    let surface = if samples.body[at] == NOBODY {
        backdrop(view, shadow, ray, y, turn)
    } else {
        let point = add(view.eye_in_scene, scale(ray, 1.0 / samples.nearness[at]));
        let normal = unit(samples.normal[at]);
        let colour = paint(samples.body[at], point).map(decode);
        let lamp = dot(normal, shadow.lamp()).max(0.0);
        let lit =
            if lamp > 0.0 { lamp * shadow.light(add(point, scale(normal, SHADOW_BIAS)), turn) } else { 0.0 };
        let sky = 0.5 + 0.5 * normal[1];
        let corner = openness(samples, view, x, y, point, normal, turn);
        let toward = unit(scale(ray, -1.0));
        let gleam = dot(normal, unit(add(toward, shadow.lamp()))).max(0.0).powi(40) * 0.10 * lit;
        let rim = (1.0 - dot(normal, toward).max(0.0)).powi(3) * 0.10;
        let light = (0.26 + 0.34 * sky) * corner + 0.72 * lit * (0.5 + 0.5 * corner);
        let outline = if on_outline(samples, x, y) { 0.55 } else { 1.0 };
        colour.map(|c| (c * light + gleam + rim * sky) * outline)
    };
    let [open, hidden] = samples.line[at].map(|cover| f32::from(cover) / 255.0);
    let contact = CONTACT.map(decode);
    mix(mix(surface, contact, hidden * HIDDEN), contact, open)
}

/// The sky, and the shadow of the scene on a floor that is otherwise not seen.
fn backdrop(view: &View, shadow: &Shadow, ray: V, y: usize, turn: f32) -> V {
    let height = y as f32 / (HEIGHT * SUPERSAMPLING) as f32;
    let sky = mix(SKY[0].map(decode), SKY[1].map(decode), height);
    let eye = view.eye_in_scene;
    let steps = (view.floor - eye[1]) / ray[1];
    if !(steps > 0.0 && steps.is_finite()) {
        return sky;
    }
    let point = add(eye, scale(ray, steps));
    scale(sky, 1.0 - 0.24 * (1.0 - shadow.light(point, turn)))
}

/// How much of the sky a corner sees, judged from the samples around it.
fn openness(samples: &Samples, view: &View, x: usize, y: usize, point: V, normal: V, turn: f32) -> f32 {
    let reach = CORNER_REACH * samples.nearness[y * samples.width + x] * focal();
    let mut blocked = 0.0;
    for look in 0..CORNER_LOOKS {
        let (s, c) = (turn + look as f32 * GOLDEN_ANGLE).sin_cos();
        let radius = reach * (look as f32 + 0.5) / CORNER_LOOKS as f32;
        // Even steps: glass fills one sample in four, and must only meet its own kind.
        let (px, py) = (x as i32 + 2 * (c * radius / 2.0) as i32, y as i32 + 2 * (s * radius / 2.0) as i32);
        if px < 0 || py < 0 || px as usize >= samples.width || py as usize >= samples.height {
            continue;
        }
        let nearness = samples.nearness[py as usize * samples.width + px as usize];
        if nearness > 0.0 {
            let other =
                add(view.eye_in_scene, scale(view.ray(px as f32 + 0.5, py as f32 + 0.5), 1.0 / nearness));
            let away = sub(other, point);
            let distance = dot(away, away).sqrt();
            let above = dot(away, normal) / distance.max(1e-6);
            blocked += (above - 0.08).max(0.0) / (1.0 + (distance / CORNER_REACH).powi(2));
        }
    }
    (1.0 - 1.9 * blocked / CORNER_LOOKS as f32).clamp(0.15, 1.0)
}

/// Whether another body, or a much farther part of this one, begins next to the sample.
fn on_outline(samples: &Samples, x: usize, y: usize) -> bool {
    let at = y * samples.width + x;
    [(2usize, 0usize), (0, 2)].into_iter().any(|(dx, dy)| {
        let neighbours = [(x + dx, y + dy), (x.wrapping_sub(dx), y.wrapping_sub(dy))];
        neighbours.into_iter().any(|(nx, ny)| {
            if nx >= samples.width || ny >= samples.height {
                return false;
            }
            let other = ny * samples.width + nx;
            // Drawn on the nearer side only, so that a line is one sample wide.
            samples.nearness[other] < samples.nearness[at]
                && (samples.body[other] == NOBODY || samples.nearness[other] < samples.nearness[at] * 0.975)
        })
    })
}

fn mix(a: V, b: V, part: f32) -> V {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part)
}

/// sRGB to linear light.
fn decode(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Linear light to sRGB; a cast saturates, so anything is safe.
fn encode(light: f32) -> u8 {
    let c = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (c * 255.0 + 0.5) as u8
}
