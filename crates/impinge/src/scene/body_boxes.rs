//! Exact boxes of all bodies, taken again only where a version changed.

use super::{Body, Bounds, ExternalBody, Scene, Version};

/// What is kept of one body while its versions stay.
#[derive(Clone, Copy, Debug, Default)]
struct BodyBox {
    placed: Option<[Version; 2]>,
    world: Bounds,
    shaped: Option<[Version; 2]>,
    local: Bounds,
}

/// Boxes of all bodies of a scene, by slot, kept between frames. Those of external bodies are what their owners say.
#[derive(Clone, Debug, Default)]
pub struct BodyBoxes {
    bodies: Vec<BodyBox>,
}

impl BodyBoxes {
    /// Follows the scene, and writes the boxes in the world.
    pub fn update(&mut self, scene: &Scene, external: &[ExternalBody], world: &mut Vec<Bounds>) {
        self.bodies.resize(scene.slots(), BodyBox::default());
        world.clear();
        world.resize(scene.slots(), Bounds::EMPTY);
        for (id, body) in scene.bodies() {
            let kept = &mut self.bodies[id.index()];
            if let Some(other) = external.iter().find(|other| other.id == id) {
                *kept = BodyBox { world: other.bounds, local: other.local, ..BodyBox::default() };
            } else {
                kept.follow(body);
            }
            world[id.index()] = kept.world;
        }
    }

    /// The box of the body in a slot, in its own coordinates.
    pub fn local(&self, slot: usize) -> &Bounds {
        &self.bodies[slot].local
    }
}

impl BodyBox {
    fn follow(&mut self, body: &Body) {
        let placed = Some([body.positions_version(), body.pose_version()]);
        if self.placed != placed {
            self.placed = placed;
            self.world =
                Bounds::of((0..body.mesh().positions().len()).map(|vertex| body.world_position(vertex)));
        }
        let shaped = Some([body.positions_version(), body.topology_version()]);
        if self.shaped != shaped {
            self.shaped = shaped;
            self.local = Bounds::of(body.mesh().positions().iter());
        }
    }
}
