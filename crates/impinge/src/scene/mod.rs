//! The bodies of a scene, as data. Nothing is prepared here: every change gets a new version, and machinery
//! compares versions to find what it can reuse.

mod body_boxes;
mod bounds;
mod element;
mod external;
mod interop;
mod mesh;
mod pose;
pub(crate) mod topology;
pub(crate) mod vector;

pub use self::body_boxes::BodyBoxes;
pub use self::bounds::Bounds;
pub use self::element::Element;
pub use self::external::ExternalBody;
pub(crate) use self::external::counts;
pub use self::mesh::{Coordinate, Mesh, MeshError, Point, Positions};
pub use self::pose::{Pose, PoseError};
pub use self::topology::{Components, Open, Topology};

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Names one body of one scene. An id whose body was removed stays invalid, even when its slot is used again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId {
    slot: u32,
    generation: u32,
}

impl BodyId {
    /// Of no body.
    pub(crate) const NONE: Self = Self { slot: u32::MAX, generation: u32::MAX };

    /// Position in [`Scene::slots`]; while no body is removed, the number of bodies added before this one.
    #[inline]
    pub fn index(self) -> usize {
        self.slot as usize
    }
}

/// A number that no other content of any scene in this process has had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version(u64);

impl Version {
    fn next() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// One body: a mesh, where it stands, and whether it may collide with itself.
#[derive(Clone, Debug)]
pub struct Body {
    name: String,
    mesh: Mesh,
    pose: Pose,
    self_collision: bool,
    topology_version: Version,
    positions_version: Version,
    pose_version: Version,
}

impl Body {
    /// The name given to [`Scene::add`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The mesh, in body coordinates.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// `world_from_body`.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Whether contacts between triangles of this body are looked for.
    pub fn self_collision(&self) -> bool {
        self.self_collision
    }

    /// World position of one vertex: see [`Pose::apply`] for its definition to the last bit.
    #[inline]
    pub fn world_position(&self, vertex: usize) -> Point {
        self.pose.apply(self.mesh.positions().get(vertex))
    }

    /// World positions of the corners of one triangle.
    #[inline]
    pub fn world_corners(&self, triangle: usize) -> [Point; 3] {
        self.mesh.triangles()[triangle].map(|vertex| self.world_position(vertex as usize))
    }

    /// An upper bound on every world coordinate of the body, and on every intermediate result of its pose.
    pub(crate) fn world_magnitude(&self) -> f64 {
        self.pose.magnitude(self.mesh.magnitude())
    }

    /// Changes when the triangles change.
    pub fn topology_version(&self) -> Version {
        self.topology_version
    }

    /// Changes when the positions, in body coordinates, change.
    pub fn positions_version(&self) -> Version {
        self.positions_version
    }

    /// Changes when the pose changes.
    pub fn pose_version(&self) -> Version {
        self.pose_version
    }

    fn check_reach(&self, mesh: &Mesh, pose: &Pose) -> Result<(), SceneError> {
        let reach = pose.magnitude(mesh.magnitude());
        if reach.is_finite() { Ok(()) } else { Err(SceneError::TooFar { body: self.name.clone() }) }
    }
}

/// What went wrong with a body of the scene.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The id is of a removed body, or of another scene.
    #[error("there is no such body in the scene; it was removed, or the id belongs to another scene")]
    NoSuchBody,
    /// The positions given are not valid.
    #[error("body '{body}': {error}")]
    Mesh {
        /// Name of the body.
        body: String,
        /// What is wrong, and where.
        #[source]
        error: MeshError,
    },
    /// The pose takes the body's coordinates beyond the range of `f64`.
    #[error("body '{body}': its pose takes coordinates beyond the range of f64")]
    TooFar {
        /// Name of the body.
        body: String,
    },
}

#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    body: Option<Body>,
}

/// Bodies that may collide.
///
/// ```
/// use impinge::{Mesh, Pose, Scene};
/// let mut scene = Scene::new();
/// let mesh = Mesh::new(vec![[0.0f64, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]])?;
/// let leaf = scene.add("leaf", mesh);
/// scene.set_pose(leaf, Pose::from_translation([0.0, 0.0, 2.0])?)?;
/// assert_eq!(scene.body(leaf).unwrap().world_position(1), [1.0, 0.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    slots: Vec<Slot>,
    /// Slots without a body.
    free: BTreeSet<u32>,
}

impl Scene {
    /// An empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a body at the identity pose, without self-collision. Names need not be unique.
    pub fn add(&mut self, name: impl Into<String>, mesh: Mesh) -> BodyId {
        let version = Version::next();
        let body = Body {
            name: name.into(),
            mesh,
            pose: Pose::IDENTITY,
            self_collision: false,
            topology_version: version,
            positions_version: version,
            pose_version: version,
        };
        if let Some(slot) = self.free.pop_first() {
            let entry = &mut self.slots[slot as usize];
            entry.body = Some(body);
            return BodyId { slot, generation: entry.generation };
        }
        self.slots.push(Slot { generation: 0, body: Some(body) });
        BodyId { slot: self.slots.len() as u32 - 1, generation: 0 }
    }

    /// Takes a body out of the scene and returns its mesh.
    pub fn remove(&mut self, id: BodyId) -> Result<Mesh, SceneError> {
        let slot = self.slots.get_mut(id.index()).filter(|slot| slot.generation == id.generation);
        let slot = slot.ok_or(SceneError::NoSuchBody)?;
        let body = slot.body.take().ok_or(SceneError::NoSuchBody)?;
        slot.generation += 1;
        self.free.insert(id.slot);
        Ok(body.mesh)
    }

