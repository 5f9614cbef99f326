//! Occlusion queries in as many sets as needed: numbers of pixels drawn.

use super::{Growable, Recorder};
use crate::error::GpuError;
use wgpu::{BufferUsages, QuerySet};

/// Queries in a set, on every device.
pub(crate) const QUERIES_PER_SET: usize = 4096;

/// Query sets, kept while they are enough, and their results.
#[derive(Debug)]
pub(crate) struct Queries {
    sets: Vec<QuerySet>,
    resolved: Growable,
}

impl Queries {
    pub(crate) fn new() -> Self {
        let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
        Self { sets: Vec::new(), resolved: Growable::new("answers of queries", usage) }
    }

    /// Frees everything.
    pub(crate) fn forget(&mut self) {
        self.sets.clear();
        self.resolved.forget();
    }

    /// Reserves room for `count` queries.
    pub(crate) fn reserve(&mut self, recorder: &Recorder, count: usize) -> Result<(), GpuError> {
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
    pub(crate) fn set(&self, query: usize) -> Option<&QuerySet> {
        self.sets.get(query / QUERIES_PER_SET)
    }

    /// The number of pixels drawn, for each of the first `count` queries.
    pub(crate) fn read(&self, recorder: &mut Recorder, count: usize) -> Result<Vec<u64>, GpuError> {
        for (set, first) in self.sets.iter().zip((0..count).step_by(QUERIES_PER_SET)) {
            let these = (count - first).min(QUERIES_PER_SET) as u32;
            recorder.encoder().resolve_query_set(set, 0..these, self.resolved.get(), (first * 8) as u64);
        }
        super::read(recorder, self.resolved.get(), (count * 8) as u64)
    }
}
