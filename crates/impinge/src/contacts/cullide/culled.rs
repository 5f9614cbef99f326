//! What is left after culling, and what it took.

use crate::scene::BodyId;
use crate::scene::Element;
use std::time::Duration;

/// What [`crate::Method::Cullide`] has left: everything that may collide, or be nearer than the distance asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Culled {
    /// The potentially colliding set: bodies that no view showed apart from all others, sorted.
    pub bodies: Vec<BodyId>,
    /// Pairs of bodies with parts that may collide, sorted.
    pub body_pairs: Vec<[BodyId; 2]>,
    /// Parts of bodies that may collide.
    pub sub_bodies: usize,
    /// Pairs of parts, of two bodies, whose boxes overlap or are within the distance.
    pub sub_body_pairs: usize,
    /// Pairs of triangles in these whose boxes do.
    pub triangle_pairs: usize,
    /// The pairs of triangles, sorted as contacts are, if they were asked for.
    pub triangles: Vec<[Element; 2]>,
    /// Bodies that look at themselves ([`crate::Scene::set_self_collision`]): the method asks about two bodies only, so nothing
    /// is said about these with themselves.
    pub not_looked_at: Vec<BodyId>,
    /// What was drawn, and how long it took.
    pub stages: CullideStages,
}

/// What was drawn, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CullideStages {
    /// Most pixels across and down.
    pub resolution: [u32; 2],
    /// Pairs of bodies whose boxes overlap or are within the distance: what boxes alone leave.
    pub box_pairs: usize,
    /// Pairs of those boxes between bodies of the potentially colliding set, before their parts are looked at.
    pub first_pairs: usize,
    /// Images looked at.
    pub looks: usize,
    /// Renderings of everything in an image.
    pub passes: usize,
    /// Questions asked: bodies and parts, in every pass.
    pub queries: usize,
    /// Bytes read back from a GPU.
    pub bytes_read_back: usize,
    /// Drawing and asking. From a GPU, with reading it back.
    pub draw: Duration,
    /// Boxes of triangles and the exact test.
    pub exact: Duration,
}
