//! What the last stages say about pairs of triangles that somebody else made: for tests of their bounds.

use super::{Conservative, threads};
use crate::error::GpuError;
use crate::layout::{CullCounters, CullEntry};
use crate::recorder::Recorder;
use impinge::Pose;
use impinge::stages::grid::Elsewhere;
use impinge::stages::grid::signs::Verdict;
use impinge::stages::grid::triangle_filter::Record;

impl Conservative {
    /// What `glance.wgsl` and `decide.wgsl` say about every pair.
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
        let entry = CullEntry {
            records: 2 * count,
            candidates: count,
            tests: count,
            found: count,
            ..CullEntry::default()
        };
        let counters = CullCounters { records: 2 * count, candidates: count, ..CullCounters::default() };
        self.counters.hold(&context, size_of::<CullCounters>() as u64)?;
        self.lists.records.hold(&context, size_of_val(&words[..]) as u64)?;
        for list in [&mut self.lists.candidates, &mut self.lists.tests, &mut self.lists.found] {
            list.hold(&context, u64::from(count) * 8)?;
        }
        context.queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&entry));
        context.queue.write_buffer(self.counters.get(), 0, bytemuck::bytes_of(&counters));
        context.queue.write_buffer(self.lists.records.get(), 0, bytemuck::cast_slice(&words));
        context.queue.write_buffer(self.lists.candidates.get(), 0, bytemuck::cast_slice(&candidates));
        self.look_at_candidates(recorder, [count; 2]);
        let bytes = size_of::<CullCounters>() as u64;
        let counters: CullCounters =
            recorder.read(&[(self.counters.get(), bytes)], bytemuck::pod_read_unaligned)?;
        let mut found = Vec::new();
        self.read_found(recorder, counters.found, &mut found)?;
        let mut verdicts = vec![Verdict::Apart; pairs.len()];
        for pair in found {
            let verdict = if pair.doubtful { Verdict::Doubtful } else { Verdict::Touch };
            verdicts[pair.a as usize / 2] = verdict;
        }
        Ok(verdicts)
    }

    /// What `settle.wgsl` says about every pair, of a body that stands there, with its coordinates in doubles or in floats.
    pub(crate) fn settle(
        &mut self,
        recorder: &mut Recorder,
        pairs: &[[Elsewhere; 2]],
        pose: &Pose,
        as_floats: bool,
    ) -> Result<Vec<Verdict>, GpuError> {
        self.settle.judge(recorder, pairs, pose, as_floats)
    }

    /// The stages from candidates to what is found, of no more than so many candidates and tests.
    pub(super) fn look_at_candidates(&self, recorder: &mut Recorder, [candidates, tests]: [u32; 2]) {
        let (lists, counters) = (&self.lists, self.counters.get());
        self.tell(recorder);
        let glanced = [
            (0, &self.entry),
            (1, &self.told),
            (2, lists.records.get()),
            (3, lists.candidates.get()),
            (4, lists.tests.get()),
            (5, lists.found.get()),
            (6, counters),
        ];
        self.glance.run(recorder, &glanced, threads(candidates, 1));
        self.tell(recorder);
        let decided = [
            (0, &self.entry),
            (1, &self.told),
            (2, lists.records.get()),
            (3, lists.tests.get()),
            (4, lists.found.get()),
            (5, counters),
        ];
        self.decide.run(recorder, &decided, threads(tests, 1));
    }
}

/// A record as `shared/record.wgsl` has it, with a number of its own for its triangle. It is in no cell.
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
