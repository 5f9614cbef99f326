//! A scene that moves: actors (a name, a mesh, a track) -> the bodies of an `impinge::Scene` at any frame.

use crate::known::KnownAnswer;
use impinge::{BodyId, Mesh, Pose, Scene, SceneError};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// World positions of a deforming body in one frame.
pub type DeformedBy = Arc<dyn Fn(usize) -> Vec<[f32; 3]> + Send + Sync>;
/// Pose of a rigid body in one frame.
pub type PosedBy = Arc<dyn Fn(usize) -> Pose + Send + Sync>;
/// The known answer for a scene that stands at one frame.
pub type KnownBy = Arc<dyn Fn(&Scene, usize) -> KnownAnswer + Send + Sync>;

/// How an actor moves. Every track is a function of the frame alone, so frames can be visited in any order.
#[derive(Clone)]
pub enum Track {
    /// Never.
    Still,
    /// As one piece.
    Rigid(PosedBy),
    /// Every vertex for itself; in world coordinates, as many as the mesh has vertices.
    Deforming(DeformedBy),
    /// As one piece, and from each listed frame on with another mesh. Sorted by frame.
    Breaking(PosedBy, Vec<(usize, Arc<Mesh>)>),
}

impl fmt::Debug for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Still => "Still",
            Self::Rigid(_) => "Rigid",
            Self::Deforming(_) => "Deforming",
            Self::Breaking(..) => "Breaking",
        })
    }
}

/// One body over all frames.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Name of the body, unique in its scene.
    pub name: String,
    /// The mesh it starts with; shared by actors of one shape.
    pub mesh: Arc<Mesh>,
    /// Whether it may collide with itself.
    pub self_collision: bool,
    /// Frames in which it is in the scene.
    pub present: Range<usize>,
    /// How it moves.
    pub track: Track,
}

impl Actor {
    /// Present in all frames, without self-collision.
    pub fn new(name: impl Into<String>, mesh: impl Into<Arc<Mesh>>, track: Track) -> Self {
        Self { name: name.into(), mesh: mesh.into(), self_collision: false, present: 0..usize::MAX, track }
    }

    /// A rigid actor.
    pub fn rigid(
        name: impl Into<String>,
        mesh: impl Into<Arc<Mesh>>,
        pose: impl Fn(usize) -> Pose + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, mesh, Track::Rigid(Arc::new(pose)))
    }

    /// A deforming actor.
    pub fn deforming(
        name: impl Into<String>,
        mesh: impl Into<Arc<Mesh>>,
        positions: impl Fn(usize) -> Vec<[f32; 3]> + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, mesh, Track::Deforming(Arc::new(positions)))
    }

    /// The same actor, looking for collisions with itself.
    #[must_use]
    pub fn with_self_collision(self) -> Self {
        Self { self_collision: true, ..self }
    }

    /// The same actor, in the scene only for some frames.
    #[must_use]
    pub fn during(self, present: Range<usize>) -> Self {
        Self { present, ..self }
    }

    /// `world_from_body` in one frame; the identity for a deforming actor, whose positions are the world's.
    pub fn pose(&self, frame: usize) -> Pose {
        match &self.track {
            Track::Still | Track::Deforming(_) => Pose::IDENTITY,
            Track::Rigid(pose) | Track::Breaking(pose, _) => pose(frame),
        }
    }

    /// World positions in one frame, of a deforming actor only.
    pub fn positions(&self, frame: usize) -> Option<Vec<[f32; 3]>> {
        match &self.track {
            Track::Deforming(positions) => Some(positions(frame)),
            _ => None,
        }
    }

    /// The triangles it has in one frame.
    pub fn mesh_at(&self, frame: usize) -> &Arc<Mesh> {
        match &self.track {
            Track::Breaking(_, later) => {
                later.iter().rfind(|&&(from, _)| from <= frame).map_or(&self.mesh, |(_, m)| m)
            }
            _ => &self.mesh,
        }
    }

    /// Whether one mesh and one array over `frames` frames tell everything about it.
    pub fn is_recordable(&self, frames: usize) -> bool {
        self.present.start == 0 && self.present.end >= frames && !matches!(self.track, Track::Breaking(..))
    }
}

/// An actor in the scene: which one, and the mesh it was last given.
#[derive(Clone, Debug)]
struct OnStage {
    actor: usize,
    mesh: Arc<Mesh>,
}

