//! Draws two bodies into planes of bits with `place.wgsl`, `cover.wgsl` or `sample.wgsl`, and finds what they share with
//! `planes.wgsl` (Dinerstein, Egbert 2002). The definition of every stage is `impinge::stages::overlap_cells`.

mod inspect;

pub use inspect::SliceInspection;

use crate::bodies::Bodies;
use crate::buffers::Grown;
use crate::depth_peel::uniform;
use crate::device::Context;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::layout::{PlotEntry, SharedEntry};
use crate::recorder::{Recorder, Stage};
use crate::shaders;
use impinge::stages::gather::{Member, totals};
use impinge::stages::overlap_cells::draw::{stretch, trusted};
use impinge::stages::overlap_cells::{Draw, Fill, Grid, Plot, Seen, Shared};
use impinge::{Point, Scene, Version};
use std::num::NonZeroU64;
use wgpu::{BindingResource, Buffer, BufferUsages};

/// Distance between uniforms in one buffer, as every device takes it.
const STRIDE: u64 = 256;

/// Most strokes of one submission: a long path is drawn in parts.
const STROKES: usize = 512;

/// Workgroups that share the large triangles.
const LARGE_GROUPS: u32 = 64;

/// Kernels and buffers of the method.
#[derive(Debug)]
pub(crate) struct DepthSlices {
    place: Kernel,
    cover: Kernel,
    cover_large: Kernel,
    sample: Kernel,
    sample_large: Kernel,
    share: Kernel,
    enumerate: Kernel,
    uniforms: Option<Buffer>,
    placed: Grown,
    normals: Grown,
    /// Of which bodies normals were uploaded.
    with_normals: Vec<(u32, Version)>,
    bits: Grown,
    large: Grown,
    found: Grown,
    list: Grown,
    last: Option<Drawn>,
    pub(crate) bytes_read_back: usize,
}

/// What was drawn last.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    /// The uniform that shares cells.
    entry: PlotEntry,
    grid: Grid,
    /// How many cells it found.
    cells: u64,
    wide: [f32; 3],
    fill: Fill,
    parties: [Member; 2],
    vertices: u32,
    swept: bool,
}

/// One body of a plot, at one step of its path.
struct Stroke {
    entry: PlotEntry,
    /// Whether it only places vertices, for the next to go on from.
    places_only: bool,
}

/// What draws for the CPU's flow.
pub(crate) struct Pen<'a> {
    pub(crate) slices: &'a mut DepthSlices,
    recorder: &'a mut Recorder,
    bodies: &'a Bodies,
    members: &'a [Member],
}

impl<'a> Pen<'a> {
    /// For one call; compiles the shaders when there are none yet.
    pub(crate) fn new(
        slices: &'a mut Option<Box<DepthSlices>>,
        recorder: &'a mut Recorder,
        bodies: &'a Bodies,
        members: &'a [Member],
    ) -> Self {
        let slices = slices.get_or_insert_with(|| Box::new(DepthSlices::new(&recorder.context)));
        slices.last = None;
        slices.bytes_read_back = 0;
        Self { slices, recorder, bodies, members }
    }
}

impl Draw for Pen<'_> {
    type Error = GpuError;

    fn draw(&mut self, scene: &Scene, plot: &Plot, normals: [&[Point]; 2]) -> Result<Shared, GpuError> {
        self.slices.draw(self.recorder, self.bodies, self.members, scene, plot, normals)
    }

    fn cells(&mut self, most: usize) -> Result<Vec<[u32; 3]>, GpuError> {
        self.slices.cells(self.recorder, most)
    }
}

impl DepthSlices {
    pub(crate) fn new(context: &Context) -> Self {
        let read = BufferUsages::COPY_SRC;
        let kernel = |source, entry| Kernel::new(context, source, entry, 64);
        Self {
            place: kernel(shaders::PLACE, "place"),
            cover: kernel(shaders::COVER, "cover"),
            cover_large: kernel(shaders::COVER, "cover_large"),
            sample: kernel(shaders::SAMPLE, "sample"),
            sample_large: kernel(shaders::SAMPLE, "sample_large"),
            share: kernel(shaders::PLANES, "share"),
            enumerate: kernel(shaders::PLANES, "enumerate"),
            uniforms: None,
            placed: Grown::new("vertices in cells", read),
            normals: Grown::new("normals of vertices", BufferUsages::empty()),
            with_normals: Vec::new(),
            bits: Grown::new("bits of cells", read),
            large: Grown::new("large triangles", BufferUsages::empty()),
            found: Grown::new("shared cells", read),
            list: Grown::new("list of shared cells", read),
            last: None,
            bytes_read_back: 0,
        }
    }

