//! Contacts among triangles that may collide (7): sweep and prune over their rectangles, depths only where
//! rectangles overlap, then the exact test.

use super::pack::PackedTriangle;
use super::separate::Rectangle;
use crate::broad_phase::Frame;
use crate::contacts::ray_stats::RayStats;
use crate::contacts::sink::CandidateSink;
use crate::exact::WorldTriangle;
use crate::image::View;
use crate::image::gather::{self, Member};
use crate::scene::Scene;
use crate::util::tolerance::{SCREEN_SLACK, UNIT_ROUNDOFF};
use std::sync::atomic::{AtomicBool, Ordering};

/// A triangle that may collide, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedPiece {
    /// The triangle.
    pub triangle: WorldTriangle,
    /// Where collision rays may pass it.
    pub rectangle: Rectangle,
    /// Whether its body may collide with itself.
    pub self_collision: bool,
}

impl PackedPiece {
    /// A packed triangle of a body that the scene holds.
    pub fn of(scene: &Scene, members: &[Member], packed: &PackedTriangle) -> Option<Self> {
        let triangle = WorldTriangle::of(scene, gather::element(members, packed.triangle)?)?;
        let self_collision = scene.body(triangle.element.body)?.self_collision();
        Some(Self { triangle, rectangle: packed.rectangle, self_collision })
    }
}

/// Triangles per band, about: fewer make more copies of those that reach over several.
const PER_BAND: usize = 64;

/// Triangles in bands across the image, so that a sweep along a band only meets triangles level with it.
struct Bands {
    /// Height of a band in pixels.
    height: f32,
    /// Where each begins in `order`, and where the last ends.
    first: Vec<u32>,
    /// Triangles band after band, each band sorted along the sweep; those that reach over several are in
    /// each.
    order: Vec<u32>,
}

impl Bands {
    /// `sorted` are all triangles along the sweep, `across` is the side of the image that is cut.
    fn new(triangles: &[PackedPiece], sorted: &[u32], across: usize, pixels: u32, slack: f32) -> Self {
        let count = triangles.len().max(1);
        let mean = triangles.iter().map(|t| t.rectangle[across + 2] - t.rectangle[across]).sum::<f32>()
            / count as f32;
        // As high as the triangles are: then each is in two or three.
        let height = (pixels as f32 / count.div_ceil(PER_BAND) as f32).max(mean).max(1.0);
        let mut bands = Self { height, first: Vec::new(), order: Vec::new() };
        let last = bands.of(pixels as f32);
        let mut first = vec![0u32; last + 2];
        let range = |bands: &Self, t: &PackedPiece| {
            bands.of(t.rectangle[across]).min(last)..=bands.of(t.rectangle[across + 2] + slack).min(last)
        };
        for t in triangles {
            for band in range(&bands, t) {
                first[band + 1] += 1;
            }
        }
        for band in 0..=last {
            first[band + 1] += first[band];
        }
        let mut next = first.clone();
        bands.order.resize(first[last + 1] as usize, 0);
        for &k in sorted {
            for band in range(&bands, &triangles[k as usize]) {
                bands.order[next[band] as usize] = k;
                next[band] += 1;
            }
        }
        bands.first = first;
        bands
    }

    /// The band at a place across; monotone.
    fn of(&self, y: f32) -> usize {
        (y.max(0.0) / self.height) as usize
    }

    fn len(&self) -> usize {
        self.first.len() - 1
    }

    fn get(&self, band: usize) -> &[u32] {
        &self.order[self.first[band] as usize..self.first[band + 1] as usize]
    }
}

/// Gives every pair of triangles whose rectangles and depths overlap to the sink. `pixels` is the most that the terms of an image
/// coordinate add up to.
pub fn sweep(
    frame: &Frame<'_>,
    view: &View,
    triangles: &[PackedPiece],
    pixels: f32,
    stats: &mut RayStats,
    sink: &mut CandidateSink,
) {
    let slack = SCREEN_SLACK * pixels;
    // Sweeps along the axis on which rectangles are the shorter part of the image.
    let part = |axis: usize, pixels: u32| -> f64 {
        triangles
            .iter()
            .map(|t| f64::from(t.rectangle[axis + 2] - t.rectangle[axis]) / f64::from(pixels))
            .sum()
    };
    let along = usize::from(part(0, view.width) > part(1, view.height));
    let across = 1 - along;
    let mut sorted: Vec<u32> = (0..triangles.len() as u32).collect();
    sorted.sort_unstable_by(|&p, &q| {
        let key = |k: u32| triangles[k as usize].rectangle[along];
        key(p).total_cmp(&key(q)).then(p.cmp(&q))
    });
    let bands = Bands::new(triangles, &sorted, across, [view.width, view.height][across], slack);
    let last = bands.len() - 1;

    let involved: Vec<AtomicBool> = triangles.iter().map(|_| AtomicBool::new(false)).collect();
    let tests = sink.own().candidates;
    sink.run(bands.len(), triangles.len(), |band, sink| {
        let order = bands.get(band);
        for (i, &k) in order.iter().enumerate() {
            let a = &triangles[k as usize];
            let end = a.rectangle[along + 2] + slack;
            let mut depth_a = None;
            let others = order[i + 1..].iter().map(|&j| (j, &triangles[j as usize]));
            for (j, b) in others.take_while(|(_, b)| b.rectangle[along] <= end) {
                let overlap = a.rectangle[across] <= b.rectangle[across + 2] + slack
                    && b.rectangle[across] <= a.rectangle[across + 2] + slack;
                // Two that meet in several bands are tested where their intersection begins.
                let here = bands.of(a.rectangle[across].max(b.rectangle[across])).min(last) == band;
                let same_body = a.triangle.element.body == b.triangle.element.body;
                if !overlap || !here || (same_body && !a.self_collision) {
                    continue;
                }
                let depth_a = *depth_a.get_or_insert_with(|| depths(view, a));
                let depth_b = depths(view, b);
                if depth_a[0] > depth_b[1] || depth_b[0] > depth_a[1] {
                    continue;
                }
                sink.candidates += 1;
                for number in [k, j] {
                    involved[number as usize].store(true, Ordering::Relaxed);
                }
                sink.doubtful_elements(frame, &a.triangle, &b.triangle);
            }
        }
    });
    stats.views += 1;
    stats.read_back += triangles.len();
    stats.involved += involved.into_iter().filter(|yes| yes.load(Ordering::Relaxed)).count();
    stats.tests += sink.own().candidates - tests;
}

