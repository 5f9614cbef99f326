//! From bodies to one list of vertices in image coordinates and one list of triangles over them.
//!
//! Vertex 0 is [`NOBODY`]'s. Triangles of a body begin at a multiple of 32, so that a word of 32 flags belongs to one
//! body; what lies between is filled with [`NO_TRIANGLE`], which has that vertex three times.

use super::ScreenVertex;
use super::view::View;
use crate::scene::{Body, BodyId, Element, ExternalBody, Scene};

/// A vertex of no body, outside every image.
pub const NOBODY: ScreenVertex = ScreenVertex { x: -1.0, y: -1.0, depth: 0.0, body: u32::MAX };

/// Vertices of a triangle that is not there.
pub const NO_TRIANGLE: [u32; 3] = [0; 3];

/// Where the vertices and triangles of one body are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The body.
    pub id: BodyId,
    /// Its first vertex.
    pub first_vertex: u32,
    /// How many it has.
    pub vertices: u32,
    /// Its first triangle, a multiple of 32.
    pub first_triangle: u32,
    /// How many it has.
    pub triangles: u32,
    /// Whether its surface bounds a solid, every triangle seen from outside turning left: then facing tells collisions
    /// (4); else distance does (8.2).
    pub closed: bool,
    /// Whether its pose is a mirror, which turns every face around.
    pub mirrored: bool,
    /// Whether it may collide with anything in this frame.
    pub active: bool,
}

/// Numbers vertices and triangles of all bodies, one after the other. Bodies held elsewhere come last, so that what is known of
/// them alone is in one piece too. Which are closed and active is for the caller to say. `None` when a `u32` cannot number them.
pub fn members(scene: &Scene, external: &[ExternalBody]) -> Option<Vec<Member>> {
    let other = |id: BodyId| external.iter().find(|body| body.id == id);
    let (theirs, ours): (Vec<_>, Vec<_>) = scene.bodies().partition(|(id, _)| other(*id).is_some());
    let (mut vertex, mut triangle) = (1u64, 0u64);
    let place = |(id, body): (BodyId, &Body)| {
        let vertices = other(id).map_or(body.mesh().positions().len(), |other| other.vertices);
        let triangles = other(id).map_or(body.mesh().triangles().len(), |other| other.triangles);
        let member = Member {
            id,
            first_vertex: u32::try_from(vertex).ok()?,
            vertices: u32::try_from(vertices).ok()?,
            first_triangle: u32::try_from(triangle).ok()?,
            triangles: u32::try_from(triangles).ok()?,
            closed: false,
            mirrored: body.pose().is_mirror(),
            active: false,
        };
        vertex += vertices as u64;
        triangle += (triangles as u64).next_multiple_of(32);
        (vertex < u64::from(u32::MAX) && triangle < u64::from(u32::MAX)).then_some(member)
    };
    ours.into_iter().chain(theirs).map(place).collect()
}

/// How many vertices and triangles (with those that are not there) the members have.
pub fn totals(members: &[Member]) -> [u32; 2] {
    members.last().map_or([1, 0], |last| {
        [last.first_vertex + last.vertices, (last.first_triangle + last.triangles).next_multiple_of(32)]
    })
}

/// Which member a triangle belongs to.
pub fn owner(members: &[Member], triangle: u32) -> usize {
    members.partition_point(|member| member.first_triangle <= triangle).saturating_sub(1)
}

/// The body of a triangle numbered among all, and its number there.
pub fn element(members: &[Member], triangle: u32) -> Option<Element> {
    let member = members.get(owner(members, triangle))?;
    Some(Element { body: member.id, triangle: triangle.checked_sub(member.first_triangle)? })
}

/// Vertices of all active members as a view shows them, and their triangles.
pub fn gather(scene: &Scene, members: &[Member], view: &View) -> (Vec<ScreenVertex>, Vec<[u32; 3]>) {
    let [vertex_count, triangle_count] = totals(members);
    let mut vertices = Vec::with_capacity(vertex_count as usize);
    let mut triangles = Vec::with_capacity(triangle_count as usize);
    for (index, member) in members.iter().enumerate() {
        vertices.resize(member.first_vertex as usize, NOBODY);
        triangles.resize(member.first_triangle as usize, NO_TRIANGLE);
        let Some(body) = scene.body(member.id).filter(|_| member.active) else { continue };
        vertices.extend((0..member.vertices as usize).map(|vertex| {
            let [x, y, depth] = view.project(body.world_position(vertex)).map(|c| c as f32);
            ScreenVertex { x, y, depth, body: index as u32 }
        }));
        let global = |corners: &[u32; 3]| corners.map(|vertex| vertex + member.first_vertex);
        triangles.extend(body.mesh().triangles().iter().map(global));
    }
    vertices.resize(vertex_count as usize, NOBODY);
    triangles.resize(triangle_count as usize, NO_TRIANGLE);
    (vertices, triangles)
}