    /// Nothing that was stored or drawn may be relied on.
    pub(crate) fn forget(&mut self) {
        self.uniforms = None;
        self.with_normals.clear();
        self.last = None;
        let buffers = [
            &mut self.placed,
            &mut self.normals,
            &mut self.bits,
            &mut self.large,
            &mut self.found,
            &mut self.list,
        ];
        buffers.into_iter().for_each(Grown::forget);
    }

    fn draw(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        members: &[Member],
        scene: &Scene,
        plot: &Plot,
        normals: [&[Point]; 2],
    ) -> Result<Shared, GpuError> {
        let context = recorder.context.clone();
        let vertices = totals(members)[0];
        let (strokes, wide) = strokes(bodies, members, plot, vertices);
        self.hold(&context, plot, vertices, &strokes)?;
        if plot.offset != 0.0 {
            self.upload_normals(&context, members, scene, plot, normals);
        }
        recorder.stage(Stage::Sample)?;
        let encoder = recorder.encoder();
        encoder.clear_buffer(self.bits.get(), 0, Some(bits_bytes(plot)));
        encoder.clear_buffer(self.found.get(), 0, None);
        for (n, some) in strokes.chunks(STROKES).enumerate() {
            if n > 0 {
                // What is written to a buffer is there before the next submission, so this one comes first.
                recorder.read(&[], |_| ())?;
            }
            self.write_uniforms(&context, plot, some);
            for (k, stroke) in some.iter().enumerate() {
                self.stroke(recorder, bodies, plot, stroke, (k as u64 + 1) * STRIDE);
            }
        }
        let entry = sharing(plot);
        let resources = [(0, self.uniform(0)), (1, whole(&self.bits)), (2, whole(&self.found))];
        self.share.run_with(recorder, resources.into_iter(), plot.grid.cells[1] * 64);
        let bytes = size_of::<SharedEntry>() as u64;
        let shared: SharedEntry =
            recorder.read(&[(self.found.get(), bytes)], bytemuck::pod_read_unaligned)?;
        self.bytes_read_back += bytes as usize;
        let member = |k: usize| members.iter().find(|member| member.id == plot.parties[k].id).copied();
        self.last = member(0).zip(member(1)).map(|(a, b)| Drawn {
            entry,
            grid: plot.grid,
            cells: u64::from(shared.cells),
            wide,
            fill: plot.fill,
            parties: [a, b],
            vertices,
            swept: plot.between,
        });
        Ok(trusted(meaning(&shared), wide))
    }

    /// Room for everything, and the uniforms.
    fn hold(
        &mut self,
        context: &Context,
        plot: &Plot,
        vertices: u32,
        strokes: &[Stroke],
    ) -> Result<(), GpuError> {
        let twice = if plot.between { 2 } else { 1 };
        self.placed.hold(context, twice * u64::from(vertices) * 16)?;
        if plot.offset == 0.0 {
            self.normals.hold(context, 16)?;
        } else if self.normals.hold(context, u64::from(vertices) * 16)? {
            self.with_normals.clear();
        }
        let most = strokes.iter().map(|stroke| stroke.entry.triangles).max().unwrap_or(0);
        self.large.hold(context, (u64::from(most) + 1) * 4)?;
        self.bits.hold(context, bits_bytes(plot))?;
        self.found.hold(context, size_of::<SharedEntry>() as u64 + u64::from(plot.grid.cells[1]) * 4)?;
        let bytes = (strokes.len().min(STROKES) as u64 + 1) * STRIDE;
        if self.uniforms.as_ref().is_none_or(|buffer| buffer.size() < bytes) {
            self.uniforms = Some(uniform(context, "plots", bytes));
        }
        Ok(())
    }

