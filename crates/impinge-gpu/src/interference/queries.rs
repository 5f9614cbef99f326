//! Occlusion queries of the thesis' algorithms (4.5.2).

use crate::device::{QUERIES_PER_SET, Queries, Recorder};
use crate::error::GpuError;
use impinge::stages::interference::Casting;

/// Sets for so many queries.
pub(super) fn queries(recorder: &Recorder, count: usize) -> Result<Queries, GpuError> {
    let mut queries = Queries::new();
    queries.reserve(recorder, count)?;
    Ok(queries)
}

/// Number of pixels drawn, for every query.
pub(super) fn read(
    queries: &Queries,
    count: usize,
    recorder: &mut Recorder,
    casting: &mut Casting,
) -> Result<Vec<u64>, GpuError> {
    casting.findings.stages.bytes_read_back += count * 8;
    queries.read(recorder, count)
}

/// Runs the queries, in as many passes as there are sets.
pub(super) fn ask<T>(
    queries: &Queries,
    asked: &[(usize, T)],
    mut pass_over: impl FnMut(Option<&wgpu::QuerySet>, &[(usize, T)]),
) {
    for alike in asked.chunk_by(|p, q| p.0 / QUERIES_PER_SET == q.0 / QUERIES_PER_SET) {
        pass_over(queries.set(alike[0].0), alike);
    }
}
