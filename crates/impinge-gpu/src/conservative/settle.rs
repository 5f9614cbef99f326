//! `place_exactly.wgsl` and `settle.wgsl`: exact arithmetic on the device, where floats leave more pairs in doubt than a CPU should
//! be asked about: faces that coincide, where every sign is zero. Positions go to the device in doubles once it is needed, and
//! stay there while they are the same.

use super::Given;
use crate::buffers::Grown;
use crate::depth_peel::uniform;
use crate::device::Context;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::layout::{CullCounters, SettlingEntry, StandingEntry};
use crate::recorder::Recorder;
use crate::shaders;
use impinge::stages::grid::Elsewhere;
use impinge::stages::grid::signs::Verdict;
use impinge::{BodyId, Pose, Version};
use wgpu::{Buffer, BufferUsages};

/// With more than one candidate of so many in doubt, the device settles them; fewer are told on the CPU before it had begun.
const FEW_DOUBTS: u32 = 125;

/// Fewer than so many are told on the CPU the first time: before the device could begin, it would have to be told how to.
const FEW_AT_FIRST: u32 = 1000;

/// Bytes of a vertex in doubles.
const VERTEX: u64 = 24;

/// `settling.turns`: any number that a shader cannot know.
const TURNS: u32 = 4;

/// Where the coordinates of a body are: `AS_DOUBLES` and so on of `place_exactly.wgsl`.
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
    /// Placing and settling; made when they are needed first.
    kernels: Option<[Kernel; 2]>,
    entry: Buffer,
    standings: Grown,
    doubles: Grown,
    placed: Grown,
    there: Vec<Option<Kept>>,
    /// Whether it was worth it before.
    was_worth_it: bool,
}

