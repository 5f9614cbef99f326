//! The bodies of a scene in buffers: changed geometry is uploaded, external geometry is copied on the GPU.

mod details;
mod gpu_body;
mod upload;

pub use gpu_body::GpuBody;

use crate::device::{Context, Growable, Recorder, read};
use crate::error::GpuError;
use crate::layout::{BodyEntry, UploadEntry, UploadResult};
use details::DetailsStage;
use impinge::stages::View;
use impinge::stages::gather::{Member, totals};
use impinge::stages::grid::Near;
use impinge::stages::overlap_cells::Grid;
use impinge::{Body, BodyId, Bounds, Point, Pose, Scene, Version};
use upload::UploadStage;
use wgpu::BufferUsages;

/// What was uploaded of one body, and the normalisation of its coordinates.
#[derive(Clone, Copy, Debug)]
struct Uploaded {
    id: BodyId,
    positions: Version,
    topology: Version,
    first_vertex: u32,
    first_triangle: u32,
    near: Near,
}

/// Geometry of all bodies of a scene.
#[derive(Debug)]
pub(crate) struct Bodies {
    pub(crate) positions: Growable,
    pub(crate) triangles: Growable,
    pub(crate) tags: Growable,
    pub(crate) entries: Growable,
    results: Growable,
    uploaded: Vec<Uploaded>,
    /// Largest coordinate of every external body.
    reaches: Vec<f32>,
    upload: UploadStage,
    details: DetailsStage,
}

impl Bodies {
    pub(crate) fn new(context: &Context) -> Self {
        let none = BufferUsages::empty();
        Self {
            positions: Growable::new("vertices", none),
            triangles: Growable::new("triangles", BufferUsages::INDEX | BufferUsages::COPY_SRC),
            tags: Growable::new("tags of triangles", none),
            entries: Growable::new("bodies", none),
            results: Growable::new("boxes of bodies", BufferUsages::COPY_SRC),
            uploaded: Vec::new(),
            reaches: Vec::new(),
            upload: UploadStage::new(context),
            details: DetailsStage::new(context),
        }
    }

    /// Reserves memory, uploads what changed, and copies external bodies. Returns the boxes of those, in body
    /// and world coordinates, in the given order.
    pub(crate) fn update(
        &mut self,
        recorder: &mut Recorder,
        scene: &Scene,
        members: &[Member],
        attached: &[(BodyId, GpuBody)],
    ) -> Result<Vec<(Bounds, Bounds)>, GpuError> {
        let context = recorder.context.clone();
        let [vertices, triangles] = totals(members);
        let mut lost = self.positions.reserve(&context, u64::from(vertices) * 16)?;
        lost |= self.triangles.reserve(&context, u64::from(triangles) * 12)?;
        self.entries.reserve(&context, members.len() as u64 * size_of::<BodyEntry>() as u64)?;
        if lost {
            self.uploaded.clear();
        }
        let before = std::mem::take(&mut self.uploaded);
        let ours = members.len() - attached.len();
        for (index, member) in members[..ours].iter().enumerate() {
            let Some(body) = scene.body(member.id) else { continue };
            let same = before.get(index).filter(|kept| {
                (kept.id, kept.first_vertex, kept.first_triangle)
                    == (member.id, member.first_vertex, member.first_triangle)
            });
            let kept = self.upload(&context, index as u32, member, body, same);
            self.uploaded.push(kept);
        }
        if attached.is_empty() {
            return Ok(Vec::new());
        }
        self.upload_external(recorder, scene, members, attached)
    }

    /// Discards everything: after an error nothing that was uploaded is reliable.
    pub(crate) fn forget(&mut self) {
        self.uploaded.clear();
        self.upload.forget();
        self.details.forget();
        let buffers =
            [&mut self.positions, &mut self.triangles, &mut self.tags, &mut self.entries, &mut self.results];
        buffers.into_iter().for_each(Growable::forget);
    }

    fn upload(
        &self,
        context: &Context,
        index: u32,
        member: &Member,
        body: &Body,
        same: Option<&Uploaded>,
    ) -> Uploaded {
        let mesh = body.mesh();
        let mut kept = Uploaded {
            id: member.id,
            positions: body.positions_version(),
            topology: body.topology_version(),
            first_vertex: member.first_vertex,
            first_triangle: member.first_triangle,
            near: Near::as_is(1.0),
        };
        if let Some(same) =
            same.filter(|same| same.positions == kept.positions && same.topology == kept.topology)
        {
            kept.near = same.near;
        } else {
            // Normalised to about 1, so that floats lose little wherever the body is and whatever its size.
            kept.near = Near::of(&Bounds::of(mesh.positions().iter()));
            let owner = f32::from_bits(index | OWNER_NORMAL);
            let near_one = |p: Point| {
                let q = kept.near.store(p);
                [q[0], q[1], q[2], owner]
            };
            let floats: Vec<[f32; 4]> = mesh.positions().iter().map(near_one).collect();
            let at = u64::from(member.first_vertex) * 16;
            context.queue.write_buffer(self.positions.get(), at, bytemuck::cast_slice(&floats));
        }
        if same.is_none_or(|same| same.topology != kept.topology) {
            let mut corners: Vec<[u32; 3]> =
                mesh.triangles().iter().map(|t| t.map(|vertex| vertex + member.first_vertex)).collect();
            corners.resize(corners.len().next_multiple_of(32), impinge::stages::gather::NO_TRIANGLE);
            let at = u64::from(member.first_triangle) * 12;
            context.queue.write_buffer(self.triangles.get(), at, bytemuck::cast_slice(&corners));
        }
        kept
    }

