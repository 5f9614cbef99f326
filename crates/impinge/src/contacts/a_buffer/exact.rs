//! From pairs that may collide to contacts: the CPU's part ("Stream reduction", last sentence).

use crate::exact::Contact;
use crate::exact::{neighbours_touch, triangles_touch};
use crate::image::gather::{Member, owner};
use crate::scene::Element;
use crate::scene::Point;
use crate::scene::Scene;
use crate::util::threads;
use rayon::prelude::*;

/// A triangle, with all that the exact test asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The body and the triangle.
    pub element: Element,
    /// World positions of its corners.
    pub corners: [Point; 3],
    /// Its vertices, by number in the body.
    pub vertices: [u32; 3],
}

impl Piece {
    /// A triangle of a body in the scene, by its number among all.
    pub fn of(scene: &Scene, members: &[Member], triangle: u32) -> Option<Self> {
        let member = members.get(owner(members, triangle))?;
        let local = triangle.checked_sub(member.first_triangle)?;
        let body = scene.body(member.id)?;
        let vertices = *body.mesh().triangles().get(local as usize)?;
        let element = Element { body: member.id, triangle: local };
        Some(Self { element, corners: body.world_corners(local as usize), vertices })
    }
}

/// Pairs per task: a few hundred microseconds of work.
const CHUNK: usize = 512;

/// Which of the pairs touch, in their order. `piece` knows every triangle by its number among all.
pub fn contacts(pairs: &[[u32; 2]], piece: &(dyn Fn(u32) -> Option<Piece> + Sync)) -> Vec<Contact> {
    let contact = |pair: &[u32; 2]| {
        let (p, q) = (piece(pair[0])?, piece(pair[1])?);
        let [a, b] = if p.element < q.element { [p, q] } else { [q, p] };
        let touch = if a.element.body == b.element.body {
            neighbours_touch([a.corners, b.corners], [a.vertices, b.vertices])
        } else {
            triangles_touch(&a.corners, &b.corners)
        };
        touch.then_some(Contact { a: a.element, b: b.element })
    };
    if threads::many() {
        pairs.par_chunks(CHUNK).flat_map_iter(|chunk| chunk.iter().filter_map(contact)).collect()
    } else {
        pairs.iter().filter_map(contact).collect()
    }
}
