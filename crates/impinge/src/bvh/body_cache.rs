//! What is kept of one body between frames: patches, their tree, active state.

use super::block_boxes::BlockBoxes;
use super::boxes::{CentredBox, NodeBox};
use super::cut::Patches;
use super::order;
use super::placement::unit;
use super::placement::{Coordinates, Placement, world_box};
use super::rebuild::{MAX_LOOSE_FRAMES, MAX_LOOSENESS_RATIO, Rebuild, looseness};
use super::refit::{BoxFrame, refit};
use super::relative::{Inverse, Placed};
use super::stars::Stars;
use super::transform::MAX_UNIT;
use crate::scene::Bounds;
use crate::scene::Pose;
use crate::scene::{Body, Version};
use crate::scene::{Point, Positions};
use crate::simd::Machine;
use crate::util::tolerance::{TINY, UNIT_ROUNDOFF};

/// Bodies of up to this many triangles get patches of all of them in their first frame.
const MAX_UNFILTERED_TRIANGLES: usize = 8192;

/// Whether the body had these triangles in the previous frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BodyAge {
    #[default]
    Unseen,
    /// New this frame: patches of all triangles would not pay yet.
    New,
    Known,
}

/// Which triangles are in patches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PatchCoverage {
    #[default]
    None,
    /// Those that the voxel filter left this frame.
    Partial,
    All,
}

/// What is kept of one body.
#[derive(Debug, Default)]
pub(crate) struct BodyCache {
    topology: Option<Version>,
    positions: Option<Version>,
    pose: Option<Version>,
    pub(crate) age: BodyAge,
    coverage: PatchCoverage,
    pub(crate) patches: Patches,
    leaves: Vec<NodeBox>,
    pub(crate) nodes: Vec<NodeBox>,
    /// The boxes of `nodes` by centre and half extents, for comparisons between frames of reference; empty until
    /// needed.
    pub(crate) centred: Vec<CentredBox>,
    /// Empty until needed; only for bodies that keep their shape.
    block_boxes: BlockBoxes,
    /// Yes/no queries: traversals of its tree since its boxes last changed.
    traversals: u32,
    /// Its boxes changed since the previous frame.
    deforms: bool,
    /// [`looseness`] of its boxes now, and when the patches were cut.
    looseness: [f32; 2],
    /// Consecutive frames in which the boxes were too loose.
    loose_for: u32,
    pub(crate) stars: Option<Stars>,
    /// Active patches read in the previous frame are still valid.
    pub(crate) keeps_active: bool,
    coordinates: Coordinates,
    /// Inverse of the pose: boxes are in the body's frame. `None`: they are in the world's.
    inverse: Option<Inverse>,
    /// Upper bounds on the absolute coordinates in the body's frame and in the world's.
    body_bound: f64,
    world_bound: f64,
    /// A power of two that takes body coordinates to at most 1/16.
    body_unit: f64,
}

impl BodyCache {
    pub(crate) fn is_current(&self, body: &Body) -> bool {
        self.coverage != PatchCoverage::Partial
            && self.age == BodyAge::Known
            && self.topology == Some(body.topology_version())
            && self.positions == Some(body.positions_version())
            && self.pose == Some(body.pose_version())
    }

    /// Whether to filter triangles by voxels in the frame in which the body is new. Small bodies and those with
    /// self-collision need all their triangles; a body with a pose is expected to keep them.
    pub(crate) fn may_filter_triangles(&self, body: &Body) -> bool {
        let floats = matches!(body.mesh().positions(), Positions::F32(_));
        let large = body.mesh().triangles().len() > MAX_UNFILTERED_TRIANGLES;
        large && floats && self.is_unposed() && !body.self_collision()
    }

    /// Expected in the next frame, too: it was in the previous one, or has a pose.
    pub(crate) fn is_persistent(&self) -> bool {
        self.age == BodyAge::Known || !self.is_unposed()
    }

    /// Computes the boxes by centre and half extents, unless they are current.
    pub(crate) fn ensure_centred_boxes(&mut self) {
        if self.centred.is_empty() {
            self.centred.extend(self.nodes.iter().map(CentredBox::from));
        }
    }

    /// Whether block boxes are missing, and expected to last for more than one frame.
    pub(crate) fn may_build_block_boxes(&self) -> bool {
        self.block_boxes.is_empty() && self.coverage == PatchCoverage::All && !self.deforms
    }

    /// Counts a traversal for a yes/no query.
    pub(crate) fn count_traversal(&mut self) -> u32 {
        self.traversals = self.traversals.saturating_add(1);
        self.traversals
    }

