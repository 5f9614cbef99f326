//! What the engine keeps of one body between frames.

use super::block_boxes::Finer;
use super::cut::Patches;
use super::order;
use super::placement as place;
use super::placement::Placement;
use super::placement::unit;
use super::rebuild::{DECAYED, PATIENCE, Renewal, looseness};
use super::relative::{Inverse, Placed};
use super::stars::Stars;
use super::transform::LARGEST_UNIT;
use super::tree;
use super::tree::{Middle, NodeBox, Place};
use crate::scene::Bounds;
use crate::scene::Pose;
use crate::scene::{Body, Version};
use crate::scene::{Point, Positions};
use crate::simd::Machine;
use crate::util::tolerance::{TINY, UNIT_ROUNDOFF};

/// Bodies up to this many triangles are put into patches whole at first sight.
const SMALL: usize = 8192;

/// Whether the triangles were there in the frame before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Seen {
    #[default]
    Never,
    /// New this frame: patches of all of them would not pay yet.
    Now,
    Before,
}

/// Which triangles the patches hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Held {
    #[default]
    Nothing,
    /// Those that matter this frame.
    Some,
    All,
}

/// One body as the engine sees it.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    topology: Option<Version>,
    positions: Option<Version>,
    pose: Option<Version>,
    pub(crate) seen: Seen,
    held: Held,
    pub(crate) patches: Patches,
    leaves: Vec<NodeBox>,
    pub(crate) nodes: Vec<NodeBox>,
    /// The same for comparisons between frames, or none yet.
    pub(crate) middles: Vec<Middle>,
    /// Or empty: for bodies that keep their shape.
    finer: Finer,
    /// How often its tree was walked over for one contact since its boxes last changed.
    walked: u32,
    /// Its boxes are others than in the frame before.
    deforms: bool,
    /// How loose the boxes are, and were when the patches were cut.
    looseness: [f32; 2],
    /// Frames since they were last tight enough.
    loose_for: u32,
    pub(crate) stars: Option<Stars>,
    /// Active patches are still right.
    pub(crate) keeps_active: bool,
    /// World and body coordinates are the same.
    pub(crate) identity: bool,
    /// Boxes are in body coordinates and this takes world points back; `None` when they are in world coordinates.
    inverse: Option<Inverse>,
    /// Bounds on the coordinates in the body's frame and in the world's.
    own: f64,
    world: f64,
    /// A power of two that takes its own coordinates to at most 1/16.
    own_unit: f64,
}

impl Kept {
    pub(crate) fn is_current(&self, body: &Body) -> bool {
        self.held != Held::Some
            && self.seen == Seen::Before
            && self.topology == Some(body.topology_version())
            && self.positions == Some(body.positions_version())
            && self.pose == Some(body.pose_version())
    }

    /// Whether putting only what matters into patches may pay, in the frame in which the body is new. What is small,
    /// or looks at itself, needs all of it; and what has a pose will keep its triangles.
    pub(crate) fn is_worth_a_first_look(&self, body: &Body) -> bool {
        let floats = matches!(body.mesh().positions(), Positions::F32(_));
        let large = body.mesh().triangles().len() > SMALL;
        large && floats && self.identity && !body.self_collision()
    }

    /// Expected to be there in the next frame as well: it was in the last one, or has a pose.
    pub(crate) fn will_stay(&self) -> bool {
        self.seen == Seen::Before || !self.identity
    }

    /// Brings the middles up to date.
    pub(crate) fn want_middles(&mut self) {
        if self.middles.is_empty() {
            self.middles.extend(self.nodes.iter().map(Middle::from));
        }
    }

    /// Whether finer boxes may serve in more frames than this one, and are not there.
    pub(crate) fn lacks_finer(&self) -> bool {
        self.finer.is_empty() && self.held == Held::All && !self.deforms
    }

    /// Counts walks over its tree.
    pub(crate) fn was_walked(&mut self) -> u32 {
        self.walked = self.walked.saturating_add(1);
        self.walked
    }

    pub(crate) fn make_finer(&mut self, body: &Body, machine: Machine) {
        let place = self.boxes_in(body);
        self.finer.make(&self.patches, body.mesh().positions(), place, machine, &self.leaves);
    }

