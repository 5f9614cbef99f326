//! Collision rays.

mod options;
pub mod pack;
pub mod peel;
pub mod ray_mipmap;
mod rays;
pub mod separate;
pub mod sweep;

pub use options::{AtLimit, PeelOptions, Sides};
pub use rays::Rays;
pub use sweep::Tested;

use crate::image::gather::{self, Member};
use crate::scene::{Element, Scene};
use pack::PackedTriangle;

/// What the exact test asks about a packed triangle of a body in the scene.
pub fn tested(scene: &Scene, members: &[Member], packed: &PackedTriangle) -> Option<Tested> {
    let member = members.get(gather::owner(members, packed.triangle))?;
    let triangle = packed.triangle - member.first_triangle;
    let body = scene.body(member.id)?;
    Some(Tested {
        element: Element { body: member.id, triangle },
        rectangle: packed.rectangle,
        corners: body.world_corners(triangle as usize),
        vertices: body.mesh().triangles()[triangle as usize],
        self_collision: body.self_collision(),
    })
}
