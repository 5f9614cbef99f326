//! Occlusion queries in as many sets as it takes, kept from pass to pass.

use crate::buffers::Grown;
use crate::error::GpuError;
use crate::recorder::Recorder;
use wgpu::BufferUsages;

/// Most queries in a set, on every device.
pub(super) const MOST_QUERIES: usize = 4096;

/// Sets of queries, and where their results go.
#[derive(Debug)]
pub(super) struct Queries {
    sets: Vec<wgpu::QuerySet>,
    resolved: Grown,
}

impl Queries {
    pub(super) fn new() -> Self {
        let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
        Self { sets: Vec::new(), resolved: Grown::new("answers of queries", usage) }
    }

    pub(super) fn forget(&mut self) {
        self.sets.clear();
        self.resolved.forget();
    }

    /// Room for so many.
    pub(super) fn hold(&mut self, recorder: &Recorder, count: usize) -> Result<(), GpuError> {
        while self.sets.len() * MOST_QUERIES < count {
            self.sets.push(recorder.context.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("pixels drawn"),
                ty: wgpu::QueryType::Occlusion,
                count: MOST_QUERIES as u32,
            }));
        }
        self.resolved.hold(&recorder.context, (count * 8) as u64)?;
        Ok(())
    }

    /// The set that a query is in; a pass can have one.
    pub(super) fn set(&self, query: usize) -> Option<&wgpu::QuerySet> {
        self.sets.get(query / MOST_QUERIES)
    }

    /// Whether anything was drawn, for every query.
    pub(super) fn read(&self, recorder: &mut Recorder, count: usize) -> Result<Vec<bool>, GpuError> {
        for (index, set) in self.sets.iter().enumerate() {
            let first = index * MOST_QUERIES;
            if first < count {
                let these = (count - first).min(MOST_QUERIES) as u32;
                let at = (first * 8) as u64;
                recorder.encoder().resolve_query_set(set, 0..these, self.resolved.get(), at);
            }
        }
        recorder.read(&[(self.resolved.get(), (count * 8) as u64)], |bytes| {
            bytes.chunks_exact(8).map(|n| bytemuck::pod_read_unaligned::<u64>(n) > 0).collect()
        })
    }
}
