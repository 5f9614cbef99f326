//! Bodies whose geometry is in the caller's GPU buffers.

use crate::device::Context;
use crate::error::GpuError;
use wgpu::{Buffer, BufferUsages};

/// Geometry in the caller's own buffers, never read by the CPU: it replaces the mesh of a body of the scene.
/// Buffers must have been made with `BufferUsages::STORAGE`.
#[derive(Clone, Debug)]
pub struct GpuBody {
    /// Three floats per vertex.
    pub positions: Buffer,
    /// Bytes before the first vertex.
    pub position_offset: u64,
    /// Bytes from one vertex to the next: 12 if tightly packed.
    pub position_stride: u64,
    /// Number of vertices.
    pub vertices: u32,
    /// Three `u32` per triangle.
    pub triangles: Buffer,
    /// Bytes before the first triangle.
    pub triangle_offset: u64,
    /// Number of triangles, or the maximum if `live` is set.
    pub triangle_count: u32,
    /// Where the GPU keeps the number of live triangles, if that changes: a buffer and the byte offset of a
    /// `u32`.
    pub live: Option<(Buffer, u64)>,
    /// A `u32` per triangle that is returned with it: a buffer and the byte offset of the first.
    pub tags: Option<(Buffer, u64)>,
    /// Whether the surface bounds a solid, counter-clockwise seen from outside: then facing decides
    /// collisions; else distance does. Containment of other bodies in it is not tested: that needs its
    /// triangles on the CPU.
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

    /// Validates the buffers.
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