    fn upload_external(
        &mut self,
        recorder: &mut Recorder,
        scene: &Scene,
        members: &[Member],
        attached: &[(BodyId, GpuBody)],
    ) -> Result<Vec<(Bounds, Bounds)>, GpuError> {
        let context = recorder.context.clone();
        let theirs = &members[members.len() - attached.len()..];
        let first_tag = theirs.first().map_or(0, |member| member.first_triangle);
        let tags = totals(members)[1] - first_tag;
        self.tags.reserve(&context, u64::from(tags) * 4)?;
        let nothing = vec![UploadResult::NOTHING; attached.len()];
        self.results.fill(&context, &nothing)?;
        for (k, (member, (_, body))) in theirs.iter().zip(attached).enumerate() {
            let words = |bytes: u64| (bytes / 4) as u32;
            let upload = UploadEntry {
                body: (members.len() - attached.len() + k) as u32,
                vertices: body.vertices,
                triangles: body.triangle_count,
                first_vertex: member.first_vertex,
                first_triangle: member.first_triangle,
                first_tag: member.first_triangle - first_tag,
                offset: words(body.position_offset),
                stride: words(body.position_stride),
                index_offset: words(body.triangle_offset),
                count_offset: body.live.as_ref().map_or(u32::MAX, |(_, offset)| words(*offset)),
                has_tags: u32::from(body.tags.is_some()),
                tag_offset: body.tags.as_ref().map_or(0, |(_, offset)| words(*offset)),
                slot: k as u32,
                ..UploadEntry::default()
            };
            // Padding up to the next body is zero.
            let padding = u64::from(member.triangles.next_multiple_of(32) - member.triangles) * 12;
            if padding > 0 {
                let from = u64::from(member.first_triangle + member.triangles) * 12;
                recorder.encoder().clear_buffer(self.triangles.get(), from, Some(padding));
            }
            let ours = [self.positions.get(), self.triangles.get(), self.tags.get(), self.results.get()];
            self.upload.record(recorder, body, &upload, ours);
        }
        let results: Vec<UploadResult> =
            read(recorder, self.results.get(), size_of_val(&nothing[..]) as u64)?;
        self.reaches.clear();
        self.reaches.extend(results.iter().map(UploadResult::reach));
        let boxes = |((id, body), results): (&(BodyId, GpuBody), &UploadResult)| {
            let in_scene = scene.body(*id).ok_or(impinge::SceneError::NoSuchBody)?;
            boxes(in_scene, body, results)
        };
        attached.iter().zip(&results).map(boxes).collect()
    }

    /// The matrix from stored coordinates of a body at a pose to cells; the largest sum of the terms of each
    /// coordinate, in cells; and world units per unit of stored coordinates.
    pub(crate) fn cells_from_body(
        &self,
        grid: &Grid,
        index: usize,
        pose: &Pose,
    ) -> ([[f32; 4]; 3], [f32; 3], f64) {
        let near_one = self.near_one(index);
        let rows = grid.rows.map(|row| row_from_body(row, grid.unit, pose, near_one));
        let reach = self.reach(index);
        (rows, rows.map(|row| sum(row, reach)), near_one.1)
    }

    /// The normalisation of every body.
    pub(crate) fn nears(&self) -> Vec<Near> {
        let theirs = self.reaches.iter().map(|&reach| Near::as_is(reach));
        self.uploaded.iter().map(|kept| kept.near).chain(theirs).collect()
    }

    fn near_one(&self, index: usize) -> (Point, f64) {
        self.uploaded.get(index).map_or(([0.0; 3], 1.0), |kept| (kept.near.centre, kept.near.scale))
    }

    /// Largest stored coordinate: at most 1 for bodies in the scene; external bodies are not normalised.
    fn reach(&self, index: usize) -> f32 {
        let ours = self.uploaded.len();
        if index < ours { 1.0 } else { self.reaches[index - ours] }
    }

    /// Writes entries with the first vertex of every body alone.
    pub(crate) fn number(&self, context: &Context, members: &[Member]) {
        let entry = |member: &Member| BodyEntry { first_vertex: member.first_vertex, ..BodyEntry::default() };
        let entries: Vec<BodyEntry> = members.iter().map(entry).collect();
        context.queue.write_buffer(self.entries.get(), 0, bytemuck::cast_slice(&entries));
    }

