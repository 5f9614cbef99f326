//! `place_exactly.wgsl` and `exact_signs.wgsl`: exact arithmetic on the device, where floats leave too many
//! pairs in doubt for the CPU: coincident faces, where every sign is zero. Positions are uploaded in doubles
//! on first use, and stay there while they are unchanged.

use super::RunInput;
use crate::device::{Context, Growable, Kernel, Recorder, uniform};
use crate::error::GpuError;
use crate::layout::{CullCounters, ExactSignsEntry, PoseEntry};
use crate::shaders;
use impinge::{BodyId, Pose, Version};
use wgpu::{Buffer, BufferUsages};

/// With more than one doubtful pair per this many candidates, the device decides them; fewer are done on the
/// CPU sooner.
const MAX_CANDIDATES_PER_DOUBT: u32 = 125;

/// The first time, fewer than this are done on the CPU: compiling the shaders and uploading doubles takes
/// longer.
const MIN_FIRST_DOUBTS: u32 = 1000;

/// Bytes of a vertex in doubles.
const VERTEX: u64 = 24;

/// `task.turns`: a number that the shader compiler cannot know.
const TURNS: u32 = 4;

/// The representation of a body's coordinates: `AS_DOUBLES` and so on of `place_exactly.wgsl`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Nowhere,
    Doubles,
    Floats,
}

/// Uploaded positions of one body in doubles: body, version, first vertex.
pub(super) type UploadedDoubles = (BodyId, Version, u32);

/// Kernel and buffers of the stage.
#[derive(Debug)]
pub(super) struct ExactSigns {
    /// Placement and signs; created on first use.
    kernels: Option<[Kernel; 2]>,
    entry: Buffer,
    poses: Growable,
    pub(super) doubles: Growable,
    placed: Growable,
    pub(super) uploaded: Vec<Option<UploadedDoubles>>,
    /// Whether the device was used before.
    paid_off: bool,
}

