//! Draws two bodies into planes of bits, by samples or by every touched cell, and finds what they share (Dinerstein, Egbert
//! 2002). The definition of every stage is `impinge::stages::overlap_cells`; the flow is its `Slicer`, which reads 32 bytes
//! back for each rendering.
//!
//! Samples are drawn by a compute shader of our own, not by the rasteriser: most small triangles cover no pixel centre, and
//! the rasteriser's snapping would change bits.

mod inspect;

pub use inspect::SliceInspection;

use crate::bodies::Bodies;
use crate::device::{Context, Growable, Kernel, Recorder, Stage, read, read_first, uniform};
use crate::error::GpuError;
use crate::layout::{PlotEntry, SharedEntry};
use crate::shaders;
use impinge::stages::gather::{Member, totals};
use impinge::stages::overlap_cells::draw::trusted;
use impinge::stages::overlap_cells::project::stretch;
use impinge::stages::overlap_cells::{Draw, Fill, Grid, Plot, Seen, Shared};
use impinge::{Point, Scene, Version};
use std::num::NonZeroU64;
use wgpu::{BindingResource, Buffer, BufferUsages};

/// Distance between uniforms in one buffer, on every device.
const STRIDE: u64 = 256;

/// Strokes per submission, at most: a long path is drawn in parts.
const STROKES: usize = 512;

/// Workgroups that share the large triangles.
const LARGE_GROUPS: u32 = 64;

/// Kernels and buffers of the method.
#[derive(Debug)]
pub(crate) struct OverlapCells {
    project: Kernel,
    cover: Kernel,
    cover_large: Kernel,
    sample: Kernel,
    sample_large: Kernel,
    share: Kernel,
    enumerate: Kernel,
    uniforms: Option<Buffer>,
    placed: Growable,
    normals: Growable,
    /// Bodies whose normals were uploaded: first vertex and version.
    with_normals: Vec<(u32, Version)>,
    bits: Growable,
    large: Growable,
    found: Growable,
    list: Growable,
    last: Option<Drawn>,
    pub(crate) bytes_read_back: usize,
}

/// The last draw.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    /// The uniform of the intersection.
    entry: PlotEntry,
    grid: Grid,
    /// The number of shared cells.
    cells: u64,
    wide: [f32; 3],
    fill: Fill,
    members: [Member; 2],
    vertices: u32,
    swept: bool,
}

/// One body of a plot, at one step of its path.
struct Stroke {
    entry: PlotEntry,
    /// Whether it only projects vertices, as the begin of the next.
    places_only: bool,
}

/// Draws for the CPU's algorithm.
pub(crate) struct CellBackend<'a> {
    pub(crate) slices: &'a mut OverlapCells,
    recorder: &'a mut Recorder,
    bodies: &'a Bodies,
    members: &'a [Member],
}

impl<'a> CellBackend<'a> {
    /// For one call; compiles the shaders on first use.
    pub(crate) fn new(
        slices: &'a mut Option<Box<OverlapCells>>,
        recorder: &'a mut Recorder,
        bodies: &'a Bodies,
        members: &'a [Member],
    ) -> Self {
        let slices = slices.get_or_insert_with(|| Box::new(OverlapCells::new(&recorder.context)));
        slices.last = None;
        slices.bytes_read_back = 0;
        Self { slices, recorder, bodies, members }
    }
}

impl Draw for CellBackend<'_> {
    type Error = GpuError;

    fn draw(&mut self, scene: &Scene, plot: &Plot, normals: [&[Point]; 2]) -> Result<Shared, GpuError> {
        self.slices.draw(self.recorder, self.bodies, self.members, scene, plot, normals)
    }

    fn cells(&mut self, most: usize) -> Result<Vec<[u32; 3]>, GpuError> {
        self.slices.cells(self.recorder, most)
    }
}