    /// Writes the entries of a view. Returns the largest sum of the terms of an image coordinate of an active
    /// body, in pixels.
    pub(crate) fn place(
        &self,
        context: &Context,
        scene: &Scene,
        (members, ranges): (&[Member], &[[f32; 2]]),
        view: &View,
    ) -> f32 {
        let entry = |(index, member): (usize, &Member)| {
            let near_one = self.near_one(index);
            let rows = scene
                .body(member.id)
                .map_or([[0.0; 4]; 4], |body| image_from_body(view, body.pose(), near_one));
            let flag = |on: bool, flag: u32| if on { flag } else { 0 };
            BodyEntry {
                across: rows[0],
                down: rows[1],
                along: rows[2],
                away: rows[3],
                flags: flag(member.closed, BodyEntry::CLOSED)
                    | flag(member.mirrored, BodyEntry::MIRRORED)
                    | flag(member.active, BodyEntry::ACTIVE),
                first_vertex: member.first_vertex,
                nearest: ranges[index][0],
                farthest: ranges[index][1],
            }
        };
        let entries: Vec<BodyEntry> = members.iter().enumerate().map(entry).collect();
        context.queue.write_buffer(self.entries.get(), 0, bytemuck::cast_slice(&entries));
        let active = entries.iter().enumerate().filter(|(_, entry)| entry.flags & BodyEntry::ACTIVE != 0);
        let most = active
            .flat_map(|(index, entry)| [entry.across, entry.down].map(|row| sum(row, self.reach(index))));
        most.fold(view.width.max(view.height) as f32, f32::max)
    }
}

/// The largest sum of the terms of a row, for coordinates up to `reach`.
fn sum(row: [f32; 4], reach: f32) -> f32 {
    (row[0].abs() + row[1].abs() + row[2].abs()) * reach + row[3].abs()
}

/// `OWNER_NORMAL` of `shared/frame.wgsl`.
const OWNER_NORMAL: u32 = 0x1000_0000;

/// Largest entry of a matrix: sums of four products with coordinates near 1 do not overflow.
const MAX_MATRIX_ENTRY: f64 = 1e30;

/// From stored coordinates to the body, to the world, to the image; in doubles until the last rounding. The
/// last row is the divisor of perspective.
fn image_from_body(view: &View, pose: &Pose, near_one: (Point, f64)) -> [[f32; 4]; 4] {
    let [across, down, along] = view.rows;
    let rows = [across, down, along, view.away.unwrap_or([0.0, 0.0, 0.0, 1.0])];
    rows.map(|row| row_from_body(row, view.unit, pose, near_one))
}

/// The same for one affine row over world coordinates in some unit.
fn row_from_body([a, b, c, t]: [f64; 4], unit: f64, pose: &Pose, (centre, scale): (Point, f64)) -> [f32; 4] {
    let middle = pose.apply(centre).map(|c| c / unit);
    let (row, pose) = ([a, b, c], pose.rows());
    let column = |k: usize| (0..3).map(|i| row[i] * (pose[i][k] * (scale / unit))).sum::<f64>();
    let offset = (0..3).map(|i| row[i] * middle[i]).sum::<f64>() + t;
    [column(0), column(1), column(2), offset].map(|x| x.clamp(-MAX_MATRIX_ENTRY, MAX_MATRIX_ENTRY) as f32)
}

/// The boxes of an uploaded body, in body and world coordinates, or what is wrong with it.
fn boxes(in_scene: &Body, body: &GpuBody, results: &UploadResult) -> Result<(Bounds, Bounds), GpuError> {
    let name = || in_scene.name().to_owned();
    if results.bad_vertex != u32::MAX {
        return Err(GpuError::NotFinite { body: name(), vertex: results.bad_vertex });
    }
    if results.bad_triangle < body.triangle_count {
        let (triangle, vertices) = (results.bad_triangle, body.vertices);
        return Err(GpuError::IndexOutOfRange { body: name(), triangle, vertices });
    }
    if results.bad_triangle != u32::MAX {
        return Err(GpuError::TooManyLive { body: name(), most: body.triangle_count });
    }
    if body.vertices == 0 {
        return Ok((Bounds::EMPTY, Bounds::EMPTY));
    }
    let [low, high] = results.corners().map(|corner| corner.map(f64::from));
    // Every operation of a pose is monotone in every coordinate, rounding included: the box of the corners
    // holds all points.
    let corner =
        |k: usize| std::array::from_fn(|axis| if k >> axis & 1 == 0 { low[axis] } else { high[axis] });
    let world = Bounds::of((0..8).map(|k| in_scene.pose().apply(corner(k))));
    Ok((Bounds { min: low, max: high }, world))
}
