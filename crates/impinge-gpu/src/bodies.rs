//! The bodies of a scene in buffers: what changed is uploaded, what lives on the GPU is taken in there.

use crate::buffers::Grown;
use crate::device::Context;
use crate::error::GpuError;
use crate::intake::IntakeStage;
use crate::layout::{BodyEntry, Found, Intake};
use crate::recorder::Recorder;
use impinge::stages::View;
use impinge::stages::gather::{Member, totals};
use impinge::stages::grid::Near;
use impinge::stages::overlap_cells::Grid;
use impinge::{Body, BodyId, Bounds, Point, Pose, Scene, Version};
use wgpu::{Buffer, BufferUsages};

/// Geometry in the caller's own buffers, which the CPU need never hold: the triangles of a body of the scene, whose mesh
/// there is not looked at. Buffers must have been made with `BufferUsages::STORAGE`.
#[derive(Clone, Debug)]
pub struct GpuBody {
    /// Three floats a vertex.
    pub positions: Buffer,
    /// Bytes before the first vertex.
    pub position_offset: u64,
    /// Bytes from one vertex to the next: 12 when nothing lies between them.
    pub position_stride: u64,
    /// How many vertices there are.
    pub vertices: u32,
    /// Three `u32` a triangle.
    pub triangles: Buffer,
    /// Bytes before the first triangle.
    pub triangle_offset: u64,
    /// How many triangles there are, at most.
    pub triangle_count: u32,
    /// Where the GPU keeps how many of them are alive now, as a `u32` at so many bytes, when that changes.
    pub live: Option<(Buffer, u64)>,
    /// A `u32` for every triangle, at so many bytes, which comes back with it.
    pub tags: Option<(Buffer, u64)>,
    /// Whether the surface bounds a solid, every triangle seen from outside turning left: then facing tells collisions;
    /// else distance does. Whether other bodies lie inside it is not looked for: its triangles are not here to tell.
    pub closed: bool,
}

impl GpuBody {
    /// A closed body whose buffers hold nothing else.
    pub fn new(positions: Buffer, vertices: u32, triangles: Buffer, triangle_count: u32) -> Self {
        Self {
            positions,
            position_offset: 0,
            position_stride: 12,
            vertices,
            triangles,
            triangle_offset: 0,
            triangle_count,
            live: None,
            tags: None,
            closed: true,
        }
    }

    /// Whether the buffers hold what is said about them.
    pub(crate) fn check(&self, context: &Context, name: &str) -> Result<(), GpuError> {
        let limit = context.device.limits().max_storage_buffer_binding_size;
        let check = |what: &'static str, buffer: &Buffer, offset: u64, bytes: u64| {
            let wrong = |problem: String| Err(GpuError::Buffer { body: name.to_owned(), what, problem });
            if !buffer.usage().contains(BufferUsages::STORAGE) {
                return wrong("was made without BufferUsages::STORAGE".into());
            }
            if !offset.is_multiple_of(4) {
                return wrong(format!("begins at byte {offset}, which is not a multiple of 4"));
            }
            if offset.saturating_add(bytes) > buffer.size() {
                return wrong(format!(
                    "has {} bytes, but {} are needed",
                    buffer.size(),
                    offset.saturating_add(bytes)
                ));
            }
            if !buffer.size().is_multiple_of(4) {
                return wrong(format!("has {} bytes, which is not a multiple of 4", buffer.size()));
            }
            if buffer.size() > limit {
                return wrong(format!("has {} bytes; this device can read {limit}", buffer.size()));
            }
            Ok(())
        };
        if self.position_stride < 12 || !self.position_stride.is_multiple_of(4) {
            let problem =
                format!("has a stride of {} bytes, not a multiple of 4 from 12 on", self.position_stride);
            return Err(GpuError::Buffer { body: name.to_owned(), what: "positions", problem });
        }
        let last = u64::from(self.vertices.saturating_sub(1));
        let positions =
            last.saturating_mul(self.position_stride).saturating_add(if self.vertices > 0 { 12 } else { 0 });
        check("positions", &self.positions, self.position_offset, positions)?;
        check("triangles", &self.triangles, self.triangle_offset, u64::from(self.triangle_count) * 12)?;
        if let Some((buffer, offset)) = &self.tags {
            check("tags", buffer, *offset, u64::from(self.triangle_count) * 4)?;
        }
        if let Some((buffer, offset)) = &self.live {
            check("the live count", buffer, *offset, 4)?;
        }
        Ok(())
    }
}