    /// The first tells where the second body's planes begin; then one for each stroke.
    fn write_uniforms(&self, context: &Context, plot: &Plot, strokes: &[Stroke]) {
        let mut entries = vec![0u8; (strokes.len() + 1) * STRIDE as usize];
        let all = [sharing(plot)].into_iter().chain(strokes.iter().map(|stroke| stroke.entry));
        for (place, entry) in entries.chunks_exact_mut(STRIDE as usize).zip(all) {
            place[..size_of::<PlotEntry>()].copy_from_slice(bytemuck::bytes_of(&entry));
        }
        if let Some(buffer) = &self.uniforms {
            context.queue.write_buffer(buffer, 0, &entries);
        }
    }

    /// Normals of the two bodies, where they changed.
    fn upload_normals(
        &mut self,
        context: &Context,
        members: &[Member],
        scene: &Scene,
        plot: &Plot,
        normals: [&[Point]; 2],
    ) {
        for (party, normals) in plot.parties.iter().zip(normals) {
            let (Some(member), Some(body)) =
                (members.iter().find(|member| member.id == party.id), scene.body(party.id))
            else {
                continue;
            };
            let key = (member.first_vertex, body.positions_version());
            // Of a body that lives elsewhere there are none: it is not moved.
            if self.with_normals.contains(&key) {
                continue;
            }
            self.with_normals.retain(|kept| kept.0 != key.0);
            self.with_normals.push(key);
            let normal = |vertex: usize| {
                normals.get(vertex).map_or([0.0; 4], |n| [n[0], n[1], n[2], 0.0].map(|c| c as f32))
            };
            let floats: Vec<[f32; 4]> = (0..member.vertices as usize).map(normal).collect();
            let at = u64::from(member.first_vertex) * 16;
            context.queue.write_buffer(self.normals.get(), at, bytemuck::cast_slice(&floats));
        }
    }

    /// One of the uniforms.
    fn uniform(&self, offset: u64) -> BindingResource<'_> {
        let buffer = self.uniforms.as_ref().expect("every draw makes its uniforms first");
        let size = NonZeroU64::new(size_of::<PlotEntry>() as u64);
        BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size })
    }

    fn stroke(&self, recorder: &mut Recorder, bodies: &Bodies, plot: &Plot, stroke: &Stroke, at: u64) {
        let entry = &stroke.entry;
        let resources = [
            (0, self.uniform(at)),
            (1, whole(&bodies.positions)),
            (2, whole(&self.normals)),
            (3, whole(&self.placed)),
        ];
        self.place.run_with(recorder, resources.into_iter(), entry.vertices);
        if stroke.places_only || entry.triangles == 0 {
            return;
        }
        let drawn = [
            (0, self.uniform(at)),
            (1, whole(&bodies.triangles)),
            (2, whole(&self.placed)),
            (3, whole(&self.bits)),
            (4, whole(&self.large)),
        ];
        let touches = plot.fill == Fill::Touched || entry.flags & PlotEntry::SWEEPS != 0;
        let [small, large] =
            if touches { [&self.cover, &self.cover_large] } else { [&self.sample, &self.sample_large] };
        recorder.encoder().clear_buffer(self.large.get(), 0, Some(4));
        small.run_with(recorder, drawn.clone().into_iter(), entry.triangles);
        large.run_with(recorder, drawn.into_iter(), LARGE_GROUPS * 64);
    }

    /// The first shared cells of what was drawn last, row after row.
    fn cells(&mut self, recorder: &mut Recorder, most: usize) -> Result<Vec<[u32; 3]>, GpuError> {
        let Some(Drawn { entry, cells, .. }) = self.last else { return Ok(Vec::new()) };
        let wanted = cells.min(most as u64);
        if wanted == 0 {
            return Ok(Vec::new());
        }
        self.list.hold(&recorder.context, wanted * 4)?;
        let resources =
            [(0, self.uniform(0)), (1, whole(&self.bits)), (2, whole(&self.found)), (3, whole(&self.list))];
        self.enumerate.run_with(recorder, resources.into_iter(), entry.cells[1]);
        self.bytes_read_back += wanted as usize * 4;
        recorder.read(&[(self.list.get(), wanted * 4)], |bytes| {
            let cell = |packed: u32| [packed & 1023, packed >> 10 & 1023, packed >> 20];
            bytes.chunks_exact(4).map(|word| cell(bytemuck::pod_read_unaligned(word))).collect()
        })
    }
}

