//! From candidates to contacts, exactly; the points a contact shares; closed bodies inside one another.

mod contact;
pub(crate) mod coplanar;
mod neighbours;
pub(crate) mod predicates;
pub(crate) mod shape;
pub(crate) mod triangle_pair;

pub use contact::Contact;
pub use neighbours::neighbours_touch;
pub use shape::{ContactShape, contact_shape};
pub use triangle_pair::triangles_touch;

use crate::broad_phase::BodyPair;
use crate::contacts::Candidates;
use crate::scene::Element;
use crate::scene::{Body, BodyId};
use crate::util::threads;
use rayon::prelude::*;

/// Candidates per task: a few hundred microseconds of work.
const CHUNK: usize = 512;

/// Whether triangle `i` of `a` and triangle `j` of `b` are in contact; `a` and `b` may be one body.
pub(crate) fn is_contact(a: &Body, i: u32, b: &Body, j: u32, same_body: bool) -> bool {
    let corners = [a.world_corners(i as usize), b.world_corners(j as usize)];
    if same_body {
        neighbours_touch(corners, [a.mesh().triangles()[i as usize], b.mesh().triangles()[j as usize]])
    } else {
        triangles_touch(&corners[0], &corners[1])
    }
}

/// Appends the contacts among the candidates of one body pair, sorted.
pub(crate) fn append_contacts(
    candidates: &Candidates,
    [a, b]: [(BodyId, &Body); 2],
    contacts: &mut Vec<Contact>,
) {
    let BodyPair { a: slot_a, b: slot_b } = candidates.bodies;
    let same_body = slot_a == slot_b;
    let touches = |&[i, j]: &[u32; 2]| is_contact(a.1, i, b.1, j, same_body);
    let pairs = &candidates.unsorted_triangles;
    let mut touching: Vec<[u32; 2]> = if threads::many() {
        pairs.par_chunks(CHUNK).flat_map_iter(|chunk| chunk.iter().copied().filter(touches)).collect()
    } else {
        pairs.iter().copied().filter(touches).collect()
    };
    touching.sort_unstable();
    contacts.extend(touching.into_iter().map(|[i, j]| Contact {
        a: Element { body: a.0, triangle: i },
        b: Element { body: b.0, triangle: j },
    }));
}