impl Settle {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            kernels: None,
            entry: uniform(context, "pairs in doubt", size_of::<SettlingEntry>() as u64),
            standings: Grown::new("where bodies stand, in doubles", BufferUsages::empty()),
            doubles: Grown::new("vertices in doubles", BufferUsages::empty()),
            placed: Grown::new("vertices in the world, in doubles", BufferUsages::empty()),
            there: Vec::new(),
            was_worth_it: false,
        }
    }

    pub(super) fn forget(&mut self) {
        self.there.clear();
        self.standings.forget();
        self.doubles.forget();
        self.placed.forget();
    }

    /// Whether the device should settle what stages left in doubt.
    pub(super) fn is_worth_it(&mut self, counters: &CullCounters) -> bool {
        let are_many = u64::from(counters.doubts) * u64::from(FEW_DOUBTS) > u64::from(counters.noted);
        let is_first = are_many && !std::mem::replace(&mut self.was_worth_it, true);
        are_many && !(is_first && counters.doubts < FEW_AT_FIRST)
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
        let vertices = impinge::stages::gather::totals(given.members)[0];
        let bytes = u64::from(vertices) * VERTEX;
        let of_bodies = (given.members.len() * size_of::<StandingEntry>()) as u64;
        if bytes.max(of_bodies) > super::lists::longest(&context) {
            // The CPU tells.
            return Ok(());
        }
        if self.doubles.hold(&context, bytes)? {
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
            let source = if index < ours { Source::Doubles } else { Source::Floats };
            standings.push(standing(Some(body.pose()), source));
            let wanted = (member.id, body.positions_version(), member.first_vertex);
            if matches!(source, Source::Doubles) && self.there[index] != Some(wanted) {
                let doubles: Vec<[f64; 3]> = body.mesh().positions().iter().collect();
                let at = u64::from(member.first_vertex) * VERTEX;
                context.queue.write_buffer(self.doubles.get(), at, bytemuck::cast_slice(&doubles));
                self.there[index] = Some(wanted);
            }
        }
        let bodies = given.bodies;
        let buffers = [bodies.triangles.get(), bodies.positions.get(), found];
        self.dispatch(recorder, &standings, buffers, [vertices, count])
    }

    /// The stage, for so many vertices and pairs of triangles of bodies that stand there. `self.doubles` holds what it should.
    fn dispatch(
        &mut self,
        recorder: &mut Recorder,
        standings: &[StandingEntry],
        [triangles, positions, found]: [&Buffer; 3],
        [vertices, count]: [u32; 2],
    ) -> Result<(), GpuError> {
        let context = recorder.context.clone();
        self.standings.hold(&context, size_of_val(standings) as u64)?;
        let entry = SettlingEntry { count, turns: TURNS, ..SettlingEntry::default() };
        context.queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&entry));
        context.queue.write_buffer(self.standings.get(), 0, bytemuck::cast_slice(standings));
        self.placed.hold(&context, u64::from(vertices) * VERTEX)?;
        let [place, settle] = self.kernels.get_or_insert_with(|| {
            [
                Kernel::new(&context, shaders::PLACE_EXACTLY, "place_exactly", 64),
                Kernel::new(&context, shaders::SETTLE, "settle", 64),
            ]
        });
        let placed = self.placed.get();
        let placing = [(0, self.standings.get()), (1, positions), (2, self.doubles.get()), (3, placed)];
        place.run(recorder, &placing, vertices);
        settle.run(recorder, &[(0, &self.entry), (1, triangles), (2, placed), (3, found)], count);
        Ok(())
    }

    /// What the stage says about pairs of triangles that somebody else made, of a body that stands there: for tests.
    pub(super) fn judge(
        &mut self,
        recorder: &mut Recorder,
        pairs: &[[Elsewhere; 2]],
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
            // Corners with one name are one vertex.
            let vertex = |name: &u32| named.iter().position(|other| other == name).unwrap_or(0) as u32;
            triangles.extend(named.iter().map(|name| first + vertex(name)));
        }
        let found: Vec<[u32; 2]> = (0..count).map(|pair| [(2 * pair) | (1 << 31), 2 * pair + 1]).collect();
        let held = |what, usage, bytes: &[u8]| -> Result<Grown, GpuError> {
            let mut buffer = Grown::new(what, usage);
            buffer.hold(&context, bytes.len() as u64)?;
            context.queue.write_buffer(buffer.get(), 0, bytes);
            Ok(buffer)
        };
        let none = BufferUsages::empty();
        let triangles = held("triangles to be judged", none, bytemuck::cast_slice(&triangles))?;
        let positions = held("vertices to be judged", none, bytemuck::cast_slice(&floats))?;
        let found = held("pairs to be judged", BufferUsages::COPY_SRC, bytemuck::cast_slice(&found))?;
        self.doubles.hold(&context, size_of_val(&corners[..]) as u64)?;
        context.queue.write_buffer(self.doubles.get(), 0, bytemuck::cast_slice(&corners));
        self.there.clear();
        let source = if as_floats { Source::Floats } else { Source::Doubles };
        let buffers = [triangles.get(), positions.get(), found.get()];
        self.dispatch(recorder, &[standing(Some(pose), source)], buffers, [6 * count, count])?;
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

