//! Occlusion queries: numbers of pixels drawn (4.5.2).

use crate::device::Recorder;
use crate::error::GpuError;
use impinge::stages::interference::Casting;
use wgpu::BufferUsages;

/// Queries in a set, on every device.
pub(super) const QUERIES_PER_SET: usize = 4096;

/// Query sets and their results.
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
                count: (count - first).min(QUERIES_PER_SET) as u32,
            })
        };
        let resolved = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pixels drawn"),
            size: (count.max(1) * 8) as u64,
            usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Self { sets: (0..count).step_by(QUERIES_PER_SET).map(set).collect(), count, resolved }
    }

    /// The set of a query; a pass can use one.
    pub(super) fn set(&self, query: usize) -> &wgpu::QuerySet {
        &self.sets[query / QUERIES_PER_SET]
    }

    /// Number of pixels drawn, for every query.
    pub(super) fn read(&self, recorder: &mut Recorder, casting: &mut Casting) -> Result<Vec<u64>, GpuError> {
        for (index, set) in self.sets.iter().enumerate() {
            let first = index * QUERIES_PER_SET;
            let count = (self.count - first).min(QUERIES_PER_SET) as u32;
            recorder.encoder().resolve_query_set(set, 0..count, &self.resolved, (first * 8) as u64);
        }
        casting.findings.stages.bytes_read_back += self.count * 8;
        recorder.read(&[(&self.resolved, (self.count * 8) as u64)], |bytes| {
            bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned::<u64>).collect()
        })
    }
}

/// Runs the queries, in as many passes as there are sets.
pub(super) fn ask<T>(
    queries: &Queries,
    asked: &[(usize, T)],
    mut pass_over: impl FnMut(&wgpu::QuerySet, &[(usize, T)]),
) {
    for alike in asked.chunk_by(|p, q| p.0 / QUERIES_PER_SET == q.0 / QUERIES_PER_SET) {
        pass_over(queries.set(alike[0].0), alike);
    }
}