/// What is uploaded of one body, and how its coordinates were brought near 1.
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
    pub(crate) positions: Grown,
    pub(crate) triangles: Grown,
    pub(crate) tags: Grown,
    pub(crate) entries: Grown,
    found: Grown,
    uploaded: Vec<Uploaded>,
    /// Largest coordinate of every body that lives on the GPU.
    reaches: Vec<f32>,
    intake: IntakeStage,
}

impl Bodies {
    pub(crate) fn new(context: &Context) -> Self {
        let none = BufferUsages::empty();
        Self {
            positions: Grown::new("vertices", none),
            triangles: Grown::new("triangles", BufferUsages::INDEX | BufferUsages::COPY_SRC),
            tags: Grown::new("tags of triangles", none),
            entries: Grown::new("bodies", none),
            found: Grown::new("boxes of bodies", BufferUsages::COPY_SRC),
            uploaded: Vec::new(),
            reaches: Vec::new(),
            intake: IntakeStage::new(context),
        }
    }

    /// Makes room, uploads what changed, and takes in what lives on the GPU. Returns the boxes of those, in their own
    /// coordinates and in the world, in the order given.
    pub(crate) fn update(
        &mut self,
        recorder: &mut Recorder,
        scene: &Scene,
        members: &[Member],
        attached: &[(BodyId, GpuBody)],
    ) -> Result<Vec<(Bounds, Bounds)>, GpuError> {
        let context = recorder.context.clone();
        let [vertices, triangles] = totals(members);
        let mut lost = self.positions.hold(&context, u64::from(vertices) * 16)?;
        lost |= self.triangles.hold(&context, u64::from(triangles) * 12)?;
        self.entries.hold(&context, members.len() as u64 * size_of::<BodyEntry>() as u64)?;
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
        self.take_in(recorder, scene, members, attached)
    }

