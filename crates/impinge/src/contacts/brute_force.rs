//! Every triangle against every other: slow, and obviously complete. The oracle of every other culler.

use super::candidates::Candidates;
use crate::broad_phase::BodyPair;
use crate::scene::{Body, Scene};

/// Every pair of bodies, and every body that looks at itself; no boxes asked.
pub(crate) fn body_pairs(scene: &Scene, pairs: &mut Vec<BodyPair>) {
    pairs.clear();
    let slots: Vec<(u32, bool)> =
        scene.bodies().map(|(id, body)| (id.index() as u32, body.self_collision())).collect();
    for (i, &(a, self_collision)) in slots.iter().enumerate() {
        if self_collision {
            pairs.push(BodyPair { a, b: a });
        }
        pairs.extend(slots[i + 1..].iter().map(|&(b, _)| BodyPair { a, b }));
    }
    pairs.sort_unstable();
}

/// Every pair of triangles, a chunk of the first body's at a time so that memory stays bounded.
pub(crate) fn for_each_chunk(bodies: BodyPair, a: &Body, b: &Body, mut visit: impl FnMut(&Candidates)) {
    const PAIRS_PER_CHUNK: usize = 1 << 20;
    let (count_a, count_b) = (a.mesh().triangles().len() as u32, b.mesh().triangles().len() as u32);
    let mut chunk = Candidates { bodies, unsorted_triangles: Vec::new() };
    for i in 0..count_a {
        let first = if bodies.a == bodies.b { i + 1 } else { 0 };
        chunk.unsorted_triangles.extend((first..count_b).map(|j| [i, j]));
        if chunk.unsorted_triangles.len() >= PAIRS_PER_CHUNK || i + 1 == count_a {
            visit(&chunk);
            chunk.unsorted_triangles.clear();
        }
    }
}
