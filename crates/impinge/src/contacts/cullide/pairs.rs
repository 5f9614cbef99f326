//! Pairs of parts and of triangles whose boxes overlap, of the bodies left, and the exact test (4).

use super::culled::Culled;
use super::culler::Item;
use super::options::CullideOptions;
use crate::broad_phase::{BodyPair, Frame};
use crate::contacts::sink::{CandidateSink, ThreadSink};
use crate::exact::WorldTriangle;
use crate::scene::{BodyId, Bounds, Element};
use std::sync::{Mutex, PoisonError};

/// What is left of one pair of bodies.
#[derive(Clone, Debug, Default)]
struct Left {
    sub_body_pairs: usize,
    triangle_pairs: usize,
    triangles: Vec<[Element; 2]>,
}

/// A triangle, its corners and its box.
#[derive(Clone, Copy, Debug)]
struct Piece {
    triangle: WorldTriangle,
    bounds: Bounds,
}

/// Whether two boxes are at most `apart` from each other on every axis. A difference of doubles is rounded,
/// but never past a double.
fn within(a: &Bounds, b: &Bounds, apart: f64) -> bool {
    (0..3).all(|k| a.min[k] - b.max[k] <= apart && b.min[k] - a.max[k] <= apart)
}

/// Everything that is left between the parts of some pairs of bodies, and the exact test. Parts are sorted by body.
pub(crate) fn test_left(
    frame: &Frame<'_>,
    pairs: &[BodyPair],
    items: &[Item],
    options: &CullideOptions,
    culled: &mut Culled,
    sink: &mut CandidateSink,
) {
    let triangles: u32 = items.iter().map(Item::count).sum();
    let left: Vec<Mutex<Left>> = pairs.iter().map(|_| Mutex::default()).collect();
    sink.run(pairs.len(), triangles as usize, |number, sink| {
        let of_pair = between(frame, pairs[number], items, options, sink);
        *left[number].lock().unwrap_or_else(PoisonError::into_inner) = of_pair;
    });
    for (pair, left) in pairs.iter().zip(left) {
        let Left { sub_body_pairs, triangle_pairs, mut triangles } =
            left.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ids = [pair.a, pair.b].map(|slot| frame.scene.at(slot as usize).map(|(id, _)| id));
        if let ([Some(a), Some(b)], true) = (ids, sub_body_pairs > 0) {
            culled.body_pairs.push([a, b]);
        }
        culled.sub_body_pairs += sub_body_pairs;
        culled.triangle_pairs += triangle_pairs;
        culled.triangles.append(&mut triangles);
    }
}

fn between(
    frame: &Frame<'_>,
    pair: BodyPair,
    items: &[Item],
    options: &CullideOptions,
    sink: &mut ThreadSink,
) -> Left {
    let scene = frame.scene;
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
    // The largest extent of a part along the first axis.
    let widest = parts_b.iter().map(|(part, _)| part.bounds.max[0] - part.bounds.min[0]).fold(0.0, f64::max);
    let pieces = |(part, pieces): &mut (Item, Vec<Piece>)| {
        let (id, body) = if part.id == a.0 { a } else { b };
        if pieces.is_empty() {
            pieces.extend(part.numbers().map(|triangle| {
                let triangle = WorldTriangle::of_body(id, body, triangle);
                Piece { triangle, bounds: Bounds::of(triangle.corners) }
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
            test(frame, [p, q], options, &mut left, sink);
        }
    }
    left.triangles.sort_unstable();
    left
}

/// Triangles of two parts.
fn test(
    frame: &Frame<'_>,
    [p, q]: [&(Item, Vec<Piece>); 2],
    options: &CullideOptions,
    left: &mut Left,
    sink: &mut ThreadSink,
) {
    let apart = options.apart();
    for i in p.1.iter().filter(|i| within(&i.bounds, &q.0.bounds, apart)) {
        for j in q.1.iter().filter(|j| within(&i.bounds, &j.bounds, apart)) {
            left.triangle_pairs += 1;
            if options.list_triangles {
                left.triangles.push([i.triangle.element, j.triangle.element]);
            }
            if apart == 0.0 || i.bounds.overlaps(&j.bounds) {
                sink.candidates += 1;
                sink.doubtful_elements(frame, &i.triangle, &j.triangle);
            }
        }
    }
}