    /// Nothing that was uploaded may be relied on.
    pub(crate) fn forget(&mut self) {
        self.uploaded.clear();
        self.intake.forget();
        let buffers =
            [&mut self.positions, &mut self.triangles, &mut self.tags, &mut self.entries, &mut self.found];
        buffers.into_iter().for_each(Grown::forget);
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
            // Near 1, so that floats lose little of them wherever the body is and however large.
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

    fn take_in(
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
        self.tags.hold(&context, u64::from(tags) * 4)?;
        let bytes = (attached.len() * size_of::<Found>()) as u64;
        self.found.hold(&context, bytes)?;
        let nothing = vec![Found::NOTHING; attached.len()];
        context.queue.write_buffer(self.found.get(), 0, bytemuck::cast_slice(&nothing));
        for (k, (member, (_, body))) in theirs.iter().zip(attached).enumerate() {
            let words = |bytes: u64| (bytes / 4) as u32;
            let intake = Intake {
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
                place: k as u32,
                ..Intake::default()
            };
            // What lies between the last triangle and the next body's first is nothing.
            let padding = u64::from(member.triangles.next_multiple_of(32) - member.triangles) * 12;
            if padding > 0 {
                let from = u64::from(member.first_triangle + member.triangles) * 12;
                recorder.encoder().clear_buffer(self.triangles.get(), from, Some(padding));
            }
            let ours = [self.positions.get(), self.triangles.get(), self.tags.get(), self.found.get()];
            self.intake.record(recorder, body, &intake, ours);
        }
        let found: Vec<Found> = recorder.read(&[(self.found.get(), bytes)], |bytes| {
            bytes.chunks_exact(size_of::<Found>()).map(bytemuck::pod_read_unaligned).collect()
        })?;
        self.reaches.clear();
        self.reaches.extend(found.iter().map(Found::reach));
        let boxes = |((id, body), found): (&(BodyId, GpuBody), &Found)| {
            let in_scene = scene.body(*id).ok_or(impinge::SceneError::NoSuchBody)?;
            boxes(in_scene, body, found)
        };
        attached.iter().zip(&found).map(boxes).collect()
    }

    /// From the stored coordinates of a body, where it stands, to cells; the most cells that the terms of each coordinate add
    /// up to; and how many world units one of the stored coordinates has.
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

    /// How every body is stored.
    pub(crate) fn nears(&self) -> Vec<Near> {
        let theirs = self.reaches.iter().map(|&reach| Near::as_is(reach));
        self.uploaded.iter().map(|kept| kept.near).chain(theirs).collect()
    }

    fn near_one(&self, index: usize) -> (Point, f64) {
        self.uploaded.get(index).map_or(([0.0; 3], 1.0), |kept| (kept.near.centre, kept.near.scale))
    }

    /// Largest stored coordinate: at most 1 for bodies in the scene; those of others are as they come.
    fn reach(&self, index: usize) -> f32 {
        let ours = self.uploaded.len();
        if index < ours { 1.0 } else { self.reaches[index - ours] }
    }

    /// Tells where the vertices of every body begin, and no more.
    pub(crate) fn number(&self, context: &Context, members: &[Member]) {
        let entry = |member: &Member| BodyEntry { first_vertex: member.first_vertex, ..BodyEntry::default() };
        let entries: Vec<BodyEntry> = members.iter().map(entry).collect();
        context.queue.write_buffer(self.entries.get(), 0, bytemuck::cast_slice(&entries));
    }

    /// Tells the stages where every body stands in a view. Returns the most that the terms of an image coordinate of an
    /// active body add up to, in pixels.
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

/// The most that the terms of a row add up to, for coordinates up to a reach.
fn sum(row: [f32; 4], reach: f32) -> f32 {
    (row[0].abs() + row[1].abs() + row[2].abs()) * reach + row[3].abs()
}

/// `OWNER_NORMAL` of `shared/frame.wgsl`.
const OWNER_NORMAL: u32 = 0x1000_0000;

/// Largest entry of a matrix: sums of four products with coordinates near 1 stay far from infinity.
const LARGEST_ENTRY: f64 = 1e30;

/// From coordinates near 1 to the body, to the world, to the image; in doubles until the last rounding. The last row is what
/// the others are divided by in perspective.
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
    [column(0), column(1), column(2), offset].map(|x| x.clamp(-LARGEST_ENTRY, LARGEST_ENTRY) as f32)
}

/// The boxes of a body that was taken in, in its own coordinates and in the world, or what is wrong with it.
fn boxes(in_scene: &Body, body: &GpuBody, found: &Found) -> Result<(Bounds, Bounds), GpuError> {
    let name = || in_scene.name().to_owned();
    if found.bad_vertex != u32::MAX {
        return Err(GpuError::NotFinite { body: name(), vertex: found.bad_vertex });
    }
    if found.bad_triangle < body.triangle_count {
        let (triangle, vertices) = (found.bad_triangle, body.vertices);
        return Err(GpuError::IndexOutOfRange { body: name(), triangle, vertices });
    }
    if found.bad_triangle != u32::MAX {
        return Err(GpuError::TooManyLive { body: name(), most: body.triangle_count });
    }
    if body.vertices == 0 {
        return Ok((Bounds::EMPTY, Bounds::EMPTY));
    }
    let [low, high] = found.corners().map(|corner| corner.map(f64::from));
    // Every operation of a pose is monotone in every coordinate, rounding included: the corners' box holds all.
    let corner =
        |k: usize| std::array::from_fn(|axis| if k >> axis & 1 == 0 { low[axis] } else { high[axis] });
    let world = Bounds::of((0..8).map(|k| in_scene.pose().apply(corner(k))));
    Ok((Bounds { min: low, max: high }, world))
}
