//! Occlusion queries in as many sets as needed, kept from pass to pass.

use crate::device::{Growable, Recorder};
use crate::error::GpuError;
use wgpu::BufferUsages;

/// Queries in a set, on every device.
pub(super) const QUERIES_PER_SET: usize = 4096;

/// Query sets and their results.
#[derive(Debug)]
pub(super) struct Queries {
    sets: Vec<wgpu::QuerySet>,
    resolved: Growable,
}

impl Queries {
    pub(super) fn new() -> Self {
        let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
        Self { sets: Vec::new(), resolved: Growable::new("answers of queries", usage) }
    }

    pub(super) fn forget(&mut self) {
        self.sets.clear();
        self.resolved.forget();
    }

    /// Room for `count` queries.
    pub(super) fn reserve(&mut self, recorder: &Recorder, count: usize) -> Result<(), GpuError> {
        while self.sets.len() * QUERIES_PER_SET < count {
            self.sets.push(recorder.context.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("pixels drawn"),
                ty: wgpu::QueryType::Occlusion,
                count: QUERIES_PER_SET as u32,
            }));
        }
        self.resolved.reserve(&recorder.context, (count * 8) as u64)?;
        Ok(())
    }

    /// The set of a query; a pass can use one.
    pub(super) fn set(&self, query: usize) -> Option<&wgpu::QuerySet> {
        self.sets.get(query / QUERIES_PER_SET)
    }

    /// Whether any fragment passed, for every query.
    pub(super) fn read(&self, recorder: &mut Recorder, count: usize) -> Result<Vec<bool>, GpuError> {
        for (index, set) in self.sets.iter().enumerate() {
            let first = index * QUERIES_PER_SET;
            if first < count {
                let these = (count - first).min(QUERIES_PER_SET) as u32;
                let at = (first * 8) as u64;
                recorder.encoder().resolve_query_set(set, 0..these, self.resolved.get(), at);
            }
        }
        recorder.read(&[(self.resolved.get(), (count * 8) as u64)], |bytes| {
            bytes.chunks_exact(8).map(|n| bytemuck::pod_read_unaligned::<u64>(n) > 0).collect()
        })
    }
}
