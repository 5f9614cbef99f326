//! The paper's creatures on the GPU: positions are made there by a shader and the CPU never holds them. What it gets are
//! the triangles that may collide, with the tentacle each belongs to, and what it gives back is which tentacles retract
//! (Georgii, Krüger, Westermann 2007, section 8).

use crate::rng::Rng;
use crate::shapes::{Creature, creature, jet};
use crate::vector::{Point, add, along, frame_around, turned};
use impinge::{BodyId, Mesh, Scene, SceneError};
use impinge_gpu::wgpu::{self, Buffer, BufferUsages};
use impinge_gpu::{Context, GpuBody, GpuCollider, GpuError};

/// Tentacles of each creature.
const TENTACLES: usize = 10;
const NO_TENTACLE: u32 = u32::MAX;
/// What a hit draws back at once, and what grows again in a step; as parts of the length.
const RETRACT: f32 = 0.5;
const GROW: f32 = 0.04;

/// A tentacle, as the shader has it.
#[derive(Clone, Copy, Debug)]
struct Tentacle {
    axis: [f32; 4],
    u: [f32; 4],
    v: [f32; 4],
    drawn_back: f32,
}

/// A starship: where it starts, and which way it turns.
#[derive(Clone, Copy, Debug)]
struct Ship {
    id: BodyId,
    start: Point,
    axis: Point,
    roll: f64,
}

/// Creatures with tentacles, and starships that try to pass.
#[derive(Debug)]
pub struct Tentacles {
    /// The creatures, whose meshes are empty there, and the starships.
    pub scene: Scene,
    context: Context,
    creatures: Vec<BodyId>,
    ships: Vec<Ship>,
    limbs: Vec<Tentacle>,
    vertices: u32,
    triangles: Vec<[u32; 3]>,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    moment: Buffer,
    states: Buffer,
    positions: Buffer,
    indices: Buffer,
    tags: Buffer,
}

/// What is the same for all creatures.
struct Parts {
    rest: Vec<[f32; 4]>,
    owner: Vec<u32>,
    tags: Vec<u32>,
}

impl Tentacles {
    /// At about so many triangles. The same numbers give the same scene.
    pub fn new(context: &Context, triangles: usize, seed: u64) -> Result<Self, GpuError> {
        let mut rng = Rng::new(seed);
        let count = (triangles / 180).clamp(2, 20);
        let ships = count.div_ceil(5);
        let each = triangles / (count + ships);
        let mut scene = Scene::new();
        let nothing = || Mesh::new(Vec::<[f32; 3]>::new(), Vec::new()).map_err(nowhere);
        let mut parts = Parts { rest: Vec::new(), owner: Vec::new(), tags: Vec::new() };
        let (mut tentacles, mut creatures, mut centres) = (Vec::new(), Vec::new(), Vec::new());
        let mut topology = (0, Vec::new());
        for (k, place) in crate::scenes::cube_lattice(count, 1.9).enumerate() {
            let animal = creature(each, TENTACLES, rng.bits());
            let centre = add(place, rng.in_cube(-0.2, 0.2));
            let id = scene.add(format!("creature {k}"), nothing()?);
            scene.set_pose(id, turned(rng.direction(), rng.between(0.0, 6.0), centre))?;
            creatures.push(id);
            centres.push(centre);
            parts.add(&animal, tentacles.len() as u32);
            tentacles.extend(tentacles_of(&animal));
            topology = (animal.shape.positions.len() as u32, animal.shape.triangles);
        }
        let hull = jet(each).mesh_f32();
        let mut fleet = Vec::new();
        for k in 0..ships {
            let start = add(centres[rng.below(count)], rng.in_cube(-0.5, 0.5));
            let id = scene.add(format!("starship {k}"), hull.clone());
            fleet.push(Ship { id, start, axis: rng.direction(), roll: rng.between(-1.0, 1.0) });
        }
        Ok(Self::upload(context, scene, creatures, fleet, tentacles, topology, &parts))
    }

