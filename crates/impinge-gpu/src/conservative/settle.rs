//! `settle.wgsl`: exact arithmetic on the device, where floats leave more pairs in doubt than a CPU should be asked about: faces that
//! coincide, where every sign is zero. Positions go to the device in doubles once it is needed, and stay there while they are the same.

use super::Given;
use crate::buffers::Grown;
use crate::depth_peel::uniform;
use crate::device::Context;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::layout::{CullCounters, SettlingEntry, StandingEntry};
use crate::recorder::Recorder;
use crate::shaders;
use impinge::{BodyId, Version};
use wgpu::{Buffer, BufferUsages};

/// With more than one candidate of so many in doubt, the device settles them; fewer are told on the CPU before the device had begun.
const FEW_DOUBTS: u32 = 200;

/// Bytes of a vertex in doubles.
const VERTEX: u64 = 24;

/// `settling.turns`: any number that a shader cannot know.
const TURNS: u32 = 4;

/// Where the coordinates of a body are: `AS_DOUBLES` and so on of `settle.wgsl`.
#[derive(Clone, Copy, Debug)]
enum Source {
    Nowhere,
    Doubles,
    Floats,
}

/// Positions of one body in doubles: whose, which, and where they begin.
type Kept = (BodyId, Version, u32);

/// Kernel and buffers of the stage.
#[derive(Debug)]
pub(super) struct Settle {
    kernel: Kernel,
    entry: Buffer,
    standings: Grown,
    doubles: Grown,
    there: Vec<Option<Kept>>,
}

impl Settle {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            kernel: Kernel::new(context, shaders::SETTLE, "settle", 64),
            entry: uniform(context, "pairs in doubt", size_of::<SettlingEntry>() as u64),
            standings: Grown::new("where bodies stand, in doubles", BufferUsages::empty()),
            doubles: Grown::new("vertices in doubles", BufferUsages::empty()),
            there: Vec::new(),
        }
    }

    pub(super) fn forget(&mut self) {
        self.there.clear();
        self.standings.forget();
        self.doubles.forget();
    }

    /// Whether the device should settle what stages left in doubt.
    pub(super) fn is_worth_it(counters: &CullCounters) -> bool {
        u64::from(counters.doubts) * u64::from(FEW_DOUBTS) > u64::from(counters.noted)
    }

    /// Settles what was found, in place: pairs that touch lose their mark, those apart become nothing.
    pub(super) fn run(
        &mut self,
        recorder: &mut Recorder,
        given: &Given,
        found: &Buffer,
        count: u32,
    ) -> Result<(), GpuError> {
        let context = recorder.context.clone();
        let vertices = impinge::image_space::gather::totals(given.members)[0];
        let bytes = u64::from(vertices) * VERTEX;
        let holds_all = bytes <= super::lists::longest(&context);
        if self.doubles.hold(&context, if holds_all { bytes } else { 0 })? {
            self.there.clear();
        }
        self.there.resize(given.members.len(), None);
        let ours = given.members.len() - given.external;
        let mut standings = Vec::with_capacity(given.members.len());
        for (index, (member, party)) in given.members.iter().zip(&given.run.parties).enumerate() {
            // What stood elsewhere may have been written over.
            let stays = |kept: &Kept| (kept.0, kept.2) == (member.id, member.first_vertex);
            self.there[index] = self.there[index].filter(stays);
            let body = given.scene.body(member.id).filter(|_| party.is_active());
            let Some(body) = body else {
                standings.push(standing(None, Source::Nowhere));
                continue;
            };
            let source = match index < ours {
                true if holds_all => Source::Doubles,
                true => Source::Nowhere,
                false => Source::Floats,
            };
            standings.push(standing(Some(body.pose()), source));
            let wanted = (member.id, body.positions_version(), member.first_vertex);
            if matches!(source, Source::Doubles) && self.there[index] != Some(wanted) {
                let doubles: Vec<[f64; 3]> = body.mesh().positions().iter().collect();
                let at = u64::from(member.first_vertex) * VERTEX;
                context.queue.write_buffer(self.doubles.get(), at, bytemuck::cast_slice(&doubles));
                self.there[index] = Some(wanted);
            }
        }
        self.standings.hold(&context, size_of_val(&standings[..]) as u64)?;
        let entry = SettlingEntry { count, turns: TURNS, ..SettlingEntry::default() };
        context.queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&entry));
        context.queue.write_buffer(self.standings.get(), 0, bytemuck::cast_slice(&standings));
        let buffers = [
            (0, &self.entry),
            (1, self.standings.get()),
            (2, given.bodies.triangles.get()),
            (3, given.bodies.positions.get()),
            (4, self.doubles.get()),
            (5, found),
        ];
        self.kernel.run(recorder, &buffers, count);
        Ok(())
    }
}

fn standing(pose: Option<&impinge::Pose>, source: Source) -> StandingEntry {
    let rows = pose.map_or([[0.0; 4]; 3], |pose| *pose.rows());
    let words = |k: usize| {
        let bits = rows[k / 4][k % 4].to_bits();
        [bits as u32, (bits >> 32) as u32]
    };
    StandingEntry { rows: std::array::from_fn(words), source: source as u32, padding: 0 }
}