fn whole(buffer: &Grown) -> BindingResource<'_> {
    buffer.get().as_entire_binding()
}

/// Words that hold the slices of a pixel.
fn words(plot: &Plot) -> u32 {
    plot.grid.cells[2].div_ceil(32)
}

/// Words of a plane.
fn plane(plot: &Plot) -> u32 {
    plot.grid.cells[0] * plot.grid.cells[1] * words(plot)
}

/// Planes of a body.
fn planes(plot: &Plot) -> u32 {
    if plot.proven { 4 } else { 1 }
}

fn bits_bytes(plot: &Plot) -> u64 {
    2 * u64::from(planes(plot)) * u64::from(plane(plot)) * 4
}

/// What every uniform of a plot has in common.
fn common(plot: &Plot) -> PlotEntry {
    PlotEntry {
        cells: plot.grid.cells,
        words: words(plot),
        plane: plane(plot),
        flags: if plot.proven { PlotEntry::PROVEN } else { 0 },
        ..PlotEntry::default()
    }
}

/// The uniform for what is shared.
fn sharing(plot: &Plot) -> PlotEntry {
    PlotEntry { base: planes(plot) * plane(plot), ..common(plot) }
}

/// Everything that is drawn of a plot, in order, and by how many cells surfaces are widened.
fn strokes(bodies: &Bodies, members: &[Member], plot: &Plot, vertices: u32) -> (Vec<Stroke>, [f32; 3]) {
    let mut strokes = Vec::new();
    let mut reach = [0.0f32; 3];
    let interval = if plot.fill == Fill::Interval { PlotEntry::INTERVAL } else { 0 };
    for (k, party) in plot.parties.iter().enumerate() {
        let Some(index) = members.iter().position(|member| member.id == party.id) else { continue };
        let member = members[index];
        let sweeps = plot.between && party.poses.len() > 1;
        let mut place = |pose, place, flags| {
            let (rows, sums, unit) = bodies.cells_from_body(&plot.grid, index, pose);
            reach = std::array::from_fn(|axis| reach[axis].max(sums[axis] + plot.grid.cells[axis] as f32));
            let by = plot.offset / stretch(pose).max(f64::MIN_POSITIVE) / unit;
            let entry = PlotEntry {
                across: rows[0],
                down: rows[1],
                along: rows[2],
                offset: by as f32,
                first_vertex: member.first_vertex,
                vertices: member.vertices,
                first_triangle: member.first_triangle,
                triangles: member.triangles,
                base: k as u32 * planes(plot) * plane(plot),
                place,
                ..common(plot)
            };
            PlotEntry { flags: entry.flags | flags, ..entry }
        };
        for (step, pose) in party.poses.iter().enumerate() {
            if !sweeps {
                strokes.push(Stroke { entry: place(pose, 0, interval), places_only: false });
            } else if let Some(next) = party.poses.get(step + 1) {
                strokes.push(Stroke { entry: place(pose, 0, 0), places_only: true });
                strokes.push(Stroke { entry: place(next, vertices, PlotEntry::SWEEPS), places_only: false });
            }
        }
    }
    let rounding = plot.grid.rounding(plot.magnitude);
    let wide = Grid::widening(std::array::from_fn(|axis| reach[axis] + rounding[axis]));
    for stroke in &mut strokes {
        stroke.entry.wide = wide;
    }
    (strokes, wide)
}

/// What the words say.
fn meaning(entry: &SharedEntry) -> Shared {
    let seen = |bits: u32| Seen { inside: bits & 1 != 0, outside: bits & 2 != 0 };
    let seen = [seen(entry.seen), seen(entry.seen >> 2)];
    if entry.cells == 0 {
        return Shared { seen, ..Shared::default() };
    }
    Shared { cells: u64::from(entry.cells), low: entry.least.map(|c| !c), high: entry.greatest, seen }
}
