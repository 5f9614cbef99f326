//! From pairs of bodies to views: which bodies are looked at, from where, and where their triangles are numbered.

use super::gather::{self, Member};
use super::groups::Group;
use super::options::Looking;
use super::view::View;
use crate::broad_phase::{BroadPhase, Frame, FrameBodies};
use crate::scene::vector::cross;
use crate::scene::{Body, BodyBoxes, BodyId, Bounds, Point, Scene, Version};

/// One view, and what it looks at.
#[derive(Clone, Debug)]
pub struct ViewTask {
    /// The view.
    pub view: View,
    /// Every body of the scene, in the order of their ids, but for those held elsewhere, which come last. Those are active
    /// that are looked at.
    pub members: Vec<Member>,
    /// From where to where boxes of bodies overlap along the rays.
    pub depths: [f64; 2],
    /// From where to where every member reaches along the rays: a ray that goes to any other depth leaves it as often as it
    /// enters it. Everywhere, for one that is not closed, or that only somebody else says is.
    pub ranges: Vec<[f32; 2]>,
    /// For every member, what its box has in common with those of others, or all of it when it may collide with itself.
    pub common: Vec<Bounds>,
    /// Most pixels that any of them is from the corner of the image.
    pub farthest_pixel: f64,
}

/// Chooses views; remembers which bodies are closed while their triangles stay.
#[derive(Clone, Debug, Default)]
pub struct ViewPlanner {
    closed: Vec<(Option<Version>, bool)>,
}

impl ViewPlanner {
    /// The views of a frame: none when no boxes overlap, several where groups of bodies are far apart. `None` when there are more
    /// vertices or triangles than a `u32` can number.
    pub fn plan(&mut self, frame: &Frame<'_>, looking: &Looking) -> Option<Vec<ViewTask>> {
        let (scene, boxes) = (frame.scene, frame.boxes);
        let members = self.members(frame)?;
        let mut shared = vec![Bounds::EMPTY; boxes.len()];
        for pair in frame.pairs {
            let [a, b] = [pair.a, pair.b].map(|slot| slot as usize);
            let common = boxes[a].common(&boxes[b]);
            (shared[a], shared[b]) = (shared[a].union(common), shared[b].union(common));
        }
        let common: Vec<Bounds> = members.iter().map(|member| shared[member.id.index()]).collect();
        let mut tasks = Vec::new();
        for group in Group::of(frame.pairs, boxes) {
            let is_here = |id: BodyId| group.slots.binary_search(&id.index()).is_ok();
            let held: Vec<&Body> = scene
                .bodies()
                .filter(|(id, _)| is_here(*id) && frame.external(*id).is_none())
                .map(|(_, body)| body)
                .collect();
            let group_boxes: Vec<Bounds> = group.slots.iter().map(|&slot| boxes[slot]).collect();
            for view in View::choose(looking, &group.regions, &group_boxes, area(&held)) {
                let active = |member: &Member| Member { active: is_here(member.id), ..*member };
                let depths = view.depths(&group.regions);
                let known = |member: &Member| member.closed && frame.external(member.id).is_none();
                let range = |member: &Member| {
                    let everywhere = [f32::MIN, f32::MAX];
                    if known(member) { view.range(&boxes[member.id.index()]) } else { everywhere }
                };
                let far = group_boxes.iter().map(|bounds| view.farthest_pixel(bounds)).fold(0.0, f64::max);
                let farthest_pixel = far.max(f64::from(view.width.max(view.height)));
                let ranges = members.iter().map(range).collect();
                let members = members.iter().map(active).collect();
                let common = common.clone();
                tasks.push(ViewTask { view, members, depths, ranges, common, farthest_pixel });
            }
        }
        Some(tasks)
    }

    /// Where vertices and triangles of all bodies go, and which bodies are closed and oriented.
    fn members(&mut self, frame: &Frame<'_>) -> Option<Vec<Member>> {
        let mut members = gather::members(frame.scene, frame.external)?;
        self.closed.resize(frame.scene.slots(), (None, false));
        for member in &mut members {
            if let Some(other) = frame.external(member.id) {
                member.closed = other.closed;
                continue;
            }
            let Some(body) = frame.scene.body(member.id) else { continue };
            let (version, closed) = &mut self.closed[member.id.index()];
            if *version != Some(body.topology_version()) {
                *version = Some(body.topology_version());
                let edges = body.mesh().topology();
                *closed = edges.is_closed() && edges.is_oriented();
            }
            member.closed = *closed;
        }
        Some(members)
    }
}

/// The views of one scene by itself, with nothing kept.
pub fn plan_views(scene: &Scene, looking: &Looking) -> Option<Vec<ViewTask>> {
    let (mut bodies, mut broad_phase) = (FrameBodies::default(), BroadPhase::default());
    BodyBoxes::default().update(scene, &[], &mut bodies.boxes);
    ViewPlanner::default().plan(&broad_phase.frame(scene, &bodies, 0.0), looking)
}

/// Area of some triangles of the bodies as seen along each axis, in no particular unit.
fn area(bodies: &[&Body]) -> [f64; 3] {
    const LOOKED_AT: usize = 4096;
    let count: usize = bodies.iter().map(|body| body.mesh().triangles().len()).sum();
    let largest = bodies.iter().fold(f64::MIN_POSITIVE, |most, body| most.max(body.world_magnitude()));
    let every = count.div_ceil(LOOKED_AT).max(1);
    let mut area = [0.0; 3];
    for body in bodies {
        for triangle in (0..body.mesh().triangles().len()).step_by(every) {
            let [a, b, c] = body.world_corners(triangle).map(|p| p.map(|c| c / largest));
            let [u, v]: [Point; 2] = [b, c].map(|p| std::array::from_fn(|k| p[k] - a[k]));
            let normal = cross(u, v);
            area = std::array::from_fn(|k| area[k] + normal[k].abs());
        }
    }
    area
}
