//! Occlusion queries: how many pixels were drawn (4.5.2).

use crate::error::GpuError;
use crate::recorder::Recorder;
use impinge::stages::interference::RayCaster;
use wgpu::BufferUsages;

/// Most queries in a set, on every device.
pub(super) const MOST_QUERIES: usize = 4096;

/// Occlusion queries, and their results.
pub(super) struct Queries {
    sets: Vec<wgpu::QuerySet>,
    count: usize,
    resolved: wgpu::Buffer,
}

impl Queries {
    pub(super) fn new(recorder: &Recorder, count: usize) -> Self {
        let device = &recorder.context.device;
        let set = |first: usize| {
            device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("pixels drawn"),
                ty: wgpu::QueryType::Occlusion,
                count: (count - first).min(MOST_QUERIES) as u32,
            })
        };
        let resolved = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pixels drawn"),
            size: (count.max(1) * 8) as u64,
            usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Self { sets: (0..count).step_by(MOST_QUERIES).map(set).collect(), count, resolved }
    }

    /// The set that a query is in; a pass can have one.
    pub(super) fn set(&self, query: usize) -> &wgpu::QuerySet {
        &self.sets[query / MOST_QUERIES]
    }

    /// Number of pixels drawn, for every query.
    pub(super) fn read(&self, recorder: &mut Recorder, caster: &mut RayCaster) -> Result<Vec<u64>, GpuError> {
        for (index, set) in self.sets.iter().enumerate() {
            let first = index * MOST_QUERIES;
            let count = (self.count - first).min(MOST_QUERIES) as u32;
            recorder.encoder().resolve_query_set(set, 0..count, &self.resolved, (first * 8) as u64);
        }
        caster.findings().stages.bytes_read_back += self.count * 8;
        recorder.read(&[(&self.resolved, (self.count * 8) as u64)], |bytes| {
            bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned::<u64>).collect()
        })
    }
}

/// Draws under query after query, in as many passes as there are sets.
pub(super) fn ask<T>(
    queries: &Queries,
    asked: &[(usize, T)],
    mut pass_over: impl FnMut(&wgpu::QuerySet, &[(usize, T)]),
) {
    for alike in asked.chunk_by(|p, q| p.0 / MOST_QUERIES == q.0 / MOST_QUERIES) {
        pass_over(queries.set(alike[0].0), alike);
    }
}
