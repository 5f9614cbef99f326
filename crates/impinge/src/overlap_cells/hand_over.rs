//! The triangles of two bodies in the collision volume, and the exact test between them (3.4, 5).

use super::volume::{Volume, along};
use crate::exact::{Contact, WorldTriangle};
use crate::scene::{Body, BodyId, Bounds, Element, Point, Pose};
use crate::util::tolerance::BOX_SLACK;

/// What the exact test found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandedOver {
    /// Contacts, sorted.
    pub contacts: Vec<Contact>,
    /// Triangles that reach into the volume.
    pub triangles: usize,
    /// Exact tests made.
    pub tests: usize,
}

/// A triangle, its corners and its box.
struct Piece {
    triangle: WorldTriangle,
    bounds: Bounds,
}

/// Triangles whose boxes, along the axes of the volume, reach into it. A volume that holds every point that two bodies share
/// meets both triangles of every contact.
fn pieces((id, body, pose): (BodyId, &Body, &Pose), volume: &Volume) -> Vec<Piece> {
    let reaches_into = |corners: &[Point; 3]| {
        (0..3).all(|k| {
            let at = corners.map(|p| along(volume.axes[k], p));
            let low = at.into_iter().fold(f64::INFINITY, f64::min);
            let high = at.into_iter().fold(f64::NEG_INFINITY, f64::max);
            low <= volume.high[k] && volume.low[k] <= high
        })
    };
    (0..body.mesh().triangles().len())
        .map(|triangle| (triangle, body.mesh().corners(triangle).map(|p| pose.apply(p))))
        .filter(|(_, corners)| reaches_into(corners))
        .map(|(triangle, corners)| {
            let element = Element { body: id, triangle: triangle as u32 };
            let triangle = WorldTriangle { element, vertices: body.mesh().triangles()[triangle], corners };
            Piece { triangle, bounds: Bounds::of(corners) }
        })
        .collect()
}

/// All contacts of two bodies in a volume; or one, when that is enough.
pub fn contacts(bodies: [(BodyId, &Body, &Pose); 2], volume: &Volume, one: bool) -> HandedOver {
    // Coordinates along turned axes have errors of their own.
    let largest =
        bodies.map(|(_, body, pose)| pose.magnitude(body.mesh().magnitude())).into_iter().fold(0.0, f64::max);
    let volume = volume.grown([BOX_SLACK * largest; 3]);
    let mut sides = bodies.map(|body| pieces(body, &volume));
    let mut found = HandedOver { triangles: sides[0].len() + sides[1].len(), ..HandedOver::default() };
    let size = volume.bounds();
    let longest =
        (0..3).fold(0, |k, i| if size.max[i] - size.min[i] > size.max[k] - size.min[k] { i } else { k });
    for side in &mut sides {
        side.sort_unstable_by(|p, q| p.bounds.min[longest].total_cmp(&q.bounds.min[longest]));
    }
    for (p, q) in meeting(&sides, longest) {
        found.tests += 1;
        if p.triangle.touches(&q.triangle) {
            found.contacts.push(Contact { a: p.triangle.element, b: q.triangle.element });
            if one {
                break;
            }
        }
    }
    found.contacts.sort_unstable_by_key(|contact| (contact.a.triangle, contact.b.triangle));
    found
}

/// Pairs whose boxes meet, each once, from two lists sorted by where boxes begin along an axis.
fn meeting(sides: &[Vec<Piece>; 2], axis: usize) -> impl Iterator<Item = (&Piece, &Piece)> {
    let [first, second] = sides;
    let from = move |p: &Piece| p.bounds.min[axis];
    // Of two that meet, one begins within the other; of two that begin together, the second counts as later.
    let later = first.iter().flat_map(move |p| {
        let start = second.partition_point(|q| from(q) < from(p));
        second[start..].iter().take_while(move |q| from(q) <= p.bounds.max[axis]).map(move |q| (p, q))
    });
    let earlier = second.iter().flat_map(move |q| {
        let start = first.partition_point(|p| from(p) <= from(q));
        first[start..].iter().take_while(move |p| from(p) <= q.bounds.max[axis]).map(move |p| (p, q))
    });
    later.chain(earlier).filter(|(p, q)| p.bounds.overlaps(&q.bounds))
}