fn standing(pose: Option<&Pose>, source: Source) -> StandingEntry {
    let rows = pose.map_or([[0.0; 4]; 3], |pose| *pose.rows());
    let words = |k: usize| {
        let bits = rows[k / 4][k % 4].to_bits();
        [bits as u32, (bits >> 32) as u32]
    };
    StandingEntry { rows: std::array::from_fn(words), source: source as u32, padding: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every two doubles their product and their sum, and the float of each word as a double.
    const ENTRY: &str = "
@group(0) @binding(0) var<storage, read> given: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> made: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> widened: array<vec4<u32>>;
@compute @workgroup_size(64)
fn arithmetic(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&given)) {
        let both = given[id.x];
        made[id.x] = vec4(times(both.xy, both.zw), plus(both.xy, both.zw));
        widened[id.x] = vec4(doubled(both.x), doubled(both.z));
    }
}";

    const NOT_A_NUMBER: [u32; 2] = [0, 0x7ff8_0000];

    /// What the shader should say: nothing that is too small, too large, or no number.
    fn expected(x: f64) -> [u32; 2] {
        if x == 0.0 || x.is_normal() { words(x) } else { NOT_A_NUMBER }
    }

    fn words(x: f64) -> [u32; 2] {
        [x.to_bits() as u32, (x.to_bits() >> 32) as u32]
    }

    #[test]
    fn doubles_are_rounded_as_processors_round_them() {
        if std::env::var_os("IMPINGE_NO_GPU").is_some() {
            return;
        }
        let context = Context::new().unwrap();
        let mut state = 1u64;
        let mut bits = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 17) ^ (state << 13)
        };
        let mut given: Vec<[f64; 2]> = Vec::new();
        for round in 0..60_000u64 {
            let (a, b) = (bits(), bits());
            // Few digits make ties; exponents far apart, near each other, and at the ends of the range.
            let digits = [!0, !0 << 26, !0 << 40, !0 << 51][round as usize % 4];
            let (e, apart) = (900 + a % 250, [b % 3, b % 70, 2 * (b % 700), b % 55][round as usize / 4 % 4]);
            let e = if round % 50 == 49 { [1, 2040][round as usize / 50 % 2] + a % 6 } else { e };
            let double = |bits: u64, e: u64| f64::from_bits((bits & digits & !(0x7ff << 52)) | (e << 52));
            let (x, y) = (double(a, e), double(b, e.saturating_sub(apart)));
            given.push([x, y]);
            given.push([x, -x]);
            given.push([x, if round % 2 == 0 { -x.next_up() } else { x.next_down() }]);
        }
        given.extend([
            [0.0, -0.0],
            [1.0, 0.0],
            [0.0, 3.5],
            [f64::INFINITY, 1.0],
            [f64::NAN, 0.0],
            [5e-324, 1.0],
        ]);
        let count = given.len() as u64;
        let source = format!("{}{ENTRY}", include_str!("../../shaders/shared/doubles.wgsl"));
        let kernel = Kernel::new(&context, source, "arithmetic", 64);
        let mut recorder = Recorder::new(&context);
        let mut buffers = [(); 3].map(|()| Grown::new("doubles", BufferUsages::COPY_SRC));
        for buffer in &mut buffers {
            buffer.hold(&context, count * 16).unwrap();
        }
        let [from, made, widened] = &buffers;
        context.queue.write_buffer(from.get(), 0, bytemuck::cast_slice(&given));
        recorder.begin();
        kernel.run(&mut recorder, &[(0, from.get()), (1, made.get()), (2, widened.get())], count as u32);
        let read = |bytes: &[u8]| -> Vec<[[u32; 2]; 2]> {
            bytes.chunks_exact(16).map(bytemuck::pod_read_unaligned).collect()
        };
        let list = [(made.get(), count * 16), (widened.get(), count * 16)];
        let told = recorder.read(&list, read).unwrap();
        let (made, widened) = told.split_at(given.len());
        let is_ordinary = |x: f64| x == 0.0 || x.is_normal();
        let same = |told: [u32; 2], want: [u32; 2]| {
            told == want || told[1] << 1 | told[0] == 0 && want[1] << 1 | want[0] == 0
        };
        for (([x, y], [product, sum]), [wide_x, wide_y]) in given.iter().zip(made).zip(widened) {
            let both = is_ordinary(*x) && is_ordinary(*y);
            let of = |z: f64| expected(if both { z } else { f64::NAN });
            // A product that became 0, or hardly a number, is none.
            let is_lost = (x * y).abs() <= f64::MIN_POSITIVE && *x != 0.0 && *y != 0.0;
            let product_of = if is_lost { NOT_A_NUMBER } else { of(x * y) };
            assert!(same(*product, product_of), "{x:e} * {y:e} is not {product:x?}");
            assert!(same(*sum, of(x + y)), "{x:e} + {y:e} is not {sum:x?}");
            for (from, wide) in [(x, wide_x), (y, wide_y)] {
                let float = f32::from_bits(words(*from)[0]);
                let ordinary = float == 0.0 || float.is_normal();
                let want = if ordinary { expected(f64::from(float)) } else { expected(f64::NAN) };
                assert_eq!(*wide, want, "{float:e}");
            }
        }
    }
}
