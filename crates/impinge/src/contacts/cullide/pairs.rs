//! From what is left of bodies to pairs of parts and of triangles whose boxes overlap, and the exact test (4).

use super::culler::Item;
use super::options::CullideOptions;
use crate::broad_phase::BodyPair;
use crate::exact::Contact;
use crate::exact::triangles_touch;
use crate::scene::Bounds;
use crate::scene::Element;
use crate::scene::Point;
use crate::scene::{BodyId, Scene};
use crate::util::threads;
use rayon::prelude::*;

/// What is left.
#[derive(Clone, Debug, Default)]
pub struct Left {
    /// Contacts, sorted.
    pub contacts: Vec<Contact>,
    /// See [`super::Culled`].
    pub body_pairs: Vec<[BodyId; 2]>,
    /// See [`super::Culled`].
    pub sub_body_pairs: usize,
    /// See [`super::Culled`].
    pub triangle_pairs: usize,
    /// See [`super::Culled`].
    pub triangles: Vec<[Element; 2]>,
    /// Exact tests made.
    pub tests: usize,
}

impl Left {
    fn with(mut self, mut other: Self) -> Self {
        self.contacts.append(&mut other.contacts);
        self.body_pairs.append(&mut other.body_pairs);
        self.sub_body_pairs += other.sub_body_pairs;
        self.triangle_pairs += other.triangle_pairs;
        self.triangles.append(&mut other.triangles);
        self.tests += other.tests;
        self
    }
}

/// A triangle, its corners and its box.
#[derive(Clone, Copy, Debug)]
struct Piece {
    triangle: u32,
    corners: [Point; 3],
    bounds: Bounds,
}

/// Whether two boxes are no farther apart than this on any axis. A difference of doubles is rounded, but never past a double.
fn within(a: &Bounds, b: &Bounds, apart: f64) -> bool {
    (0..3).all(|k| a.min[k] - b.max[k] <= apart && b.min[k] - a.max[k] <= apart)
}

/// Everything that is left between the parts of some pairs of bodies. Parts are sorted by body.
pub fn left(scene: &Scene, pairs: &[BodyPair], items: &[Item], options: &CullideOptions) -> Left {
    let of_pair = |pair: &BodyPair| between(scene, *pair, items, options);
    let left = if threads::many() {
        pairs.par_iter().map(of_pair).collect::<Vec<Left>>()
    } else {
        pairs.iter().map(of_pair).collect()
    };
    left.into_iter().fold(Left::default(), Left::with)
}

fn between(scene: &Scene, pair: BodyPair, items: &[Item], options: &CullideOptions) -> Left {
    let mut left = Left::default();
    let apart = options.apart();
    let (Some(a), Some(b)) = (scene.at(pair.a as usize), scene.at(pair.b as usize)) else { return left };
    let of = |id: BodyId| {
        let first = items.partition_point(|item| item.id < id);
        &items[first..items.partition_point(|item| item.id <= id)]
    };
    let [parts_a, parts_b] = [of(a.0), of(b.0)];
    let whole = |parts: &[Item]| parts.iter().fold(Bounds::EMPTY, |all, item| all.union(item.bounds));
    let near = |parts: &[Item], other: &Bounds| -> Vec<(Item, Vec<Piece>)> {
        let near = parts.iter().filter(|item| within(&item.bounds, other, apart));
        near.map(|item| (item.clone(), Vec::new())).collect()
    };
    let (whole_a, whole_b) = (whole(parts_a), whole(parts_b));
    let (mut parts_a, mut parts_b) = (near(parts_a, &whole_b), near(parts_b, &whole_a));
    parts_b.sort_by(|(p, _), (q, _)| p.bounds.min[0].total_cmp(&q.bounds.min[0]));
    // No part reaches farther along the first axis than the widest.
    let widest = parts_b.iter().map(|(part, _)| part.bounds.max[0] - part.bounds.min[0]).fold(0.0, f64::max);
    let pieces = |(part, pieces): &mut (Item, Vec<Piece>)| {
        let body = if part.id == a.0 { a.1 } else { b.1 };
        if pieces.is_empty() {
            pieces.extend(part.numbers().map(|triangle| {
                let corners = body.world_corners(triangle as usize);
                Piece { triangle, corners, bounds: Bounds::of(corners) }
            }));
        }
    };
    for p in &mut parts_a {
        let from = p.0.bounds.min[0] - apart - widest;
        // Rounding may move the border, so a little before it.
        let from = from - from.abs() * f64::EPSILON - widest * f64::EPSILON;
        let first = parts_b.partition_point(|(q, _)| q.bounds.min[0] < from);
        let end = p.0.bounds.max[0];
        for q in parts_b[first..].iter_mut().take_while(|(q, _)| q.bounds.min[0] - end <= apart) {
            if !within(&p.0.bounds, &q.0.bounds, apart) {
                continue;
            }
            left.sub_body_pairs += 1;
            pieces(p);
            pieces(q);
            test([a.0, b.0], [p, q], options, &mut left);
        }
    }
    if left.sub_body_pairs > 0 {
        left.body_pairs.push([a.0, b.0]);
    }
    left.contacts.sort_unstable_by_key(|contact| (contact.a.triangle, contact.b.triangle));
    left.triangles.sort_unstable();
    left
}

/// Triangles of two parts.
fn test(ids: [BodyId; 2], [p, q]: [&(Item, Vec<Piece>); 2], options: &CullideOptions, left: &mut Left) {
    let apart = options.apart();
    for i in p.1.iter().filter(|i| within(&i.bounds, &q.0.bounds, apart)) {
        for j in q.1.iter().filter(|j| within(&i.bounds, &j.bounds, apart)) {
            let element = |k: usize, triangle: u32| Element { body: ids[k], triangle };
            let (a, b) = (element(0, i.triangle), element(1, j.triangle));
            left.triangle_pairs += 1;
            if options.list_triangles {
                left.triangles.push([a, b]);
            }
            if apart == 0.0 || i.bounds.overlaps(&j.bounds) {
                left.tests += 1;
                if triangles_touch(&i.corners, &j.corners) {
                    left.contacts.push(Contact { a, b });
                }
            }
        }
    }
}