    /// The finer boxes, if there are any.
    pub(crate) fn finer(&self) -> Option<&Finer> {
        (!self.finer.is_empty()).then_some(&self.finer)
    }

    /// Where boxes are taken.
    fn boxes_in<'a>(&self, body: &'a Body) -> Place<'a> {
        if self.inverse.is_none() { Place::World(body.pose()) } else { Place::Body }
    }

    /// Whether patches must be made, of all triangles or at least of those that matter.
    pub(crate) fn wants_patches(&self, all: bool) -> bool {
        self.topology.is_some() && (self.held == Held::Nothing || (all && self.held != Held::All))
    }

    /// Boxes are in the world's coordinates.
    pub(crate) fn is_in_world(&self) -> bool {
        self.identity || self.inverse.is_none()
    }

    /// Takes note of what changed and refits the boxes.
    pub(crate) fn follow(&mut self, body: &Body, machine: Machine) {
        let was = (self.held, self.is_in_world(), self.positions);
        let same_topology = self.topology == Some(body.topology_version());
        self.seen = if same_topology { Seen::Before } else { Seen::Now };
        if !same_topology || self.held == Held::Some {
            self.held = Held::Nothing;
            self.stars = None;
        }
        let had_inverse = self.inverse.is_some();
        let same_pose = self.pose == Some(body.pose_version());
        if !same_pose {
            self.identity = *body.pose() == Pose::IDENTITY;
            self.inverse = Inverse::new(body.pose());
        }
        let moved = self.positions != Some(body.positions_version())
            || (!same_pose && (self.inverse.is_none() || !had_inverse));
        if self.own_unit == 0.0 || self.positions != Some(body.positions_version()) {
            self.own = body.mesh().magnitude();
            self.own_unit = unit(self.own);
        }
        self.deforms = same_topology && moved;
        self.world = body.world_magnitude();
        self.topology = Some(body.topology_version());
        self.positions = Some(body.positions_version());
        self.pose = Some(body.pose_version());
        // In its own frame a body does not move with its pose.
        let in_world = self.is_in_world();
        self.keeps_active =
            same_topology && was == (Held::All, in_world, self.positions) && (same_pose || !in_world);
        if moved && self.held == Held::All {
            self.refit(body, machine);
        }
    }

    /// Puts the triangles, or those listed, into patches.
    pub(crate) fn build(&mut self, body: &Body, listed: Option<&[u32]>, machine: Machine) {
        let mut centres = Vec::new();
        order::centres(body.mesh(), listed, &mut centres);
        order::order(&mut centres, machine);
        self.patches.cut(&centres, body.mesh().triangles(), body.mesh().positions().len());
        self.stars = None;
        self.held = if listed.is_some() { Held::Some } else { Held::All };
        self.refit(body, machine);
        (self.looseness[1], self.loose_for) = (self.looseness[0], 0);
    }

    /// Whether the patches should be cut anew.
    pub(crate) fn has_decayed(&self) -> bool {
        self.held == Held::All && self.loose_for > PATIENCE
    }

    /// Takes new patches of the same triangles.
    pub(crate) fn adopt(&mut self, renewal: &mut Renewal, body: &Body, machine: Machine) {
        renewal.swap(&mut self.patches);
        if let Some(stars) = &mut self.stars {
            stars.renew(body.mesh().positions().len(), &self.patches);
        }
        self.refit(body, machine);
        (self.looseness[1], self.loose_for) = (self.looseness[0], 0);
    }

    /// Puts all triangles into patches, and makes stars of them if the body looks at itself.
    pub(crate) fn build_all(&mut self, body: &Body, machine: Machine) {
        if self.held != Held::All {
            self.build(body, None, machine);
        }
        if body.self_collision() && self.stars.is_none() {
            let mesh = body.mesh();
            self.stars = Some(Stars::build(mesh.triangles(), mesh.positions().len(), &self.patches));
        }
    }

    fn refit(&mut self, body: &Body, machine: Machine) {
        let place = self.boxes_in(body);
        let Self { patches, leaves, nodes, .. } = self;
        tree::refit(patches, body.mesh().positions(), place, machine, leaves, nodes);
        self.middles.clear();
        self.finer.clear();
        self.walked = 0;
        self.looseness[0] = nodes.first().map_or(0.0, |root| looseness(leaves, root));
        let loose = self.looseness[0] > DECAYED * self.looseness[1];
        self.loose_for = if loose { self.loose_for.saturating_add(1) } else { 0 };
    }

    pub(crate) fn placed<'a>(&'a self, body: &'a Body, identity: &'a (Pose, Inverse)) -> Placed<'a> {
        match &self.inverse {
            Some(inverse) if !self.identity => {
                Placed { pose: body.pose(), inverse, own: self.own, world: self.world }
            }
            _ => Placed { pose: &identity.0, inverse: &identity.1, own: self.world, world: self.world },
        }
    }

    /// The scale of its patches: their own, or the world's.
    pub(crate) fn patch_unit(&self, world: f64) -> f64 {
        if self.is_in_world() { world } else { self.own_unit }
    }

    /// The body as its patches are read.
    pub(crate) fn at<'a>(&self, body: &'a Body, world: f64) -> Placement<'a> {
        let own = !self.is_in_world();
        Placement { body, identity: self.identity, own, unit: self.patch_unit(world) }
    }

    /// The middle of a patch, in the frame its coordinates are read in; not finite where floats do not reach.
    pub(crate) fn middle(&self, patch: u32) -> Point {
        let NodeBox { min, max } = self.leaves[patch as usize];
        [0, 1, 2].map(|i| 0.5 * f64::from(min[i]) + 0.5 * f64::from(max[i]))
    }

    /// How far two corners of active patches of this body may be off because the truth is in the world.
    pub(crate) fn patch_slack(&self) -> f32 {
        match &self.inverse {
            Some(_) if !self.identity && self.own_unit > LARGEST_UNIT => f32::INFINITY,
            Some(inverse) if !self.identity => {
                (2.0 * inverse.slack(2.0 * self.world) * self.own_unit) as f32 + TINY
            }
            _ => 0.0,
        }
    }

    /// The body by itself, at a scale of its own.
    pub(crate) fn alone<'a>(&self, body: &'a Body) -> Placement<'a> {
        Placement { body, identity: self.identity, own: false, unit: unit(self.world) }
    }

    /// How far two points of the body that meet in the world, after rounding, may be apart in its own frame.
    pub(crate) fn rounding_in_body(&self) -> f32 {
        let slack = self.inverse.as_ref().map_or(0.0, |inverse| inverse.slack(2.0 * self.world));
        (slack * 1.0001) as f32 + 2.0 * f32::EPSILON * self.own as f32
    }

    /// A box around the body in the world, perhaps a little too large.
    pub(crate) fn world_box(&self, body: &Body) -> Bounds {
        if self.held != Held::All {
            return place::world_box(body, self.identity);
        }
        let Some(root) = self.nodes.first() else { return Bounds::EMPTY };
        let axes = [0, 1, 2];
        let (min, max) = (axes.map(|i| f64::from(root.min[i])), axes.map(|i| f64::from(root.max[i])));
        if self.is_in_world() {
            return Bounds { min, max };
        }
        let centre = body.pose().apply(axes.map(|i| 0.5 * min[i] + 0.5 * max[i]));
        let slack = 64.0 * UNIT_ROUNDOFF * self.world;
        let reach = axes.map(|r| {
            let row = &body.pose().rows()[r];
            axes.map(|c| row[c].abs() * (0.5 * max[c] - 0.5 * min[c])).iter().sum::<f64>() + slack
        });
        let bounds =
            Bounds { min: axes.map(|i| centre[i] - reach[i]), max: axes.map(|i| centre[i] + reach[i]) };
        // Boxes beyond the floats are infinite, and an infinite box has no image; boxes of what is smaller than the
        // floats are much too large, and so are the roundings of their images.
        let finite = bounds.min.iter().chain(&bounds.max).all(|x| x.is_finite());
        let large = self.own >= f64::from(f32::MIN_POSITIVE);
        if finite && large { bounds } else { place::world_box(body, self.identity) }
    }
}
