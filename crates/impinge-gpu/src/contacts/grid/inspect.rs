//! Verdicts of the last stages about given pairs of triangles: for tests of their bounds.

use super::Grid;
use super::exact_signs::{ExactSigns, Source, pose_entry};
use crate::device::{Growable, Recorder, read_first};
use crate::error::GpuError;
use crate::layout::{CullCounters, CullEntry, Sizes};
use impinge::stages::grid::signs::Verdict;
use impinge::stages::grid::triangle_filter::Record;
use impinge::{Pose, WorldTriangle};
use wgpu::BufferUsages;

impl Grid {
    /// The verdicts of `plane_filter.wgsl` and `signs.wgsl`.
    pub(crate) fn judge(
        &mut self,
        recorder: &mut Recorder,
        pairs: &[[Record; 2]],
    ) -> Result<Vec<Verdict>, GpuError> {
        let context = recorder.context.clone();
        let count = u32::try_from(pairs.len()).map_err(|_| GpuError::TooMany)?;
        let words: Vec<[u32; 24]> =
            pairs.iter().flatten().zip(0..).map(|(record, at)| words(record, at)).collect();
        let candidates: Vec<[u32; 2]> = (0..count).map(|pair| [2 * pair, 2 * pair + 1]).collect();
        let given = Sizes { records: 2 * count, candidates: count, ..Sizes::default() };
        let entry =
            CullEntry { sizes: Sizes { tests: count, found: count, ..given }, ..CullEntry::default() };
        let counters = CullCounters { sizes: given, ..CullCounters::default() };
        self.counters.reserve(&context, size_of::<CullCounters>() as u64)?;
        self.lists.records.fill(&context, &words)?;
        for list in [&mut self.lists.candidates, &mut self.lists.tests, &mut self.lists.found] {
            list.reserve(&context, u64::from(count) * 8)?;
        }
        context.queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&entry));
        context.queue.write_buffer(self.counters.get(), 0, bytemuck::bytes_of(&counters));
        context.queue.write_buffer(self.lists.candidates.get(), 0, bytemuck::cast_slice(&candidates));
        self.filter_candidates(recorder, [count; 2]);
        let counters: CullCounters = read_first(recorder, self.counters.get())?;
        let mut found = Vec::new();
        self.read_found(recorder, counters.sizes.found, &mut found)?;
        let mut verdicts = vec![Verdict::Apart; pairs.len()];
        for pair in found {
            let verdict = if pair.doubtful { Verdict::Doubtful } else { Verdict::Touch };
            verdicts[pair.a as usize / 2] = verdict;
        }
        Ok(verdicts)
    }

    /// The verdicts of `exact_signs.wgsl` for a body at a pose, with its coordinates in doubles or in floats.
    pub(crate) fn judge_exactly(
        &mut self,
        recorder: &mut Recorder,
        pairs: &[[WorldTriangle; 2]],
        pose: &Pose,
        as_floats: bool,
    ) -> Result<Vec<Verdict>, GpuError> {
        self.exact_signs.judge(recorder, pairs, pose, as_floats)
    }
}

impl ExactSigns {
    /// See [`Grid::judge_exactly`].
    pub(super) fn judge(
        &mut self,
        recorder: &mut Recorder,
        pairs: &[[WorldTriangle; 2]],
        pose: &Pose,
        as_floats: bool,
    ) -> Result<Vec<Verdict>, GpuError> {
        let context = recorder.context.clone();
        let count = u32::try_from(pairs.len()).map_err(|_| GpuError::TooMany)?;
        let corners: Vec<[f64; 3]> = pairs.iter().flatten().flat_map(|triangle| triangle.corners).collect();
        let float = |p: &[f64; 3]| [p[0] as f32, p[1] as f32, p[2] as f32, f32::from_bits(1 << 28)];
        let floats: Vec<[f32; 4]> = corners.iter().map(float).collect();
        let mut triangles: Vec<u32> = Vec::with_capacity(corners.len());
        for (pair, first) in pairs.iter().zip((0..).step_by(6)) {
            let named: Vec<u32> = pair.iter().flat_map(|triangle| triangle.vertices).collect();
            // Corners with the same vertex number are one vertex.
            let vertex = |name: &u32| named.iter().position(|other| other == name).unwrap_or(0) as u32;
            triangles.extend(named.iter().map(|name| first + vertex(name)));
        }
        let found: Vec<[u32; 2]> = (0..count).map(|pair| [(2 * pair) | (1 << 31), 2 * pair + 1]).collect();
        let held = |what, usage, bytes: &[u8]| -> Result<Growable, GpuError> {
            let mut buffer = Growable::new(what, usage);
            buffer.fill(&context, bytes)?;
            Ok(buffer)
        };
        let none = BufferUsages::empty();
        let triangles = held("triangles to be judged", none, bytemuck::cast_slice(&triangles))?;
        let positions = held("vertices to be judged", none, bytemuck::cast_slice(&floats))?;
        let found = held("pairs to be judged", BufferUsages::COPY_SRC, bytemuck::cast_slice(&found))?;
        self.doubles.fill(&context, &corners)?;
        self.uploaded.clear();
        let source = if as_floats { Source::Floats } else { Source::Doubles };
        let buffers = [triangles.get(), positions.get(), found.get()];
        self.dispatch(recorder, &[pose_entry(Some(pose), source)], buffers, [6 * count, count])?;
        recorder.read(&[(found.get(), u64::from(count) * 8)], |bytes| {
            let verdict = |[a, b]: [u32; 2]| match (a >> 31, b) {
                (_, u32::MAX) => Verdict::Apart,
                (0, _) => Verdict::Touch,
                _ => Verdict::Doubtful,
            };
            bytes.chunks_exact(8).map(|pair| verdict(bytemuck::pod_read_unaligned(pair))).collect()
        })
    }
}

/// A record in the layout of `grid/shared/record.wgsl`, with `triangle` as its number. It is in no cell.
fn words(record: &Record, triangle: u32) -> [u32; 24] {
    let Record { low, high, corners: [p, q, r], vertices, body, self_collision, error, .. } = *record;
    let owner = body | u32::from(self_collision) << 28;
    let group = |floats: [f32; 3], word: u32| {
        let [x, y, z] = floats.map(f32::to_bits);
        [x, y, z, word]
    };
    let groups = [
        group(low, triangle),
        group(high, owner),
        group(p, vertices[0]),
        group(q, vertices[1]),
        group(r, vertices[2]),
        [0, 0, error.to_bits(), 0],
    ];
    std::array::from_fn(|k| groups[k / 4][k % 4])
}
