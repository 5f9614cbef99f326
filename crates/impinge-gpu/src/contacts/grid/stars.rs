//! `stars.wgsl`: which vertices are certified. Rings of bodies whose triangles stay are made once, on the
//! CPU, and kept on the device; external bodies have none, and all their neighbours are tested one by one.

use crate::device::{Context, Growable, Kernel, Recorder};
use crate::error::GpuError;
use crate::shaders;
use impinge::stages::gather::{Member, totals};
use impinge::stages::grid::stars::RingCache;
use impinge::{BodyId, Scene, Version};
use wgpu::{Buffer, BufferUsages};

/// Rings on the device.
#[derive(Debug)]
pub(super) struct Stars {
    kernel: Kernel,
    known: RingCache,
    starts: Growable,
    around: Growable,
    /// The uploaded rings: body, version of its triangles, first vertex.
    there: Vec<(BodyId, Version, u32)>,
    vertices: u32,
}

impl Stars {
    pub(super) fn new(context: &Context) -> Self {
        let list = |what| Growable::new(what, BufferUsages::empty());
        Self {
            kernel: Kernel::new(context, shaders::STARS, "stars", 64),
            known: RingCache::default(),
            starts: list("where rings begin"),
            around: list("rings of vertices"),
            there: Vec::new(),
            vertices: 0,
        }
    }

    pub(super) fn forget(&mut self) {
        self.there.clear();
        self.starts.forget();
        self.around.forget();
    }

    /// Follows the scene, once per frame. `external` members, the last ones, are external.
    pub(super) fn update(
        &mut self,
        context: &Context,
        scene: &Scene,
        members: &[Member],
        external: usize,
    ) -> Result<(), GpuError> {
        let ours = &members[..members.len() - external];
        self.known.update(scene, ours, true);
        let rings_of = |member: &Member| self.known.of_body(member.id).map(|found| (*member, found));
        let wanted: Vec<_> = ours.iter().filter_map(rings_of).collect();
        let [vertices, _] = totals(members);
        let names =
            |(member, (version, _)): &(Member, (Version, _))| (member.id, *version, member.first_vertex);
        let there: Vec<_> = wanted.iter().map(names).collect();
        if there == self.there && vertices == self.vertices {
            return Ok(());
        }
        self.there.clear();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut starts: Vec<u32> = Vec::with_capacity(vertices as usize + 1);
        let mut around: Vec<u32> = Vec::new();
        for (member, (_, rings)) in &wanted {
            starts.resize(member.first_vertex as usize, around.len() as u32);
            let before = around.len() as u32;
            let own = &rings.starts()[..rings.starts().len() - 1];
            starts.extend(own.iter().map(|start| before + start));
            around.extend(rings.around().iter().map(|vertex| member.first_vertex + vertex));
        }
        starts.resize(vertices as usize + 1, around.len() as u32);
        if starts.len().max(around.len()) as u64 * 4 > context.max_binding() {
            // Without rings, neighbours are tested one by one.
            return Ok(());
        }
        self.starts.fill(context, &starts)?;
        self.around.fill(context, &around)?;
        (self.there, self.vertices) = (there, vertices);
        Ok(())
    }

    /// Marks certified vertices among those placed.
    pub(super) fn run(&self, recorder: &mut Recorder, entry: &Buffer, in_region: &Buffer, placed: &Buffer) {
        if !self.there.is_empty() {
            let buffers =
                [(0, entry), (1, in_region), (2, self.starts.get()), (3, self.around.get()), (4, placed)];
            self.kernel.run(recorder, &buffers, self.vertices);
        }
    }
}
