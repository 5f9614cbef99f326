//! Records the commands of a frame, stage by stage, and their times.

use super::Context;
use super::buffers::Readback;
use crate::error::GpuError;
use impinge::contacts::RayStats;
use std::time::{Duration, Instant};
use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoder, QuerySet};

/// Stages that are timed separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Project,
    Sample,
    Merge,
    Separate,
    Pack,
}

/// Time of every stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Upload of external bodies (by GPU timestamps), and vertices to image coordinates.
    pub project: Duration,
    /// Collision rays.
    pub sample: Duration,
    /// Boxes of ray bundles.
    pub merge: Duration,
    /// Rectangles of triangles.
    pub separate: Duration,
    /// Stream compaction, and, by the wall clock, reading back.
    pub pack: Duration,
}

impl StageTimes {
    /// The sum of all stages.
    pub fn total(&self) -> Duration {
        self.project + self.sample + self.merge + self.separate + self.pack
    }

    /// Into the counts of a method.
    pub(crate) fn tell(&self, stats: &mut RayStats) {
        (stats.project, stats.sample, stats.merge) = (self.project, self.sample, self.merge);
        (stats.separate, stats.pack) = (self.separate, self.pack);
    }

    fn of(&mut self, stage: Stage) -> &mut Duration {
        match stage {
            Stage::Project => &mut self.project,
            Stage::Sample => &mut self.sample,
            Stage::Merge => &mut self.merge,
            Stage::Separate => &mut self.separate,
            Stage::Pack => &mut self.pack,
        }
    }
}

/// Passes that can be timed between two read-backs; later ones are not.
const MAX_TIMED_PASSES: u32 = 256;

#[derive(Debug)]
struct Clocks {
    queries: QuerySet,
    resolved: Buffer,
    /// Nanoseconds per tick.
    period: f32,
}

/// Collects the commands of a frame.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) context: Context,
    /// Whether to wait after every stage, for wall-clock times.
    pub(crate) fence: bool,
    /// Wall-clock waiting time per stage.
    pub(crate) waited: StageTimes,
    /// GPU time per stage, if the device has timestamps.
    pub(crate) measured: StageTimes,
    encoder: Option<CommandEncoder>,
    readback: Readback,
    clocks: Option<Clocks>,
    stage: Stage,
    passes: Vec<Stage>,
    last: Instant,
}

impl Recorder {
    pub(crate) fn new(context: &Context) -> Self {
        let clocks = context.has_timestamps().then(|| Clocks {
            queries: context.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stage times"),
                ty: wgpu::QueryType::Timestamp,
                count: 2 * MAX_TIMED_PASSES,
            }),
            resolved: context.device.create_buffer(&BufferDescriptor {
                label: Some("stage times"),
                size: u64::from(2 * MAX_TIMED_PASSES) * 8,
                usage: BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            period: context.queue.get_timestamp_period(),
        });
        Self {
            context: context.clone(),
            fence: false,
            waited: StageTimes::default(),
            measured: StageTimes::default(),
            encoder: None,
            readback: Readback::new(),
            clocks,
            stage: Stage::Project,
            passes: Vec::new(),
            last: Instant::now(),
        }
    }

    /// Starts a frame, dropping what a failed one left.
    pub(crate) fn begin(&mut self) {
        self.encoder = None;
        self.readback = Readback::new();
        self.passes.clear();
        self.waited = StageTimes::default();
        self.measured = StageTimes::default();
        self.stage = Stage::Project;
        self.last = Instant::now();
    }

    /// Starts a stage; the time before it counts for none.
    pub(crate) fn restart(&mut self, stage: Stage) {
        self.last = Instant::now();
        self.stage = stage;
    }

    /// Starts a stage.
    pub(crate) fn stage(&mut self, stage: Stage) -> Result<(), GpuError> {
        if self.fence
            && let Some(encoder) = self.encoder.take()
        {
            self.context.queue.submit([encoder.finish()]);
            self.context.wait()?;
        }
        self.lap();
        self.stage = stage;
        Ok(())
    }

    fn lap(&mut self) {
        let now = Instant::now();
        *self.waited.of(self.stage) += now - self.last;
        self.last = now;
    }

    /// The command encoder.
    pub(crate) fn encoder(&mut self) -> &mut CommandEncoder {
        let device = &self.context.device;
        self.encoder
            .get_or_insert_with(|| device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default()))
    }

    /// The command encoder, for one pass, and the index of its first timestamp; its end is the next.
    pub(crate) fn pass(&mut self) -> (&mut CommandEncoder, Option<(&QuerySet, u32)>) {
        let begin = 2 * self.passes.len() as u32;
        let device = &self.context.device;
        let encoder = self
            .encoder
            .get_or_insert_with(|| device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default()));
        let free = begin < 2 * MAX_TIMED_PASSES;
        let timestamps = self.clocks.as_ref().filter(|_| free).map(|clocks| (&clocks.queries, begin));
        if timestamps.is_some() {
            self.passes.push(self.stage);
        }
        (encoder, timestamps)
    }

    /// Submits everything and reads the beginnings of buffers, one after the other.
    pub(crate) fn read<T>(
        &mut self,
        sources: &[(&Buffer, u64)],
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, GpuError> {
        self.encoder();
        let Some(mut encoder) = self.encoder.take() else { return Err(GpuError::TooMany) };
        let mut sources = sources.to_vec();
        let told: u64 = sources.iter().map(|(_, bytes)| bytes).sum();
        if let Some(clocks) = self.clocks.as_ref().filter(|_| !self.passes.is_empty()) {
            let count = 2 * self.passes.len() as u32;
            encoder.resolve_query_set(&clocks.queries, 0..count, &clocks.resolved, 0);
            sources.push((&clocks.resolved, u64::from(count) * 8));
        }
        let mut ticks: Vec<u64> = Vec::new();
        let taken = self.readback.read(&self.context, encoder, &sources, |bytes| {
            let (told, times) = bytes.split_at(told as usize);
            ticks.extend(times.chunks_exact(8).map(bytemuck::pod_read_unaligned::<u64>));
            take(told)
        })?;
        let period = self.clocks.as_ref().map_or(0.0, |clocks| f64::from(clocks.period));
        for (stage, time) in self.passes.drain(..).zip(ticks.chunks_exact(2)) {
            let nanoseconds = time[1].saturating_sub(time[0]) as f64 * period;
            *self.measured.of(stage) += Duration::from_nanos(nanoseconds as u64);
        }
        self.lap();
        Ok(taken)
    }
}

/// What stands first in a buffer.
pub(crate) fn read_first<T: bytemuck::AnyBitPattern>(
    recorder: &mut Recorder,
    buffer: &Buffer,
) -> Result<T, GpuError> {
    recorder.read(&[(buffer, size_of::<T>() as u64)], bytemuck::pod_read_unaligned)
}

/// The first `bytes` bytes of a buffer as items.
pub(crate) fn read<T: bytemuck::AnyBitPattern>(
    recorder: &mut Recorder,
    buffer: &Buffer,
    bytes: u64,
) -> Result<Vec<T>, GpuError> {
    recorder.read(&[(buffer, bytes)], |bytes| {
        bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
    })
}

/// The timestamps of a render pass.
pub(super) fn writes((query_set, begin): (&wgpu::QuerySet, u32)) -> wgpu::RenderPassTimestampWrites<'_> {
    wgpu::RenderPassTimestampWrites {
        query_set,
        beginning_of_pass_write_index: Some(begin),
        end_of_pass_write_index: Some(begin + 1),
    }
}