    pub(crate) fn build_block_boxes(&mut self, body: &Body, machine: Machine) {
        let frame = self.box_frame(body);
        self.block_boxes.build(&self.patches, body.mesh().positions(), frame, machine, &self.leaves);
    }

    /// The block boxes, if there are any.
    pub(crate) fn block_boxes(&self) -> Option<&BlockBoxes> {
        (!self.block_boxes.is_empty()).then_some(&self.block_boxes)
    }

    /// The frame of reference of the boxes.
    fn box_frame<'a>(&self, body: &'a Body) -> BoxFrame<'a> {
        if self.inverse.is_none() { BoxFrame::World(body.pose()) } else { BoxFrame::Body }
    }

    /// Whether patches must be cut: of all triangles, or of those the voxel filter leaves.
    pub(crate) fn lacks_patches(&self, all: bool) -> bool {
        self.topology.is_some()
            && (self.coverage == PatchCoverage::None || (all && self.coverage != PatchCoverage::All))
    }

    /// The pose is the identity.
    pub(crate) fn is_unposed(&self) -> bool {
        self.coordinates == Coordinates::Unposed
    }

    /// Boxes are in world coordinates.
    pub(crate) fn is_in_world(&self) -> bool {
        self.is_unposed() || self.inverse.is_none()
    }

    /// Compares versions with the body's, and refits the boxes if it moved.
    pub(crate) fn follow(&mut self, body: &Body, machine: Machine) {
        let was = (self.coverage, self.is_in_world(), self.positions);
        let same_topology = self.topology == Some(body.topology_version());
        self.age = if same_topology { BodyAge::Known } else { BodyAge::New };
        if !same_topology || self.coverage == PatchCoverage::Partial {
            self.coverage = PatchCoverage::None;
            self.stars = None;
        }
        let had_inverse = self.inverse.is_some();
        let same_pose = self.pose == Some(body.pose_version());
        let same_positions = self.positions == Some(body.positions_version());
        if !(same_pose && same_positions) {
            // Parts on one lattice lie flush on each other: their coordinates are compared as they are.
            self.coordinates = Coordinates::of(body);
            let exact = self.coordinates == Coordinates::Floats;
            self.inverse = if exact { None } else { Inverse::new(body.pose()) };
        }
        let has_inverse = self.inverse.is_some();
        let moved = !same_positions || had_inverse != has_inverse || (!same_pose && !has_inverse);
        if self.body_unit == 0.0 || self.positions != Some(body.positions_version()) {
            self.body_bound = body.mesh().magnitude();
            self.body_unit = unit(self.body_bound);
        }
        self.deforms = same_topology && moved;
        self.world_bound = body.world_magnitude();
        self.topology = Some(body.topology_version());
        self.positions = Some(body.positions_version());
        self.pose = Some(body.pose_version());
        // In the body's frame, boxes do not change with the pose.
        let in_world = self.is_in_world();
        self.keeps_active = same_topology
            && was == (PatchCoverage::All, in_world, self.positions)
            && (same_pose || !in_world);
        if moved && self.coverage == PatchCoverage::All {
            self.refit(body, machine);
        }
    }

    /// Cuts the triangles, or those listed, into patches.
    pub(crate) fn build(&mut self, body: &Body, listed: Option<&[u32]>, machine: Machine) {
        let mut centres = Vec::new();
        order::centres(body.mesh(), listed, &mut centres);
        order::order(&mut centres, machine);
        self.patches.cut(&centres, body.mesh().triangles(), body.mesh().positions().len());
        self.stars = None;
        self.coverage = if listed.is_some() { PatchCoverage::Partial } else { PatchCoverage::All };
        self.refit(body, machine);
        (self.looseness[1], self.loose_for) = (self.looseness[0], 0);
    }

    /// Whether the patches should be cut again.
    pub(crate) fn needs_rebuild(&self) -> bool {
        self.coverage == PatchCoverage::All && self.loose_for > MAX_LOOSE_FRAMES
    }

    /// Takes over rebuilt patches of the same triangles.
    pub(crate) fn adopt(&mut self, rebuild: &mut Rebuild, body: &Body, machine: Machine) {
        rebuild.swap(&mut self.patches);
        if let Some(stars) = &mut self.stars {
            stars.reassign(body.mesh().positions().len(), &self.patches);
        }
        self.refit(body, machine);
        (self.looseness[1], self.loose_for) = (self.looseness[0], 0);
    }

    /// Cuts all triangles into patches, and builds vertex stars for self-collision.
    pub(crate) fn build_all(&mut self, body: &Body, machine: Machine) {
        if self.coverage != PatchCoverage::All {
            self.build(body, None, machine);
        }
        if body.self_collision() && self.stars.is_none() {
            let mesh = body.mesh();
            self.stars = Some(Stars::build(mesh.triangles(), mesh.positions().len(), &self.patches));
        }
    }

    fn refit(&mut self, body: &Body, machine: Machine) {
        let frame = self.box_frame(body);
        let Self { patches, leaves, nodes, .. } = self;
        refit(patches, body.mesh().positions(), frame, machine, leaves, nodes);
        self.centred.clear();
        self.block_boxes.clear();
        self.traversals = 0;
        self.looseness[0] = nodes.first().map_or(0.0, |root| looseness(leaves, root));
        let loose = self.looseness[0] > MAX_LOOSENESS_RATIO * self.looseness[1];
        self.loose_for = if loose { self.loose_for.saturating_add(1) } else { 0 };
    }

    pub(crate) fn placed<'a>(&'a self, body: &'a Body, identity: &'a (Pose, Inverse)) -> Placed<'a> {
        match &self.inverse {
            Some(inverse) if !self.is_unposed() => Placed {
                pose: body.pose(),
                inverse,
                body_bound: self.body_bound,
                world_bound: self.world_bound,
            },
            _ => Placed {
                pose: &identity.0,
                inverse: &identity.1,
                body_bound: self.world_bound,
                world_bound: self.world_bound,
            },
        }
    }

    /// The unit of its active patches.
    pub(crate) fn patch_unit(&self, world_unit: f64) -> f64 {
        if self.is_in_world() { world_unit } else { self.body_unit }
    }

    /// How its active patches are read.
    pub(crate) fn placement<'a>(&self, body: &'a Body, world_unit: f64) -> Placement<'a> {
        let in_body_frame = !self.is_in_world();
        Placement { body, coordinates: self.coordinates, in_body_frame, unit: self.patch_unit(world_unit) }
    }

    /// The centre of a patch's box, in the frame of the boxes; not finite where it exceeds floats.
    pub(crate) fn middle(&self, patch: u32) -> Point {
        let NodeBox { min, max } = self.leaves[patch as usize];
        [0, 1, 2].map(|i| 0.5 * f64::from(min[i]) + 0.5 * f64::from(max[i]))
    }

    /// Self-collision in the body's frame: bound on the error of two corners relative to their rounded world positions,
    /// in units of the patches.
    pub(crate) fn patch_slack(&self) -> f32 {
        match &self.inverse {
            Some(_) if !self.is_unposed() && self.body_unit > MAX_UNIT => f32::INFINITY,
            Some(inverse) if !self.is_unposed() => {
                (2.0 * inverse.slack(2.0 * self.world_bound) * self.body_unit) as f32 + TINY
            }
            _ => 0.0,
        }
    }

    /// World coordinates, at a unit of the body's own.
    pub(crate) fn world_placement<'a>(&self, body: &'a Body) -> Placement<'a> {
        let unit = unit(self.world_bound);
        Placement { body, coordinates: self.coordinates, in_body_frame: false, unit }
    }

    /// Bound on the distance, in the body's frame, of two points whose rounded world positions are equal.
    pub(crate) fn rounding_slack(&self) -> f32 {
        let slack = self.inverse.as_ref().map_or(0.0, |inverse| inverse.slack(2.0 * self.world_bound));
        (slack * 1.0001) as f32 + 2.0 * f32::EPSILON * self.body_bound as f32
    }

    /// A world bounding box; possibly slightly larger than the exact one.
    pub(crate) fn world_box(&self, body: &Body) -> Bounds {
        if self.coverage != PatchCoverage::All {
            return world_box(body, self.is_unposed());
        }
        let Some(root) = self.nodes.first() else { return Bounds::EMPTY };
        let axes = [0, 1, 2];
        let (min, max) = (axes.map(|i| f64::from(root.min[i])), axes.map(|i| f64::from(root.max[i])));
        if self.is_in_world() {
            return Bounds { min, max };
        }
        let centre = body.pose().apply(axes.map(|i| 0.5 * min[i] + 0.5 * max[i]));
        let slack = 64.0 * UNIT_ROUNDOFF * self.world_bound;
        let reach = axes.map(|r| {
            let row = &body.pose().rows()[r];
            axes.map(|c| row[c].abs() * (0.5 * max[c] - 0.5 * min[c])).iter().sum::<f64>() + slack
        });
        let bounds =
            Bounds { min: axes.map(|i| centre[i] - reach[i]), max: axes.map(|i| centre[i] + reach[i]) };
        // An infinite box has no image. Of boxes below the normal floats the rounding outward exceeds the box.
        let finite = bounds.min.iter().chain(&bounds.max).all(|x| x.is_finite());
        let large = self.body_bound >= f64::from(f32::MIN_POSITIVE);
        if finite && large { bounds } else { world_box(body, self.is_unposed()) }
    }
}