impl OverlapCells {
    pub(crate) fn new(context: &Context) -> Self {
        let read = BufferUsages::COPY_SRC;
        let kernel = |source, entry| Kernel::new(context, source, entry, 64);
        Self {
            project: kernel(shaders::PROJECT, "project"),
            cover: kernel(shaders::COVER, "cover"),
            cover_large: kernel(shaders::COVER, "cover_large"),
            sample: kernel(shaders::SAMPLE, "sample"),
            sample_large: kernel(shaders::SAMPLE, "sample_large"),
            share: kernel(shaders::PLANES, "share"),
            enumerate: kernel(shaders::PLANES, "enumerate"),
            uniforms: None,
            placed: Growable::new("vertices in cells", read),
            normals: Growable::new("normals of vertices", BufferUsages::empty()),
            with_normals: Vec::new(),
            bits: Growable::new("bits of cells", read),
            large: Growable::new("large triangles", BufferUsages::empty()),
            found: Growable::new("shared cells", read),
            list: Growable::new("list of shared cells", read),
            last: None,
            bytes_read_back: 0,
        }
    }

    /// Discards everything.
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
        buffers.into_iter().for_each(Growable::forget);
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
        self.reserve(&context, plot, vertices, &strokes)?;
        if plot.offset != 0.0 {
            self.upload_normals(&context, members, scene, plot, normals);
        }
        recorder.stage(Stage::Sample)?;
        let encoder = recorder.encoder();
        encoder.clear_buffer(self.bits.get(), 0, Some(bits_bytes(plot)));
        encoder.clear_buffer(self.found.get(), 0, None);
        for (n, some) in strokes.chunks(STROKES).enumerate() {
            if n > 0 {
                // Writes to a buffer precede the next submission, so the recorded commands are submitted
                // first.
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
        let shared: SharedEntry = read_first(recorder, self.found.get())?;
        self.bytes_read_back += size_of::<SharedEntry>();
        let member = |k: usize| members.iter().find(|member| member.id == plot.bodies[k].id).copied();
        self.last = member(0).zip(member(1)).map(|(a, b)| Drawn {
            entry,
            grid: plot.grid,
            cells: u64::from(shared.cells),
            wide,
            fill: plot.fill,
            members: [a, b],
            vertices,
            swept: plot.between,
        });
        Ok(trusted(meaning(&shared), wide))
    }

    /// Reserves all buffers, and the uniforms.
    fn reserve(
        &mut self,
        context: &Context,
        plot: &Plot,
        vertices: u32,
        strokes: &[Stroke],
    ) -> Result<(), GpuError> {
        let twice = if plot.between { 2 } else { 1 };
        self.placed.reserve(context, twice * u64::from(vertices) * 16)?;
        if plot.offset == 0.0 {
            self.normals.reserve(context, 16)?;
        } else if self.normals.reserve(context, u64::from(vertices) * 16)? {
            self.with_normals.clear();
        }
        let most = strokes.iter().map(|stroke| stroke.entry.triangles).max().unwrap_or(0);
        self.large.reserve(context, (u64::from(most) + 1) * 4)?;
        self.bits.reserve(context, bits_bytes(plot))?;
        self.found.reserve(context, size_of::<SharedEntry>() as u64 + u64::from(plot.grid.cells[1]) * 4)?;
        let bytes = (strokes.len().min(STROKES) as u64 + 1) * STRIDE;
        if self.uniforms.as_ref().is_none_or(|buffer| buffer.size() < bytes) {
            self.uniforms = Some(uniform(context, "plots", bytes));
        }
        Ok(())
    }

    /// The first is for the intersection; then one per stroke.
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

    /// Uploads normals of the two bodies, where they changed.
    fn upload_normals(
        &mut self,
        context: &Context,
        members: &[Member],
        scene: &Scene,
        plot: &Plot,
        normals: [&[Point]; 2],
    ) {
        for (drawn, normals) in plot.bodies.iter().zip(normals) {
            let (Some(member), Some(body)) =
                (members.iter().find(|member| member.id == drawn.id), scene.body(drawn.id))
            else {
                continue;
            };
            let key = (member.first_vertex, body.positions_version());
            // External bodies have none: they are not displaced.
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
        self.project.run_with(recorder, resources.into_iter(), entry.vertices);
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

    /// The first shared cells of the last draw, in row order.
    fn cells(&mut self, recorder: &mut Recorder, most: usize) -> Result<Vec<[u32; 3]>, GpuError> {
        let Some(Drawn { entry, cells, .. }) = self.last else { return Ok(Vec::new()) };
        let wanted = cells.min(most as u64);
        if wanted == 0 {
            return Ok(Vec::new());
        }
        self.list.reserve(&recorder.context, wanted * 4)?;
        let resources =
            [(0, self.uniform(0)), (1, whole(&self.bits)), (2, whole(&self.found)), (3, whole(&self.list))];
        self.enumerate.run_with(recorder, resources.into_iter(), entry.cells[1]);
        self.bytes_read_back += wanted as usize * 4;
        let packed: Vec<u32> = read(recorder, self.list.get(), wanted * 4)?;
        Ok(packed.into_iter().map(|cell| [cell & 1023, cell >> 10 & 1023, cell >> 20]).collect())
    }
}

fn whole(buffer: &Growable) -> BindingResource<'_> {
    buffer.get().as_entire_binding()
}

/// Words per pixel: one bit per slice.
fn words(plot: &Plot) -> u32 {
    plot.grid.cells[2].div_ceil(32)
}

/// Words per plane.
fn plane(plot: &Plot) -> u32 {
    plot.grid.cells[0] * plot.grid.cells[1] * words(plot)
}

/// Planes per body.
fn planes(plot: &Plot) -> u32 {
    if plot.proven { 4 } else { 1 }
}

fn bits_bytes(plot: &Plot) -> u64 {
    2 * u64::from(planes(plot)) * u64::from(plane(plot)) * 4
}

/// The fields that all uniforms of a plot share.
fn common(plot: &Plot) -> PlotEntry {
    PlotEntry {
        cells: plot.grid.cells,
        words: words(plot),
        plane: plane(plot),
        flags: if plot.proven { PlotEntry::PROVEN } else { 0 },
        ..PlotEntry::default()
    }
}

/// The uniform of the intersection.
fn sharing(plot: &Plot) -> PlotEntry {
    PlotEntry { base: planes(plot) * plane(plot), ..common(plot) }
}

/// All strokes of a plot, in order, and the widening of surfaces in cells.
fn strokes(bodies: &Bodies, members: &[Member], plot: &Plot, vertices: u32) -> (Vec<Stroke>, [f32; 3]) {
    let mut strokes = Vec::new();
    let mut reach = [0.0f32; 3];
    let interval = if plot.fill == Fill::Interval { PlotEntry::INTERVAL } else { 0 };
    for (k, drawn) in plot.bodies.iter().enumerate() {
        let Some(index) = members.iter().position(|member| member.id == drawn.id) else { continue };
        let member = members[index];
        let sweeps = plot.between && drawn.poses.len() > 1;
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
        for (step, pose) in drawn.poses.iter().enumerate() {
            if !sweeps {
                strokes.push(Stroke { entry: place(pose, 0, interval), places_only: false });
            } else if let Some(next) = drawn.poses.get(step + 1) {
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

/// Decodes the words.
fn meaning(entry: &SharedEntry) -> Shared {
    let seen = |bits: u32| Seen { inside: bits & 1 != 0, outside: bits & 2 != 0 };
    let seen = [seen(entry.seen), seen(entry.seen >> 2)];
    if entry.cells == 0 {
        return Shared { seen, ..Shared::default() };
    }
    Shared { cells: u64::from(entry.cells), low: entry.least.map(|c| !c), high: entry.greatest, seen }
}