impl ExactSigns {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            kernels: None,
            entry: uniform(context, "pairs in doubt", size_of::<ExactSignsEntry>() as u64),
            poses: Growable::new("where bodies stand, in doubles", BufferUsages::empty()),
            doubles: Growable::new("vertices in doubles", BufferUsages::empty()),
            placed: Growable::new("vertices in the world, in doubles", BufferUsages::empty()),
            uploaded: Vec::new(),
            paid_off: false,
        }
    }

    pub(super) fn forget(&mut self) {
        self.uploaded.clear();
        self.poses.forget();
        self.doubles.forget();
        self.placed.forget();
    }

    /// Whether the device should decide the doubtful pairs.
    pub(super) fn pays_off(&mut self, counters: &CullCounters) -> bool {
        let are_many =
            u64::from(counters.doubts) * u64::from(MAX_CANDIDATES_PER_DOUBT) > u64::from(counters.noted);
        let is_first = are_many && !std::mem::replace(&mut self.paid_off, true);
        are_many && !(is_first && counters.doubts < MIN_FIRST_DOUBTS)
    }

    /// Decides the pairs found, in place: contacts lose their mark, pairs apart are cleared.
    pub(super) fn run(
        &mut self,
        recorder: &mut Recorder,
        input: &RunInput,
        found: &Buffer,
        count: u32,
    ) -> Result<(), GpuError> {
        let context = recorder.context.clone();
        let vertices = impinge::stages::gather::totals(input.members)[0];
        let bytes = u64::from(vertices) * VERTEX;
        let of_bodies = (input.members.len() * size_of::<PoseEntry>()) as u64;
        if bytes.max(of_bodies) > context.max_binding() {
            // Left to the CPU.
            return Ok(());
        }
        if self.doubles.reserve(&context, bytes)? {
            self.uploaded.clear();
        }
        self.uploaded.resize(input.members.len(), None);
        let ours = input.members.len() - input.external;
        let mut poses = Vec::with_capacity(input.members.len());
        for (index, (member, in_region)) in input.members.iter().zip(&input.run.bodies).enumerate() {
            // At another offset the data may have been overwritten.
            let stays =
                |uploaded: &UploadedDoubles| (uploaded.0, uploaded.2) == (member.id, member.first_vertex);
            self.uploaded[index] = self.uploaded[index].filter(stays);
            let body = input.scene.body(member.id).filter(|_| in_region.is_active());
            let Some(body) = body else {
                poses.push(pose_entry(None, Source::Nowhere));
                continue;
            };
            let source = if index < ours { Source::Doubles } else { Source::Floats };
            poses.push(pose_entry(Some(body.pose()), source));
            let wanted = (member.id, body.positions_version(), member.first_vertex);
            if matches!(source, Source::Doubles) && self.uploaded[index] != Some(wanted) {
                let doubles: Vec<[f64; 3]> = body.mesh().positions().iter().collect();
                let at = u64::from(member.first_vertex) * VERTEX;
                context.queue.write_buffer(self.doubles.get(), at, bytemuck::cast_slice(&doubles));
                self.uploaded[index] = Some(wanted);
            }
        }
        let bodies = input.bodies;
        let buffers = [bodies.triangles.get(), bodies.positions.get(), found];
        self.dispatch(recorder, &poses, buffers, [vertices, count])
    }

    /// The dispatches for these vertices and pairs, of bodies at these poses. `self.doubles` is up to date.
    pub(super) fn dispatch(
        &mut self,
        recorder: &mut Recorder,
        poses: &[PoseEntry],
        [triangles, positions, found]: [&Buffer; 3],
        [vertices, count]: [u32; 2],
    ) -> Result<(), GpuError> {
        let context = recorder.context.clone();
        let entry = ExactSignsEntry { count, turns: TURNS, ..ExactSignsEntry::default() };
        context.queue.write_buffer(&self.entry, 0, bytemuck::bytes_of(&entry));
        self.poses.fill(&context, poses)?;
        self.placed.reserve(&context, u64::from(vertices) * VERTEX)?;
        let [place, signs] = self.kernels.get_or_insert_with(|| {
            [
                Kernel::new(&context, shaders::PLACE_EXACTLY, "place_exactly", 64),
                Kernel::new(&context, shaders::EXACT_SIGNS, "exact_signs", 64),
            ]
        });
        let placed = self.placed.get();
        let placing = [(0, self.poses.get()), (1, positions), (2, self.doubles.get()), (3, placed)];
        place.run(recorder, &placing, vertices);
        signs.run(recorder, &[(0, &self.entry), (1, triangles), (2, placed), (3, found)], count);
        Ok(())
    }
}

pub(super) fn pose_entry(pose: Option<&Pose>, source: Source) -> PoseEntry {
    let rows = pose.map_or([[0.0; 4]; 3], |pose| *pose.rows());
    let words = |k: usize| {
        let bits = rows[k / 4][k % 4].to_bits();
        [bits as u32, (bits >> 32) as u32]
    };
    PoseEntry { rows: std::array::from_fn(words), source: source as u32, padding: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every two doubles their product and their sum, and the float of each low word as a double.
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

    /// The expected result: subnormal numbers, infinities and NaN are `NOT_A_NUMBER`.
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
        let source = format!("{}{ENTRY}", include_str!("../../../shaders/grid/shared/doubles.wgsl"));
        let kernel = Kernel::new(&context, source, "arithmetic", 64);
        let mut recorder = Recorder::new(&context);
        let mut buffers = [(); 3].map(|()| Growable::new("doubles", BufferUsages::COPY_SRC));
        for buffer in &mut buffers {
            buffer.reserve(&context, count * 16).unwrap();
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
        let same = |made: [u32; 2], want: [u32; 2]| {
            made == want || made[1] << 1 | made[0] == 0 && want[1] << 1 | want[0] == 0
        };
        for (([x, y], [product, sum]), [wide_x, wide_y]) in given.iter().zip(made).zip(widened) {
            let both = is_ordinary(*x) && is_ordinary(*y);
            let of = |z: f64| expected(if both { z } else { f64::NAN });
            // A product that underflows is none.
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