    /// New positions for a deforming body, as many as it has vertices. Nothing changes when this fails.
    pub fn set_positions<T: Coordinate>(
        &mut self,
        id: BodyId,
        positions: &[[T; 3]],
    ) -> Result<(), SceneError> {
        let body = self.body_mut(id)?;
        let magnitude = match body.mesh.check_positions(positions) {
            Ok(magnitude) => magnitude,
            Err(error) => return Err(SceneError::Mesh { body: body.name.clone(), error }),
        };
        if !body.pose.magnitude(magnitude).is_finite() {
            return Err(SceneError::TooFar { body: body.name.clone() });
        }
        body.mesh.store_positions(positions, magnitude);
        body.positions_version = Version::next();
        Ok(())
    }

    /// A new place for a rigid body.
    pub fn set_pose(&mut self, id: BodyId, world_from_body: Pose) -> Result<(), SceneError> {
        let body = self.body_mut(id)?;
        body.check_reach(&body.mesh, &world_from_body)?;
        if body.pose != world_from_body {
            body.pose = world_from_body;
            body.pose_version = Version::next();
        }
        Ok(())
    }

    /// Other triangles for a body that breaks or grows; name, pose and self-collision stay.
    pub fn set_mesh(&mut self, id: BodyId, mesh: Mesh) -> Result<(), SceneError> {
        let body = self.body_mut(id)?;
        body.check_reach(&mesh, &body.pose)?;
        body.mesh = mesh;
        body.topology_version = Version::next();
        body.positions_version = body.topology_version;
        Ok(())
    }

    /// Whether to look for contacts between triangles of this body.
    pub fn set_self_collision(&mut self, id: BodyId, on: bool) -> Result<(), SceneError> {
        self.body_mut(id)?.self_collision = on;
        Ok(())
    }

    /// A body, if the id is still valid.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.slots.get(id.index()).filter(|slot| slot.generation == id.generation)?.body.as_ref()
    }

    /// All bodies, in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.slots.iter().enumerate().filter_map(|(slot, entry)| {
            let id = BodyId { slot: slot as u32, generation: entry.generation };
            entry.body.as_ref().map(|body| (id, body))
        })
    }

    /// The body in a slot, if there is one.
    #[inline]
    pub(crate) fn at(&self, slot: usize) -> Option<(BodyId, &Body)> {
        let entry = self.slots.get(slot)?;
        entry.body.as_ref().map(|body| (BodyId { slot: slot as u32, generation: entry.generation }, body))
    }

    /// One more than the largest [`BodyId::index`] in use.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Whether two bodies can stand at some steps; the first that is wrong is said. For whoever draws paths.
    pub fn check_steps(&self, bodies: [BodyId; 2], steps: &[[Pose; 2]]) -> Result<(), SceneError> {
        for (k, id) in bodies.into_iter().enumerate() {
            let body = self.body(id).ok_or(SceneError::NoSuchBody)?;
            steps.iter().try_for_each(|step| body.check_reach(&body.mesh, &step[k]))?;
        }
        Ok(())
    }

    fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, SceneError> {
        let slot = self.slots.get_mut(id.index()).filter(|slot| slot.generation == id.generation);
        slot.and_then(|slot| slot.body.as_mut()).ok_or(SceneError::NoSuchBody)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Mesh {
        Mesh::new(vec![[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap()
    }

    #[test]
    fn every_change_has_its_own_version() {
        let mut scene = Scene::new();
        let a = scene.add("a", triangle());
        let before = scene.body(a).unwrap().clone();
        scene.set_positions(a, &[[0.0f64; 3]; 3]).unwrap();
        let after = scene.body(a).unwrap().clone();
        assert_ne!(before.positions_version(), after.positions_version());
        assert_eq!(before.topology_version(), after.topology_version());
        scene.set_mesh(a, triangle()).unwrap();
        assert_ne!(after.topology_version(), scene.body(a).unwrap().topology_version());
    }

    #[test]
    fn a_removed_body_is_gone_even_when_its_slot_is_used_again() {
        let mut scene = Scene::new();
        let a = scene.add("a", triangle());
        scene.remove(a).unwrap();
        let b = scene.add("b", triangle());
        assert_eq!(a.index(), b.index());
        assert!(scene.body(a).is_none());
        assert_eq!(scene.remove(a).unwrap_err(), SceneError::NoSuchBody);
        assert_eq!(scene.body(b).unwrap().name(), "b");
    }

    #[test]
    fn bad_positions_name_the_body_and_change_nothing() {
        let mut scene = Scene::new();
        let a = scene.add("cloth", triangle());
        let error = scene.set_positions(a, &[[0.0f32; 3], [0.0, f32::NAN, 0.0], [0.0; 3]]).unwrap_err();
        assert_eq!(error.to_string(), "body 'cloth': vertex 1 has y = NaN; coordinates must be finite");
        assert_eq!(scene.body(a).unwrap().world_position(1), [1.0, 0.0, 0.0]);
        let error = scene.set_positions(a, &[[0.0f32; 3]; 2]).unwrap_err();
        assert_eq!(error.to_string(), "body 'cloth': 2 positions given for 3 vertices");
    }

    #[test]
    fn a_pose_that_overflows_is_refused() {
        let mut scene = Scene::new();
        let a = scene.add("far", triangle());
        scene.set_positions(a, &[[1e200f64; 3]; 3]).unwrap();
        let huge =
            Pose::from_rows([[1e200, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]).unwrap();
        assert!(matches!(scene.set_pose(a, huge), Err(SceneError::TooFar { .. })));
    }
}