    fn upload(
        context: &Context,
        scene: Scene,
        creatures: Vec<BodyId>,
        ships: Vec<Ship>,
        tentacles: Vec<Tentacle>,
        (vertices, triangles): (u32, Vec<[u32; 3]>),
        parts: &Parts,
    ) -> Self {
        let device = &context.device;
        let storage = |label, words: usize| {
            let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
            let size = words as u64 * 4;
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let filled = |label, words: &[u32]| {
            let buffer = storage(label, words.len());
            context.queue.write_buffer(&buffer, 0, &bytes(words));
            buffer
        };
        let source = wgpu::ShaderSource::Wgsl(include_str!("../shaders/tentacles.wgsl").into());
        let module =
            device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("tentacles"), source });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("tentacles"),
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let moment = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("moment"),
            size: 16,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let states = storage("tentacles", tentacles.len() * 16);
        let rest: Vec<u32> = parts.rest.as_flattened().iter().map(|x| x.to_bits()).collect();
        let rest = filled("rest", &rest);
        let owner = filled("owner", &parts.owner);
        let positions = storage("positions", creatures.len() * vertices as usize * 3);
        let indices = filled("triangles", triangles.as_flattened());
        let tags = filled("tags", &parts.tags);
        let buffers = [&moment, &states, &rest, &owner, &positions];
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let layout = pipeline.get_bind_group_layout(0);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries,
        });
        let context = context.clone();
        Self {
            scene,
            context,
            creatures,
            ships,
            limbs: tentacles,
            vertices,
            triangles,
            pipeline,
            group,
            moment,
            states,
            positions,
            indices,
            tags,
        }
    }

    /// Tells the collider where the creatures are.
    pub fn attach(&self, collider: &mut GpuCollider) -> Result<(), GpuError> {
        let count = self.triangles.len() as u32;
        for (k, &id) in self.creatures.iter().enumerate() {
            let k = k as u64;
            let body = GpuBody {
                position_offset: k * u64::from(self.vertices) * 12,
                tags: Some((self.tags.clone(), k * u64::from(count) * 4)),
                ..GpuBody::new(self.positions.clone(), self.vertices, self.indices.clone(), count)
            };
            collider.attach(&self.scene, id, body)?;
        }
        Ok(())
    }

    /// Everything at `time`, from 0 to 1: the GPU moves the tentacles, and ships fly on.
    pub fn set_time(&mut self, time: f64) -> Result<(), SceneError> {
        for ship in &self.ships {
            let way = along([-6.0, ship.start[1], ship.start[2]], [1.0, 0.0, 0.0], 12.0 * time);
            self.scene.set_pose(ship.id, turned(ship.axis, ship.roll * time, way))?;
        }
        let words = |t: &Tentacle| {
            let state = [t.drawn_back, 0.0, 0.0, 0.0];
            [t.axis, t.u, t.v, state].concat().into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let states: Vec<u32> = self.limbs.iter().flat_map(words).collect();
        self.context.queue.write_buffer(&self.states, 0, &bytes(&states));
        let vertices = self.creatures.len() as u32 * self.vertices;
        let moment = [(time as f32).to_bits(), vertices, 0, 0];
        self.context.queue.write_buffer(&self.moment, 0, &bytes(&moment));
        let mut encoder =
            self.context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        let groups = vertices.div_ceil(64);
        let across = groups.min(65_535);
        pass.dispatch_workgroups(across, groups.div_ceil(across), 1);
        drop(pass);
        self.context.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Tentacles that were hit in the collider's last call draw back, and all others grow. Returns how many were hit.
    pub fn react(&mut self, collider: &GpuCollider, contacts: &[impinge::Contact]) -> usize {
        let mut hit = vec![false; self.limbs.len()];
        for element in contacts.iter().flat_map(|contact| [contact.a, contact.b]) {
            let tag = collider.triangle(element).map(|triangle| triangle.tag);
            // A tag is one more than the number of the tentacle; 0 is the trunk.
            if let Some(tentacle) = tag.and_then(|tag| hit.get_mut((tag as usize).wrapping_sub(1))) {
                *tentacle = true;
            }
        }
        for (tentacle, &hit) in self.limbs.iter_mut().zip(&hit) {
            let change = if hit { RETRACT } else { -GROW };
            tentacle.drawn_back = (tentacle.drawn_back + change).clamp(0.0, 0.85);
        }
        hit.into_iter().filter(|&hit| hit).count()
    }

    /// The scene with meshes read back from the GPU: what the oracle holds, and nobody else.
    pub fn held(&self) -> Result<Scene, GpuError> {
        let floats = read(&self.context, &self.positions)?;
        let mut held = self.scene.clone();
        let of_creature = self.vertices as usize * 3;
        for (&id, floats) in self.creatures.iter().zip(floats.chunks_exact(of_creature.max(1))) {
            let positions: Vec<[f32; 3]> = floats.as_chunks().0.to_vec();
            held.set_mesh(id, Mesh::new(positions, self.triangles.clone()).map_err(nowhere)?)?;
        }
        Ok(held)
    }
}

/// The mesh of a creature cannot be wrong; the shader's positions might be.
fn nowhere(error: impinge::MeshError) -> GpuError {
    GpuError::Scene(SceneError::Mesh { body: "creature".into(), error })
}

impl Parts {
    fn add(&mut self, animal: &Creature, first: u32) {
        let reaches: Vec<Option<(u32, f64)>> = animal.reaches().collect();
        for (p, reach) in animal.shape.positions.iter().zip(&reaches) {
            let [x, y, z] = p.map(|c| c as f32);
            self.rest.push([x, y, z, reach.map_or(0.0, |(_, reach)| reach as f32)]);
            self.owner.push(reach.map_or(NO_TENTACLE, |(limb, _)| first + limb));
        }
        let tag = |t: &[u32; 3]| {
            let limb = t.iter().find_map(|&vertex| reaches[vertex as usize]);
            limb.map_or(0, |(limb, _)| first + limb + 1)
        };
        self.tags.extend(animal.shape.triangles.iter().map(tag));
    }
}

fn tentacles_of(animal: &Creature) -> Vec<Tentacle> {
    let with = |[x, y, z]: Point, w: f64| [x as f32, y as f32, z as f32, w as f32];
    let limbs = animal.tentacles().map(|(axis, length, phase, turns)| {
        let [u, v] = frame_around(axis);
        Tentacle { axis: with(axis, length), u: with(u, phase), v: with(v, turns), drawn_back: 0.0 }
    });
    limbs.collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// All floats of a buffer.
fn read(context: &Context, buffer: &Buffer) -> Result<Vec<f32>, GpuError> {
    let lost = |reason: String| GpuError::Lost { reason };
    let staging = context.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("held"),
        size: buffer.size(),
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
    context.queue.submit([encoder.finish()]);
    staging.map_async(wgpu::MapMode::Read, .., |_| ());
    context.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(error.to_string()))?;
    let view = staging.get_mapped_range(..).map_err(|error| lost(error.to_string()))?;
    Ok(view.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::Collider;
    use impinge::contacts::PeelOptions;

    #[test]
    fn tentacles_retract_when_they_are_hit_and_grow_again() {
        if std::env::var_os("IMPINGE_NO_GPU").is_some() {
            return;
        }
        let context = Context::new().expect("a GPU, or software for one: cargo xtask test installs it");
        let mut creatures = Tentacles::new(&context, 8000, 1).unwrap();
        let mut collider = GpuCollider::new(context).unwrap();
        let options = PeelOptions { resolution: [512, 512], ..PeelOptions::default() };
        collider.options.method = impinge::Method::DepthPeel(options);
        creatures.attach(&mut collider).unwrap();
        let mut contacts = Vec::new();
        let mut hits = 0;
        for _ in 0..8 {
            // Time stands still: only what the CPU was told changes.
            creatures.set_time(0.4).unwrap();
            let found = collider.collide(&creatures.scene).unwrap().contacts.clone();
            let exact = Collider::default().collide(&creatures.held().unwrap()).unwrap().clone();
            assert!(found.iter().all(|contact| exact.contacts.contains(contact)), "only true contacts");
            assert!(
                found.len() * 100 >= exact.contacts.len() * 95,
                "{} of {}",
                found.len(),
                exact.contacts.len()
            );
            hits += creatures.react(&collider, &found);
            // What flies through a trunk stays there; tentacles of two creatures can give way.
            let of_creatures = |contact: &&impinge::Contact| {
                [contact.a, contact.b].iter().all(|element| creatures.creatures.contains(&element.body))
            };
            contacts.push(found.iter().filter(of_creatures).count());
        }
        assert!(hits > 0 && contacts[0] > 0, "{contacts:?}");
        assert!(
            contacts.iter().min().unwrap() * 2 < contacts[0],
            "hit tentacles go out of the way: {contacts:?}"
        );
    }

    #[test]
    fn the_shader_is_valid() {
        let source = include_str!("../shaders/tentacles.wgsl");
        let module = naga::front::wgsl::parse_str(source).unwrap();
        let (flags, capabilities) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
        naga::valid::Validator::new(flags, capabilities).validate(&module).unwrap();
    }
}