/// Interval of a triangle along the rays, rounded outward.
fn depths(view: &View, triangle: &PackedPiece) -> [f64; 2] {
    let d = view.direction;
    let mut interval = [f64::INFINITY, f64::NEG_INFINITY];
    for p in triangle.triangle.corners {
        let p = p.map(|c| c / view.unit);
        let depth = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
        // Three products and two sums: less than 4 roundoffs of their absolute values, and 8 covers the bound's own.
        let slack = 8.0 * UNIT_ROUNDOFF * (p[0].abs() + p[1].abs() + p[2].abs());
        interval = [interval[0].min(depth - slack), interval[1].max(depth + slack)];
    }
    interval
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::{BroadPhase, FrameBodies};
    use crate::exact::Contact;
    use crate::scene::{Element, ExternalBody};
    use crate::util::stages::Stages;
    use crate::{Bounds, Mesh, Query, Scene};

    #[test]
    fn every_pair_that_overlaps_is_tested_once() {
        let mut state = 9u32;
        let mut random = move |below: f64| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            f64::from(state >> 8) / f64::from(1 << 24) * below
        };
        let bounds = Bounds { min: [0.0; 3], max: [100.0; 3] };
        let view = View::new(
            [0.0, 0.0, 1.0],
            [200, 150],
            crate::image::Projection::Orthographic,
            &[bounds],
            &[bounds],
        )
        .unwrap();
        let mut scene = Scene::new();
        let nothing = || Mesh::new(Vec::<[f32; 3]>::new(), Vec::new()).unwrap();
        let bodies = [scene.add("a", nothing()), scene.add("b", nothing())];
        let triangle = |k: u32| {
            // Some reach over the whole image.
            let size = if k.is_multiple_of(50) { 100.0 } else { 8.0 };
            let at = [random(100.0), random(100.0), random(100.0)];
            let corners = [(); 3].map(|()| at.map(|c: f64| (c + random(size)).min(100.0)));
            let p = corners.map(|c| view.project(c).map(|c| c as f32));
            let low = |axis: usize| p[0][axis].min(p[1][axis]).min(p[2][axis]);
            let high = |axis: usize| p[0][axis].max(p[1][axis]).max(p[2][axis]);
            let element = Element { body: bodies[k as usize % 2], triangle: k };
            PackedPiece {
                triangle: WorldTriangle { element, vertices: [3 * k, 3 * k + 1, 3 * k + 2], corners },
                rectangle: [low(0), low(1), high(0), high(1)],
                self_collision: k.is_multiple_of(2),
            }
        };
        let list: Vec<PackedPiece> = (0..600).map(triangle).collect();
        scene.set_self_collision(bodies[0], true).unwrap();
        let external = bodies.map(|id| ExternalBody {
            id,
            vertices: 0,
            triangles: 600,
            bounds,
            local: bounds,
            closed: false,
        });
        let held = FrameBodies { boxes: vec![bounds; 2], external: external.to_vec() };
        let mut broad_phase = BroadPhase::default();
        let frame = broad_phase.frame(&scene, &held, 0.0);
        let (mut sink, mut stats) = (CandidateSink::default(), RayStats::default());
        sink.ask(Query::All, 0);
        sink.begin(&frame);
        sweep(&frame, &view, &list, 200.0, &mut stats, &mut sink);
        let (mut found, mut stages) = (Vec::new(), Stages::default());
        sink.finish(&frame, &mut found, &mut stages);
        let mut expected = Vec::new();
        for (i, a) in list.iter().enumerate() {
            for b in &list[i + 1..] {
                let (p, q) = (a.triangle.element, b.triangle.element);
                if a.triangle.touches(&b.triangle) && (p.body != q.body || a.self_collision) {
                    expected.push(Contact { a: p.min(q), b: p.max(q) });
                }
            }
        }
        let key = |c: &Contact| (c.a.body, c.b.body, c.a.triangle, c.b.triangle);
        expected.sort_unstable_by_key(key);
        assert_eq!(found, expected);
        assert!(found.len() > 50 && stats.tests > found.len() && stats.involved < list.len());
    }
}
