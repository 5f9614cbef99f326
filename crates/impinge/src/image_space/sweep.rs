//! From triangles that may collide to contacts (7): sweep and prune over their rectangles, depths only where rectangles
//! overlap, then the exact test.

use super::separate::Rectangle;
use super::view::View;
use crate::mesh::Point;
use crate::narrow_phase::{neighbours_touch, triangles_touch};
use crate::report::{Contact, Element};
use crate::threads;
use crate::tolerance::{SCREEN_SLACK, UNIT_ROUNDOFF};
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

/// Every contact between triangles whose rectangles and depths overlap.
pub fn sweep(view: &View, triangles: &[Tested]) -> Swept {
    let slack = SCREEN_SLACK * view.width.max(view.height) as f32;
    // Swept along the side on which rectangles are the shorter part of the image.
    let part = |axis: usize, pixels: u32| -> f64 {
        triangles
            .iter()
            .map(|t| f64::from(t.rectangle[axis + 2] - t.rectangle[axis]) / f64::from(pixels))
            .sum()
    };
    let along = usize::from(part(0, view.width) > part(1, view.height));
    let across = 1 - along;
    let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
    order.sort_unstable_by(|&p, &q| {
        let key = |k: u32| triangles[k as usize].rectangle[along];
        key(p).total_cmp(&key(q)).then(p.cmp(&q))
    });
    let starts: Vec<f32> = order.iter().map(|&k| triangles[k as usize].rectangle[along]).collect();

    let from = |i: usize| {
        let mut swept = Partial::default();
        let a = &triangles[order[i] as usize];
        let end = a.rectangle[along + 2] + slack;
        let mut depth_a = None;
        for (&j, _) in order[i + 1..].iter().zip(&starts[i + 1..]).take_while(|&(_, &start)| start <= end) {
            let b = &triangles[j as usize];
            let overlap = a.rectangle[across] <= b.rectangle[across + 2] + slack
                && b.rectangle[across] <= a.rectangle[across + 2] + slack;
            let same_body = a.element.body == b.element.body;
            if !overlap || (same_body && !a.self_collision) {
                continue;
            }
            let depth_a = *depth_a.get_or_insert_with(|| depths(view, a));
            let depth_b = depths(view, b);
            if depth_a[0] > depth_b[1] || depth_b[0] > depth_a[1] {
                continue;
            }
            swept.tests += 1;
            swept.involved.extend([order[i], j]);
            let [a, b] = if a.element < b.element { [a, b] } else { [b, a] };
            let touch = if same_body {
                neighbours_touch([a.corners, b.corners], [a.vertices, b.vertices])
            } else {
                triangles_touch(&a.corners, &b.corners)
            };
            if touch {
                swept.contacts.push(Contact { a: a.element, b: b.element });
            }
        }
        swept
    };
    let whole = if threads::many() {
        let parts = (0..order.len()).into_par_iter().with_min_len(64).map(from);
        parts.reduce(Partial::default, Partial::with)
    } else {
        (0..order.len()).map(from).fold(Partial::default(), Partial::with)
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