/// A scene and the way it moves.
#[derive(Clone)]
pub struct Motion {
    /// The scene as it stands in the current frame.
    pub scene: Scene,
    /// The bodies now in the scene: those present, in the order of [`Motion::actors`]. The index of an id is its
    /// place in this list, whichever way the frame was reached.
    pub bodies: Vec<BodyId>,
    /// Number of frames.
    pub frames: usize,
    actors: Vec<Actor>,
    on_stage: Vec<OnStage>,
    frame: usize,
    known: KnownBy,
}

impl fmt::Debug for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frames, actors, frame, .. } = self;
        f.debug_struct("Motion")
            .field("frames", frames)
            .field("actors", actors)
            .field("frame", frame)
            .finish()
    }
}

impl Motion {
    /// A scene at frame 0, with nothing known about its answer.
    pub fn new(frames: usize, actors: Vec<Actor>) -> Result<Self, SceneError> {
        let mut motion = Self {
            scene: Scene::new(),
            bodies: Vec::new(),
            frames: frames.max(1),
            actors,
            on_stage: Vec::new(),
            frame: 0,
            known: Arc::new(|_, _| KnownAnswer::default()),
        };
        motion.set_frame(0)?;
        Ok(motion)
    }

    /// The same motion, with a known answer.
    #[must_use]
    pub fn knowing(self, known: impl Fn(&Scene, usize) -> KnownAnswer + Send + Sync + 'static) -> Self {
        Self { known: Arc::new(known), ..self }
    }

    /// Everybody who is ever in the scene.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// The frame the scene stands at.
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// What geometry says about the current frame.
    pub fn known(&self) -> KnownAnswer {
        (self.known)(&self.scene, self.frame)
    }

    /// Triangles now in the scene.
    pub fn triangles(&self) -> usize {
        self.scene.bodies().map(|(_, body)| body.mesh().triangles().len()).sum()
    }

    /// Whether a mesh and an array per body tell the whole motion: nobody comes, goes or breaks.
    pub fn is_recordable(&self) -> bool {
        self.actors.iter().all(|actor| actor.is_recordable(self.frames))
    }

    /// Puts every body where it is in `frame` (the last one, if there are fewer).
    pub fn set_frame(&mut self, frame: usize) -> Result<(), SceneError> {
        let frame = frame.min(self.frames - 1);
        self.enter_and_leave(frame)?;
        for (on_stage, &id) in self.on_stage.iter_mut().zip(&self.bodies) {
            let actor = &self.actors[on_stage.actor];
            let mesh = actor.mesh_at(frame);
            if !Arc::ptr_eq(mesh, &on_stage.mesh) {
                self.scene.set_mesh(id, Mesh::clone(mesh))?;
                on_stage.mesh = Arc::clone(mesh);
            }
            match &actor.track {
                Track::Still => {}
                Track::Rigid(pose) | Track::Breaking(pose, _) => self.scene.set_pose(id, pose(frame))?,
                Track::Deforming(positions) => self.scene.set_positions(id, &positions(frame))?,
            }
        }
        self.frame = frame;
        Ok(())
    }

    /// Adds and removes bodies so that slot `k` holds the `k`-th actor present, which makes the sorted answer a
    /// function of the frame and not of the way there. A body whose slot stays the same is left alone.
    fn enter_and_leave(&mut self, frame: usize) -> Result<(), SceneError> {
        let present: Vec<usize> =
            (0..self.actors.len()).filter(|&actor| self.actors[actor].present.contains(&frame)).collect();
        let stays = |slot: usize| {
            let now = self.on_stage.get(slot).map(|on_stage| on_stage.actor);
            now.is_some() && now == present.get(slot).copied()
        };
        let kept: Vec<bool> = (0..self.on_stage.len()).map(stays).collect();
        for slot in (0..kept.len()).filter(|&slot| !kept[slot]) {
            self.scene.remove(self.bodies[slot])?;
        }
        self.bodies.truncate(present.len());
        self.on_stage.truncate(present.len());
        for (slot, &index) in present.iter().enumerate() {
            if kept.get(slot) == Some(&true) {
                continue;
            }
            // The lowest free slot is this one: all below are taken, and it was emptied or is new.
            let actor = &self.actors[index];
            let id = self.scene.add(actor.name.clone(), Mesh::clone(&actor.mesh));
            self.scene.set_self_collision(id, actor.self_collision)?;
            let on_stage = OnStage { actor: index, mesh: Arc::clone(&actor.mesh) };
            if slot < self.bodies.len() {
                (self.bodies[slot], self.on_stage[slot]) = (id, on_stage);
            } else {
                self.bodies.push(id);
                self.on_stage.push(on_stage);
            }
        }
        Ok(())
    }
}
