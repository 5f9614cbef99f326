//! From triangles that may collide to contacts (7): sweep and prune over their rectangles, depths only where rectangles
//! overlap, then the exact test.

use super::separate::Rectangle;
use crate::exact::Contact;
use crate::exact::{neighbours_touch, triangles_touch};
use crate::image::view::View;
use crate::scene::Element;
use crate::scene::Point;
use crate::util::threads;
use crate::util::tolerance::{SCREEN_SLACK, UNIT_ROUNDOFF};
use rayon::prelude::*;

/// A triangle that may collide, with all that the exact test asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// The body and the triangle.
    pub element: Element,
    /// Where collision rays may pass it.
    pub rectangle: Rectangle,
    /// World positions of its corners.
    pub corners: [Point; 3],
    /// Its vertices, by number in the body.
    pub vertices: [u32; 3],
    /// Whether its body may collide with itself.
    pub self_collision: bool,
}

/// What the sweep did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Swept {
    /// Contacts, in no order.
    pub unsorted_contacts: Vec<Contact>,
    /// Exact tests made.
    pub tests: usize,
    /// Triangles that took part in one.
    pub involved: usize,
}

/// Bands hold about so many triangles: fewer make more copies of those that reach over several.
const PER_BAND: usize = 64;

/// Triangles in bands across the image, so that a sweep along a band meets only what is level with it.
struct Bands {
    /// Pixels a band is high.
    height: f32,
    /// Where each begins in `order`, and where the last ends.
    first: Vec<u32>,
    /// Triangles band after band, each band sorted along the sweep; those that reach over several are in each.
    order: Vec<u32>,
}

impl Bands {
    /// `sorted` are all triangles along the sweep, `across` is the side of the image that is cut.
    fn new(triangles: &[Tested], sorted: &[u32], across: usize, pixels: u32, slack: f32) -> Self {
        let count = triangles.len().max(1);
        let mean = triangles.iter().map(|t| t.rectangle[across + 2] - t.rectangle[across]).sum::<f32>()
            / count as f32;
        // As high as the triangles are: then each is in two or three.
        let height = (pixels as f32 / count.div_ceil(PER_BAND) as f32).max(mean).max(1.0);
        let mut bands = Self { height, first: Vec::new(), order: Vec::new() };
        let last = bands.of(pixels as f32);
        let mut first = vec![0u32; last + 2];
        let range = |bands: &Self, t: &Tested| {
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

    /// The band at a place across; never decreasing.
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

/// Every contact between triangles whose rectangles and depths overlap. `pixels` is the most that the terms of an image
/// coordinate add up to.
pub fn sweep(view: &View, triangles: &[Tested], pixels: f32) -> Swept {
    let slack = SCREEN_SLACK * pixels;
    // Swept along the side on which rectangles are the shorter part of the image.
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

    let in_band = |band: usize| {
        let mut swept = Partial::default();
        let order = bands.get(band);
        for (i, &k) in order.iter().enumerate() {
            let a = &triangles[k as usize];
            let end = a.rectangle[along + 2] + slack;
            let mut depth_a = None;
            let others = order[i + 1..].iter().map(|&j| (j, &triangles[j as usize]));
            for (j, b) in others.take_while(|(_, b)| b.rectangle[along] <= end) {
                let overlap = a.rectangle[across] <= b.rectangle[across + 2] + slack
                    && b.rectangle[across] <= a.rectangle[across + 2] + slack;
                // Two that meet in several bands are looked at where what they share begins.
                let here = bands.of(a.rectangle[across].max(b.rectangle[across])).min(last) == band;
                let same_body = a.element.body == b.element.body;
                if !overlap || !here || (same_body && !a.self_collision) {
                    continue;
                }
                let depth_a = *depth_a.get_or_insert_with(|| depths(view, a));
                let depth_b = depths(view, b);
                if depth_a[0] > depth_b[1] || depth_b[0] > depth_a[1] {
                    continue;
                }
                swept.test([k, j], [a, b], same_body);
            }
        }
        swept
    };
    let whole = if threads::many() {
        (0..bands.len()).into_par_iter().map(in_band).reduce(Partial::default, Partial::with)
    } else {
        (0..bands.len()).map(in_band).fold(Partial::default(), Partial::with)
    };
    let mut involved = vec![false; triangles.len()];
    for k in whole.involved {
        involved[k as usize] = true;
    }
    Swept {
        unsorted_contacts: whole.contacts,
        tests: whole.tests,
        involved: involved.into_iter().filter(|&yes| yes).count(),
    }
}

#[derive(Default)]
struct Partial {
    contacts: Vec<Contact>,
    tests: usize,
    involved: Vec<u32>,
}

impl Partial {
    /// The exact test of two triangles.
    fn test(&mut self, numbers: [u32; 2], [a, b]: [&Tested; 2], same_body: bool) {
        self.tests += 1;
        self.involved.extend(numbers);
        let [a, b] = if a.element < b.element { [a, b] } else { [b, a] };
        let touch = if same_body {
            neighbours_touch([a.corners, b.corners], [a.vertices, b.vertices])
        } else {
            triangles_touch(&a.corners, &b.corners)
        };
        if touch {
            self.contacts.push(Contact { a: a.element, b: b.element });
        }
    }

    fn with(mut self, mut other: Self) -> Self {
        if self.involved.len() < other.involved.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.contacts.append(&mut other.contacts);
        self.tests += other.tests;
        self.involved.append(&mut other.involved);
        self
    }
}

/// Interval of a triangle along the rays, rounded outward.
fn depths(view: &View, triangle: &Tested) -> [f64; 2] {
    let d = view.direction;
    let mut interval = [f64::INFINITY, f64::NEG_INFINITY];
    for p in triangle.corners {
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
    use crate::{Bounds, Mesh, Scene};

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
            Tested {
                element: Element { body: bodies[k as usize % 2], triangle: k },
                rectangle: [low(0), low(1), high(0), high(1)],
                corners,
                vertices: [3 * k, 3 * k + 1, 3 * k + 2],
                self_collision: k.is_multiple_of(2),
            }
        };
        let list: Vec<Tested> = (0..600).map(triangle).collect();
        let swept = sweep(&view, &list, 200.0);
        let mut expected = Vec::new();
        for (i, a) in list.iter().enumerate() {
            for b in &list[i + 1..] {
                let same = a.element.body == b.element.body;
                if triangles_touch(&a.corners, &b.corners) && (!same || a.self_collision) {
                    let [a, b] = if a.element < b.element { [a, b] } else { [b, a] };
                    expected.push(Contact { a: a.element, b: b.element });
                }
            }
        }
        let key = |c: &Contact| (c.a, c.b);
        let mut found = swept.unsorted_contacts;
        found.sort_unstable_by_key(key);
        expected.sort_unstable_by_key(key);
        assert_eq!(found, expected);
        assert!(found.len() > 50 && swept.tests > found.len() && swept.involved < list.len());
    }
}
